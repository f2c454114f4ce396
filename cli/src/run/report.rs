//! What a run ends with.

use super::inputs::Given;
use crate::device::Device;
use crate::escape_control;
use crate::graph::pass::PlanMemory;
use crate::graph::{GraphPlan, NodeKind, PlanTimes, TensorType};
use crate::kernel::CodeCounts;
use crate::output::Table;
use serde::{Serialize, Serializer};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Serialize)]
pub(super) struct Report {
    pub(super) file: String,
    pub(super) inputs: Vec<Shown>,
    pub(super) outputs: Vec<Shown>,
    pub(super) devices: Vec<Placed>,
    /// Where compiled code is from, if a package was asked for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) code: Option<CodeCounts>,
    pub(super) seconds: Seconds,
    /// The trace, the picture and the package that were written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) files: Vec<PathBuf>,
}

/// An input or an output.
#[derive(Serialize)]
pub(super) struct Shown {
    pub(super) name: String,
    #[serde(rename = "type", serialize_with = "text")]
    pub(super) ty: TensorType,
    /// The file that it is from, or that it was written to.
    pub(super) file: Option<String>,
    /// The number that every element of it is, if it was given so.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "number")]
    pub(super) number: Option<String>,
    /// FNV-1a of its bytes.
    pub(super) hash: String,
}

fn text<S: Serializer>(ty: &TensorType, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(ty)
}

/// An integer as it is written, other numbers as `f64`.
fn number<S: Serializer>(text: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    let text = text.as_deref().unwrap_or_default();
    match (text.parse::<i64>(), text.parse::<u64>()) {
        (Ok(number), _) => serializer.serialize_i64(number),
        (_, Ok(number)) => serializer.serialize_u64(number),
        _ => text.parse::<f64>().ok().serialize(serializer),
    }
}

impl Shown {
    pub(super) fn of(given: &Given) -> Self {
        let (name, file) = (given.name.clone(), given.file.clone());
        Self { name, ty: given.ty, file, number: given.number.clone(), hash: given.hash() }
    }

    fn row(&self, noun: &str, no_file: &str) -> [String; 5] {
        let number = self.number.as_ref().map(|number| format!("(all {number})"));
        let file = self.file.clone().or(number).unwrap_or_else(|| no_file.to_owned());
        let (name, file) = (escape_control(&self.name), escape_control(&file));
        [noun.to_owned(), name, self.ty.to_string(), self.hash.clone(), file]
    }
}

/// What a device has of a plan.
#[derive(Serialize)]
pub(super) struct Placed {
    /// Nodes that a kernel computes; fused ones count as one.
    nodes: usize,
    /// Values that are copied there from other devices.
    copies: usize,
    /// Bytes of what stands there.
    #[serde(flatten)]
    memory: PlanMemory,
}

/// What each of these devices has of a plan.
pub(super) fn placed(plan: &GraphPlan, on: &[Device]) -> Vec<Placed> {
    let memory = plan.memory();
    let of = |device: &Device| {
        let nodes = plan.graph().nodes().iter();
        let here = nodes.filter(|node| node.device.as_deref() == Some(device.name()));
        let copies = here.clone().filter(|node| matches!(node.kind, NodeKind::Copy)).count();
        let none = || PlanMemory { device: device.name().into(), ..PlanMemory::default() };
        let memory = memory.iter().find(|memory| memory.device == device.name());
        let nodes = here.filter(|node| node.is_launch()).count();
        Placed { nodes, copies, memory: memory.cloned().unwrap_or_else(none) }
    };
    on.iter().map(of).collect()
}

/// What devices have of a plan, as text.
pub(super) fn table(devices: &[Placed]) -> Table {
    let mut table = Table::new([
        "device",
        "nodes",
        "copies",
        "parameters",
        "kept",
        "inputs",
        "outputs",
        "intermediates",
    ]);
    for Placed { nodes, copies, memory } in devices {
        let PlanMemory { device, parameters, kept, inputs, outputs, intermediates, .. } = memory;
        let bytes = [parameters, kept, inputs, outputs, intermediates];
        let [parameters, kept, inputs, outputs, intermediates] = bytes.map(ToString::to_string);
        let (device, nodes, copies) = (device.clone(), nodes.to_string(), copies.to_string());
        table.row([device, nodes, copies, parameters, kept, inputs, outputs, intermediates]);
    }
    table
}

/// The time that each part took.
#[derive(Default, Serialize)]
pub(super) struct Seconds {
    pub(super) load: f64,
    /// Finding the types of all values.
    infer: f64,
    /// Computing what depends on constants and shapes alone.
    fold: f64,
    /// Passes and memory.
    plan: f64,
    /// Kernels and their launches.
    compile: f64,
    /// Of a model whose sizes depend on data, the runs that find them.
    parts: f64,
    /// Each run, from inputs on the devices to outputs in memory of the host; those after the first have their parts.
    pub(super) runs: Vec<f64>,
}

impl Seconds {
    /// Notes how long the plan of the first run took, of which all until it was there took this long.
    pub(super) fn planned(&mut self, times: PlanTimes, all: Duration) {
        let PlanTimes { infer, fold, plan, compile } = times;
        let parts = all.saturating_sub(infer + fold + plan + compile);
        let seconds = [infer, fold, plan, compile, parts].map(|time| time.as_secs_f64());
        [self.infer, self.fold, self.plan, self.compile, self.parts] = seconds;
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["", "name", "type", "hash", "file"]);
        self.inputs.iter().for_each(|shown| table.row(shown.row("input", "(made up)")));
        self.outputs.iter().for_each(|shown| table.row(shown.row("output", "")));
        writeln!(f, "{table}")?;
        writeln!(f, "{}", self::table(&self.devices))?;
        if let Some(CodeCounts { given, kept, compiled, misfits }) = &self.code {
            let cache = format!("{kept} from the cache of this machine, {compiled} compiled");
            writeln!(f, "code: {given} from the package, {cache}")?;
            misfits.iter().try_for_each(|misfit| writeln!(f, "not taken: {misfit}"))?;
            writeln!(f)?;
        }
        self.files.iter().try_for_each(|file| writeln!(f, "wrote {}", file.display()))?;
        let Seconds { load, infer, fold, plan, compile, parts, runs } = &self.seconds;
        let named = [("load", load), ("infer", infer), ("fold", fold), ("plan", plan)];
        for (name, seconds) in named {
            write!(f, "{name} {}, ", time(*seconds))?;
        }
        write!(f, "compile {}", time(*compile))?;
        if *parts > 1e-3 {
            write!(f, ", parts {}", time(*parts))?;
        }
        match &runs[..] {
            [only] => writeln!(f, ", run {}", time(*only)),
            [first, rest @ ..] => {
                let fastest = rest.iter().copied().fold(f64::INFINITY, f64::min);
                let mean = rest.iter().sum::<f64>() / rest.len() as f64;
                let (first, count) = (time(*first), rest.len());
                let (fastest, mean) = (time(fastest), time(mean));
                writeln!(
                    f,
                    ", first run {first}, then {fastest} (the fastest of {count}; mean {mean})"
                )
            }
            [] => writeln!(f),
        }
    }
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s => format!("{:.0} µs", s * 1e6),
    }
}
