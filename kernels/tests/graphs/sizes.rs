//! Graphs whose inputs have sizes that are known later, and operators that follow from shapes.

use crate::support::{cpu, graph, tensor};
use ringwood_base::DType::{F32, I64};
use ringwood_base::{ErrorKind, Result};
use ringwood_graph::graph::{Attributes, Dim, Graph, NodeKind};

fn axes(axes: &[i64]) -> Attributes {
    Attributes::from([("axes", axes)])
}

/// Each image of a batch as a row: the way that exporters write `flatten`.
fn flattened() -> Result<Graph> {
    let mut g = graph();
    let images = g.open_input("images", F32, &["batch".into(), "".into(), 6.into()])?;
    let shape = g.apply("shape_of", &[images])?;
    let first = [("axis", 0_usize), ("start", 0), ("end", 1), ("step", 1)];
    let batch = g.apply_with("slice", &[shape], first)?;
    let rest = g.constant(&[1], &[-1_i64])?;
    let rows = g.apply_with("concat", &[batch, rest], [("axis", 0_i64)])?;
    let rows = g.apply("reshape_to", &[images, rows])?;
    let sums = g.apply_with("sum", &[rows], [("axis", 1_usize)])?;
    let column = g.apply_with("unsqueeze", &[sums], axes(&[-1]))?;
    g.output("sums", column)?;
    Ok(g)
}

#[test]
fn an_open_graph_has_a_type_for_every_value_once_its_sizes_are_given() {
    let open = flattened().unwrap();
    assert!(open.is_open());
    assert!(open.to_string().starts_with("%0 = input \"images\": f32[batch, ?, 6]\n"), "{open}");
    for (batch, rows) in [(1, 4), (3, 2)] {
        let sized = open.with_shapes(&[("images", &[batch, rows, 6])]).unwrap();
        assert!(!sized.is_open());
        // Shapes are constants, and are gone.
        let constants = sized.nodes().iter().filter(|n| matches!(n.kind, NodeKind::Constant(_)));
        assert_eq!(constants.count(), 0, "{sized}");
        let elements: Vec<_> = (0..batch * rows * 6).map(|i| i as f32).collect();
        let cpu = cpu();
        let images = tensor(&cpu, &[batch, rows, 6], &elements);
        let sums = sized.plan(&[cpu]).unwrap().run(&[("images", &images)]).unwrap().remove(0);
        assert_eq!(&sums.shape()[..], [batch, 1]);
        let expected: Vec<f32> = elements.chunks(rows * 6).map(|row| row.iter().sum()).collect();
        assert_eq!(sums.to_vec::<f32>().unwrap(), expected);
    }
    let text = serde_json::to_string(&open).unwrap();
    let read: Graph = serde_json::from_str(&text).unwrap();
    assert_eq!(read, open);
}

#[test]
fn sizes_that_do_not_fit_are_refused() {
    let open = flattened().unwrap();
    let refused = |shapes: &[(&str, &[usize])], needle: &str| {
        let error = open.with_shapes(shapes).unwrap_err();
        assert!(error.to_string().contains(needle), "{error}");
    };
    refused(&[], "input `images` of shape [batch, ?, 6] is given no sizes");
    refused(&[("images", &[1, 2, 5])], "takes the shape [batch, ?, 6], not [1, 2, 5]");
    refused(&[("images", &[1, 6])], "takes the shape [batch, ?, 6], not [1, 6]");
    refused(&[("image", &[1, 2, 6])], "no input or parameter `image`");
    let error = open.plan(&[cpu()]).unwrap_err();
    assert!(
        error.to_string().contains("inputs of open sizes: images: f32[batch, ?, 6]"),
        "{error}"
    );
    assert!(error.to_string().contains("`with_shapes`"), "{error}");
    let x = open.named("images").unwrap();
    assert_eq!(open.type_of(x).unwrap_err().kind(), ErrorKind::Shape);
}

#[test]
fn a_shape_that_depends_on_data_is_refused_with_the_operator() {
    let mut g = graph();
    let x = g.open_input("x", F32, &["n".into()]).unwrap();
    let shape = g.input("shape", I64, &[2]).unwrap();
    let y = g.apply("reshape_to", &[x, shape]).unwrap();
    g.output("y", y).unwrap();
    let error = g.with_shapes(&[("x", &[6])]).unwrap_err();
    assert!(error.to_string().contains("the elements of %1 are needed"), "{error}");
    assert_eq!(error.get("node"), Some("%2 = reshape_to(%0, %1): ?"));
}

