//! A recorded program on its devices, and its plans.

use super::Lazy;
use super::cache::{self, Key};
use super::stats::count;
use super::step::{Moved, Step};
use crate::graph::{Graph, Pass, Planner, run_once};
use ringwood_base::Result;
use ringwood_base::sync::lock;
use ringwood_device::device::Tensor;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// The plans that arguments which take turns have of their own.
const MOST_TURNS: usize = 8;

/// The programs with plans that no call uses, and the bytes of these.
static IDLE_PROGRAMS: AtomicUsize = AtomicUsize::new(0);
static IDLE_BYTES: AtomicUsize = AtomicUsize::new(0);
/// How often programs were run.
static RUNS: AtomicU64 = AtomicU64::new(0);

/// The programs with plans that no call uses.
pub(super) fn idle_programs() -> usize {
    IDLE_PROGRAMS.load(Ordering::Relaxed)
}

/// The bytes of those plans.
pub(super) fn idle_bytes() -> usize {
    IDLE_BYTES.load(Ordering::Relaxed)
}

/// A program whose inputs are called by the position of their argument.
pub(super) struct Program {
    what: Arc<Key>,
    planner: Planner,
    /// The graph that runs on memory of its arguments.
    planned: OnceLock<Result<Arc<Graph>>>,
    /// Plans that no call uses.
    idle: Mutex<Vec<Step>>,
    /// The bytes of one plan.
    bytes: AtomicUsize,
    /// When it was last used, counted in runs of all.
    used: AtomicU64,
}

impl Program {
    pub(super) fn new(what: Arc<Key>) -> Self {
        let planner = what.planner();
        let (planned, idle, bytes) = (OnceLock::new(), Mutex::default(), AtomicUsize::new(0));
        let program = Self { what, planner, planned, idle, bytes, used: AtomicU64::default() };
        program.touch();
        program
    }

    /// Says that it is used now.
    pub(super) fn touch(&self) {
        self.used.store(RUNS.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
    }

    /// When it was last used: a later use is a larger number.
    pub(super) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Runs on arguments where they are, on the default streams; the results are new tensors.
    pub(super) fn run_once(&self, arguments: &[Tensor]) -> Result<Vec<Tensor>> {
        let plan = || {
            let (passes, fallbacks) = self.planner.passes(&self.what.graph)?;
            fell_back(&passes, &fallbacks);
            Ok(Arc::new(passes[passes.len() - 1].graph.clone()))
        };
        let planned = self.planned.get_or_init(plan).clone()?;
        let argument = |name: &str| arguments.get(name.parse::<usize>().ok()?).cloned();
        let run = || run_once(&planned, &self.what.devices, argument);
        // Peers would take a collective that is run again for their next one.
        match planned.nodes().iter().any(|node| node.collective().is_some()) {
            true => run(),
            false => cache::with_memory(run),
        }
    }

    /// Runs in memory of a plan: of the one that knows most arguments. It is made if there is none, or if these
    /// arguments had to leave one for others of their kind, so that both have a plan of their own from then on.
    pub(super) fn run(&self, arguments: &[&Lazy], moved: &mut Moved) -> Result<Vec<Lazy>> {
        let idle = self.change_idle(|idle| {
            let known = idle.iter().map(|step| step.known(arguments)).enumerate();
            let best = known.max_by_key(|(_, known)| *known);
            let lost = || idle.len() < MOST_TURNS && idle.iter().any(|step| step.lost(arguments));
            let taken = best.filter(|(_, (over, _))| *over > 0 || !lost());
            taken.map(|(i, _)| idle.swap_remove(i))
        });
        moved.planned = idle.is_none();
        let mut step = idle.map_or_else(|| self.plan(), Ok)?;
        // A plan that failed is not kept.
        let results = step.run(arguments, moved)?;
        self.keep(step);
        Ok(results)
    }

    /// Keeps a plan that no call uses any more; others go if all take too much.
    fn keep(&self, step: Step) {
        self.touch();
        self.change_idle(|idle| idle.push(step));
        cache::trim();
    }

    /// Makes a plan.
    fn plan(&self) -> Result<Step> {
        let plan = cache::with_memory(|| self.planner.plan(&self.what.graph))?;
        fell_back(plan.passes(), plan.fallbacks());
        self.bytes.store(plan.own_bytes(), Ordering::Relaxed);
        count(|stats| stats.plans += 1);
        Step::new(plan)
    }

    /// Makes a plan that waits for a call, unless there was one; whether it did.
    pub(super) fn prepare(&self) -> Result<bool> {
        if self.bytes() > 0 || !lock(&self.idle).is_empty() {
            return Ok(false);
        }
        self.keep(self.plan()?);
        Ok(true)
    }

    /// The arguments whose memory results asked for, and do not take.
    pub(super) fn refused(&self) -> Vec<usize> {
        let asked = self.what.graph.outputs().iter().filter_map(|output| output.over);
        let names =
            asked.filter_map(|input| self.what.graph.nodes()[input.node as usize].name.as_ref());
        let arguments = names.filter_map(|name| name.parse().ok());
        let idle = lock(&self.idle);
        let taken = |argument: &usize| idle.first().is_some_and(|step| step.overwrites(*argument));
        arguments.filter(|argument| !taken(argument)).collect()
    }

    /// The bytes of one plan.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Drops the plans that no call uses.
    pub(super) fn drop_idle(&self) {
        drop(self.change_idle(std::mem::take));
    }

    /// Changes the plans that no call uses, and counts them.
    fn change_idle<T>(&self, change: impl FnOnce(&mut Vec<Step>) -> T) -> T {
        let mut idle = lock(&self.idle);
        let before = idle.len();
        let result = change(&mut idle);
        let count = |counter: &AtomicUsize, before: usize, after: usize| {
            counter.fetch_add(after.wrapping_sub(before), Ordering::Relaxed);
        };
        count(&IDLE_PROGRAMS, usize::from(before > 0), usize::from(!idle.is_empty()));
        count(&IDLE_BYTES, before * self.bytes(), idle.len() * self.bytes());
        result
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.drop_idle();
    }
}

/// Counts the operators that left their device.
fn fell_back(passes: &[Pass], fallbacks: &[(usize, String)]) {
    let placed = passes.iter().find(|pass| pass.name == "place");
    for (node, device) in fallbacks {
        let word = placed.map_or_else(String::new, |placed| placed.graph.nodes[*node].word());
        count(|stats| *stats.fallbacks.entry((word, device.clone())).or_default() += 1);
    }
}
