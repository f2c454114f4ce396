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
