use crate::graph::tests::graph;
use crate::graph::{Graph, Ranks};
use bytes::Bytes;
use ringwood_base::DType::F32;
use ringwood_base::ErrorKind;
use ringwood_schedule::{Invocation, Operation};

#[test]
fn a_parameter_has_no_open_sizes() {
    let mut g = graph();
    g.input("x", F32, &[3]).unwrap();
    g.parameter("p", F32, &[3]).unwrap();
    g.weight("w", F32, &[2], Bytes::from_static(&[0; 8])).unwrap();
    for name in ["p", "w"] {
        let error = g.with_open(&[("x", &["n".into()]), (name, &["n".into()])]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains(&format!("`{name}` is a parameter")), "{error}");
    }
    assert_eq!(g.with_open(&[("x", &["n".into()])]).unwrap().weights().count(), 1);
}

#[test]
fn copies_and_collectives_behind_open_inputs_are_read_as_they_were_written() {
    let mut g = graph();
    let x = g.input("x", F32, &[3]).unwrap();
    let copy = g.copy(x, "cpu:1").unwrap();
    let all = Invocation::new(Operation::AllGather, F32);
    let all = g.collective(copy, all, &Ranks::all(), 2).unwrap();
    g.output("y", all).unwrap();
    let open = g.with_open(&[("x", &["n".into()])]).unwrap();
    let read: Graph = serde_json::from_str(&serde_json::to_string(&open).unwrap()).unwrap();
    assert_eq!(read, open);
    let sized = read.with_shapes(&[("x", &[4])]).unwrap();
    assert_eq!(sized.value_type(sized.outputs[0].value).to_string(), "f32[8]");
}
