//! Operators applied to tensors: recorded inside of a trace, else run as a program of their own.

use super::trace::{self, Trace};
use super::{Lazy, Line};
use crate::graph::Attributes;
use ringwood_base::registry::Entry;
use ringwood_base::{Error, Result};
use std::panic::Location;

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
            Err(Error::invalid(format!("{operator}: has {} results, not one", results.len()))
                .help("use `Lazy::apply_all`"))
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
    match trace::of(operands.iter().copied()) {
        Some(trace) => {
            let results = trace.apply(operator, operands, attributes, line)?;
            Ok(results.into_iter().map(Lazy::from).collect())
        }
        None => at_once(operator, operands, attributes, line),
    }
}

/// Runs an operator as a program of its own.
fn at_once(
    operator: &str,
    operands: &[&Lazy],
    attributes: Attributes,
    line: Line,
) -> Result<Vec<Lazy>> {
    let Some(first) = operands.first() else {
        return Err(Error::invalid(format!("{operator}: is applied to no tensor")));
    };
    if let Some(i) = operands.iter().position(|operand| !operand.has_value()) {
        let error =
            Error::invalid(format!("{operator}: operand {i} is a placeholder without a value"));
        return Err(error.help("give it one with `assign`"));
    }
    let trace = Trace::once(&first.device()?);
    let results = trace.apply(operator, operands, attributes, line)?;
    trace.run_once(operator, &results)
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
