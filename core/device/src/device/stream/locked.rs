//! The records of the buffers that a submission uses, locked together.

use super::Use;
use crate::device::lock;
use crate::device::record::Record;
use ringwood_base::Result;
use ringwood_base::sync::MutexGuard;

/// The records of so many buffers need no allocation.
const FEW: usize = 8;

/// Records that stay locked while it lives, in the order of the uses.
pub(super) struct Locked<'a> {
    few: [Option<MutexGuard<'a, Record>>; FEW],
    many: Vec<MutexGuard<'a, Record>>,
}

impl<'a> Locked<'a> {
    /// The records of `uses`, each handed to `look` when it is locked.
    ///
    /// # Errors
    /// Those of `look`.
    pub(super) fn of(
        uses: &'a [Use],
        mut look: impl FnMut(&Use, &Record) -> Result<()>,
    ) -> Result<Self> {
        let rest = uses.len().saturating_sub(FEW);
        let mut locked = Self { few: [const { None }; FEW], many: Vec::with_capacity(rest) };
        for (i, used) in uses.iter().enumerate() {
            let record = lock(used.buffer.record());
            look(used, &record)?;
            match locked.few.get_mut(i) {
                Some(place) => *place = Some(record),
                None => locked.many.push(record),
            }
        }
        Ok(locked)
    }

    pub(super) fn records(&mut self) -> impl Iterator<Item = &mut Record> {
        self.few.iter_mut().flatten().chain(&mut self.many).map(|record| &mut **record)
    }
}
