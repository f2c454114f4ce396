//! Training a small network with planned graphs.

use crate::support::{cpu, graph, random, tensor};
use ringwood_base::DType::{F32, I32};
use ringwood_base::Result;
use ringwood_device::device::Tensor;
use ringwood_graph::graph::{Graph, GraphPlan, Planner, Value};

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
