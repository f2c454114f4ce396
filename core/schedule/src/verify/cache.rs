//! Proofs, kept: the first use of a collective with some parameters proves it.

use super::lanes::Source;
use super::stop::Stop;
use super::symmetry::Digests;
use super::{Finding, Verdict, prove_lanes};
use crate::{Collective, Descriptor, Params};
use ringwood_base::sync::lock;
use ringwood_base::{Bounded, Error, Result};
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

/// A proved schedule, and what the engine needs to know about it. Its text is for other processes.
#[derive(serde::Serialize, serde::Deserialize)]
pub struct Proof {
    /// What the verifier found.
    pub verdict: Verdict,
    /// For each rank, the (step, chunk) pairs at which a merge completes a chunk; sorted.
    pub completing: Vec<Vec<(u32, u32)>>,
    /// For each rank, the sends whose chunks are copied aside; sorted.
    pub staged: Vec<Vec<u32>>,
    /// The digests of the lanes that were proved.
    pub digests: Digests,
}

impl Proof {
    pub(super) fn of(verdict: Verdict) -> Self {
        let digests = Digests::Each(Vec::new());
        Self { verdict, completing: Vec::new(), staged: Vec::new(), digests }
    }
}

/// What is proved: a collective is known by what it says, not by where it lies in memory.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Content {
    descriptor: Descriptor,
    params: Params,
    /// Of the lanes that are looked at; whoever runs another one compares it with the proof.
    lanes: u64,
}

/// Groups of at most this size are known by all lanes, larger ones by as many at the least.
const LANES: usize = 16;

impl Content {
    fn of(collective: &dyn Collective, params: &Params) -> Result<Self> {
        let digest = |rank| Ok(Source::new(collective, params).compact(rank)?.digest);
        let lanes = lanes(params.ranks(), digest)?;
        Ok(Self { descriptor: collective.describe(), params: params.clone(), lanes })
    }

    /// Whether the lanes that were proved are these.
    fn is_of(&self, digests: &Digests) -> bool {
        let digest = |rank| digests.of(rank).ok_or(());
        lanes(self.params.ranks(), digest) == Ok(self.lanes)
    }
}

fn looked_at(n: usize) -> impl Iterator<Item = usize> {
    (0..n).step_by(n.div_ceil(LANES)).chain([n - 1])
}

/// One number for the lanes of a group that are looked at.
fn lanes<E>(n: usize, digest: impl Fn(usize) -> Result<u64, E>) -> Result<u64, E> {
    let mut lanes = 0;
    for rank in looked_at(n) {
        lanes = super::mix(lanes ^ digest(rank)?);
    }
    Ok(lanes)
}

type Slot = Arc<OnceLock<Result<Arc<Proof>>>>;

/// The most proofs that are kept.
const MOST: usize = 4096;

static PROOFS: LazyLock<Mutex<Bounded<Content, Slot>>> =
    LazyLock::new(|| Mutex::new(Bounded::new(MOST / 2)));

fn slot(proofs: &mut Bounded<Content, Slot>, content: &Content) -> Slot {
    proofs.get(content).unwrap_or_else(|| {
        let slot = Slot::default();
        proofs.insert(content.clone(), Arc::clone(&slot));
        slot
    })
}

/// The proof of `collective` for `params`; ranks that ask at the same time share one run.
///
/// # Errors
/// The schedule is wrong ([`NotVerified`](ringwood_base::ErrorKind::NotVerified)) or panics.
pub fn prove(collective: &dyn Collective, params: &Params) -> Result<Arc<Proof>> {
    let content = Content::of(collective, params)?;
    let proofs = || lock(&PROOFS);
    let slot = slot(&mut proofs(), &content);
    let prove = || {
        let Proof { verdict, digests, completing, staged } =
            prove_lanes(Source::new(collective, params))?;
        let verdict = verdict.into_result()?;
        if !content.is_of(&digests) {
            let changed = |&rank: &usize| {
                let again = Source::new(collective, params).compact(rank);
                again.map_or(true, |again| digests.of(rank) != Some(again.digest))
            };
            let rank = looked_at(params.ranks()).find(changed).unwrap_or(0);
            return Err(Stop::from(Finding::Impure { rank }).into_error(&verdict.collective));
        }
        Ok(Arc::new(Proof { verdict, digests, completing, staged }))
    };
    let answer = slot.get_or_init(prove).clone();
    if answer.is_err() {
        // Another collective may say the same of itself, and be right each time it is asked.
        proofs().insert(content, Slot::default());
    }
    answer
}

/// Whether a proof of `collective` for `params` is kept.
pub(crate) fn is_proved(collective: &dyn Collective, params: &Params) -> bool {
    let Ok(content) = Content::of(collective, params) else { return false };
    let slot = lock(&PROOFS).get(&content);
    slot.is_some_and(|slot| matches!(slot.get(), Some(Ok(_))))
}

/// Keeps the proof that another process has made of `collective` for `params`, if it is of the lanes that
/// are looked at here.
///
/// # Errors
/// The schedule panics, or another one was proved.
pub(crate) fn adopt(collective: &dyn Collective, params: &Params, proof: Proof) -> Result<()> {
    let content = Content::of(collective, params)?;
    let lanes = [proof.verdict.ranks, proof.completing.len(), proof.staged.len()];
    if !content.is_of(&proof.digests) || lanes != [params.ranks(); 3] {
        let name = collective.describe().name;
        return Err(Error::not_verified(format!("the proof is of another `{name}`")));
    }
    let slot = slot(&mut lock(&PROOFS), &content);
    let _ = slot.get_or_init(|| Ok(Arc::new(proof)));
    Ok(())
}

#[cfg(test)]
mod tests;
