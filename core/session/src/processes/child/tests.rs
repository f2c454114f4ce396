use super::*;

#[test]
fn a_program_that_cannot_be_started_is_named_behind_the_reason() {
    let error = not_started((0, 3), Path::new("/nowhere/worker"), io::Error::from_raw_os_error(2));
    let text = error.to_string();
    assert!(text.starts_with("cannot start worker 0 of 3: No such file"), "{text}");
    assert!(text.contains("`/nowhere/worker`"), "{text}");
    let text = not_started((0, 3), Path::new("x"), io::Error::from_raw_os_error(24)).to_string();
    assert!(text.contains("see `ulimit -n`"), "{text}");
}
