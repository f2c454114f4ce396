//! Calibration: what steps cost on this machine, measured.
//!
//! Calls of the registered algorithms are measured between threads. The parameters of the cost model
//! are fitted to all of them together, and what the model then misses is kept as a correction for
//! each algorithm, group size and buffer size.

mod fit;
mod measure;

pub use crate::calibration::{Calibration, Machine, Stored, cost_model, path};
pub use measure::{Effort, measure};

use ringwood_base::registry::Registry;
use ringwood_base::{DType, Result};
use ringwood_schedule::{
    BufferMode, Bytes, Capabilities, CollectiveDef, CostModel, Operation, Request, Setting, choose,
};
use serde::Serialize;

/// One measured call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sample {
    /// The algorithm.
    pub algorithm: String,
    /// What it computes.
    pub operation: Operation,
    /// The size of the group.
    pub ranks: usize,
    /// The bytes of a rank's buffer.
    pub bytes: u64,
    /// The time of a call.
    pub seconds: f64,
}

/// What is measured: every combination.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Operations.
    pub operations: Vec<Operation>,
    /// Group sizes.
    pub ranks: Vec<usize>,
    /// Bytes of a rank's buffer.
    pub bytes: Vec<Bytes>,
    /// How long each is measured.
    pub effort: Effort,
}

impl Default for Grid {
    /// Every operation among 2 to 8 ranks, from 16 bytes to 16 MiB.
    fn default() -> Self {
        let bytes = [16, 512, 8 << 10, 64 << 10, 512 << 10, 4 << 20, 16 << 20];
        Self {
            operations: Operation::ALL.to_vec(),
            ranks: (2..=8).collect(),
            bytes: bytes.map(Bytes).to_vec(),
            effort: Effort::default(),
        }
    }
}

/// Measures this machine; `progress` is told what is measured next.
///
/// # Errors
/// A group cannot be opened, or a call fails.
pub fn calibrate(
    registry: &Registry,
    grid: &Grid,
    mut progress: impl FnMut(&str),
) -> Result<Calibration> {
    let mut samples = Vec::new();
    for &ranks in &grid.ranks {
        for &operation in &grid.operations {
            progress(&format!("{operation} among {ranks} ranks"));
            // A barrier has no buffer that could be longer.
            let sizes = if operation == Operation::Barrier { 1 } else { grid.bytes.len() };
            for &bytes in grid.bytes.iter().take(sizes) {
                samples.extend(measure_all(registry, operation, ranks, bytes, grid.effort)?);
            }
        }
    }
    progress("fitting the cost model");
    let machine = Machine::this();
    let start = CostModel::peer_memory(machine.cores);
    let (model, error) = fit::fit(registry, start, &samples)?;
    Ok(Calibration { machine, model, samples: samples.len(), error })
}

/// Measures every algorithm that a group can use for a request.
fn measure_all(
    registry: &Registry,
    operation: Operation,
    ranks: usize,
    bytes: Bytes,
    effort: Effort,
) -> Result<Vec<Sample>> {
    let request = request(operation, ranks, bytes.0);
    let names = usable(registry, &request);
    let seconds = measure(registry, &request, &names, effort)?;
    let bytes = request.bytes()? as u64;
    let sample = |(name, seconds): (&str, f64)| Sample {
        algorithm: name.to_owned(),
        operation,
        ranks,
        bytes,
        seconds,
    };
    Ok(names.into_iter().zip(seconds).map(sample).collect())
}

/// The request for about `bytes` bytes of `f32` in a rank's buffer.
fn request(operation: Operation, ranks: usize, bytes: u64) -> Request {
    let blocks = if operation.blocked() { ranks } else { 1 };
    let elements = match operation {
        Operation::Barrier => 0,
        _ => (bytes as usize / DType::F32.size()).div_ceil(blocks).max(1),
    };
    Request::new(operation, ranks, elements, DType::F32).mode(BufferMode::InPlace)
}

fn usable<'r>(registry: &'r Registry, request: &Request) -> Vec<&'r str> {
    let capabilities = Capabilities::PEER_LOAD;
    let setting = Setting::new(CostModel::cluster(), capabilities);
    let fits = |name: &&str| choose(registry, Some(name), request, &setting).is_ok();
    let called = request.what.operation;
    let computes = |def: &CollectiveDef| def.collective.describe().operation == called;
    let all = registry.of::<CollectiveDef>().filter(|(_, def)| computes(def));
    all.map(|(entry, _)| entry.meta().name).filter(fits).collect()
}

#[cfg(test)]
mod tests;
