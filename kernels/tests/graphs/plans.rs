//! Plans on one and several devices.

use crate::support::{cpu, graph, random, runtime, tensor};
use ringwood_backend_cpu::Cpu;
use ringwood_base::DType::{F32, F64, I32};
use ringwood_base::registry::{Registry, RegistryBuilder};
use ringwood_base::{ErrorKind, Result};
use ringwood_device::backend::Registered;
use ringwood_device::device::{Device, Runtime, Tensor};
use ringwood_device::kernel;
use ringwood_graph::graph::{Graph, GraphPlan, NodeKind, Planner, ValueId};
use ringwood_graph::register_operator;

fn f32s(seed: u64, count: usize) -> Vec<f32> {
    random(seed, count).into_iter().map(|x| x as f32).collect()
}

/// `relu(x w + b)`, twice.
fn layers() -> Graph {
    let build = || -> Result<Graph> {
        let mut g = graph();
        let mut h = g.input("x", F32, &[8, 16])?;
        for (i, (from, to)) in [(16, 32), (32, 4)].into_iter().enumerate() {
            let w = g.parameter(&format!("w{i}"), F32, &[from, to])?;
            let b = g.parameter(&format!("b{i}"), F32, &[to])?;
            h = g.apply("matmul", &[h, w])?;
            h = g.apply("add", &[h, b])?;
            h = g.apply("relu", &[h])?;
        }
        g.output("y", h)?;
        Ok(g)
    };
    build().unwrap()
}

/// Gives each parameter of `layers` numbers, each on the device that the plan wants.
fn give(plan: &mut GraphPlan) {
    let wanted: Vec<_> =
        plan.inputs().map(|(name, ty, device)| (name.to_owned(), ty, device.clone())).collect();
    for (seed, (name, ty, device)) in wanted.into_iter().enumerate() {
        let elements = f32s(seed as u64, ty.shape.elements());
        plan.set_input(&name, &tensor(&device, &ty.shape, &elements)).unwrap();
    }
}

fn devices(names: &[&str]) -> Vec<Device> {
    let runtime = runtime();
    names.iter().map(|name| runtime.device(name).unwrap()).collect()
}

/// Places each operator on the device that `place` names for its node.
fn spread<'a>(g: &mut Graph, place: impl Fn(usize) -> &'a str) {
    for i in 0..g.nodes().len() {
        if g.nodes()[i].operator().is_some() {
            let value = g.value(ValueId { node: i as u32, result: 0 }).unwrap();
            g.place(value, place(i)).unwrap();
        }
    }
}

/// The result of `layers` with node `i` of the planned operators on `place[i]`.
fn run_on(names: &[&str], place: impl Fn(usize) -> usize) -> (Vec<f32>, usize) {
    let mut g = layers();
    spread(&mut g, |i| names[place(i) % names.len()]);
    let mut plan = g.plan(&devices(names)).unwrap();
    give(&mut plan);
    let copies = plan.graph().nodes().iter().filter(|n| matches!(n.kind, NodeKind::Copy)).count();
    (plan.run(&[]).unwrap()[0].to_vec().unwrap(), copies)
}

#[test]
fn results_are_the_same_bits_on_one_device_and_on_several_with_copies() {
    let (expected, copies) = run_on(&["cpu:0"], |_| 0);
    assert_eq!(copies, 0);
    assert!(expected.iter().any(|y| *y > 0.0));
    let (two, copies) = run_on(&["cpu:0", "twin:0"], |i| i);
    assert!(copies >= 3, "{copies}");
    assert_eq!(two, expected);
    let (three, copies) = run_on(&["cpu:0", "twin:0", "twin:1"], |i| i);
    assert!(copies >= 3, "{copies}");
    assert_eq!(three, expected);
    let (one, copies) = run_on(&["twin:0", "twin:1"], |i| usize::from(i > 6));
    assert_eq!((one, copies), (expected, 1));
}

