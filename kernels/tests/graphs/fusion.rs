//! Element-wise nodes fused into one kernel: the same bits, less memory.

use crate::element_wise::{bits, program, values};
use crate::support::{cpu, graph, random, runtime, tensor};
use ringwood_base::DType::F32;
use ringwood_base::{ErrorKind, Result, Shape};
use ringwood_graph::graph::pass::PlanMemory;
use ringwood_graph::graph::{Graph, GraphPlan, Planner, Value};

fn fused_nodes(plan: &GraphPlan) -> usize {
    plan.graph().nodes().iter().filter(|n| n.fused().is_some()).count()
}

fn shared_bytes(plan: &GraphPlan) -> usize {
    plan.memory().iter().map(PlanMemory::shared).sum()
}

#[test]
fn random_graphs_give_the_same_bits_fused_as_unfused_and_take_no_more_memory() {
    let device = cpu();
    let (mut fused, mut saved) = (0, 0);
    for seed in 0..300 {
        let g = program(graph(), seed);
        let planned = |fuse| Planner::new(std::slice::from_ref(&device)).fuse(fuse).plan(&g);
        // Kernels that are missing for a dtype are missing either way.
        let Ok(mut apart) = planned(false) else {
            assert!(planned(true).is_err(), "seed {seed}");
            continue;
        };
        let mut plan = planned(true).unwrap();
        let wanted: Vec<_> = plan.inputs().map(|(name, ty, _)| (name.to_owned(), ty)).collect();
        let inputs: Vec<_> = wanted
            .iter()
            .zip(0..)
            .map(|((name, ty), i)| (name.as_str(), values(&device, ty.dtype, &ty.shape, seed + i)))
            .collect();
        let inputs: Vec<_> = inputs.iter().map(|(name, tensor)| (*name, tensor)).collect();
        let run = |plan: &mut GraphPlan| -> Vec<Vec<u64>> {
            plan.run(&inputs).unwrap().iter().map(bits).collect()
        };
        assert_eq!(run(&mut plan), run(&mut apart), "seed {seed}\n{plan}{apart}");
        assert!(shared_bytes(&plan) <= shared_bytes(&apart), "seed {seed}\n{plan}{apart}");
        fused += fused_nodes(&plan);
        saved += shared_bytes(&apart) - shared_bytes(&plan);
    }
    assert!(fused > 200 && saved > 0, "{fused} fused nodes, {saved} bytes saved");
}

/// `tanh(x * w + b) + x`.
fn residual(g: &mut Graph) -> Result<Value> {
    let x = g.input("x", F32, &[2, 2600])?;
    let w = g.input("w", F32, &[])?;
    let b = g.input("b", F32, &[2600])?;
    let y = g.apply("mul", &[x, w])?;
    let y = g.apply("add", &[y, b])?;
    let y = g.apply("tanh", &[y])?;
    g.apply("add", &[y, x])
}

#[test]
fn a_fused_node_prints_what_it_computes_is_timed_as_one_and_survives_serialisation() {
    let mut g = graph();
    let y = residual(&mut g).unwrap();
    g.output("y", y).unwrap();
    let device = cpu();
    let mut plan = g.plan(std::slice::from_ref(&device)).unwrap();
    let text = plan.to_string();
    assert!(
        text.contains("%3 = fused mul(%0, %1), add($0, %2), tanh($1), add($2, %0): f32[2, 2600]"),
        "{text}"
    );
    assert!(text.contains("inputs 31204, outputs 20800, intermediates 0"), "{text}");
    let shapes: [(&str, &[usize]); 3] = [("x", &[2, 2600]), ("w", &[]), ("b", &[2600])];
    for (name, shape) in shapes {
        plan.set_input(name, &values(&device, F32, shape, 3)).unwrap();
    }
    let times = plan.run_timed(&[]).unwrap();
    assert_eq!(times.len(), 1);
    assert_eq!(times[0].operator, "mul+add+tanh+add");

    let json = serde_json::to_string(plan.graph()).unwrap();
    let read: Graph = serde_json::from_str(&json).unwrap();
    assert_eq!(read, *plan.graph());
    let planner = Planner::new(std::slice::from_ref(&device)).fuse(false);
    let mut again = planner.plan(&plan.graph().clone()).unwrap();
    for (name, shape) in shapes {
        again.set_input(name, &values(&device, F32, shape, 3)).unwrap();
    }
    assert_eq!(again.graph(), plan.graph());
    assert_eq!(bits(&again.run(&[]).unwrap()[0]), bits(&plan.run(&[]).unwrap()[0]));
}

