use super::*;

#[test]
fn a_long_line_is_cut_between_characters() {
    // Reads end inside a character of three bytes.
    let text = "€".repeat(LINE) + "\n";
    let mut printed = Printed { from: Some(text.as_bytes()), line: Vec::new() };
    let mut pieces = Vec::new();
    while printed.from.is_some() {
        printed.read(|piece| pieces.push(String::from_utf8(piece.to_vec()).unwrap()));
    }
    assert!(pieces.len() > 1);
    assert_eq!(pieces.concat() + "\n", text);
}

#[test]
fn bytes_that_are_no_text_are_passed_on_as_well() {
    let bytes = [0xE2_u8; 3 * LINE];
    let mut printed = Printed { from: Some(&bytes[..]), line: Vec::new() };
    let mut got = 0;
    while printed.from.is_some() {
        printed.read(|piece| got += piece.len());
    }
    assert_eq!(got, bytes.len());
}

#[test]
fn a_program_that_cannot_be_started_is_named_behind_the_reason() {
    let error = not_started((0, 3), Path::new("/nowhere/worker"), io::Error::from_raw_os_error(2));
    let text = error.to_string();
    assert!(text.starts_with("cannot start worker 0 of 3: No such file"), "{text}");
    assert!(text.contains("`/nowhere/worker`"), "{text}");
    let text =
        not_started((0, 3), Path::new("x"), io::Error::from_raw_os_error(NO_FILES)).to_string();
    assert!(text.contains("see `ulimit -n`"), "{text}");
}
