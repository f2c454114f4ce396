//! Loops.

use super::*;
use std::collections::HashSet;

/// A loop that adds `x` to a sum in each step, and gives the sums of all steps, too.
fn sums(operands: &str, most: i64, goes: bool) -> ModelProto {
    let steps = [
        node("Add", "sum x", "next"),
        node("Less", "next limit", "less"),
        node("And", "going less", "goes"),
    ];
    let steps = graph("i going sum", &[], &steps, "goes next next");
    let turns = with(node("Loop", operands, "last all"), "body", body(steps));
    let given = [
        tensor("x", &[], &[2.0]),
        tensor("zero", &[], &[0.0]),
        tensor("limit", &[], &[7.0]),
        count("m", most),
        truth("c", goes),
    ];
    model(graph("", &given, &[turns], "last all"), Vec::new())
}

#[test]
fn loops_end_by_their_number_of_steps_or_their_condition() {
    let of = |operands, most, goes| outputs(&sums(operands, most, goes)).unwrap();
    assert_eq!(of("m c zero", 2, true), [vec![4.0], vec![2.0, 4.0]]);
    assert_eq!(of("m c zero", 9, true), [vec![8.0], vec![2.0, 4.0, 6.0, 8.0]]);
    assert_eq!(of("_ c zero", 0, true), [vec![8.0], vec![2.0, 4.0, 6.0, 8.0]]);
    assert_eq!(of("m _ zero", 5, true), [vec![10.0], vec![2.0, 4.0, 6.0, 8.0, 10.0]]);
    assert_eq!(of("m c zero", 9, false), [vec![0.0], vec![]]);
    assert_eq!(of("m c zero", 0, true), [vec![0.0], vec![]]);
}

