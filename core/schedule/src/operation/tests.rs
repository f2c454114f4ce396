use super::*;

#[test]
fn the_table_lists_every_operation_once() {
    let mut names: Vec<_> = Operation::ALL.iter().map(|o| o.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 10);
}

#[test]
fn a_name_is_read_as_it_is_written() {
    for text in Operation::ALL.iter().map(|o| o.name()).chain(["all-reduce", "Reduce", ""]) {
        assert_eq!(text.parse().ok(), Operation::parse(text), "{text}");
    }
    let error = "all-reduce".parse::<Operation>().unwrap_err();
    assert!(error.to_string().contains("give one of all_reduce, reduce, "), "{error}");
}
