//! Text that a process leaves for others.

use ringwood_base::{Error, ErrorKind, Result};
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
const CAPACITY: usize = WORDS * 8;

impl Record {
    /// Leaves a value, or `short` where it is too long. Whoever reads it must be told afterwards.
    pub(super) fn write<T: Serialize>(&self, value: &T, short: impl FnOnce() -> T) {
        let text = |value: &T| serde_json::to_vec(value).ok().filter(|t| t.len() <= CAPACITY);
        let text = text(value).or_else(|| text(&short())).unwrap_or_default();
        self.length.store(text.len() as u64, Ordering::Relaxed);
        for (word, bytes) in self.words.iter().zip(text.chunks(8)) {
            let mut all = [0; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            word.store(u64::from_ne_bytes(all), Ordering::Relaxed);
        }
    }

    /// The value that was left.
    ///
    /// # Errors
    /// What is there is not such a value.
    pub(super) fn read<T: DeserializeOwned>(&self) -> Result<T> {
        let length = self.length.load(Ordering::Relaxed);
        let wrong = || Error::new(ErrorKind::Protocol, "a record in an arena is malformed");
        let length = usize::try_from(length).ok().filter(|&l| l <= CAPACITY).ok_or_else(wrong)?;
        let words = self.words.iter().take(length.div_ceil(8));
        let mut text: Vec<u8> =
            words.flat_map(|word| word.load(Ordering::Relaxed).to_ne_bytes()).collect();
        text.truncate(length);
        serde_json::from_slice(&text).map_err(|cause| wrong().because(cause))
    }
}

/// An error whose text is short enough for a record.
pub(super) fn shortened(error: &Error) -> Error {
    let text = error.to_string();
    let end = text.char_indices().map(|(at, _)| at).take_while(|&at| at < 500).last().unwrap_or(0);
    Error::new(error.kind(), format!("{} …", &text[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_and_a_long_one_is_shortened() {
        let record = Record::default();
        let error = Error::new(ErrorKind::Timeout, "rank 3 sleeps").with("waiting", 4);
        record.write(&error, || unreachable!());
        assert_eq!(record.read::<Error>().unwrap().to_string(), error.to_string());
        let long = Error::new(ErrorKind::Panic, "\"ä".repeat(9_000));
        record.write(&long, || shortened(&long));
        let read: Error = record.read().unwrap();
        assert_eq!(read.kind(), ErrorKind::Panic);
        assert!(read.message().starts_with("\"ä\"ä") && read.message().ends_with('…'));
    }

    #[test]
    fn garbage_of_any_kind_is_an_error() {
        let record = Record::default();
        let mut seed = 1_u64;
        for length in (0..=CAPACITY as u64 + 9).chain([u64::MAX, 1 << 40]) {
            for word in &record.words {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                word.store(seed, Ordering::Relaxed);
            }
            record.length.store(length, Ordering::Relaxed);
            let error = record.read::<Error>().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Protocol);
        }
    }
}
