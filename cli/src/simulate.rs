//! `ringwood simulate`: how long a collective takes on a machine that need not be there.

use super::arrange::Arrange;
use super::named;
use super::output::{Output, counted};
use crate::collective::{
    Bytes, CostModel, Operation, Params, Request, Simulated, Simulation, Topology, prove,
};
use crate::{DType, Error, Result};
use clap::Args;
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use std::{fmt, fs};

#[derive(Args)]
#[command(after_help = "Examples:\n  ringwood simulate ring --ranks 65536 --bytes 1GiB\n  \
    ringwood simulate ring --ranks 1024 --bytes 64MiB --topology fat-tree:k=32,taper=2\n  \
    ringwood simulate ring --ranks 512 --bytes 8KiB --topology torus:8x8x8 --json\n\n\
    Topologies: switch, shared-memory:nodes=2, fat-tree:k=16,taper=2,levels=3, torus:8x8x16,\n\
    dragonfly:routers=16,ranks=8,global=8,routing=valiant, islands:size=8,k=64, each with\n\
    options of its links if you like, as in switch:bandwidth=50GB,latency=1us; or a JSON file.")]
pub(super) struct SimulateArgs {
    /// The collective, as `ringwood collectives` lists it.
    name: String,
    /// Ranks of the group.
    #[arg(long, default_value_t = 64)]
    ranks: usize,
    #[command(flatten)]
    arrange: Arrange,
    /// Bytes of a rank's largest buffer: all blocks together, if the operation has blocks.
    #[arg(long, default_value = "1MiB", value_parser = clap::value_parser!(Bytes))]
    bytes: Bytes,
    /// The type of the elements.
    #[arg(long, default_value = "f32")]
    dtype: DType,
    /// The network; without one, ranks reach each other over ports of 50 GB/s in 2 µs.
    #[arg(long, value_name = "KIND:OPTIONS|FILE.json")]
    topology: Option<String>,
    /// Gives every message all links for itself.
    #[arg(long, requires = "topology")]
    no_contention: bool,
}

/// A topology by its short text, or from a JSON file that holds it in its serialised form.
fn topology(text: &str) -> Result<Topology> {
    let path = Path::new(text);
    if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("json")) {
        return text.parse();
    }
    let contents = fs::read_to_string(path).map_err(|cause| {
        Error::not_found(format!("cannot read the topology `{text}`")).because(cause)
    })?;
    serde_json::from_str(&contents)
        .map_err(|cause| Error::invalid(format!("`{text}` holds no topology")).because(cause))
}

/// Groups up to this size are proved before they are simulated, as the time of a wrong schedule means nothing.
const PROVED: usize = 64;

/// A simulation, and what it took.
#[derive(Serialize)]
struct Outcome {
    #[serde(flatten)]
    simulated: Simulated,
    operation: Operation,
    topology: Option<Topology>,
    contention: bool,
    simulation_seconds: f64,
}

pub(super) fn run(args: &SimulateArgs, output: &Output) -> Result<ExitCode> {
    let collective = named::collective(&args.name, output)?;
    let operation = collective.describe().operation;
    let request = request(operation, args.ranks, args.bytes, args.dtype)?;
    let request = args.arrange.apply(request)?;
    let topology = args.topology.as_deref().map(topology).transpose()?;
    let network = topology.as_ref().map(|t| t.network(args.ranks)).transpose()?;
    if args.ranks <= PROVED {
        prove(collective, &Params::resolved(collective, &request)?)?;
    }
    let model = CostModel::cluster();
    let model = if network.is_some() { model.over_links() } else { model };
    let contention = network.is_some() && !args.no_contention;
    let simulation = Simulation::new(&model).contended(contention);
    let simulation = network.iter().fold(simulation, Simulation::over);
    let start = Instant::now();
    let progress = output.progress(0);
    let simulated = simulation.run(collective, &request)?;
    progress.finish_and_clear();
    let simulation_seconds = start.elapsed().as_secs_f64();
    output.result(&Outcome { simulated, operation, topology, contention, simulation_seconds })
}

