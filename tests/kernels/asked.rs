//! Graphs whose sizes depend on data: what was computed to find one is not computed again to find the next.

use crate::devices::cpu;
use crate::fallback::TURN;
use ringwood::graph::{Graph, Model};
use ringwood::{DType, Result, kernel, register_operator};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Twice the input, counted.
#[kernel(host, device = cpu)]
fn counted(x: &[f32], y: &mut [f32]) {
    CALLS.fetch_add(1, Ordering::SeqCst);
    y.iter_mut().zip(x).for_each(|(y, x)| *y = 2.0 * x);
}

register_operator! { pub Counted = counted; shape: "n -> n" }

#[test]
fn what_a_part_computed_is_kept_for_the_next() -> Result<()> {
    // Random programs draw the operators of this file, too.
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let before = CALLS.load(Ordering::SeqCst);
    let mut graph = Graph::new();
    let mut value = graph.open_input("x", DType::F32, &["n".into()])?;
    for _ in 0..3 {
        let doubled = graph.apply("counted", &[value])?;
        value = graph.apply_all("unique", &[doubled], [("results", 1_usize)])?[0];
    }
    graph.output("y", value)?;
    let x = cpu().tensor(&[3.0_f32, 1.0, 2.0, 1.0])?;
    let y = Model::new(graph, &[cpu()]).run(&[("x", &x)])?;
    assert_eq!(y[0].to_vec::<f32>()?, [8.0, 16.0, 24.0]);
    // One for each part, and three of the whole.
    assert_eq!(CALLS.load(Ordering::SeqCst) - before, 6);
    Ok(())
}
