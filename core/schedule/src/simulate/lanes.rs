//! The steps of a schedule as the simulator sees them: kinds, peers and bytes.

use crate::schedule::generate;
use crate::verify::mix;
use crate::{Action, ChunkRange, Collective, Layout, Params, Request, Space, Step};
use ringwood_base::{Error, Result};
use std::borrow::Cow;
use std::ops::Range;

/// Groups up to this size are checked rank by rank whether they rotate, larger ones by a sample.
const EXHAUSTIVE: usize = 256;
const SAMPLE: usize = 16;

/// A step without its chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Op {
    pub(super) action: Action,
    pub(super) channel: u16,
    pub(super) peer: u32,
    pub(super) bytes: u64,
    /// Whether a send copies its chunks aside first.
    pub(super) staged: bool,
}

/// Gives the steps of every rank, window by window.
pub(super) trait Source {
    /// Puts the steps of `rank` within `window` into `ops`; returns the number of all its steps.
    fn window(&self, rank: usize, window: Range<usize>, ops: &mut Vec<Op>) -> Result<usize>;
}

/// The lanes of a collective for one request.
pub(super) struct Lanes<'a> {
    collective: &'a dyn Collective,
    pub(super) request: &'a Request,
    pub(super) params: Params,
    layout: Layout,
    /// The bytes of the largest buffer of a rank.
    pub(super) bytes: u64,
    /// Whether every chunk counts as long as the first one.
    even: bool,
    /// The sends of each rank that leave a copy, ascending.
    staged: &'a [Vec<u32>],
}

impl<'a> Lanes<'a> {
    pub(super) fn new(collective: &'a dyn Collective, request: &'a Request) -> Result<Self> {
        let params = Params::resolved(collective, request)?;
        let layout = Layout::new(&params, request)?;
        let bytes = request.bytes()? as u64;
        Ok(Self { collective, request, params, layout, bytes, even: false, staged: &[] })
    }

    /// The same where these sends of each rank leave a copy.
    pub(super) fn staging(self, staged: Option<&'a [Vec<u32>]>) -> Self {
        Self { staged: staged.unwrap_or(&[]), ..self }
    }

    /// The same with every chunk as long as the first, which is the longest: then lanes that are
    /// rotations of each other have equal costs.
    pub(super) fn evenly(&self) -> Self {
        let (params, layout) = (self.params.clone(), self.layout.clone());
        Self { params, layout, even: true, ..*self }
    }

    pub(super) fn name(&self) -> Cow<'static, str> {
        self.collective.describe().name
    }

    /// Whether blocks have sizes of their own.
    pub(super) fn uneven(&self) -> bool {
        self.request.what.counts.is_some()
    }

    pub(super) fn ranks(&self) -> usize {
        self.params.ranks()
    }

    /// The bytes that all ranks touch together.
    pub(super) fn working_set(&self) -> u64 {
        self.bytes.saturating_mul(self.ranks() as u64)
    }

    /// The number of steps of a rank.
    pub(super) fn total(&self, rank: usize) -> Result<usize> {
        self.window(rank, 0..0, &mut Vec::new())
    }

    /// Whether all ranks have at most so many steps together; the first lanes that have more decide.
    pub(super) fn have_at_most(&self, steps: usize) -> Result<bool> {
        let mut left = Some(steps);
        for rank in 0..self.ranks() {
            let Some(steps) = left else { return Ok(false) };
            left = steps.checked_sub(self.total(rank)?);
        }
        Ok(left.is_some())
    }

    pub(super) fn all(&self, rank: usize) -> Result<Vec<Op>> {
        let mut ops = Vec::new();
        self.window(rank, 0..usize::MAX, &mut ops)?;
        Ok(ops)
    }

    /// Whether every rank does what rank 0 does, with peers at the same distance: rings, Bruck and
    /// pairwise exchanges. The lanes are [even](Lanes::evenly).
    pub(super) fn rotates(&self) -> Result<bool> {
        let n = self.ranks();
        if self.uneven() {
            return Ok(false);
        }
        let first = self.all(0)?;
        let sampled: Vec<usize> = if n <= EXHAUSTIVE {
            (1..n).collect()
        } else {
            let spread = (0..SAMPLE).map(|i| 1 + mix(i as u64) as usize % (n - 1));
            [1, 2, n / 2, n - 1].into_iter().chain(spread).collect()
        };
        for rank in sampled {
            let same = |(a, b): (&Op, &Op)| {
                let distance = (b.peer as usize + n - rank) % n;
                (a.action, a.channel, a.bytes) == (b.action, b.channel, b.bytes)
                    && a.peer as usize == distance
            };
            let other = self.all(rank)?;
            if other.len() != first.len() || !first.iter().zip(&other).all(same) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the chunks of a buffer take together, of what they would if all were as long as the
    /// first.
    pub(super) fn fill(&self) -> f64 {
        let all = self.first_chunk() * self.params.chunks() as u64;
        if all == 0 { 1.0 } else { self.bytes as f64 / all as f64 }
    }

    /// The share of the chunks of a buffer that hold anything; messages of others are not sent.
    pub(super) fn filled(&self) -> f64 {
        let holds = |first: usize| {
            let chunk = ChunkRange { space: Space::Scratch, first: first as u32, count: 1 };
            !self.layout.bytes(0, chunk).is_empty()
        };
        let chunks = self.params.chunks();
        match (0..chunks).filter(|&chunk| holds(chunk)).count() {
            0 => 1.0,
            full => full as f64 / chunks as f64,
        }
    }

    /// The bytes of the first chunk, which is the longest.
    fn first_chunk(&self) -> u64 {
        let first = ChunkRange { space: Space::Scratch, first: 0, count: 1 };
        self.layout.bytes(0, first).len() as u64
    }

    fn op(&self, rank: usize, index: usize, step: &Step) -> Result<Op> {
        let (action, channel, peer) = (step.action, step.channel, step.peer);
        // A put names the chunks of its peer, which are as long as the source.
        let chunks = if action == Action::Put { step.source } else { step.chunks };
        let held = self.params.held(rank, chunks.space);
        let range = chunks.range();
        let known =
            chunks.space == Space::Scratch || held.start <= range.start && range.end <= held.end;
        if peer as usize >= self.ranks() || chunks.count > 0 && !known {
            let message = format!("rank {rank} of `{}` cannot {step}", self.name());
            return Err(Error::not_verified(message).help("`ringwood verify` says what is wrong"));
        }
        let bytes = match chunks.count {
            0 => 0,
            count if self.even => self.first_chunk() * u64::from(count),
            _ => self.layout.bytes(rank, chunks).len() as u64,
        };
        let staged =
            self.staged.get(rank).is_some_and(|of| of.binary_search(&(index as u32)).is_ok());
        Ok(Op { action, channel, peer, bytes, staged })
    }
}

impl Source for Lanes<'_> {
    fn window(&self, rank: usize, window: Range<usize>, ops: &mut Vec<Op>) -> Result<usize> {
        let member = self.params.rank(rank);
        let first = window.start;
        let generated = generate(self.collective, &self.params, member, window)?;
        ops.clear();
        for (i, step) in generated.steps.iter().enumerate() {
            ops.push(self.op(rank, first + i, step)?);
        }
        Ok(generated.total)
    }
}
