//! A step by lane and position.

/// A step by lane and position. Of a collective, each rank has one lane, which has its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct At {
    pub(super) lane: usize,
    pub(super) step: usize,
}
