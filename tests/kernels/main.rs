//! Kernels as users write them, on the processor and on the first OpenCL device.
#![cfg(feature = "inventory")]

mod asked;
mod atomics;
#[path = "../support/chip.rs"]
mod chip;
mod device_functions;
#[path = "../support/devices.rs"]
mod devices;
mod dialects;
mod fallback;
mod forms;
mod groups;
mod launches;
mod narrow;
mod pairs;
mod races;
mod reductions;
mod small_integers;
mod traces;
mod two_devices;
mod unique;
mod views;

use ringwood::kernel::KernelDef;
use ringwood::registry::Entry;

/// The declaration of a kernel.
fn def(entry: Entry) -> &'static KernelDef {
    entry.declared().unwrap()
}
