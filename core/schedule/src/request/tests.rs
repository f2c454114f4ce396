use super::*;

#[test]
fn bytes_are_those_of_the_largest_buffer() {
    let request = Request::new(4, 10, DType::F32);
    assert_eq!(request.bytes(Operation::AllReduce).unwrap(), 40);
    assert_eq!(request.bytes(Operation::AllGather).unwrap(), 160);
    let counts = request.clone().counts([1, 2, 3, 4]);
    assert_eq!((counts.elements, counts.bytes(Operation::AllGather).unwrap()), (4, 40));
    let matrix = Request::new(2, 0, DType::U8).counts([1, 2, 5, 7]);
    assert_eq!(matrix.bytes(Operation::AllToAll).unwrap(), 12);
}

#[test]
fn counts_that_overflow_or_do_not_fit_are_refused() {
    let huge = Request::new(4, usize::MAX / 2, DType::F32);
    assert!(huge.bytes(Operation::AllReduce).is_err());
    assert!(huge.bytes(Operation::AllToAll).is_err());
    let sum = Request::new(2, 0, DType::U8).counts([usize::MAX, 1]);
    assert!(sum.bytes(Operation::AllGather).is_err());
    let error = sum.bytes(Operation::AllToAll).unwrap_err();
    assert_eq!(error.message(), "2 counts for all_to_all among 2 ranks, which takes 4");
    assert!(sum.bytes(Operation::AllReduce).is_err());
}
