//! Text that a process leaves for others.

use ringwood_base::{Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::atomic::{AtomicU64, Ordering};

const WORDS: usize = 511;

/// Text that a process leaves for others, of bounded length. Plain data without pointers: whatever a
/// process writes there, reading it gives a value or an error.
#[repr(C)]
pub(super) struct Record {
    length: AtomicU64,
    words: [AtomicU64; WORDS],
}

impl Default for Record {
    fn default() -> Self {
        Self { length: AtomicU64::new(0), words: [const { AtomicU64::new(0) }; WORDS] }
    }
}

/// The bytes that a record holds.
pub(super) const CAPACITY: usize = WORDS * 8;

impl Record {
    /// Leaves a value, or `short` where it is too long. Whoever reads it must be told afterwards.
    pub(super) fn write<T: Serialize>(&self, value: &T, short: impl FnOnce() -> T) {
        self.store(&text(value, CAPACITY, short));
    }

    /// Leaves the [`text`] of a value, of at most [`CAPACITY`] bytes.
    pub(super) fn store(&self, text: &[u8]) {
        self.length.store(text.len() as u64, Ordering::Relaxed);
        for (word, bytes) in self.words.iter().zip(text.chunks(8)) {
            let mut all = [0; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            word.store(u64::from_ne_bytes(all), Ordering::Relaxed);
        }
    }

    /// The value that was left.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T> {
        let length = self.length.load(Ordering::Relaxed);
        let wrong = || Error::protocol("a record in an arena is malformed");
        let length = usize::try_from(length).ok().filter(|&l| l <= CAPACITY).ok_or_else(wrong)?;
        let words = self.words.iter().take(length.div_ceil(8));
        let mut text: Vec<u8> =
            words.flat_map(|word| word.load(Ordering::Relaxed).to_ne_bytes()).collect();
        text.truncate(length);
        serde_json::from_slice(&text).map_err(|cause| wrong().because(cause))
    }
}

/// A value as text of at most so many bytes, or `short` where it is too long.
pub(super) fn text<T: Serialize>(value: &T, most: usize, short: impl FnOnce() -> T) -> Vec<u8> {
    let text = |value: &T| serde_json::to_vec(value).ok().filter(|text| text.len() <= most);
    text(value).or_else(|| text(&short())).unwrap_or_default()
}

/// An error whose text is short enough for a record.
pub(super) fn shortened(error: &Error) -> Error {
    let text = error.to_string();
    let end = text.char_indices().map(|(at, _)| at).take_while(|&at| at < 500).last().unwrap_or(0);
    Error::new(error.kind(), format!("{} …", &text[..end]))
}

#[cfg(test)]
mod tests;
