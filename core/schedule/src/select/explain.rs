//! Why an algorithm is chosen.

use super::appraise::{self, Offer, check_proof};
use super::{Setting, order};
use crate::verify::prove;
use crate::{Operation, Order, Request};
use ringwood_base::Result;
use ringwood_base::registry::Registry;
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
    let (candidates, refused) = candidates(registry, request, setting);
    let free = Setting { order: None, ..setting.clone() };
    let fastest = |_| appraise::all(registry, request, &free).0.first().map(|o| o.seconds);
    let price = setting.order.and_then(fastest);
    let price = price.and_then(|free| candidates.first().map(|c| c.predicted / free));
    let (operation, ranks, order) = (request.what.operation, request.ranks, setting.order);
    let opaque = Vec::new();
    Ok(Explanation { operation, ranks, bytes, order, candidates, opaque, refused, price })
}

fn candidates(
    registry: &Registry,
    request: &Request,
    setting: &Setting,
) -> (Vec<Candidate>, Vec<Refusal>) {
    let (offers, refused) = appraise::all(registry, request, setting);
    let mut refused: Vec<_> = refused.into_iter().map(|(name, e)| refusal(name, &e)).collect();
    let mut candidates = Vec::new();
    for offer in offers {
        let name = offer.collective.describe().name;
        match proved_order(&offer, request, setting) {
            Ok(order) => {
                let predicted = offer.seconds;
                candidates.push(Candidate { name, order, predicted, measured: None });
            }
            Err(error) => refused.push(refusal(name, &error)),
        }
    }
    (candidates, refused)
}

fn proved_order(offer: &Offer, request: &Request, setting: &Setting) -> Result<Option<Order>> {
    let proof = match &offer.proof {
        Some(proof) => proof.clone(),
        None => prove(&*offer.collective, &offer.params)?,
    };
    check_proof(&proof, &offer.params, request, setting)?;
    Ok(proof.verdict.order)
}

fn refusal(name: Cow<'static, str>, error: &ringwood_base::Error) -> Refusal {
    Refusal { name, why: error.message().to_owned() }
}
