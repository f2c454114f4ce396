//! Groups of this library: ranks that are threads, or processes which share an arena.

use super::AllReduceArgs;
use super::measure::{AllReduce, Buffer, Sample, measure_all};
use super::peer::drain;
use crate::collective::{Communicator, Group, Membership, Processes, ReduceOp};
use crate::{Error, Result};
use clap::Args;
use std::process::{ExitCode, Stdio};
use std::time::Duration;

/// A rank of a group.
pub(super) struct Member<'a> {
    pub(super) communicator: &'a Communicator,
    pub(super) algorithm: Option<&'a str>,
}

impl AllReduce for Member<'_> {
    fn rank(&self) -> usize {
        self.communicator.rank()
    }

    fn ranks(&self) -> usize {
        self.communicator.size()
    }

    fn buffer(&self, elements: usize) -> Result<Buffer> {
        Ok(Box::new(self.communicator.alloc::<f32>(elements)?))
    }

    fn sum(&mut self, data: &mut [f32]) -> Result<()> {
        let call = self.communicator.call();
        let call = self.algorithm.map_or(call, |name| call.with(name));
        call.all_reduce(data, ReduceOp::Sum)
    }
}

/// Measures a group of threads.
pub(super) fn threads(ranks: usize, args: &AllReduceArgs) -> Result<Vec<Sample>> {
    let algorithm = args.algorithm.as_deref();
    let mut of_ranks = Group::builder(ranks).spmd(|communicator| {
        let mut member = Member { communicator, algorithm };
        measure_all(&mut member, &args.bytes, args.budget())
    })?;
    Ok(of_ranks.swap_remove(0))
}

/// How long the processes of a group may take.
const LIMIT: Duration = Duration::from_secs(180);

/// What the processes of a group are told, beside their place in it.
#[derive(Args)]
pub(crate) struct MemberArgs {
    #[arg(long, value_delimiter = ',')]
    bytes: Vec<usize>,
    #[arg(long)]
    budget: u64,
    #[arg(long)]
    algorithm: Option<String>,
}

/// Measures a group of processes over an arena.
///
/// # Errors
/// A process fails, or they do not end in time.
pub(super) fn processes(ranks: usize, args: &AllReduceArgs) -> Result<Vec<Sample>> {
    let bytes: Vec<_> = args.bytes.iter().map(ToString::to_string).collect();
    let group = Group::builder(ranks).transport("arena");
    let mut processes = Processes::start(group, |command, rank| {
        command.args(["bench", "member", "--bytes", &bytes.join(",")]);
        command.args(["--budget", &args.budget.to_string()]);
        command.args(args.algorithm.iter().flat_map(|name| ["--algorithm", name]));
        command.stdin(Stdio::null()).stderr(Stdio::null());
        command.stdout(if rank == 0 { Stdio::piped() } else { Stdio::null() });
    })?;
    let text = processes.child(0).stdout.take().map(drain);
    processes.wait(LIMIT)?;
    let text = text.and_then(|thread| thread.join().ok()).unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with('[')).unwrap_or_default();
    serde_json::from_str(line).map_err(|_| {
        Error::backend(format!("the processes of a group of {ranks} printed no figures"))
    })
}

/// Runs in each process of a group; rank 0 prints the figures.
pub(super) fn run(args: &MemberArgs) -> Result<ExitCode> {
    let Some(membership) = Membership::of_this_process()? else {
        return Err(Error::invalid("this process is no rank of a group")
            .help("use `ringwood bench all-reduce`, which starts the ranks"));
    };
    let communicator = &membership.join()?;
    let mut member = Member { communicator, algorithm: args.algorithm.as_deref() };
    let budget = Duration::from_millis(args.budget);
    let samples = measure_all(&mut member, &args.bytes, budget)?;
    if communicator.rank() == 0 {
        println!("{}", serde_json::json!(samples));
    }
    Ok(ExitCode::SUCCESS)
}