#[test]
fn what_others_read_is_not_fused_away() {
    let device = cpu();
    let count = |build: &dyn Fn(&mut Graph) -> Result<()>| {
        let mut g = graph();
        build(&mut g).unwrap();
        let plan = g.plan(std::slice::from_ref(&device)).unwrap();
        (fused_nodes(&plan), plan.graph().nodes().iter().filter(|n| n.is_launch()).count())
    };
    let output = |g: &mut Graph| {
        let x = g.input("x", F32, &[9])?;
        let y = g.apply("exp", &[x])?;
        let z = g.apply("neg", &[y])?;
        g.output("y", y)?;
        g.output("z", z)
    };
    assert_eq!(count(&output), (0, 2));
    let read_twice = |g: &mut Graph| {
        let x = g.input("x", F32, &[9])?;
        let y = g.apply("exp", &[x])?;
        let z = g.apply("mul", &[y, y])?;
        let sum = g.apply("sum_all", &[y])?;
        g.output("z", z)?;
        g.output("sum", sum)
    };
    assert_eq!(count(&read_twice), (0, 3));
    let smaller = |g: &mut Graph| {
        let (x, row) = (g.input("x", F32, &[4, 9])?, g.input("row", F32, &[9])?);
        let row = g.apply("exp", &[row])?;
        let z = g.apply("mul", &[x, row])?;
        g.output("z", z)
    };
    assert_eq!(count(&smaller), (0, 2));
    let within = |g: &mut Graph| {
        let x = g.input("x", F32, &[9])?;
        let y = g.apply("exp", &[x])?;
        let a = g.apply("neg", &[y])?;
        let b = g.apply("mul", &[y, a])?;
        let z = g.apply("add", &[b, a])?;
        g.output("z", z)
    };
    assert_eq!(count(&within), (1, 1));
}

/// `sum(exp(x) * 2, axis 1)`.
fn sum_of_products(g: &mut Graph) -> Result<()> {
    let (x, two) = (g.input("x", F32, &[4, 9])?, g.constant(&[], &[2.0_f32])?);
    let y = g.apply("exp", &[x])?;
    let y = g.apply("mul", &[y, two])?;
    let sum = g.apply_with("sum", &[y], [("axis", 1_usize)])?;
    g.output("sum", sum)
}

#[test]
fn native_code_of_a_reduction_reads_what_maps_stored() {
    let mut g = graph();
    sum_of_products(&mut g).unwrap();
    let device = cpu();
    let text = g.plan(std::slice::from_ref(&device)).unwrap().to_string();
    assert!(text.contains("%2 = fused exp(%0), mul($0, %1): f32[4, 9]"), "{text}");
    assert!(text.contains("%3 = sum(%2, axis = 1_usize): f32[4]"), "{text}");
}

#[test]
fn nodes_on_other_devices_stay_where_they_are() {
    let runtime = runtime();
    let devices = [runtime.device("cpu:0").unwrap(), runtime.device("twin:0").unwrap()];
    let mut g = graph();
    let x = g.input("x", F32, &[8]).unwrap();
    let mut y = x;
    for (operator, device) in
        [("exp", "cpu:0"), ("neg", "cpu:0"), ("tanh", "twin:0"), ("relu", "twin:0")]
    {
        y = g.apply(operator, &[y]).unwrap();
        g.place(y, device).unwrap();
    }
    g.output("y", y).unwrap();
    let plan = g.plan(&devices).unwrap();
    let text = plan.to_string();
    assert!(text.contains("%1 = fused exp(%0), neg($0): f32[8] on cpu:0"), "{text}");
    assert!(text.contains("%3 = fused tanh(%2), relu($0): f32[8] on twin:0"), "{text}");
}

/// Products that are added up one after the other: fused as a whole, all of them would be kept.
#[test]
fn fusing_does_not_keep_operands_that_would_have_been_freed() {
    let build = || -> Result<Graph> {
        let mut g = graph();
        let x = g.input("x", F32, &[64, 64])?;
        let mut sum = g.apply("matmul", &[x, x])?;
        for _ in 0..6 {
            let product = g.apply("matmul", &[x, x])?;
            sum = g.apply("add", &[sum, product])?;
        }
        let y = g.apply("tanh", &[sum])?;
        let y = g.apply("neg", &[y])?;
        g.output("y", y)?;
        Ok(g)
    };
    let (g, device) = (build().unwrap(), cpu());
    let fused = g.plan(std::slice::from_ref(&device)).unwrap();
    let apart = Planner::new(&[device]).fuse(false).plan(&g).unwrap();
    assert!(shared_bytes(&fused) <= shared_bytes(&apart), "{fused}{apart}");
    assert_eq!(fused_nodes(&fused), 1, "the last three follow each other: {fused}");
}

