//! What shows only after a while: workers that wait for each other, and one that the others wait for.
//!
//! A worker whose wait lacks another one does not go on before that has come to it, whatever is on its way: so workers
//! that wait in a circle wait for ever. The moment that it has to last, and that they are seen to wait, is for bodies of
//! collectives that do something else first, and for messages of which the session does not know.

use super::{GROUPS, Observer, Progress, Reached, Track};
use crate::protocol::Failure;
use crate::system::spawn;
use ringwood_base::ErrorKind;
use ringwood_base::sync::lock;
use ringwood_transport::flight::{Entry, Snapshot};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::Duration;

/// From one look to the next.
pub(crate) const LOOK: Duration = Duration::from_millis(50);
/// How long workers are seen to wait for each other before the session ends.
const STILL: Duration = Duration::from_millis(100);
/// How long workers wait for another one before that is worth a warning.
const SLOW: Duration = Duration::from_secs(5);
/// Who did not look for so long was stopped, or busy: what has come meanwhile is not known yet.
const GAP: Duration = Duration::from_secs(1);

/// What looks remember.
#[derive(Default)]
pub(super) struct Looked {
    last: Duration,
    /// The last call in which somebody was warned of.
    warned: u64,
}

/// Workers that wait for each other.
#[derive(Debug)]
pub(crate) struct Circle {
    /// The workers, and which of its waits each is in.
    pub(crate) members: Vec<(usize, u64)>,
    /// What ends the session.
    pub(crate) failure: Failure,
}

impl Progress {
    /// Looks at all workers, at most once in [`LOOK`] of a clock: warns of a slow one, and gives those that wait in a circle.
    pub(crate) fn look(&self, now: Duration) -> Option<Circle> {
        if self.closed().is_some() || !self.is_due(now) {
            return None;
        }
        if let Some(warning) = self.slowest(now) {
            // Who holds the output keeps nobody waiting but this thread.
            let print = move || drop(writeln!(io::stderr(), "warning: {warning}"));
            let _ = spawn("warning", "cannot start the thread of a warning", print);
        }
        let circle = circle(&lock(&self.tracks), now)?;
        let records = self.snapshot();
        circle
            .members
            .iter()
            .all(|&(worker, _)| is_seen_waiting(&records, worker))
            .then_some(circle)
    }

    /// Whether some worker waits, so that there is something to look at.
    pub(crate) fn is_watched(&self) -> bool {
        lock(&self.tracks).iter().any(|track| track.waiting.is_some())
    }

    /// Whether it is time to look; notes which waits are there.
    fn is_due(&self, now: Duration) -> bool {
        let mut looked = lock(&self.looked);
        let since = now.saturating_sub(looked.last);
        if since < LOOK {
            return false;
        }
        looked.last = now;
        for track in lock(&self.tracks).iter_mut() {
            if since > GAP || track.waiting.is_none() || track.seen.0 != track.waits {
                track.seen = (track.waits, now);
            }
        }
        true
    }

    /// The warning of a worker that others wait for, of several the one that is the least far; once in a call.
    fn slowest(&self, now: Duration) -> Option<String> {
        let (slow, text) = {
            let (mut looked, tracks) = (lock(&self.looked), lock(&self.tracks));
            let waits = |rank: &usize| tracks[*rank].waits_since(now).is_some_and(|t| t >= SLOW);
            let fresh = |rank: &usize| tracks[*rank].reached.call > looked.warned;
            let works = |peer: &usize| tracks[*peer].waiting.is_none();
            let pairs = (0..tracks.len()).filter(waits).filter(fresh).flat_map(|rank| {
                let peers = (0..tracks.len()).filter(works);
                peers.filter(|&p| lacks(&tracks, rank, p)).map(|p| (p, rank)).collect::<Vec<_>>()
            });
            let far = |peer: usize| (tracks[peer].reached.call, tracks[peer].waits);
            let (slow, rank) = pairs.min_by_key(|&(peer, _)| far(peer))?;
            let waiter = &tracks[rank];
            looked.warned = waiter.reached.call;
            let (place, since) = (waiter.place()?, waiter.waits_since(now)?.as_secs_f64());
            (slow, format!("worker {rank} waits for it in {place} since {since:.1} s"))
        };
        Some(format!("worker {slow} is slow: it {}; {text}", self.activity(slow)))
    }
}

/// Whether the record of a worker has it wait for another one, where it is of this machine.
fn is_seen_waiting(records: &Snapshot, worker: usize) -> bool {
    records.ranks.get(worker).is_none_or(|rank| {
        let waits = |last: &Entry| last.took.is_none() && last.waits_for.is_some();
        rank.process == 0 || rank.operations.last().is_some_and(waits)
    })
}

