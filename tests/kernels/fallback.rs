//! What a device has no kernel for, taken by the next one of an explicit list, and counted.

use crate::devices::{device, runtime};
use ringwood::lazy::{set_fallback, stats};
use ringwood::prelude::*;
use ringwood::{ErrorKind, Result};
use std::sync::{Mutex, PoisonError};

/// `2 x`, and the processor alone has it.
#[kernel(map, device = cpu)]
fn twice_here(x: f32) -> f32 {
    x + x
}

ringwood::register_operator! {
    /// Twice a number.
    pub TwiceHere = twice_here;
    shape: "... -> ...",
}

/// The list is that of the process: tests of recorded programs take turns.
pub(crate) static TURN: Mutex<()> = Mutex::new(());

#[test]
fn the_next_device_of_a_list_takes_what_one_has_no_kernel_for() -> Result<()> {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let runtime = runtime();
    let Some(opencl) = device(&runtime, "opencl:0") else { return Ok(()) };
    let x = || Lazy::of(opencl.tensor(&[1.0_f32, 2.0, 3.0, 4.0]).unwrap());
    // The plan has a node more in front: one that puts the elements in a row.
    let turned = |x: Lazy| x.reshape(&[2, 2]).permute(&[1, 0]).reshape(&[4]);
    let step = jit(|x: Lazy| TwiceHere::on(&[&turned(x + 1.0)], ()) - 1.0);
    let refused = || {
        let error = step.call(x()).map(drop).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
        assert!(error.to_string().contains("twice_here"), "{error}");
    };
    refused();
    set_fallback(&[opencl.clone(), runtime.device("cpu:0")?]);
    for result in [step.call(x())?, turned(TwiceHere::on(&[&x()], ()) + 1.0)] {
        assert_eq!(result.device()?, opencl);
        assert_eq!(result.to_vec::<f32>()?, [3.0, 7.0, 5.0, 9.0]);
    }
    let taken = ("twice_here".to_owned(), "cpu:0".to_owned());
    assert_eq!(stats().fallbacks.into_iter().collect::<Vec<_>>(), [(taken, 2)]);
    set_fallback(&[]);
    refused();
    Ok(())
}
