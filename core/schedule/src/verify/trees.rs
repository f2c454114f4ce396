//! The merge trees of a proved schedule, by its lanes.

use super::Finding;
use super::domain::Domain;
use super::lanes::{Algorithm, Lanes, Source};
use super::machine::{Machine, Rules};
use super::stop::Stop;
use super::symmetry::Digests;
use crate::trees::{Node, Trees};
use crate::{Collective, Params};
use ringwood_base::Result;

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
        let source = Algorithm { collective, params };
        let run = || -> Result<_, Stop> {
            let lanes = Lanes::new(params, &source)?;
            let other = |&r: &usize| proved.of(r) != Some(lanes.digests[r]);
            if let Some(rank) = (0..params.ranks()).find(other) {
                return Err(Finding::Impure { rank }.into());
            }
            let mut machine = Machine::new(&lanes, Nodes(Vec::new()), Rules::InPlace);
            machine.run()?;
            let known = |(chunk, id): (usize, &u32)| {
                params.result(rank, chunk).map(|_| *id).filter(Nodes::known)
            };
            let outputs = machine.outputs(rank).iter().enumerate().map(known).collect();
            Ok(Self { nodes: machine.domain.0, outputs })
        };
        run().map_err(|stop| stop.into_error(&source.name()))
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

    fn none() -> u32 {
        u32::MAX
    }

    fn known(id: &u32) -> bool {
        *id != u32::MAX
    }

    fn leaf(&mut self, rank: usize, chunk: usize) -> u32 {
        self.add(Node::Leaf { rank: rank as u32, chunk: chunk as u32 })
    }

    fn merge(&mut self, own: &u32, other: &u32) -> u32 {
        self.add(Node::Merge { own: *own, other: *other })
    }
}
