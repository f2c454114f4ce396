//! The device's memory.

use super::invalid;
use ringwood::backend::Region;
use ringwood::{Error, Result};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Memory of the device, in words, so that every element type is aligned. Work under way keeps it.
#[derive(Clone)]
pub struct Memory {
    words: Arc<Mutex<Vec<u64>>>,
    bytes: usize,
}

impl Memory {
    pub(super) fn new(bytes: usize) -> Result<Self> {
        let (mut words, count) = (Vec::new(), bytes.div_ceil(size_of::<u64>()));
        words.try_reserve_exact(count).map_err(|e| {
            Error::out_of_memory(format!("abacus: cannot allocate {bytes} bytes")).because(e)
        })?;
        words.resize(count, 0);
        Ok(Self { words: Arc::new(Mutex::new(words)), bytes })
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u64>> {
        self.words.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A checked region that keeps its memory.
pub(super) struct Span {
    memory: Memory,
    pub(super) range: Range<usize>,
}

impl Span {
    pub(super) fn new(Region { memory, offset, bytes }: Region<'_, Memory>) -> Result<Self> {
        match offset.checked_add(bytes) {
            Some(end) if end <= memory.bytes => {
                Ok(Self { memory: memory.clone(), range: offset..end })
            }
            _ => {
                let size = memory.bytes;
                Err(invalid(format!("{bytes} bytes at {offset} of a memory of {size} bytes")))
            }
        }
    }

    pub(super) fn of_size(region: Region<'_, Memory>, bytes: usize) -> Result<Self> {
        if region.bytes == bytes {
            return Self::new(region);
        }
        Err(invalid(format!("{bytes} bytes for a region of {} bytes", region.bytes)))
    }

    pub(super) fn overlaps(&self, other: &Span) -> bool {
        let (a, b) = (&self.range, &other.range);
        Arc::ptr_eq(&self.memory.words, &other.memory.words)
            && a.start.max(b.start) < a.end.min(b.end)
    }

    pub(super) fn read(&self) -> Vec<u8> {
        bytemuck::cast_slice(&self.memory.lock())[self.range.clone()].to_vec()
    }

    pub(super) fn write(&self, bytes: &[u8]) {
        self.bytes_of(&mut self.memory.lock()).copy_from_slice(bytes);
    }

    pub(super) fn fill(&self, byte: u8) {
        self.bytes_of(&mut self.memory.lock()).fill(byte);
    }

    fn bytes_of<'a>(&self, words: &'a mut [u64]) -> &'a mut [u8] {
        &mut bytemuck::cast_slice_mut(words)[self.range.clone()]
    }
}
