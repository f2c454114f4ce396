//! What algorithms share: orders of merging, trees, and the number of segments.

pub(crate) mod blocks;
pub(crate) mod core;
pub(crate) mod fold;
pub(crate) mod halving;
pub(crate) mod segments;
pub(crate) mod tree;
