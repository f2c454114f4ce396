//! Functions that are recorded once for each signature of their arguments.

use super::program::Program;
use super::signature::{ANOTHER_RANK, Signature};
use super::stats::JitStats;
use super::step::Moved;
use super::tensors::{Tensors, Visitor, shown};
use super::trace::{self, Trace};
use super::{Lazy, Line, State, at, cache};
use crate::graph::{Graph, NodeKind, TensorType};
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result};
use std::collections::{HashMap, HashSet};
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};

/// The signatures that a function keeps programs for.
const MOST_SIGNATURES: usize = 64;

/// How often a line may record before it is warned of.
const MOST_TRACES: u64 = 2;

/// The lines of the program that make functions.
static SITES: LazyLock<Mutex<HashMap<Line, Site>>> = LazyLock::new(Mutex::default);

/// A line that makes functions.
#[derive(Default)]
struct Site {
    /// How often its functions were recorded.
    traces: u64,
    /// The functions that are there: each worker may have one.
    alive: u64,
    warned: bool,
}

fn sites() -> MutexGuard<'static, HashMap<Line, Site>> {
    lock(&SITES)
}

/// What a function of tensors returns: tensors, or a `Result` of them.
pub trait IntoTensors {
    /// The tensors.
    type Results: Tensors;

    #[doc(hidden)]
    fn into_tensors(self) -> Result<Self::Results>;
}

impl<R: Tensors> IntoTensors for R {
    type Results = R;

    fn into_tensors(self) -> Result<R> {
        Ok(self)
    }
}

impl<R: Tensors> IntoTensors for Result<R> {
    type Results = R;

    fn into_tensors(self) -> Result<R> {
        self
    }
}

/// A function of tensors that is recorded, planned and kept.
///
/// The first [`call`](Jit::call) with arguments of certain types, devices and [`Static`](super::Static) values runs the
/// function once, on tensors that record; what was recorded is planned, and calls only run the plan.
///
/// Arguments are given *by value*. A result takes the memory of an argument of its type where no other reader needs it
/// any more, so that weights that are passed in and come back, moved, are never copied; an argument that a clone
/// still holds stays what it is, at the price of a copy, which [`Jit::stats`] tell.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// # mod operators {
/// #     use ringwood_device::kernel;
/// #     /// a + b
/// #     #[kernel(map, device = cpu)]
/// #     pub fn jit_sum(a: f32, b: f32) -> f32 { a + b }
/// #     ringwood_graph::register_operator! { pub JitSum = jit_sum; shape: "..., ... -> ..." }
/// # }
/// use ringwood_graph::lazy::{Lazy, jit};
///
/// let step = jit(|(total, x): (Lazy, Lazy)| total.apply("jit_sum", &[&x], ()));
/// let mut total = Lazy::zeros(ringwood_base::DType::F32, &[2]);
/// for i in 0..10 {
///     total = step.call((total, Lazy::new(&[2], &[i as f32, 1.0])))?;
/// }
/// assert_eq!(total.to_vec::<f32>()?, [45.0, 10.0]);
/// assert_eq!(step.stats().to_string(), "traces 1, compiles 1, calls 10");
/// # Ok::<(), ringwood_base::Error>(())
/// ```
pub struct Jit<A, O: IntoTensors, F> {
    f: F,
    line: Line,
    state: Mutex<Known<O::Results>>,
    types: PhantomData<fn(A) -> O>,
}

struct Known<R> {
    /// What was recorded, used last first.
    recorded: Vec<Arc<Recorded<R>>>,
    stats: JitStats,
}

impl<R> Known<R> {
    /// What was recorded for arguments like these, which is used now.
    fn find(&mut self, visitor: &Visitor<'_>) -> Option<Arc<Recorded<R>>> {
        let fits = |recorded: &Arc<Recorded<R>>| recorded.signature.matches(visitor);
        let place = self.recorded.iter().position(fits)?;
        self.recorded[..=place].rotate_right(1);
        let recorded = self.recorded[0].clone();
        self.stats.bytes = recorded.program.bytes();
        Some(recorded)
    }
}

struct Recorded<R> {
    signature: Signature,
    program: Arc<Program>,
    /// The structure of the results; its leaves are replaced.
    results: R,
}

/// A function that [`Jit::call`] records; see [`Jit`].
#[track_caller]
pub fn jit<A: Tensors, O: IntoTensors, F: Fn(A) -> O>(f: F) -> Jit<A, O, F> {
    let state = Mutex::new(Known { recorded: Vec::new(), stats: JitStats::default() });
    let line = Location::caller();
    sites().entry(line).or_default().alive += 1;
    Jit { f, line, state, types: PhantomData }
}

impl<A, O: IntoTensors, F> Drop for Jit<A, O, F> {
    fn drop(&mut self) {
        if let Some(site) = sites().get_mut(self.line) {
            site.alive -= 1;
        }
    }
}

