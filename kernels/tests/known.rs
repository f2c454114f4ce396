//! Outside of `jit`, an operator is told the elements that its shape needs, and no others.

use ringwood_backend_cpu as _;
use ringwood_base::Result;
use ringwood_graph::lazy::{Lazy, stats};
use ringwood_kernels as _;

/// The counters are those of the program: one test.
#[test]
fn elements_that_no_shape_needs_are_no_part_of_a_program() -> Result<()> {
    let shape = Lazy::new(&[2], &[64_i64, -1]);
    let reshaped = |i: usize| {
        let x = Lazy::full(&[4096], i as f32);
        x.apply("reshape_to", &[&shape], ()).to_vec::<f32>()
    };
    assert_eq!(reshaped(0)?, vec![0.0; 4096]);
    let before = stats();
    for i in 1..10 {
        assert_eq!(reshaped(i)?, vec![i as f32; 4096]);
    }
    assert_eq!(stats().misses, before.misses);
    Ok(())
}
