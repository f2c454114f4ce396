//! Elements that one work-item each uses, as a `unique` kernel asserts.

use super::Contended;
use ringwood_base::Element;

/// Elements of a [`Contended`] parameter as one work-item uses them. With debug assertions it claims each
/// of them, and a claim that meets another one's becomes the error of the launch.
#[derive(Clone, Copy)]
pub struct Claimed<'a, T, const CHECKED: bool> {
    pub(super) memory: Contended<'a, T, CHECKED>,
    pub(super) param: u32,
    pub(super) item: usize,
}

impl<T: Element, const CHECKED: bool> Claimed<'_, T, CHECKED> {
    /// The element, or 0 and a recorded fault outside of the slice.
    #[inline(always)]
    pub fn load(self, index: usize, site: u32) -> T {
        self.claim(index, site, false);
        self.memory.load(index, site)
    }

    /// Writes the element, or records a fault outside of the slice.
    #[inline(always)]
    pub fn store(self, index: usize, site: u32, value: T) {
        self.claim(index, site, true);
        self.memory.store(index, site, value);
    }

    #[inline(always)]
    fn claim(self, element: usize, site: u32, writes: bool) {
        let Self { memory: Contended(memory), param, item } = self;
        if cfg!(debug_assertions) && element < memory.len {
            memory.fault.claims().claim((param, element), item, site, writes);
        }
    }
}
