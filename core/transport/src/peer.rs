//! A rank's end of a transport whose ranks read each other's memory.

mod run;

use super::board::{Board, exchange};
use super::message::Elements;
use super::plan::Prepared;
use super::wait::Limit;
use super::{Buffers, Endpoint, Intent, Op, Plan, Program, Ready, Region};
use ringwood_base::{DType, Error, Result};
use ringwood_schedule::Answers;
use run::{Bases, Work};
use std::ptr::{copy_nonoverlapping, null_mut};
use std::sync::Arc;
use std::time::Duration;

/// How a rank reaches the memory of others, and they its own. The memories of a rank are in the order
/// of [`Memory`](super::Memory): input, output, arena.
pub(super) trait Reach: Send {
    /// Makes room for an arena of this size; between calls, what the arena holds is of no use.
    fn reserve(&mut self, arena: usize) -> Result<()>;

    /// Makes the memory of a call reachable.
    fn show(&mut self, buffers: &mut Buffers<'_>) -> Result<Shown>;

    /// The memory that a peer shows, as this rank reaches it.
    fn find(&mut self, need: &Need, shown: [*mut u8; 3]) -> Result<[*mut u8; 3]>;

    /// Brings the outcome of a call to where the caller expects it.
    fn take_back(&mut self, shown: &Shown, buffers: &mut Buffers<'_>);

    /// Takes the own memory away from the others, after a failure in which one of them was stopped and
    /// may go on with what it did: what they write from now on, this rank does not see.
    fn retire(&mut self);

    /// See [`Endpoint::allocate`].
    fn allocate(&mut self, bytes: usize) -> Result<Region>;

    /// See [`Endpoint::answers`].
    fn answers(&self, within: Duration) -> Option<Answers> {
        let _ = within;
        None
    }

    /// Makes bytes reachable for a message: what others find them by, as an input.
    fn lend(&mut self, data: &[u8]) -> Result<*mut u8>;
}

/// The memory that a rank brings to a call.
pub(super) struct Shown {
    /// As it reaches it itself.
    pub(super) own: [*mut u8; 3],
    /// As others find it.
    pub(super) others: [*mut u8; 3],
}

/// What a program accesses of a peer's memory.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) rank: usize,
    /// Up to where.
    pub(super) bytes: [usize; 3],
    /// What elements are aligned to.
    pub(super) alignment: usize,
}

/// A rank's end of a transport whose ranks read each other's memory.
pub(super) struct End<R> {
    rank: usize,
    board: Arc<Board>,
    reach: R,
    /// The memory of each rank in the call in progress; empty before the first one, so that a large
    /// group costs nothing before all of its ranks have come.
    bases: Bases,
    /// Where the inputs are that ranks bring along, in even calls and in odd ones.
    inputs: [Vec<*mut u8>; 2],
    /// A copy of what this rank brings along: its lines of the arrival go to the caches of those who read them.
    own: Region,
    prepared: Vec<Prepared<Work>>,
    /// For intermediate merges of local computations.
    scratch: Region,
}

// SAFETY: `bases` and `inputs` hold addresses. Those of callers' memory are used only in the call
// that they were shown for, in which the memory is shared by the protocol described at `run::slice`;
// those of inputs point into the board, which `board` keeps.
unsafe impl<R: Send> Send for End<R> {}

impl<R: Reach> Endpoint for End<R> {
    fn prepare(&mut self, slot: usize, plan: &Plan) -> Result<()> {
        let work = Work::of(plan, self.board.arrivals.capacity())?;
        match &work {
            Work::Local(local, part) => {
                if self.own.bytes().len() < part.len() {
                    self.own = Region::ordinary(part.len())?;
                }
                if self.scratch.bytes().len() < local.scratch {
                    self.scratch = Region::ordinary(local.scratch)?;
                }
            }
            Work::Program(program, _) => {
                check_own(program, plan)?;
                self.reach.reserve(program.arena)?;
            }
        }
        Prepared::new(plan, work).keep(&mut self.prepared, slot);
        Ok(())
    }

