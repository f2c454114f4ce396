//! Functions and graphs inside of nodes. What is computed of constants alone has outputs that are constants.

mod refused;

use super::{Beside, read};
use crate::onnx::body::FUNCTIONS;
use crate::onnx::proto::data_type;
use crate::onnx::proto::{AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto};
use crate::onnx::proto::{OperatorSetIdProto, TensorProto, ValueInfoProto, attribute_type};
use crate::onnx::proto::{TensorShapeProto, TypeProto, TypeProtoTensor};
use bytes::Bytes;
use prost::Message;
use ringwood_backend_cpu as _;
use ringwood_base::{Result, Shape};
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Attribute, Graph, Model, NodeKind};
use ringwood_kernels as _;
use std::path::Path;

fn texts(names: &str) -> Vec<String> {
    names.split(' ').map(|name| name.replace('_', "")).collect()
}

/// A node of the operands and results in two lists; `_` stands for one that is left out.
fn node(op_type: &str, input: &str, output: &str) -> NodeProto {
    let input = if input.is_empty() { Vec::new() } else { texts(input) };
    NodeProto { op_type: op_type.into(), input, output: texts(output), ..Default::default() }
}

fn with(mut node: NodeProto, name: &str, value: AttributeProto) -> NodeProto {
    node.attribute.push(AttributeProto { name: name.into(), ..value });
    node
}

