//! A session among made-up workers that die, stop, fail, panic and leave calls early, over channels with delays: all
//! that happens follows from a seed.
//!
//! The session is what users have: [`Core`], its [`Controller`], the frames, and on each worker the side of the protocol
//! that a process has. Made up are the channels, the time, and what a worker does between two words of its own.

mod made_up;
mod world;

use super::super::*;
use crate::config::Config;
use crate::core::{Core, Handle, Question};
use crate::system::computed;
use crate::{Value, Worker, global_fn};
use ringwood_base::Error;
use ringwood_base::registry::Registry;
use ringwood_device::device::Runtime;
use std::sync::LazyLock;
use world::{Random, Simulated, World, with};

/// A failing seed prints what happened, up to this.
const LINES: usize = 400;
const SILENCE: Duration = Duration::from_millis(80);
/// A release build simulates at least so many seeds in a second.
const RATE: f64 = 10_000.0;

#[global_fn]
fn step(_: &Worker) -> i64 {
    unreachable!("made-up workers run no function")
}

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| {
    Runtime::new(Registry::builder().register(step::ENTRY).build().expect("one function"))
});

/// One who uses the session.
struct Caller {
    core: Arc<Core>,
    random: Random,
    /// With what worker 0 has in it, and whether each worker has its rank more.
    held: Vec<(Handle, i64, bool)>,
    asked: Vec<(usize, Question)>,
    /// The handles from here on are of this epoch.
    fresh: usize,
    calls: i64,
}

type Verdict = Result<(), String>;

impl Caller {
    /// Does one thing that users do.
    fn act(&mut self) -> Verdict {
        let some = self.random.below(self.held.len().max(1) as u64) as usize;
        let what = self.random.below(12);
        match what {
            0..=3 => {
                self.calls += 1;
                let content = with(World::epoch) << 16 | self.calls << 8;
                let called = self.core.call(step::ENTRY.meta().name, &[]);
                self.keep(called, content, true)
            }
            4 => {
                let content = self.random.below(1 << 40) as i64;
                let set = self.core.set_all(Value::Int(content));
                self.keep(set, content, false)
            }
            5 | 6 if some < self.held.len() => self.fetch(some),
            7 if some < self.held.len() => match self.core.question(&self.held[some].0) {
                Ok(question) => {
                    self.asked.push((some, question));
                    Ok(())
                }
                Err(error) => self.refused(some, &error),
            },
            8 => self.hear_answers(),
            9 if some < self.held.len() && self.asked.is_empty() => {
                self.fresh -= usize::from(some < self.fresh);
                with(|world| world.note(|| "the caller drops a handle".into()));
                drop(self.held.remove(some));
                Ok(())
            }
            10 => self.recover(),
            _ => {
                let time = self.random.below(8_000);
                with(|world| world.pass(time));
                Ok(())
            }
        }
    }

    fn keep(
        &mut self,
        handle: ringwood_base::Result<Handle>,
        content: i64,
        ranks: bool,
    ) -> Verdict {
        match handle {
            Ok(handle) => {
                self.held.push((handle, content, ranks));
                Ok(())
            }
            Err(error) => with(|world| world.blames(&error)),
        }
    }

    fn fetch(&self, some: usize) -> Verdict {
        let (handle, content, ranks) = &self.held[some];
        let fetched = self.core.fetch(handle, 0..self.core.size());
        with(|world| {
            world.note(|| format!("the caller fetches {:?}: {fetched:?}", handle.register));
        });
        match fetched {
            Err(error) => self.refused(some, &error),
            Ok(_) if some < self.fresh => Err("a handle of another epoch has a value".into()),
            Ok(values) => {
                let wanted = |rank: usize| content + if *ranks { rank as i64 } else { 0 };
                let right = |(rank, value): (usize, &Value)| matches!(value, Value::Int(v) if *v == wanted(rank));
                let all = values.iter().enumerate().all(right);
                all.then_some(()).ok_or_else(|| format!("{values:?} instead of {content}"))
            }
        }
    }

