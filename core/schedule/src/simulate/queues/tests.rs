use super::*;

#[test]
fn queues_are_independent_and_keep_their_order() {
    let mut queues = Queues::default();
    for i in 0..5 {
        queues.push(7, f64::from(i));
        queues.push(8, f64::from(10 * i));
    }
    for i in 0..5 {
        assert_eq!(queues.pop(7), Some(f64::from(i)));
        queues.push(9, 0.0);
        assert_eq!(queues.pop(8), Some(f64::from(10 * i)));
    }
    assert_eq!((queues.pop(7), queues.pop(8)), (None, None));
    (0..5).for_each(|_| assert_eq!(queues.pop(9), Some(0.0)));
    assert!(queues.is_empty());
}
