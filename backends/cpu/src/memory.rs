//! Host memory, and which of its bytes are in use.

mod borrows;

pub(crate) use borrows::{Borrows, disjoint};

use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use ringwood_device::backend::Region;
use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::iter::once;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// The alignment of every memory: a cache line, and enough for every element type.
const ALIGN: usize = 64;

/// Memory of `cpu:0`: zeroed host memory, aligned to 64 bytes. Work under way keeps it alive.
#[derive(Clone)]
pub struct Memory(Arc<Block>);

struct Block {
    /// What was allocated, of `layout(bytes)`.
    base: NonNull<u8>,
    /// The first of the bytes, inside of that.
    data: NonNull<u8>,
    bytes: usize,
    uses: Mutex<Vec<Use>>,
    budget: Arc<Budget>,
}

// SAFETY: the block owns its allocation, and all access to the bytes goes through `Span::borrow`,
// which excludes a write at the same time as any other access, or through `Memory::address`, whose
// users argue for themselves.
unsafe impl Send for Block {}
// SAFETY: as for `Send`.
unsafe impl Sync for Block {}

/// Bytes that a running command has borrowed.
#[derive(Clone, Debug, PartialEq)]
struct Use {
    range: Range<usize>,
    mutable: bool,
}

/// The bytes of a device: how many may be allocated, how many are.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: Option<usize>,
    used: AtomicUsize,
}

impl Budget {
    pub(crate) fn new(limit: Option<usize>) -> Self {
        Self { limit, used: AtomicUsize::new(0) }
    }

    pub(crate) fn limit(&self) -> Option<usize> {
        self.limit
    }

    fn take(&self, bytes: usize) -> Result<()> {
        let limit = self.limit.unwrap_or(usize::MAX);
        let fits = |used: usize| used.checked_add(bytes).filter(|&sum| sum <= limit);
        match self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits) {
            Ok(_) => Ok(()),
            Err(used) => Err(out_of_memory(bytes).with("in use", used).with("limit", limit)),
        }
    }

    fn give(&self, bytes: usize) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

fn out_of_memory(bytes: usize) -> Error {
    Error::out_of_memory(format!("cpu: cannot allocate {bytes} bytes"))
}

impl Memory {
    /// Allocates `bytes` bytes and charges them to `budget` until the memory is freed.
    pub(crate) fn new(bytes: usize, budget: &Arc<Budget>) -> Result<Self> {
        budget.take(bytes)?;
        let Some((base, data)) = allocate(bytes) else {
            budget.give(bytes);
            return Err(out_of_memory(bytes).help("the system has no such block of memory"));
        };
        let (uses, budget) = (Mutex::default(), Arc::clone(budget));
        Ok(Self(Arc::new(Block { base, data, bytes, uses, budget })))
    }

    /// The first byte.
    pub(crate) fn address(&self) -> NonNull<u8> {
        self.0.data
    }
}

/// Room for `bytes` bytes from an aligned address on, with no alignment of its own: Rust asks the system
/// for zeroed pages where there is none, and else fills them itself, which makes them resident.
fn layout(bytes: usize) -> Option<Layout> {
    Layout::array::<u8>(bytes.checked_add(ALIGN - 1)?).ok()
}

/// Memory of [`layout`], and its first aligned byte; zeroed, so that safe code never sees uninitialised bytes.
fn allocate(bytes: usize) -> Option<(NonNull<u8>, NonNull<u8>)> {
    // SAFETY: the size is at least `ALIGN - 1`, which is not 0.
    let base = NonNull::new(unsafe { alloc_zeroed(layout(bytes)?) })?;
    // SAFETY: an aligned byte is at most `ALIGN - 1` further, and the allocation has that many more than `bytes`.
    Some((base, unsafe { base.add(base.align_offset(ALIGN)) }))
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Some(layout) = layout(self.bytes) {
            // SAFETY: `allocate` made `base` with this layout, and this is its only owner.
            unsafe { dealloc(self.base.as_ptr(), layout) };
        }
        self.budget.give(self.bytes);
    }
}

/// A checked range of bytes of one memory, which it keeps alive.
#[derive(Clone)]
pub(crate) struct Span {
    memory: Memory,
    range: Range<usize>,
}

impl Span {
    /// The bytes of `region`, named `what` in the error if they are not all in its memory.
    pub(crate) fn new(region: Region<'_, Memory>, what: &str) -> Result<Self> {
        let Region { memory, offset, bytes } = region;
        region.check_within(memory.0.bytes, format_args!("cpu: {what}"))?;
        Ok(Self { memory: memory.clone(), range: offset..offset + bytes })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.range.len()
    }

    pub(crate) fn address(&self) -> NonNull<u8> {
        // SAFETY: the range is inside of the block.
        unsafe { self.memory.0.data.add(self.range.start) }
    }

    pub(crate) fn is_same(&self, other: &Span) -> bool {
        Arc::ptr_eq(&self.memory.0, &other.memory.0) && self.range == other.range
    }

    /// Calls `look` with the bytes, or why they cannot be read.
    ///
    /// # Errors
    /// Another command is writing some of them; those of `look`.
    pub(crate) fn read(&self, look: impl FnOnce(Result<&[u8]>) -> Result<()>) -> Result<()> {
        match Borrows::of(once((self, false))) {
            // SAFETY: the bytes are initialised, inside of the block, and no command writes them while
            // they are borrowed.
            Ok(_borrow) => look(Ok(unsafe {
                std::slice::from_raw_parts(self.address().as_ptr(), self.bytes())
            })),
            Err(error) => look(Err(error.clone())).and(Err(error)),
        }
    }

    /// Calls `change` with the bytes.
    ///
    /// # Errors
    /// Another command is reading or writing some of them.
    pub(crate) fn write<R>(&self, change: impl FnOnce(&mut [u8]) -> R) -> Result<R> {
        let _borrow = Borrows::of(once((self, true)))?;
        let (start, bytes) = (self.address().as_ptr(), self.bytes());
        // SAFETY: the bytes are initialised, inside of the block, and no other command touches them while
        // they are borrowed.
        Ok(change(unsafe { std::slice::from_raw_parts_mut(start, bytes) }))
    }

    /// Notes a borrow of the bytes.
    fn enter(&self, mutable: bool) -> Result<()> {
        let range = self.range.clone();
        let mut uses = lock(&self.memory.0.uses);
        let conflict =
            uses.iter().find(|u| (mutable || u.mutable) && overlap(&u.range, &range)).cloned();
        if let Some(other) = conflict {
            return Err(race(&range, mutable, &other));
        }
        uses.push(Use { range, mutable });
        Ok(())
    }

    /// Ends a borrow of the bytes.
    fn leave(&self, mutable: bool) {
        let mine = Use { range: self.range.clone(), mutable };
        let mut uses = lock(&self.memory.0.uses);
        if let Some(i) = uses.iter().position(|u| *u == mine) {
            uses.swap_remove(i);
        }
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    !a.is_empty() && !b.is_empty() && a.start < b.end && b.start < a.end
}

fn race(range: &Range<usize>, mutable: bool, other: &Use) -> Error {
    let verb = |mutable| if mutable { "writes" } else { "reads" };
    Error::aborted(format!(
        "cpu: data race: a command {} bytes {range:?} of a memory while another one {} bytes {:?}",
        verb(mutable),
        verb(other.mutable),
        other.range
    ))
    .help("record an event after the first and let the stream of the second wait for it")
}

#[cfg(test)]
mod tests;
