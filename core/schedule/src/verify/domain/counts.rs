//! Exact counts: which contributions a chunk holds, and how often.

use super::{At, Domain};
use std::rc::Rc;

/// How often each rank is counted in what came from one chunk of the inputs; of other chunks, only
/// that they are there.
pub(in crate::verify) struct Counts {
    /// The number of ranks that are counted.
    ranks: usize,
    /// The chunk of the inputs.
    chunk: usize,
    /// The first step that counted a rank twice.
    pub(in crate::verify) first_twice: Option<At>,
    /// The last step that wrote what holds the chunk, on each rank.
    pub(in crate::verify) last_write: Vec<Option<At>>,
}

/// Of more ranks none is counted: each value holds a number for each of them.
const COUNTED: usize = 1 << 13;

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
        let counted = if ranks > COUNTED { 0 } else { ranks };
        Self { ranks: counted, chunk, first_twice: None, last_write: vec![None; ranks] }
    }

    /// Whether ranks are counted.
    pub(in crate::verify) fn counts(&self) -> bool {
        self.ranks > 0
    }
}

impl Domain for Counts {
    type Value = Rc<Held>;

    fn leaf(&mut self, rank: usize, chunk: usize) -> Rc<Held> {
        if chunk != self.chunk {
            return Rc::new(Held { counts: Vec::new(), other: Some((rank, chunk)) });
        }
        let mut counts = vec![0; self.ranks];
        counts.get_mut(rank).into_iter().for_each(|count| *count = 1);
        Rc::new(Held { counts, other: None })
    }

    fn merge(&mut self, left: &Rc<Held>, right: &Rc<Held>) -> Rc<Held> {
        let (some, more) = if left.counts.is_empty() { (right, left) } else { (left, right) };
        let mut counts = some.counts.clone();
        for (count, more) in counts.iter_mut().zip(&more.counts) {
            *count = count.saturating_add(*more);
        }
        Rc::new(Held { counts, other: left.other.or(right.other) })
    }

    fn wrote(&mut self, at: At, merged: bool, to: usize, chunk: usize, value: &Rc<Held>) {
        if !value.counts.is_empty() || chunk == self.chunk {
            self.last_write[to] = Some(at);
        }
        if merged && self.first_twice.is_none() && value.counts.iter().any(|&count| count > 1) {
            self.first_twice = Some(at);
        }
    }
}