#[test]
fn runs_on_chaotic_streams_give_the_same_bits() {
    let (expected, _) = run_on(&["cpu:0"], |_| 0);
    let names = ["cpu:0", "twin:0", "twin:1"];
    for seed in 0..20 {
        let mut g = layers();
        spread(&mut g, |i| names[i % 3]);
        let planner = Planner::new(&devices(&names)).streams(&format!("chaos:{seed}"));
        let mut plan = planner.plan(&g).unwrap();
        give(&mut plan);
        for _ in 0..5 {
            assert_eq!(plan.run(&[]).unwrap()[0].to_vec::<f32>().unwrap(), expected);
        }
    }
}

#[test]
fn a_plan_prints_placement_copies_and_storage() {
    let mut g = graph();
    let x = g.input("x", F32, &[4, 4]).unwrap();
    let y = g.apply("exp", &[x]).unwrap();
    let y = g.apply("neg", &[y]).unwrap();
    let z = g.apply("exp", &[y]).unwrap();
    g.place(z, "twin:0").unwrap();
    let z = g.apply("sum_all", &[z]).unwrap();
    g.output("z", z).unwrap();
    let plan = g.plan(&devices(&["cpu:0", "twin:0"])).unwrap();
    assert_eq!(
        plan.to_string(),
        "%0 = input \"x\": f32[4, 4] on cpu:0 in #0\n\
         %1 = fused exp(%0), neg($0): f32[4, 4] on cpu:0 in #1\n\
         %2 = copy(%1): f32[4, 4] on twin:0 in #2\n\
         %3 = exp(%2): f32[4, 4] on twin:0 in #2\n\
         %4 = sum_all(%3): f32[] on twin:0 in #3\n\
         output \"z\" = %4\n\
         2 routines, 1 copy of 64 bytes between devices, 0 fallbacks\n\
         cpu:0: 128 bytes: parameters 0, kept 0, inputs 64, outputs 0, intermediates 64 \
         (64 for both without sharing)\n\
         twin:0: 68 bytes: parameters 0, kept 0, inputs 0, outputs 4, intermediates 64 \
         (132 for both without sharing)\n"
    );
    let names: Vec<_> = plan.passes().iter().map(|p| p.name).collect();
    assert_eq!(names, ["given", "prune", "place", "copies", "merge", "fuse", "storage"]);
}

#[test]
fn sharing_storage_changes_no_bit() {
    let device = cpu();
    let planner = Planner::new(&[device]).fuse(false);
    let mut shared = planner.plan(&layers()).unwrap();
    let mut apart = planner.clone().share_storage(false).plan(&layers()).unwrap();
    give(&mut shared);
    give(&mut apart);
    let run = |plan: &mut GraphPlan| plan.run(&[]).unwrap()[0].to_vec::<f32>().unwrap();
    assert_eq!(run(&mut shared), run(&mut apart));
    let (a, b) = (shared.memory(), apart.memory());
    assert!(a[0].shared() < b[0].shared(), "{a:?} {b:?}");
    assert_eq!(a[0].unshared, b[0].shared());
}

/// `y = x + w` on `cpu:0`.
fn sum(device: &Device) -> GraphPlan {
    let mut g = graph();
    let x = g.input("x", F32, &[2]).unwrap();
    let w = g.parameter("w", F32, &[2]).unwrap();
    let y = g.apply("add", &[x, w]).unwrap();
    g.output("y", y).unwrap();
    g.plan(std::slice::from_ref(device)).unwrap()
}

fn values(outputs: &[Tensor]) -> Vec<f32> {
    outputs[0].to_vec().unwrap()
}

