//! `ringwood run --check`: what of a model cannot be run, all of it.

use super::inputs::Given;
use super::report::{Placed, placed, table};
use crate::Result;
use crate::device::Device;
use crate::escape_control;
use crate::graph::{Graph, Planner};
use crate::output::{Output, counted, on_screen};
use ringwood_models::{Finding, check};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::process::ExitCode;

#[derive(Serialize)]
struct Report {
    nodes: usize,
    /// How many of them depend on data, so that only their operators are known.
    unknown: usize,
    findings: Vec<Finding>,
    /// What each device has of the plan, where there is one.
    devices: Vec<Placed>,
    /// Why the whole cannot be planned on the devices, where each node has a meaning.
    plan: Option<String>,
}

pub(super) fn run(
    graph: &Graph,
    inputs: &[Given],
    planner: &Planner,
    devices: &[Device],
    output: &Output,
) -> Result<ExitCode> {
    let shapes: Vec<_> = inputs.iter().map(|i| (i.name.as_str(), &i.ty.shape[..])).collect();
    let findings = check(graph, &shapes);
    let failures = graph.failures(&shapes);
    let unknown = failures.iter().filter(|(.., error)| error.is_none()).count();
    // A graph without findings that has no sizes yet is planned for data.
    let sized = graph.with_shapes(&shapes).ok();
    let planned = sized.filter(|_| findings.is_empty()).map(|sized| planner.plan(&sized));
    let (devices, plan) = match planned {
        Some(Ok(plan)) => (placed(&plan, devices), None),
        Some(Err(error)) => (Vec::new(), Some(error.to_string())),
        None => (Vec::new(), None),
    };
    let nodes = graph.nodes().iter().filter(|node| node.is_launch()).count();
    let report = Report { nodes, unknown, findings, devices, plan };
    output.result(&report)?;
    let fine = report.findings.is_empty() && report.plan.is_none();
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            f.write_str(&on_screen(&escape_control(&finding.to_string())))?;
        }
        if let Some(plan) = &self.plan {
            f.write_str(&on_screen(&format!("the model cannot be planned: {plan}")))?;
        }
        let nodes = format!("{} of the model", counted(self.nodes, "node"));
        let bad: BTreeSet<_> = self.findings.iter().map(|finding| finding.node).collect();
        match bad.len() {
            0 if self.plan.is_none() => {
                match self.unknown {
                    0 => writeln!(f, "{nodes}, all of which can be run")?,
                    some => writeln!(
                        f,
                        "{nodes}, all of known operators; {some} depend on data, and may yet fail"
                    )?,
                }
                match &self.devices[..] {
                    [] => Ok(()),
                    devices => write!(f, "\n{}", table(devices)),
                }
            }
            0 => Ok(()),
            bad => writeln!(f, "{bad} of {nodes} cannot be run"),
        }
    }
}
