//! Ranks that are threads of one process and read each other's buffers in place.

use super::board::{Board, Bring};
use super::{Capabilities, Endpoint, Failure, Intent, Merge, Op, Plan, Program, Ready, Transport};
use crate::Result;
use crate::collective::transport::{Address, Memory};
use crate::deadline::deadline;
use crate::kernel::NativeSlice;
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Instant;

/// Ranks that are threads of one process and read each other's buffers in place.
///
/// A receive reads the sender's chunk where it lies: nothing is copied in or out. Every rank has one
/// counter that tells how many of its steps are done, on a line of cache of its own.
pub struct PeerMemory;

impl Transport for PeerMemory {
    fn capabilities(&self) -> Capabilities {
        Capabilities::PEER_LOAD
    }

    fn connect(&self, ranks: usize, failure: &Arc<Failure>) -> Result<Vec<Box<dyn Endpoint>>> {
        let board = Arc::new(Board::new(ranks, Arc::clone(failure)));
        let end = |rank| {
            let board = Arc::clone(&board);
            let (bases, prepared) = (Vec::new(), Vec::new());
            Box::new(End { rank, board, bases, prepared }) as Box<dyn Endpoint>
        };
        Ok((0..ranks).map(end).collect())
    }
}

struct End {
    rank: usize,
    board: Arc<Board>,
    /// The buffer and the arena of each rank, for the call in progress; empty before the first one,
    /// so that a large group costs nothing before all of its ranks have come.
    bases: Vec<[*mut u8; 2]>,
    prepared: Vec<Prepared>,
}

// SAFETY: `bases` holds addresses only for the duration of a call, in which the memory behind them is
// shared by the protocol described at `End::run`; between calls they are not used.
unsafe impl Send for End {}

struct Prepared {
    program: Program,
    merge: Merge,
    arena: Vec<Line>,
}

/// A line of cache; also aligned for every element type.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line(#[expect(dead_code, reason = "reached by address only")] [u8; 64]);

impl Endpoint for End {
    fn prepare(&mut self, slot: usize, plan: &Plan) -> Result<()> {
        let program = plan.lower()?;
        let arena = vec![Line([0; 64]); program.arena.div_ceil(64)];
        let prepared = Prepared { program, merge: *plan.merge(), arena };
        match self.prepared.get_mut(slot) {
            Some(earlier) => *earlier = prepared,
            None => self.prepared.push(prepared),
        }
        Ok(())
    }

    fn call(&mut self, intent: &Intent<'_>, data: &mut [u8]) -> Result<u64> {
        let board = Arc::clone(&self.board);
        let _inside = board.enter(self.rank)?;
        self.agree_and_run(intent, data)
    }
}

impl End {
    fn agree_and_run(&mut self, intent: &Intent<'_>, data: &mut [u8]) -> Result<u64> {
        let arena = match intent.what {
            Ok(Ready { slot, .. }) => self.prepared[slot].arena.as_mut_ptr().cast(),
            Err(_) => std::ptr::null_mut(),
        };
        let bring = Bring {
            call: intent.call,
            digest: intent.what.as_ref().map_or(0, |ready| ready.digest),
            what: intent.what.as_ref().map(|r| r.fingerprint).map_err(|e| *e),
            buffer: data.as_mut_ptr(),
            arena,
        };
        let arrival = deadline(intent.bounds.arrival);
        self.board.arrive(self.rank, &bring);
        self.board.agree(self.rank, &bring, arrival)?;
        let Ok(Ready { slot, .. }) = intent.what else {
            unreachable!("ranks do not agree on a call that one of them refuses");
        };
        self.bases.resize(self.board.size(), [std::ptr::null_mut(); 2]);
        self.bases[self.rank] = [bring.buffer, bring.arena];
        self.run(slot, intent.call, deadline(intent.bounds.execution))
    }

    /// Runs a program. Every rank has arrived with the same fingerprint, so all buffers have the
    /// size that the programs were lowered for.
    fn run(&mut self, slot: usize, call: u64, deadline: Instant) -> Result<u64> {
        let Self { rank, board, bases, prepared } = self;
        let Prepared { program, merge, .. } = &prepared[slot];
        for &peer in &program.peers {
            bases[peer as usize] = board.memory(peer as usize, call);
        }
        for op in &program.ops {
            let done = match *op {
                Op::Await { rank, progress } => {
                    board.wait_for(rank as usize, call, progress, deadline)
                }
                Op::Publish { progress } => {
                    board.publish(*rank, call, progress);
                    Ok(())
                }
                Op::Copy { source, target, bytes } => {
                    copy(bases, source, target, bytes);
                    Ok(())
                }
                Op::Merge { source, target, bytes } => {
                    // SAFETY: as for `slice`; see there.
                    let (own, other) =
                        unsafe { (slice(bases, target, bytes), slice(bases, source, bytes)) };
                    merge.merge(own, other)
                }
                Op::Finish { target, bytes } => finish(merge, bases, target, bytes),
            };
            done.map_err(|error| board.failure.raise(error))?;
        }
        Ok(program.moved)
    }
}

impl Drop for End {
    fn drop(&mut self) {
        self.board.depart(self.rank);
    }
}

fn base(bases: &[[*mut u8; 2]], at: Address) -> *mut u8 {
    let memory = match at.memory {
        Memory::Buffer => 0,
        Memory::Arena => 1,
    };
    // `wrapping_add` computes the address; only its use has conditions.
    bases[at.rank as usize][memory].wrapping_add(at.offset)
}

/// The bytes at an address of a lowered program, for a kernel.
///
/// # Safety
/// The program that the address comes from is being run: then the bytes are inside of the buffer or
/// the arena that its rank brought to the call, which stays until that rank has left the call; a
/// rank leaves after its peers have read (the last waits of its program) or, after a failure, after
/// they have left. The waits of the program order every read of a peer's bytes against the writes of
/// their owner, which the race check proves, and only the owner writes.
unsafe fn slice<'a>(bases: &[[*mut u8; 2]], at: Address, bytes: usize) -> NativeSlice<'a> {
    let data = NonNull::new(base(bases, at)).unwrap_or(NonNull::dangling());
    // SAFETY: the caller's; a buffer is aligned for its elements (checked when it is passed in), an
    // arena for all of them, and offsets are multiples of the element size.
    unsafe { NativeSlice::new(data, bytes, None) }
}

fn copy(bases: &[[*mut u8; 2]], source: Address, target: Address, bytes: usize) {
    // SAFETY: as for `slice`.
    unsafe { std::ptr::copy(base(bases, source), base(bases, target), bytes) }
}

fn finish(merge: &Merge, bases: &[[*mut u8; 2]], target: Address, bytes: usize) -> Result<()> {
    let divisor = NonNull::from(merge.divisor()).cast();
    let size = merge.dtype().size();
    // SAFETY: as for `slice`; and the divisor is one element, aligned, which stride 0 stays at.
    let (own, divisor) =
        unsafe { (slice(bases, target, bytes), NativeSlice::new(divisor, size, Some(&[0]))) };
    merge.finish(own, divisor)
}