#[test]
fn inputs_of_a_run_count_once_and_parameters_stay() {
    let device = cpu();
    let mut plan = sum(&device);
    let (x, w) = (tensor(&device, &[2], &[1.0_f32, 2.0]), tensor(&device, &[2], &[10.0_f32, 20.0]));
    let first = plan.run(&[("x", &x), ("w", &w)]).unwrap();
    assert_eq!(values(&first), [11.0, 22.0]);
    let error = plan.run(&[]).unwrap_err();
    assert!(error.to_string().contains("no value for input `x`"), "{error}");
    assert!(error.to_string().contains("x: f32[2] on cpu:0, w: f32[2] on cpu:0"), "{error}");
    assert_eq!(values(&plan.run(&[("x", &w)]).unwrap()), [20.0, 40.0]);
    assert_eq!(values(&first), [11.0, 22.0], "the outputs of a run belong to the caller");
    plan.set_input("x", &x).unwrap();
    plan.submit().unwrap();
    plan.submit().unwrap();
    assert_eq!(plan.output("y").unwrap().to_vec::<f32>().unwrap(), [11.0, 22.0]);
    plan.input("w").unwrap().write(&[0.0_f32, 1.0]).unwrap();
    assert_eq!(values(&plan.run(&[]).unwrap()), [1.0, 3.0]);
}

#[test]
fn wrong_inputs_are_errors_that_name_them() {
    let devices = devices(&["cpu:0", "twin:0"]);
    let mut plan = sum(&devices[0]);
    let x = tensor(&devices[0], &[2], &[1.0_f32, 2.0]);
    let mut error = |inputs: &[(&str, &Tensor)]| plan.run(inputs).unwrap_err();
    let unknown = error(&[("z", &x)]);
    assert_eq!(unknown.to_string(), "no input or parameter `z`; known: x, w");
    assert_eq!(error(&[("x", &x), ("x", &x)]).to_string(), "input `x` is given twice");
    let long = error(&[("x", &tensor(&devices[0], &[3], &[0.0_f32; 3]))]);
    assert_eq!(long.kind(), ErrorKind::Shape);
    assert_eq!(long.to_string(), "input `x` is f32[2], not f32[3]");
    let double = error(&[("x", &tensor(&devices[0], &[2], &[0.0_f64; 2]))]);
    assert_eq!(double.kind(), ErrorKind::DType);
    let away = error(&[("x", &tensor(&devices[1], &[2], &[0.0_f32; 2]))]);
    assert_eq!(away.kind(), ErrorKind::Device);
    assert!(away.to_string().starts_with("input `x` is on cpu:0, not on twin:0"), "{away}");
    assert!(plan.output("q").unwrap_err().to_string().ends_with("known: y"));
}

#[test]
fn a_missing_kernel_fails_the_plan_unless_a_fallback_is_asked_for() {
    let devices = devices(&["twin:0", "cpu:0"]);
    let mut g = graph();
    let x = g.input("x", F32, &[2, 3]).unwrap();
    let y = g.apply_with("argmax", &[x], [("axis", 1_usize)]).unwrap();
    g.place(y, "twin:0").unwrap();
    g.output("y", y).unwrap();
    let error = g.plan(&devices).unwrap_err();
    assert!(error.to_string().contains("no kernel `argmax` for device `twin`"), "{error}");
    let plan = Planner::new(&devices).fallback(&devices[1..]).plan(&g);
    let mut plan = plan.unwrap();
    assert_eq!(plan.fallbacks(), [(1, "cpu:0".to_owned())]);
    assert!(plan.to_string().contains("1 fallback\n"), "{plan}");
    let x = tensor(plan.inputs().next().unwrap().2, &[2, 3], &[0.0_f32, 1.0, 0.0, 0.0, 0.0, 2.0]);
    assert_eq!(plan.run(&[("x", &x)]).unwrap()[0].to_vec::<i32>().unwrap(), [1, 2]);
    assert!(g.plan(&[]).is_err());
}

#[test]
fn long_rows_take_the_kernel_that_their_operator_names() {
    let devices = devices(&["twin:0"]);
    let plan = |n: usize| {
        let mut g = graph();
        let x = g.input("x", F32, &[2, n]).unwrap();
        let y = g.apply_with("argmax", &[x], [("axis", 1_usize)]).unwrap();
        g.output("y", y).unwrap();
        g.plan(&devices)
    };
    // The device has `argmax_rows` but no `argmax`.
    let error = plan(127).unwrap_err();
    assert!(error.to_string().contains("no kernel `argmax` for device `twin`"), "{error}");
    let mut row = vec![0.0_f32; 256];
    (row[100], row[200]) = (1.0, 2.0);
    let x = tensor(&devices[0], &[2, 128], &row);
    assert_eq!(
        plan(128).unwrap().run(&[("x", &x)]).unwrap()[0].to_vec::<i32>().unwrap(),
        [100, 72]
    );
}