    fn call(&mut self, intent: &Intent<'_>, mut buffers: Buffers<'_>) -> Result<u64> {
        let ready = match &intent.what {
            Ok(ready) => ready,
            Err(error) => return Err(self.refuse(intent, error)),
        };
        let (board, prepared) = (&*self.board, &self.prepared[ready.slot]);
        prepared.check(&buffers).map_err(|e| board.failure.raise(e))?;
        if matches!(prepared.work, Work::Local(..)) {
            return self.compute(intent, ready, buffers);
        }
        // Memory that is retired twice loses what was written in between.
        board.check()?;
        match self.reach.show(&mut buffers) {
            Ok(shown) => match self.run(intent, ready, &shown) {
                Ok(moved) => {
                    self.reach.take_back(&shown, &mut buffers);
                    Ok(moved)
                }
                Err(error) => {
                    // A group whose ranks disagree goes on, with its memory.
                    let failed = self.board.failure.is_raised();
                    if failed && self.board.others_inside(self.rank) {
                        self.reach.retire();
                    }
                    Err(error)
                }
            },
            Err(error) => Err(self.refuse(intent, &error)),
        }
    }

    fn send(&mut self, to: usize, data: &[u8], dtype: DType, within: Duration) -> Result<()> {
        let board = &*self.board;
        board.check()?;
        let place = self.reach.lend(data).map_err(|error| board.failure.raise(error))?;
        let elements = Elements { dtype, bytes: data.len() };
        exchange::send(board, (self.rank, to), place, elements, &Limit::new(within))
    }

    fn recv(&mut self, from: usize, data: &mut [u8], dtype: DType, within: Duration) -> Result<()> {
        let Self { rank, board, reach, .. } = self;
        board.check()?;
        let need = Need { rank: from, bytes: [data.len(), 0, 0], alignment: 1 };
        let copy = |place| {
            let [source, ..] = reach.find(&need, [place, null_mut(), null_mut()])?;
            if !data.is_empty() {
                // SAFETY: a thread that sends keeps its memory as it is until the offer is settled, and an
                // offer that is being taken is not withdrawn; what a process sends lies in a file that
                // this one maps, where `find` checks its bounds. Both lengths are equal.
                unsafe { copy_nonoverlapping(source, data.as_mut_ptr(), data.len()) }
            }
            Ok(())
        };
        let asked = Elements { dtype, bytes: need.bytes[0] };
        exchange::recv(board, (from, *rank), asked, copy, &Limit::new(within))
    }

    fn answers(&self, within: Duration) -> Option<Answers> {
        self.reach.answers(within)
    }

    fn allocate(&mut self, bytes: usize) -> Result<Region> {
        self.reach.allocate(bytes)
    }
}

impl<R: Reach> End<R> {
    pub(super) fn new(rank: usize, board: Arc<Board>, reach: R) -> Result<Self> {
        let ranks = if board.arrivals.capacity().is_some() { board.size() } else { 0 };
        let inputs =
            [0, 1].map(|call| (0..ranks).map(|r| board.arrivals.payload(r, call)).collect());
        let (bases, prepared) = (Vec::new(), Vec::new());
        let (own, scratch) = (Region::ordinary(0)?, Region::ordinary(0)?);
        Ok(Self { rank, board, reach, bases, inputs, own, prepared, scratch })
    }

    /// A call that this rank cannot make: no rank makes it.
    #[cold]
    fn refuse(&mut self, intent: &Intent<'_>, error: &Error) -> Error {
        let intent = &Intent { what: Err(error), ..*intent };
        let agreed = self.board.check().and_then(|()| {
            self.board.arrive(self.rank, intent);
            self.board.agree(self.rank, intent)
        });
        agreed.err().unwrap_or_else(|| error.clone())
    }

    /// A call whose inputs travel with the arrivals.
    fn compute(
        &mut self,
        intent: &Intent<'_>,
        ready: &Ready<'_>,
        mut buffers: Buffers<'_>,
    ) -> Result<u64> {
        let Self { rank, board, inputs, own, prepared, scratch, .. } = self;
        let Prepared { work: Work::Local(local, part), merge, .. } = &prepared[ready.slot] else {
            unreachable!("the plan was lowered to a local computation");
        };
        board.check()?;
        let (brought, own) = (&buffers.input()[part.clone()], own.bytes_mut());
        run::bring(brought, board.arrivals.payload(*rank, intent.call));
        board.arrive(*rank, intent);
        own[..brought.len()].copy_from_slice(brought);
        board.agree(*rank, intent)?;
        board.arrivals.fetch(*rank, intent.call + 1, brought.len());
        let inputs = &mut inputs[(intent.call % 2) as usize];
        inputs[*rank] = own.as_mut_ptr();
        let output = buffers.output().as_mut_ptr();
        let scratch = scratch.bytes_mut().as_mut_ptr();
        run::compute(local, merge.as_ref(), inputs, output, scratch)
            .map_err(|error| board.failure.raise(error))
    }

