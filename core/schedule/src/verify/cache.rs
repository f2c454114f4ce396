//! Proofs, kept: the first use of a collective with some parameters proves it.

use super::rotation::Digests;
use super::{Facts, Verdict, prove_collective};
use crate::{Collective, Params};
use ringwood_base::Result;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

/// A proved schedule, and what the engine needs to know about it.
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

/// An algorithm by identity. Objects without data may share an address, so methods count too.
#[derive(Clone, Copy)]
struct Identity(&'static dyn Collective);

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for Identity {}

impl Hash for Identity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).cast::<()>().hash(state);
    }
}

type Slot = Arc<OnceLock<Result<Arc<Proof>>>>;

static PROOFS: LazyLock<Mutex<HashMap<(Identity, Params), Slot>>> = LazyLock::new(Mutex::default);

/// The proof of `collective` for `params`; ranks that ask at the same time share one run.
///
/// # Errors
/// The schedule is wrong ([`NotVerified`](ringwood_base::ErrorKind::NotVerified)) or panics.
pub fn prove(collective: &'static dyn Collective, params: &Params) -> Result<Arc<Proof>> {
    let slot = {
        let mut proofs = PROOFS.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(proofs.entry((Identity(collective), params.clone())).or_default())
    };
    let prove = || {
        let (verdict, Facts { completing, staged, digests }) =
            prove_collective(collective, params)?;
        let verdict = verdict.into_result()?;
        Ok(Arc::new(Proof { verdict, completing, staged, digests }))
    };
    slot.get_or_init(prove).clone()
}
