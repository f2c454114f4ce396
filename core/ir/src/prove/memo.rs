//! Proofs of the launches of one kernel, kept.

use super::{Fact, LaunchFacts, Proof, prove};
use crate::{Expr, ExprKind, Kernel};
use std::sync::{Arc, Mutex, PoisonError};

/// The most launches of a kernel that are remembered; the ones that were not repeated for longest
/// are forgotten.
const LAUNCHES: usize = 32;

/// Proves launches of one kernel, and remembers the last ones.
///
/// ```
/// use ringwood_ir::prove::{Fact, LaunchFacts, Prover};
///
/// let text = "kir2 fill 1 - 0 1 y m f32 0 0 0 0 1 st p0 1 1 gid usize:0 0 f f32:2 0 void";
/// let kernel = ringwood_ir::decode(text)?;
/// let prover = Prover::default();
/// let facts = LaunchFacts { domain: &[8], args: &[Fact::Len(8)] };
/// assert!(prover.prove(&kernel, &facts).unchecked());
/// # Ok::<(), ringwood_ir::Malformed>(())
/// ```
#[derive(Debug, Default)]
pub struct Prover(Mutex<Memory>);

#[derive(Debug, Default)]
struct Memory {
    /// The last one first.
    known: Vec<(Vec<u64>, Arc<Proof>)>,
    /// The launch that is asked for.
    key: Vec<u64>,
}

impl Prover {
    /// As [`prove`], of a kernel that is the same in every call.
    pub fn prove(&self, kernel: &Kernel, facts: &LaunchFacts<'_>) -> Arc<Proof> {
        let mut memory = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let memory = &mut *memory;
        write_key(&mut memory.key, kernel, facts);
        match memory.known.iter().position(|(key, _)| *key == memory.key) {
            Some(0) => {}
            Some(at) => memory.known[..=at].rotate_right(1),
            None => {
                memory.known.truncate(LAUNCHES - 1);
                let proof = Arc::new(prove(kernel, facts));
                memory.known.insert(0, (memory.key.clone(), proof));
            }
        }
        Arc::clone(&memory.known[0].1)
    }

    #[cfg(test)]
    fn remembered(&self) -> usize {
        self.0.lock().unwrap().known.len()
    }
}

/// All that a proof rests on, as words: the kernel fixes what each of them is. Values of
/// floating-point types are left out, as proofs do, but where something is required of them.
fn write_key(key: &mut Vec<u64>, kernel: &Kernel, facts: &LaunchFacts<'_>) {
    key.clear();
    key.push(facts.domain.len() as u64);
    key.extend(facts.domain.iter().map(|n| *n as u64));
    for (param, fact) in facts.args.iter().enumerate() {
        match *fact {
            Fact::Scalar(value) if value.ty().is_float() => {
                key.extend(is_required(kernel, param).then(|| value.to_bits()));
            }
            Fact::Scalar(value) => key.push(value.to_bits()),
            Fact::Len(len) => key.push(len as u64),
            Fact::View { shape, strides } => {
                key.push(shape.len() as u64);
                key.extend(shape.iter().chain(strides).map(|n| *n as u64));
            }
        }
    }
}

/// Whether a requirement is about the parameter.
fn is_required(kernel: &Kernel, param: usize) -> bool {
    let is_param = |e: &Expr| e.kind == ExprKind::Param(param as u32);
    kernel.requires.iter().any(|condition| condition.any(&is_param))
}

#[cfg(test)]
mod tests;
