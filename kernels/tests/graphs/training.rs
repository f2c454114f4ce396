//! Training a small network with planned graphs.

use crate::support::{cpu, graph, random, tensor};
use ringwood_base::DType::{F32, I32};
use ringwood_base::{ErrorKind, Result};
use ringwood_device::device::Tensor;
use ringwood_graph::graph::pass::{PlanMemory, Policy};
use ringwood_graph::graph::{Graph, GraphPlan, Planner, Value};
use std::ops::Range;

const ROWS: usize = 64;

/// Points in the plane, and whether exactly one coordinate is positive.
fn points() -> (Vec<f32>, Vec<i32>) {
    let points: Vec<f32> = random(7, 2 * ROWS).into_iter().map(|x| x as f32).collect();
    let labels = points.chunks(2).map(|p| i32::from((p[0] > 0.0) != (p[1] > 0.0))).collect();
    (points, labels)
}

const WEIGHTS: [(&str, &[usize]); 4] =
    [("w1", &[2, 16]), ("b1", &[16]), ("w2", &[16, 2]), ("b2", &[2])];

/// The network, its loss and accuracy, and what a step of gradient descent makes of its weights.
fn network() -> Result<Graph> {
    let mut g = graph();
    let x = g.input("x", F32, &[ROWS, 2])?;
    let labels = g.input("labels", I32, &[ROWS])?;
    let weights: Vec<Value> =
        WEIGHTS.iter().map(|(name, dims)| g.parameter(name, F32, dims)).collect::<Result<_>>()?;
    let hidden = g.apply("matmul", &[x, weights[0]])?;
    let hidden = g.apply("add", &[hidden, weights[1]])?;
    let hidden = g.apply("relu", &[hidden])?;
    let scores = g.apply("matmul", &[hidden, weights[2]])?;
    let scores = g.apply("add", &[scores, weights[3]])?;
    let rows = g.apply("cross_entropy", &[scores, labels])?;
    let loss = g.apply("mean_all", &[rows])?;
    let found = g.apply_with("argmax", &[scores], [("axis", 1_usize)])?;
    let hits = g.apply("equal", &[found, labels])?;
    let hits = g.apply("to_f32", &[hits])?;
    let accuracy = g.apply("mean_all", &[hits])?;
    g.output("loss", loss)?;
    g.output("accuracy", accuracy)?;
    let rate = g.constant(&[], &[0.5_f32])?;
    let gradients = g.gradient(loss, &weights)?;
    for ((name, _), (weight, gradient)) in WEIGHTS.iter().zip(weights.iter().zip(gradients)) {
        let next = g.apply("sgd", &[*weight, gradient, rate])?;
        g.output(name, next)?;
    }
    Ok(g)
}

/// Trains for some steps; loss and accuracy of the last one, and the weights.
fn train(planner: &Planner, steps: usize) -> Result<(f32, f32, Vec<Vec<f32>>)> {
    let mut plan = planner.plan(&network()?)?;
    let (points, labels) = points();
    put(&mut plan, "x", &points)?;
    put(&mut plan, "labels", &labels)?;
    for (seed, (name, dims)) in WEIGHTS.iter().enumerate() {
        let numbers = random(seed as u64, dims.iter().product());
        put(&mut plan, name, &numbers.iter().map(|x| *x as f32).collect::<Vec<_>>())?;
    }
    let mut outputs: Vec<Tensor> = plan.run(&[])?;
    for _ in 1..steps {
        let new = WEIGHTS.iter().map(|(name, _)| *name).zip(&outputs[2..]).collect::<Vec<_>>();
        outputs = plan.run(&new)?;
    }
    let weights = outputs[2..].iter().map(Tensor::to_vec).collect::<Result<_>>()?;
    Ok((outputs[0].item()?, outputs[1].item()?, weights))
}

fn put<T: ringwood_base::Element>(plan: &mut GraphPlan, name: &str, elements: &[T]) -> Result<()> {
    let slot = plan.inputs().find(|(input, ..)| *input == name);
    let (_, ty, device) = slot.expect("the network declares all of them");
    let tensor = tensor(&device.clone(), &ty.shape, elements);
    plan.set_input(name, &tensor)
}

#[test]
fn a_network_learns_what_no_line_separates() {
    let planner = Planner::new(&[cpu()]);
    let (first, ..) = train(&planner, 1).unwrap();
    let (last, accuracy, _) = train(&planner, 400).unwrap();
    assert!(last < first / 4.0, "loss {first} -> {last}");
    assert!(accuracy > 0.95, "accuracy {accuracy}");
}

#[test]
fn two_trainings_end_with_the_same_bits() {
    let bits = || {
        let (_, _, weights) = train(&Planner::new(&[cpu()]), 50).unwrap();
        weights.concat().into_iter().map(f32::to_bits).collect::<Vec<_>>()
    };
    assert_eq!(bits(), bits());
}

#[test]
fn training_on_another_kind_of_stream_gives_the_same_bits() {
    let expected = train(&Planner::new(&[cpu()]), 20).unwrap();
    for kind in ["sync", "chaos:3"] {
        let planner = Planner::new(&[cpu()]).streams(kind);
        assert_eq!(train(&planner, 20).unwrap(), expected, "{kind}");
    }
}

