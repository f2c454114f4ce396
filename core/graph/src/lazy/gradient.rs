//! Gradients of functions of tensors.

use super::tensors::shown;
use super::trace::{self, Trace, Traced};
use super::{Lazy, Line, Tensors, at, default_device};
use crate::graph::{Node, NodeKind, Value};
use ringwood_base::{Error, Result};
use std::panic::Location;
use std::sync::Arc;

/// The gradient of a function that gives one number: for each leaf of `of` a tensor of its type.
///
/// As [`value_and_grad`], without the value.
#[track_caller]
pub fn grad<T: Tensors>(of: &T, f: impl FnOnce(&T) -> Lazy) -> T {
    recorded(of, f, Location::caller()).1
}

/// What a function gives for `of`, and the derivative of its loss by each leaf of `of`.
///
/// The loss is one number: what the function gives, or the first tensor of it. What stands behind that comes back beside
/// the loss, and has no gradient: `(loss, scores)`, or a struct of yours.
///
/// The function is recorded: inside of [`jit`](super::jit) as part of the program, elsewhere as a program that runs
/// once, in which tensors from outside are constants. Leaves and whatever was computed of them outside of the function
/// are constants, too; only what the function makes of its argument counts.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// # mod operators {
/// #     use ringwood_device::kernel;
/// #     /// a + b
/// #     #[kernel(map, device = cpu)]
/// #     pub fn grad_sum(a: f32, b: f32) -> f32 { a + b }
/// #     ringwood_graph::register_operator! {
/// #         pub GradSum = grad_sum; shape: "..., ... -> ...",
/// #         gradient: |c| { let g = c.gradient()?; c.add(0, g)?; c.add(1, g) }
/// #     }
/// # }
/// use ringwood_graph::lazy::{Lazy, value_and_grad};
///
/// let (x, y) = (Lazy::scalar(3.0_f32), Lazy::scalar(4.0_f32));
/// let ((loss, part), gradient) = value_and_grad(&x, |x| {
///     let part = x.apply("grad_sum", &[&y], ());
///     (part.apply("grad_sum", &[&y], ()), part)
/// });
/// assert_eq!((loss.item::<f32>()?, part.item::<f32>()?), (11.0, 7.0));
/// assert_eq!(gradient.item::<f32>()?, 1.0);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// What goes wrong is kept by each tensor of the value and by each leaf of the gradient: the loss is not one float, a leaf
/// has integers or does not reach the loss, an operator on the way has no gradient: the error names it, and its line.
/// Where a leaf is wrong, the function is called with tensors that have failed.
#[track_caller]
pub fn value_and_grad<T: Tensors, V: Tensors>(of: &T, f: impl FnOnce(&T) -> V) -> (V, T) {
    recorded(of, f, Location::caller())
}

/// Runs a function of whose operations gradients keep no values: they are computed again, where inside of a trace.
///
/// A plan takes less memory then and more time; bits do not change, but for gradients of those gradients, which are added
/// up through the values and through those that were computed again.
pub fn recompute<T>(f: impl FnOnce() -> T) -> T {
    let Some(trace) = trace::current() else { return f() };
    let start = trace.lock().graph.nodes().len();
    let result = f();
    let mut recorder = trace.lock();
    let end = recorder.graph.nodes().len();
    recorder.blocks.push(start..end);
    drop(recorder);
    result
}

fn recorded<T: Tensors, V: Tensors>(of: &T, f: impl FnOnce(&T) -> V, line: Line) -> (V, T) {
    let failing = |error| Lazy::failed(at(error, line));
    let (value, gradients) = match Recording::of(of, line) {
        Ok(recording) => recording.differentiate(of, f, line),
        // Its structure is known to the function alone, which is recorded for that, and not run.
        Err(error) => {
            let failed = failing(error.clone());
            let given = of.clone().map(&mut |_| failed.clone());
            let aside = default_device().ok().filter(|_| trace::current().is_none());
            let value = match aside {
                Some(device) => Trace::once(&device).run(|| f(&given)),
                None => f(&given),
            };
            (value, Err(error))
        }
    };
    match gradients {
        Ok(gradients) => {
            let mut gradients = gradients.into_iter();
            let next = "one gradient for each leaf was recorded";
            (value, of.clone().map(&mut |_| gradients.next().expect(next)))
        }
        Err(error) => {
            let failed = failing(error);
            let mut fail = |_| failed.clone();
            (value.map(&mut fail), of.clone().map(&mut fail))
        }
    }
}

/// The leaves by which a gradient is recorded.
struct Recording {
    trace: Arc<Trace>,
    /// Whether the trace is of this gradient alone, and runs once.
    once: bool,
    names: Vec<String>,
    leaves: Vec<Traced>,
    /// What stands for each leaf in the function.
    stand_ins: Vec<Traced>,
}

impl Recording {
    fn of<T: Tensors>(of: &T, line: Line) -> Result<Self> {
        let (leaves, names) = (of.leaves(), of.names());
        if let Some(error) = leaves.iter().find_map(|leaf| leaf.error()) {
            return Err(error.clone());
        }
        let around = trace::of(leaves.iter().copied());
        let (once, trace) = match (around, leaves.first()) {
            (Some(around), _) => (false, around),
            (None, Some(leaf)) => (true, Trace::once(&leaf.device()?)),
            (None, None) => return Err(Error::invalid("a gradient by no tensor")),
        };
        let lift = |leaf| trace.lift(leaf, line);
        let leaves = leaves.into_iter().map(lift).collect::<Result<Vec<_>>>()?;
        let integers = leaves.iter().zip(&names).find(|(leaf, _)| !leaf.ty.dtype.is_float());
        if let Some((Traced { ty, .. }, name)) = integers {
            let message = format!("a gradient by `{}`: {ty} has no derivatives", shown(name));
            return Err(Error::dtype(message)
                .help("pass what is not trained beside the struct, or as its configuration"));
        }
        let stand_in = |leaf| trace.stand_in(leaf, line);
        let stand_ins = leaves.iter().map(stand_in).collect::<Result<Vec<_>>>()?;
        Ok(Self { trace, once, names, leaves, stand_ins })
    }

