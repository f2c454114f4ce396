//! `--arrange`: on which nodes the ranks of a group are.

use super::output::counted;
use crate::collective::{Arrangement, Request};
use crate::{Error, Result};
use clap::Args;
use std::str::FromStr;

#[derive(Args)]
pub(super) struct Arrange {
    /// On which nodes the ranks are: `nodes=2`, as many on each as on the next, or `nodes=3,2`,
    /// three on the first and two on the second.
    #[arg(long = "arrange", value_name = "nodes=N")]
    nodes: Option<Nodes>,
}

impl Arrange {
    /// Whether it was said on which nodes the ranks are.
    pub(super) fn is_given(&self) -> bool {
        self.nodes.is_some()
    }

    /// The request among ranks that are on these nodes.
    ///
    /// # Errors
    /// The nodes have more or fewer ranks than the group.
    pub(super) fn apply(&self, request: Request) -> Result<Request> {
        let Some(nodes) = &self.nodes else { return Ok(request) };
        let arrangement = nodes.of(request.ranks)?;
        Ok(request.arrangement(arrangement))
    }

    /// Checks that so many ranks can be on these nodes.
    ///
    /// # Errors
    /// See [`Arrange::apply`].
    pub(super) fn check(&self, ranks: usize) -> Result<()> {
        self.nodes.as_ref().map_or(Ok(()), |nodes| nodes.of(ranks).map(drop))
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Nodes {
    /// A number of nodes that share the ranks.
    Even(usize),
    /// The ranks of each node.
    Sizes(Vec<usize>),
}

impl Nodes {
    fn of(&self, ranks: usize) -> Result<Arrangement> {
        let sizes = match self {
            Self::Sizes(sizes) => sizes.clone(),
            Self::Even(nodes) if (1..=ranks).contains(nodes) => {
                (0..*nodes).map(|n| (n + 1) * ranks / nodes - n * ranks / nodes).collect()
            }
            Self::Even(nodes) => {
                let message =
                    format!("a group of {} is not on {nodes} nodes", counted(ranks, "rank"));
                return Err(Error::invalid(message).help("every node has at least one rank"));
            }
        };
        let arrangement = Arrangement::of_tasks(&sizes)?;
        arrangement.check(ranks)?;
        Ok(arrangement)
    }
}

impl FromStr for Nodes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sizes = text.strip_prefix("nodes=").map(|sizes| sizes.split(',').map(str::parse));
        match sizes.and_then(|sizes| sizes.collect::<Result<Vec<usize>, _>>().ok()).as_deref() {
            Some(&[nodes]) => Ok(Self::Even(nodes)),
            Some(sizes) if !sizes.contains(&0) => Ok(Self::Sizes(sizes.to_vec())),
            _ => Err("write `nodes=2`, or `nodes=3,2` for the ranks of each, at least one".into()),
        }
    }
}
