//! The merge tree of every output: what a proved schedule computes, whoever computes it.

use super::Finding;
use super::domain::Domain;
use super::lanes::{Lanes, Source};
use super::machine::Machine;
use super::stop::Stop;
use super::symmetry::Digests;
use crate::{Collective, Params};
use ringwood_base::Result;

/// The merge trees of the outputs of one rank.
pub struct Trees {
    nodes: Vec<Node>,
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
    /// The trees of the outputs of `rank`, by the lanes that were proved.
    ///
    /// # Errors
    /// The author's code panics, or gives other steps than those that were proved.
    pub fn of(
        collective: &dyn Collective,
        params: &Params,
        rank: usize,
        proved: &Digests,
    ) -> Result<Self> {
        let source = Source::new(collective, params);
        let run = || -> Result<_, Stop> {
            let lanes = Lanes::new(source)?;
            let other = |&r: &usize| proved.of(r) != Some(lanes.digests[r]);
            if let Some(rank) = (0..params.ranks()).find(other) {
                return Err(Finding::Impure { rank }.into());
            }
            let mut machine = Machine::new(&lanes, Nodes(Vec::new()));
            machine.run()?;
            let root =
                |chunk| params.result(rank, chunk).and_then(|_| machine.outputs(rank)[chunk]);
            let outputs = (0..params.chunks()).map(root).collect();
            Ok(Self { nodes: machine.domain.0, outputs })
        };
        run().map_err(|stop| stop.into_error(&source.name()))
    }

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

struct Nodes(Vec<Node>);

impl Nodes {
    fn add(&mut self, node: Node) -> u32 {
        self.0.push(node);
        self.0.len() as u32 - 1
    }
}

impl Domain for Nodes {
    type Value = u32;

    fn leaf(&mut self, rank: usize, chunk: usize) -> u32 {
        self.add(Node::Leaf { rank: rank as u32, chunk: chunk as u32 })
    }

    fn merge(&mut self, own: &u32, other: &u32) -> u32 {
        self.add(Node::Merge { own: *own, other: *other })
    }
}
