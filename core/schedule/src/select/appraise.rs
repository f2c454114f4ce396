//! What each algorithm would cost, and why one cannot be used.

use super::{Setting, order};
use crate::simulate::STEPS;
use crate::verify::{Proof, prove};
use crate::{Collective, CollectiveDef, CostModel, Layout, Params, Request, Simulation};
use ringwood_base::registry::{Entry, Registry};
use ringwood_base::{Error, Result, Shared};
use std::borrow::Cow;
use std::sync::Arc;

/// Groups up to this size prove every algorithm before they choose, since a proof tells which sends
/// leave a copy; larger ones prove what they choose.
const PROVED_FIRST: usize = 64;
/// The rounds in which larger groups weigh: schedules of at most so many steps of all ranks; a round is the last one
/// where its best is predicted to take less than so many seconds. The first takes less than a second, and calls below
/// 10 ms are not worth more. The second admits trees of 2^20 ranks, which have four steps for each. The third comes
/// where nothing else can be used.
const WEIGHED: [(usize, f64); 3] =
    [(1 << 17, 1e-2), (1 << 22, f64::INFINITY), (STEPS, f64::INFINITY)];

/// What is called, and who may run it.
pub(super) struct Call<'a> {
    pub(super) registry: &'a Registry,
    pub(super) request: &'a Request,
    pub(super) setting: &'a Setting,
}

/// An algorithm that can be used, as far as its descriptor tells.
#[derive(Clone)]
pub(super) struct Offer {
    name: String,
    pub(super) collective: Shared<dyn Collective>,
    params: Params,
    /// The predicted time of a call.
    pub(super) seconds: f64,
}

/// An algorithm that cannot be used, by its name, and why.
pub(super) type Refused = (Cow<'static, str>, Error);

impl Call<'_> {
    /// The algorithms that the verifier proves, the cheapest first, with their proofs: `every` one, or the
    /// first alone; and those that cannot be used. Long schedules are weighed where no short one is fast, and
    /// what was weighed keeps its time.
    pub(super) fn usable(&self, every: bool) -> (Vec<(Offer, Arc<Proof>)>, Vec<Refused>) {
        let (mut usable, mut refused, mut offers) = (Vec::new(), Vec::new(), Vec::new());
        let small = self.request.ranks <= PROVED_FIRST;
        for &(steps, fast) in if small { &WEIGHED[2..] } else { &WEIGHED } {
            refused = self.weigh(&mut offers, steps);
            usable.clear();
            for offer in &offers {
                match self.prove(&*offer.collective, &offer.params) {
                    Ok(proof) => usable.push((offer.clone(), proof)),
                    Err(error) => refused.push((offer.collective.describe().name, error)),
                }
                if !every && !usable.is_empty() {
                    break;
                }
            }
            if usable.first().is_some_and(|(best, _)| best.seconds < fast) {
                break;
            }
        }
        (usable, refused)
    }

    /// Adds what can be weighed by so many steps to the offers, the cheapest first; returns who cannot make one.
    fn weigh(&self, offers: &mut Vec<Offer>, steps: usize) -> Vec<Refused> {
        let mut refused = Vec::new();
        for (entry, def) in self.registry.of::<CollectiveDef>() {
            let name = entry.meta().shown_name();
            if offers.iter().any(|offer| offer.name == name) {
                continue;
            }
            let described = def.describe(entry);
            let called = self.request.what.operation;
            if described.as_ref().is_ok_and(|descriptor| descriptor.operation != called) {
                continue;
            }
            match described.and_then(|_| self.offer(entry, def.collective.clone(), steps)) {
                Ok(offer) => offers.push(offer),
                Err(error) => refused.push((entry.meta().name.to_owned().into(), error)),
            }
        }
        // Of equal costs, the first by name.
        offers.sort_by(|a, b| a.seconds.total_cmp(&b.seconds).then_with(|| a.name.cmp(&b.name)));
        refused
    }

    fn offer(
        &self,
        entry: &Entry,
        collective: Shared<dyn Collective>,
        steps: usize,
    ) -> Result<Offer> {
        check_name(&*collective, entry.meta().name, self.request)?;
        let params = Params::resolved(&*collective, self.request)?;
        let first = self.request.ranks <= PROVED_FIRST;
        let proof = first.then(|| self.prove(&*collective, &params)).transpose()?;
        let simulation = Simulation::new(&self.setting.model).at_most(steps);
        let seconds = seconds(entry, &*collective, self.request, proof.as_deref(), simulation)?;
        Ok(Offer { name: entry.meta().shown_name(), collective, params, seconds })
    }

    /// Proves a schedule, and that it is one for this request, transport and order.
    pub(super) fn prove(&self, collective: &dyn Collective, params: &Params) -> Result<Arc<Proof>> {
        let (Self { request, setting, .. }, proof) = (self, prove(collective, params)?);
        let verdict = &proof.verdict;
        let why = if !setting.capabilities.covers(verdict.needs) {
            "asks more of a transport than the group's can do".to_owned()
        } else if !Layout::new(params, request)?.allows(verdict.moves) {
            format!(
                "moves chunks that must have equal sizes, and {} elements do not give them",
                request.elements
            )
        } else if Layout::new(params, request)?.converts() && !verdict.aside {
            "merges where elements travel, and what travels here is encoded with loss".to_owned()
        } else if request.in_order() && !verdict.in_order {
            "does not merge the ranks in their order, as an operator that does not commute needs"
                .into()
        } else if let Some(fixed) =
            setting.order.filter(|_| order::matters(params.operation(), request.ranks))
            && !order::satisfies(verdict.order, fixed, request.ranks)
        {
            let class =
                verdict.order.map_or("no order".to_owned(), |order| format!("order {order}"));
            format!("merges in {class}, not {fixed}")
        } else {
            return Ok(proof);
        };
        Err(Error::unsupported(format!("collective `{}` {why}", verdict.collective)))
    }
}

/// The predicted time of a call by the algorithm of this name.
///
/// # Errors
/// There is none; it describes itself by another name, or panics; it is not for this request, is wrong, or cannot be
/// simulated.
pub fn predict(
    registry: &Registry,
    name: &str,
    request: &Request,
    model: &CostModel,
) -> Result<f64> {
    let entry = registry.entry::<CollectiveDef>(name)?;
    let collective = registry.find::<CollectiveDef>(name)?.called(entry)?;
    let proof = prove(collective, &Params::resolved(collective, request)?)?;
    seconds(entry, collective, request, Some(&proof), Simulation::new(model))
}

fn seconds(
    entry: &Entry,
    collective: &dyn Collective,
    request: &Request,
    proof: Option<&Proof>,
    simulation: Simulation<'_>,
) -> Result<f64> {
    let staged = proof.map(|proof| proof.staged.as_slice());
    let seconds = simulation.call_seconds(collective, request, staged)?;
    let (name, bytes) = (entry.meta().shown_name(), request.bytes()? as u64);
    Ok(seconds * simulation.model().corrections.factor(&name, request.ranks, bytes))
}

pub(super) fn check_name(collective: &dyn Collective, name: &str, request: &Request) -> Result<()> {
    let descriptor = collective.describe();
    descriptor.check_name(name)?;
    descriptor.check_computes(request.what.operation)
}