impl Track {
    /// For how long it is seen in its wait.
    fn waits_since(&self, now: Duration) -> Option<Duration> {
        let seen = self.waiting.is_some() && self.seen.0 == self.waits;
        seen.then(|| now.saturating_sub(self.seen.1))
    }
}

/// Whether the wait of `rank` needs `peer`, which has not come to it.
fn lacks(tracks: &[Track], rank: usize, peer: usize) -> bool {
    let (waiting, other) = (&tracks[rank], &tracks[peer]);
    peer != rank
        && waiting.waits_for(peer, other.group)
        && waiting.lacks(rank, peer, &other.reached)
}

/// Workers that wait, among which a circle may be.
struct Held<'a> {
    tracks: &'a [Track],
    standings: BTreeSet<Standing>,
}

/// How far a worker has come in the collectives of a group, or of all.
type Standing = (Option<usize>, [u64; 2], usize);

impl Held<'_> {
    /// The two of a worker, by [`Scope`](crate::protocol::Scope).
    fn standings(&self, rank: usize) -> [Standing; 2] {
        let Track { group, reached: Reached { call, collectives: [all, own], .. }, .. } =
            self.tracks[rank];
        [(None, [call, all], rank), (Some(group), [call, own], rank)]
    }

    fn insert(&mut self, rank: usize) {
        self.standings.extend(self.standings(rank));
    }

    fn remove(&mut self, rank: usize) {
        for standing in self.standings(rank) {
            self.standings.remove(&standing);
        }
    }

    fn contains(&self, rank: usize) -> bool {
        rank < self.tracks.len() && self.standings.contains(&self.standings(rank)[0])
    }

    /// A worker held that another one waits for: in a collective the one that is the least far.
    fn next(&self, rank: usize) -> Option<usize> {
        let waiting = &self.tracks[rank];
        let after = match waiting.message {
            Some((_, peer)) => Some(peer).filter(|&peer| self.contains(peer)),
            None => {
                let (group, far, _) = self.standings(rank)[waiting.scope as usize];
                let behind = (group, [0, 0], 0)..(group, far, 0);
                self.standings.range(behind).next().map(|&(.., peer)| peer)
            }
        };
        after.filter(|&peer| lacks(self.tracks, rank, peer))
    }
}

/// Workers that wait in a circle, each for the next one. Each worker is come to and left once at most.
fn circle(tracks: &[Track], now: Duration) -> Option<Circle> {
    let still = |rank: &usize| tracks[*rank].waits_since(now).is_some_and(|time| time >= STILL);
    let mut held = Held { tracks, standings: BTreeSet::new() };
    (0..tracks.len()).filter(still).for_each(|rank| held.insert(rank));
    let (mut path, mut passed) = (Vec::new(), vec![false; tracks.len()]);
    for first in (0..tracks.len()).filter(still) {
        let mut after = held.contains(first).then_some(first);
        loop {
            match after {
                Some(rank) if passed[rank] => {
                    let start = path.iter().position(|&other| other == rank)?;
                    return told(tracks, &path[start..]);
                }
                Some(rank) => {
                    passed[rank] = true;
                    path.push(rank);
                }
                // Who waits for none of those that are held is not held either.
                None => match path.pop() {
                    Some(free) => held.remove(free),
                    None => break,
                },
            }
            after = path.last().and_then(|&rank| held.next(rank));
        }
    }
    None
}

/// The circle, in words that tell the beginning of a long one.
fn told(tracks: &[Track], path: &[usize]) -> Option<Circle> {
    let Track { function, reached: Reached { call, .. }, .. } = &tracks[path[0]];
    let mut text = format!("workers wait for each other: worker {} of {}", path[0], tracks.len());
    for (i, &rank) in path.iter().enumerate().take(GROUPS) {
        let (which, after) = (if i > 0 { ", which" } else { "" }, path[(i + 1) % path.len()]);
        let place = tracks[rank].place()?;
        text +=
            &format!("{which} waits in {place} of `{function}`, call {call}, for worker {after}");
    }
    let more = path.len().saturating_sub(GROUPS);
    if more > 0 {
        text += &format!(", and so on: {more} more, the last for worker {}", path[0]);
    }
    let members = path.iter().map(|&rank| (rank, tracks[rank].waits)).collect();
    Some(Circle { members, failure: Failure::closing(ErrorKind::Mismatch, text) })
}

#[cfg(test)]
mod tests;