#[test]
fn a_timed_run_times_each_node_and_gives_the_same_bits() {
    let names = ["cpu:0", "twin:0"];
    let mut g = layers();
    spread(&mut g, |i| names[usize::from(i > 6)]);
    let mut plan = g.plan(&devices(&names)).unwrap();
    give(&mut plan);
    let expected = plan.run(&[]).unwrap()[0].to_vec::<f32>().unwrap();
    for _ in 0..2 {
        let times = plan.run_timed(&[]).unwrap();
        let work = plan.graph().nodes().iter().filter(|n| !n.is_source()).count();
        assert_eq!(times.len(), work);
        assert!(times.iter().any(|t| t.operator == "copy" && t.device == "twin:0"), "{times:?}");
        assert!(times.iter().all(|t| t.time.as_nanos() > 0), "{times:?}");
        assert_eq!(plan.output("y").unwrap().to_vec::<f32>().unwrap(), expected);
    }
}

#[test]
fn a_graph_that_was_serialised_runs_like_its_origin() {
    let text = serde_json::to_string(&layers()).unwrap();
    let read: Graph = serde_json::from_str(&text).unwrap();
    assert_eq!(read, layers());
    let run = |g: &Graph| {
        let mut plan = g.plan(&[cpu()]).unwrap();
        give(&mut plan);
        plan.run(&[]).unwrap()[0].to_vec::<f32>().unwrap()
    };
    assert_eq!(run(&read), run(&layers()));
}

#[test]
fn inputs_and_constants_can_be_outputs() {
    let device = cpu();
    let mut g = graph();
    let x = g.input("x", F64, &[]).unwrap();
    let c = g.constant(&[2], &[1.0_f64, 2.0]).unwrap();
    g.output("x", x).unwrap();
    g.output("c", c).unwrap();
    g.output("again", x).unwrap();
    let mut plan = g.plan(std::slice::from_ref(&device)).unwrap();
    let outputs = plan.run(&[("x", &tensor(&device, &[], &[7.0_f64]))]).unwrap();
    assert_eq!(outputs[0].item::<f64>().unwrap(), 7.0);
    assert_eq!(outputs[1].to_vec::<f64>().unwrap(), [1.0, 2.0]);
    assert_eq!(outputs[2].item::<f64>().unwrap(), 7.0);
}

#[test]
fn planned_again_a_graph_gets_its_old_places_and_results() {
    let device = cpu();
    let plan = layers().plan(std::slice::from_ref(&device)).unwrap();
    let again = plan.graph().plan(&[device]).unwrap();
    assert_eq!(plan.graph(), again.graph());
}

#[test]
fn inputs_that_nothing_reads_may_be_left_out() {
    let device = cpu();
    let mut g = graph();
    let x = g.input("x", F32, &[1]).unwrap();
    g.input("unused", F32, &[1]).unwrap();
    let y = g.apply("neg", &[x]).unwrap();
    g.output("y", y).unwrap();
    let mut plan = g.plan(std::slice::from_ref(&device)).unwrap();
    let x = tensor(&device, &[1], &[1.0_f32]);
    assert_eq!(values(&plan.run(&[("x", &x)]).unwrap()), [-1.0]);
    assert_eq!(values(&plan.run(&[("unused", &x), ("x", &x)]).unwrap()), [-1.0]);
}

#[test]
fn plans_of_several_threads_run_beside_each_other() {
    let device = cpu();
    let (expected, _) = run_on(&["cpu:0"], |_| 0);
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                let mut plan = layers().plan(std::slice::from_ref(&device)).unwrap();
                give(&mut plan);
                for _ in 0..20 {
                    let y = plan.run(&[]).unwrap()[0].to_vec::<f32>().unwrap();
                    assert_eq!(y, expected);
                }
            });
        }
    });
}

