//! The memory of the other ranks, as this process maps it.

use super::ground::{FILES, Ground};
use super::map::Map;
use super::own::place;
use memmap2::MmapRaw;
use ringwood_base::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The files of the other ranks, mapped when they are first needed, and closed again: a large group has more than a
/// process may open.
pub(super) struct Peers {
    ground: Arc<Ground>,
    files: Vec<Vec<MmapRaw>>,
}

impl Peers {
    pub(super) fn new(ground: Arc<Ground>) -> Self {
        let files = (0..ground.ranks).map(|_| Vec::new()).collect();
        Self { ground, files }
    }

    /// The address of `bytes` bytes that `rank` shows by `word`, aligned to `alignment`. The word may
    /// hold anything.
    pub(super) fn find(
        &mut self,
        rank: usize,
        word: usize,
        bytes: usize,
        alignment: usize,
    ) -> Result<*mut u8> {
        let wrong = |what: &str| {
            let n = self.ground.ranks;
            let message = format!("rank {rank} of {n} shows memory that {what}");
            Error::protocol(message).with("place", format!("{word:#x}"))
        };
        let Some((file, offset)) = place(word) else { return Err(wrong("is none")) };
        while self.files[rank].len() <= file {
            let memory = self.open(rank, self.files[rank].len())?;
            self.files[rank].push(memory);
        }
        let memory = &self.files[rank][file];
        if offset.checked_add(bytes).is_none_or(|end| end > memory.len()) {
            return Err(wrong("ends before its data does"));
        }
        if !offset.is_multiple_of(alignment) {
            return Err(wrong("is not aligned for its elements"));
        }
        Ok(memory.as_mut_ptr().wrapping_add(offset))
    }

    fn open(&self, rank: usize, file: usize) -> Result<MmapRaw> {
        debug_assert!(file < FILES);
        let files = self.ground.files(rank);
        let number = files.numbers[file].load(Ordering::Acquire).wrapping_sub(1);
        let process = files.process.load(Ordering::Acquire);
        let map = Map::open(format!("/proc/{process}/fd/{number}").as_ref()).map_err(|cause| {
            let n = self.ground.ranks;
            let message = format!("cannot reach the memory of rank {rank} of {n}");
            Error::new(cause.kind(), message).because(cause)
        })?;
        Ok(map.into_memory())
    }
}

#[cfg(test)]
mod tests;
