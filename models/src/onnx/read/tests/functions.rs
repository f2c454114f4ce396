//! Functions of a file, and branches that call them.

use super::*;

#[test]
fn functions_take_attributes_by_reference_or_their_defaults() {
    let x = tensor("x", &[2, 1], &[1.0, 2.0]);
    let by_default = node("twice", "x", "y");
    let along = with(node("twice", "x", "z"), "along", integer(1));
    let main = graph("", &[x], &[by_default, along], "y z");
    let expected = [vec![1.0, 2.0, 1.0, 2.0], vec![1.0, 1.0, 2.0, 2.0]];
    assert_eq!(outputs(&model(main, vec![twice()])).unwrap(), expected);
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
    let folder = beside(Path::new("model.onnx"));
    let graph = read(choice.encode_to_vec().into(), Graph::new(), &folder).unwrap();
    let shared = graph.nodes().iter().filter_map(|node| match node.attributes.find(FUNCTIONS) {
        Some(Attribute::Tensor(_, bytes)) => Some(bytes.as_ptr()),
        _ => None,
    });
    let shared: Vec<_> = shared.collect();
    assert!(shared.len() == 2 && shared[0] == shared[1], "{shared:?}");
}

#[test]
fn functions_in_the_attribute_of_a_node_are_checked_as_those_of_a_file() {
    let mut choice = branches(true);
    let then = choice.graph.as_mut().unwrap().node[0].attribute[0].g.as_mut().unwrap();
    then.node = vec![node("twice", "x", "sum")];
    choice.functions = vec![twice()];
    let folder = beside(Path::new("model.onnx"));
    let graph = read(choice.encode_to_vec().into(), Graph::new(), &folder).unwrap();
    let calls = |node: &&Arc<Node>| node.attributes.find(FUNCTIONS).is_some();
    let choice = graph.nodes().iter().find(calls).expect("a node whose branch calls a function");
    let endless = function("twice", "x", &[node("twice", "x", "y")], "y");
    for (functions, error) in [(twice(), None), (endless, Some("function `twice` calls itself"))] {
        let held = ModelProto { functions: vec![functions], ..Default::default() }.encode_to_vec();
        let mut target = Graph::new();
        let operands = choice.operands.iter().map(|operand| {
            let node = &graph.nodes()[operand.node as usize];
            let NodeKind::Constant(bytes) = &node.kind else { panic!("`{node}` is no constant") };
            let ty = node.results[0];
            target.constant_bytes(ty.dtype, &ty.shape, bytes).unwrap()
        });
        let operands: Vec<_> = operands.collect();
        let attributes = choice.attributes.iter().map(|(name, value)| match name {
            FUNCTIONS => (
                name,
                Attribute::Tensor(
                    TensorType::new(DType::U8, &[held.len()]).unwrap(),
                    held[..].into(),
                ),
            ),
            _ => (name, value.clone()),
        });
        let attributes = Attributes::from_iter(attributes);
        let y = target.apply_with(choice.operator().unwrap(), &operands, attributes).unwrap();
        target.output("y", y).unwrap();
        let failed = target.with_shapes(&[]).err().map(|e| e.to_string());
        let as_wanted = match (&failed, error) {
            (Some(failed), Some(error)) => failed.contains(error),
            (failed, error) => failed.is_none() && error.is_none(),
        };
        assert!(as_wanted, "{failed:?}");
    }
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

#[test]
fn attributes_of_the_reader_and_graphs_as_tensors_are_refused() {
    let bytes = TensorProto { dims: vec![1], data_type: data_type::UINT8, ..Default::default() };
    let bytes = TensorProto { int32_data: vec![0], ..bytes };
    let given = || AttributeProto {
        t: Some(bytes.clone()),
        r#type: attribute_type::TENSOR,
        ..Default::default()
    };
    let mut choice = branches(true);
    let main = choice.graph.as_mut().unwrap();
    main.node[0] = with(main.node[0].clone(), FUNCTIONS, given());
    fails(&choice, "no node of a file has an attribute `file_functions`");
    let mut choice = branches(true);
    let attribute = &mut choice.graph.as_mut().unwrap().node[0].attribute[0];
    *attribute = AttributeProto { name: attribute.name.clone(), ..given() };
    fails(&choice, "attribute `then_branch` is no graph");
}

#[test]
fn calls_share_the_constants_of_their_function() {
    let own = constant("w", tensor("", &[1025], &[2.0; 1025]));
    let more = function("more", "a", &[own, node("Add", "a w", "b")], "b");
    let calls = [node("more", "x", "y"), node("more", "y", "z")];
    let main = graph("", &[tensor("x", &[1], &[1.0])], &calls, "z");
    let twice = model(main, vec![more]);
    let folder = beside(Path::new("model.onnx"));
    let graph = read(twice.encode_to_vec().into(), Graph::new(), &folder).unwrap();
    let constants = graph.nodes().iter().filter_map(|node| match &node.kind {
        NodeKind::Constant(bytes) => Some(bytes.len()),
        _ => None,
    });
    assert_eq!(constants.collect::<Vec<_>>(), [4, 4100]);
}
