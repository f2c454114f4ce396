//! The steps of a rank, held small: regular stretches by their rule.
//!
//! The steps of most schedules repeat with a short period while peers and chunks move on by a
//! constant. Such a stretch is held as its first period and the distances, so the lanes of a large
//! group fit into a cache.

use super::{Action, Site, Step};
use crate::{ChunkRange, Space};

/// A step without its site, in 24 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Packed {
    pub(crate) peer: u32,
    /// The first of the chunks written or sent, and the first of those read.
    pub(crate) first: u32,
    pub(crate) source: u32,
    pub(crate) count: u32,
    pub(crate) channel: u16,
    pub(crate) action: Action,
    pub(crate) left: bool,
    pub(crate) space: Space,
    pub(crate) source_space: Space,
}

impl Packed {
    /// The step; its number of sources is that of its chunks.
    #[inline]
    pub(crate) fn new(step: &Step) -> Self {
        let Step { action, left, channel, peer, chunks, source, site: _ } = *step;
        let ChunkRange { space, first, count } = chunks;
        let (source, source_space) = (source.first, source.space);
        Self { peer, first, source, count, channel, action, left, space, source_space }
    }

    pub(crate) fn chunks(self) -> ChunkRange {
        ChunkRange { space: self.space, first: self.first, count: self.count }
    }

    pub(crate) fn sources(self) -> ChunkRange {
        ChunkRange { space: self.source_space, first: self.source, count: self.count }
    }

    pub(crate) fn step(self) -> Step {
        let Self { action, left, channel, peer, .. } = self;
        let (chunks, source, site) = (self.chunks(), self.sources(), Site::default());
        Step { action, left, channel, peer, chunks, source, site }
    }

    /// The digest of a lane with one more step.
    #[inline]
    pub(crate) fn chain(digest: u64, step: Self) -> u64 {
        (digest.rotate_left(5) ^ step.digest()).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// 64 bits of the step.
    #[inline]
    fn digest(self) -> u64 {
        let pair = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
        let tag = self.action as u64
            | (self.space as u64) << 4
            | (self.source_space as u64) << 6
            | u64::from(self.left) << 8
            | u64::from(self.channel) << 16;
        let places = pair(self.first, self.source).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        // The tag is spread over all bits, lest it be taken for one of a peer or of a count.
        let rest = pair(self.peer, self.count) ^ tag.wrapping_mul(0x94D0_49BB_1331_11EB);
        places.rotate_left(29) ^ rest.wrapping_mul(0xA076_1D64_78BD_642F)
    }

    /// What two steps of a stretch are apart; `None` if they differ in more than their places.
    fn apart(self, next: Self) -> Option<[u32; 3]> {
        let Self { peer, first, source, .. } = next;
        let apart = |a: u32, b: u32| b.wrapping_sub(a);
        let alike = Self { peer, first, source, ..self } == next;
        alike
            .then(|| [apart(self.peer, peer), apart(self.first, first), apart(self.source, source)])
    }

    /// Whether all of `times` are right by themselves if the first and the last are: the places of the
    /// others lie between theirs, all have one peer, and what is moved within a rank is always as far apart.
    fn straight(self, by: [u32; 3], times: u32) -> bool {
        let short = |by: u32| u64::from((by as i32).unsigned_abs()) * u64::from(times) < 1 << 31;
        let scratch = [self.space, self.source_space].contains(&Space::Scratch);
        let apart = self.step().has_peer() || by[1] == by[2];
        by[0] == 0 && short(by[1]) && short(by[2]) && (self.count == 1 || !scratch && apart)
    }

    fn moved(self, by: [u32; 3], times: u32) -> Self {
        let moved = |a: u32, by: u32| a.wrapping_add(by.wrapping_mul(times));
        Self {
            peer: moved(self.peer, by[0]),
            first: moved(self.first, by[1]),
            source: moved(self.source, by[2]),
            ..self
        }
    }
}

/// A stretch: `period` entries from `at`, `times` times over.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    at: u32,
    period: u32,
    times: u32,
}

/// The longest period that is looked for.
const PERIODS: usize = 4;
/// How many periods make a stretch.
const ENOUGH: usize = 3;

/// The steps of a rank.
#[derive(Clone, Debug, Default)]
pub(crate) struct CompactSteps {
    runs: Vec<Run>,
    entries: Vec<(Packed, [u32; 3])>,
    /// How many entries, at the end, belong to no run yet.
    open: usize,
    /// The stretch that goes on, with the entry and the time of its next step.
    stretch: Option<(Run, u32, u32)>,
}

impl CompactSteps {
    #[inline]
    pub(super) fn push(&mut self, packed: Packed) {
        if let Some((run, next, time)) = &mut self.stretch {
            let (entry, by) = self.entries[(run.at + *next) as usize];
            if entry.moved(by, *time) == packed {
                *next += 1;
                if *next == run.period {
                    (*next, *time) = (0, *time + 1);
                }
                return;
            }
            self.end_stretch();
        }
        self.add(packed);
    }

