use super::*;

#[test]
fn the_table_lists_every_operation_once() {
    let mut names: Vec<_> = Operation::ALL.iter().map(|o| o.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 10);
}
