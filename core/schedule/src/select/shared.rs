//! Choices and proofs that processes share: who comes first makes them, the others believe it.

use super::{Question, Setting, choose};
use crate::verify::{Proof, adopt, is_proved, prove};
use crate::{Collective, CollectiveDef, Params, Request};
use ringwood_base::registry::Registry;
use ringwood_base::{Result, Shared};
use std::sync::Arc;

/// Answers the questions that processes ask alike: with what another one has found, or else by what is
/// given, which finds it here. Where nothing is found, everybody looks for himself.
pub type Answers =
    Arc<dyn Fn(&str, &mut dyn FnMut() -> Option<String>) -> Option<String> + Send + Sync>;

/// Groups up to this size choose for themselves, which takes each process no longer than to ask.
pub(super) const ALONE: usize = 16;
/// What other versions answer is not believed.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// The most copies that the text of a proof tells of.
const STAGED: usize = 1 << 16;

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
    // Who has other algorithms may answer otherwise.
    let names = registry.of::<CollectiveDef>().map(|(entry, _)| entry.meta().full_name());
    let asked = (VERSION, question, names.collect::<Vec<_>>());
    let Ok(asked) = serde_json::to_string(&asked) else { return here() };
    let mut own = None;
    let name = answers(&asked, &mut || {
        let chosen = own.insert(here()).as_ref().ok()?;
        let short = chosen.describe().name;
        // Of algorithms of one name everybody finds his own.
        let mut known = registry.of::<CollectiveDef>().filter(|(e, _)| e.meta().name == short);
        let one = known.next().is_some() && known.next().is_none();
        algorithm.clone().or_else(|| one.then(|| short.into_owned()))
    });
    let told = || Some(registry.find::<CollectiveDef>(name.as_deref()?).ok()?.collective.clone());
    let Some(chosen) = own.clone().map_or_else(told, Result::ok) else {
        return own.unwrap_or_else(here);
    };
    share_proof(answers, &*chosen, request, own.is_some());
    own.unwrap_or_else(|| choose(registry, name.as_deref(), request, setting).or_else(|_| here()))
}

/// Tells the proof of a schedule that was made here, or believes the one that another process tells.
fn share_proof(answers: &Answers, collective: &dyn Collective, request: &Request, here: bool) {
    let Ok(params) = &Params::resolved(collective, request) else { return };
    if !here && is_proved(collective, params) {
        return;
    }
    let asked = serde_json::to_string(&(VERSION, collective.describe().name, params));
    let told = asked
        .ok()
        .and_then(|asked| answers(&asked, &mut || text(&*prove(collective, params).ok()?)));
    if let Some(proof) = told.and_then(|told| serde_json::from_str(&told).ok()) {
        // One that is not of these lanes is made here.
        let _ = adopt(collective, params, proof);
    }
}

fn text(proof: &Proof) -> Option<String> {
    let staged: usize = proof.staged.iter().map(Vec::len).sum();
    (staged <= STAGED).then(|| serde_json::to_string(proof).ok()).flatten()
}