/// A model that is given `x`, of rank `rank`, at each run.
fn given_at_runs(mut given: ModelProto, rank: usize) -> Model {
    let main = given.graph.as_mut().unwrap();
    main.initializer.retain(|tensor| tensor.name != "x");
    let dim = vec![Default::default(); rank];
    let shape = Some(TensorShapeProto { dim });
    let tensor = TypeProtoTensor { elem_type: data_type::FLOAT, shape };
    let ty = TypeProto { tensor_type: Some(tensor), ..Default::default() };
    main.input = vec![ValueInfoProto { name: "x".into(), r#type: Some(ty) }];
    let folder = beside(Path::new("model.onnx"));
    let graph = read(given.encode_to_vec().into(), Graph::new(), &folder).unwrap();
    Model::new(graph, &[Device::named("cpu:0").unwrap()])
}

#[test]
fn a_function_that_is_called_as_a_copy_is_none() {
    let mut doubled = node("Identity", "v", "w");
    doubled.domain = "own".into();
    let steps = [
        node("Add", "sum v", "next"),
        doubled,
        node("Less", "next limit", "less"),
        node("And", "going less", "goes"),
    ];
    let steps = graph("i going sum v", &[], &steps, "goes next w");
    let turns = with(node("Loop", "_ c zero x", "last end"), "body", body(steps));
    let given = [tensor("zero", &[], &[0.0]), tensor("limit", &[], &[7.0]), truth("c", true)];
    let twice = function("Identity", "a", &[node("Add", "a a", "b")], "b");
    let twice = FunctionProto { domain: "own".into(), ..twice };
    let loops = model(graph("", &given, &[turns], "last end"), vec![twice]);
    let y = run(&given_at_runs(loops, 0), &[], &[1.0]).unwrap();
    assert_eq!(y, [[7.0], [8.0]]);
}

#[test]
fn a_weight_that_a_loop_captures_twice_is_one() {
    let steps = [
        node("Add", "sum w", "more"),
        node("Add", "more same", "next"),
        node("ReduceMax", "next", "most"),
        node("Less", "most x", "goes"),
    ];
    let steps = graph("i going sum", &[], &steps, "goes next");
    let mut turns = with(node("Loop", "_ c w", "last"), "body", body(steps));
    turns.attribute[0].g.as_mut().unwrap().node[2] =
        with(node("ReduceMax", "next", "most"), "keepdims", integer(0));
    let given = [tensor("w", &[1025], &[1.0; 1025]), truth("c", true)];
    let same = node("Identity", "w", "same");
    let loops = model(graph("", &given, &[same, turns], "last"), Vec::new());
    let y = run(&given_at_runs(loops, 0), &[], &[6.0]).unwrap();
    assert_eq!(y, [[7.0; 1025]]);
}

/// The elements of the outputs for an `x` of these extents.
fn run(model: &Model, dims: &[usize], x: &[f32]) -> Result<Vec<Vec<f32>>> {
    let x = Device::named("cpu:0")?.tensor_with(x, Shape::new(dims)?)?;
    model.run(&[("x", &x)])?.iter().map(Tensor::to_vec).collect()
}

#[test]
fn loops_whose_condition_depends_on_data_run_until_it_is_false() {
    let model = given_at_runs(sums("_ c zero", 0, true), 0);
    let sums_of = |x: f32, count: usize| (1..=count).map(|i| x * i as f32).collect::<Vec<_>>();
    for (x, count) in [(3.0, 3), (5.0, 2), (0.0625, 112)] {
        assert_eq!(run(&model, &[], &[x]).unwrap(), [vec![x * count as f32], sums_of(x, count)]);
    }
    // What starts the loop, its body, and the rest for each number of steps.
    assert_eq!(model.plans().cases, 5);
    let bounded = given_at_runs(sums("m c zero", 4, true), 0);
    assert_eq!(run(&bounded, &[], &[0.5]).unwrap()[1], sums_of(0.5, 4));
}

#[test]
fn loops_of_many_steps_give_what_their_nodes_give() {
    let few = given_at_runs(sums("m _ zero", 200, true), 0);
    let many = given_at_runs(sums("m _ zero", 4500, true), 0);
    let nodes = run(&few, &[], &[0.5]).unwrap();
    let steps = run(&many, &[], &[0.5]).unwrap();
    assert_eq!((few.plans().cases, many.plans().cases), (1, 3));
    assert_eq!((nodes[0][0], steps[0][0]), (100.0, 2250.0));
    assert_eq!(nodes[1], steps[1][..200]);
    // One that is run step by step has more nodes than a graph may have, and nothing is found against it.
    let long = given_at_runs(sums("m _ zero", 200_000, true), 0);
    assert_eq!(crate::check::check(long.graph(), &[]), []);
}

#[test]
fn steps_share_the_weights_of_the_model() {
    let most = with(node("ReduceMax", "u", "most"), "keepdims", integer(0));
    let steps = [node("Add", "v w", "u"), most, node("Less", "most limit", "goes")];
    let steps = graph("i going v", &[], &steps, "goes u");
    let turns = with(node("Loop", "_ c x", "last"), "body", body(steps));
    let weights = tensor("w", &[1100], &[1.0; 1100]);
    let given = [tensor("limit", &[], &[90.0]), truth("c", true), weights];
    let loops = given_at_runs(model(graph("", &given, &[turns], "last"), Vec::new()), 1);
    assert_eq!(run(&loops, &[1100], &[0.0; 1100]).unwrap(), [[90.0; 1100]]);
    assert_eq!(loops.plans().weights, 4 * 1100);
}

#[test]
fn steps_may_swap_and_lengthen_what_they_carry() {
    // The longer of two sequences takes the place of the shorter one, which grows by it.
    let steps = [
        with(node("Concat", "a b", "c"), "axis", integer(0)),
        node("ReduceSum", "c", "sum"),
        node("Less", "sum limit", "goes"),
        node("Identity", "kept", "same"),
    ];
    let steps = graph("i going a b kept", &[], &steps, "goes b c same sum");
    let turns = with(node("Loop", "_ c x x limit", "a b k sums"), "body", body(steps));
    let given = [tensor("limit", &[1], &[20.0]), truth("c", true)];
    let loops = given_at_runs(model(graph("", &given, &[turns], "a b k sums"), Vec::new()), 1);
    let outputs = run(&loops, &[2], &[1.0, 1.0]).unwrap();
    let lengths: Vec<_> = outputs.iter().map(Vec::len).collect();
    assert_eq!(lengths, [16, 26, 1, 5]);
    assert_eq!((outputs[2][0], outputs[3].as_slice()), (20.0, &[4.0, 6.0, 10.0, 16.0, 26.0][..]));
}

#[test]
fn a_loop_may_follow_another_and_branch_on_data_in_each_step() {
    let then = graph("", &[], &[node("Sub", "v x", "d")], "d");
    let other = graph("", &[], &[node("Add", "v x", "s")], "s");
    let choice = with(node("If", "high", "w"), "then_branch", body(then));
    let steps = [node("Greater", "v limit", "high"), with(choice, "else_branch", body(other))];
    let steps = graph("i going v", &[], &steps, "going w w");
    let first = with(node("Loop", "m _ x", "u us"), "body", body(steps.clone()));
    let second = with(node("Loop", "m _ u", "v vs"), "body", body(steps));
    let given = [count("m", 5), tensor("limit", &[], &[2.5])];
    let main = graph("", &given, &[first, second], "us vs");
    let loops = given_at_runs(model(main, Vec::new()), 0);
    let expected = [vec![2.0, 3.0, 2.0, 3.0, 2.0], vec![3.0, 2.0, 3.0, 2.0, 3.0]];
    assert_eq!(run(&loops, &[], &[1.0]).unwrap(), expected);
}

#[test]
fn a_value_that_is_carried_with_another_rank_in_each_step_is_refused() {
    let steps = [
        node("Unsqueeze", "v zero", "w"),
        with(node("ReduceSum", "w", "sum"), "keepdims", integer(0)),
        node("Less", "sum limit", "goes"),
    ];
    let steps = graph("i going v", &[], &steps, "goes w");
    let turns = with(node("Loop", "_ c x", "last"), "body", body(steps));
    let zero = TensorProto { dims: vec![1], ..count("zero", 0) };
    let given = [zero, tensor("limit", &[], &[9.0]), truth("c", true)];
    let loops = given_at_runs(model(graph("", &given, &[turns], "last"), Vec::new()), 1);
    let error = run(&loops, &[1], &[1.0]).unwrap_err().to_string();
    assert!(error.contains("takes the shape [?, ?], not [1, 1, 1]"), "{error}");
    assert!(error.contains("step of a loop: 2"), "{error}");
}

#[test]
fn a_step_that_collects_another_shape_is_named() {
    let steps = [
        with(node("Concat", "v x", "w"), "axis", integer(0)),
        node("ReduceSum", "w", "sum"),
        node("Less", "sum limit", "goes"),
    ];
    let steps = graph("i going v", &[], &steps, "goes w w");
    let turns = with(node("Loop", "_ c x", "last all"), "body", body(steps));
    let given = [tensor("limit", &[1], &[9.0]), truth("c", true)];
    let loops = given_at_runs(model(graph("", &given, &[turns], "last all"), Vec::new()), 1);
    let error = run(&loops, &[1], &[1.0]).unwrap_err().to_string();
    assert!(
        error.contains("a step of a loop collects f32[3], and the first one f32[2]"),
        "{error}"
    );
}

#[test]
fn loops_without_an_end_are_refused() {
    fails(&sums("_ _ zero", 0, true), "never ends");
    let idle = with(node("Loop", "m c", "c2"), "body", body(graph("i c1", &[], &[], "c1 i")));
    let main = graph("", &[count("m", i64::MAX), truth("c", true)], &[idle], "c2");
    fails(&model(main, Vec::new()), "the model stands for more than");
    let error = run(&given_at_runs(sums("m _ zero", i64::MAX, true), 0), &[], &[1.0]).unwrap_err();
    assert!(
        error.to_string().contains("the loops of a run have more than 1048576 steps"),
        "{error}"
    );
    assert!(error.to_string().contains("node: last"), "{error}");
}

#[test]
fn loops_in_loops_have_the_steps_of_one_run_together() {
    // Whether they go on is known at runs only, which do their steps one by one.
    let steps = [node("Add", "v x", "w"), node("Less", "w limit", "more")];
    let inner = graph("j inner v", &[], &steps, "more w");
    let inner = with(node("Loop", "m c s", "t"), "body", body(inner));
    let steps = graph("i goes s", &[], &[inner, node("Less", "t limit", "on")], "on t");
    let outer = with(node("Loop", "m c x", "y"), "body", body(steps));
    // Neither loop has too many.
    let given = [count("m", 20), truth("c", true), tensor("limit", &[], &[1e9])];
    let loops =
        given_at_runs(model(graph("", &given, &[outer], "y"), Vec::new()), 0).limit_steps(50);
    let error = run(&loops, &[], &[1.0]).unwrap_err().to_string();
    assert!(error.contains("the loops of a run have more than 50 steps"), "{error}");
    assert!(error.contains("node: y/t"), "{error}");
}

/// A node that draws a number.
fn drawn(output: &str) -> NodeProto {
    let dims = AttributeProto { ints: vec![1], r#type: attribute_type::INTS, ..Default::default() };
    with(NodeProto { input: Vec::new(), ..node("RandomUniform", "", output) }, "shape", dims)
}

/// A loop of two steps, of which each has a hundred steps that draw a number, if `x` lets them go on.
fn draws() -> ModelProto {
    let steps = [drawn("number"), node("Less", "x limit", "goes")];
    let inside = graph("i going", &[], &steps, "goes number");
    let inside = with(node("Loop", "many c", "number"), "body", body(inside));
    let outside = graph("i going", &[], &[inside], "going number");
    let outside = with(node("Loop", "m _", "all"), "body", body(outside));
    let given = [
        tensor("x", &[], &[0.0]),
        tensor("limit", &[], &[1.0]),
        count("m", 2),
        count("many", 100),
        truth("c", true),
    ];
    model(graph("", &given, &[outside], "all"), Vec::new())
}

#[test]
fn random_numbers_differ_in_each_step_of_all_loops_around() {
    let numbers = outputs(&draws()).unwrap().concat();
    let all: HashSet<u32> = numbers.iter().map(|number| number.to_bits()).collect();
    assert_eq!((numbers.len(), all.len()), (200, 200), "{numbers:?}");
    // The same numbers, also where a model runs the steps.
    let model = given_at_runs(draws(), 0);
    assert_eq!(run(&model, &[], &[0.0]).unwrap().concat(), numbers);
    assert!(model.plans().cases > 1, "the steps are nodes");
}

#[test]
fn random_numbers_differ_in_each_call_of_a_function() {
    let inner = function("inner", "a", &[drawn("b")], "b");
    let calls = [node("inner", "a", "b"), node("inner", "a", "c")];
    let outer = FunctionProto { output: texts("b c"), ..function("outer", "a", &calls, "b") };
    let calls = [node("outer", "x", "p q"), node("outer", "x", "r s"), drawn("b")];
    let main = graph("", &[tensor("x", &[], &[0.0])], &calls, "p q r s b");
    let numbers = outputs(&model(main, vec![inner, outer])).unwrap().concat();
    let all: HashSet<u32> = numbers.iter().map(|number| number.to_bits()).collect();
    assert_eq!(all.len(), 5, "{numbers:?}");
}
