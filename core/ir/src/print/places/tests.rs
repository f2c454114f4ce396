use super::*;

#[test]
fn marks_become_places() {
    let marked = format!("a\n{}  b\nc\n{}d\n", mark(Some(7)), mark(Some(0)));
    assert_eq!(unmark(&marked), ("a\n  b\nc\nd\n".into(), vec![(2, 7), (4, 0)]));
    assert_eq!(mark(None), "");
}

#[test]
fn the_lines_of_a_file_are_read() {
    let of = |log| error_line_of(log, "src/k.cl");
    assert_eq!(
        of("<declaration>:1:3: error: x\nsrc/k.cl:16:28: error: conflicting types"),
        Some(16)
    );
    assert_eq!(
        of("error: /build/src/k.cl:32:15 <Spelling=<command line>:5:13>: expected"),
        Some(32)
    );
    assert_eq!(of("src/k.cl(9): error: identifier \"x\" is undefined"), Some(9));
    assert_eq!(of("src/k.cl:9: warning: x\nerror: linking src/k.cl failed"), None);
}

#[test]
fn the_lines_of_compilers_are_read() {
    let clang = "In file included from x\n/tmp/a/input.cl:16:28: error: use of undeclared\n";
    assert_eq!(error_line(clang), Some(16));
    let pocl = "error: /a/tempfile_9.cl:32:15 <Spelling=<command line>:5:13>: expected";
    assert_eq!(error_line(pocl), Some(32));
    assert_eq!(error_line("default_program(9): error: identifier \"x\" is undefined"), Some(9));
    assert_eq!(error_line("<kernel>:7:3: error: expected"), Some(7));
    assert_eq!(error_line("warning: 3 things\nlinking failed"), None);
}