/// A layer with `tanh`, a squared error, and the weights after a step of gradient descent.
fn training() -> Result<Graph> {
    let mut g = graph();
    let (x, target) = (g.input("x", F32, &[16, 8])?, g.input("target", F32, &[16, 4])?);
    let (w, b) = (g.parameter("w", F32, &[8, 4])?, g.parameter("b", F32, &[4])?);
    let y = g.apply("matmul", &[x, w])?;
    let y = g.apply("add", &[y, b])?;
    let y = g.apply("tanh", &[y])?;
    let error = g.apply("sub", &[y, target])?;
    let squares = g.apply("mul", &[error, error])?;
    let loss = g.apply("mean_all", &[squares])?;
    let rate = g.constant(&[], &[0.25_f32])?;
    let gradients = g.gradient(loss, &[w, b])?;
    for (name, parameter, gradient) in [("w", w, gradients[0]), ("b", b, gradients[1])] {
        let next = g.apply("sgd", &[parameter, gradient, rate])?;
        g.output(name, next)?;
    }
    g.output("loss", loss)?;
    Ok(g)
}

#[test]
fn training_with_fused_gradients_ends_with_the_same_bits() {
    let device = cpu();
    let train = |fuse: bool| -> Result<(Vec<Vec<u64>>, usize)> {
        let planner = Planner::new(std::slice::from_ref(&device)).fuse(fuse);
        let mut plan = planner.plan(&training()?)?;
        for (seed, (name, dims)) in
            [("x", [16, 8]), ("target", [16, 4]), ("w", [8, 4])].into_iter().enumerate()
        {
            let numbers = random(seed as u64, dims[0] * dims[1]);
            let numbers: Vec<_> = numbers.into_iter().map(|x| x as f32).collect();
            plan.set_input(name, &tensor(&device, &dims, &numbers))?;
        }
        plan.set_input("b", &tensor(&device, &[4], &[0.0_f32; 4]))?;
        let mut outputs = plan.run(&[])?;
        let first: f32 = outputs[2].item()?;
        for _ in 0..20 {
            outputs = plan.run(&[("w", &outputs[0]), ("b", &outputs[1])])?;
        }
        assert!(outputs[2].item::<f32>()? < first);
        Ok((outputs.iter().map(bits).collect(), fused_nodes(&plan)))
    };
    let (expected, none) = train(false).unwrap();
    let (found, some) = train(true).unwrap();
    assert_eq!(found, expected);
    assert!(none == 0 && some > 0, "{some}");
}

#[test]
fn a_wide_tree_is_fused_in_parts_that_devices_take() {
    let mut g = graph();
    let mut sum = g.input("x0", F32, &[3, 40]).unwrap();
    for i in 1..60 {
        let x = g.input(&format!("x{i}"), F32, &[40]).unwrap();
        sum = g.apply("add", &[sum, x]).unwrap();
    }
    g.output("sum", sum).unwrap();
    let device = cpu();
    let mut plan = g.plan(std::slice::from_ref(&device)).unwrap();
    assert!(fused_nodes(&plan) > 1, "{plan}");
    let wide = |n: &ringwood_graph::graph::Node| n.fused().is_some() && n.operands.len() > 30;
    assert!(!plan.graph().nodes().iter().any(|n| wide(n)), "{plan}");
    for i in 0..60 {
        let shape = if i == 0 { Shape::new(&[3, 40]) } else { Shape::new(&[40]) }.unwrap();
        let ones = vec![1.0_f32; shape.elements()];
        plan.set_input(&format!("x{i}"), &tensor(&device, &shape, &ones)).unwrap();
    }
    assert_eq!(plan.run(&[]).unwrap()[0].to_vec::<f32>().unwrap(), [60.0; 120]);
}

#[test]
fn fused_nodes_that_do_not_fit_are_refused_by_name() {
    let mut g = graph();
    let y = residual(&mut g).unwrap();
    g.output("y", y).unwrap();
    let device = cpu();
    let plan = g.plan(std::slice::from_ref(&device)).unwrap();
    let json = serde_json::to_string(plan.graph()).unwrap();
    let refused = |from: &str, to: &str| {
        assert!(json.contains(from), "{json}");
        let read: Graph = serde_json::from_str(&json.replacen(from, to, 1)).unwrap();
        read.verify().unwrap_err()
    };
    let later = refused(r#"{"result":1}"#, r#"{"result":7}"#);
    assert!(
        later.to_string().contains("`tanh` in a fused node reads what is not there"),
        "{later}"
    );
    let unknown = refused(r#""operator":"tanh""#, r#""operator":"tanf""#);
    assert_eq!(unknown.kind(), ErrorKind::NotFound);
    let narrow = refused(r#"[{"result":0},{"operand":2}]"#, r#"[{"operand":2},{"operand":2}]"#);
    assert!(
        narrow.to_string().contains("`add` in a fused node has another shape than those before it"),
        "{narrow}"
    );

    let mut fused = plan.graph().clone();
    let (x, y) = (fused.named("x").unwrap(), fused.outputs()[0].value);
    let y = fused.value(y).unwrap();
    let loss = fused.apply("sum_all", &[y]).unwrap();
    let error = fused.gradient(loss, &[x]).unwrap_err().to_string();
    assert!(error.contains("take the gradient of the graph before it is planned"), "{error}");
}
