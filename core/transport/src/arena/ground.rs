//! What the processes of a group map: a header, the group's failure, where each rank's memory is,
//! and the board.

use super::super::board::Board;
use super::answers::Answers;
use super::map::Map;
use super::verdict::Verdict;
use crate::Relay;
use ringwood_base::{Error, Result};
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the processes of a group map. All of it is atomics, whatever they hold.
pub(super) struct Ground {
    pub(super) map: Map,
    pub(super) ranks: usize,
    /// What the processes find out for each other.
    pub(super) answers: Answers,
}

/// First in the memory.
#[repr(C)]
struct Header {
    magic: AtomicU64,
    ranks: AtomicU64,
    /// The file of answers: its descriptor, in the process that made the ground, and its mark.
    answers: [AtomicU64; 2],
    verdict: Verdict,
}

/// The memory of a rank: files that it has opened.
#[repr(C)]
pub(super) struct Files {
    /// The process that has them open.
    pub(super) process: AtomicU64,
    /// One more than the descriptor of each; 0 where there is none.
    pub(super) numbers: [AtomicU64; FILES],
}

/// The most files of a rank: each is larger than all before it together.
pub(super) const FILES: usize = 31;

/// The memory is of this format, and its parts have the sizes that this build gives them.
fn magic(ranks: usize) -> u64 {
    let sizes = (size_of::<Header>() ^ size_of::<Files>() << 16) as u64;
    u64::from_be_bytes(*b"Ringwoo2") ^ sizes << 8 ^ Board::bytes(ranks).unwrap_or(0) as u64
}

/// The distance from one page to the next, a multiple of the system's.
const PAGE: usize = 64 << 10;

impl Ground {
    /// New, for `ranks` ranks.
    pub(super) fn create(ranks: usize) -> Result<Arc<Self>> {
        let bytes = bytes(ranks).ok_or_else(|| {
            Error::out_of_memory(format!("a group of {ranks} ranks is too large for an arena"))
        })?;
        let ground = Self { map: Map::create(bytes)?, ranks, answers: Answers::create()? };
        for (word, value) in ground.header().answers.iter().zip(ground.answers.place()) {
            word.store(value, Ordering::Relaxed);
        }
        ground.header().ranks.store(ranks as u64, Ordering::Relaxed);
        ground.header().magic.store(magic(ranks), Ordering::Release);
        Ok(Arc::new(ground))
    }

    /// The one at `path`, for `ranks` ranks.
    pub(super) fn open(path: &Path, ranks: usize) -> Result<Arc<Self>> {
        let map = Map::open(path)?;
        let wrong =
            |what: String| Error::protocol(format!("the arena at `{}` is {what}", path.display()));
        if map.bytes() < size_of::<Header>() {
            return Err(wrong("too small to be one".into()));
        }
        let header = header(&map);
        let found = header.ranks.load(Ordering::Acquire);
        if found != ranks as u64 {
            return Err(wrong(format!("for a group of {found} ranks, not of {ranks}")));
        }
        let version = header.magic.load(Ordering::Acquire) == magic(ranks);
        if version && bytes(ranks) == Some(map.bytes()) {
            let [number, mark] = [0, 1].map(|i: usize| header.answers[i].load(Ordering::Relaxed));
            let answers = Answers::open(&path.with_file_name(number.to_string()), mark)?;
            return Ok(Arc::new(Self { map, ranks, answers }));
        }
        Err(wrong("of another version of Ringwood, or damaged".into())
            .help("run the same build in every process"))
    }

    fn header(&self) -> &Header {
        header(&self.map)
    }

    pub(super) fn verdict(&self) -> &Verdict {
        &self.header().verdict
    }

    /// The files of `rank`.
    pub(super) fn files(&self, rank: usize) -> &Files {
        assert!(rank < self.ranks, "rank {rank} is not in a group of {}", self.ranks);
        // SAFETY: the files of all ranks follow the header, in memory whose size was checked, and
        // are atomics only.
        unsafe { self.map.base().add(FILES_AT).cast::<Files>().add(rank).as_ref() }
    }

    /// Where the board begins.
    pub(super) fn board(&self) -> NonNull<u8> {
        // SAFETY: the board is the last part of the memory, whose size was checked.
        unsafe { self.map.base().add(board_at(self.ranks).unwrap_or(0)) }
    }
}

/// What lies at the start of a map that is at least as large.
fn header(map: &Map) -> &Header {
    assert!(map.bytes() >= size_of::<Header>(), "a ground begins with a header");
    // SAFETY: a header lies at the start, in memory of at least its size, and is atomics only.
    unsafe { map.base().cast::<Header>().as_ref() }
}

const FILES_AT: usize = size_of::<Header>().next_multiple_of(128);

fn board_at(ranks: usize) -> Option<usize> {
    let files = ranks.checked_mul(size_of::<Files>())?;
    FILES_AT.checked_add(files)?.checked_next_multiple_of(PAGE)
}

fn bytes(ranks: usize) -> Option<usize> {
    board_at(ranks)?.checked_add(Board::bytes(ranks)?)
}

/// Joins the failures of the processes.
impl Relay for Arc<Ground> {
    fn offer(&self, error: Error, rank: Option<usize>) -> Error {
        self.verdict().offer(error, rank)
    }

    fn raised_by(&self) -> Option<usize> {
        self.verdict().raised_by()
    }

    fn heard(&self) -> Option<Error> {
        self.verdict().heard()
    }
}

#[cfg(test)]
mod tests;
