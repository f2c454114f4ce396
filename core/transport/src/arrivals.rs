//! What the ranks bring to a call: for each of them a line of cache, which a small input follows.

use super::slab::Slab;
use crate::cache::fetch;
use ringwood_base::sync::atomic::AtomicU64;
use std::cell::UnsafeCell;

/// The head of an arrival: what a rank tells of its call.
#[repr(C)]
#[derive(Default)]
pub(super) struct Arrival {
    /// The call that the rank has come to; the rest is of that call.
    pub(super) call: AtomicU64,
    /// The fingerprint of what it calls; 0 if it cannot make the call.
    pub(super) fingerprint: AtomicU64,
}

const HEAD: usize = size_of::<Arrival>();

/// Two lines of cache; more where the atomics are those of a model.
const UNIT: usize = (HEAD + 1).next_multiple_of(128);

/// Two lines of cache, which processors fetch together.
#[repr(C, align(128))]
pub(super) struct Unit {
    arrival: Arrival,
    rest: UnsafeCell<[u8; UNIT - HEAD]>,
}

// SAFETY: heads are atomics. The bytes after a head are written by their rank before it stores the
// call with release, and read by others after they have loaded it with acquire; the rank writes
// them again two calls later, when every reader has come to the call between (see [`Arrivals::payload`]).
unsafe impl Sync for Unit {}

impl Default for Unit {
    fn default() -> Self {
        Self { arrival: Arrival::default(), rest: UnsafeCell::new([0; UNIT - HEAD]) }
    }
}

fn each(bytes: Option<usize>) -> usize {
    (HEAD + bytes.unwrap_or(0)).div_ceil(size_of::<Unit>())
}

/// Two arrivals for each rank, because a rank may begin call `k + 1` while another one still looks
/// at call `k`; it begins call `k + 2` only when all have begun call `k + 1`.
pub(super) struct Arrivals {
    units: Slab<Unit>,
    /// The units of one arrival: the first begins with the head, the input follows.
    each: usize,
    capacity: Option<usize>,
}

impl Arrivals {
    /// Arrivals in this memory, with room for inputs of up to `bytes` bytes, if any.
    pub(super) fn new(units: Slab<Unit>, bytes: Option<usize>) -> Self {
        Self { units, each: each(bytes), capacity: bytes }
    }

    /// The units that the arrivals of `ranks` ranks take.
    pub(super) fn units(ranks: usize, bytes: Option<usize>) -> usize {
        ranks * 2 * each(bytes)
    }

    /// The bytes that an input may have; `None` if inputs do not come along.
    pub(super) fn capacity(&self) -> Option<usize> {
        self.capacity
    }

    #[inline]
    pub(super) fn at(&self, rank: usize, call: u64) -> &Arrival {
        &self.units[(rank * 2 + (call % 2) as usize) * self.each].arrival
    }

    /// Fetches the lines of cache that `rank` writes at its call `call`, with an input of so many bytes. Others had them
    /// last: asked for now, they come while the call before goes on.
    #[inline]
    pub(super) fn fetch(&self, rank: usize, call: u64, bytes: usize) {
        fetch(std::ptr::from_ref(self.at(rank, call)).cast(), HEAD + bytes);
    }

    /// Where the input of `rank` is, aligned for every element type and [`Arrivals::capacity`] bytes
    /// long. Only `rank` may write it, before it stores the call in [`Arrivals::at`]; others read it
    /// between loading the call there and coming to the next one.
    #[inline]
    pub(super) fn payload(&self, rank: usize, call: u64) -> *mut u8 {
        let first = (rank * 2 + (call % 2) as usize) * self.each;
        let units = &self.units[first..first + self.each];
        // The pointer may reach all units of the arrival, and no reference to them is made.
        units.as_ptr().cast_mut().cast::<u8>().wrapping_add(HEAD)
    }
}
