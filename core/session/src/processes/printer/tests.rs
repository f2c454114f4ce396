use super::*;

#[test]
fn a_long_line_is_cut_between_characters() {
    // Reads end inside a character of three bytes.
    let text = "€".repeat(LINE) + "\n";
    let mut printed = Printed::new(0, false, text.as_bytes());
    let mut pieces = Vec::new();
    while printed.read(|_, _, piece| pieces.push(piece.to_owned())) {}
    assert!(pieces.len() > 1);
    assert_eq!(pieces.concat() + "\n", text);
}

#[test]
fn bytes_that_are_no_text_are_passed_on_as_well() {
    let bytes = [0xE2_u8; 3 * LINE];
    let mut printed = Printed::new(0, false, &bytes[..]);
    let mut got = 0;
    while printed.read(|_, _, piece| got += piece.chars().count()) {}
    assert_eq!(got, bytes.len());
}
