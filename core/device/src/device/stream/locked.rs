//! The records of the buffers that a submission uses, locked together.

use crate::device::record::Record;
use ringwood_base::sync::MutexGuard;

/// The records of so many buffers need no allocation.
const FEW: usize = 8;

/// Records that stay locked while it lives, in the order in which they came.
pub(super) struct Locked<'a> {
    count: usize,
    few: [Option<MutexGuard<'a, Record>>; FEW],
    many: Vec<MutexGuard<'a, Record>>,
}

impl<'a> Locked<'a> {
    /// None yet, with room for those of `count` buffers.
    #[inline]
    pub(super) fn with_room(count: usize) -> Self {
        let many = Vec::with_capacity(count.saturating_sub(FEW));
        Self { count: 0, few: [const { None }; FEW], many }
    }

    #[inline]
    pub(super) fn push(&mut self, record: MutexGuard<'a, Record>) {
        match self.few.get_mut(self.count) {
            Some(place) => *place = Some(record),
            None => self.many.push(record),
        }
        self.count += 1;
    }

    pub(super) fn records(&mut self) -> impl Iterator<Item = &mut Record> {
        let few = self.few[..self.count.min(FEW)].iter_mut().flatten();
        few.chain(&mut self.many).map(|record| &mut **record)
    }
}