    /// What a function gives, and the gradient of each leaf.
    fn differentiate<T: Tensors, V: Tensors>(
        &self,
        of: &T,
        f: impl FnOnce(&T) -> V,
        line: Line,
    ) -> (V, Result<Vec<Lazy>>) {
        let mut stand_ins = self.stand_ins.iter().cloned().map(Lazy::from);
        let given = of.clone().map(&mut |leaf| stand_ins.next().unwrap_or(leaf));
        let record = || {
            let value = f(&given);
            let gradients = self.gradients(&value, line);
            (value, gradients)
        };
        if !self.once {
            let (value, gradients) = record();
            return (value, gradients.map(|all| all.into_iter().map(Lazy::from).collect()));
        }
        let (value, gradients) = self.trace.run(record);
        let own = |leaf: &Lazy| {
            trace::traced(leaf).filter(|own| Arc::ptr_eq(&own.trace, &self.trace)).cloned()
        };
        let run = gradients.and_then(|gradients| {
            let values = value.leaves().into_iter().filter_map(own);
            self.trace.run_once("gradient", &values.chain(gradients).collect::<Vec<_>>())
        });
        match run {
            Ok(results) => {
                let mut results = results.into_iter();
                let mut result = |leaf| own(&leaf).and_then(|_| results.next()).unwrap_or(leaf);
                let value = value.map(&mut result);
                (value, Ok(results.collect()))
            }
            Err(error) => (value, Err(error)),
        }
    }

    /// The gradients of the first tensor of a value.
    fn gradients<V: Tensors>(&self, value: &V, line: Line) -> Result<Vec<Traced>> {
        let loss = value.leaves().first().copied().ok_or_else(|| {
            Error::invalid("a gradient of no tensor").help("let the function return its loss first")
        })?;
        let loss = self.trace.lift(loss, line)?.value;
        let wrt: Vec<_> = self.stand_ins.iter().map(|stand_in| stand_in.value).collect();
        let values = self.trace.gradients(loss, &wrt, &self.leaves, &self.names, line)?;
        let gradient = |(value, leaf): (Value, &Traced)| Traced { value, ..leaf.clone() };
        Ok(values.into_iter().zip(&self.leaves).map(gradient).collect())
    }
}

impl Trace {
    /// A value of its own that stands for a leaf while a gradient is recorded, so that other uses of it do not count.
    fn stand_in(&self, leaf: &Traced, line: Line) -> Result<Traced> {
        let mut recorder = self.lock();
        recorder.check_open()?;
        let name = format!("stand-in {}", recorder.graph.nodes().len());
        let mut node = Node { name: Some(name), ..Node::new(NodeKind::Input, vec![leaf.ty]) };
        node.device.clone_from(&recorder.graph.nodes()[leaf.value.id().node as usize].device);
        let value = recorder.graph.push(node);
        recorder.mark(value.id().node as usize, line);
        Ok(Traced { value, ..leaf.clone() })
    }

    /// The gradient of a loss by values that stand for leaves, which take their place again.
    fn gradients(
        &self,
        loss: Value,
        wrt: &[Value],
        leaves: &[Traced],
        names: &[String],
        line: Line,
    ) -> Result<Vec<Value>> {
        let mut recorder = self.lock();
        let recorder = &mut *recorder;
        let loss = recorder.resolve(loss);
        let ty = recorder.graph.type_of(loss)?;
        if !ty.dtype.is_float() {
            return Err(Error::dtype(format!("a gradient of {ty}, which are no floats")));
        }
        let first = wrt.first().map_or(0, |stand_in| stand_in.id().node as usize);
        let blocks: Vec<_> = recorder.blocks.extract_if(.., |block| block.start >= first).collect();
        let end = recorder.graph.nodes().len();
        let gradients = recorder.graph.gradient_with(loss, wrt, &blocks).map_err(|e| {
            // A node on the way names itself; a leaf that is not reached, its stand-in.
            let of_node =
                |text: &str| text.strip_prefix('%')?.split(' ').next()?.parse::<usize>().ok();
            if let Some(node) = e.get("node").and_then(of_node) {
                return recorder.graph.nodes()[node].line.0.map_or(e.clone(), |line| at(e, line));
            }
            let missed = wrt.iter().position(|v| e.message().contains(&format!("on {}:", v.id())));
            match missed {
                None => e,
                Some(leaf) => {
                    let message = format!("the loss does not depend on `{}`", shown(&names[leaf]));
                    Error::new(e.kind(), message).help("leave it out of the gradient")
                }
            }
        })?;
        recorder.mark(end, line);
        for (stand_in, leaf) in wrt.iter().zip(leaves) {
            let leaf = recorder.resolve(leaf.value);
            recorder.stand_ins.insert(stand_in.id(), leaf);
        }
        for node in first..recorder.graph.nodes().len() {
            let operands = recorder.graph.nodes()[node].operands.iter();
            if operands.clone().any(|operand| recorder.stand_ins.contains_key(operand)) {
                let resolved = |o: &_| recorder.stand_ins.get(o).map_or(*o, |leaf| leaf.id());
                let operands = operands.map(resolved).collect();
                recorder.graph.node_mut(node).operands = operands;
            }
        }
        Ok(gradients)
    }
}