impl<A: Tensors, O: IntoTensors, F: Fn(A) -> O> Jit<A, O, F> {
    /// Calls the function: recorded and planned if the arguments have a new signature, else by its plan.
    ///
    /// Inside of a trace, the function becomes part of that.
    ///
    /// # Errors
    /// What an argument or a line of the function failed with; a tensor from outside is used in the function, or a
    /// value is read there; the function panicked; what it computes cannot be planned; a device's failure.
    pub fn call(&self, arguments: A) -> Result<O::Results> {
        let visitor = Visitor::of(&arguments);
        if let Some(error) = visitor.leaves.iter().find_map(|leaf| leaf.error()) {
            return Err(error.clone());
        }
        if trace::current().is_some() {
            drop(visitor);
            return (self.f)(arguments).into_tensors();
        }
        if let Some(place) = visitor.leaves.iter().position(|leaf| !leaf.has_value()) {
            let (names, leaf) = (arguments.names(), visitor.leaves[place]);
            let message = format!("`{}` has no value: {leaf:?}", shown(&names[place]));
            return Err(Error::invalid(message).with("function", self.line));
        }
        let recorded = self.recorded(&visitor, &arguments)?;
        let mut moved = Moved::default();
        let results = recorded.program.run(&visitor.leaves, &mut moved)?;
        self.count(&moved, &arguments);
        let mut results = results.into_iter();
        let next = || results.next().expect("the program has an output for each result");
        Ok(fill(recorded.results.clone(), next))
    }

    /// How often the function was recorded, planned and called, and what was copied.
    pub fn stats(&self) -> JitStats {
        lock(&self.state).stats.clone()
    }

    /// The program for arguments like these, which may be placeholders: inputs and outputs have the names of
    /// leaves. It prints, is drawn, planned and exported as any graph; nothing runs.
    ///
    /// # Errors
    /// As [`Jit::call`].
    pub fn graph(&self, arguments: &A) -> Result<Graph> {
        let visitor = Visitor::of(arguments);
        let mut signature = Signature::of(&visitor)?;
        let (mut graph, results) = self.trace(&mut signature, arguments, &visitor)?;
        let (inputs, outputs) = (arguments.names(), results.names());
        for node in 0..graph.nodes().len() {
            let position =
                graph.nodes()[node].name.as_ref().and_then(|name| name.parse::<usize>().ok());
            if let Some(name) = position.and_then(|position| inputs.get(position)) {
                graph.rename(node, shown(name));
            }
        }
        let named = |name: String| if name.is_empty() { "result".to_owned() } else { name };
        graph.rename_outputs(outputs.into_iter().map(named));
        Ok(graph)
    }

    /// What was recorded for arguments like these.
    fn recorded(&self, visitor: &Visitor<'_>, arguments: &A) -> Result<Arc<Recorded<O::Results>>> {
        let known = {
            let mut state = lock(&self.state);
            state.stats.calls += 1;
            state.find(visitor)
        };
        if let Some(known) = known {
            return Ok(known);
        }
        let mut signature = Signature::of(visitor)?;
        // Without the lock: the function may ask for `stats`, or wait for a thread that calls it.
        let (graph, results) = self.trace(&mut signature, arguments, visitor)?;
        let mut state = lock(&self.state);
        // Another thread may have recorded the same meanwhile.
        if let Some(known) = state.find(visitor) {
            return Ok(known);
        }
        let (program, own) = cache::program(graph, &signature.devices())?;
        let compiled = program.prepare().map_err(|e| own.why(e).with("function", self.line))?;
        let miss = state.recorded.first();
        let miss = miss.map(|last| signature.difference(&last.signature, &arguments.names()));
        let (stats, compiled) = (&mut state.stats, u64::from(compiled));
        stats.traces += 1;
        (stats.compiles, stats.plans) = (stats.compiles + compiled, stats.plans + compiled);
        stats.bytes = program.bytes();
        let names = arguments.names();
        // Others were only asked for their memory as they happen to have the type of a result.
        let result_names = results.names();
        let last: HashSet<_> =
            result_names.iter().filter_map(|result| ends_of(result).last()).collect();
        let comes_back = |argument: &usize| {
            ends_of(&names[*argument]).last().is_some_and(|end| last.contains(end))
        };
        let refused = program.refused().into_iter().filter(comes_back);
        stats.kept(refused.map(|argument| &names[argument]));
        // What ranks share, each of them records.
        let by_rank = miss.as_deref() == Some(ANOTHER_RANK);
        stats.last_miss = miss.or_else(|| stats.last_miss.take());
        if !by_rank {
            self.warn(stats);
        }
        let recorded = Arc::new(Recorded { signature, program, results });
        state.recorded.truncate(MOST_SIGNATURES - 1);
        state.recorded.insert(0, recorded.clone());
        Ok(recorded)
    }

