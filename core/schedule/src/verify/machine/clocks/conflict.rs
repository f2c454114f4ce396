//! Two accesses without an order.

use crate::Space;
use crate::verify::at::At;
use crate::verify::finding::Finding;
use crate::verify::lanes::Located;
use crate::verify::stop::Stop;

/// Two accesses of a chunk that nothing orders, one of them a write.
#[derive(Clone, Copy)]
pub(in crate::verify) struct Conflict {
    pub(in crate::verify) owner: usize,
    pub(in crate::verify) space: Space,
    pub(in crate::verify) chunk: usize,
    /// The accesses, and whether they write.
    pub(in crate::verify) first: (At, bool),
    pub(in crate::verify) second: (At, bool),
}

impl Conflict {
    /// The finding of it.
    pub(in crate::verify) fn finding(self, located: &dyn Located) -> Result<Finding, Stop> {
        let Self { owner, space, chunk, first, second } = self;
        Ok(Finding::Conflict {
            owner,
            name: located.name_of(owner, space, chunk),
            first: located.place(first.0)?,
            first_writes: first.1,
            second: located.place(second.0)?,
            second_writes: second.1,
        })
    }
}
