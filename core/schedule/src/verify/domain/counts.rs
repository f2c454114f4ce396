//! Exact counts: which contributions a chunk holds, and how often.

use super::{At, Domain};
use crate::Space;
use std::rc::Rc;

/// How often each rank is counted in what came from one chunk of the inputs; of other chunks, only
/// that they are there.
pub(in crate::verify) struct Counts {
    /// The number of ranks that are counted.
    ranks: usize,
    /// The chunk of the inputs.
    chunk: usize,
    /// The rank and the chunk of its result that are asked about.
    asked: (usize, usize),
    /// The last step that wrote that chunk.
    pub(in crate::verify) last_write: Option<At>,
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
    /// The step that counted a rank twice.
    pub(in crate::verify) twice: Option<At>,
}

impl Counts {
    /// Counts what came from one chunk of the inputs, for a chunk of a rank's result.
    pub(in crate::verify) fn new(ranks: usize, chunk: usize, asked: (usize, usize)) -> Self {
        let counted = if ranks > COUNTED { 0 } else { ranks };
        Self { ranks: counted, chunk, asked, last_write: None }
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
            return Rc::new(Held { other: Some((rank, chunk)), ..Held::default() });
        }
        let mut counts = vec![0; self.ranks];
        counts.get_mut(rank).into_iter().for_each(|count| *count = 1);
        Rc::new(Held { counts, ..Held::default() })
    }

    fn merge(&mut self, left: &Rc<Held>, right: &Rc<Held>) -> Rc<Held> {
        let (some, more) = if left.counts.is_empty() { (right, left) } else { (left, right) };
        let mut counts = some.counts.clone();
        for (count, more) in counts.iter_mut().zip(&more.counts) {
            *count = count.saturating_add(*more);
        }
        let (other, twice) = (left.other.or(right.other), left.twice.or(right.twice));
        Rc::new(Held { counts, other, twice })
    }

    fn wrote(
        &mut self,
        at: At,
        merged: bool,
        (to, space, chunk): (usize, Space, usize),
        value: &mut Rc<Held>,
    ) {
        if space != Space::Scratch && (to, chunk) == self.asked {
            self.last_write = Some(at);
        }
        if merged && value.twice.is_none() && value.counts.iter().any(|&count| count > 1) {
            Rc::make_mut(value).twice = Some(at);
        }
    }
}
