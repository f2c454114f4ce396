//! Why an algorithm is chosen.

use super::appraise::Call;
use super::{Setting, order};
use crate::{Operation, Order, Request};
use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result};
use std::borrow::Cow;

/// Why an algorithm is chosen: what each would take, and who cannot be used.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Explanation {
    /// What is called.
    pub operation: Operation,
    /// The size of the group.
    pub ranks: usize,
    /// The bytes of the largest buffer of a rank.
    pub bytes: u64,
    /// The order that is fixed, if one is.
    pub order: Option<Order>,
    /// Those that can be used, the one that is chosen first.
    pub candidates: Vec<Candidate>,
    /// Those of which nothing is known beforehand, by name: a call that fixes no order takes one where it measures
    /// that it is faster.
    pub opaque: Vec<Cow<'static, str>>,
    /// Those that cannot.
    pub refused: Vec<Refusal>,
    /// What fixing the order costs: the predicted time of the chosen one over that of the cheapest
    /// in any order. `None` if no order is fixed or nothing can be used.
    pub price: Option<f64>,
}

/// An algorithm that can be used.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Candidate {
    /// Its name.
    pub name: Cow<'static, str>,
    /// The order in which it merges, if it does.
    pub order: Option<Order>,
    /// What a call takes by the model, in seconds.
    pub predicted: f64,
    /// What a call took, in seconds, if that was measured.
    pub measured: Option<f64>,
}

/// An algorithm that cannot be used.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Refusal {
    /// Its name.
    pub name: Cow<'static, str>,
    /// Why not.
    pub why: String,
}

/// Compares all algorithms for a request as a group with this setting would.
///
/// # Errors
/// The order cannot be fixed, or the request exceeds memory.
pub fn explain(registry: &Registry, request: &Request, setting: &Setting) -> Result<Explanation> {
    order::check(setting.order)?;
    let bytes = request.bytes()? as u64;
    let call = Call { registry, request, setting };
    let mut all = (Vec::new(), Vec::new());
    for steps in call.lengths() {
        all = proved(&call, steps);
        if all.0.first().is_some_and(|best| call.suffices(steps, best.predicted)) {
            break;
        }
    }
    let (candidates, refused) = all;
    let setting = &Setting { order: None, ..setting.clone() };
    let free = Call { setting, ..call };
    let fastest = |_| {
        let best = |steps| Some((steps, free.offers(steps).0.first()?.seconds));
        let mut found = free.lengths().filter_map(best);
        found.find(|&(steps, best)| free.suffices(steps, best)).map(|(_, best)| best)
    };
    let order = call.setting.order;
    let price = order.and_then(fastest);
    let price = price.and_then(|free| candidates.first().map(|c| c.predicted / free));
    let (operation, ranks, opaque) = (request.what.operation, request.ranks, Vec::new());
    Ok(Explanation { operation, ranks, bytes, order, candidates, opaque, refused, price })
}

/// The offers of schedules of at most so many steps that the verifier proves, and all refusals.
fn proved(call: &Call<'_>, steps: usize) -> (Vec<Candidate>, Vec<Refusal>) {
    let refusal = |(name, error): (Cow<'static, str>, Error)| Refusal {
        name,
        why: error.message().to_owned(),
    };
    let (offers, refused) = call.offers(steps);
    let mut refused: Vec<Refusal> = refused.into_iter().map(refusal).collect();
    let mut candidates = Vec::new();
    for offer in offers {
        let name = offer.collective.describe().name;
        match call.prove(&*offer.collective, &offer.params) {
            Ok(proof) => {
                let (order, predicted) = (proof.verdict.order, offer.seconds);
                candidates.push(Candidate { name, order, predicted, measured: None });
            }
            Err(error) => refused.push(refusal((name, error))),
        }
    }
    (candidates, refused)
}
