use super::*;

#[test]
fn what_is_given_back_in_any_order_is_one_part_again() {
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut heap = Heap::new(64..1024);
        let parts = [1, 64, 100].map(|bytes| heap.take(bytes).unwrap());
        assert_eq!(parts, [64..128, 128..192, 192..320]);
        assert_eq!(heap.take(705), None);
        for part in order {
            heap.give(parts[part].clone());
        }
        assert_eq!((heap.free.len(), heap.take(960)), (1, Some(64..1024)));
    }
}

#[test]
fn all_of_it_can_be_taken_and_no_more() {
    let mut heap = Heap::new(0..640);
    let parts: Vec<_> = std::iter::from_fn(|| heap.take(60)).collect();
    assert_eq!((parts.len(), heap.free.len()), (10, 0));
    assert_eq!(heap.take(0), None);
    assert_eq!(heap.take(usize::MAX), None);
    heap.give(parts[4].clone());
    assert_eq!(heap.take(1), Some(256..320));
    assert_eq!(Heap::new(5..5).take(1), None);
}
