//! One operation in memory that others read while it is written, without a lock.

use bytemuck::{Pod, Zeroable, cast};
use std::array;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// What an entry is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u64)]
pub enum Kind {
    /// A call of a function of the program.
    Call,
    /// A collective.
    Collective,
    /// A message of one rank to another.
    Message,
    /// Something that a session asks for beside calls: `fetch`, `set`, `sync`.
    Command,
}

/// The operations of a rank that are kept.
pub(super) const SLOTS: usize = 64;
const WORDS: usize = 15;
/// The bytes of a name; longer ones are cut.
const NAME: usize = (WORDS - 9) * 8;

/// The ring of one rank, written by its thread alone.
#[repr(C, align(128))]
pub(super) struct Ring {
    /// The process of the rank.
    pub(super) process: AtomicU64,
    /// The entries begun.
    pub(super) begun: AtomicU64,
    /// Where it runs, as text.
    pub(super) place: [AtomicU64; NAME / 8],
    /// The call that the rank runs: the ring may have gone round since it began.
    pub(super) call: Slot,
    slots: [Slot; SLOTS],
}

/// An entry under a stamp that is odd while it is written.
#[repr(C, align(128))]
pub(super) struct Slot {
    stamp: AtomicU64,
    words: [AtomicU64; WORDS],
}

/// The content of a slot as plain data: its words, in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Content {
    /// Counted from 1; 0 in a slot that was never written.
    pub(super) ticket: u64,
    pub(super) kind: u64,
    pub(super) number: u64,
    pub(super) bytes: u64,
    pub(super) began: u64,
    /// 0 until it has ended.
    pub(super) ended: u64,
    /// The rank that it waits for, counted from 1, and since when.
    pub(super) waits: [u64; 2],
    /// The first rank and the size of the group, if it is not of all ranks.
    pub(super) group: u64,
    pub(super) name: [u64; NAME / 8],
}

impl Default for Ring {
    fn default() -> Self {
        let slots = [const { Slot::new() }; SLOTS];
        let place = [const { AtomicU64::new(0) }; NAME / 8];
        let (process, begun) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { process, begun, place, call: Slot::new(), slots }
    }
}

impl Ring {
    pub(super) fn slot(&self, ticket: u64) -> &Slot {
        &self.slots[ticket as usize % SLOTS]
    }
}

impl Slot {
    const fn new() -> Self {
        Self { stamp: AtomicU64::new(0), words: [const { AtomicU64::new(0) }; WORDS] }
    }

    /// One whose writer has died in the middle of it.
    #[cfg(test)]
    pub(super) fn torn() -> Self {
        let slot = Self::new();
        slot.stamp.store(3, Ordering::Relaxed);
        slot
    }

    /// Changes some words; by one thread at a time.
    fn change(&self, change: impl FnOnce(&[AtomicU64; WORDS])) {
        let stamp = self.stamp.load(Ordering::Relaxed) | 1;
        self.stamp.store(stamp, Ordering::Relaxed);
        // Before the words: whoever sees one of them new sees the stamp odd.
        fence(Ordering::Release);
        change(&self.words);
        self.stamp.store(stamp.wrapping_add(1), Ordering::Release);
    }

    pub(super) fn write(&self, content: &Content) {
        let all: [u64; WORDS] = cast(*content);
        self.change(|words| {
            words.iter().zip(all).for_each(|(word, value)| word.store(value, Ordering::Relaxed));
        });
    }

    pub(super) fn end(&self, at: u64) {
        self.change(|words| words[5].store(at, Ordering::Relaxed));
    }

    pub(super) fn wait(&self, waits: [u64; 2]) {
        self.change(|words| (0..2).for_each(|i| words[6 + i].store(waits[i], Ordering::Relaxed)));
    }

    /// What it carries, and in which group.
    pub(super) fn detail(&self, bytes: u64, group: u64) {
        self.change(|words| {
            words[3].store(bytes, Ordering::Relaxed);
            words[8].store(group, Ordering::Relaxed);
        });
    }

    /// The content, unless it is being written: by a rank that was stopped or died there, for good.
    pub(super) fn read(&self) -> Option<Content> {
        (0..TRIES).find_map(|_| {
            let stamp = self.stamp.load(Ordering::Acquire);
            let words: [u64; WORDS] = array::from_fn(|i| self.words[i].load(Ordering::Relaxed));
            fence(Ordering::Acquire);
            let whole = stamp.is_multiple_of(2) && self.stamp.load(Ordering::Relaxed) == stamp;
            whole.then(|| cast(words))
        })
    }
}

/// A write takes some nanoseconds.
const TRIES: usize = 1000;

/// A name as words; a long one keeps its end, which tells functions of one crate apart.
pub(super) fn words(name: &str) -> [u64; NAME / 8] {
    let bytes = &name.as_bytes()[name.len().saturating_sub(NAME)..];
    let mut all = [0; NAME];
    all[..bytes.len()].copy_from_slice(bytes);
    cast(all)
}

pub(super) fn text(words: [u64; NAME / 8]) -> String {
    let bytes: [u8; NAME] = cast(words);
    String::from_utf8_lossy(&bytes).trim_end_matches('\0').to_owned()
}

/// Nanoseconds on a clock that all processes of the machine share, in steps of a few milliseconds: a
/// finer one would cost more than the rest of a record.
#[cfg(target_os = "linux")]
pub(super) fn now() -> u64 {
    crate::process::coarse_time()
}

/// Nanoseconds since the first look.
#[cfg(not(target_os = "linux"))]
pub(super) fn now() -> u64 {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    1 + START.get_or_init(std::time::Instant::now).elapsed().as_nanos() as u64
}
