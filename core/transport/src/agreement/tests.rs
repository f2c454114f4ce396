use super::*;
use crate::CallSpec;
use ringwood_base::DType;
use ringwood_base::ErrorKind;
use ringwood_schedule::{Arrangement, BufferMode, Invocation, Operation, Order, ReduceOp, Request};

fn what() -> Invocation<'static> {
    Invocation::new(Operation::AllReduce, DType::F32).reduce(ReduceOp::Sum)
}

fn request(what: Invocation<'static>) -> Request {
    let request = Request::new(what.operation, 4, 4096, what.dtype).mode(BufferMode::InPlace);
    Request { what, ..request }
}

fn of(request: Request) -> CallSpec {
    CallSpec { request, order: None, algorithm: "ring".into(), on_devices: false, purpose: None }
}

fn call() -> CallSpec {
    of(request(what()))
}

#[test]
fn the_odd_one_out_is_named_with_every_value() {
    let odd = of(Request { elements: 1024, ..request(what()) });
    let error = refusal(3, &[call(), call(), odd, call()].map(|f| Ok(f.fields())));
    assert_eq!(
        error.message(),
        "ranks disagree on call #3 in count: ranks 0, 1, 3 have 4096, rank 2 has 1024"
    );
    assert_eq!(error.get("odd ones out"), Some("rank 2"));
    assert_eq!(error.kind(), ErrorKind::Mismatch);
}

#[test]
fn ranks_in_a_row_are_a_range_and_long_lists_are_cut() {
    assert_eq!(list_ranks(&[7]), "rank 7");
    assert_eq!(list_ranks(&[0, 1, 2, 4]), "ranks 0, 1, 2, 4");
    let many: Vec<usize> = [3, 7].into_iter().chain(10..=993).collect();
    assert_eq!(list_ranks(&many), "ranks 3, 7, 10..=993");
    let odd: Vec<usize> = (1..1000).step_by(2).collect();
    assert!(list_ranks(&odd).ends_with(", 29, 31 and 484 more"), "{}", list_ranks(&odd));
}

#[test]
fn of_many_values_that_differ_some_are_told() {
    let fields = |rank: usize| vec![("elements".into(), rank.to_string())];
    let error = disagreement("call #1", &(0..1000).map(fields).collect::<Vec<_>>()).unwrap();
    let start = "ranks disagree on call #1 in elements: rank 0 has 0, rank 1 has 1, ";
    assert!(error.message().starts_with(start), "{error}");
    let end = ", rank 15 has 15, 984 more ranks have something else";
    assert!(error.message().ends_with(end), "{error}");
}

#[test]
fn two_ranks_have_no_majority_and_equal_ones_no_disagreement() {
    let other = of(request(Invocation { dtype: DType::F64, ..what() }));
    let error = refusal(1, &[call(), other].map(|f| Ok(f.fields())));
    assert!(error.message().ends_with("in dtype: rank 0 has f32, rank 1 has f64"), "{error}");
    assert_eq!(error.get("odd ones out"), None);
    let same = call().fields();
    assert!(disagreement("call #1", &[same.clone(), same]).is_none());
}

#[test]
fn every_field_counts_in_the_fingerprint() {
    let others = [
        of(request(Invocation { operation: Operation::Broadcast, ..what() })),
        of(request(Invocation { dtype: DType::F64, ..what() })),
        of(request(what().reduce(ReduceOp::Mean))),
        of(request(what().root(1))),
        of(request(what().counts(vec![4096, 1]))),
        of(request(what().permutation(vec![1, 0]))),
        of(request(Invocation { shape: vec![64, 64].into(), ..what() })),
        of(Request { elements: 4095, ..request(what()) }),
        CallSpec { algorithm: "tree".into(), ..call() },
        CallSpec { on_devices: true, ..call() },
        CallSpec { purpose: Some("split"), ..call() },
        of(request(what()).mode(BufferMode::OutOfPlace)),
        CallSpec { order: Some(Order::Linear), ..call() },
        of(request(what()).arrangement(Arrangement::of_tasks(&[1, 2]).unwrap())),
    ];
    for other in others {
        assert_ne!(other.fingerprint(), call().fingerprint(), "{other:?}");
    }
}
