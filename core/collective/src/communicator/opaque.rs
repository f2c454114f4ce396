//! Collectives that a transport brings itself: candidates that are measured, since nothing of them can be predicted
//! or proved.

use super::prepared::{How, Key};
use super::{Call, Communicator, Local};
use crate::library::no_order;
use ringwood_base::{DType, Error, Result};
use ringwood_schedule::{Invocation, Operation, ReduceOp, Request};
use ringwood_transport::{Buffers, CallSpec, Plan};
use std::collections::HashMap;
use std::time::Instant;

/// What a rank knows of them.
#[derive(Default)]
pub(super) struct Opaque {
    /// Whether the transport's was the faster one, by what is called and the size.
    faster: HashMap<(Operation, Option<ReduceOp>, DType, u32), bool>,
    /// What became of a measurement that failed, on every rank alike.
    pub(super) failed: Option<Error>,
}

/// Shorter calls are not measured: agreeing is most of them.
pub(super) const LEAST: usize = 64 << 10;
/// Longer ones are measured by this size.
pub(super) const MOST: usize = 4 << 20;
/// The calls of either kind that are measured, of which the fastest counts, after one to warm up.
const ROUNDS: usize = 4;

/// Whether the second of two kinds of calls takes less time than the first; they are made in turns.
pub(super) fn is_second_faster(mut call: impl FnMut(bool) -> Result<()>) -> Result<bool> {
    let mut best = [f64::INFINITY; 2];
    for round in 0..=ROUNDS {
        for (second, best) in [false, true].into_iter().zip(&mut best) {
            let start = Instant::now();
            call(second)?;
            if round > 0 {
                *best = best.min(start.elapsed().as_secs_f64());
            }
        }
    }
    Ok(best[1] < best[0])
}

impl Call<'_> {
    /// The slot of a call that the transport's own collective runs: it was asked for, or no order is and it is
    /// the faster one.
    pub(super) fn prepare_opaque(self, local: &mut Local, key: &Key<'_>) -> Result<Option<usize>> {
        let Communicator { rank, shared, .. } = self.communicator;
        if key.device.is_some() {
            return Ok(None);
        }
        let request = key.request(*rank)?.arrangement(shared.arrangement.clone());
        let name = local.endpoint.opaque(&request);
        if let Some(asked) = self.algorithm.filter(|asked| name != Some(*asked)) {
            return local.endpoint.refuses(asked, &request).map_or(Ok(None), Err);
        }
        let Some(name) = name else { return Ok(None) };
        let order = self.order.or(shared.selector.setting().order);
        match (self.algorithm, order) {
            (Some(_), Some(order)) => return Err(no_order(name, order)),
            (None, Some(_)) => return Ok(None),
            (None, None) if !self.is_faster(local, key, name)? => return Ok(None),
            _ => {}
        }
        let slot = self.keep_opaque(local, key, (name, &request), How::default())?;
        local.endpoint.prepare_opaque(slot, &request)?;
        Ok(Some(slot))
    }

    /// A slot of a call that no plan runs: by one for no elements the ranks agree.
    pub(super) fn keep_opaque(
        self,
        local: &mut Local,
        key: &Key<'_>,
        (name, request): (&str, &Request),
        how: How,
    ) -> Result<usize> {
        let Communicator { rank, shared, .. } = self.communicator;
        let none = request.without_elements();
        let collective = shared.selector.select(&shared.registry, None, None, &none)?;
        let plan = Plan::new(collective, &shared.registry, *rank, &none)?;
        let (request, algorithm) = (request.clone(), name.to_owned().into());
        let (on_devices, purpose) = (key.device.is_some(), key.purpose);
        let spec = CallSpec { request, order: None, algorithm, on_devices, purpose };
        local.prepared.keep(key, spec, how, &plan, &mut *local.endpoint)
    }

    /// Whether the transport's collective is faster than the algorithm that would be chosen.
    fn is_faster(self, local: &mut Local, key: &Key<'_>, name: &str) -> Result<bool> {
        let (what, bytes) = (key.what, key.lengths[0].max(key.lengths[1]));
        if bytes < LEAST {
            return Ok(false);
        }
        let class = (what.operation, what.reduce, what.dtype, bytes.min(MOST).ilog2());
        if let Some(&faster) = local.opaque.faster.get(&class) {
            return Ok(faster);
        }
        // Blocks of whole elements, for every rank.
        let unit = self.communicator.size() * what.dtype.size();
        let faster = self.measure(local, what, bytes.min(MOST) / unit * unit, name);
        local.opaque.failed = faster.as_ref().err().cloned();
        local.opaque.faster.insert(class, faster?);
        Ok(local.opaque.faster[&class])
    }

    fn measure(
        self,
        local: &mut Local,
        what: &Invocation<'_>,
        bytes: usize,
        name: &str,
    ) -> Result<bool> {
        // Sums of zeros stay zeros.
        let mut zeros = vec![0_u64; bytes.div_ceil(8)];
        let data = &mut bytemuck::cast_slice_mut(&mut zeros)[..bytes];
        let (mode, lengths) = Buffers::InPlace(data).shape();
        let (algorithm, order, purpose) = (None, None, None);
        let key = Key { what, algorithm, order, purpose, mode, lengths, device: None };
        // What cannot be chosen is refused by the call that all ranks make.
        let Ok((_, CallSpec { algorithm: own, .. })) = self.choose(&key) else { return Ok(false) };
        let faster = is_second_faster(|second| {
            let algorithm = if second { name } else { &*own };
            let slot = self.with(algorithm).slot(local, what, &Buffers::InPlace(data));
            let failure = &self.communicator.shared.failure;
            local.run(slot, Buffers::InPlace(data), self.bounds, failure)?;
            // That was the call of this number.
            local.calls += 1;
            Ok(())
        })?;
        // Rank 0 says which, as clocks differ.
        let (ranks, within) = (self.communicator.size(), self.bounds.execution);
        let mut faster = [u8::from(faster)];
        if self.communicator.rank() == 0 {
            let mut tell = |to| local.endpoint.send(to, &faster, DType::U8, within);
            (1..ranks).try_for_each(&mut tell)?;
        } else {
            local.endpoint.recv(0, &mut faster, DType::U8, within)?;
        }
        Ok(faster[0] == 1)
    }
}
