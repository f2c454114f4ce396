//! What a file says twice, or in a way that contradicts itself.

use super::*;

#[test]
fn what_is_given_twice_is_named() {
    let identity = || graph("x", &[], &[node("Identity", "x", "y")], "y");
    let ty = TypeProtoTensor { elem_type: data_type::FLOAT, shape: Some(Default::default()) };
    let ty = TypeProto { tensor_type: Some(ty), ..Default::default() };
    let mut inputs = identity();
    inputs.input.push(inputs.input[0].clone());
    inputs.input.iter_mut().for_each(|input| input.r#type = Some(ty.clone()));
    fails(&model(inputs, Vec::new()), "an input or parameter `x` already");
    fails(&model(identity(), vec![twice(), twice()]), "there are two functions `twice`");
    let mut sets = model(identity(), Vec::new());
    let other = OperatorSetIdProto { domain: "ai.onnx".into(), version: 18 };
    sets.opset_import.push(other);
    fails(&sets, "operator sets 17 and 18");
    let axes = with(with(node("Concat", "x", "y"), "axis", integer(0)), "axis", integer(1));
    let x = tensor("x", &[1, 1], &[1.0]);
    fails(&model(graph("", &[x], &[axes], "y"), Vec::new()), "attribute `axis` is given twice");
}

#[test]
fn a_function_of_a_newer_operator_set_is_named() {
    let newer = OperatorSetIdProto { version: 99, ..Default::default() };
    let newer = FunctionProto { opset_import: vec![newer], ..twice() };
    let x = tensor("x", &[1], &[1.0]);
    let main = graph("", &[x], &[node("twice", "x", "y")], "y");
    fails(&model(main, vec![newer]), "operator set 99; those to 27 are read (function: twice");
}

#[test]
fn attributes_that_contradict_operands_and_results_are_refused() {
    let refused = |node: NodeProto, operands: &[TensorProto], why: &str| {
        fails(&model(graph("", operands, &[node], "y"), Vec::new()), why);
    };
    let integers =
        |ints| AttributeProto { ints, r#type: attribute_type::INTS, ..Default::default() };
    let image = tensor("x", &[1, 1, 2, 2], &[1.0; 4]);
    let filters = tensor("w", &[1, 1, 2, 2], &[1.0; 4]);
    for operator in ["Conv", "ConvTranspose"] {
        let wrong = with(node(operator, "x w", "y"), "kernel_shape", integers(vec![1, 2]));
        refused(wrong, &[image.clone(), filters.clone()], "`kernel_shape` is [1, 2], of filters");
    }
    let window = with(node("MaxPool", "x", "y"), "kernel_shape", integers(vec![8192; 2]));
    let window = with(window, "pads", integers(vec![4096; 4]));
    refused(window, std::slice::from_ref(&image), "have more than 16777216 numbers");
    let split = with(node("Split", "x", "y z"), "num_outputs", integer(3));
    refused(split, &[tensor("x", &[6], &[1.0; 6])], "`num_outputs` is 3, and the node names 2");
    let given = [counts("at", &[0]), count("depth", -2), tensor("values", &[2], &[0.0, 1.0])];
    refused(node("OneHot", "at depth values", "y"), &given, "no vectors of -2 elements");
    let cut = [tensor("x", &[2], &[1.0; 2]), counts("pads", &[-2, -1])];
    refused(node("Pad", "x pads", "y"), &cut, "cuts off more than the 2 of axis 0");
    let old = with(node("BatchNormalization", "x x x x x", "y"), "spatial", integer(0));
    refused(old, std::slice::from_ref(&image), "`spatial` is 0");
    let half = AttributeProto { f: Some(0.5), r#type: attribute_type::FLOAT, ..Default::default() };
    let product = with(node("Gemm", "a a", "y"), "alpha", half);
    let a = TensorProto { dims: vec![1, 1], ..counts("a", &[3]) };
    refused(product, &[a], "0.5 and 1 times integers");
}

#[test]
fn attributes_without_effect_are_refused() {
    let x = || tensor("x", &[1], &[1.0]);
    let refused = |node: NodeProto, why: &str| {
        fails(&model(graph("", &[x()], &[node], "y"), Vec::new()), why);
    };
    refused(with(node("Add", "x x", "y"), "axis", integer(0)), "no attribute `axis`; known: none");
    refused(
        with(node("Softmax", "x", "y"), "axes", integer(0)),
        "no attribute `axes`; known: axis",
    );
    let elu = with(node("Elu", "x", "y"), "alhpa", integer(0));
    refused(elu, "no attribute `alhpa`; known: alpha");
}

#[test]
fn weights_are_files_below_the_folder_of_the_model() {
    let folder = std::env::temp_dir().join(format!("ringwood-weights-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("w.bin"), 2.0_f32.to_ne_bytes()).unwrap();
    let at = |location: &str| {
        let (key, value) = ("location".to_owned(), location.to_owned());
        let mut x = TensorProto { data_location: 1, ..tensor("x", &[1], &[]) };
        x.external_data = vec![StringStringEntryProto { key, value }];
        let model = model(graph("", &[x], &[node("Identity", "x", "y")], "y"), Vec::new());
        let model_file = folder.join("model.onnx");
        read(model.encode_to_vec().into(), Graph::new(), &beside(&model_file))
    };
    at("w.bin").unwrap();
    at("./w.bin").unwrap();
    let error = at("sub/../w.bin").unwrap_err().to_string();
    assert!(error.contains("`sub/../w.bin`, which is no relative path without `..`"), "{error}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_input_of_a_type_that_is_not_read_is_not_supported() {
    for elem_type in [data_type::STRING, data_type::COMPLEX64, data_type::UINT4] {
        let mut main = graph("x", &[], &[node("Identity", "x", "y")], "y");
        let tensor = TypeProtoTensor { elem_type, shape: Some(Default::default()) };
        main.input[0].r#type = Some(TypeProto { tensor_type: Some(tensor), ..Default::default() });
        let error = outputs(&model(main, Vec::new())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    }
}

#[test]
fn calls_of_a_function_hold_a_number_of_bytes_together() {
    let ints = AttributeProto {
        ints: vec![1; 1 << 20],
        r#type: attribute_type::INTS,
        ..Default::default()
    };
    let own = function("f", "x", &[with(node("Neg", "x", "y"), "wide", ints)], "y");
    let calls: Vec<_> =
        (0..40).map(|i| node("f", &format!("a{i}"), &format!("a{}", i + 1))).collect();
    let main = graph("", &[tensor("a0", &[1], &[1.0])], &calls, "a40");
    let folder = beside(Path::new("model.onnx"));
    let bytes = model(main, vec![own]).encode_to_vec().into();
    let error = read(bytes, Graph::new(), &folder).unwrap_err().to_string();
    assert!(error.contains("attributes of all nodes"), "{error}");
}

/// The numbers that `QuantizeLinear` makes of `x`, with a scale of 1.
fn quantized(precision: Option<i32>) -> Result<Vec<u8>> {
    let mut quantize = node("QuantizeLinear", "x s", "y");
    if let Some(precision) = precision {
        quantize = with(quantize, "precision", integer(precision.into()));
    }
    let given = [tensor("x", &[2], &[0.5002, 3.0]), tensor("s", &[], &[1.0])];
    let folder = beside(Path::new("model.onnx"));
    let bytes = model(graph("", &given, &[quantize], "y"), Vec::new()).encode_to_vec().into();
    let graph = read(bytes, Graph::new(), &folder)?;
    let outputs = Model::new(graph, &[Device::named("cpu:0")?]).run(&[])?;
    outputs[0].to_bytes()
}

#[test]
fn numbers_are_divided_in_the_precision_that_a_node_names() {
    assert_eq!(quantized(None).unwrap(), [1, 3]);
    assert_eq!(quantized(Some(data_type::DOUBLE)).unwrap(), [1, 3]);
    // Half of `f16` numbers: 0.5, which rounds to the even number.
    assert_eq!(quantized(Some(data_type::FLOAT16)).unwrap(), [0, 3]);
    let error = quantized(Some(data_type::INT32)).unwrap_err().to_string();
    assert!(error.contains("not divided in i32"), "{error}");
}

#[test]
fn constants_of_strings_are_refused_where_they_are_used() {
    let text = |name: &str| TensorProto {
        name: name.into(),
        data_type: data_type::STRING,
        dims: vec![1],
        ..TensorProto::default()
    };
    let constant =
        |attribute: AttributeProto, name| with(node("Constant", "", "c"), name, attribute);
    let of_word = AttributeProto {
        s: Some(b"word".to_vec().into()),
        r#type: attribute_type::STRING,
        ..AttributeProto::default()
    };
    let of_tensor = AttributeProto {
        t: Some(text("t")),
        r#type: attribute_type::TENSOR,
        ..AttributeProto::default()
    };
    let given = [tensor("x", &[1], &[2.0]), text("s")];
    for constant in [constant(of_word, "value_string"), constant(of_tensor, "value")] {
        let main = |used| graph("", &given, &[constant.clone(), node("Identity", used, "y")], "y");
        assert_eq!(outputs(&model(main("x"), Vec::new())).unwrap(), [[2.0]]);
        fails(&model(main("s"), Vec::new()), "`s` is a constant of strings");
        fails(&model(main("c"), Vec::new()), "`c` is a constant of strings");
        let branch = |used| {
            let nodes = [constant.clone(), node("Identity", used, "z")];
            body(graph("", &[text("u")], &nodes, "z"))
        };
        let branches = |used| {
            let choice = with(node("If", "b", "y"), "then_branch", branch(used));
            let choice = with(choice, "else_branch", branch("x"));
            let given = [given[0].clone(), truth("b", true)];
            model(graph("", &given, &[choice], "y"), Vec::new())
        };
        assert_eq!(outputs(&branches("x")).unwrap(), [[2.0]]);
        fails(&branches("u"), "`u` is a constant of strings");
        fails(&branches("c"), "`c` is a constant of strings");
    }
}

#[test]
fn extents_beyond_those_of_tensors_are_named() {
    let x = TensorProto { dims: vec![1, i64::MIN], ..tensor("x", &[1], &[1.0]) };
    let main = graph("", &[x], &[node("Identity", "x", "y")], "y");
    fails(
        &model(main, Vec::new()),
        "dimension 1 of shape [1, -9223372036854775808] is not from 0 to",
    );
    let dim = |n| TensorShapeProtoDimension { dim_value: Some(n), ..Default::default() };
    let of = |dims: &[i64]| {
        let shape = TensorShapeProto { dim: dims.iter().map(|&n| dim(n)).collect() };
        let ty = TypeProtoTensor { elem_type: data_type::FLOAT, shape: Some(shape) };
        let mut main = graph("x", &[], &[node("Identity", "x", "y")], "y");
        main.input[0].r#type = Some(TypeProto { tensor_type: Some(ty), ..Default::default() });
        model(main, Vec::new())
    };
    fails(&of(&[2, -2]), "dimension 1 of shape [2, -2] is not from 0 to");
    let read = |model: ModelProto| {
        read(model.encode_to_vec().into(), Graph::new(), &beside(Path::new("m")))
    };
    assert!(read(of(&[-1, 0])).unwrap().is_open());
}