    fn add(&mut self, packed: Packed) {
        self.entries.push((packed, [0; 3]));
        self.open += 1;
        for period in 1..=PERIODS.min(self.open / ENOUGH) {
            if self.begin_stretch(period) {
                return;
            }
        }
    }

    /// Turns the last open entries into a stretch, if they are one.
    fn begin_stretch(&mut self, period: usize) -> bool {
        let first = self.entries.len() - ENOUGH * period;
        let entry = |i: usize| self.entries[first + i].0;
        let mut apart = [[0; 3]; PERIODS];
        for (i, apart) in apart.iter_mut().enumerate().take(period) {
            let (a, b, c) = (entry(i), entry(period + i), entry(2 * period + i));
            match (a.apart(b), b.apart(c)) {
                (Some(by), Some(again)) if by == again => *apart = by,
                _ => return false,
            }
        }
        let literal = self.open - ENOUGH * period;
        self.close(literal, first);
        for (i, by) in apart.into_iter().enumerate().take(period) {
            self.entries[first + i].1 = by;
        }
        self.entries.truncate(first + period);
        let run = Run { at: first as u32, period: period as u32, times: 0 };
        self.stretch = Some((run, 0, ENOUGH as u32));
        true
    }

    /// Makes `count` open entries before `end` a run that does not repeat.
    fn close(&mut self, count: usize, end: usize) {
        if count > 0 {
            let (at, period) = ((end - count) as u32, count as u32);
            self.runs.push(Run { at, period, times: 1 });
        }
        self.open = 0;
    }

    fn end_stretch(&mut self) {
        let Some((run, next, times)) = self.stretch.take() else { return };
        self.runs.push(Run { times, ..run });
        for i in 0..next {
            let (entry, by) = self.entries[(run.at + i) as usize];
            self.add(entry.moved(by, times));
        }
    }

    pub(super) fn finish(mut self) -> Self {
        self.end_stretch();
        self.close(self.open, self.entries.len());
        self.entries.shrink_to_fit();
        self
    }

    pub(crate) fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.entries.iter().map(|(packed, _)| packed.action)
    }

    /// The first and the last step of each stretch, with their positions; all steps where more than
    /// their ends could be wrong. Of a stretch with several entries, those of the first come first.
    pub(crate) fn corners(&self) -> impl Iterator<Item = (usize, Packed)> + '_ {
        let mut start = 0;
        let runs = self.runs.iter().map(move |run| {
            let first = start;
            start += (run.period * run.times) as usize;
            (first, *run)
        });
        runs.flat_map(move |(start, run)| {
            (0..run.period).flat_map(move |i| {
                let (entry, by) = self.entries[(run.at + i) as usize];
                let step = if entry.straight(by, run.times) { run.times.max(2) - 1 } else { 1 };
                let times = (0..run.times).step_by(step as usize);
                times.map(move |time| {
                    (start + (time * run.period + i) as usize, entry.moved(by, time))
                })
            })
        })
    }
}

/// The lanes of a group, one after the other.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct CompactLanes {
    runs: Vec<Run>,
    entries: Vec<(Packed, [u32; 3])>,
    /// Where the runs of each lane end.
    ends: Vec<u32>,
}

impl CompactLanes {
    pub(crate) const NONE: Self = Self { runs: Vec::new(), entries: Vec::new(), ends: Vec::new() };

    pub(crate) fn add(&mut self, compact: &CompactSteps) {
        let base = self.entries.len() as u32;
        self.entries.extend_from_slice(&compact.entries);
        self.runs.extend(compact.runs.iter().map(|run| Run { at: base + run.at, ..*run }));
        self.ends.push(self.runs.len() as u32);
    }

    /// What is held, in entries of 36 bytes.
    pub(crate) fn held(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn begin(&self, rank: usize) -> Reader {
        let first = if rank == 0 { 0 } else { self.ends[rank - 1] };
        let mut reader = Reader { next: first, end: self.ends[rank], ..Reader::default() };
        reader.load(self);
        reader
    }
}

/// A position in a lane.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reader {
    /// The run that it is in; none at the end of the lane.
    run: Run,
    entry: u32,
    time: u32,
    /// The next run, and the end of those of the lane.
    next: u32,
    end: u32,
}

impl Reader {
    /// The step at this position; `None` at the end.
    #[inline]
    pub(crate) fn peek(&self, compact: &CompactLanes) -> Option<Packed> {
        if self.run.times == 0 {
            return None;
        }
        let (entry, by) = compact.entries[(self.run.at + self.entry) as usize];
        Some(entry.moved(by, self.time))
    }

    #[inline]
    pub(crate) fn advance(&mut self, compact: &CompactLanes) {
        self.entry += 1;
        if self.entry == self.run.period {
            self.entry = 0;
            self.time += 1;
            if self.time == self.run.times {
                self.load(compact);
            }
        }
    }

    fn load(&mut self, compact: &CompactLanes) {
        self.time = 0;
        self.run = Run::default();
        if self.next < self.end {
            self.run = compact.runs[self.next as usize];
            self.next += 1;
        }
    }
}

#[cfg(test)]
mod tests;
