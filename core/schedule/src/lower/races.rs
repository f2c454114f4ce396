//! The race check of lowered programs: every read of a peer's memory is ordered against every write.

use super::{Memory, Op, Program};
use std::collections::BTreeMap;
use std::ops::Range;

/// A read of a peer's memory.
struct Read {
    reader: usize,
    bytes: Range<usize>,
    /// The owner's progress that the reader had waited for.
    seen: u32,
    /// The progress that the reader had published: whoever waits for more waits for the read.
    published: u32,
}

/// A race: `reader` reads what `owner` may be writing.
#[derive(Debug, PartialEq, Eq)]
pub struct Race {
    pub owner: usize,
    pub reader: usize,
}

/// The first race of a group's programs, if there is one.
///
/// Only owners write, so a race is a read by a peer and a write by the owner with no order: neither
/// had the reader waited for the write, nor did the owner wait for the read. Orders that come about
/// through a third rank do not count, so a program that passes has none in any execution. At the
/// end of its program an owner must have waited for every read, since the caller may then write.
pub fn find_race(programs: &[Program]) -> Option<Race> {
    let mut reads: Vec<Reads> = programs.iter().map(|_| Reads::new()).collect();
    for (reader, program) in programs.iter().enumerate() {
        collect_reads(reader, program, &mut reads);
    }
    for (of_memory, longest) in reads.iter_mut().flat_map(Reads::values_mut) {
        of_memory.sort_by_key(|read| read.bytes.start);
        *longest = of_memory.iter().map(|read| read.bytes.len()).max().unwrap_or(0);
    }
    (0..programs.len()).find_map(|owner| check_owner(owner, programs, &reads[owner]))
}

/// The reads of each memory of a rank, and the length of the longest.
type Reads = BTreeMap<Memory, (Vec<Read>, usize)>;

fn collect_reads(reader: usize, program: &Program, reads: &mut [Reads]) {
    let mut seen = vec![0; reads.len()];
    let mut published = 0;
    for op in &program.ops {
        match *op {
            Op::Publish { progress } => published = progress,
            Op::Await { rank, progress } => {
                seen[rank as usize] = progress;
            }
            Op::Copy { source, bytes, .. }
            | Op::Merge { source, bytes, .. }
            | Op::Convert { source, bytes: [bytes, _], .. }
                if source.rank as usize != reader =>
            {
                let seen = seen[source.rank as usize];
                let bytes = source.offset..source.offset + bytes;
                let read = Read { reader, bytes, seen, published };
                reads[source.rank as usize].entry(source.memory).or_default().0.push(read);
            }
            Op::Copy { .. } | Op::Merge { .. } | Op::Convert { .. } | Op::Finish { .. } => {}
        }
    }
}

fn check_owner(owner: usize, programs: &[Program], reads: &Reads) -> Option<Race> {
    // The progress of each rank that the owner waited for.
    let mut waited = vec![0; programs.len()];
    let mut published = 0;
    let race = |read: &Read| Race { owner, reader: read.reader };
    for op in &programs[owner].ops {
        let (target, bytes) = match *op {
            Op::Publish { progress } => {
                published = progress;
                continue;
            }
            Op::Await { rank, progress } => {
                waited[rank as usize] = progress;
                continue;
            }
            Op::Copy { target, bytes, .. }
            | Op::Merge { target, bytes, .. }
            | Op::Finish { target, bytes } => (target, bytes),
            Op::Convert { target, bytes: [_, bytes], .. } => (target, bytes),
        };
        let Some((reads, longest)) = reads.get(&target.memory) else { continue };
        let unordered = |read: &&Read| {
            let write_then_read = read.seen > published;
            !write_then_read && !waits_for(&waited, read) && read.bytes.end > target.offset
        };
        let from = reads.partition_point(|read| read.bytes.start + longest <= target.offset);
        let to = reads.partition_point(|read| read.bytes.start < target.offset + bytes);
        if let Some(read) = reads[from..to].iter().find(unordered) {
            return Some(race(read));
        }
    }
    let mut all = reads.values().flat_map(|(reads, _)| reads);
    all.find(|read| !waits_for(&waited, read)).map(race)
}

fn waits_for(waited: &[u32], read: &Read) -> bool {
    waited[read.reader] > read.published
}

#[cfg(test)]
mod tests;
