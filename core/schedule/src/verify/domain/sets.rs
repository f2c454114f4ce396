//! Sets of contributions: what a merge that ignores repetition, such as the largest, would find.

use super::Domain;
use std::ops::Range;
use std::rc::Rc;

/// Which ranks contributed to a value, however often.
pub(in crate::verify) struct Sets {
    pub(in crate::verify) ranks: usize,
}

/// A value of [`Sets`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::verify) struct Set {
    /// The chunk of all inputs; `None` if they are of several.
    chunk: Option<usize>,
    members: Vec<u64>,
}

impl Set {
    /// Whether this is chunk `chunk` of all of `ranks` and of no others.
    pub(in crate::verify) fn is(&self, chunk: usize, ranks: &Range<usize>) -> bool {
        let member = |rank: usize| self.members[rank / 64] >> (rank % 64) & 1 != 0;
        let all = self.members.len() * 64;
        self.chunk == Some(chunk) && (0..all).all(|rank| member(rank) == ranks.contains(&rank))
    }
}

impl Domain for Sets {
    type Value = Rc<Set>;

    fn leaf(&mut self, rank: usize, chunk: usize) -> Rc<Set> {
        let mut members = vec![0; self.ranks.div_ceil(64)];
        members[rank / 64] = 1 << (rank % 64);
        Rc::new(Set { chunk: Some(chunk), members })
    }

    fn merge(&mut self, left: &Rc<Set>, right: &Rc<Set>) -> Rc<Set> {
        let chunk = left.chunk.filter(|_| left.chunk == right.chunk);
        let members = left.members.iter().zip(&right.members).map(|(a, b)| a | b).collect();
        Rc::new(Set { chunk, members })
    }
}