/// An operation by its name, also with hyphens as commands have them: `all-reduce`.
///
/// # Errors
/// There is no such operation.
pub(super) fn operation(text: &str) -> Result<Operation> {
    Operation::parse(&text.replace('-', "_")).ok_or_else(|| {
        let names = Operation::ALL.map(|operation| operation.name().replace('_', "-"));
        Error::invalid(format!("there is no operation `{text}`"))
            .help(format!("give one of {}", names.join(", ")))
    })
}

/// A request whose largest buffer has `bytes` bytes; a barrier has none. A permutation moves each input to the next
/// rank.
///
/// # Errors
/// There are no ranks, or more than are simulated, or the bytes are not whole elements of every rank's block.
pub(super) fn request(
    operation: Operation,
    ranks: usize,
    bytes: Bytes,
    dtype: DType,
) -> Result<Request> {
    if ranks == 0 {
        return Err(Error::invalid("a group needs at least one rank"));
    }
    let most = Simulation::MOST_RANKS;
    if ranks > most {
        let message = format!("{ranks} ranks are more than the {most} that are simulated");
        return Err(Error::unsupported(message));
    }
    if operation.reduces() && dtype == DType::Bool {
        let known = DType::ALL.iter().filter(|&&known| known != DType::Bool).map(|d| d.name());
        let known = known.collect::<Vec<_>>().join(", ");
        let message = format!("{operation} merges numbers, which {dtype} is not");
        return Err(Error::dtype(message).help(format!("give one of {known}")));
    }
    if operation == Operation::Barrier {
        return Ok(Request::new(operation, ranks, 0, dtype));
    }
    let blocks = if operation.blocked() { ranks } else { 1 };
    let unit = (blocks * dtype.size()) as u64;
    if !bytes.0.is_multiple_of(unit) {
        let parts = if blocks == 1 { String::new() } else { format!("{blocks} blocks of ") };
        let message = format!("{bytes} are not {parts}whole elements of {dtype}");
        return Err(Error::invalid(message).help(format!("give a multiple of {unit} bytes")));
    }
    let request = Request::new(operation, ranks, (bytes.0 / unit) as usize, dtype);
    let next = (0..ranks).map(|rank| (rank + 1) % ranks);
    Ok(if operation == Operation::Permute {
        request.permutation(next.collect::<Vec<_>>())
    } else {
        request
    })
}

/// Seconds in the unit that suits them.
pub(super) fn seconds(seconds: f64) -> String {
    let units = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")];
    let (unit, name) = units.into_iter().find(|u| seconds >= u.0).unwrap_or((1e-9, "ns"));
    format!("{:.3} {name}", seconds / unit)
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = &self.simulated;
        writeln!(
            f,
            "{} ({})  {}  {}",
            s.collective,
            self.operation,
            counted(s.ranks, "rank"),
            Bytes(s.bytes)
        )?;
        let bound = s.lower_bound;
        let ratio = if bound > 0.0 { s.seconds / bound } else { 1.0 };
        writeln!(f, "  time         {}", seconds(s.seconds))?;
        writeln!(f, "  lower bound  {}  ({ratio:.2} times as long)", seconds(bound))?;
        writeln!(f, "  bandwidth    {:.3} GB/s of each rank's buffer", s.bandwidth / 1e9)?;
        writeln!(f, "  messages     {}  of {:.3} GB in all", s.messages, s.moved as f64 / 1e9)?;
        for level in &s.levels {
            let gigabytes = level.bytes as f64 / 1e9;
            writeln!(f, "  {:<12} {gigabytes:.3} GB over {} links", level.level, level.links)?;
        }
        if let Some(link) = &s.busiest {
            let (level, number, busy) = (link.level, link.link, link.busy * 100.0);
            writeln!(
                f,
                "  busiest      {level} {number}: {} in {busy:.0} % of the time",
                Bytes(link.bytes)
            )?;
        }
        let contention = if self.contention { ", with contention" } else { "" };
        writeln!(f, "  method       {}{contention}, in {:.2} s", s.method, self.simulation_seconds)
    }
}

#[cfg(test)]
mod tests;
