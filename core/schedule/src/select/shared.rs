//! Choices and proofs that processes share: who comes first makes them, the others believe it.

use super::{Question, Setting, choose};
use crate::verify::{Proof, adopt};
use crate::{Collective, Params, Request};
use ringwood_base::registry::Registry;
use ringwood_base::{Error, Result, Shared};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Answers the questions that processes ask alike: with what another one has found, or else by what is
/// given, which finds it here. Nothing that is found is an answer that nobody shares.
pub type Answers =
    Arc<dyn Fn(&str, &mut dyn FnMut() -> Option<String>) -> Option<String> + Send + Sync>;

/// What is chosen, with its proof where that has a text.
#[derive(Serialize, Deserialize)]
struct Told<P> {
    name: String,
    proof: Option<P>,
}

/// What [`choose`] answers, here or in another process of the group.
///
/// # Errors
/// See [`Selector::select`](super::Selector::select).
pub(super) fn choose_together(
    answers: &Answers,
    registry: &Registry,
    question: &Question,
    setting: &Setting,
) -> Result<Shared<dyn Collective>> {
    let Question { algorithm, request, .. } = question;
    let here = || choose(registry, algorithm.as_deref(), request, setting);
    let text = serde_json::to_string(question)
        .map_err(|cause| Error::invalid("a call without a text").because(cause))?;
    let mut own = None;
    let text = answers(&text, &mut || {
        let chosen = here();
        let text = chosen.as_ref().ok().and_then(|chosen| tell(&**chosen, request));
        own = Some(chosen);
        text
    });
    if let Some(own) = own {
        return own;
    }
    // What another program has found need not be here, or may be something else of that name.
    let believed = text.and_then(|text| believe(&text, registry, request, setting));
    believed.map_or_else(here, Ok)
}

fn tell(chosen: &dyn Collective, request: &Request) -> Option<String> {
    let proof = crate::verify::prove(chosen, &Params::resolved(chosen, request).ok()?).ok()?;
    let name = chosen.describe().name.into_owned();
    let told = Told { name: name.clone(), proof: Some(&*proof) };
    // The proof of lanes that are one lane moved on has none, and takes no time.
    serde_json::to_string(&told)
        .ok()
        .or_else(|| serde_json::to_string(&Told::<()> { name, proof: None }).ok())
}

fn believe(
    text: &str,
    registry: &Registry,
    request: &Request,
    setting: &Setting,
) -> Option<Shared<dyn Collective>> {
    let Told { name, proof } = serde_json::from_str::<Told<Proof>>(text).ok()?;
    let collective = &registry.find::<crate::CollectiveDef>(&name).ok()?.collective;
    if let Some(proof) = proof {
        adopt(&**collective, &Params::resolved(&**collective, request).ok()?, proof).ok()?;
    }
    choose(registry, Some(&name), request, setting).ok()
}
