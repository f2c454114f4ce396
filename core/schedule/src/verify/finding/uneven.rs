//! The messages of two ranks that do not match.

use super::Finding;
use crate::Action;
use crate::verify::lanes::Lanes;
use crate::verify::stop::Stop;
use std::collections::BTreeMap;
use std::fmt;

/// The messages that one rank sends to another on a channel, where the other receives more or fewer.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Uneven {
    /// The rank that sends.
    pub from: usize,
    /// The rank that receives.
    pub to: usize,
    /// The channel between them.
    pub channel: u16,
    /// How many messages are sent.
    pub sends: usize,
    /// How many are received.
    pub receives: usize,
}

/// `rank 1 sends 6 messages to rank 2, which receives 5`
impl fmt::Display for Uneven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, channel, sends, receives } = self;
        let s = if *sends == 1 { "" } else { "s" };
        write!(f, "rank {from} sends {sends} message{s} to rank {to}")?;
        if *channel > 0 {
            write!(f, " on channel {channel}")?;
        }
        write!(f, ", which receives {receives}")
    }
}

/// The finding, which says first whose sends and receives do not match, if that is why ranks wait for
/// each other or a message is left.
pub(in crate::verify) fn counted(lanes: &Lanes<'_>, mut finding: Finding) -> Result<Finding, Stop> {
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
