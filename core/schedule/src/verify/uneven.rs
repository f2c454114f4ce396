//! Ranks that do not agree on how many messages pass between them.

use super::finding::{Finding, Uneven};
use super::lanes::Lanes;
use super::stop::Stop;
use crate::Action;
use std::collections::BTreeMap;

/// The finding, which says first whose sends and receives do not match, if that is why ranks wait for
/// each other or a message is left.
pub(super) fn counted(lanes: &Lanes<'_>, mut finding: Finding) -> Result<Finding, Stop> {
    if let Finding::Deadlock { uneven, .. } | Finding::Leftover { uneven, .. } = &mut finding {
        *uneven = find(lanes)?;
    }
    Ok(finding)
}

fn find(lanes: &Lanes<'_>) -> Result<Option<Uneven>, Stop> {
    let mut counts = BTreeMap::<_, [usize; 2]>::new();
    for rank in 0..lanes.params.ranks() {
        for step in lanes.steps(rank)? {
            let peer = step.peer as usize;
            match step.action {
                Action::Send => counts.entry((rank, peer, step.channel)).or_default()[0] += 1,
                _ if step.receives() => {
                    counts.entry((peer, rank, step.channel)).or_default()[1] += 1;
                }
                _ => {}
            }
        }
    }
    let differs = |(_, [sends, receives]): &(_, [usize; 2])| sends != receives;
    Ok(counts.into_iter().find(differs).map(|((from, to, channel), [sends, receives])| Uneven {
        from,
        to,
        channel,
        sends,
        receives,
    }))
}
