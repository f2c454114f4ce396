//! Products with weights that a plan packs once, and what one launch computes after a product.

use crate::support::{cpu, graph, random, tensor};
use ringwood_backend_cpu::Cpu;
use ringwood_base::DType::F32;
use ringwood_base::Result;
use ringwood_base::registry::{Entry, Registry};
use ringwood_device::backend::Registered;
use ringwood_device::device::{Device, Runtime, Tensor};
use ringwood_device::kernel;
use ringwood_graph::graph::{GradientContext, Graph, GraphPlan, Node, Planner, Value, ValueId};
use ringwood_graph::operator::{Gradient, Operator};
use ringwood_graph::register_operator;
use std::sync::atomic::{AtomicUsize, Ordering};

fn numbers(seed: u64, count: usize) -> Vec<f32> {
    random(seed, count).into_iter().map(|x| x as f32).collect()
}

fn launches(plan: &GraphPlan) -> Vec<(String, bool)> {
    let named = |node: &Node| (node.operator().map(str::to_owned), node.kept);
    let launches = plan.graph().nodes().iter().filter(|node| node.is_launch());
    let launches = launches.map(|node| named(node)).filter_map(|(name, kept)| Some((name?, kept)));
    launches.collect()
}

fn names(plan: &GraphPlan) -> Vec<String> {
    launches(plan).into_iter().map(|(name, _)| name).collect()
}

/// `x` of `m` by `k`, `w` of `k` by `n` (or its transpose), `b` of `n`, and what `finish` makes of `x w`.
fn layer(
    [m, k, n]: [usize; 3],
    operator: &str,
    finish: impl Fn(&mut Graph, Value, Value) -> Result<Value>,
) -> Graph {
    let mut g = graph();
    let x = g.input("x", F32, &[m, k]).unwrap();
    let dims = if operator == "matmul_nt" { [n, k] } else { [k, n] };
    let w = g.parameter("w", F32, &dims).unwrap();
    let b = g.parameter("b", F32, &[n]).unwrap();
    let product = g.apply(operator, &[x, w]).unwrap();
    let y = finish(&mut g, product, b).unwrap();
    g.output("y", y).unwrap();
    g
}

fn give(plan: &mut GraphPlan, seed: u64) {
    let given: Vec<_> = plan.inputs().map(|(name, ty, _)| (name.to_owned(), ty.shape)).collect();
    for (i, (name, shape)) in given.into_iter().enumerate() {
        let elements = numbers(seed + i as u64, shape.elements());
        plan.set_input(&name, &tensor(&cpu_of(plan), &shape, &elements)).unwrap();
    }
}

fn cpu_of(plan: &GraphPlan) -> Device {
    plan.inputs().next().unwrap().2.clone()
}

fn bits(tensor: &Tensor) -> Vec<u32> {
    tensor.to_vec::<f32>().unwrap().into_iter().map(f32::to_bits).collect()
}

fn run(plan: &mut GraphPlan) -> Vec<u32> {
    bits(&plan.run(&[]).unwrap()[0])
}

fn apart(g: &Graph, device: &Device) -> GraphPlan {
    Planner::new(std::slice::from_ref(device)).fuse(false).plan(g).unwrap()
}

fn added(g: &mut Graph, product: Value, b: Value) -> Result<Value> {
    g.apply("add", &[product, b])
}

#[test]
fn merged_layers_have_the_bits_of_their_operators_one_by_one() {
    type Finish = fn(&mut Graph, Value, Value) -> Result<Value>;
    let finishes: [(&str, Finish); 4] = [
        ("matmul_packed", |_, product, _| Ok(product)),
        ("matmul_add", added),
        ("matmul_add", |g, product, b| g.apply("add", &[b, product])),
        ("matmul_add_relu", |g, product, b| {
            let sum = g.apply("add", &[product, b])?;
            g.apply("relu", &[sum])
        }),
    ];
    let extents = [
        [1, 784, 512],
        [1, 5, 40],
        [33, 300, 10],
        [128, 257, 65],
        [40, 600, 1],
        [200, 16, 32],
        [7, 0, 33],
        [0, 4, 33],
        [3, 4, 0],
    ];
    for extents in extents {
        for (name, finish) in finishes {
            for (operator, pack) in [("matmul", "matmul_pack"), ("matmul_nt", "matmul_pack_nt")] {
                let (g, device) = (layer(extents, operator, finish), cpu());
                let mut merged = g.plan(std::slice::from_ref(&device)).unwrap();
                let mut apart = apart(&g, &device);
                assert_eq!(launches(&merged), [(pack.into(), true), (name.into(), false)]);
                merged.graph().verify().unwrap();
                give(&mut merged, 3);
                give(&mut apart, 3);
                let what = format!("{name} of {operator} {extents:?}");
                assert!(run(&mut merged) == run(&mut apart), "{what}");
            }
        }
    }
}

