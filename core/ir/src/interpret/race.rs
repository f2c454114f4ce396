//! Which accesses of an element no order tells apart.

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

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum AccessKind {
    Read,
    Write,
    Atomic,
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verb = match self.kind {
            AccessKind::Read => "reads",
            AccessKind::Write => "writes",
            AccessKind::Atomic => "atomically changes",
        };
        let Access { site, group, lane, .. } = self;
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
mod tests {
    use super::*;

    fn access(kind: AccessKind, group: usize, lane: usize, epoch: usize) -> Access {
        Access { kind, site: 0, group, lane, epoch }
    }

    /// Random accesses: the shadow finds a conflict exactly if there is one among all before.
    #[test]
    fn two_accesses_of_each_kind_are_enough() {
        let mut state = 7_u64;
        let mut below = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
            (state >> 33) % n
        };
        let mut races = 0;
        for _ in 0..3000 {
            let (mut shadow, mut all) = (Shadow::default(), Vec::<Access>::new());
            let (mut group, mut epoch) = (0, 0);
            for _ in 0..6 {
                match below(6) {
                    0 => (group, epoch) = (group + 1, 0),
                    1 | 2 => epoch += 1,
                    _ => {}
                }
                let kinds = [AccessKind::Read, AccessKind::Write, AccessKind::Atomic];
                let kind = kinds[[0, 0, 0, 1, 2, 2][below(6) as usize]];
                let access = access(kind, group, below(3) as usize, epoch);
                let expected = all.iter().any(|other| access.conflicts(other));
                assert_eq!(shadow.note(access).is_some(), expected, "{access:?} after {all:?}");
                all.push(access);
                if expected {
                    races += 1;
                    break;
                }
            }
        }
        assert!(races > 500 && races < 2800, "{races}");
    }
}
