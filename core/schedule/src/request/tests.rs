use super::*;

#[test]
fn bytes_are_those_of_the_largest_buffer() {
    let request = |operation| Request::new(operation, 4, 10, DType::F32);
    assert_eq!(request(Operation::AllReduce).bytes().unwrap(), 40);
    let gather = request(Operation::AllGather);
    assert_eq!(gather.bytes().unwrap(), 160);
    let counts = gather.counts([1, 2, 3, 4]);
    assert_eq!((counts.elements, counts.bytes().unwrap()), (4, 40));
    let matrix = Request::new(Operation::AllToAll, 2, 0, DType::U8).counts([1, 2, 5, 7]);
    assert_eq!(matrix.bytes().unwrap(), 12);
}

#[test]
fn counts_that_overflow_or_do_not_fit_are_refused() {
    let huge = |operation| Request::new(operation, 4, usize::MAX / 2, DType::F32);
    assert!(huge(Operation::AllReduce).bytes().is_err());
    assert!(huge(Operation::AllToAll).bytes().is_err());
    let sum = |operation| Request::new(operation, 2, 0, DType::U8).counts([usize::MAX, 1]);
    assert!(sum(Operation::AllGather).bytes().is_err());
    let error = sum(Operation::AllToAll).bytes().unwrap_err();
    assert_eq!(error.message(), "2 counts for all_to_all among 2 ranks, which takes 4");
    assert!(sum(Operation::AllReduce).bytes().is_err());
}