#[test]
fn what_is_kept_of_a_parameter_follows_it() {
    let (g, device) = (layer([4, 30, 40], "matmul", added), cpu());
    let mut merged = g.plan(std::slice::from_ref(&device)).unwrap();
    let mut apart = apart(&g, &device);
    let mut seen = Vec::new();
    let mut compare = |merged: &mut GraphPlan, apart: &mut GraphPlan| {
        let got = run(merged);
        assert!(got == run(apart), "round {}", seen.len());
        assert!(!seen.contains(&got), "another weight, another result");
        seen.push(got);
    };
    for seed in [1, 10] {
        give(&mut merged, seed);
        give(&mut apart, seed);
        compare(&mut merged, &mut apart);
    }
    // Given with a run.
    let w = tensor(&device, &[30, 40], &numbers(20, 1200));
    merged.run(&[("w", &w)]).unwrap();
    apart.run(&[("w", &w)]).unwrap();
    compare(&mut merged, &mut apart);
    // Written where it lies, between runs that nothing is given to.
    let (mut own, mut other) = (merged.input("w").unwrap(), apart.input("w").unwrap());
    for seed in [30, 40] {
        own.write(&numbers(seed, 1200)).unwrap();
        other.write(&numbers(seed, 1200)).unwrap();
        compare(&mut merged, &mut apart);
    }
}

#[test]
fn what_something_else_reads_or_does_not_fit_stays_apart() {
    let plan = |g: &Graph| g.plan(&[cpu()]).unwrap();
    let twice = layer([4, 5, 6], "matmul", |g, product, b| {
        let sum = g.apply("add", &[product, b])?;
        g.apply("mul", &[sum, product])
    });
    assert_eq!(names(&plan(&twice))[..2], ["matmul_pack", "matmul_packed"]);
    let mut output = layer([4, 5, 6], "matmul", added);
    let product = output.nodes().iter().position(|n| n.operator() == Some("matmul")).unwrap();
    let id = ValueId { node: product as u32, result: 0 };
    let product = output.value(id).unwrap();
    output.output("product", product).unwrap();
    assert_eq!(names(&plan(&output)), ["matmul_pack", "matmul_packed", "add"]);
    // One number for all, and a matrix, are no vector of the columns.
    let one = layer([4, 5, 6], "matmul", |g, product, _| {
        let one = g.constant(&[], &[1.0_f32])?;
        g.apply("add", &[product, one])
    });
    assert_eq!(names(&plan(&one)), ["matmul_pack", "matmul_packed", "add"]);
    // An input is given anew for each run.
    let mut g = graph();
    let (x, w) = (g.input("x", F32, &[4, 5]).unwrap(), g.input("w", F32, &[5, 6]).unwrap());
    let y = g.apply("matmul", &[x, w]).unwrap();
    g.output("y", y).unwrap();
    assert_eq!(names(&plan(&g)), ["matmul"]);
}

#[test]
fn a_bias_at_steps_is_read_by_an_operator_of_its_own() {
    let mut g = graph();
    let x = g.input("x", F32, &[4, 5]).unwrap();
    let w = g.parameter("w", F32, &[5, 6]).unwrap();
    let b = g.parameter("b", F32, &[12]).unwrap();
    let product = g.apply("matmul", &[x, w]).unwrap();
    let every_other = [("axis", 0_usize), ("start", 0), ("end", 12), ("step", 2)];
    let b = g.apply_with("slice", &[b], every_other).unwrap();
    let y = g.apply("add", &[product, b]).unwrap();
    g.output("y", y).unwrap();
    let device = cpu();
    let mut merged = g.plan(std::slice::from_ref(&device)).unwrap();
    assert_eq!(names(&merged), ["matmul_pack", "matmul_packed", "add"]);
    let mut apart = apart(&g, &device);
    give(&mut merged, 5);
    give(&mut apart, 5);
    assert!(run(&mut merged) == run(&mut apart));
}

static DOUBLED: AtomicUsize = AtomicUsize::new(0);

/// Counts its launches.
#[kernel(host, device = cpu)]
fn counted_double(w: &[f32], y: &mut [f32]) {
    DOUBLED.fetch_add(1, Ordering::Relaxed);
    y.iter_mut().zip(w).for_each(|(y, w)| *y = 2.0 * w);
}

