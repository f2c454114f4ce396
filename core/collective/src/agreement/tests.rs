use super::*;
use crate::{CallSpec, Invocation};
use ringwood_base::DType;
use ringwood_schedule::{Arrangement, BufferMode, Operation, Order, ReduceOp};

fn call() -> CallSpec {
    CallSpec {
        what: Invocation::new(Operation::AllReduce, DType::F32).reduce(ReduceOp::Sum),
        count: 4096,
        mode: BufferMode::InPlace,
        order: None,
        arrangement: Arrangement::default(),
        algorithm: "ring".into(),
        on_devices: false,
    }
}

#[test]
fn the_odd_one_out_is_named_with_every_value() {
    let odd = CallSpec { count: 1024, ..call() };
    let error = refusal(3, &[call(), call(), odd, call()].map(|f| Ok(f.fields())));
    assert_eq!(
        error.message(),
        "ranks disagree on call #3 in count: ranks 0, 1, 3 have 4096, rank 2 has 1024"
    );
    assert_eq!(error.get("odd ones out"), Some("rank 2"));
    assert_eq!(error.kind(), ErrorKind::Mismatch);
}

#[test]
fn two_ranks_have_no_majority_and_equal_ones_no_disagreement() {
    let what = Invocation { dtype: DType::F64, ..call().what };
    let other = CallSpec { what, ..call() };
    let error = refusal(1, &[call(), other].map(|f| Ok(f.fields())));
    assert!(error.message().ends_with("in dtype: rank 0 has f32, rank 1 has f64"), "{error}");
    assert_eq!(error.get("odd ones out"), None);
    let same = call().fields();
    assert!(disagreement("call #1", &[same.clone(), same]).is_none());
}

#[test]
fn every_field_counts_in_the_fingerprint() {
    let what = |what| CallSpec { what, ..call() };
    let others = [
        what(Invocation { operation: Operation::Broadcast, ..call().what }),
        what(Invocation { dtype: DType::F64, ..call().what }),
        what(call().what.reduce(ReduceOp::Mean)),
        what(call().what.root(1)),
        what(call().what.counts(vec![4096, 1])),
        what(call().what.permutation(vec![1, 0])),
        what(Invocation { shape: vec![64, 64].into(), ..call().what }),
        CallSpec { count: 4095, ..call() },
        CallSpec { algorithm: "tree".into(), ..call() },
        CallSpec { on_devices: true, ..call() },
        CallSpec { mode: BufferMode::OutOfPlace, ..call() },
        CallSpec { order: Some(Order::Linear), ..call() },
        CallSpec { arrangement: Arrangement::of_tasks(&[1, 2]).unwrap(), ..call() },
    ];
    for other in others {
        assert_ne!(other.fingerprint(), call().fingerprint(), "{other:?}");
    }
}
