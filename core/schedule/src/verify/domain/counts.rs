//! Exact counts: which contributions a chunk holds, and how often.

use super::Domain;
use crate::verify::at::At;
use std::rc::Rc;

/// How often each rank is counted in what came from one chunk of the inputs; of other chunks, only
/// that they are there.
pub(in crate::verify) struct Counts {
    ranks: usize,
    /// The chunk of the inputs.
    chunk: usize,
    /// The first step that counted a rank twice.
    pub(in crate::verify) first_twice: Option<At>,
    /// The last step that wrote what holds the chunk, on each rank.
    pub(in crate::verify) last_write: Vec<Option<At>>,
}

/// A value of [`Counts`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::verify) struct Held {
    /// For each rank, how often the chunk of its input is counted.
    pub(in crate::verify) counts: Vec<u32>,
    /// A contribution of another chunk: its rank and its chunk.
    pub(in crate::verify) other: Option<(usize, usize)>,
}

impl Counts {
    pub(in crate::verify) fn new(ranks: usize, chunk: usize) -> Self {
        Self { ranks, chunk, first_twice: None, last_write: vec![None; ranks] }
    }
}

impl Domain for Counts {
    type Value = Option<Rc<Held>>;

    fn none() -> Self::Value {
        None
    }

    fn known(value: &Self::Value) -> bool {
        value.is_some()
    }

    fn leaf(&mut self, rank: usize, chunk: usize) -> Self::Value {
        if chunk != self.chunk {
            return Some(Rc::new(Held { counts: Vec::new(), other: Some((rank, chunk)) }));
        }
        let mut counts = vec![0; self.ranks];
        counts[rank] = 1;
        Some(Rc::new(Held { counts, other: None }))
    }

    fn merge(&mut self, left: &Self::Value, right: &Self::Value) -> Self::Value {
        let (left, right) = (left.as_ref()?, right.as_ref()?);
        let (mut counts, more) = match left.counts.is_empty() {
            true => (right.counts.clone(), &left.counts),
            false => (left.counts.clone(), &right.counts),
        };
        for (count, more) in counts.iter_mut().zip(more) {
            *count = count.saturating_add(*more);
        }
        Some(Rc::new(Held { counts, other: left.other.or(right.other) }))
    }

    fn wrote(&mut self, at: At, merged: bool, to: usize, chunk: usize, value: &Self::Value) {
        let Some(value) = value else { return };
        if !value.counts.is_empty() || chunk == self.chunk {
            self.last_write[to] = Some(at);
        }
        if merged && self.first_twice.is_none() && value.counts.iter().any(|&count| count > 1) {
            self.first_twice = Some(at);
        }
    }
}
