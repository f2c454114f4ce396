//! Why an algorithm is chosen.

use super::appraise::{Call, Offer, Refused};
use super::{Setting, order};
use crate::verify::Proof;
use crate::{Operation, Order, Request};
use ringwood_base::Result;
use ringwood_base::registry::Registry;
use std::borrow::Cow;
use std::sync::Arc;

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
    let (usable, refused) = call.usable(true);
    let order = setting.order;
    let free = Setting { order: None, ..setting.clone() };
    let cheapest = |_| Some(Call { setting: &free, ..call }.usable(false).0.first()?.0.seconds);
    let cheapest = order.and_then(cheapest);
    let price = cheapest.and_then(|free| usable.first().map(|(offer, _)| offer.seconds / free));
    let candidate = |(offer, proof): (Offer, Arc<Proof>)| Candidate {
        name: offer.collective.describe().name,
        order: proof.verdict.order,
        predicted: offer.seconds,
        measured: None,
    };
    let candidates = usable.into_iter().map(candidate).collect();
    let refusal = |(name, error): Refused| Refusal { name, why: error.message().to_owned() };
    let refused = refused.into_iter().map(refusal).collect();
    let (operation, ranks, opaque) = (request.what.operation, request.ranks, Vec::new());
    Ok(Explanation { operation, ranks, bytes, order, candidates, opaque, refused, price })
}
