//! Trees over a group, and pipelines of segments along them.

use super::fold::merge_from;
use ringwood_schedule::{ChunkRange, Lane, Rank};

/// The neighbours of a rank in a tree.
pub(crate) struct Node {
    pub(crate) parent: Option<Rank>,
    pub(crate) children: Vec<Rank>,
    /// The distance from the root.
    pub(crate) depth: usize,
}

impl Node {
    /// A rank of a chain: its neighbours on the side of the root and on the other.
    pub(crate) fn chain(parent: Option<Rank>, child: Option<Rank>, depth: usize) -> Self {
        Self { parent, children: child.into_iter().collect(), depth }
    }

    /// Merges the children's values into the own one, and gives that to the parent.
    pub(crate) fn reduce(&self, rank: Rank, chunks: ChunkRange, s: &mut Lane) {
        for &child in &self.children {
            merge_from(child, rank, chunks, s);
        }
        if let Some(parent) = self.parent {
            s.send(parent, chunks);
        }
    }

    /// Takes the parent's value and gives it to the children.
    pub(crate) fn broadcast(&self, chunks: ChunkRange, s: &mut Lane) {
        if let Some(parent) = self.parent {
            s.recv(parent, chunks);
        }
        for &child in &self.children {
            s.send(child, chunks);
        }
    }

    /// Sends segments to the root and back without stalls: a rank turns to the results of a segment
    /// when they can have come back, which is `2 * depth` segments after it passed its part on.
    /// `turn` is called for each segment on its way up and down, in the order of this rank's steps.
    pub(crate) fn all_reduce(&self, segments: usize, mut turn: impl FnMut(Way, usize)) {
        let lag = (2 * self.depth).min(segments);
        for time in 0..segments + lag {
            if time < segments {
                turn(Way::Up, time);
            }
            if time >= lag {
                turn(Way::Down, time - lag);
            }
        }
    }
}

/// To the root, or from it.
pub(crate) enum Way {
    Up,
    Down,
}
