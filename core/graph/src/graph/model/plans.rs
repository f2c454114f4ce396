//! The plans of a model: which cases were run, and how.

use super::Model;
use crate::graph::Graph;
use crate::graph::known::{Cut, Known};
use crate::graph::plan::{GraphPlan, PlanTimes};
use crate::graph::repeat::Repeat;
use ringwood_base::Shape;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The cases that a model keeps: each plan has streams of its own, however few bytes it takes.
const MOST_CASES: usize = 256;

/// What plans are made for: the shapes of the inputs, in the order of the graph, and what its operators asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Case {
    pub(super) shapes: Vec<Option<Shape>>,
    /// The nodes of parameters that are given another value than the graph's: inputs of this case.
    pub(super) freed: BTreeSet<usize>,
    pub(super) known: Vec<Known>,
}

/// How a case is run.
#[derive(Clone)]
pub(super) enum Step {
    /// The elements of this input are needed first.
    Read(String),
    /// The elements of the first output of this graph are needed first; the others are kept.
    Part(Arc<Graph>, Cut),
    /// The outputs of this graph are what a loop starts from, whose results are needed first, and what is kept.
    Loop(Arc<Graph>, Cut, Arc<(Repeat, Model)>),
    /// This graph is the whole.
    Whole(Arc<Graph>),
}

/// A case that was run.
pub(super) struct Kept {
    pub(super) step: Step,
    /// Plans that no run uses.
    pub(super) idle: Vec<GraphPlan>,
    /// The bytes of one plan, without the weights.
    pub(super) bytes: usize,
    /// When the case was last used, counted in uses of all.
    pub(super) used: u64,
    /// How long it took to find the types of its values.
    pub(super) times: PlanTimes,
}

#[derive(Default)]
pub(super) struct Plans {
    pub(super) kept: HashMap<Case, Kept>,
    pub(super) uses: u64,
}

impl Plans {
    /// The models of the loops.
    pub(super) fn loops(&self) -> impl Iterator<Item = &Model> {
        self.kept.values().filter_map(|kept| match &kept.step {
            Step::Loop(.., body) => Some(&body.1),
            _ => None,
        })
    }

    pub(super) fn bytes(&self) -> usize {
        self.kept.values().map(|kept| kept.idle.len() * kept.bytes).sum()
    }

    /// How a case was run before; it counts as used.
    pub(super) fn find(&mut self, case: &Case) -> Option<Step> {
        self.uses += 1;
        let kept = self.kept.get_mut(case)?;
        kept.used = self.uses;
        Some(kept.step.clone())
    }

    /// Keeps a plan of a case that has not been dropped meanwhile.
    pub(super) fn keep(&mut self, case: &Case, plan: GraphPlan, limit: usize) {
        let Some(kept) = self.kept.get_mut(case) else { return };
        if kept.bytes == 0 {
            kept.bytes = plan.own_bytes();
        }
        kept.idle.push(plan);
        self.trim(limit);
    }

    /// Drops the cases that were used least lately while all take more than `limit` bytes, or are too many.
    pub(super) fn trim(&mut self, limit: usize) {
        while self.kept.len() > MOST_CASES || (self.bytes() > limit && self.kept.len() > 1) {
            let oldest = self.kept.iter().min_by_key(|(_, kept)| kept.used);
            let Some(oldest) = oldest.map(|(case, _)| case.clone()) else { return };
            self.kept.remove(&oldest);
        }
    }
}
