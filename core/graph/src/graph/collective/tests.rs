use super::*;
use crate::graph::Graph;
use crate::graph::pass::{Placement, assign_storage, insert_copies, place};
use crate::graph::tests::graph;
use ringwood_base::DType::{F32, I32};

/// An all-reduce of sums.
fn sum() -> Invocation<'static> {
    of(Operation::AllReduce).reduce(ReduceOp::Sum)
}

fn of(operation: Operation) -> Invocation<'static> {
    Invocation::new(operation, F32)
}

/// The type of the result among three ranks, or the error.
fn result(what: Invocation<'static>, dims: &[usize]) -> String {
    let ty = TensorType::new(I32, dims).unwrap();
    let call = Collective::new(what, Ranks::all(), 3, ty);
    call.map_or_else(|e| e.to_string(), |call| call.result(ty).unwrap().to_string())
}

#[test]
fn types_of_results_and_what_no_node_can_be() {
    let scatter = of(Operation::ReduceScatter).reduce(ReduceOp::Max);
    let permute = |to: &'static [usize]| of(Operation::Permute).permutation(to);
    let cases: [(_, &[usize], _); 10] = [
        (sum(), &[], "i32[]"),
        (of(Operation::AllGather), &[], "i32[3]"),
        (of(Operation::AllGather), &[2, 5], "i32[6, 5]"),
        (scatter.clone(), &[6, 5], "i32[2, 5]"),
        (of(Operation::AllToAll), &[6, 5], "i32[6, 5]"),
        (permute(&[1, 2, 0]), &[4], "i32[4]"),
        (scatter, &[4], "reduce_scatter: 3 ranks cannot share the first extent of i32[4]"),
        (permute(&[1, 1, 0]), &[4], "permute: [1, 1, 0] is not a permutation of 3 ranks"),
        (of(Operation::AllReduce), &[4], "all_reduce needs a merge operator"),
        (of(Operation::Broadcast), &[4], "broadcast: is no node of a graph"),
    ];
    for (what, dims, want) in cases {
        assert_eq!(result(what, dims), want);
    }
}

#[test]
fn a_graph_is_read_back_and_checked() {
    let mut graph = graph();
    let x = graph.input("x", F32, &[2, 3]).unwrap();
    let ranks = Ranks::in_group().with("ring").order(Order::Linear);
    let y = graph.collective(x, sum(), &ranks, 4).unwrap();
    graph.output("y", y).unwrap();
    let text = serde_json::to_string(&graph).unwrap();
    let read: Graph = serde_json::from_str(&text).unwrap();
    assert_eq!(read, graph);
    assert_eq!(
        read.nodes()[1].to_string(),
        "all_reduce sum among 4, in the group, with ring, in the order linear(%0): f32[2, 3]"
    );
    let other: Graph =
        serde_json::from_str(&text.replace("\"elements\":6", "\"elements\":5")).unwrap();
    let error = other.verify().unwrap_err().to_string();
    assert!(error.contains("was made for another operand than f32[2, 3]"), "{error}");
    let error = serde_json::from_str::<Graph>(&text.replace("\"sum\"", "\"mine\"")).unwrap_err();
    assert!(error.to_string().contains("there is no reduce operator `mine`"), "{error}");
}

#[test]
fn gradients_are_the_transposed_collectives() {
    let mut graph = graph();
    let x = graph.input("x", F32, &[4]).unwrap();
    let ranks = Ranks::all().with("ring");
    let mut call = |x, what| graph.collective(x, what, &ranks, 2).unwrap();
    let x1 = call(x, sum());
    let x2 = call(x1, of(Operation::AllGather));
    let x3 = call(x2, of(Operation::ReduceScatter).reduce(ReduceOp::Sum));
    let x4 = call(x3, of(Operation::AllToAll));
    let x5 = call(x4, of(Operation::Permute).permutation(vec![1, 0]));
    let loss = graph.apply("sum_all", &[x5]).unwrap();
    graph.gradient(loss, &[x]).unwrap();
    let shown: Vec<_> = graph.nodes()[9..].iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        [
            "permute to [1, 0] among 2, of all, with ring(%8): f32[4]",
            "all_to_all among 2, of all, with ring(%9): f32[4]",
            "all_gather among 2, of all(%10): f32[8]",
            "reduce_scatter sum among 2, of all(%11): f32[4]",
            "all_reduce sum among 2, of all, with ring(%12): f32[4]",
        ]
    );
}

#[test]
fn what_needs_no_collective_stands_before_it_and_collectives_keep_their_order() {
    let mut graph = graph();
    let x = graph.input("x", F32, &[2]).unwrap();
    let call = |graph: &mut Graph, x| graph.collective(x, sum(), &Ranks::all(), 2).unwrap();
    let first = call(&mut graph, x);
    let second = call(&mut graph, first);
    let needs_two = graph.collective(second, sum(), &Ranks::in_group(), 2).unwrap();
    let third = graph.collective(x, of(Operation::AllGather), &Ranks::all(), 2).unwrap();
    let beside = graph.copy(x, "a:0").unwrap();
    for (i, value) in [needs_two, third, beside, second].into_iter().enumerate() {
        graph.output(&i.to_string(), value).unwrap();
    }
    let placement = Placement { devices: vec!["a:0".into()], ..Placement::default() };
    let ordered = assign_storage(&insert_copies(&place(&graph, &placement).unwrap()), true);
    let words: Vec<_> = ordered.nodes().iter().map(|node| node.word()).collect();
    assert_eq!(words[1..], ["copy", "all_reduce", "all_reduce", "all_reduce", "all_gather"]);
    // The second writes over the first, which ends there; the third keeps the second, an output.
    let storage: Vec<_> = ordered.nodes()[2..].iter().map(|node| node.storage[0]).collect();
    assert_eq!(storage[0], storage[1]);
    assert_ne!(storage[1], storage[2]);
}
