//! Where new tensors are, and what takes over where a device has no kernel.

use crate::engine::within;
use ringwood_base::Result;
use ringwood_base::sync::lock;
use ringwood_device::device::{Device, Runtime};
use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

thread_local! {
    static HERE: RefCell<Vec<Device>> = const { RefCell::new(Vec::new()) };
}

static DEFAULT: Mutex<Option<Device>> = Mutex::new(None);
static FALLBACK: Mutex<Vec<Device>> = Mutex::new(Vec::new());
/// How often the fallback was set.
static CHANGES: AtomicU64 = AtomicU64::new(0);

/// Where new tensors are: the innermost [`with_default_device`] of the thread, else what [`set_default_device`] said,
/// else [`Device::best`].
///
/// # Errors
/// No device runs kernels.
pub fn default_device() -> Result<Device> {
    let here = HERE.with_borrow(|here| here.last().cloned());
    let chosen = || lock(&DEFAULT).clone();
    here.or_else(chosen).map_or_else(Device::best, Ok)
}

/// Makes a device the default of the whole program.
pub fn set_default_device(device: &Device) {
    *lock(&DEFAULT) = Some(device.clone());
}

/// Runs a function in which a device is the default of this thread.
pub fn with_default_device<T>(device: &Device, f: impl FnOnce() -> T) -> T {
    within(&HERE, device.clone(), f)
}

/// All devices that programs can run on.
///
/// # Errors
/// A backend failed otherwise than by being unavailable on this machine.
pub fn devices() -> Result<Vec<Device>> {
    Runtime::global()?.devices()
}

/// Lets these devices, in order, run the operators for which the device of their operands has no kernel. Without
/// them, such an operator is an error. [`stats`](super::stats) counts what they took.
pub fn set_fallback(devices: &[Device]) {
    *lock(&FALLBACK) = devices.to_vec();
    CHANGES.fetch_add(1, Ordering::Relaxed);
}

pub(super) fn fallback() -> Vec<Device> {
    lock(&FALLBACK).clone()
}

/// A number that changes with the fallback.
pub(super) fn changes() -> u64 {
    CHANGES.load(Ordering::Relaxed)
}