#[test]
fn a_graph_with_gradients_opens_to_no_other_sizes() {
    let mut g = graph();
    let x = g.input("x", F32, &[2, 3]).unwrap();
    let w = g.input("w", F32, &[3]).unwrap();
    let y = g.apply("mul", &[x, w]).unwrap();
    let loss = g.apply("mean_all", &[y]).unwrap();
    g.output("loss", loss).unwrap();
    let rows: &[(&str, &[Dim])] = &[("x", &["rows".into(), 3.into()])];
    let open = g.with_open(rows).unwrap();
    assert!(open.is_open() && open.with_shapes(&[("x", &[5, 3])]).is_ok());
    // The mean would be over 3 numbers for any number of rows.
    let to_w = g.gradient(loss, &[w]).unwrap()[0];
    let open = g.with_open(rows).unwrap().with_shapes(&[("x", &[5, 3])]);
    assert!(open.is_ok(), "no output needs the gradient: {open:?}");
    g.output("to w", to_w).unwrap();
    let read: Graph = serde_json::from_str(&serde_json::to_string(&g).unwrap()).unwrap();
    for graph in [g.with_shapes(&[]).unwrap(), read, g] {
        let error = graph.with_open(rows).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains("gradients are built for the sizes"), "{error}");
    }
}

#[test]
fn operators_made_of_others_are_those_in_a_graph_of_known_sizes() {
    let mut g = graph();
    let x = g.input("x", F32, &[2, 1, 3]).unwrap();
    let squeezed = g.apply_with("squeeze", &[x], axes(&[1])).unwrap();
    let wide = g.apply_with("unsqueeze", &[squeezed], axes(&[0, 3])).unwrap();
    assert_eq!(g.type_of(wide).unwrap().to_string(), "f32[1, 2, 3, 1]");
    let three = g.apply_with("concat", &[squeezed; 3], [("axis", -1_i64)]).unwrap();
    assert_eq!(g.type_of(three).unwrap().to_string(), "f32[2, 9]");
    g.output("three", three).unwrap();
    let cpu = cpu();
    let given = tensor(&cpu, &[2, 1, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let y: Vec<f32> = g.plan(&[cpu]).unwrap().run(&[("x", &given)]).unwrap()[0].to_vec().unwrap();
    let (low, high) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
    assert_eq!(y, [low, low, low, high, high, high].concat());
    let before = g.nodes().len();
    let mut refused = |operator: &str, attributes: Attributes, needle: &str| {
        let error = g.apply_with(operator, &[x], attributes).unwrap_err();
        assert!(error.to_string().contains(needle), "{error}");
    };
    refused("squeeze", axes(&[0]), "dimension 0 of f32[2, 1, 3] is not 1");
    refused("squeeze", axes(&[3]), "axis 3 is none of 3 dimensions");
    refused("unsqueeze", axes(&[0, -5]), "name dimension 0 twice");
    refused("concat", [("axis", -4_i64)].into(), "axis -4 is none of 3 dimensions");
    assert_eq!(g.nodes().len(), before);
}

#[test]
fn attributes_and_operands_may_be_left_out_of_what_is_made_of_others() {
    let mut g = graph();
    let x = g.input("x", F32, &[2, 3]).unwrap();
    let most = g.constant(&[], &[1.0_f32]).unwrap();
    g.apply("clip", &[x, most]).unwrap();
    g.apply_with("clip", &[x, most], [("absent", vec![1_i64])]).unwrap();
    g.apply_with("leaky_relu", &[x], [("alpha", 0.5_f32)]).unwrap();
    let unknown = g.apply_with("leaky_relu", &[x], [("slope", 0.5_f32)]).unwrap_err();
    assert!(unknown.to_string().contains("the operator takes alpha: f32"), "{unknown}");
    let text = g.to_string();
    assert_eq!(text.matches("if_less(").count(), 3, "{text}");
    for made in ["if_less(%0, %1, %1, %0): f32[2, 3]", "if_less(%1, %0, %1, %0): f32[2, 3]"] {
        assert_eq!(text.matches(made).count(), 1, "{made} in {text}");
    }
}

#[test]
fn a_graph_stays_as_it_is_where_what_is_needed_is_not_found_out() -> Result<()> {
    let mut g = graph();
    let three = g.constant(&[1], &[3.0_f32])?;
    let six = g.apply("add", &[three, three])?;
    let like = g.constant(&[5000], &[0.0_f32; 5000])?;
    let many = g.apply("expand", &[six, like])?;
    let before = g.clone();
    assert_eq!(g.require(many).unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(g, before);
    assert_eq!(g.require(six)?, 6.0_f32.to_ne_bytes());
    Ok(())
}
