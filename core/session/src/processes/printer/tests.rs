use super::*;

/// What is passed on of these bytes.
fn passed_on(bytes: &[u8]) -> Vec<String> {
    let mut printed = Printed::new(0, false, bytes);
    let mut pieces = Vec::new();
    while printed.read(|_, _, piece| pieces.push(piece.to_owned())) {}
    pieces
}

#[test]
fn lines_are_cut_at_their_ends_and_the_rest_comes_at_the_end_of_the_stream() {
    assert_eq!(passed_on(b"one\n\ntwo\nthree"), ["one", "", "two", "three"]);
    assert_eq!(passed_on(b"one\n"), ["one"]);
    let many = "y\n".repeat(2 * LINE);
    assert!(passed_on(many.as_bytes()).iter().all(|line| line == "y"));
    assert_eq!(passed_on(many.as_bytes()).len(), 2 * LINE);
}

#[test]
fn a_long_line_is_cut_between_characters() {
    // Reads end inside a character of three bytes.
    let text = "€".repeat(LINE) + "\n";
    let pieces = passed_on(text.as_bytes());
    assert!(pieces.len() > 1);
    assert_eq!(pieces.concat() + "\n", text);
}

#[test]
fn bytes_that_are_no_text_are_passed_on_as_well() {
    let bytes = [0xE2_u8; 3 * LINE];
    let characters = |piece: String| piece.chars().count();
    assert_eq!(passed_on(&bytes).into_iter().map(characters).sum::<usize>(), bytes.len());
}
