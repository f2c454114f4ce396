//! Freed memory that is kept for later buffers.

use crate::backend::Handle;
use std::collections::BTreeMap;

/// How many bytes of freed memory a device keeps unless it is told otherwise.
const KEPT_BYTES: usize = 64 << 20;
/// How many pieces of freed memory a device keeps.
const KEPT_PIECES: usize = 1024;

/// Memory that nobody uses, kept for buffers of about the same size.
pub(super) struct Cache {
    pub(super) limit: usize,
    pub(super) bytes: usize,
    /// By size, then by age.
    pieces: BTreeMap<(usize, u64), Handle>,
    next: u64,
}

impl Default for Cache {
    fn default() -> Self {
        Self { limit: KEPT_BYTES, bytes: 0, pieces: BTreeMap::new(), next: 0 }
    }
}

impl Cache {
    /// Kept memory of at least `bytes` bytes and at most an eighth more, with its size.
    pub(super) fn take(&mut self, bytes: usize) -> Option<(Handle, usize)> {
        let most = bytes.saturating_add(bytes / 8);
        let (&key, _) = self.pieces.range((bytes, 0)..=(most, u64::MAX)).next()?;
        let memory = self.pieces.remove(&key)?;
        self.bytes -= key.0;
        Some((memory, key.0))
    }

    /// Keeps memory, if it may; what there is no room for comes back.
    pub(super) fn put(&mut self, memory: Handle, bytes: usize) -> Vec<Handle> {
        if bytes == 0 || bytes > self.limit {
            return vec![memory];
        }
        self.pieces.insert((bytes, self.next), memory);
        self.next += 1;
        self.bytes += bytes;
        let mut excess = self.shrink(self.limit);
        if self.pieces.len() > KEPT_PIECES
            && let Some(((bytes, _), memory)) = self.pieces.pop_first()
        {
            self.bytes -= bytes;
            excess.push(memory);
        }
        excess
    }

    /// Gives up the largest pieces until at most `bytes` bytes are kept.
    pub(super) fn shrink(&mut self, bytes: usize) -> Vec<Handle> {
        let mut excess = Vec::new();
        while self.bytes > bytes
            && let Some(((size, _), memory)) = self.pieces.pop_last()
        {
            self.bytes -= size;
            excess.push(memory);
        }
        excess
    }
}