fn integer(i: i64) -> AttributeProto {
    AttributeProto { i: Some(i), r#type: attribute_type::INT, ..Default::default() }
}

fn reference(name: &str) -> AttributeProto {
    AttributeProto { ref_attr_name: name.into(), r#type: attribute_type::INT, ..Default::default() }
}

fn body(graph: GraphProto) -> AttributeProto {
    AttributeProto { g: Some(graph), r#type: attribute_type::GRAPH, ..Default::default() }
}

fn tensor(name: &str, dims: &[i64], values: &[f32]) -> TensorProto {
    let (dims, float_data) = (dims.to_vec(), values.to_vec());
    let data_type = data_type::FLOAT;
    TensorProto { name: name.into(), dims, float_data, data_type, ..Default::default() }
}

/// A tensor of rank 0.
fn truth(name: &str, is: bool) -> TensorProto {
    let (int32_data, data_type) = (vec![is.into()], data_type::BOOL);
    TensorProto { name: name.into(), int32_data, data_type, ..Default::default() }
}

fn count(name: &str, count: i64) -> TensorProto {
    let (int64_data, data_type) = (vec![count], data_type::INT64);
    TensorProto { name: name.into(), int64_data, data_type, ..Default::default() }
}

fn graph(input: &str, initializer: &[TensorProto], node: &[NodeProto], output: &str) -> GraphProto {
    let named = |name: String| ValueInfoProto { name, ..Default::default() };
    let input = if input.is_empty() { Vec::new() } else { texts(input) };
    GraphProto {
        input: input.into_iter().map(named).collect(),
        initializer: initializer.to_vec(),
        node: node.to_vec(),
        output: texts(output).into_iter().map(named).collect(),
        ..Default::default()
    }
}

fn model(graph: GraphProto, functions: Vec<FunctionProto>) -> ModelProto {
    let opset_import = vec![OperatorSetIdProto { version: 17, ..Default::default() }];
    ModelProto { opset_import, graph: Some(graph), functions, ..Default::default() }
}

fn function(name: &str, input: &str, node: &[NodeProto], output: &str) -> FunctionProto {
    FunctionProto {
        name: name.into(),
        input: texts(input),
        output: texts(output),
        node: node.to_vec(),
        ..Default::default()
    }
}

/// The elements of the outputs.
fn outputs(model: &ModelProto) -> Result<Vec<Vec<f32>>> {
    let (folder, _) = Beside::of(Path::new("model.onnx"));
    let sized = read(model.encode_to_vec().into(), Graph::new(), &folder)?.with_shapes(&[])?;
    let outputs = sized.outputs().iter().map(|output| {
        let bytes = sized.known(sized.value(output.value)?)?.expect("a constant");
        Ok(bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect())
    });
    outputs.collect()
}

/// The outputs of a run, all of which are `f32`.
fn at_run(model: &ModelProto) -> Vec<Vec<f32>> {
    let (folder, _) = Beside::of(Path::new("model.onnx"));
    let graph = read(model.encode_to_vec().into(), Graph::new(), &folder).unwrap();
    let outputs = Model::new(graph, &[Device::named("cpu:0").unwrap()]).run(&[]).unwrap();
    outputs.iter().map(|output| output.to_vec().unwrap()).collect()
}

fn fails(model: &ModelProto, with: &str) {
    let error = outputs(model).unwrap_err();
    assert!(error.to_string().contains(with), "{error}");
}

/// `twice` joins its operand to itself, along an axis that is 0 where a node does not say it.
fn twice() -> FunctionProto {
    let join = with(node("Concat", "a a", "b"), "axis", reference("along"));
    let default = AttributeProto { name: "along".into(), ..integer(0) };
    FunctionProto { attribute_proto: vec![default], ..function("twice", "a", &[join], "b") }
}

#[test]
fn functions_take_attributes_by_reference_or_their_defaults() {
    let x = tensor("x", &[2, 1], &[1.0, 2.0]);
    let by_default = node("twice", "x", "y");
    let along = with(node("twice", "x", "z"), "along", integer(1));
    let main = graph("", &[x], &[by_default, along], "y z");
    let expected = [vec![1.0, 2.0, 1.0, 2.0], vec![1.0, 1.0, 2.0, 2.0]];
    assert_eq!(outputs(&model(main, vec![twice()])).unwrap(), expected);
}

/// A node `Constant`.
fn constant(name: &str, value: TensorProto) -> NodeProto {
    let value =
        AttributeProto { t: Some(value), r#type: attribute_type::TENSOR, ..Default::default() };
    with(node("Constant", "", name), "value", value)
}

#[test]
fn large_constants_are_parameters_as_large_initializers_are() {
    let large = tensor("", &[1025], &[2.0; 1025]);
    let nodes = [constant("w", large.clone()), constant("s", tensor("", &[1], &[3.0]))];
    let branch = |value: f32| {
        let own = tensor("", &[1025], &[value; 1025]);
        body(graph("", &[], &[constant("w2", own), node("Add", "w w2", "r")], "r"))
    };
    let choice = with(node("If", "c", "b"), "then_branch", branch(5.0));
    let choice = with(choice, "else_branch", branch(7.0));
    let nodes = [&nodes[..], &[choice, node("Mul", "b s", "y")]].concat();
    let main = model(graph("", &[truth("c", false)], &nodes, "y"), vec![]);
    let (folder, _) = Beside::of(Path::new("model.onnx"));
    let file = Bytes::from(main.encode_to_vec());
    let read = read(file, Graph::new(), &folder).unwrap();
    let names: Vec<_> = read.weights().map(|(name, ..)| name).collect();
    assert_eq!(names, ["w", "w2", "w2'"]);
    let model = Model::new(read, &[Device::named("cpu:0").unwrap()]);
    assert_eq!(model.run(&[]).unwrap()[0].to_vec::<f32>().unwrap(), [27.0; 1025]);
    let twice = graph("", &[], &[constant("w", large.clone()), constant("w", large)], "w");
    fails(&self::model(twice, vec![]), "an input or parameter `w` already");
}

/// -8, 7, 3 as 4-bit integers: two in a byte, the first in its low half.
fn packed(name: &str) -> TensorProto {
    let raw_data = Bytes::from_static(&[0x78, 0x03]);
    TensorProto { raw_data, data_type: data_type::INT4, ..tensor(name, &[3], &[]) }
}

#[test]
fn constants_of_4_bits_are_dequantized() {
    let scale = tensor("scale", &[], &[0.5]);
    let nodes = [
        constant("c", packed("")),
        node("DequantizeLinear", "w scale", "y"),
        node("Identity", "c", "same"),
        with(node("Cast", "same", "z"), "to", integer(data_type::FLOAT.into())),
    ];
    let main = graph("", &[packed("w"), scale.clone()], &nodes, "y z");
    assert_eq!(outputs(&model(main, vec![])).unwrap(), [[-4.0, 3.5, 1.5], [-8.0, 7.0, 3.0]]);
    let short = TensorProto { raw_data: Bytes::from_static(&[0x78]), ..packed("w") };
    fails(&model(graph("", &[short], &[], "w"), vec![]), "has 2 bytes, not 1");
    // Where the 4 bits would show, they are refused.
    let x = tensor("x", &[3], &[1.0; 3]);
    let quantize = node("QuantizeLinear", "x scale w", "y");
    let refused: [(&[NodeProto], &str); 3] =
        [(&[quantize], "y"), (&[], "w"), (&[node("Add", "w w", "y")], "y")];
    for (nodes, output) in refused {
        let main = graph("", &[x.clone(), scale.clone(), packed("w")], nodes, output);
        fails(&model(main, vec![]), "`w` has elements of 4 bits");
    }
}

#[test]
fn random_numbers_are_as_they_are_asked_for_and_the_same_in_every_run() {
    const COUNT: usize = 10_000;
    let float =
        |f| AttributeProto { f: Some(f), r#type: attribute_type::FLOAT, ..Default::default() };
    let shape = AttributeProto {
        ints: vec![COUNT as i64],
        r#type: attribute_type::INTS,
        ..Default::default()
    };
    let uniform = |name| {
        let drawn = with(node("RandomUniform", "", name), "shape", shape.clone());
        with(with(drawn, "low", float(-1.0)), "high", float(3.0))
    };
    let normal = with(node("RandomNormalLike", "u", "n"), "mean", float(5.0));
    let quarter = with(node("RandomNormal", "", "q"), "shape", shape.clone());
    let quarter = with(with(quarter, "scale", float(0.0)), "mean", float(0.25));
    let drawn = with(node("Multinomial", "l", "i"), "sample_size", integer(COUNT as i64));
    let cast = with(node("Cast", "i", "m"), "to", integer(data_type::FLOAT.into()));
    let nodes =
        [uniform("u"), uniform("other"), normal, quarter, node("Bernoulli", "q", "b"), drawn, cast];
    let logarithms = tensor("l", &[1, 3], &[0.1_f32.ln(), 0.2_f32.ln(), 0.7_f32.ln()]);
    let main = model(graph("", &[logarithms], &nodes, "u other n b m u"), vec![]);
    let drawn = at_run(&main);
    let mean = |of: &dyn Fn(f32) -> f32, i: usize| {
        drawn[i].iter().map(|x| of(*x)).sum::<f32>() / COUNT as f32
    };
    assert!(drawn[0].iter().all(|x| (-1.0..3.0).contains(x)) && drawn[0] != drawn[1]);
    let moments =
        [mean(&|x| x, 0), mean(&|x| x, 2), mean(&|x| (x - 5.0) * (x - 5.0), 2), mean(&|x| x, 3)];
    let classes = [0.0, 1.0, 2.0].map(|class| mean(&|x| f32::from(x == class), 4));
    let expected = [1.0, 5.0, 1.0, 0.25, 0.1, 0.2, 0.7];
    for (got, wanted) in moments.iter().chain(&classes).zip(expected) {
        assert!((got - wanted).abs() < 0.05, "{moments:?} {classes:?}");
    }
    let training =
        [truth("t", true), tensor("r", &[], &[0.2]), tensor("x", &[10_000], &[4.0; COUNT])];
    let nodes =
        [node("Dropout", "x r t", "y kept"), with(node("Cast", "kept", "k"), "to", integer(1))];
    let [y, kept] = at_run(&model(graph("", &training, &nodes, "y k"), vec![])).try_into().unwrap();
    assert!(y.iter().zip(&kept).all(|(y, kept)| *y == 5.0 * kept));
    assert!((kept.iter().sum::<f32>() / COUNT as f32 - 0.8).abs() < 0.02);
    // What is listed twice is given twice.
    assert!(drawn[5] == drawn[0] && at_run(&main) == drawn);
}

#[test]
fn nodes_may_stand_before_those_that_they_use() {
    let given = [tensor("x", &[1], &[2.0]), truth("c", true)];
    let branch = || body(graph("", &[], &[node("Neg", "d", "r"), node("Add", "b b", "d")], "r"));
    let choice = with(with(node("If", "c", "y"), "then_branch", branch()), "else_branch", branch());
    let nodes = [choice, node("Mul", "a a", "b"), node("Add", "x x", "a")];
    assert_eq!(outputs(&model(graph("", &given, &nodes, "y"), vec![])).unwrap(), [[-32.0]]);
    let circle = [node("Neg", "b", "a"), node("Neg", "a", "b")];
    fails(&model(graph("", &[], &circle, "b"), vec![]), " before it is used");
}

#[test]
fn small_initializers_that_are_inputs_may_be_given_others() {
    let given = [tensor("scale", &[1], &[3.0]), tensor("x", &[1], &[2.0])];
    let mut main = graph("scale", &given, &[node("Mul", "x scale", "y")], "y");
    let ty = TypeProtoTensor { elem_type: data_type::FLOAT, shape: None };
    main.input[0].r#type = Some(TypeProto { tensor_type: Some(ty), ..Default::default() });
    let (folder, _) = Beside::of(Path::new("model.onnx"));
    let weights = |ir_version| {
        let model = ModelProto { ir_version, ..model(main.clone(), vec![]) };
        let read = read(model.encode_to_vec().into(), Graph::new(), &folder).unwrap();
        read.weights().map(|(name, ..)| name.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(weights(8), ["scale"]);
    // All initializers were inputs then.
    assert!(weights(3).is_empty());
}

#[test]
fn what_would_be_computed_of_too_many_numbers_before_a_run_is_refused() {
    let far = 1 << 40;
    let bounds = [count("start", 0), count("end", 1 << 61), count("far", far), count("one", 1)];
    let fails = |nodes: &[NodeProto]| {
        let given = [&bounds[..], &[tensor("x", &[1], &[1.0])]].concat();
        fails(&model(graph("", &given, nodes, "y"), vec![]), "is needed, which is too large");
    };
    fails(&[node("Range", "start end one", "y")]);
    let shape = node("Unsqueeze", "far axes", "shape");
    let vector = |name, n| constant(name, TensorProto { dims: vec![1], ..count("", n) });
    let wide = [vector("axes", 0), vector("sizes", 1), shape, node("Expand", "x shape", "wide")];
    let last = with(node("ArgMax", "wide", "y"), "select_last_index", integer(1));
    fails(&[&wide[..], &[last]].concat());
    let small = with(node("Resize", "wide _ _ sizes", "y"), "antialias", integer(1));
    fails(&[&wide[..], &[small]].concat());
}

fn counts(name: &str, counts: &[i64]) -> TensorProto {
    TensorProto { dims: vec![counts.len() as i64], int64_data: counts.to_vec(), ..count(name, 0) }
}

#[test]
fn operands_of_other_ranks_and_of_any_size_are_refused() {
    let refused = |node: NodeProto, operands: &[TensorProto], why: &str| {
        let mut model = model(graph("", operands, &[node], "y"), Vec::new());
        model.opset_import[0].version = 24;
        fails(&model, why);
    };
    let grid = || node("AffineGrid", "theta size", "y");
    let theta = tensor("theta", &[1, 2, 3], &[1.0; 6]);
    refused(grid(), &[theta.clone(), counts("size", &[])], "no extents []");
    refused(grid(), &[theta, counts("size", &[1, 1, 1 << 31, 1 << 31])], "too large");
    let kernel_shape =
        AttributeProto { ints: vec![2, 2], r#type: attribute_type::INTS, ..Default::default() };
    let unpool = with(node("MaxUnpool", "x at whole", "y"), "kernel_shape", kernel_shape);
    let x = tensor("x", &[1, 1, 1, 1], &[1.0]);
    let at = TensorProto { dims: vec![1; 4], ..counts("at", &[0]) };
    refused(unpool, &[x, at, counts("whole", &[1; 5])], "extents [1, 1, 1, 1, 1]");
    let scatter = node("TensorScatter", "x updates", "y");
    let x = tensor("x", &[1, 2, 1], &[1.0; 2]);
    refused(scatter, &[x, tensor("updates", &[1], &[1.0])], "updates [1] of [1, 2, 1]");
    let hot = node("OneHot", "at depth values", "y");
    let values = tensor("values", &[2], &[0.0, 1.0]);
    refused(hot, &[counts("at", &[0]), count("depth", 1 << 60), values], "too large");
}

#[test]
fn functions_call_others_with_names_of_their_own() {
    let outer = [node("twice", "x", "a"), node("Neg", "a", "b")];
    let functions = vec![twice(), function("outer", "x", &outer, "b")];
    let main = graph("", &[tensor("a", &[1], &[3.0])], &[node("outer", "a", "b")], "b");
    assert_eq!(outputs(&model(main, functions)).unwrap(), [[-3.0, -3.0]]);
}

#[test]
fn operands_of_functions_may_be_left_out() {
    let clip = function("bounded", "x low high", &[node("Clip", "x low high", "y")], "y");
    let given = [tensor("x", &[2], &[-1.0, 9.0]), tensor("top", &[], &[5.0])];
    let main = graph("", &given, &[node("bounded", "x _ top", "y")], "y");
    assert_eq!(outputs(&model(main, vec![clip])).unwrap(), [[-1.0, 5.0]]);
}

#[test]
fn functions_that_call_themselves_are_named() {
    let functions = vec![
        function("ping", "x", &[node("pong", "x", "y")], "y"),
        function("pong", "x", &[node("ping", "x", "y")], "y"),
    ];
    let main = graph("", &[tensor("x", &[1], &[1.0])], &[node("ping", "x", "y")], "y");
    fails(&model(main, functions), "function `ping` calls itself");
    let branch = graph("", &[], &[node("own", "x", "y")], "y");
    let branches = with(node("If", "x", "y"), "then_branch", body(branch));
    let main = graph("", &[tensor("x", &[1], &[1.0])], &[node("own", "x", "y")], "y");
    let functions = vec![function("own", "x", &[branches], "y")];
    fails(&model(main, functions), "function `own` calls itself");
}

/// Functions each of which calls the next one so often; the last calls none.
fn chain(length: usize, times: usize) -> ModelProto {
    let calls = |i: usize| {
        let next = (i + 1).to_string();
        let call = move |k: usize| node(&next, "x", &format!("y{k}"));
        (0..times).map(call).collect::<Vec<_>>()
    };
    let link = |i: usize| match i + 1 == length {
        true => function(&i.to_string(), "x", &[], "x"),
        false => function(&i.to_string(), "x", &calls(i), "y0"),
    };
    let main = graph("", &[tensor("x", &[1], &[1.0])], &[node("0", "x", "y")], "y");
    model(main, (0..length).map(link).collect())
}

#[test]
fn deep_and_wide_calls_of_functions_are_refused() {
    assert_eq!(outputs(&chain(64, 1)).unwrap(), [[1.0]]);
    fails(&chain(65, 1), "are nested deeper than 64");
    fails(&chain(3_000, 1), "are nested deeper than 64");
    fails(&chain(40, 2), "the model stands for more than");
}

/// `if condition { x + own } else { -x }`, where `own` is an initializer of the branch.
fn branches(condition: bool) -> ModelProto {
    let own = tensor("own", &[1], &[10.0]);
    let then = graph("", &[own], &[node("Add", "x own", "sum")], "sum");
    let other = graph("", &[], &[node("Neg", "x", "minus")], "minus");
    let choice = with(node("If", "c", "y"), "then_branch", body(then));
    let choice = with(choice, "else_branch", body(other));
    let given = [tensor("x", &[1], &[1.0]), truth("c", condition)];
    model(graph("", &given, &[choice], "y"), Vec::new())
}

#[test]
fn branches_use_the_values_around_them() {
    assert_eq!(outputs(&branches(true)).unwrap(), [[11.0]]);
    assert_eq!(outputs(&branches(false)).unwrap(), [[-1.0]]);
}

#[test]
fn branches_call_functions() {
    let mut choice = branches(true);
    let then = choice.graph.as_mut().unwrap().node[0].attribute[0].g.as_mut().unwrap();
    then.node = vec![node("twice", "x", "sum")];
    choice.functions = vec![twice()];
    assert_eq!(outputs(&choice).unwrap(), [[1.0, 1.0]]);
    // Functions may be large: the nodes whose branches call them share their bytes.
    let main = choice.graph.as_mut().unwrap();
    let mut again = main.node[0].clone();
    again.output.iter_mut().for_each(|name| name.push_str(" again"));
    main.node.push(again);
    let (folder, _) = Beside::of(Path::new("model.onnx"));
    let graph = read(choice.encode_to_vec().into(), Graph::new(), &folder).unwrap();
    let shared = graph.nodes().iter().filter_map(|node| match node.attributes.find(FUNCTIONS) {
        Some(Attribute::Tensor(_, bytes)) => Some(bytes.as_ptr()),
        _ => None,
    });
    let shared: Vec<_> = shared.collect();
    assert!(shared.len() == 2 && shared[0] == shared[1], "{shared:?}");
}

#[test]
fn a_branch_without_its_output_and_a_missing_branch_are_named() {
    let mut missing = branches(true);
    let main = missing.graph.as_mut().unwrap();
    let then = main.node[0].attribute[0].g.as_mut().unwrap();
    then.output[0].name = "absent".into();
    fails(&missing, "there is no value `absent`");
    let mut missing = branches(true);
    missing.graph.as_mut().unwrap().node[0].attribute.remove(0);
    fails(&missing, "there is no graph `then_branch`");
}

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
    main.input = vec![ValueInfoProto { name: "x".into(), r#type: Some(ty), ..Default::default() }];
    let (folder, _) = Beside::of(Path::new("model.onnx"));
    let graph = read(given.encode_to_vec().into(), Graph::new(), &folder).unwrap();
    Model::new(graph, &[Device::named("cpu:0").unwrap()])
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
    let few = given_at_runs(sums("m _ zero", 2000, true), 0);
    let many = given_at_runs(sums("m _ zero", 6000, true), 0);
    let nodes = run(&few, &[], &[0.5]).unwrap();
    let steps = run(&many, &[], &[0.5]).unwrap();
    assert_eq!((few.plans().cases, many.plans().cases), (1, 3));
    assert_eq!((nodes[0][0], steps[0][0]), (1000.0, 3000.0));
    assert_eq!(nodes[1], steps[1][..2000]);
    // One that is run step by step has more nodes than a graph may have, and nothing is found against it.
    let long = given_at_runs(sums("m _ zero", 200_000, true), 0);
    assert_eq!(crate::check::check(long.graph(), &[]), []);
}

#[test]
fn steps_share_the_weights_of_the_model() {
    let steps = [node("Add", "v w", "u"), node("Less", "i m", "goes")];
    let steps = graph("i going v", &[], &steps, "goes u");
    let turns = with(node("Loop", "m _ x", "last"), "body", body(steps));
    let given = [count("m", 9000), tensor("w", &[1100], &[1.0; 1100])];
    let loops = given_at_runs(model(graph("", &given, &[turns], "last"), Vec::new()), 1);
    assert_eq!(run(&loops, &[1100], &[0.0; 1100]).unwrap(), [[9000.0; 1100]]);
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
    let inner = graph("j inner v", &[], &[node("Add", "v x", "w")], "inner w");
    let inner = with(node("Loop", "m c s", "t"), "body", body(inner));
    let outer =
        with(node("Loop", "m c x", "y"), "body", body(graph("i goes s", &[], &[inner], "goes t")));
    // Neither loop has too many.
    let given = [count("m", 20_000), truth("c", true)];
    let loops =
        given_at_runs(model(graph("", &given, &[outer], "y"), Vec::new()), 0).limit_steps(50_000);
    let error = run(&loops, &[], &[1.0]).unwrap_err().to_string();
    assert!(error.contains("the loops of a run have more than 50000 steps"), "{error}");
    assert!(error.contains("node: t") && error.contains("node: y"), "{error}");
}

#[test]
fn calls_share_the_constants_of_their_function() {
    let own = constant("w", tensor("", &[1025], &[2.0; 1025]));
    let more = function("more", "a", &[own, node("Add", "a w", "b")], "b");
    let calls = [node("more", "x", "y"), node("more", "y", "z")];
    let main = graph("", &[tensor("x", &[1], &[1.0])], &calls, "z");
    let twice = model(main, vec![more]);
    let (folder, _) = Beside::of(Path::new("model.onnx"));
    let graph = read(twice.encode_to_vec().into(), Graph::new(), &folder).unwrap();
    let constants = graph.nodes().iter().filter_map(|node| match &node.kind {
        NodeKind::Constant(bytes) => Some(bytes.len()),
        _ => None,
    });
    assert_eq!(constants.collect::<Vec<_>>(), [4, 4100]);
}

#[test]
fn scans_of_operator_set_8_end_with_their_sequences() {
    let sum = [node("Add", "s x", "t"), node("Identity", "t", "o")];
    let scan = with(node("Scan", "n zero x", "last sums"), "num_scan_inputs", integer(1));
    let scan = with(scan, "body", body(graph("s x", &[], &sum, "t o")));
    let lengths = TensorProto { dims: vec![2], int64_data: vec![2, 3], ..count("n", 0) };
    let x = tensor("x", &[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let given = [lengths, tensor("zero", &[2], &[0.0; 2]), x];
    let mut old = model(graph("", &given, &[scan], "last sums"), vec![]);
    old.opset_import[0].version = 8;
    let sums = vec![1.0, 3.0, 0.0, 4.0, 9.0, 15.0];
    assert_eq!(outputs(&old).unwrap(), [vec![3.0, 15.0], sums]);
}

#[test]
fn images_are_pooled_to_their_norms() {
    let x = tensor("x", &[1, 2, 1, 2], &[3.0, -4.0, 0.0, 2.0]);
    let sizes = with(node("GlobalLpPool", "x", "z"), "p", integer(1));
    let main = graph("", &[x], &[node("GlobalLpPool", "x", "y"), sizes], "y z");
    let got = outputs(&model(main, vec![])).unwrap().concat();
    let near = |(got, want): (&f32, f32)| (got - want).abs() < 1e-5;
    assert!(got.iter().zip([5.0, 2.0, 7.0, 2.0]).all(near), "{got:?}");
}

/// The bytes of a model with graphs in nodes in graphs, so many.
fn nested(depth: usize) -> Vec<u8> {
    // Each message is the last field of the one around it, so they are written from their ends.
    let mut reversed = Vec::new();
    let mut around = |field: u8| {
        let mut header = vec![field << 3 | 2];
        prost::encoding::encode_varint(reversed.len() as u64, &mut header);
        reversed.extend(header.into_iter().rev());
    };
    for _ in 0..depth {
        [6, 5, 1].into_iter().for_each(&mut around);
    }
    around(7);
    reversed.reverse();
    reversed
}

#[test]
fn graphs_that_are_nested_too_deeply_are_refused() {
    let (folder, _) = Beside::of(Path::new("model.onnx"));
    for depth in [100, 30_000] {
        let error = read(nested(depth).into(), Graph::new(), &folder).unwrap_err();
        assert!(error.to_string().contains("nested too deeply"), "{error}");
    }
}

#[test]
fn a_model_may_be_of_no_standard_operators() {
    let mut call = node("f", "x", "y");
    call.domain = "own".into();
    let mut function = function("f", "x", &[], "x");
    function.domain = "own".into();
    let mut model = model(graph("", &[tensor("x", &[1], &[1.0])], &[call], "y"), vec![function]);
    (model.opset_import, model.ir_version) = (Vec::new(), 8);
    assert_eq!(outputs(&model).unwrap(), [[1.0]]);
    model.opset_import = vec![OperatorSetIdProto { version: 28, ..Default::default() }];
    fails(&model, "operator set 28");
}

#[test]
fn operators_that_older_sets_define_in_another_way_are_refused() {
    let main = graph("", &[tensor("x", &[1], &[1.0])], &[node("Add", "x x", "y")], "y");
    let mut old = model(main, Vec::new());
    old.opset_import[0].version = 6;
    fails(&old, "the model is of operator set 6; 7 to 27 are read");
    old.graph.as_mut().unwrap().node[0] = node("Identity", "x", "y");
    assert_eq!(outputs(&old).unwrap(), [[1.0]]);
}
