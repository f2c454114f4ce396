//! Small calls: every rank brings its input along, and computes its outputs itself, by the merges
//! that the proved schedule makes, in their order.

use super::places::{Places, aligned, range};
use crate::{Node, Space, Trees};
use std::ops::Range;

/// What a rank computes from the inputs of all ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The operations, in order.
    pub ops: Vec<Apply>,
    /// The bytes for intermediate merges.
    pub scratch: usize,
    /// The bytes taken from peers.
    pub moved: u64,
}

/// Where an operation of a [`Local`] reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// The input of `rank`, as it brought it.
    Input { rank: u32, offset: usize },
    /// The own output.
    Output { offset: usize },
    /// Memory for intermediate merges.
    Scratch { offset: usize },
}

/// One operation of a [`Local`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apply {
    /// The first operand.
    pub own: Spot,
    /// The second operand; without one, the first is copied.
    pub other: Option<Spot>,
    /// Where the result goes; not to an input.
    pub target: Spot,
    /// The bytes of each.
    pub bytes: usize,
    /// Whether the result is a complete merge, which the group's operator finishes.
    pub completes: bool,
}

impl Local {
    /// What `rank` does for outputs with these merge trees, one for each chunk.
    pub fn new(trees: &Trees, rank: usize, places: &Places) -> Self {
        let local = Self { ops: Vec::new(), scratch: 0, moved: 0 };
        let mut emit = Emit { trees, rank, places, bytes: 0, local };
        let mut chunk = 0;
        while chunk < trees.outputs.len() {
            let end = emit.run_end(chunk);
            if let Some(root) = trees.outputs[chunk] {
                let Range { start: offset, end } = emit.output(chunk..end);
                emit.bytes = end - offset;
                if emit.bytes > 0 {
                    emit.compute(root, Spot::Output { offset }, 0);
                    let last = emit.local.ops.last_mut().expect("a tree has an operation");
                    last.completes = last.other.is_some();
                }
            }
            chunk = end;
        }
        emit.local
    }
}

/// Emits the operations of a rank.
struct Emit<'a> {
    trees: &'a Trees,
    rank: usize,
    places: &'a Places,
    /// The bytes of the chunks that are computed.
    bytes: usize,
    local: Local,
}

impl Emit<'_> {
    /// Puts the value of a tree to `target`; `depth` counts the intermediate values in use.
    fn compute(&mut self, node: u32, target: Spot, depth: usize) {
        let (own, other) = match self.trees.node(node) {
            Node::Leaf { rank, chunk } => (self.leaf(rank, chunk), None),
            Node::Merge { own, other } => {
                let own = self.operand(own, target, depth);
                let aside = Spot::Scratch { offset: depth * aligned(self.bytes) };
                (own, Some(self.operand(other, aside, depth + 1)))
            }
        };
        self.local.ops.push(Apply { own, other, target, bytes: self.bytes, completes: false });
    }

    /// Where the value of a tree is: where its leaf is, or at `place`.
    fn operand(&mut self, node: u32, place: Spot, depth: usize) -> Spot {
        if let Node::Leaf { rank, chunk } = self.trees.node(node) {
            return self.leaf(rank, chunk);
        }
        self.compute(node, place, depth);
        if let Spot::Scratch { offset } = place {
            self.local.scratch = self.local.scratch.max(offset + self.bytes);
        }
        place
    }

    /// The bytes of the caller's output that these chunks are.
    fn output(&self, chunks: Range<usize>) -> Range<usize> {
        self.places.call.bytes(self.rank, range(Space::Output, &chunks))
    }

    /// Where a chunk of the input is that `rank` brought along: the chunks that are defined.
    fn leaf(&mut self, rank: u32, chunk: u32) -> Spot {
        let (at, chunk) = (rank as usize, chunk as usize);
        if at != self.rank {
            self.local.moved += self.bytes as u64;
        }
        let first = brought(self.places, at).start;
        let chunk = range(Space::Input, &(chunk..chunk + 1));
        Spot::Input { rank, offset: self.places.call.bytes(at, chunk).start - first }
    }

    /// The end of the chunks from `first` on that are computed alike: as one.
    fn run_end(&self, first: usize) -> usize {
        let outputs = &self.trees.outputs;
        let alike = |&chunk: &usize| match (outputs[first], outputs[chunk]) {
            (Some(a), Some(b)) => {
                let shift = (chunk - first) as u32;
                self.output(chunk..chunk + 1).is_empty() || self.trees.shifted(a, b, shift)
            }
            (a, b) => a.is_none() && b.is_none(),
        };
        first + 1 + (first + 1..outputs.len()).take_while(alike).count()
    }
}

/// The bytes of the caller's input that `rank` brings along: those that hold values.
pub fn brought(places: &Places, rank: usize) -> Range<usize> {
    let layout = &places.call;
    match layout.params().defined(rank) {
        none if none.is_empty() => 0..0,
        defined => layout.bytes(rank, range(Space::Input, &defined)),
    }
}