    /// A call in which ranks read each other's memory.
    fn run(&mut self, intent: &Intent<'_>, ready: &Ready<'_>, shown: &Shown) -> Result<u64> {
        let Self { rank, board, reach, bases, prepared, .. } = self;
        let Prepared { work: Work::Program(program, needs), merge, .. } = &prepared[ready.slot]
        else {
            unreachable!("the plan was lowered to a program");
        };
        let _inside = board.enter(*rank)?;
        board.show(*rank, intent.call, shown.others);
        // Calls whose inputs come along publish nothing: progress may be of a call so far back that it
        // reads as one ahead.
        board.publish(*rank, intent.call, 0);
        board.arrive(*rank, intent);
        board.agree(*rank, intent)?;
        board.arrivals.fetch(*rank, intent.call + 1, 0);
        bases.resize(board.size(), [null_mut(); 3]);
        bases[*rank] = shown.own;
        for need in needs {
            let found = reach.find(need, board.memory(need.rank, intent.call));
            bases[need.rank] = found.map_err(|error| {
                let when = format_args!("in call #{}", intent.call);
                board.failure.raise(board.blame(need.rank, when, error))
            })?;
        }
        let limit = Limit::new(intent.bounds.execution);
        let progress = Progress { board, rank: *rank, call: intent.call, limit: &limit };
        run::run(program, merge.as_ref(), bases, &progress)
            .map_err(|error| board.failure.raise(error))
    }
}

impl<R> Drop for End<R> {
    fn drop(&mut self) {
        self.board.depart(self.rank);
    }
}

/// The input and the output; an input is read only.
pub(super) fn pointers(buffers: &mut Buffers<'_>) -> [*mut u8; 2] {
    match buffers {
        Buffers::InPlace(data) => [data.as_mut_ptr(); 2],
        Buffers::Apart { input, output } => [input.as_ptr().cast_mut(), output.as_mut_ptr()],
    }
}

/// What a program accesses of a rank, for elements of this alignment.
fn need(program: &Program, rank: usize, alignment: usize) -> Need {
    let mut need = Need { rank, bytes: [0; 3], alignment };
    for op in &program.ops {
        let (addresses, bytes) = match *op {
            Op::Copy { source, target, bytes } | Op::Merge { source, target, bytes, .. } => {
                ([source, target], [bytes; 2])
            }
            Op::Convert { source, target, bytes, .. } => ([source, target], bytes),
            Op::Finish { target, bytes } => ([target; 2], [bytes; 2]),
            Op::Await { .. } | Op::Publish { .. } => continue,
        };
        for (at, bytes) in addresses.iter().zip(bytes).filter(|(at, _)| at.rank as usize == rank) {
            let end = &mut need.bytes[at.memory as usize];
            *end = at.offset.saturating_add(bytes).max(*end);
        }
    }
    need
}

/// Checks that a program accesses no more of its own rank's memory than that has, whatever another
/// process has proved of it: what the others access of theirs is checked where they are found.
fn check_own(program: &Program, plan: &Plan) -> Result<()> {
    let ([input, output], rank) = (plan.lengths(), plan.rank().index());
    let own = need(program, rank, 1).bytes;
    if own.iter().zip([input, output, program.arena]).all(|(end, length)| *end <= length) {
        return Ok(());
    }
    let message = format!("a schedule leaves the memory of rank {rank}");
    Err(Error::not_verified(message).help("its proof, which another process has made, is wrong"))
}

/// A rank's side of a call in progress.
struct Progress<'a> {
    board: &'a Board,
    rank: usize,
    call: u64,
    limit: &'a Limit,
}

impl Progress<'_> {
    fn publish(&self, steps: u64) {
        self.board.publish(self.rank, self.call, steps);
    }

    fn wait(&self, other: u32, steps: u64) -> Result<()> {
        self.board.wait_for((self.rank, other as usize), self.call, steps, self.limit)
    }
}
