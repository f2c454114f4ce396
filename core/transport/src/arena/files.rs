//! How a rank of an arena reaches the memory of others, and they its own.

use super::super::peer::{Need, Reach, Shown, pointers};
use super::answers::Wait;
use super::ground::Ground;
use super::own::{Own, Piece};
use super::peers::Peers;
use crate::{Buffers, Region};
use ringwood_base::Result;
use ringwood_base::deadline::deadline;
use ringwood_schedule::Answers;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::Arc;
use std::time::Duration;

/// What another process finds out is waited for no longer: it may have been stopped.
const FINDING: Duration = Duration::from_secs(10);

/// Memory in files that processes map: others find it by a word that says where it lies. A caller's
/// buffer that does not lie there is copied in before a call and out after it.
pub(super) struct Files {
    own: Arc<Own>,
    peers: Peers,
    ground: Arc<Ground>,
    arena: Option<Piece>,
    /// The largest arena that a call was prepared for.
    reserved: usize,
    /// The copies of a caller's input and output.
    staging: [Option<Piece>; 2],
}

impl Files {
    pub(super) fn new(rank: usize, ground: &Arc<Ground>) -> Self {
        Self {
            own: Own::new(rank, Arc::clone(ground)),
            peers: Peers::new(Arc::clone(ground)),
            ground: Arc::clone(ground),
            arena: None,
            reserved: 0,
            staging: [None, None],
        }
    }

    /// Where `bytes` bytes at `data` lie, in files: there, or in the copy numbered `copy`.
    fn place(&mut self, copy: usize, data: *mut u8, bytes: usize) -> Result<(*mut u8, usize)> {
        if let Some(word) = self.own.find(data, bytes) {
            return Ok((data, word));
        }
        grow(&mut self.staging[copy], &self.own, bytes)?;
        Ok(at(&self.staging[copy]))
    }
}

impl Reach for Files {
    fn reserve(&mut self, arena: usize) -> Result<()> {
        let grown = grow(&mut self.arena, &self.own, arena);
        match grown {
            Ok(()) => self.reserved = self.reserved.max(arena),
            // Calls that were prepared before use the arena as it was: what it gave back is still free.
            Err(_) => grow(&mut self.arena, &self.own, self.reserved)?,
        }
        grown
    }

    fn show(&mut self, buffers: &mut Buffers<'_>) -> Result<Shown> {
        // Does nothing, unless the arena could not be had again after a larger one was refused.
        grow(&mut self.arena, &self.own, self.reserved)?;
        let [input, output] = pointers(buffers);
        let (given, taken) = (buffers.input().len(), buffers.output().len());
        let places = match buffers {
            Buffers::InPlace(_) => [self.place(1, output, taken)?; 2],
            Buffers::Apart { .. } => [self.place(0, input, given)?, self.place(1, output, taken)?],
        };
        if places[0].0 != input {
            // SAFETY: the copy is at least as long and this rank's; no peer reads it between calls.
            unsafe { places[0].0.copy_from_nonoverlapping(input, given) };
        }
        let all = [places[0], places[1], at(&self.arena)];
        let others = all.map(|(_, word)| without_provenance_mut(word));
        Ok(Shown { own: all.map(|(data, _)| data), others })
    }

    fn find(&mut self, need: &Need, shown: [*mut u8; 3]) -> Result<[*mut u8; 3]> {
        let mut found = [null_mut(); 3];
        for ((found, bytes), word) in found.iter_mut().zip(need.bytes).zip(shown) {
            if bytes > 0 {
                *found = self.peers.find(need.rank, word.addr(), bytes, need.alignment)?;
            }
        }
        Ok(found)
    }

    fn take_back(&mut self, shown: &Shown, buffers: &mut Buffers<'_>) {
        let output = buffers.output();
        if !std::ptr::eq(shown.own[1], output.as_ptr()) {
            // SAFETY: the copy is at least as long, and no peer accesses it after the call.
            unsafe { output.as_mut_ptr().copy_from_nonoverlapping(shown.own[1], output.len()) };
        }
    }

    fn retire(&mut self) {
        self.own.retire();
    }

    fn allocate(&mut self, bytes: usize) -> Result<Region> {
        self.own.region(bytes)
    }

    fn answers(&self, within: Duration) -> Option<Answers> {
        let ground = Arc::clone(&self.ground);
        Some(Arc::new(move |question, find| {
            let over = || ground.verdict().heard().is_some();
            let wait = Wait { end: deadline(within.min(FINDING)), over: &over };
            ground.answers.ask(question, find, &wait)
        }))
    }

    fn lend(&mut self, data: &[u8]) -> Result<*mut u8> {
        let source = data.as_ptr().cast_mut();
        let (place, word) = self.place(0, source, data.len())?;
        if place != source {
            // SAFETY: the copy is at least as long and this rank's; no peer reads it between messages.
            unsafe { place.copy_from_nonoverlapping(source, data.len()) };
        }
        Ok(without_provenance_mut(word))
    }
}

/// Grows a piece to `bytes` bytes; what it held is lost, and the piece too where there is no memory for a larger one.
fn grow(piece: &mut Option<Piece>, own: &Arc<Own>, bytes: usize) -> Result<()> {
    if piece.as_ref().map_or(0, |piece| piece.range.len()) < bytes {
        *piece = None;
        *piece = Some(own.take(bytes)?);
    }
    Ok(())
}

/// The address and the word of a piece.
fn at(piece: &Option<Piece>) -> (*mut u8, usize) {
    piece.as_ref().map_or((null_mut(), 0), |piece| (piece.data.as_ptr(), piece.word()))
}

#[cfg(test)]
mod tests;
