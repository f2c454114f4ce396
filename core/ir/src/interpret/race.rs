//! Which accesses of an element no order tells apart.

use crate::named::named;
use std::fmt;

/// Two work-items use one element in no order: they are of different groups, or no barrier lies
/// between; and one of them writes it, not both atomically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// The name of the buffer.
    pub buffer: String,
    /// The index of the element in the memory of the buffer.
    pub element: usize,
    /// The access that the run met first.
    pub first: Access,
    /// The other one.
    pub second: Access,
}

/// An access of one work-item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// What it does.
    pub kind: AccessKind,
    /// Its site.
    pub site: u32,
    /// The row-major index of the group; of the work-item for a grid kernel.
    pub group: usize,
    /// The linear index of the work-item in its group.
    pub lane: usize,
    /// The number of barriers that the group met before.
    pub epoch: usize,
}

named! {
    /// What an access does.
    #[allow(missing_docs, reason = "the names say it")]
    pub enum AccessKind {
        Read "reads",
        Write "writes",
        Atomic "atomically changes",
    }
    /// The verb for it.
    fn verb;
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Access { site, group, lane, .. }, verb) = (self, self.kind.verb());
        write!(f, "work-item {lane} of group {group} {verb} it at site {site}")
    }
}

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Race { buffer, element, first, second } = self;
        let order =
            if first.group == second.group { "without a barrier between" } else { "in no order" };
        write!(f, "a race on element {element} of `{buffer}`: {first}, {second}, {order}")
    }
}

impl Access {
    fn conflicts(&self, other: &Access) -> bool {
        let ordered =
            self.group == other.group && (self.lane == other.lane || self.epoch != other.epoch);
        let harmless = self.kind == other.kind && self.kind != AccessKind::Write;
        !ordered && !harmless
    }
}

/// The accesses of one element that a later one may conflict with.
///
/// Of each kind, those of two work-items in the last epoch are enough: a third one conflicts with
/// one of them whenever it conflicts with any. Of groups before, one is enough.
#[derive(Clone, Debug, Default)]
pub(super) struct Shadow {
    kinds: [Recent; 3],
}

#[derive(Clone, Debug, Default)]
struct Recent {
    before: Option<Access>,
    last: [Option<Access>; 2],
}

impl Shadow {
    /// Notes an access; returns one before it that it conflicts with.
    pub(super) fn note(&mut self, access: Access) -> Option<Access> {
        let known = self.kinds.iter().flat_map(|r| r.last.iter().chain([&r.before]).flatten());
        let other = known.copied().find(|other| access.conflicts(other));
        self.kinds[access.kind as usize].note(access);
        other
    }
}

impl Recent {
    fn note(&mut self, access: Access) {
        match &mut self.last {
            [Some(first), second] if (first.group, first.epoch) == (access.group, access.epoch) => {
                if first.lane != access.lane {
                    second.get_or_insert(access);
                }
            }
            [first, second] => {
                if first.is_some_and(|f| f.group != access.group) {
                    self.before = *first;
                }
                (*first, *second) = (Some(access), None);
            }
        }
    }
}

#[cfg(test)]
mod tests;
