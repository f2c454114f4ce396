//! Operators that move no data, and what reads their results.

use crate::support::{cpu, graph, random, runtime, tensor};
use ringwood_base::DType::F32;
use ringwood_base::{ErrorKind, Result, Shape};
use ringwood_device::device::Device;
use ringwood_graph::graph::{Attributes, Graph, Node, NodeKind, Planner, Value};

/// A tensor on the host.
#[derive(Clone, Debug, PartialEq)]
struct Host {
    dims: Vec<usize>,
    elements: Vec<f32>,
}

impl Host {
    fn new(dims: &[usize], seed: u64) -> Host {
        let elements = random(seed, dims.iter().product());
        Host { dims: dims.to_vec(), elements: elements.into_iter().map(|x| x as f32).collect() }
    }

    fn at(&self, index: &[usize]) -> f32 {
        let place = index.iter().zip(&self.dims).fold(0, |place, (i, n)| place * n + i);
        self.elements[place]
    }

    /// The tensor of these extents whose element at an index is that of `self` at `source` of it.
    fn gather(&self, dims: &[usize], source: impl Fn(&[usize]) -> Vec<usize>) -> Host {
        let strides = Shape::new(dims).unwrap().strides();
        let index = |place: usize| -> Vec<usize> {
            strides.iter().zip(dims).map(|(step, n)| place / step % n).collect()
        };
        let places = 0..dims.iter().product();
        let elements = places.map(|place| self.at(&source(&index(place)))).collect();
        Host { dims: dims.to_vec(), elements }
    }
}

