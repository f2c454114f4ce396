//! Operators applied to tensors: recorded inside of a trace, else run as a program of their own.

use super::{Lazy, Line, State, cache, trace};
use crate::graph::{Attributes, Graph};
use ringwood_base::registry::Entry;
use ringwood_base::{Error, ErrorKind, Result};
use std::panic::Location;
use std::sync::Arc;

impl Lazy {
    /// Applies a registered operator to this tensor and others: `x.apply("matmul", &[&w], ())`,
    /// `x.apply("sum", &[], [("axis", 0_usize)])`.
    #[track_caller]
    #[must_use]
    pub fn apply(
        &self,
        operator: &str,
        others: &[&Lazy],
        attributes: impl Into<Attributes>,
    ) -> Lazy {
        let line = Location::caller();
        let operands: Vec<_> = std::iter::once(self).chain(others.iter().copied()).collect();
        one(operator, results(operator, &operands, attributes.into(), line), line)
    }

    /// Applies the operator of an entry: what its type's `on` calls.
    #[doc(hidden)]
    #[track_caller]
    pub fn applied(entry: Entry, operands: &[&Lazy], attributes: impl Into<Attributes>) -> Lazy {
        let line = Location::caller();
        let name = format!("{}::{}", entry.meta().package, entry.meta().name);
        one(&name, results(&name, operands, attributes.into(), line), line)
    }

    /// Applies an operator that has several results.
    ///
    /// # Errors
    /// As the tensors of [`Lazy::apply`] keep them.
    #[track_caller]
    pub fn apply_all(
        operator: &str,
        operands: &[&Lazy],
        attributes: impl Into<Attributes>,
    ) -> Result<Vec<Lazy>> {
        let line = Location::caller();
        results(operator, operands, attributes.into(), line).map_err(|e| super::at(e, line))
    }
}

/// The only result of an application.
pub(super) fn one(operator: &str, results: Result<Vec<Lazy>>, line: Line) -> Lazy {
    let one = results.and_then(|results| match <[Lazy; 1]>::try_from(results) {
        Ok([result]) => Ok(result),
        Err(results) => {
            let message = format!("{operator}: has {} results, not one", results.len());
            Err(Error::new(ErrorKind::InvalidArgument, message).help("use `Lazy::apply_all`"))
        }
    });
    Lazy::or_failed(one, line)
}

/// The results of an operator.
pub(super) fn results(
    operator: &str,
    operands: &[&Lazy],
    attributes: Attributes,
    line: Line,
) -> Result<Vec<Lazy>> {
    if let Some(error) = operands.iter().find_map(|operand| operand.error()) {
        return Err(error.clone());
    }
    let of_operand = operands.iter().find_map(|o| trace::traced(o)).map(|t| t.trace.clone());
    match of_operand.or_else(trace::current) {
        Some(trace) => trace.apply(operator, operands, attributes, line),
        None => at_once(operator, operands, attributes),
    }
}

/// Runs an operator as a program of its own.
fn at_once(operator: &str, operands: &[&Lazy], attributes: Attributes) -> Result<Vec<Lazy>> {
    let Some(first) = operands.first() else {
        let message = format!("{operator}: is applied to no tensor");
        return Err(Error::new(ErrorKind::InvalidArgument, message));
    };
    let device = first.device()?;
    let mut graph = Graph::with_registry(device.registry().clone());
    let (mut values, mut tensors) = (Vec::new(), Vec::new());
    for (i, operand) in operands.iter().enumerate() {
        let State::Ready(ready) = &*operand.state else {
            let message = format!("{operator}: operand {i} is a placeholder without a value");
            return Err(
                Error::new(ErrorKind::InvalidArgument, message).help("give it one with `assign`")
            );
        };
        if ready.device != device {
            return Err(trace::two_devices(operator, &device, &ready.device));
        }
        let same = |other: &&Lazy| Arc::ptr_eq(&other.state, &operand.state);
        if let Some(known) = operands[..i].iter().position(same) {
            values.push(values[known]);
            continue;
        }
        values.push(graph.input(&tensors.len().to_string(), ready.ty.dtype, &ready.ty.shape)?);
        tensors.push(ready.own()?);
    }
    for (i, value) in graph.apply_all(operator, &values, attributes)?.into_iter().enumerate() {
        graph.output(&i.to_string(), value)?;
    }
    let results = cache::program(graph, &[device])?.run_once(&tensors)?;
    Ok(results.into_iter().map(Lazy::ready).collect())
}

/// What stands beside a tensor in an operation: another one, or a number, which takes its element type.
pub trait IntoOperand {
    /// The operand beside another one.
    #[doc(hidden)]
    fn operand(&self, beside: &Lazy, line: Line) -> Lazy;
}

impl IntoOperand for Lazy {
    fn operand(&self, _: &Lazy, _: Line) -> Lazy {
        self.clone()
    }
}

impl IntoOperand for &Lazy {
    fn operand(&self, _: &Lazy, _: Line) -> Lazy {
        Lazy::clone(self)
    }
}
