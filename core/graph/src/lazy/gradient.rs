//! Gradients of functions of tensors.

use super::tensors::shown;
use super::trace::{self, Trace, Traced};
use super::{Lazy, Line, Tensors, at};
use crate::graph::{Node, NodeKind, Value};
use ringwood_base::{Error, Result};
use std::panic::Location;
use std::sync::Arc;

/// The gradient of a function: for each leaf of `of` a tensor of its type.
///
/// As [`value_and_grad`], without the value.
#[track_caller]
pub fn grad<T: Tensors>(of: &T, f: impl FnOnce(&T) -> Lazy) -> T {
    recorded(of, f, Location::caller()).1
}

/// What a function gives for `of`, one number, and the derivative of that by each leaf of `of`.
///
/// The function is recorded: inside of [`jit`](super::jit) as part of the program, elsewhere as a program that runs
/// once, in which tensors from outside are constants. Leaves and whatever was computed of them outside of the function
/// are constants, too; only what the function makes of its argument counts.
///
/// What goes wrong is kept by the value and by each leaf of the gradient: the value is not one float, a leaf has
/// integers or does not reach the value, an operator on the way has no gradient: the error names it, and its line.
#[track_caller]
pub fn value_and_grad<T: Tensors>(of: &T, f: impl FnOnce(&T) -> Lazy) -> (Lazy, T) {
    recorded(of, f, Location::caller())
}

/// Runs a function of whose operations gradients keep no values: they are computed again, where inside of a trace.
///
/// A plan takes less memory then and more time; bits do not change.
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

fn recorded<T: Tensors>(of: &T, f: impl FnOnce(&T) -> Lazy, line: Line) -> (Lazy, T) {
    let mut values = Vec::new();
    let result = try_recorded(of, f, line, &mut values).map_err(|error| at(error, line));
    let mut values = values.into_iter();
    let mut next = || match &result {
        Ok(()) => values.next().expect("the loss and one gradient for each leaf were recorded"),
        Err(error) => Lazy::failed(error.clone()),
    };
    let value = next();
    (value, of.clone().map(&mut |_| next()))
}

/// Fills `values` with the loss and the gradient of each leaf.
fn try_recorded<T: Tensors>(
    of: &T,
    f: impl FnOnce(&T) -> Lazy,
    line: Line,
    values: &mut Vec<Lazy>,
) -> Result<()> {
    let leaves = of.leaves();
    if let Some(error) = leaves.iter().find_map(|leaf| leaf.error()) {
        return Err(error.clone());
    }
    if let Some(trace) = trace::of(leaves.iter().copied()) {
        *values = trace.differentiate(of, f, line)?.into_iter().map(Lazy::from).collect();
        return Ok(());
    }
    let device = match leaves.first() {
        Some(leaf) => leaf.device()?,
        None => return Err(Error::invalid("a gradient by no tensor")),
    };
    let trace = Trace::once(&device);
    let recorded = trace.run(|| trace.differentiate(of, f, line))?;
    *values = trace.run_once("gradient", &recorded)?;
    Ok(())
}

impl Trace {
    /// Records a function and its gradient: the loss, then the gradient of each leaf.
    fn differentiate<T: Tensors>(
        self: &Arc<Self>,
        of: &T,
        f: impl FnOnce(&T) -> Lazy,
        line: Line,
    ) -> Result<Vec<Traced>> {
        let lift = |leaf: &Lazy| self.lift(leaf, line);
        let leaves = of.leaves().into_iter().map(lift).collect::<Result<Vec<_>>>()?;
        let names = of.names();
        for (leaf, name) in leaves.iter().zip(&names) {
            if !leaf.ty.dtype.is_float() {
                let (name, ty) = (shown(name), leaf.ty);
                return Err(Error::dtype(format!(
                    "a gradient by `{name}`: {ty} has no derivatives"
                ))
                .help("pass what is not trained beside the struct, or as its configuration"));
            }
        }
        let stand_ins =
            leaves.iter().map(|leaf| self.stand_in(leaf, line)).collect::<Result<Vec<_>>>()?;
        let mut next = stand_ins.iter().cloned().map(Lazy::from);
        let given = of.clone().map(&mut |leaf| next.next().unwrap_or(leaf));
        let loss = self.lift(&f(&given), line)?;
        let wrt: Vec<_> = stand_ins.iter().map(|stand_in| stand_in.value).collect();
        let gradients = self.gradients(loss.value, &wrt, &leaves, &names, line)?;
        let result = |(value, leaf): (Value, &Traced)| Traced { value, ..leaf.clone() };
        Ok(std::iter::once(loss).chain(gradients.into_iter().zip(&leaves).map(result)).collect())
    }

    /// A value of its own that stands for a leaf while a gradient is recorded, so that other uses of it do not count.
    fn stand_in(&self, leaf: &Traced, line: Line) -> Result<Traced> {
        let mut recorder = self.lock();
        recorder.check_open()?;
        let name = format!("stand-in {}", recorder.graph.nodes().len());
        let mut node = Node { name: Some(name), ..Node::new(NodeKind::Input, vec![leaf.ty]) };
        node.device.clone_from(&recorder.graph.nodes()[leaf.value.id().node as usize].device);
        let value = recorder.graph.push(node);
        recorder.mark(line);
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
        let gradients = recorder.graph.gradient_with(loss, wrt, &blocks).map_err(|e| {
            // A node on the way names itself; a leaf that is not reached, its stand-in.
            let of_node =
                |text: &str| text.strip_prefix('%')?.split(' ').next()?.parse::<usize>().ok();
            if let Some(node) = e.get("node").and_then(of_node) {
                return at(e, recorder.lines[node]);
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
        recorder.mark(line);
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
