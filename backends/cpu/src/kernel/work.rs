//! One launch: kept when it is submitted, run by its stream.

use super::Code;
use super::pieces::Pieces;
use crate::memory::{Borrows, Memory, Span};
use crate::pool::pool;
use ringwood_base::Result;
use ringwood_device::kernel::{Form, Kept, Launch, NativeLaunch, run_native};
use ringwood_device::pool::{each, threads};
use std::ops::Range;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A loop that takes longer than this is split over the pool; waking it takes about as long.
const WORTH_SPLITTING: Duration = Duration::from_micros(10);

/// Host kernels on fewer bytes stay on the stream's thread.
const SPLIT_BYTES: usize = 128 << 10;

/// So many elements of a map are one piece: a call costs as much as some hundred of them.
const LEAST_ELEMENTS: usize = 512;

/// One launch with all it needs.
pub(crate) struct Work {
    launch: Kept<Span>,
    pieces: Pieces,
}

impl Work {
    pub(crate) fn new(launch: &Launch<'_, Code, Memory>) -> Result<Self> {
        let launch = Kept::new(launch, |param, region| Span::new(region, param.name))?;
        Ok(Self { launch, pieces: Pieces::default() })
    }

    /// What the kernel touches, and whether it writes it.
    pub(super) fn spans(&self) -> impl Iterator<Item = (&Span, bool)> + Clone {
        self.launch.memories()
    }

    /// Runs the kernel over its whole domain.
    pub(crate) fn run(&self) -> Result<()> {
        let _borrowed = Borrows::of(self.borrowed())?;
        // SAFETY: the spans are borrowed for as long as the kernel runs.
        unsafe { self.run_borrowed() }
    }

    /// As [`Work::run`], on memory that the caller borrows.
    ///
    /// # Safety
    /// [`Work::spans`] are borrowed until this returns.
    pub(super) unsafe fn run_borrowed(&self) -> Result<()> {
        let run = |launch: &NativeLaunch<'_>| match self.launch.kernel().form() {
            Form::Map | Form::Grid | Form::Group => {
                self.run_domain(&Shared(launch), launch.domain().elements())
            }
            _ => self.run_host(&Shared(launch)),
        };
        // SAFETY: each span is inside of its memory, which it keeps alive, and the memory is aligned for
        // every type. They are borrowed for as long as the kernel runs, as the caller promises.
        unsafe { self.launch.run(Span::address, run) }
    }

    /// As [`Work::spans`]; the inputs of a map that are its result are borrowed with it.
    fn borrowed(&self) -> impl Iterator<Item = (&Span, bool)> + Clone {
        let is_result = |span: &Span| self.spans().any(|(other, is)| is && other.is_same(span));
        self.spans().filter(move |(span, written)| *written || !is_result(span))
    }

    /// Runs a host kernel, of much data in the pool: what it calls may split its work over that.
    fn run_host(&self, launch: &Shared<'_>) -> Result<()> {
        let bytes = self.spans().map(|(span, _)| span.bytes()).sum::<usize>();
        let pool = if bytes < SPLIT_BYTES { None } else { pool()? };
        let run = || self.run_range(launch, 0..1);
        pool.map_or_else(run, |pool| pool.install(run))
    }

    /// Runs the items of the domain: inline, or split over the pool if it is worth it.
    fn run_domain(&self, launch: &Shared<'_>, items: usize) -> Result<()> {
        let least = if self.launch.kernel().form() == Form::Map { LEAST_ELEMENTS } else { 1 };
        let piece = (items / 64).clamp(least, 16_384);
        if items <= piece {
            return self.run_range(launch, 0..items);
        }
        if let Some(piece) = self.pieces.begin() {
            return self.run_rest(launch, 0..items, piece);
        }
        let (done, piece) = self.measure(launch, items, piece)?;
        self.pieces.keep(piece);
        self.run_rest(launch, done..items, piece)
    }

    /// Runs the first items, until they show whether it is worth it to split the rest; the number of
    /// them, and the items of a piece of the rest. Every call has a fixed cost, so the first pieces grow
    /// until one of them takes long enough to tell what an item takes, and no later one is smaller.
    fn measure(&self, launch: &Shared<'_>, items: usize, piece: usize) -> Result<(usize, usize)> {
        let (mut done, mut next) = (0, piece);
        loop {
            let start = Instant::now();
            self.run_range(launch, done..done + next)?;
            let took = start.elapsed();
            done += next;
            let left = items - done;
            let worth = WORTH_SPLITTING.as_nanos() * next as u128;
            if left == 0 || took.as_nanos() * (left as u128) < worth {
                return Ok((done, usize::MAX));
            }
            if took > WORTH_SPLITTING / 4 {
                return Ok((done, piece.max(next)));
            }
            next = (2 * next).min(left);
        }
    }

    /// Runs the items of a range in pieces, in the pool if there are several.
    fn run_rest(&self, launch: &Shared<'_>, range: Range<usize>, piece: usize) -> Result<()> {
        let pool = if range.len() > piece { pool()? } else { None };
        let Some(pool) = pool.filter(|pool| pool.install(threads) > 1) else {
            return self.run_range(launch, range);
        };
        let failure = OnceLock::new();
        let run = |i: usize| {
            let from = range.start + i * piece;
            if failure.get().is_none()
                && let Err(error) = self.run_range(launch, from..(from + piece).min(range.end))
            {
                // The first one is kept.
                drop(failure.set(error));
            }
        };
        pool.install(|| each(0..range.len().div_ceil(piece), run));
        failure.into_inner().map_or(Ok(()), Err)
    }

    fn run_range(&self, launch: &Shared<'_>, range: Range<usize>) -> Result<()> {
        if range.is_empty() {
            return Ok(());
        }
        // SAFETY: `Kept` hands over a launch of its kernel.
        unsafe { run_native(&self.launch.kernel().spec(), launch.0, range) }
    }
}

/// A launch that several threads run pieces of.
struct Shared<'a>(&'a NativeLaunch<'a>);

// SAFETY: calls of native code for disjoint ranges may run at the same time, as what the kernel
// requires of the launch was checked, and the borrows of the launch keep everyone else off its memory.
unsafe impl Sync for Shared<'_> {}
