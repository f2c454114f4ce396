//! What a proof for a group size must cover.

use crate::{BufferMode, Collective, Params, Request};
use ringwood_base::Result;

/// Up to this many ranks every root is a case; in a larger group, the first two, the middle and the
/// last two.
const EVERY_ROOT: usize = 64;

/// The parameters that a collective can have for a request: in each buffer mode that it has, with
/// every root of a rooted operation (of more than 64 ranks, five of them), and for a permutation
/// with the identity, a rotation and a reversal.
///
/// ```
/// # use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank};
/// use ringwood_base::DType;
/// use ringwood_schedule::{Operation, Request, cases};
///
/// # struct Chain;
/// # impl Collective for Chain {
/// #     fn describe(&self) -> Descriptor { Descriptor::broadcast("chain").both_modes() }
/// #     fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
/// # }
/// let request = Request::new(Operation::Broadcast, 5, 1000, DType::F32);
/// assert_eq!(cases(&Chain, &request)?.len(), 10);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// The collective does not work for this group size.
pub fn cases(collective: &dyn Collective, request: &Request) -> Result<Vec<Params>> {
    let descriptor = collective.describe();
    let modes = [BufferMode::InPlace, BufferMode::OutOfPlace];
    let mut cases = Vec::new();
    for mode in modes.into_iter().filter(|&m| descriptor.both_modes || m == descriptor.mode) {
        let request = request.clone().mode(mode);
        for root in roots(descriptor.operation.rooted(), request.ranks) {
            cases.push(Params::resolved(collective, &request.clone().root(root))?);
        }
        if descriptor.operation == crate::Operation::Permute {
            let ranks = request.ranks;
            let rotation: Vec<usize> = (0..ranks).map(|rank| (rank + 1) % ranks).collect();
            let reversal: Vec<usize> = (0..ranks).rev().collect();
            for permutation in [rotation, reversal] {
                cases
                    .push(Params::resolved(collective, &request.clone().permutation(permutation))?);
            }
        }
    }
    Ok(cases)
}

fn roots(rooted: bool, ranks: usize) -> Vec<usize> {
    if !rooted {
        return vec![0];
    }
    let last = ranks.saturating_sub(1);
    let some = [0, 1, ranks / 2, last.saturating_sub(1), last];
    (0..ranks).filter(|root| ranks <= EVERY_ROOT || some.contains(root)).collect()
}
