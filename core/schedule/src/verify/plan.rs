//! The proof of an execution plan: all lanes, with everything that orders them.
//!
//! Lanes take messages, signals and packets in a fixed order and never look at data, so they are a
//! Kahn network as the lanes of a collective are, and the same machine decides.

mod alone;
mod report;

pub use report::Report;

use super::domain::Forms;
use super::explain;
use super::finding::Finding;
use super::laned::{Laned, Model, place};
use super::lanes::Located;
use super::machine::Machine;
use super::stop::Stop;
use crate::plan::{ExecutionPlan, Frame};
use crate::{BufferMode, Space};
use ringwood_base::Result;

/// Proves a plan in one buffer mode: values, races, deadlock, matching of messages and signals, and
/// that every output is complete before its rank ends.
///
/// # Errors
/// The plan is too large, or was not read from a file and has buffers that do not fit its goal, or
/// names ranks or semaphores that it does not have. A plan that is wrong is not an error but a
/// [`Report`] with findings.
pub fn verify_plan(
    plan: &ExecutionPlan,
    mode: BufferMode,
    model: impl Into<Model>,
) -> Result<Report> {
    plan.check()?;
    let model = model.into();
    let mut report = prove(plan, mode, model)?;
    if !report.ok() {
        for more in model.assuming_more(plan) {
            if prove(plan, mode, more)?.ok() {
                report.right_if = Some(more);
                break;
            }
        }
    }
    Ok(report)
}

fn prove(plan: &ExecutionPlan, mode: BufferMode, model: Model) -> Result<Report> {
    let mut laned = Laned::new(plan, Frame::new(plan, mode)?, model);
    let mut report = Report::new(plan, mode, laned.frame.stated);
    match examine(&mut laned) {
        Ok(order) => report.order = order,
        Err(Stop::Error(error)) => return Err(error),
        Err(Stop::Finding(finding)) => report.findings.push(*finding),
    }
    Ok(report)
}

fn examine(laned: &mut Laned<'_>) -> Result<Vec<(u32, u32)>, Stop> {
    alone::check(laned.plan, &laned.frame)?;
    laned.place_steps();
    let laned = &*laned;
    let mut machine = Machine::of_plan(laned, Forms::new(&laned.frame.params));
    let end = machine.run();
    if let Some(conflict) = machine.clocks.as_ref().and_then(|clocks| clocks.conflict) {
        return Err(conflict.finding(laned)?.into());
    }
    if let Some(early) = machine.take_early() {
        return Err(early.into());
    }
    end?;
    if laned.frame.stated
        && let Some((rank, chunk)) = machine.first_wrong()
    {
        return Err(explain::wrong_in_plan(laned, rank, chunk)?.into());
    }
    if let Some((owner, chunk, at)) = machine.unfinished() {
        let place = place(laned.plan, at);
        let name = Some(laned.name_of(owner, Space::Output, chunk));
        return Err(Finding::Incomplete { owner, name, place }.into());
    }
    Ok(machine.order.unwrap_or_default())
}
