//! The cost model that explains measured calls best.

use crate::{Bytes, CollectiveDef, Corrections, CostModel, Operation, Rate, Request, predict};
use ringwood_base::Result;
use ringwood_base::registry::Registry;
use serde::Serialize;
use std::collections::BTreeMap;

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

/// Sweeps over all parameters, each with smaller steps than the one before.
const SWEEPS: usize = 8;
/// The working sets between which the rates of bytes are fitted.
const PLATEAUS: [u64; 4] = [64 << 10, 1 << 20, 16 << 20, 128 << 20];

/// Fits the parameters of `start` to measured calls, and corrects what is left; also returns the
/// median error before corrections.
///
/// # Errors
/// An algorithm cannot be simulated.
pub fn fit(registry: &Registry, start: CostModel, samples: &[Sample]) -> Result<(CostModel, f64)> {
    let mut model = prepare(start, samples);
    // One operation that merges and moves shows every cost.
    let shown = |s: &&Sample| s.operation == Operation::AllReduce;
    let shown: Vec<&Sample> = samples.iter().filter(shown).collect();
    let mut least = loss(registry, &model, &shown)?;
    for sweep in 0..SWEEPS {
        let step = 1.0 + 1.5 / (1 << sweep) as f64;
        for parameter in 0..parameters(&mut model).len() {
            for factor in [step, 1.0 / step] {
                let mut other = model.clone();
                *parameters(&mut other)[parameter] *= factor;
                let loss = loss(registry, &other, &shown)?;
                if loss < least {
                    (least, model) = (loss, other);
                    break;
                }
            }
        }
    }
    correct(registry, model, samples)
}

/// The model with a point for each group size and plateau.
fn prepare(start: CostModel, samples: &[Sample]) -> CostModel {
    let mut ranks: Vec<usize> = samples.iter().map(|s| s.ranks).collect();
    ranks.sort_unstable();
    ranks.dedup();
    let spread = |rate: &Rate| {
        let points = PLATEAUS.map(|bytes| (bytes, rate.at(bytes)));
        Rate::table(points.to_vec()).expect("plateaus ascend")
    };
    let (receive, reduce, copy) = (&start.receive, &start.reduce, &start.copy);
    CostModel {
        call: ranks.iter().map(|&n| (n, start.call_seconds(n))).collect(),
        receive: spread(receive),
        reduce: spread(reduce),
        copy: spread(copy),
        ..start
    }
}

fn parameters(model: &mut CostModel) -> Vec<&mut f64> {
    let CostModel { latency, overhead, switch, call, receive, reduce, copy, .. } = model;
    let mut all = vec![latency, overhead, switch];
    all.extend(call.iter_mut().map(|point| &mut point.1));
    all.extend([receive, reduce, copy].into_iter().flat_map(Rate::seconds_mut));
    all
}

/// The mean of how far predictions are off, as logarithms: twice and half are equally wrong.
fn loss(registry: &Registry, model: &CostModel, samples: &[&Sample]) -> Result<f64> {
    let mut sum = 0.0;
    for sample in samples {
        sum += (predicted(registry, model, sample)? / sample.seconds).ln().abs();
    }
    Ok(sum / samples.len().max(1) as f64)
}

fn predicted(registry: &Registry, model: &CostModel, sample: &Sample) -> Result<f64> {
    let request = Request::sized(sample.operation, sample.ranks, Bytes(sample.bytes));
    predict(registry, &sample.algorithm, &request, model)
}

fn correct(registry: &Registry, model: CostModel, samples: &[Sample]) -> Result<(CostModel, f64)> {
    let mut factors: BTreeMap<(String, usize), Vec<(u64, f64)>> = BTreeMap::new();
    let mut errors = Vec::new();
    for sample in samples {
        let factor = sample.seconds / predicted(registry, &model, sample)?;
        errors.push(factor.ln().abs().exp() - 1.0);
        let name = registry.entry::<CollectiveDef>(&sample.algorithm)?.meta().shown_name();
        factors.entry((name, sample.ranks)).or_default().push((sample.bytes, factor));
    }
    errors.sort_by(f64::total_cmp);
    let error = errors.get(errors.len() / 2).copied().unwrap_or(0.0);
    let mut corrections = Corrections::default();
    for ((algorithm, ranks), mut points) in factors {
        points.sort_by_key(|point| point.0);
        points.dedup_by_key(|point| point.0);
        corrections.insert(&algorithm, ranks, Rate::table(points)?);
    }
    Ok((CostModel { corrections, ..model }, error))
}
