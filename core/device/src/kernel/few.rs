//! A list that needs no allocation while it is short.

use std::ops::Deref;

/// So many items need no allocation.
const FEW: usize = 6;

/// A list that needs no allocation while it is short.
pub(crate) struct Few<T> {
    count: usize,
    few: [T; FEW],
    /// All of them, if there are more.
    many: Vec<T>,
}

impl<T: Copy> Few<T> {
    /// No items; `filler` stands where there are none.
    #[inline]
    pub(crate) const fn new(filler: T) -> Self {
        Self { count: 0, few: [filler; FEW], many: Vec::new() }
    }

    #[inline]
    pub(crate) fn push(&mut self, item: T) {
        match self.few.get_mut(self.count) {
            Some(place) => *place = item,
            None => self.spill(item),
        }
        self.count += 1;
    }

    #[cold]
    fn spill(&mut self, item: T) {
        if self.many.is_empty() {
            self.many.extend_from_slice(&self.few);
        }
        self.many.push(item);
    }

    #[inline]
    pub(crate) fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<T> Deref for Few<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        if self.many.is_empty() { &self.few[..self.count] } else { &self.many }
    }
}
