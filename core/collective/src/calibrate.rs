//! Calibration: what steps cost on this machine, measured.
//!
//! Calls of the registered algorithms are measured between threads. The parameters of the cost model
//! are fitted to all of them together, and what the model then misses is kept as a correction for
//! each algorithm, group size and buffer size.

mod floor;
mod measure;

pub use crate::calibration::{Calibration, Machine, Stored, cost_model, path};
pub use floor::floor;
pub use measure::{Effort, measure};
pub use ringwood_schedule::Sample;

use ringwood_base::Result;
use ringwood_base::registry::Registry;
use ringwood_schedule::{
    Bytes, Capabilities, CollectiveDef, CostModel, Operation, Request, Setting, choose, fit,
};

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
    let (model, error) = fit(registry, start, &samples)?;
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
    let request = Request::sized(operation, ranks, bytes);
    let names = usable(registry, &request);
    let called: Vec<&str> = names.iter().map(String::as_str).collect();
    let seconds = measure(registry, &request, &called, effort)?;
    let bytes = request.bytes()? as u64;
    let sample = |(algorithm, seconds)| Sample { algorithm, operation, ranks, bytes, seconds };
    Ok(names.into_iter().zip(seconds).map(sample).collect())
}

fn usable(registry: &Registry, request: &Request) -> Vec<String> {
    let capabilities = Capabilities::PEER_MEMORY;
    let setting = Setting::new(CostModel::cluster(), capabilities);
    let fits = |name: &String| choose(registry, Some(name), request, &setting).is_ok();
    let called = request.what.operation;
    let computes = |entry, def: &CollectiveDef| {
        def.describe(entry).is_ok_and(|descriptor| descriptor.operation == called)
    };
    let all = registry.of::<CollectiveDef>().filter(|(entry, def)| computes(entry, def));
    all.map(|(entry, _)| entry.meta().shown_name()).filter(fits).collect()
}

#[cfg(test)]
mod tests;
