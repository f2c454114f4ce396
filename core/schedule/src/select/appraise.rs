//! What each algorithm would cost, and why one cannot be used.

use super::{Setting, order};
use crate::verify::{Proof, prove};
use crate::{Collective, CollectiveDef, CostModel, Layout, Params, Request, Simulation};
use ringwood_base::registry::Registry;
use ringwood_base::{Error, ErrorKind, Result, Shared};
use std::borrow::Cow;
use std::sync::Arc;

/// Groups up to this size prove every algorithm before they choose, since a proof tells which sends
/// leave a copy; larger ones prove what they choose.
const PROVED_FIRST: usize = 64;

/// An algorithm that can be used, as far as its descriptor tells.
pub(super) struct Offer {
    pub(super) collective: Shared<dyn Collective>,
    pub(super) params: Params,
    pub(super) proof: Option<Arc<Proof>>,
    /// The predicted time of a call.
    pub(super) seconds: f64,
}

/// The offers for a request, the cheapest first, and who cannot make one.
pub(super) fn all(
    registry: &Registry,
    request: &Request,
    setting: &Setting,
) -> (Vec<Offer>, Vec<(Cow<'static, str>, Error)>) {
    let (mut offers, mut refused) = (Vec::new(), Vec::new());
    for (entry, def) in registry.of::<CollectiveDef>() {
        let collective = &def.collective;
        if collective.describe().operation != request.what.operation {
            continue;
        }
        match offer(collective, entry.meta().name, request, setting) {
            Ok(offer) => offers.push(offer),
            Err(error) => refused.push((entry.meta().name.to_owned().into(), error)),
        }
    }
    // Entries come by name, and the sort is stable: of equal costs, the first by name.
    offers.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    (offers, refused)
}

fn offer(
    collective: &Shared<dyn Collective>,
    name: &str,
    request: &Request,
    setting: &Setting,
) -> Result<Offer> {
    let kept = collective.clone();
    let collective = &**collective;
    check_name(collective, name, request)?;
    let params = collective.resolve(request)?;
    let mut proof = None;
    if request.ranks <= PROVED_FIRST {
        check_proof(proof.insert(prove(collective, &params)?), &params, request, setting)?;
    }
    let seconds = seconds(collective, request, proof.as_deref(), &setting.model)?;
    Ok(Offer { collective: kept, params, proof, seconds })
}

/// The predicted time of a call by the algorithm.
///
/// # Errors
/// It is not for this request, is wrong, or cannot be simulated.
pub fn predict(collective: &dyn Collective, request: &Request, model: &CostModel) -> Result<f64> {
    let proof = prove(collective, &collective.resolve(request)?)?;
    seconds(collective, request, Some(&proof), model)
}

fn seconds(
    collective: &dyn Collective,
    request: &Request,
    proof: Option<&Proof>,
    model: &CostModel,
) -> Result<f64> {
    let staged = proof.map(|proof| proof.staged.as_slice());
    let seconds = Simulation::new(model).call_seconds(collective, request, staged)?;
    let (name, bytes) = (collective.describe().name, request.bytes()? as u64);
    Ok(seconds * model.corrections.factor(&name, request.ranks, bytes))
}

pub(super) fn check_name(collective: &dyn Collective, name: &str, request: &Request) -> Result<()> {
    let descriptor = collective.describe();
    if descriptor.name != name {
        let message =
            format!("collective `{name}` describes itself as `{}`: use one name", descriptor.name);
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    }
    descriptor.check_computes(request.what.operation)
}

/// Whether a proved schedule is one for this request, transport and order.
pub(super) fn check_proof(
    proof: &Proof,
    params: &Params,
    request: &Request,
    setting: &Setting,
) -> Result<()> {
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
        "does not merge the ranks in their order, as an operator that does not commute needs".into()
    } else if let Some(fixed) =
        setting.order.filter(|_| order::matters(params.operation(), request.ranks))
        && !order::satisfies(verdict.order, fixed, request.ranks)
    {
        let class = verdict.order.map_or("no order".to_owned(), |order| format!("order {order}"));
        format!("merges in {class}, not {fixed}")
    } else {
        return Ok(());
    };
    let message = format!("collective `{}` {why}", verdict.collective);
    Err(Error::new(ErrorKind::Unsupported, message))
}
