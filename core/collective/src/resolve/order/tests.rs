use super::*;

#[test]
fn devices_and_tasks_order_by_number() {
    let mut names =
        ["/task:10/cpu:0", "/task:2/cpu:10", "/task:2/cpu:2", "/task:2/cpu:02", "/task:2"];
    names.sort_by(|a, b| by_number(a, b));
    assert_eq!(
        names,
        ["/task:2", "/task:2/cpu:02", "/task:2/cpu:2", "/task:2/cpu:10", "/task:10/cpu:0"]
    );
    assert_eq!(by_number("cpu:99999999999999999999999", "cpu:100"), Ordering::Greater);
    assert_eq!(by_number("gpu:0", "cpu:1"), Ordering::Greater);
}
