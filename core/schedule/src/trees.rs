//! The merge tree of every output: what a proved schedule computes, whoever computes it.

/// The merge trees of the outputs of one rank.
pub struct Trees {
    pub(crate) nodes: Vec<Node>,
    /// The root of each chunk's tree; `None` for a chunk that holds nothing.
    pub outputs: Vec<Option<u32>>,
}

/// A node of a merge tree; children come before their parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A chunk of a rank's input.
    Leaf {
        /// The rank.
        rank: u32,
        /// The number of the chunk.
        chunk: u32,
    },
    /// `merge(own, other)`.
    Merge {
        /// What the rank had.
        own: u32,
        /// What it got.
        other: u32,
    },
}

impl Trees {
    /// A node by its number.
    pub fn node(&self, id: u32) -> Node {
        self.nodes[id as usize]
    }

    /// Whether `b` is `a` with every chunk number greater by `shift`.
    pub fn shifted(&self, a: u32, b: u32, shift: u32) -> bool {
        match (self.node(a), self.node(b)) {
            (Node::Leaf { rank, chunk }, Node::Leaf { rank: other, chunk: to }) => {
                rank == other && chunk + shift == to
            }
            (Node::Merge { own: a, other: b }, Node::Merge { own: c, other: d }) => {
                self.shifted(a, c, shift) && self.shifted(b, d, shift)
            }
            _ => false,
        }
    }
}