/// Operators in turn, each with its attributes and what it does on the host.
type Step = (&'static str, Attributes, fn(&Host) -> Host);

fn list(name: &str, values: &[i64]) -> Attributes {
    Attributes::from([(name, values)])
}

fn slice(axis: usize, start: usize, end: usize, step: usize) -> Attributes {
    Attributes::from([("axis", axis), ("start", start), ("end", end), ("step", step)])
}

/// Chains of views of a tensor of 4 by 6 elements.
fn chains() -> Vec<Vec<Step>> {
    let turn: Step = ("permute", list("axes", &[1, 0]), |x| {
        x.gather(&[x.dims[1], x.dims[0]], |i| vec![i[1], i[0]])
    });
    let flat: Step =
        ("reshape", list("shape", &[-1]), |x| Host { dims: vec![x.elements.len()], ..x.clone() });
    let rows: Step =
        ("slice", slice(0, 1, 4, 2), |x| x.gather(&[2, x.dims[1]], |i| vec![1 + 2 * i[0], i[1]]));
    let columns: Step =
        ("slice", slice(1, 1, 4, 1), |x| x.gather(&[x.dims[0], 3], |i| vec![i[0], i[1] + 1]));
    let split: Step =
        ("reshape", list("shape", &[2, 2, 6]), |x| Host { dims: vec![2, 2, 6], ..x.clone() });
    let spread: Step =
        ("broadcast_to", list("shape", &[3, 4, 6]), |x| x.gather(&[3, 4, 6], |i| vec![i[1], i[2]]));
    let inner: Step = ("permute", list("axes", &[2, 0, 1]), |x| {
        x.gather(&[x.dims[2], x.dims[0], x.dims[1]], |i| vec![i[1], i[2], i[0]])
    });
    let (t, f, r, c) = (|| turn.clone(), || flat.clone(), || rows.clone(), || columns.clone());
    vec![
        vec![],
        vec![t()],
        vec![f()],
        vec![r()],
        vec![c()],
        vec![t(), f()],
        vec![r(), t()],
        vec![t(), c(), f()],
        vec![t(), r(), c()],
        vec![split, inner.clone(), f()],
        vec![spread.clone()],
        vec![spread, inner, f()],
    ]
}

fn applied(g: &mut Graph, mut x: Value, chain: &[Step]) -> Result<Value> {
    for (operator, attributes, _) in chain {
        x = g.apply_with(operator, &[x], attributes.clone())?;
    }
    Ok(x)
}

/// The graph with `x`, seen through a chain, and what `finish` makes of it.
fn seen(chain: &[Step], finish: impl Fn(&mut Graph, Value) -> Result<Value>) -> Graph {
    let mut g = graph();
    let x = g.input("x", F32, &[4, 6]).unwrap();
    let seen = applied(&mut g, x, chain).unwrap();
    let y = finish(&mut g, seen).unwrap();
    g.output("y", y).unwrap();
    g
}

fn run(g: &Graph, devices: &[Device], x: &Host) -> Vec<f32> {
    let mut plan = g.plan(devices).unwrap();
    let x = tensor(&devices[0], &x.dims, &x.elements);
    plan.run(&[("x", &x)]).unwrap()[0].to_vec().unwrap()
}

#[test]
fn chains_of_views_are_what_the_operators_say() {
    let x = Host::new(&[4, 6], 1);
    for chain in chains() {
        let names: Vec<_> = chain.iter().map(|(name, ..)| *name).collect();
        let expected = chain.iter().fold(x.clone(), |x, (_, _, host)| host(&x));
        let as_output = seen(&chain, |_, y| Ok(y));
        assert_eq!(run(&as_output, &[cpu()], &x), expected.elements, "{names:?}");
        // A map reads steps; it also reads the base in its own order.
        let by_map = seen(&chain, |g, y| g.apply("relu", &[y]));
        let positive: Vec<_> = expected.elements.iter().map(|x| x.max(0.0)).collect();
        assert_eq!(run(&by_map, &[cpu()], &x), positive, "relu of {names:?}");
        // A sum takes elements in a row.
        let by_sum = seen(&chain, |g, y| {
            let y = g.apply_with("reshape", &[y], list("shape", &[1, -1]))?;
            g.apply_with("largest", &[y], [("axis", 1_usize)])
        });
        let largest = expected.elements.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        assert_eq!(run(&by_sum, &[cpu()], &x), [largest], "largest of {names:?}");
    }
}

fn count(g: &Graph, is: impl Fn(&Node) -> bool) -> usize {
    g.nodes().iter().filter(|node| is(node)).count()
}

#[test]
fn data_moves_only_where_a_kernel_reads_elements_in_a_row() {
    let chain = &chains()[8];
    let launches = |finish: fn(&mut Graph, Value) -> Result<Value>| {
        let plan = seen(chain, finish).plan(&[cpu()]).unwrap();
        (count(plan.graph(), Node::is_launch), count(plan.graph(), |n| n.view().is_some()))
    };
    assert_eq!(launches(|g, y| g.apply("relu", &[y])), (1, 1));
    assert_eq!(launches(|g, y| g.apply("matmul_nt", &[y, y])).0, 2);
    assert_eq!(launches(|g, y| g.apply_with("sum", &[y], [("axis", 0_usize)])).0, 2);
    let whole = seen(&chains()[2], |g, y| g.apply_with("sum", &[y], [("axis", 0_usize)]));
    assert_eq!(count(whole.plan(&[cpu()]).unwrap().graph(), Node::is_launch), 1);
}

#[test]
fn a_value_is_kept_for_its_views_and_never_written_under_them() {
    // `square + squareᵀ` reads both at other places than those that it writes.
    let mut g = graph();
    let x = g.input("x", F32, &[3, 3]).unwrap();
    let square = g.apply("mul", &[x, x]).unwrap();
    let turned = g.apply_with("permute", &[square], list("axes", &[1, 0])).unwrap();
    let sum = g.apply("add", &[square, turned]).unwrap();
    // `late` is read through a view, long after its last direct reader.
    let late = g.apply("neg", &[sum]).unwrap();
    let row = g.apply_with("slice", &[late], slice(0, 1, 2, 1)).unwrap();
    let other = g.apply("exp", &[late]).unwrap();
    let total = g.apply_with("sum", &[other], [("axis", 0_usize)]).unwrap();
    let y = g.apply("add", &[row, total]).unwrap();
    g.output("y", y).unwrap();
    let x = Host::new(&[3, 3], 2);
    let shared = run(&g, &[cpu()], &x);
    let cpu = cpu();
    let planner = Planner::new(std::slice::from_ref(&cpu)).share_storage(false).fuse(false);
    let mut plan = planner.plan(&g).unwrap();
    let given = tensor(&cpu, &x.dims, &x.elements);
    let apart: Vec<f32> = plan.run(&[("x", &given)]).unwrap()[0].to_vec().unwrap();
    assert_eq!(shared, apart);
}

#[test]
fn views_cross_devices_in_a_row() {
    let runtime = runtime();
    let devices = ["twin:0", "twin:1"].map(|name| runtime.device(name).unwrap());
    let x = Host::new(&[4, 6], 3);
    for chain in chains() {
        let g = seen(&chain, |g, y| {
            let y = g.apply("neg", &[y])?;
            g.place(y, "twin:1")?;
            Ok(y)
        });
        let mut g = g;
        let first = g.named("x").unwrap();
        g.place(first, "twin:0").unwrap();
        let expected = chain.iter().fold(x.clone(), |x, (_, _, host)| host(&x));
        let expected: Vec<_> = expected.elements.iter().map(|x| -x).collect();
        assert_eq!(run(&g, &devices, &x), expected);
    }
}

#[test]
fn what_is_no_view_is_refused() {
    let mut g = graph();
    let x = g.input("x", F32, &[4, 6]).unwrap();
    let mut refused = |operator: &str, attributes: Attributes, needle: &str| {
        let error = g.apply_with(operator, &[x], attributes).unwrap_err();
        assert!(error.to_string().contains(needle), "{error}");
        error.kind()
    };
    let kind = refused("reshape", list("shape", &[5, -1]), "24 elements do not make the shape");
    assert_eq!(kind, ErrorKind::Shape);
    refused("reshape", list("shape", &[-1, -1]), "do not make");
    refused("reshape", list("shape", &[-2, 12]), "do not make");
    refused("permute", list("axes", &[0, 0]), "is no order of the dimensions");
    refused("permute", list("axes", &[-1, 0]), "holds -1, which is negative");
    refused("broadcast_to", list("shape", &[4, 7]), "does not broadcast");
    refused("slice", slice(2, 0, 1, 1), "there is no dimension 2 in [4, 6]");
    refused("slice", slice(1, 0, 7, 1), "is no part of");
    refused("permute", Attributes::default(), "attribute `axes` is missing");
    let text = refused("permute", [("axes", "1, 0")].into(), "is \"1, 0\", not of type [i64]");
    assert_eq!(text, ErrorKind::DType);
}

#[test]
fn planned_views_survive_serialisation() {
    let plan = seen(&chains()[6], |g, y| g.apply("relu", &[y])).plan(&[cpu()]).unwrap();
    let text = serde_json::to_string(plan.graph()).unwrap();
    assert_eq!(serde_json::from_str::<Graph>(&text).unwrap(), *plan.graph());
    let is_view = |node: &Node| matches!(node.kind, NodeKind::View(_));
    assert_eq!(count(plan.graph(), is_view), 1);
    let beyond = text.replace("\"first\":6", "\"first\":16");
    let error = serde_json::from_str::<Graph>(&beyond).unwrap_err().to_string();
    assert!(error.contains("it reaches beyond the 24 elements of its operand"), "{error}");
    let open = r#"{"nodes":[{"kind":"input","name":"x","open":{"input":["f32",["n"]]}},
        {"kind":{"view":{"first":0,"layout":[[1],[1]]}},"operands":[[0,0]],"results":[{"dtype":"f32","shape":[1]}]}],
        "outputs":[]}"#;
    let error = serde_json::from_str::<Graph>(open).unwrap_err().to_string();
    assert!(error.contains("it is a view of what has no known shape"), "{error}");
}
