//! The one device, `cpu:0`.

use crate::memory::Budget;
use ringwood_base::DType;
use ringwood_base::sync::{cores, threads};
use ringwood_device::backend::Capabilities;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The kinds of streams, the default first.
pub(crate) const KINDS: [&str; 3] = ["threaded", "sync", "chaos"];

/// The processor and the memory of this machine.
#[derive(Clone)]
pub struct Device(Arc<State>);

struct State {
    budget: Arc<Budget>,
    streams: AtomicU64,
}

impl Device {
    pub(crate) fn new() -> Self {
        let budget = Arc::new(Budget::new(physical_memory()));
        Self(Arc::new(State { budget, streams: AtomicU64::new(0) }))
    }

    /// What is allocated, and how much may be.
    pub(crate) fn budget(&self) -> &Arc<Budget> {
        &self.0.budget
    }

    /// The number of the next stream, from 0 on.
    pub(crate) fn next_stream(&self) -> u64 {
        self.0.streams.fetch_add(1, Ordering::Relaxed)
    }

    pub(crate) fn capabilities(&self) -> Capabilities {
        let threads = threads().unwrap_or_else(|_| cores());
        let model = line_of("/proc/cpuinfo", "model name").unwrap_or(std::env::consts::ARCH.into());
        let plural = if threads == 1 { "" } else { "s" };
        Capabilities {
            description: format!("{model}, {threads} thread{plural}"),
            stream_kinds: KINDS.map(String::from).to_vec(),
            suggested_streams: threads,
            memory_bytes: self.budget().limit(),
            dtypes: DType::ALL.to_vec(),
            kernels: true,
            warnings: warnings(fuses()),
            command_buffers: true,
            host_memory: true,
            ..Default::default()
        }
    }
}

/// Whether native code has the instruction of a fused multiply-add.
fn fuses() -> bool {
    #[cfg(target_arch = "x86_64")]
    return is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    return true;
}

/// What a user should know of a processor that fuses, or does not.
fn warnings(fuses: bool) -> Vec<String> {
    let slow = "no fused multiply-add in AVX2: software does it, with the same bits, so that products of \
        matrices are many times slower";
    if fuses { Vec::new() } else { vec![slow.into()] }
}

/// The bytes of the machine's memory, where the system tells (Linux).
fn physical_memory() -> Option<usize> {
    let total = line_of("/proc/meminfo", "MemTotal")?;
    let kibibytes: usize = total.strip_suffix(" kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// The value of the first line `key: value` of a file.
fn line_of(path: &str, key: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let lines = text.lines().filter_map(|line| line.split_once(':'));
    lines.into_iter().find(|(k, _)| k.trim() == key).map(|(_, v)| v.trim().into())
}

#[cfg(test)]
mod tests;
