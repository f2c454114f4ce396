//! What is found in a model that cannot be run.

use super::*;

/// What [`check`](crate::check::check) tells of a node that takes a truth value which is given at each run.
fn found(choice: NodeProto, functions: Vec<FunctionProto>) -> Vec<String> {
    let mut main = graph("c", &[tensor("x", &[1], &[1.0])], &[choice], "y");
    let shape = Some(TensorShapeProto::default());
    let tensor = TypeProtoTensor { elem_type: data_type::BOOL, shape };
    main.input[0].r#type = Some(TypeProto { tensor_type: Some(tensor), ..Default::default() });
    let folder = beside(Path::new("model.onnx"));
    let bytes = model(main, functions).encode_to_vec().into();
    let graph = read(bytes, Graph::new(), &folder).unwrap();
    crate::check::check(&graph, &[]).iter().map(ToString::to_string).collect()
}

#[test]
fn unknown_operators_in_branches_and_loops_are_found() {
    let then = graph("", &[], &[node("Neg", "x", "a"), node("NoSuch", "a", "b")], "b");
    let other = graph("", &[], &[node("f", "x", "c")], "c");
    let own = function("f", "x", &[node("NorThis", "x", "y")], "y");
    let choice = with(node("If", "c", "y"), "then_branch", body(then.clone()));
    let choice = with(choice, "else_branch", body(other));
    let findings = found(choice, vec![own]);
    let [first, second] = &findings[..] else { panic!("{findings:?}") };
    assert!(first.contains("\"y/b\": ai.onnx.NoSuch (17), for If"), "{first}");
    assert!(second.contains("ai.onnx.NorThis"), "{second}");
    // The branch that is not taken may hold anything.
    let mut known = branches(false);
    known.graph.as_mut().unwrap().node[0].attribute[0].g = Some(then);
    let folder = beside(Path::new("model.onnx"));
    let graph = read(known.encode_to_vec().into(), Graph::new(), &folder).unwrap();
    assert_eq!(crate::check::check(&graph, &[]), []);
}
