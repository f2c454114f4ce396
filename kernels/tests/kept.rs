//! Fused kernels that are no longer used take no memory: a program may make as many as it likes.

use ringwood_backend_cpu::Cpu;
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Result};
use ringwood_device::backend::Registered;
use ringwood_device::device::{Device, Runtime};
use ringwood_graph::graph::Graph;
use std::ops::Range;
use std::sync::Arc;

const X: [f32; 2] = [0.5, 1.75];
const Y: [f32; 2] = [-1.25, 0.375];

/// Runs chains of six operators of 46,656, each computed by one kernel, and drops them.
fn run(device: &Device, registry: &Arc<Registry>, numbers: Range<usize>) -> Result<()> {
    let mut graph = Graph::with_registry(Arc::clone(registry));
    let inputs = [graph.input("x", DType::F32, &[2])?, graph.input("y", DType::F32, &[2])?];
    let mut all_expected = Vec::new();
    for number in numbers {
        let (mut value, mut expected) = (inputs[0], X);
        for link in 0..6 {
            let digit = number / 6_usize.pow(link) % 6;
            let (operator, input) = (["add", "sub", "mul"][digit / 2], digit % 2);
            value = graph.apply(operator, &[value, inputs[input]])?;
            for (value, operand) in expected.iter_mut().zip([X, Y][input]) {
                *value = [*value + operand, *value - operand, *value * operand][digit / 2];
            }
        }
        graph.output(&number.to_string(), value)?;
        all_expected.push(expected);
    }
    let (x, y) = (device.tensor(&X)?, device.tensor(&Y)?);
    let mut plan = graph.plan(std::slice::from_ref(device))?;
    assert_eq!(plan.graph().nodes().len(), 2 + all_expected.len(), "each chain is one kernel");
    for (out, expected) in plan.run(&[("x", &x), ("y", &y)])?.iter().zip(all_expected) {
        assert_eq!(out.to_vec::<f32>()?, expected);
    }
    Ok(())
}

/// Bytes of memory that the process has.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number") * 4096
}

#[test]
fn ten_thousand_fused_kernels_take_no_more_memory_than_a_thousand() {
    const BATCH: usize = 20;
    let mut builder = Registry::builder().register(Cpu::ENTRY);
    for entry in ringwood_kernels::ENTRIES {
        builder = builder.register(entry.clone());
    }
    let registry = Arc::new(builder.build().unwrap());
    let device = Runtime::new(Registry::clone(&registry)).device("cpu:0").unwrap();
    let run = |numbers: Range<usize>| {
        let mut starts = numbers.step_by(BATCH);
        starts.try_for_each(|start| run(&device, &registry, start..start + BATCH)).unwrap();
    };
    run(0..1_000);
    let before = resident();
    run(1_000..10_000);
    let growth = resident().saturating_sub(before);
    println!("{growth} bytes more");
    assert!(growth <= 16 << 20, "{growth} bytes more than after a thousand kernels");
    // The first ones were dropped long ago, and are made again.
    run(0..100);
}
