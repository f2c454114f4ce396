//! What calls, all-reduces, faults and starts of sessions take, beside their goals.

use super::super::faults::{acts, system};
use super::super::launcher::LAUNCHERS;
use super::super::output::{Output, Table, counted};
use super::super::simulate::seconds;
use super::measure::Sample;
use super::{AllReduceArgs, group, round};
use crate::collective::Bytes;
use crate::session::Session;
use crate::{Error, ErrorKind, Result, global_fn};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

#[derive(Args)]
#[command(mut_arg("bytes", |bytes| bytes.default_value("8,1KiB,64KiB,1MiB,16MiB")))]
pub(in super::super) struct SessionsArgs {
    #[command(flatten)]
    all_reduce: AllReduceArgs,
    /// How often a worker is killed.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    kills: u32,
    /// How often a worker is stopped; each takes some seconds.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    stops: u32,
    /// Workers of the session of threads that is started.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    thread_workers: u32,
    /// Workers of the session of processes that is started.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    process_workers: u32,
}

/// What something took, in seconds, and if it has a least, that; its goal is of their ratio then.
#[derive(Serialize)]
struct Row {
    work: String,
    seconds: f64,
    least: Option<f64>,
    ratio: Option<f64>,
    goal: f64,
    met: bool,
}

impl Row {
    fn new(work: String, seconds: f64, least: Option<f64>, goal: f64) -> Self {
        let ratio = least.map(|least| seconds / least);
        Self { work, seconds, least, ratio, goal, met: ratio.unwrap_or(seconds) <= goal }
    }
}

#[derive(Default, Serialize)]
struct Report {
    rows: Vec<Row>,
    absent: BTreeMap<&'static str, String>,
}

pub(super) fn run(args: &SessionsArgs, output: &Output) -> Result<ExitCode> {
    let mut report = Report::default();
    output.note("calls");
    for kind in ["threads", "processes"] {
        let [call, least] = calls(kind)?;
        let work = format!("call and sync, {} {kind}", round::WORKERS);
        report.rows.push(Row::new(work, call, Some(least), 1.5));
    }
    for &ranks in &args.all_reduce.ranks {
        output.note(format_args!("all-reduces of {}", counted(ranks, "rank")));
        report.all_reduces(ranks, &args.all_reduce)?;
    }
    output.note("kills and stops");
    let times = |signal, count| {
        let times = (0..count).map(|_| until_told(signal)).collect::<Result<Vec<_>>>();
        times.map(|mut times| {
            times.sort_by(f64::total_cmp);
            times[(times.len() * 99).div_ceil(100) - 1]
        })
    };
    for (signal, count, goal) in [("KILL", args.kills, 0.1), ("STOP", args.stops, 5.0)] {
        let work = format!("error after SIG{signal} to a process, 99th percentile of {count}");
        report.rows.push(Row::new(work, times(signal, count)?, None, goal));
    }
    output.note("starts");
    // Threads last: those that are given up run on.
    for (kind, workers) in [("processes", args.process_workers), ("threads", args.thread_workers)] {
        let [start, first] = starts(kind, workers as usize)?;
        report.rows.push(Row::new(format!("start of {workers} {kind}"), start, None, 2.0));
        let work = format!("first all-reduce of {workers} {kind}, for {PATIENCE:?} at most");
        report.rows.push(Row::new(work, first, None, 1.0));
    }
    output.result(&report)
}

/// How long anything in a session may take.
const PATIENCE: Duration = Duration::from_secs(10);

fn start(kind: &str, workers: usize) -> Result<Session> {
    // Other drivers take their time to load.
    let builder = Session::builder().kind(kind).workers(workers).devices(["cpu"]);
    builder.timeout(PATIENCE).output(|_, _, _| ()).start()
}

/// The number of the worker's process, which takes it next to no time.
#[global_fn(name = "bench_process")]
fn process() -> u32 {
    std::process::id()
}

