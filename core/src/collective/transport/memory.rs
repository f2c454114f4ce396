//! Ranks that are threads of one process and read each other's buffers in place.

#[cfg(test)]
mod faults;
mod run;

use super::board::{Board, Bring};
use super::wait::Limit;
use super::{Buffers, Capabilities, Endpoint, Failure, Intent, Plan, Ready, Transport};
use crate::Result;
use run::{Bases, Prepared, Work};
use std::ptr::null_mut;
use std::sync::Arc;

/// Ranks that are threads of one process and read each other's buffers in place.
///
/// A receive reads the sender's chunk where it lies: nothing is copied in or out. Every rank has one
/// counter that tells how many of its steps are done, on a line of cache of its own. A small input
/// travels with the rank's arrival, and every rank computes its outputs itself: one exchange of
/// lines of cache is the whole call.
pub struct PeerMemory;

/// Chunks of more bytes are done in pieces, which stay in cache from their merge to their last copy.
const TILE: usize = 64 << 10;

impl Transport for PeerMemory {
    fn capabilities(&self) -> Capabilities {
        Capabilities { peer_load: true, put: true, two_sided: true }
    }

    fn connect(&self, ranks: usize, failure: &Arc<Failure>) -> Result<Vec<Box<dyn Endpoint>>> {
        let board = Arc::new(Board::new(ranks, Arc::clone(failure)));
        let end = |rank| Box::new(End::new(rank, Arc::clone(&board))) as Box<dyn Endpoint>;
        Ok((0..ranks).map(end).collect())
    }
}

struct End {
    rank: usize,
    board: Arc<Board>,
    /// The memory of each rank in the call in progress; empty before the first one, so that a large
    /// group costs nothing before all of its ranks have come.
    bases: Bases,
    /// Where the inputs are that ranks bring along, in even calls and in odd ones.
    inputs: [Vec<*mut u8>; 2],
    prepared: Vec<Prepared>,
}

// SAFETY: `bases` and `inputs` hold addresses. Those of callers' memory are used only in the call
// that they were shown for, in which the memory is shared by the protocol described at `run::slice`;
// those of inputs point into the board, which `board` keeps.
unsafe impl Send for End {}

impl Endpoint for End {
    fn prepare(&mut self, slot: usize, plan: &Plan) -> Result<()> {
        let prepared = Prepared::new(plan, self.board.arrivals.capacity(), TILE)?;
        match self.prepared.get_mut(slot) {
            Some(earlier) => *earlier = prepared,
            None => self.prepared.push(prepared),
        }
        Ok(())
    }

    fn call(&mut self, intent: &Intent<'_>, buffers: Buffers<'_>) -> Result<u64> {
        let bring = Bring {
            call: intent.call,
            digest: intent.what.as_ref().map_or(0, |ready| ready.digest),
            length: intent.what.as_ref().map_or(0, |ready| ready.bytes),
            what: intent.what.as_ref().map(|r| r.fingerprint).map_err(|e| *e),
        };
        let board = &*self.board;
        let arrival = Limit::new(intent.bounds.arrival);
        let Ok(Ready { slot, .. }) = intent.what else {
            board.check()?;
            board.arrive(self.rank, &bring);
            return board.agree(self.rank, &bring, &arrival).map(|()| 0);
        };
        self.prepared[slot].check(&buffers).map_err(|e| board.failure.raise(e))?;
        match self.prepared[slot].work {
            Work::Local(..) => self.compute(slot, &bring, &arrival, buffers),
            Work::Program(_) => {
                let execution = Limit::new(intent.bounds.execution);
                self.run(slot, &bring, [&arrival, &execution], buffers)
            }
        }
    }
}

impl End {
    fn new(rank: usize, board: Arc<Board>) -> Self {
        let inputs = [0, 1].map(|call| {
            let ranks = if board.arrivals.capacity().is_some() { board.size() } else { 0 };
            (0..ranks).map(|r| board.arrivals.payload(r, call)).collect()
        });
        Self { rank, board, bases: Vec::new(), inputs, prepared: Vec::new() }
    }

    /// A call whose inputs travel with the arrivals.
    fn compute(
        &mut self,
        slot: usize,
        bring: &Bring<'_>,
        arrival: &Limit,
        mut buffers: Buffers<'_>,
    ) -> Result<u64> {
        let Self { rank, board, inputs, prepared, .. } = self;
        let Prepared { work: Work::Local(local, part), merge, arena, .. } = &mut prepared[slot]
        else {
            unreachable!("the plan was lowered to a local computation");
        };
        board.check()?;
        run::bring(buffers.input(), part, board.arrivals.payload(*rank, bring.call));
        board.arrive(*rank, bring);
        board.agree(*rank, bring, arrival)?;
        let inputs = &inputs[(bring.call % 2) as usize];
        let output = buffers.output().as_mut_ptr();
        run::compute(local, merge.as_ref(), inputs, output, arena)
            .map_err(|error| board.failure.raise(error))
    }

    /// A call in which ranks read each other's memory.
    fn run(
        &mut self,
        slot: usize,
        bring: &Bring<'_>,
        [arrival, execution]: [&Limit; 2],
        buffers: Buffers<'_>,
    ) -> Result<u64> {
        let Self { rank, board, bases, prepared, .. } = self;
        let Prepared { work: Work::Program(program), merge, arena, .. } = &mut prepared[slot]
        else {
            unreachable!("the plan was lowered to a program");
        };
        let _inside = board.enter(*rank)?;
        let [input, output] = pointers(buffers);
        let memory = [input, output, arena.as_mut_ptr().cast()];
        board.show(*rank, bring.call, memory);
        board.arrive(*rank, bring);
        board.agree(*rank, bring, arrival)?;
        bases.resize(board.size(), [null_mut(); 3]);
        bases[*rank] = memory;
        for &peer in &program.peers {
            bases[peer as usize] = board.memory(peer as usize, bring.call);
        }
        let progress = Progress { board, rank: *rank, call: bring.call, limit: execution };
        run::run(program, merge.as_ref(), bases, &progress)
            .map_err(|error| board.failure.raise(error))
    }
}

/// The input and the output; an input is read only.
fn pointers(buffers: Buffers<'_>) -> [*mut u8; 2] {
    match buffers {
        Buffers::InPlace(data) => [data.as_mut_ptr(); 2],
        Buffers::Apart { input, output } => [input.as_ptr().cast_mut(), output.as_mut_ptr()],
    }
}

impl Drop for End {
    fn drop(&mut self) {
        self.board.depart(self.rank);
    }
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
        self.board.wait_for(other as usize, self.call, steps, self.limit)
    }
}
