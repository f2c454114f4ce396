//! The comparison, as a table and for programs.

use super::measure::Sample;
use crate::Error;
use crate::collective::Bytes;
use crate::output::Table;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Who was measured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Engine {
    /// The least possible traffic of memory, moved by as many threads as there are ranks.
    Floor,
    /// Ranks that are threads of one process.
    Threads,
    /// Ranks that are processes which share an arena.
    Processes,
    /// An MPI library.
    Peer(&'static str),
}

/// Every engine's best round.
#[derive(Default)]
pub(super) struct Report {
    best: BTreeMap<(usize, usize), BTreeMap<Engine, f64>>,
    absent: BTreeMap<&'static str, String>,
}

impl Report {
    pub(super) fn add(&mut self, ranks: usize, engine: Engine, samples: Vec<Sample>) {
        for Sample { bytes, microseconds } in samples {
            let best = self.best.entry((ranks, bytes)).or_default();
            let best = best.entry(engine).or_insert(f64::INFINITY);
            *best = best.min(microseconds);
        }
    }

    pub(super) fn absent(&mut self, engine: &'static str, why: Error) {
        self.absent.entry(engine).or_insert_with(|| why.to_string());
    }

    /// The comparison.
    pub(super) fn compared(self) -> Comparison {
        let row = |(&(ranks, bytes), times): (&(usize, usize), &BTreeMap<Engine, f64>)| {
            let time = |engine| times.get(&engine).copied();
            let peers = times.iter().filter_map(|(engine, &time)| match *engine {
                Engine::Peer(name) => Some((name, time)),
                _ => None,
            });
            let peers: BTreeMap<_, _> = peers.collect();
            let best_peer = peers.values().copied().reduce(f64::min);
            let (floor, threads) = (time(Engine::Floor), time(Engine::Threads));
            let processes = time(Engine::Processes);
            let ratio = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| a / b);
            Row {
                ranks,
                bytes,
                floor,
                threads,
                processes,
                peers,
                threads_to_best_peer: ratio(threads, best_peer),
                processes_to_threads: ratio(processes, threads),
                floor_to_threads: ratio(floor, threads),
            }
        };
        let rows = self.best.iter().map(row).collect();
        Comparison { unit: "microseconds", rows, absent: self.absent }
    }
}

/// Times in microseconds; ratios of times.
#[derive(Serialize)]
struct Row {
    ranks: usize,
    bytes: usize,
    floor: Option<f64>,
    threads: Option<f64>,
    processes: Option<f64>,
    peers: BTreeMap<&'static str, f64>,
    threads_to_best_peer: Option<f64>,
    processes_to_threads: Option<f64>,
    floor_to_threads: Option<f64>,
}

/// The engines beside each other.
#[derive(Serialize)]
pub(super) struct Comparison {
    unit: &'static str,
    rows: Vec<Row>,
    absent: BTreeMap<&'static str, String>,
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second] = super::LAUNCHERS.each_ref().map(|launcher| launcher.name);
        let mut table = Table::new([
            "ranks",
            "bytes",
            "floor",
            "threads",
            "processes",
            first,
            second,
            "threads/best MPI",
            "processes/threads",
            "floor/threads",
        ]);
        for row in &self.rows {
            let cell = |value: Option<f64>| value.map_or_else(|| "-".into(), |v| format!("{v:.2}"));
            let peer = |name| cell(row.peers.get(name).copied());
            table.row([
                row.ranks.to_string(),
                Bytes(row.bytes as u64).to_string(),
                cell(row.floor),
                cell(row.threads),
                cell(row.processes),
                peer(first),
                peer(second),
                cell(row.threads_to_best_peer),
                cell(row.processes_to_threads),
                cell(row.floor_to_threads),
            ]);
        }
        writeln!(
            f,
            "all-reduce, f32 sum, in place; microseconds a call, best round of each engine"
        )?;
        table.fmt(f)?;
        for (name, why) in &self.absent {
            writeln!(f, "{name} was not measured: {why}")?;
        }
        Ok(())
    }
}
