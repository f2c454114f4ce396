//! Checks an execution plan at the level of its file: all lanes, with everything that orders them.
//!
//! Lanes take messages, signals and packets in a fixed order and never look at data, so they are a
//! Kahn network: if no two accesses race, every execution computes the same values, and either all
//! of them finish or none does. One abstract run therefore decides. It follows values as random
//! linear forms, as the verifier of schedules does, and the order of accesses with vector clocks.

mod accesses;
mod blocked;
mod clock;
mod explain;
mod finding;
mod machine;
mod moves;
mod ranges;
mod semaphore;
mod values;

pub use finding::{Blocked, Finding, Place};

use crate::plan::{ExecutionPlan, Layout};
use machine::Machine;
use ringwood_base::Result;
use ringwood_schedule::BufferMode;
use std::fmt;
use std::time::Instant;
use values::Forms;

/// What a relaxed signal orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Relaxed {
    /// When its waiter goes on, but not what the waiter sees in memory: what MSCCL++ documents.
    #[default]
    Execution,
    /// Memory as well, as signals that are not relaxed do.
    Memory,
}

/// The outcome of a check of one plan in one buffer mode.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Report {
    /// The plan's name.
    pub plan: String,
    /// How input and output related.
    pub mode: BufferMode,
    /// What is wrong; nothing if the plan is right.
    pub findings: Vec<Finding>,
    /// The ranks.
    pub ranks: usize,
    /// The lanes of all ranks.
    pub lanes: usize,
    /// The operations of all lanes.
    pub operations: usize,
    /// Whether the values were compared with what the plan is for, which not every file says.
    pub values_checked: bool,
    /// The time that the check took.
    pub seconds: f64,
    /// The operations in an order in which they can happen: (lane, operation) pairs.
    #[serde(skip)]
    pub order: Vec<(u32, u32)>,
}

impl Report {
    /// Whether nothing is wrong.
    pub fn ok(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Checks a plan in one buffer mode: values, races, deadlock, matching of messages and signals, and
/// that every output is complete before its rank ends.
///
/// # Errors
/// The plan is too large, or was not read from a file and has buffers that do not fit its goal, or
/// names ranks, queues or signals that it does not have. A plan that is wrong is not an error but a [`Report`] with findings.
pub fn check(plan: &ExecutionPlan, mode: BufferMode, relaxed: Relaxed) -> Result<Report> {
    plan.check_buffers()?;
    plan.check_names()?;
    plan.check_size()?;
    let start = Instant::now();
    let layout = Layout::new(plan, mode);
    let mut report = Report {
        plan: plan.name.clone(),
        mode,
        findings: Vec::new(),
        ranks: plan.ranks.len(),
        lanes: plan.lanes.len(),
        operations: plan.lanes.iter().map(|l| l.ops.len()).sum(),
        values_checked: plan.goal != crate::plan::Goal::Unstated,
        seconds: 0.0,
        order: Vec::new(),
    };
    match examine(plan, &layout, relaxed) {
        Ok(order) => report.order = order,
        Err(finding) => report.findings.push(*finding),
    }
    report.seconds = start.elapsed().as_secs_f64();
    Ok(report)
}

fn examine(
    plan: &ExecutionPlan,
    layout: &Layout,
    relaxed: Relaxed,
) -> Result<Vec<(u32, u32)>, Box<Finding>> {
    ranges::check(plan, layout)?;
    ranges::check_shared(plan)?;
    let mut machine = Machine::new(plan, layout, relaxed, Forms);
    let end = machine.run().and_then(|()| machine.check_leftovers());
    match (end, machine.early.take()) {
        (Err(finding), None) => return Err(finding),
        (Err(finding), _) if matches!(*finding, Finding::Race { .. }) => return Err(finding),
        (_, Some(early)) => return Err(early),
        (Ok(()), None) => {}
    }
    if let Some((rank, cell)) = values::first_wrong(plan, layout, |cell| machine.value(cell)) {
        return Err(explain::wrong_value(plan, layout, relaxed, rank, cell));
    }
    machine.check_complete()?;
    Ok(machine.into_order())
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
        write!(
            f,
            "{plan}  {mode}  {ranks} rank{}  {lanes} lane{}  ",
            plural(*ranks),
            plural(*lanes)
        )?;
        if let [finding, ..] = self.findings.as_slice() {
            return write!(f, "WRONG: {finding}");
        }
        write!(f, "{operations} operation{}  ", plural(*operations))?;
        f.write_str(if self.values_checked { "values ok" } else { "values not stated" })?;
        write!(f, "  races none  deadlock none  {:.1} ms", self.seconds * 1e3)
    }
}