/// The seconds of a call on all workers with its sync, and of the least that it could be.
fn calls(kind: &str) -> Result<[f64; 2]> {
    let session = start(kind, round::WORKERS)?;
    let mut call = || {
        drop(process::call(&session)?);
        session.sync()
    };
    match kind {
        "threads" => round::beside_futexes(&mut call),
        _ => round::beside_sockets(&mut call),
    }
}

impl Report {
    /// Processes beside threads, and groups over MPI beside its own all-reduce, where that moves much.
    fn all_reduces(&mut self, ranks: usize, args: &AllReduceArgs) -> Result<()> {
        let turns = (0..args.rounds)
            .map(|_| Ok([group::processes(ranks, args)?, group::threads(ranks, args)?]));
        let turns = turns.collect::<Result<Vec<_>>>()?;
        self.best(&format!("all-reduce, {ranks} processes over threads"), &turns, 1.15);
        let large: Vec<_> = args.bytes.iter().copied().filter(|bytes| *bytes >= 1 << 20).collect();
        for launcher in LAUNCHERS.iter().filter(|_| !large.is_empty()) {
            let turns = (0..args.rounds).map(|_| launcher.run_beside(ranks, &large, args.budget()));
            let work = format!("all-reduce, {ranks} ranks over {} over its own", launcher.name);
            match turns.collect::<Result<Vec<_>>>() {
                Ok(turns) => self.best(&work, &turns, 1.1),
                Err(error) => drop(self.absent.entry(launcher.name).or_insert(error.to_string())),
            }
        }
        Ok(())
    }

    /// A row for each size: the best turns of an engine and of the one that it is compared with.
    fn best(&mut self, work: &str, turns: &[[Vec<Sample>; 2]], goal: f64) {
        for (size, Sample { bytes, .. }) in turns[0][0].iter().enumerate() {
            let [ours, least] = [0, 1].map(|engine| {
                let times = turns.iter().map(|turn| turn[engine][size].microseconds * 1e-6);
                times.fold(f64::INFINITY, f64::min)
            });
            let work = format!("{work}, {}", Bytes(*bytes as u64));
            self.rows.push(Row::new(work, ours, Some(least), goal));
        }
    }
}

/// The seconds from a signal to one of two processes, which runs a call, to the error of that.
fn until_told(signal: &str) -> Result<f64> {
    let session = start("processes", 2)?;
    let process = process::call(&session)?.get(1)?;
    let result = acts::act::call(&session, 1, "in a call", "sleep:9000")?;
    thread::sleep(Duration::from_millis(5));
    let start = Instant::now();
    system::signal(process, signal);
    match result.wait() {
        Err(error) if error.message().starts_with("worker 1 of 2 (process ") => {
            Ok(start.elapsed().as_secs_f64())
        }
        other => Err(Error::backend(format!("SIG{signal} to worker 1 of 2 led to {other:?}"))),
    }
}

/// The seconds until so many workers are there, and of their first all-reduce, or until that is given up.
fn starts(kind: &str, workers: usize) -> Result<[f64; 2]> {
    let began = Instant::now();
    let session = start(kind, workers)?;
    let there = began.elapsed();
    match acts::sum::call(&session)?.wait() {
        Err(error) if error.kind() != ErrorKind::Timeout => Err(error),
        _ => Ok([there, began.elapsed() - there].map(|time| time.as_secs_f64())),
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new(["work", "time", "least", "ratio", "goal", ""]);
        for row in &self.rows {
            let ratio = |ratio: f64| format!("{ratio:.2}");
            table.row([
                row.work.clone(),
                seconds(row.seconds),
                row.least.map_or_else(|| "-".into(), seconds),
                row.ratio.map_or_else(|| "-".into(), ratio),
                row.ratio.map_or_else(|| seconds(row.goal), |_| ratio(row.goal)),
                if row.met { "met" } else { "missed" }.into(),
            ]);
        }
        table.fmt(f)?;
        for (name, why) in &self.absent {
            writeln!(f, "{name} was not measured: {why}")?;
        }
        Ok(())
    }
}
