//! Pictures: every node that does work is there, with its device; large graphs are drawn in clusters.

use ringwood_backend_cpu as _;
use ringwood_base::DType;
use ringwood_device::device::Device;
use ringwood_graph::graph::Graph;
use ringwood_kernels as _;
use ringwood_models::picture;
use roxmltree::Document;

/// The texts of all boxes: what they do, and what they yield.
fn boxes(svg: &str) -> Vec<(String, String)> {
    let document = Document::parse(svg).unwrap();
    let groups = document.descendants().filter(|node| node.has_tag_name("g"));
    let texts = groups.map(|group| {
        let texts = group.children().filter(|node| node.has_tag_name("text"));
        let texts: Vec<_> = texts.map(|text| text.text().unwrap_or_default().to_owned()).collect();
        (texts[0].clone(), texts[1].clone())
    });
    texts.collect()
}

fn chain(count: usize) -> Graph {
    let mut graph = Graph::new();
    let mut value = graph.input("x <&>\u{1}", DType::F32, &[2, 3]).unwrap();
    for i in 0..count {
        let operator = if i % 2 == 0 { "exp" } else { "relu" };
        value = graph.apply(operator, &[value]).unwrap();
    }
    graph.output("y", value).unwrap();
    graph
}

#[test]
fn a_planned_graph_is_drawn_with_devices_copies_and_sizes() {
    let mut graph = chain(2);
    let y = graph.value(graph.outputs()[0].value).unwrap();
    graph.place(y, "cpu:0").unwrap();
    let plan = graph.plan(&[Device::named("cpu:0").unwrap()]).unwrap();
    let svg = picture::svg(plan.graph());
    let size = |name: &str| (name.to_owned(), "f32[2, 3]  24 B".to_owned());
    let output = ("y".to_owned(), "output".to_owned());
    assert_eq!(boxes(&svg), [size("x <&>\\u{1}"), size("exp+relu"), output]);
    assert!(svg.contains(">cpu:0</text>"), "{svg}");
}

#[test]
fn many_nodes_are_drawn_in_clusters() {
    let few = boxes(&picture::svg(&chain(150)));
    assert_eq!(few.len(), 152);
    let many = boxes(&picture::svg(&chain(10_000)));
    assert!(many.len() <= 203, "{}", many.len());
    assert_eq!(many[1].0, "26 exp, 25 relu");
}
