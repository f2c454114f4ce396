//! From what was proved to a schedule with one lane for each rank, and messages only.

use crate::{ExecutionPlan, Goal, Report};
use ringwood_base::{Error, Result};
use ringwood_schedule::{Params, Schedule, Step, order_of_steps};
use std::borrow::Cow;

/// The schedule of a plan that was found right, and the parameters that it is for.
///
/// Its chunks are the plan's cells. Values that a plan merges on their way, without storing them,
/// are stored in scratch chunks.
///
/// # Errors
/// The report has findings, or the plan does not say what it computes.
pub fn lower(plan: &ExecutionPlan, report: &Report) -> Result<(Schedule, Params)> {
    if let Some(finding) = report.findings.first() {
        return Err(Error::not_verified(format!("`{}` is wrong: {finding}", report.plan)));
    }
    if plan.goal == Goal::Unstated {
        let message = format!("plan `{}` does not say what it computes", plan.name);
        return Err(
            Error::unsupported(message).help("only plans for a named collective become schedules")
        );
    }
    plan.lower(report.mode, &report.order)
}

/// The schedule itself if it has messages only; else the messages that it amounts to.
pub(crate) fn messages<'s>(schedule: &'s Schedule, params: &Params) -> Result<Cow<'s, Schedule>> {
    let apart = |step: &Step| step.one_sided() || step.synchronises();
    if !schedule.lanes.iter().flatten().any(apart) {
        return Ok(Cow::Borrowed(schedule));
    }
    Ok(Cow::Owned(schedule.in_messages(&order_of_steps(schedule, params)?)))
}

/// A schedule of more steps is neither drawn nor written.
const MOST_STEPS: usize = 1 << 21;

/// Refuses a schedule that does not fit a file.
pub(crate) fn check_size(schedule: &Schedule) -> Result<()> {
    let name = &schedule.collective;
    let steps: usize = schedule.lanes.iter().map(Vec::len).sum();
    if steps > MOST_STEPS {
        return Err(Error::unsupported(format!("schedule `{name}` has {steps} steps"))
            .help(format!("at most {MOST_STEPS} fit a file: choose fewer ranks or segments")));
    }
    Ok(())
}
