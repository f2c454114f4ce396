//! Memory between maps that are computed together.

use std::cell::Cell;
use std::ptr::NonNull;

/// Elements that are computed at once: enough to outweigh entering a map, few enough that what lies
/// between two maps stays in cache.
pub(super) const BLOCK: usize = 2048;

/// The elements between two maps, of any type.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Block {
    _elements: [u64; BLOCK],
}

thread_local! {
    static SCRATCH: Cell<Vec<Block>> = const { Cell::new(Vec::new()) };
}

/// Blocks that are reached by pointers alone: the native code of a link reads some of them while it
/// writes another.
#[derive(Clone, Copy)]
pub(super) struct Scratch(NonNull<Block>);

impl Scratch {
    /// Calls `run` with `count` blocks of this thread, which are taken again by its next call.
    pub(super) fn with(count: usize, run: impl FnOnce(Scratch)) {
        let mut memory = SCRATCH.take();
        memory.resize(memory.len().max(count), Block { _elements: [0; BLOCK] });
        run(Scratch(NonNull::from(&mut memory[..]).cast()));
        SCRATCH.set(memory);
    }

    /// The first byte of a block, one of those that [`Scratch::with`] took.
    pub(super) fn block(self, index: usize) -> NonNull<u8> {
        // SAFETY: `Chain::run` asked for a block for each input and register of the chain, and no
        // index is another one.
        unsafe { self.0.add(index) }.cast()
    }
}
