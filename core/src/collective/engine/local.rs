//! Small calls: every rank brings its input along, and computes its outputs itself, by the merges
//! that the proved schedule makes, in their order.

use crate::collective::Partition;
use crate::collective::verify::{Node, Trees};
use std::ops::Range;

/// What a rank computes from the inputs of all ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Local {
    /// The operations, in order.
    pub(crate) ops: Vec<Apply>,
    /// The bytes for intermediate merges.
    pub(crate) scratch: usize,
    /// The bytes taken from peers.
    pub(crate) moved: u64,
}

/// Where an operation of a [`Local`] reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spot {
    /// The input of `rank`, as it brought it.
    Input { rank: u32, offset: usize },
    /// The own output.
    Output { offset: usize },
    /// Memory for intermediate merges.
    Scratch { offset: usize },
}

/// One operation of a [`Local`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Apply {
    /// The first operand.
    pub(crate) own: Spot,
    /// The second operand; without one, the first is copied.
    pub(crate) other: Option<Spot>,
    /// Where the result goes; not to an input.
    pub(crate) target: Spot,
    /// The bytes of each.
    pub(crate) bytes: usize,
    /// Whether the result is a complete merge, which the group's operator finishes.
    pub(crate) completes: bool,
}

impl Local {
    /// What `rank` does for outputs with these merge trees.
    pub(in crate::collective) fn new(
        trees: &Trees,
        rank: u32,
        cut: &Partition,
        size: usize,
    ) -> Self {
        let mut local = Self { ops: Vec::new(), scratch: 0, moved: 0 };
        let mut chunk = 0;
        while chunk < trees.outputs.len() {
            let end = run_end(trees, chunk, cut);
            if let Some(root) = trees.outputs[chunk] {
                let bytes = bytes_of(cut, size, chunk..end);
                let emit = Emit { trees, cut, size, bytes: bytes.len() };
                let target = Spot::Output { offset: bytes.start };
                if !bytes.is_empty() {
                    local.compute(&emit, root, target, 0);
                    let last = local.ops.last_mut().expect("a tree has an operation");
                    last.completes = last.other.is_some();
                }
            }
            chunk = end;
        }
        let read = |op: &Apply| [Some(op.own), op.other].into_iter().flatten();
        let foreign = |op: &Apply| {
            let peers = read(op).filter(|s| matches!(s, Spot::Input { rank: r, .. } if *r != rank));
            (peers.count() * op.bytes) as u64
        };
        local.moved = local.ops.iter().map(foreign).sum();
        local
    }

    /// Puts the value of a tree to `target`; `depth` counts the intermediate values in use.
    fn compute(&mut self, emit: &Emit<'_>, node: u32, target: Spot, depth: usize) {
        let (own, other) = match emit.trees.node(node) {
            Node::Leaf { rank, chunk } => (emit.leaf(rank, chunk), None),
            Node::Merge { own, other } => {
                let own = self.operand(emit, own, target, depth);
                let offset = depth * emit.bytes.next_multiple_of(64);
                let aside = Spot::Scratch { offset };
                (own, Some(self.operand(emit, other, aside, depth + 1)))
            }
        };
        self.ops.push(Apply { own, other, target, bytes: emit.bytes, completes: false });
    }

    /// Where the value of a tree is: where its leaf is, or at `place`.
    fn operand(&mut self, emit: &Emit<'_>, node: u32, place: Spot, depth: usize) -> Spot {
        if let Node::Leaf { rank, chunk } = emit.trees.node(node) {
            return emit.leaf(rank, chunk);
        }
        self.compute(emit, node, place, depth);
        if let Spot::Scratch { offset } = place {
            self.scratch = self.scratch.max(offset + emit.bytes);
        }
        place
    }
}

struct Emit<'a> {
    trees: &'a Trees,
    cut: &'a Partition,
    size: usize,
    bytes: usize,
}

impl Emit<'_> {
    fn leaf(&self, rank: u32, chunk: u32) -> Spot {
        let chunk = chunk as usize;
        let offset = bytes_of(self.cut, self.size, chunk..chunk + 1).start;
        Spot::Input { rank, offset }
    }
}

fn bytes_of(cut: &Partition, size: usize, chunks: Range<usize>) -> Range<usize> {
    let elements = cut.elements(chunks);
    elements.start * size..elements.end * size
}

/// The end of the chunks from `first` on that are computed alike: as one.
fn run_end(trees: &Trees, first: usize, cut: &Partition) -> usize {
    let alike = |&chunk: &usize| {
        let empty = cut.elements(chunk..chunk + 1).is_empty();
        empty
            || match (trees.outputs[first], trees.outputs[chunk]) {
                (Some(a), Some(b)) => trees.shifted(a, b, (chunk - first) as u32),
                (a, b) => a.is_none() && b.is_none(),
            }
    };
    let more = (first + 1..trees.outputs.len()).take_while(alike).count();
    first + 1 + more
}