register_operator! {
    CountedDouble = counted_double;
    shape: "n -> n",
}

#[kernel(device = cpu)]
fn twice_product(x: &[f32], w: &[f32], y: &mut [f32]) {
    y[gid(0)] = 2.0 * x[gid(0)] * w[gid(0)];
}

register_operator! {
    TwiceProduct = twice_product;
    shape: "n, n -> n",
}

#[kernel(device = cpu)]
fn doubled_product(x: &[f32], w: &[f32], y: &mut [f32]) {
    y[gid(0)] = x[gid(0)] * w[gid(0)];
}

register_operator! {
    DoubledProduct = doubled_product;
    shape: "n, n -> n",
    computes: ["(x, counted_double(w)) = twice_product(x, w)"],
}

#[test]
fn what_is_kept_is_computed_once_for_each_value_that_is_given() {
    let device = Device::named("cpu:0").unwrap();
    for (dims, node) in [(&[3][..], "%1"), (&[1, 3], "%2")] {
        DOUBLED.store(0, Ordering::Relaxed);
        let mut g = Graph::new();
        let x = g.input("x", F32, &[3]).unwrap();
        let w = g.parameter("w", F32, dims).unwrap();
        let w = if dims == [3] {
            w
        } else {
            g.apply_with("reshape", &[w], [("shape", vec![3_i64])]).unwrap()
        };
        let y = g.apply("twice_product", &[x, w]).unwrap();
        g.output("y", y).unwrap();
        let mut plan = g.plan(std::slice::from_ref(&device)).unwrap();
        let kept = format!("counted_double({node}): f32[3] on cpu:0 kept");
        assert!(plan.graph().to_string().contains(&kept), "{plan}");
        let three = |x: f32, dims: &[usize]| tensor(&device, dims, &[x; 3]);
        plan.set_input("w", &three(5.0, dims)).unwrap();
        let result = |plan: &mut GraphPlan, x| {
            plan.run(&[("x", &three(x, &[3]))]).unwrap()[0].to_vec::<f32>().unwrap()
        };
        for x in [1.0, 2.0, 3.0] {
            assert_eq!(result(&mut plan, x), [10.0 * x; 3]);
        }
        assert_eq!(DOUBLED.load(Ordering::Relaxed), 1);
        plan.set_input("w", &three(6.0, dims)).unwrap();
        assert_eq!(result(&mut plan, 1.0), [12.0; 3]);
        assert_eq!(result(&mut plan, 2.0), [24.0; 3]);
        assert_eq!(DOUBLED.load(Ordering::Relaxed), 2);
    }
}

#[test]
fn a_rule_that_cannot_be_read_names_its_operator() {
    let wrong = Operator { computes: &["(x) = twice_product(x"], ..*DoubledProduct::OPERATOR };
    let wrong = Entry::made(DoubledProduct::ENTRY.meta(), wrong);
    let registry = Registry::builder().register(Cpu::ENTRY).register(wrong);
    let runtime = Runtime::new(registry.build().unwrap());
    let mut g = Graph::with_registry(runtime.registry().clone());
    let x = g.input("x", F32, &[3]).unwrap();
    g.output("y", x).unwrap();
    let error = g.plan(&[runtime.device("cpu:0").unwrap()]).err().unwrap();
    let told = error.to_string();
    assert!(told.contains("operator `doubled_product` is declared wrongly"), "{told}");
    assert!(told.contains("it computes `(x) = twice_product(x`; write its operands"), "{told}");
}

/// A gradient of the second of two operands, which are counted from 0.
#[test]
fn a_gradient_of_an_operand_that_there_is_not_names_operator_and_node() {
    let gradient: Gradient = |c: &mut GradientContext<'_>| c.add(2, c.gradient()?);
    let (computes, gradient) = (&[][..], Some(gradient));
    let wrong = Operator { computes, gradient, ..*DoubledProduct::OPERATOR };
    let wrong = Entry::made(DoubledProduct::ENTRY.meta(), wrong);
    let registry = Registry::builder().register_all(ringwood_kernels::ENTRIES.iter().cloned());
    let mut g = Graph::with_registry(registry.register(wrong).build().unwrap());
    let x = g.input("x", F32, &[3]).unwrap();
    let y = g.apply("doubled_product", &[x, x]).unwrap();
    let loss = g.apply("sum_all", &[y]).unwrap();
    let told = g.gradient(loss, &[x]).unwrap_err().to_string();
    assert!(
        told.starts_with("gradient of `doubled_product`: a gradient for operand 2, of 2"),
        "{told}"
    );
    assert!(told.contains("node: %1"), "{told}");
}