#[kernel(host, device = cpu)]
fn explode(x: &[f32], y: &mut [f32]) {
    assert!(x[0] < 2.0, "{} is too much", x[0]);
    y.copy_from_slice(x);
}

register_operator! {
    pub(crate) Explode = "explode";
    shape: "n -> n",
}

#[test]
fn a_panic_in_a_kernel_fails_its_run_and_no_other() {
    let entries = [Cpu::ENTRY, explode::ENTRY, Explode::ENTRY];
    let registry = entries.into_iter().fold(Registry::builder(), RegistryBuilder::register);
    let device = Runtime::new(registry.build().unwrap()).device("cpu:0").unwrap();
    let mut g = Graph::with_registry(device.registry().clone());
    let x = g.input("x", F32, &[1]).unwrap();
    let y = g.apply("explode", &[x]).unwrap();
    g.output("y", y).unwrap();
    let mut plan = g.plan(std::slice::from_ref(&device)).unwrap();
    let (good, bad) = (tensor(&device, &[1], &[1.0_f32]), tensor(&device, &[1], &[3.0_f32]));
    assert_eq!(values(&plan.run(&[("x", &good)]).unwrap()), [1.0]);
    let failed = plan.run(&[("x", &bad)]).and_then(|outputs| outputs[0].to_vec::<f32>());
    let error = failed.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Panic);
    assert!(error.to_string().contains("`explode` panicked: 3 is too much"), "{error}");
    assert_eq!(values(&plan.run(&[("x", &good)]).unwrap()), [1.0]);
    let mut fresh = g.plan(std::slice::from_ref(&device)).unwrap();
    assert_eq!(values(&fresh.run(&[("x", &good)]).unwrap()), [1.0]);
}

#[test]
fn a_shape_that_no_memory_holds_is_an_error() {
    let mut g = graph();
    assert_eq!(g.input("x", F32, &[usize::MAX]).unwrap_err().kind(), ErrorKind::Shape);
    let x = g.input("x", F32, &[1 << 40]).unwrap();
    g.output("x", x).unwrap();
    let device = cpu();
    device.set_memory_limit(Some(1 << 20));
    assert_eq!(g.plan(&[device]).unwrap_err().kind(), ErrorKind::OutOfMemory);
}

#[test]
fn a_plan_that_is_larger_than_its_device_is_refused_at_once() {
    let mut g = graph();
    let x = g.input("x", F32, &[1024]).unwrap();
    let y = g.apply("exp", &[x]).unwrap();
    let z = g.apply("sqrt", &[y]).unwrap();
    g.output("y", y).unwrap();
    g.output("z", z).unwrap();
    let device = cpu();
    device.set_memory_limit(Some(5000));
    let error = g.plan(&[device]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert!(error.message().starts_with("the plan takes 8192 bytes of cpu:"), "{error}");
    assert!(error.get("largest value").is_some_and(|value| value.contains("f32[1024]")), "{error}");
}

#[test]
fn a_plan_runs_again_after_an_index_out_of_bounds() {
    for kind in ["sync", "threaded"] {
        let mut g = graph();
        let (x, at) = (g.input("x", F32, &[2, 1]).unwrap(), g.input("at", I32, &[1]).unwrap());
        let y = g.apply("gather", &[x, at]).unwrap();
        let y = g.apply("neg", &[y]).unwrap();
        g.output("y", y).unwrap();
        let all = devices(&["cpu:0"]);
        let mut plan = Planner::new(&all).streams(kind).plan(&g).unwrap();
        let x = tensor(&all[0], &[2, 1], &[5.0_f32, 7.0]);
        let mut run = |at: i32| {
            let at = all[0].tensor(&[at])?;
            plan.run(&[("x", &x), ("at", &at)])?[0].to_vec::<f32>()
        };
        for _ in 0..2 {
            assert_eq!(run(1).unwrap(), [-7.0], "{kind}");
            assert_eq!(run(7).unwrap_err().kind(), ErrorKind::OutOfBounds, "{kind}");
        }
    }
}
