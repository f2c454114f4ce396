//! Functions and graphs inside of nodes. What is computed of constants alone has outputs that are constants.

mod check;
mod functions;
mod loops;
mod refused;
mod sequences;

use super::{beside, read};
use crate::onnx::body::FUNCTIONS;
use crate::onnx::proto::data_type;
use crate::onnx::proto::{AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto};
use crate::onnx::proto::{OperatorSetIdProto, TensorProto, ValueInfoProto, attribute_type};
use crate::onnx::proto::{
    StringStringEntryProto, TensorShapeProto, TensorShapeProtoDimension, TypeProto,
    TypeProtoSequence, TypeProtoTensor,
};
use bytes::Bytes;
use prost::Message;
use ringwood_backend_cpu as _;
use ringwood_base::{DType, ErrorKind, Result, Shape};
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Attribute, Attributes, Graph, Model, Node, NodeKind, TensorType};
use ringwood_kernels as _;
use std::path::Path;
use std::sync::Arc;

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
    let folder = beside(Path::new("model.onnx"));
    let sized = read(model.encode_to_vec().into(), Graph::new(), &folder)?.with_shapes(&[])?;
    let outputs = sized.outputs().iter().map(|output| {
        let bytes = sized.known(sized.value(output.value)?)?.expect("a constant");
        Ok(bytes.chunks_exact(4).map(bytemuck::pod_read_unaligned).collect())
    });
    outputs.collect()
}

/// The outputs of a run, all of which are `f32`.
fn at_run(model: &ModelProto) -> Vec<Vec<f32>> {
    let folder = beside(Path::new("model.onnx"));
    let graph = read(model.encode_to_vec().into(), Graph::new(), &folder).unwrap();
    let outputs = Model::new(graph, &[Device::named("cpu:0").unwrap()]).run(&[]).unwrap();
    outputs.iter().map(|output| output.to_vec().unwrap()).collect()
}

fn fails(model: &ModelProto, with: &str) {
    let error = outputs(model).unwrap_err();
    assert!(error.to_string().contains(with), "{error}");
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

/// `twice` joins its operand to itself, along an axis that is 0 where a node does not say it.
fn twice() -> FunctionProto {
    let join = with(node("Concat", "a a", "b"), "axis", reference("along"));
    let default = AttributeProto { name: "along".into(), ..integer(0) };
    FunctionProto { attribute_proto: vec![default], ..function("twice", "a", &[join], "b") }
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
    let folder = beside(Path::new("model.onnx"));
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
    let folder = beside(Path::new("model.onnx"));
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
    // A view of no memory may have any extent.
    let main = old.graph.as_mut().unwrap();
    main.initializer = vec![counts("states", &[1 << 40]), counts("sequences", &[1 << 40, 1])];
    main.node[0].input[0].clear();
    let of = |shape, result| node("ConstantOfShape", shape, result);
    main.node.splice(0..0, [of("states", "zero"), of("sequences", "x")]);
    fails(&old, "a sequence of 1099511627776 steps");
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
    let folder = beside(Path::new("model.onnx"));
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
    model.graph.as_mut().unwrap().node.push(node("Relu", "y", "z"));
    fails(&model, "does not say of which operator set it is (`opset_import`)");
    model.opset_import = vec![OperatorSetIdProto { version: 28, ..Default::default() }];
    fails(&model, "operator set 28");
}

#[test]
fn the_mask_of_dropout_is_of_the_type_of_its_operand_before_operator_set_10() {
    let main =
        graph("", &[tensor("x", &[2], &[3.0; 2])], &[node("Dropout", "x", "y mask")], "mask");
    let mut old = model(main, Vec::new());
    old.opset_import[0].version = 9;
    assert_eq!(outputs(&old).unwrap(), [[1.0; 2]]);
}

/// As in the tests of ONNX 1.5, of which set 10 is. Places are those of the result times 5/3 and 1/1.5.
#[test]
fn the_nearest_element_of_operator_set_10_is_the_next_one_of_dimensions_that_shrink() {
    let x = tensor("x", &[2, 4], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    let resized = |scales: &[f32]| {
        let given = [x.clone(), tensor("scales", &[2], scales)];
        let mut old = model(graph("", &given, &[node("Resize", "x scales", "y")], "y"), Vec::new());
        old.opset_import[0].version = 10;
        outputs(&old).unwrap().concat()
    };
    assert_eq!(resized(&[0.6, 0.6]), [1.0, 3.0]);
    assert_eq!(resized(&[0.6, 1.5]), [1.0, 1.0, 2.0, 3.0, 3.0, 4.0]);
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