    /// Records the function; the structure of its results, with leaves that are nothing.
    fn trace(
        &self,
        signature: &mut Signature,
        arguments: &A,
        visitor: &Visitor<'_>,
    ) -> Result<(Graph, O::Results)> {
        let moved: Vec<_> =
            visitor.leaves.iter().map(|leaf| Arc::strong_count(&leaf.state) == 1).collect();
        let trace = Trace::new(&signature.devices(), false);
        let inputs = visitor.leaves.iter().map(|leaf| trace.input(leaf, self.line));
        let inputs = inputs.collect::<Result<Vec<_>>>()?;
        let mut places = 0..inputs.len();
        let given = fill(arguments.clone(), || {
            let place = places.next().expect("a structure has as many leaves as before");
            Lazy::from(inputs[signature.same(place).unwrap_or(place)].clone())
        });
        let outcome =
            trace.run(|| catch_unwind(AssertUnwindSafe(|| (self.f)(given).into_tensors())));
        let results = outcome.map_err(|payload| {
            Error::from_panic(format_args!("the function of `jit` at {}", self.line), payload)
        })??;
        let lift = |leaf| trace.lift(leaf, self.line).map_err(|error| at(error, self.line));
        let outputs = results.leaves().into_iter().map(|leaf| Ok(lift(leaf)?.value));
        let outputs = outputs.collect::<Result<Vec<_>>>()?;
        if trace.is_ranked() {
            signature.for_rank();
        }
        let (mut graph, _) = trace.finish(&outputs)?;
        alias(&mut graph, (&arguments.names(), &moved), &results.names(), signature)?;
        let nothing = Lazy::with_state(State::Failed(Error::not_found("no result yet")));
        Ok((graph, fill(results, || nothing.clone())))
    }

    /// Warns, once, of a line whose functions are recorded again and again.
    fn warn(&self, stats: &mut JitStats) {
        let traces = {
            let mut sites = sites();
            let site = sites.entry(self.line).or_default();
            site.traces += 1;
            if site.warned || site.traces < MOST_TRACES + site.alive {
                return;
            }
            site.warned = true;
            site.traces
        };
        let why = match &stats.last_miss {
            Some(miss) => format!("the last time because {miss}"),
            None => "as `jit` makes a new function each time: keep what it returns".to_owned(),
        };
        let warning =
            format!("the function of `jit` at {} was recorded {traces} times, {why}", self.line);
        eprintln!("warning: {warning}");
        stats.warnings.push(warning);
    }

    fn count(&self, moved: &Moved, arguments: &A) {
        if !moved.planned && moved.given == 0 && moved.left == 0 && moved.held.is_empty() {
            return;
        }
        let mut state = lock(&self.state);
        state.stats.plans += u64::from(moved.planned);
        state.stats.given_bytes += moved.given as u64;
        state.stats.left_bytes += moved.left as u64;
        if !moved.held.is_empty() {
            let names = arguments.names();
            state.stats.kept(moved.held.iter().map(|&argument| &names[argument]));
        }
    }
}

/// A structure with other leaves.
fn fill<T: Tensors>(structure: T, mut next: impl FnMut() -> Lazy) -> T {
    structure.map(&mut |_| next())
}

/// Lets results take the memory of arguments of their type: of the one whose name ends like theirs, else, of those
/// that nobody else holds, the first.
fn alias(
    graph: &mut Graph,
    (arguments, moved): (&[String], &[bool]),
    results: &[String],
    signature: &Signature,
) -> Result<()> {
    let mut ends: HashMap<&str, Vec<usize>> = HashMap::new();
    let mut moved_of: HashMap<TensorType, Vec<usize>> = HashMap::new();
    for argument in (0..arguments.len()).filter(|&i| signature.same(i).is_none()) {
        ends_of(&arguments[argument]).for_each(|end| ends.entry(end).or_default().push(argument));
        if moved[argument] {
            moved_of.entry(signature.ty(argument)).or_default().push(argument);
        }
    }
    let mut taken = vec![false; arguments.len()];
    for named in [true, false] {
        for (i, result) in results.iter().enumerate() {
            let value = graph.outputs[i].value;
            // An argument that comes back as it is lies in its memory already.
            let is_input = matches!(graph.nodes[value.node as usize].kind, NodeKind::Input);
            if is_input || graph.outputs[i].over.is_some() {
                continue;
            }
            let ty = graph.value_type(value);
            let fits = |&argument: &usize| !taken[argument] && signature.ty(argument) == ty;
            let mut lists = ends_of(result).map(|end| ends.get(end));
            let argument = match named {
                true => lists.find_map(|list| list?.iter().copied().find(fits)),
                false => moved_of.get(&ty).and_then(|list| list.iter().copied().find(fits)),
            };
            let Some(argument) = argument else { continue };
            // What no result needs is no input any more.
            if let Ok(input) = graph.named(&argument.to_string()) {
                taken[argument] = true;
                graph.alias(&i.to_string(), input)?;
            }
        }
    }
    Ok(())
}

/// The ends of a name, the longest first: `a.b.c`, `b.c` and `c`.
fn ends_of(name: &str) -> impl Iterator<Item = &str> {
    let starts = std::iter::once(0).chain(name.match_indices('.').map(|(dot, _)| dot + 1));
    starts.map(|start| &name[start..]).filter(|end| !end.is_empty())
}
