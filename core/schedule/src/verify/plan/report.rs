//! The outcome of the proof of a plan.

use super::super::laned::{Model, Packets, Relaxed};
use super::Finding;
use crate::BufferMode;
use crate::plan::ExecutionPlan;
use std::fmt;

/// The outcome of the proof of one plan in one buffer mode.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Report {
    /// The plan's name.
    pub plan: String,
    /// How input and output related.
    pub mode: BufferMode,
    /// What is wrong; nothing if the plan is right.
    pub findings: Vec<Finding>,
    /// Of a plan that is wrong: what would have to be taken for granted, too, for it to be right, if that
    /// is all.
    pub right_if: Option<Model>,
    /// The ranks.
    pub ranks: usize,
    /// The lanes of all ranks.
    pub lanes: usize,
    /// The operations of all lanes.
    pub operations: usize,
    /// Whether the values were compared with what the plan is for, which not every file says.
    pub values_checked: bool,
    /// The time that the proof took, where its caller measured it.
    pub seconds: Option<f64>,
    /// The operations in an order in which they can happen: (lane, operation) pairs.
    #[serde(skip)]
    pub order: Vec<(u32, u32)>,
}

impl Report {
    pub(super) fn new(plan: &ExecutionPlan, mode: BufferMode, values_checked: bool) -> Self {
        Self {
            plan: plan.name.clone(),
            mode,
            findings: Vec::new(),
            right_if: None,
            ranks: plan.ranks.len(),
            lanes: plan.lanes.len(),
            operations: plan.lanes.iter().map(|l| l.ops.len()).sum(),
            values_checked,
            seconds: None,
            order: Vec::new(),
        }
    }

    /// Whether nothing is wrong.
    pub fn ok(&self) -> bool {
        self.findings.is_empty()
    }
}

/// What a plan takes for granted, and how to ask for that.
fn needs(model: Model) -> String {
    let all = [
        (model.relaxed == Relaxed::Memory, "relaxed signals", "--relaxed memory"),
        (model.packets == Packets::Memory, "packets", "--packets memory"),
    ];
    let needed = || all.into_iter().filter(|(needed, ..)| *needed);
    let what = needed().map(|(_, what, _)| what).collect::<Vec<_>>().join(" and ");
    let switch = needed().map(|(.., switch)| switch).collect::<Vec<_>>().join(" ");
    format!(
        "right if its {what} order memory, which is not promised: `{switch}` takes that for granted"
    )
}

/// `ring  in place  4 ranks  8 lanes  values ok  races none  deadlock none  0.1 ms`.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            BufferMode::InPlace => "in place",
            BufferMode::OutOfPlace => "out of place",
        };
        let plural = |n: usize| if n == 1 { "" } else { "s" };
        let Self { plan, ranks, lanes, operations, .. } = self;
        let (of_ranks, of_lanes) = (plural(*ranks), plural(*lanes));
        write!(f, "{plan}  {mode}  {ranks} rank{of_ranks}  {lanes} lane{of_lanes}  ")?;
        if let [finding, ..] = self.findings.as_slice() {
            write!(f, "WRONG: {finding}")?;
            return self.right_if.map_or(Ok(()), |model| write!(f, "; {}", needs(model)));
        }
        write!(f, "{operations} operation{}  ", plural(*operations))?;
        f.write_str(if self.values_checked { "values ok" } else { "values not stated" })?;
        f.write_str("  races none  deadlock none")?;
        self.seconds.map_or(Ok(()), |seconds| write!(f, "  {:.1} ms", seconds * 1e3))
    }
}
