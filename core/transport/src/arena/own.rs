//! The memory of a rank that its peers reach.

use super::super::region::Region;
use super::ground::{FILES, Ground};
use super::heap::Heap;
use super::map::Map;
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

/// The memory of a rank that its peers reach: files in memory that grow as they are needed. What is
/// given back is used again, and the files stay until the rank has left the group and dropped its
/// buffers.
pub(super) struct Own {
    rank: usize,
    ground: Arc<Ground>,
    files: Mutex<Vec<(Map, Heap)>>,
}

/// A piece of it, given back when dropped.
pub(super) struct Piece {
    own: Arc<Own>,
    file: usize,
    pub(super) range: Range<usize>,
    pub(super) data: NonNull<u8>,
}

// SAFETY: the piece is memory of its own, which `own` keeps mapped.
unsafe impl Send for Piece {}
// SAFETY: as above; shared references give the address only.
unsafe impl Sync for Piece {}

/// The bytes of the first file.
const FIRST: usize = 4 << 20;

/// Where bytes of a rank lie, in one word: the file, counted from 1, and the offset in it.
pub(super) fn word(file: usize, offset: usize) -> usize {
    (file + 1) << OFFSET_BITS | offset
}

/// The file and the offset of a [`word`], which may hold anything.
pub(super) fn place(word: usize) -> Option<(usize, usize)> {
    let file = (word >> OFFSET_BITS).checked_sub(1).filter(|&file| file < FILES)?;
    Some((file, word & ((1 << OFFSET_BITS) - 1)))
}

/// Files are smaller than 2^48 bytes.
const OFFSET_BITS: u32 = 48;

impl Own {
    pub(super) fn new(rank: usize, ground: Arc<Ground>) -> Arc<Self> {
        let process = u64::from(std::process::id());
        ground.files(rank).process.store(process, Ordering::Relaxed);
        Arc::new(Self { rank, ground, files: Mutex::default() })
    }

    /// Takes `bytes` bytes, with whatever they hold.
    pub(super) fn take(self: &Arc<Self>, bytes: usize) -> Result<Piece> {
        let mut files = lock(&self.files);
        let free = |(_, heap): &mut (Map, Heap)| heap.take(bytes);
        let found = files.iter_mut().enumerate().find_map(|(i, file)| Some((i, free(file)?)));
        let (file, range) = match found {
            Some(found) => found,
            None => {
                let (map, mut heap) = self.grow(&files, bytes)?;
                let range = heap.take(bytes).expect("a new file is large enough");
                files.push((map, heap));
                (files.len() - 1, range)
            }
        };
        // SAFETY: the heap hands out parts of its file.
        let data = unsafe { files[file].0.base().add(range.start) };
        Ok(Piece { own: Arc::clone(self), file, range, data })
    }

    /// A new file, larger than all before it together, so that a few are enough.
    fn grow(&self, files: &[(Map, Heap)], bytes: usize) -> Result<(Map, Heap)> {
        let before: usize = files.iter().map(|(map, _)| map.bytes()).sum();
        let size = bytes.max(before + 1).max(FIRST).checked_next_multiple_of(FIRST);
        let size = size.filter(|&size| size < 1 << OFFSET_BITS && files.len() < FILES);
        let size = size.ok_or_else(|| {
            Error::out_of_memory(format!("no memory for {bytes} bytes more that peers reach"))
        })?;
        let map = Map::create(size)?;
        let number = map.number() as u64 + 1;
        self.ground.files(self.rank).numbers[files.len()].store(number, Ordering::Release);
        Ok((map, Heap::new(0..size)))
    }

    /// The word of `bytes` bytes at an address, if they lie in this memory.
    pub(super) fn find(&self, data: *const u8, bytes: usize) -> Option<usize> {
        let files = lock(&self.files);
        files.iter().enumerate().find_map(|(file, (map, _))| {
            let offset = data.addr().checked_sub(map.base().addr().get())?;
            (offset.checked_add(bytes)? <= map.bytes()).then(|| word(file, offset))
        })
    }

    /// Takes all of it away from other processes.
    pub(super) fn retire(&self) {
        let files = lock(&self.files);
        files.iter().for_each(|(map, _)| map.retire());
    }

    /// Memory for a caller, all 0.
    pub(super) fn region(self: &Arc<Self>, bytes: usize) -> Result<Region> {
        let piece = self.take(bytes)?;
        let data = piece.data;
        // SAFETY: the piece is at least `bytes` long, begins at a line of cache and is nobody else's
        // as long as it exists; peers read it only in calls that get it as their data.
        unsafe {
            data.write_bytes(0, bytes);
            Ok(Region::new(data, bytes, piece))
        }
    }
}

impl Piece {
    pub(super) fn word(&self) -> usize {
        word(self.file, self.range.start)
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        let mut files = lock(&self.own.files);
        files[self.file].1.give(self.range.clone());
    }
}

#[cfg(test)]
mod tests;
