//! What a flight recorder holds, and who waits for whom.

use super::slot::{Content, Kind, Ring, SLOTS, text};
use crate::agreement::list_ranks;
use crate::program::state_of;
use serde::Serialize;
use std::array;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// The last operations of every rank.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Snapshot {
    /// By rank.
    pub ranks: Vec<Recorded>,
}

/// The last operations of one rank.
#[derive(Clone, Debug, Serialize)]
pub struct Recorded {
    /// Its process; 0 if it has not begun.
    pub process: u64,
    /// Whether a signal has stopped that, as far as the system of this machine says.
    pub stopped: bool,
    /// Where it runs: its device, the threads of its process, its processors. Empty where nobody says so.
    pub place: String,
    /// The call that it runs.
    pub call: Option<Entry>,
    /// Its last operations, oldest first. One that was being written is left out.
    pub operations: Vec<Entry>,
}

/// An operation of a rank.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// What it is.
    pub kind: Kind,
    /// Its name; of a long one the end.
    pub name: String,
    /// Which of the rank's calls, collectives or messages it is, from 1; 0 for a command.
    pub number: u64,
    /// The bytes that the rank brought; 0 if that is not known.
    pub bytes: u64,
    /// The first rank and the size of its group, if that is not all ranks.
    pub group: Option<(u64, u64)>,
    /// How long ago it began.
    pub began: Duration,
    /// How long it took, if it has ended.
    pub took: Option<Duration>,
    /// The rank that it waits for, and for how long it does.
    pub waits_for: Option<(usize, Duration)>,
}

/// The operations of a rank that are printed.
const SHOWN: usize = 12;
/// The ranks, and the waits, that an error prints.
const MOST: usize = 16;

impl Snapshot {
    pub(super) fn new(rings: &[Ring], now: u64) -> Self {
        // Workers that are threads are of one process.
        let mut stopped = BTreeMap::new();
        let mut is_stopped = |process| {
            *stopped.entry(process).or_insert_with(|| matches!(state_of(process), Some('T' | 't')))
        };
        let recorded = |ring| Recorded::new(ring, now, &mut is_stopped);
        Self { ranks: rings.iter().map(recorded).collect() }
    }