/// Six blocks of layers, each with a key for its dropout: a loss, and the nodes of each block.
fn deep(g: &mut Graph) -> Result<(Value, Vec<Value>, Vec<Range<usize>>)> {
    let mut x = g.input("x", F32, &[ROWS, 64])?;
    let weights = [g.parameter("v", F32, &[64, 128])?, g.parameter("w", F32, &[128, 64])?];
    let key = g.constant(&[2], &[11_u32, 0])?;
    let mut blocks = Vec::new();
    for layer in 0..6 {
        let first = g.nodes().len();
        let layer = g.constant(&[], &[layer])?;
        let own = g.apply("key_fold", &[key, layer])?;
        let mut hidden = g.apply("matmul", &[x, weights[0]])?;
        for activation in ["gelu", "tanh"] {
            hidden = g.apply(activation, &[hidden])?;
        }
        hidden = g.apply_with("dropout", &[hidden, own], [("rate", 0.5_f32)])?;
        let change = g.apply("matmul", &[hidden, weights[1]])?;
        x = g.apply("add", &[x, change])?;
        blocks.push(first..g.nodes().len());
    }
    let square = g.apply("mul", &[x, x])?;
    Ok((g.apply("mean_all", &[square])?, weights.to_vec(), blocks))
}

/// Loss and gradients of `deep`, and the bytes of what lies between.
fn differentiate(
    blocks: impl Fn(Vec<Range<usize>>) -> Vec<Range<usize>>,
) -> Result<(Vec<Vec<f32>>, usize)> {
    let mut g = graph();
    let (loss, weights, all) = deep(&mut g)?;
    let gradients = g.gradient_with(loss, &weights, &blocks(all))?;
    for (i, value) in [loss].into_iter().chain(gradients).enumerate() {
        g.output(&i.to_string(), value)?;
    }
    let mut plan = g.plan(&[cpu()])?;
    for (seed, (name, elements)) in
        [("x", ROWS * 64), ("v", 1 << 13), ("w", 1 << 13)].iter().enumerate()
    {
        let numbers = random(seed as u64, *elements);
        put(&mut plan, name, &numbers.iter().map(|x| *x as f32 / 8.0).collect::<Vec<_>>())?;
    }
    let results = plan.run(&[])?.iter().map(Tensor::to_vec).collect::<Result<_>>()?;
    Ok((results, plan.memory().iter().map(PlanMemory::shared).sum()))
}

#[test]
fn blocks_that_are_computed_again_give_the_same_bits_in_less_memory() {
    let (kept, most) = differentiate(|_| Vec::new()).unwrap();
    let (again, least) = differentiate(|blocks| blocks).unwrap();
    assert_eq!(kept, again);
    // Of each block its result alone is kept, half of what each of its four layers holds.
    assert!(least * 5 < most * 3, "{least} of {most} bytes");
    let (some, between) = differentiate(|blocks| blocks[..4].to_vec()).unwrap();
    assert_eq!(kept, some);
    assert!((least + 1..most).contains(&between), "{between} of {most} bytes");
    let beyond = differentiate(|_| std::iter::once(0..1 << 20).collect()).unwrap_err();
    assert_eq!(beyond.kind(), ErrorKind::InvalidArgument, "{beyond}");
}

#[test]
fn every_node_of_a_gradient_names_the_device_of_what_it_is_the_gradient_of() {
    let mut g = graph();
    let table = g.parameter("table", F32, &[3, 2]).unwrap();
    let index = g.input("index", I32, &[2]).unwrap();
    let rows = g.apply("gather", &[table, index]).unwrap();
    let loss = g.apply("sum_all", &[rows]).unwrap();
    g.place(rows, "cpu:0").unwrap();
    g.place(loss, "cpu:0").unwrap();
    // The gradient of `gather` applies `scatter_add`, which is made of others.
    let gradient = g.gradient(loss, &[table]).unwrap()[0];
    g.output("d", gradient).unwrap();
    let device = cpu();
    let planner = Planner::new(std::slice::from_ref(&device)).policy(Policy::Explicit);
    let mut plan = planner.plan(&g).unwrap();
    put(&mut plan, "index", &[2, 2]).unwrap();
    let expected = [0.0, 0.0, 0.0, 0.0, 2.0, 2.0];
    assert_eq!(plan.run(&[]).unwrap()[0].to_vec::<f32>().unwrap(), expected);
}

#[test]
fn integers_have_no_gradient_and_pass_none_on() {
    let mut g = graph();
    let (x, i) = (g.input("x", F32, &[4, 3]).unwrap(), g.input("i", I32, &[4]).unwrap());
    let at = g.apply_with("argmax", &[x], [("axis", 1_usize)]).unwrap();
    let at = g.apply("add", &[at, i]).unwrap();
    let counted = g.apply("to_f32", &[at]).unwrap();
    let chosen = g.apply_with("largest", &[x], [("axis", 1_usize)]).unwrap();
    let weighted = g.apply("mul", &[chosen, counted]).unwrap();
    let loss = g.apply("sum_all", &[weighted]).unwrap();
    let error = g.gradient(loss, &[i]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DType, "{error}");
    let apart = g.apply("sum_all", &[counted]).unwrap();
    let error = g.gradient(apart, &[x]).unwrap_err();
    assert!(error.to_string().contains("does not depend on"), "{error}");
    let gradient = g.gradient(loss, &[x]).unwrap()[0];
    g.output("d", gradient).unwrap();
    let mut plan = g.plan(&[cpu()]).unwrap();
    put(&mut plan, "x", &[1.0_f32, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 1.0, 0.0]).unwrap();
    put(&mut plan, "i", &[1, 1, 1, 5]).unwrap();
    let expected = [1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0, 5.0, 0.0, 0.0];
    assert_eq!(plan.run(&[]).unwrap()[0].to_vec::<f32>().unwrap(), expected);
}
