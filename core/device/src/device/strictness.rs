//! Whether a device computes with floating-point numbers as the language of kernels says

mod cases;
mod probe;

use super::lock;
use crate::kernel::Image;
use ringwood_base::sync::Mutex;
use ringwood_base::sync::atomic::AtomicBool;

/// How a device computes with floating-point numbers.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strictness {
    /// It runs the native code of kernels, compiled with the program: there is nothing to try.
    Native,
    /// It runs kernels from their IR, and every number tried had the bits that it has elsewhere.
    Strict,
    /// It gives other bits than other devices; what it does, for each element type, as its driver
    /// says or as was tried.
    Approximate(Vec<String>),
}

impl std::fmt::Display for Strictness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Strictness::Native => f.write_str("native"),
            Strictness::Strict => f.write_str("strict"),
            Strictness::Approximate(flaws) => write!(f, "approximate: {}", flaws.join(", ")),
        }
    }
}

/// What is known of a device.
#[derive(Default)]
pub(super) struct Probed {
    known: Mutex<Option<Strictness>>,
    /// Nothing stands against running strict kernels: looked at before each compilation.
    cleared: AtomicBool,
    /// What the device's compiler made of the kernels that try it.
    images: Mutex<Vec<Image>>,
}

impl Probed {
    pub(super) fn images(&self) -> Vec<Image> {
        lock(&self.images).clone()
    }
}