    /// Who waits for whom, in what and since when, and what those do who do not wait; `None` if no
    /// rank waits.
    pub fn blocked(&self) -> Option<String> {
        let mut waits = BTreeMap::<_, (Vec<usize>, Duration)>::new();
        for (rank, snapshot) in self.ranks.iter().enumerate() {
            if let Some(entry) = snapshot.waits() {
                let peer = entry.waits_for.map(|(peer, _)| peer);
                let key = (peer, entry.number, &*entry.name);
                let (ranks, longest) = waits.entry(key).or_default();
                ranks.push(rank);
                *longest = entry.began.max(*longest);
            }
        }
        let mut parts: Vec<_> = waits
            .iter()
            .map(|((peer, number, name), (ranks, longest))| {
                let s = if ranks.len() == 1 { "s" } else { "" };
                let whom = peer.map_or_else(|| "in".into(), |p| format!("for rank {p} at"));
                format!(
                    "{} wait{s} {whom} {name} #{number} since {}",
                    list_ranks(ranks),
                    time(*longest)
                )
            })
            .collect();
        let more = parts.split_off(parts.len().min(MOST)).len();
        parts.extend((more > 0).then(|| format!("{more} more waits")));
        let mut others: Vec<_> = waits.keys().filter_map(|(peer, ..)| *peer).collect();
        others.dedup();
        let others = others.into_iter().filter_map(|rank| Some((rank, self.ranks.get(rank)?)));
        let mut others: Vec<_> = others.filter(|(_, other)| other.waits().is_none()).collect();
        first_of(&mut others, MOST);
        parts.extend(others.iter().map(|(rank, other)| format!("rank {rank} {}", other.doing())));
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// So many of these ranks: of more, those first that do not wait, since they hold up the others.
fn first_of(ranks: &mut Vec<(usize, &Recorded)>, most: usize) {
    if ranks.len() > most {
        // What a rank of another machine does is not seen.
        ranks.sort_by_key(|(_, rank)| (rank.process == 0, rank.waits().is_some()));
        ranks.truncate(most);
    }
}

pub(super) fn call(ring: &Ring, now: u64) -> Option<Entry> {
    let call = ring.call.read().filter(|call| call.ticket > 0 && call.ended == 0)?;
    Entry::new(&call, now)
}

impl Recorded {
    fn new(ring: &Ring, now: u64, is_stopped: &mut impl FnMut(u64) -> bool) -> Self {
        let entry = |content: Content| Entry::new(&content, now);
        let last = ring.begun.load(Ordering::Acquire);
        let first = last.saturating_sub(SLOTS as u64);
        // One that is overwritten meanwhile holds a later entry.
        let read = |ticket| ring.slot(ticket).read().filter(|content| content.ticket == ticket);
        let process = ring.process.load(Ordering::Relaxed);
        Self {
            process,
            stopped: is_stopped(process),
            place: text(array::from_fn(|i| ring.place[i].load(Ordering::Relaxed))),
            call: call(ring, now),
            operations: (first + 1..=last).filter_map(read).filter_map(entry).collect(),
        }
    }

    /// The collective or message that it is in.
    fn waits(&self) -> Option<&Entry> {
        // After a failure, commands are still answered.
        let last = self.operations.iter().rfind(|entry| entry.kind != Kind::Command)?;
        (last.kind != Kind::Call && last.took.is_none()).then_some(last)
    }

    fn doing(&self) -> String {
        match (&self.call, self.operations.last()) {
            (Some(call), _) => format!("is in {call}"),
            (None, Some(last)) if last.took.is_none() => format!("is in {last}"),
            (None, Some(last)) => format!("is idle after {last}"),
            // Nor is one of another machine seen.
            (None, None) => "has not begun here".into(),
        }
    }
}

impl Entry {
    /// `None` for what no writer of this version leaves.
    fn new(content: &Content, now: u64) -> Option<Self> {
        let kinds = [Kind::Call, Kind::Collective, Kind::Message, Kind::Command];
        let ago = |time: u64| Duration::from_nanos(now.saturating_sub(time));
        let Content { number, bytes, began, ended, waits: [peer, since], group, .. } = *content;
        Some(Self {
            kind: *kinds.get(usize::try_from(content.kind).ok()?)?,
            name: text(content.name),
            number,
            bytes,
            group: (group > 0).then_some((group >> 32, group & u64::from(u32::MAX))),
            began: ago(began),
            took: (ended > 0).then(|| Duration::from_nanos(ended.saturating_sub(began))),
            waits_for: peer.checked_sub(1).map(|peer| (peer as usize, ago(since))),
        })
    }
}

/// ``call `step` #9 since 4.2 s``, `all_reduce #17, 4096 bytes, 8 ms`.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Call => write!(f, "call `{}`", self.name)?,
            _ => f.write_str(&self.name)?,
        }
        if self.number > 0 {
            write!(f, " #{}", self.number)?;
        }
        if let Some((first, size)) = self.group {
            write!(f, " of {size} ranks from {first}")?;
        }
        if self.bytes > 0 {
            write!(f, ", {} bytes,", self.bytes)?;
        }
        match self.took {
            Some(took) => write!(f, " {}", time(took)),
            None => write!(f, " since {}", time(self.began)),
        }?;
        match self.waits_for.filter(|_| self.took.is_none()) {
            Some((peer, since)) => write!(f, ", waits for rank {peer} since {}", time(since)),
            None => Ok(()),
        }
    }
}

/// The last operations of some ranks, those that do not wait before the others; as `{:#}` those of all of them, below who
/// waits for whom.
impl fmt::Display for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = if f.alternate() { self.ranks.len() } else { MOST };
        match self.blocked().filter(|_| f.alternate()) {
            Some(blocked) => f.write_str(&blocked)?,
            None if f.alternate() => f.write_str("no rank waits")?,
            None => f.write_str("the last operations of the ranks")?,
        }
        let mut ranks: Vec<_> = self.ranks.iter().enumerate().collect();
        first_of(&mut ranks, most);
        for (rank, snapshot) in ranks {
            let Recorded { process, place, stopped, .. } = snapshot;
            let stopped = if *stopped { ", stopped" } else { "" };
            let place = if place.is_empty() { String::new() } else { format!("; {place}") };
            write!(f, "\n  rank {rank} (process {process}{stopped}{place}) {}", snapshot.doing())?;
            let hidden = snapshot.operations.len().saturating_sub(SHOWN);
            for (i, entry) in snapshot.operations[hidden..].iter().enumerate() {
                write!(f, "{} {entry}", if i == 0 { ':' } else { ';' })?;
            }
        }
        match self.ranks.len().saturating_sub(most) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more ranks"),
        }
    }
}

impl std::error::Error for Snapshot {}

fn time(time: Duration) -> String {
    match time.as_millis() {
        millis @ 0..1000 => format!("{millis} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}
