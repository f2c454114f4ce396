//! A chain of ten element-wise operators on one thread of the CPU: fused, one by one, and as one loop
//! by hand that the compiler sees whole.
//!
//! `cargo bench -p ringwood-kernels --bench fusion`

#[path = "../../benches/spine/measure.rs"]
mod measure;

use measure::{line, median};
use ringwood_backend_cpu as _;
use ringwood_base::DType::F32;
use ringwood_base::{Result, Shape};
use ringwood_device::device::{Device, Tensor};
use ringwood_graph::graph::{Graph, GraphPlan, Planner, Value};
use ringwood_kernels as _;
use std::hint::black_box;
use std::process::Command;

const SIZES: [usize; 4] = [1 << 10, 1 << 14, 1 << 20, 1 << 24];

fn main() -> Result<()> {
    if std::env::var_os("RINGWOOD_THREADS").is_none() {
        // The loop by hand has one thread, so the pool of the backend gets one.
        let this = std::env::current_exe().expect("this program has a path");
        let run = Command::new(this).env("RINGWOOD_THREADS", "1").status();
        assert!(run.expect("the bench runs").success());
        return Ok(());
    }
    let device = Device::named("cpu:0")?;
    for elements in SIZES {
        compare("arithmetic", elements, &device, ten, ten_by_hand)?;
    }
    Ok(())
}

fn compare(
    name: &str,
    elements: usize,
    device: &Device,
    build: fn(&mut Graph, [Value; 3]) -> Result<Value>,
    by_hand: fn(&[f32], f32, f32, &mut [f32]),
) -> Result<()> {
    let x: Vec<f32> = (0..elements).map(|i| (i % 1000) as f32 / 500.0 - 1.0).collect();
    let plan = |fuse| -> Result<GraphPlan> {
        let mut g = Graph::new();
        let inputs =
            [g.input("x", F32, &[elements])?, g.input("w", F32, &[])?, g.input("b", F32, &[])?];
        let y = build(&mut g, inputs)?;
        g.output("y", y)?;
        let planner = Planner::new(std::slice::from_ref(device)).streams("sync").fuse(fuse);
        let mut plan = planner.plan(&g)?;
        plan.set_input("x", &device.tensor(&x)?)?;
        plan.set_input("w", &scalar(device, 0.75)?)?;
        plan.set_input("b", &scalar(device, -0.25)?)?;
        Ok(plan)
    };
    let (mut fused, mut apart) = (plan(true)?, plan(false)?);
    let mut y = vec![0.0_f32; elements];
    let time = |plan: &mut GraphPlan| median(|| plan.submit().expect("the plan runs"));
    let (ours, unfused) = (time(&mut fused), time(&mut apart));
    let loop_by_hand = median(|| by_hand(black_box(&x), 0.75, -0.25, black_box(&mut y)));
    assert_eq!(fused.output("y")?.to_vec::<f32>()?, y, "the loop by hand computes the same");
    let what = format!("{name}, ten operators, {elements} elements");
    line(&what, ours, "one loop by hand", loop_by_hand);
    line(&what, ours, "one by one", unfused);
    Ok(())
}

fn scalar(device: &Device, value: f32) -> Result<Tensor> {
    device.tensor_with(&[value], Shape::scalar())
}

fn ten(g: &mut Graph, [x, w, b]: [Value; 3]) -> Result<Value> {
    let mut y = g.apply("mul", &[x, w])?;
    y = g.apply("add", &[y, b])?;
    y = g.apply("relu", &[y])?;
    y = g.apply("mul", &[y, x])?;
    y = g.apply("sub", &[y, b])?;
    y = g.apply("abs", &[y])?;
    y = g.apply("mul", &[y, w])?;
    y = g.apply("add", &[y, x])?;
    y = g.apply("neg", &[y])?;
    g.apply("mul", &[y, b])
}

fn ten_by_hand(x: &[f32], w: f32, b: f32, y: &mut [f32]) {
    #[inline(always)]
    fn body(x: &[f32], w: f32, b: f32, y: &mut [f32]) {
        for (y, &x) in y.iter_mut().zip(x) {
            let a = x * w + b;
            let a = if a < 0.0 { 0.0 } else { a };
            *y = -((a * x - b).abs() * w + x) * b;
        }
    }
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn v3(x: &[f32], w: f32, b: f32, y: &mut [f32]) {
            body(x, w, b, y);
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            #[expect(unsafe_code, reason = "the one way to compile for the processor at hand")]
            // SAFETY: the processor has both features.
            return unsafe { v3(x, w, b, y) };
        }
    }
    body(x, w, b, y);
}