    /// A register cannot be read: its handle is stale, or a worker is to blame.
    fn refused(&self, some: usize, error: &Error) -> Verdict {
        let stale = some < self.fresh && error.to_string().contains("the handle is stale");
        if stale { Ok(()) } else { with(|world| world.blames(error)) }
    }

    /// Every question is answered, once, whatever has become of the workers.
    fn hear_answers(&mut self) -> Verdict {
        for (some, question) in std::mem::take(&mut self.asked) {
            let handle = &self.held[some].0;
            let outcome = loop {
                match self.core.answer(handle, &question, self.core.deadline()) {
                    Some(outcome) => break outcome,
                    None => with(World::go_on),
                }
            };
            match outcome {
                Err(error) if some >= self.fresh => with(|world| world.blames(&error))?,
                _ => {}
            }
        }
        Ok(())
    }

    fn recover(&mut self) -> Verdict {
        with(|world| world.note(|| "the caller recovers the session".into()));
        (self.fresh, self.calls) = (self.held.len(), 0);
        match self.core.recover() {
            Ok(()) => Ok(()),
            Err(error) => with(|world| world.blames(&error)),
        }
    }

    /// Ends the session; what is wrong with what is left.
    fn end(mut self) -> Verdict {
        self.hear_answers()?;
        self.held.clear();
        let mut synced = self.core.sync(0..self.core.size());
        if let Err(error) = &synced {
            with(|world| world.blames(error))?;
            // What no caller has met was told now.
            synced = self.core.sync(0..self.core.size());
        }
        if synced.is_ok() {
            let left = with(|world| world.registers());
            if left + self.core.live() > 0 {
                return Err(format!("{left} registers are left on workers"));
            }
        }
        match self.core.shutdown() {
            Ok(()) => Ok(()),
            Err(error) => with(|world| world.blames(&error)),
        }
    }
}

/// Runs a session to its end.
fn session(seed: u64) -> Verdict {
    let mut random = Random(!seed);
    let workers = 2 + random.below(3) as usize;
    let groups = if workers.is_multiple_of(2) { 1 + random.below(2) as usize } else { 1 };
    let (timeout, runtime) = (Duration::from_secs(3_600), Some(RUNTIME.clone()));
    let config =
        Config { workers, groups, timeout, runtime, silence: SILENCE, ..Config::default() };
    let core = match Core::start(&Simulated, config) {
        Ok(core) => core,
        Err(error) => return with(|world| world.blames(&error)),
    };
    let mut caller =
        Caller { core, random, held: Vec::new(), asked: Vec::new(), fresh: 0, calls: 0 };
    for _ in 0..caller.random.below(14) {
        caller.act()?;
    }
    caller.end()
}

fn simulate(seed: u64, trace: bool) -> Result<(), (String, String)> {
    World::begin(seed, trace);
    let verdict = session(seed);
    let (wrong, trace) = World::end();
    wrong.map_or(verdict, Err).map_err(|wrong| (wrong, trace))
}

#[test]
fn whatever_happens_the_culprit_is_named_and_nobody_waits_for_ever() {
    let seeds = std::env::var("RINGWOOD_SEEDS").ok().and_then(|text| text.parse().ok());
    let (start, before) = (std::time::Instant::now(), computed());
    let seeds = seeds.unwrap_or(5_000);
    for seed in 0..seeds {
        let told = std::panic::catch_unwind(|| simulate(seed, false));
        if told.unwrap_or_else(|_| panic!("seed {seed} panics")).is_err() {
            let (wrong, trace) = simulate(seed, true).unwrap_err();
            let lines: Vec<_> = trace.lines().take(LINES).collect();
            panic!("seed {seed}: {wrong}\n{}", lines.join("\n"));
        }
    }
    let spent = before.and_then(|before| computed()?.checked_sub(before));
    let rate = seeds as f64 / spent.unwrap_or_else(|| start.elapsed()).as_secs_f64();
    println!("{rate:.0} seeds in a second");
    assert!(cfg!(debug_assertions) || rate >= RATE, "{rate:.0} seeds in a second");
}
