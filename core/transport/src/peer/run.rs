//! Runs what a plan was lowered to.

use super::{Need, Progress, need};
use crate::cache::copy;
use crate::{Address, Memory, Merge, Op, Plan, Program};
use ringwood_base::Result;
use ringwood_kernel::NativeSlice;
use ringwood_schedule::lower::{Apply, Local, Spot};
use std::ops::Range;
use std::ptr::NonNull;

/// The input, the output and the arena of each rank, by [`Memory`].
pub(super) type Bases = Vec<[*mut u8; 3]>;

/// How a plan is run.
pub(super) enum Work {
    /// Every rank brings these bytes of its input along.
    Local(Local, Range<usize>),
    /// Ranks read each other's buffers, as far as each peer's need says.
    Program(Program, Vec<Need>),
}

impl Work {
    /// Lowers a plan: for inputs of up to `eager` bytes to a local computation, if any.
    pub(super) fn of(plan: &Plan, eager: Option<usize>) -> Result<Self> {
        // A local computation has no form of its own for sums.
        let eager = eager.filter(|_| !plan.merge().is_some_and(Merge::has_sums));
        if eager.is_some_and(|most| plan.input_bytes() <= most) {
            return Ok(Work::Local(plan.local()?, plan.brought()));
        }
        let program = plan.lower(tile(plan))?;
        let alignment = 1 << plan.layout().unit().trailing_zeros().min(3);
        let needs = program.peers.iter().map(|&peer| need(&program, peer as usize, alignment));
        let needs = needs.collect();
        Ok(Work::Program(program, needs))
    }
}

/// Chunks of more bytes are done in pieces of so many, which stay in cache from their merge to their last copy.
fn tile(plan: &Plan) -> usize {
    const TILE: usize = 64 << 10;
    const LARGE: usize = 32 << 20;
    // What a core has just merged lies in its own cache, from which others have it later than from the one that all
    // share: they copy when all is merged, unless that is more than the shared one holds.
    let merged = plan.merge().is_some() && plan.input_bytes() < LARGE;
    if merged { usize::MAX } else { TILE }
}

/// Brings what a rank shows of its input along.
pub(super) fn bring(part: &[u8], payload: *mut u8) {
    // SAFETY: a local computation is prepared for inputs that fit into a payload, which only this
    // rank writes, and only before it arrives; see `Arrivals::payload`.
    unsafe { std::ptr::copy_nonoverlapping(part.as_ptr(), payload, part.len()) }
}

/// Computes the output of a rank from the inputs that all ranks brought along.
pub(super) fn compute(
    local: &Local,
    merge: Option<&Merge>,
    inputs: &[*mut u8],
    output: *mut u8,
    scratch: *mut u8,
) -> Result<u64> {
    let at = |spot| match spot {
        Spot::Input { rank, offset } => inputs[rank as usize].wrapping_add(offset),
        Spot::Output { offset } => output.wrapping_add(offset),
        Spot::Scratch { offset } => scratch.wrapping_add(offset),
    };
    for &Apply { own, other, target, bytes, completes } in &local.ops {
        #[cfg(feature = "steps")]
        crate::steps::step()?;
        // SAFETY: inputs stay as they are until this rank comes to its next call; output and scratch
        // are this rank's, as large as the computation was prepared for.
        unsafe {
            match other {
                None => std::ptr::copy_nonoverlapping(at(own), at(target), bytes),
                Some(other) => {
                    let slices = [own, other, target].map(|spot| slice(at(spot), bytes));
                    Merge::needed(merge)?.merge(slices)?;
                }
            }
            if completes {
                Merge::needed(merge)?.finish(slice(at(target), bytes))?;
            }
        }
    }
    Ok(local.moved)
}

/// Runs a program. Every rank has arrived with the same fingerprint, so all buffers have the size
/// that the programs were lowered for.
pub(super) fn run(
    program: &Program,
    merge: Option<&Merge>,
    bases: &Bases,
    progress: &Progress<'_>,
) -> Result<u64> {
    let (body, rest) = program.ops.split_at(program.body);
    for pass in 0..program.passes {
        for op in body {
            step(op, program, pass, merge, bases, progress)?;
        }
    }
    for op in rest {
        step(op, program, program.passes - 1, merge, bases, progress)?;
    }
    Ok(program.moved)
}

#[inline]
fn step(
    op: &Op,
    program: &Program,
    pass: u64,
    merge: Option<&Merge>,
    bases: &Bases,
    progress: &Progress<'_>,
) -> Result<()> {
    let steps = |steps: u32| pass * Program::STEPS + u64::from(steps);
    let at = |address: Address, start| base(bases, address).wrapping_add(start);
    #[cfg(feature = "steps")]
    crate::steps::step()?;
    match *op {
        Op::Await { rank, progress: wanted } => return progress.wait(rank, steps(wanted)),
        Op::Publish { progress: done } => progress.publish(steps(done)),
        Op::Copy { source, target, bytes } => {
            let (start, bytes) = program.part(bytes, pass);
            // SAFETY: as for `slice`.
            unsafe { copy(at(source, start), at(target, start), bytes) }
        }
        Op::Merge { source, target, bytes, left } => {
            let (start, bytes) = program.part(bytes, pass);
            // SAFETY: as for `slice`; see there.
            let [own, other] = [target, source].map(|a| unsafe { slice(at(a, start), bytes) });
            if bytes > 0 {
                let operands = if left { [other, own, own] } else { [own, other, own] };
                return Merge::needed(merge)?.merge_shared(operands);
            }
        }
        Op::Convert { source, target, bytes: [from, to], merges } if to > 0 => {
            // SAFETY: as for `slice`; source and target share nothing: one is scratch of this rank,
            // the other is not.
            let (source, target) = unsafe {
                let source = std::slice::from_raw_parts(at(source, 0), from);
                (source, std::slice::from_raw_parts_mut(at(target, 0), to))
            };
            let merge = Merge::needed(merge)?;
            return if merges { merge.apply(target, source) } else { merge.put(source, target) };
        }
        Op::Convert { .. } => {}
        Op::Finish { target, bytes } => {
            let (start, bytes) = program.part(bytes, pass);
            // SAFETY: as for `slice`; see there.
            let own = unsafe { slice(at(target, start), bytes) };
            if bytes > 0 {
                return Merge::needed(merge)?.finish(own);
            }
        }
    }
    Ok(())
}

#[inline]
fn base(bases: &Bases, at: Address) -> *mut u8 {
    // `wrapping_add` computes the address; only its use has conditions.
    bases[at.rank as usize][at.memory as usize].wrapping_add(at.offset)
}

/// The bytes at an address of what is run, for a kernel.
///
/// # Safety
/// The program that the address comes from is being run: then the bytes are inside of the memory
/// that its rank brought to the call, which stays until that rank has left the call; a rank leaves
/// after its peers have done their accesses (the last waits of its program) or, after a failure,
/// after they have left. The waits of the program order every access of a peer's bytes against the
/// others, which the verifier proves.
unsafe fn slice<'a>(data: *mut u8, bytes: usize) -> NativeSlice<'a> {
    let data = NonNull::new(data).unwrap_or(NonNull::dangling());
    // SAFETY: the caller's; a buffer is aligned for its elements (checked when it is passed in), an
    // arena for all of them, and offsets are multiples of the element size.
    unsafe { NativeSlice::new(data, bytes, None) }
}

const _: () = assert!(Memory::Input as usize == 0 && Memory::Arena as usize == 2);
