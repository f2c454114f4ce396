use super::of_graph;
use ringwood_graph::graph::Graph;

#[test]
fn an_output_of_open_sizes_is_one_result_of_its_node() {
    let text = r#"{
        "nodes": [{ "kind": { "apply": "lstm" }, "open": { "results": 3 } }],
        "outputs": [{ "name": "y", "value": [0, 1] }]
    }"#;
    let graph: Graph = serde_json::from_str(text).unwrap();
    assert_eq!(of_graph(&graph).unwrap().outputs[0].ty, "?");
}

#[cfg(feature = "onnx")]
#[test]
fn a_graph_of_a_file_counts_the_operators_of_the_file() {
    let read = |path| crate::inspect(path).unwrap();
    let of_file = read(std::path::Path::new("../data/digits.onnx"));
    let path = std::env::temp_dir().join(format!("counted-{}.ringwood", std::process::id()));
    let graph = crate::onnx::load("../data/digits.onnx").unwrap();
    crate::package::save(&path, &graph, &[]).unwrap();
    let package = read(&path);
    std::fs::remove_file(&path).unwrap();
    assert_eq!(package.operators, of_file.operators);
    let sets = |facts: &[(&'static str, String)]| {
        facts.iter().find(|(name, _)| *name == "operator sets").unwrap().1.clone()
    };
    assert_eq!(sets(&package.facts), sets(&of_file.facts));
    assert_eq!(package.inputs, of_file.inputs);
}
