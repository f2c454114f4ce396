//! Runs a kernel: simple, slow, and the judge of every compiler.
//!
//! The work-items of a group run in lock-step, statement by statement; the groups, one after the
//! other. A work-item of a grid kernel is a group of its own. What no device defines ends the run
//! with a [`Refusal`]: a barrier that only some work-items of the group reach, a race, the value of an
//! array that nobody wrote.

mod eval;
mod loads;
mod memory;
mod race;
mod run;
pub(crate) mod scalar;

pub use loads::loads;
pub use race::{Access, AccessKind, Race};

use crate::facts::LaunchFacts;
use crate::{BinaryOp, Expr, ExprKind, Kernel, Value};
use memory::Memory;
use run::Run;
use std::fmt;

/// An argument of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// The value of a scalar parameter.
    Scalar(Value),
    /// The elements of a slice parameter, all of its type.
    Slice(Vec<Value>),
    /// The elements of a view parameter.
    View {
        /// The memory, all of the type of the parameter.
        elements: Vec<Value>,
        /// The index of the element whose indices are 0.
        offset: usize,
        /// The extent of each dimension, slowest first.
        shape: Vec<usize>,
        /// The step in elements along each dimension.
        strides: Vec<usize>,
    },
}

/// The first out-of-bounds access of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    /// The site of the access.
    pub site: u32,
    /// The index: of several, the first, slowest dimension first, that is outside.
    pub index: usize,
    /// The extent of the buffer along the dimension of the index.
    pub len: usize,
}

/// Why a run did not happen, or did not end.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants tell of their fields")]
pub enum Refusal {
    /// The arguments are not those of the parameters.
    Arguments(String),
    /// The requirement with this index does not hold.
    Requirement(usize),
    /// The run exceeded its number of steps.
    Steps,
    /// Only some work-items of a group got to the operation of the group at this site.
    Divergent { site: u32 },
    /// The bound of a shared loop, at this site, differs within a group.
    Uneven { site: u32 },
    /// An element of an array was used, at this site, that nobody wrote since the group began.
    Unwritten { array: String, site: u32 },
    /// Two work-items used one element, one of them to write it, in no order.
    Race(Box<Race>),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Arguments(message) => write!(f, "wrong arguments: {message}"),
            Refusal::Requirement(index) => write!(f, "requirement {index} does not hold"),
            Refusal::Steps => f.write_str("the run exceeded its number of steps"),
            Refusal::Divergent { site } => {
                write!(f, "not every work-item of a group gets to site {site}")
            }
            Refusal::Uneven { site } => {
                write!(f, "the bound at site {site} differs within a group")
            }
            Refusal::Unwritten { array, site } => {
                write!(f, "an element of `{array}` is used at site {site}, but was not written")
            }
            Refusal::Race(race) => race.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

/// Runs a grid or group kernel over `domain`, slowest dimension first, for at most `steps`
/// statements. The domain counts work-items of a grid kernel, groups of a group kernel.
///
/// Work-items of a grid kernel run in the order of the row-major index, as do groups. Returns the
/// first access out of bounds.
///
/// # Errors
/// The arguments do not fit, a requirement fails, the steps are used up, or the kernel does what has
/// no meaning; slices and views then hold what was written so far.
pub fn grid(
    kernel: &Kernel,
    domain: &[usize],
    args: &mut [Argument],
    steps: u64,
) -> Result<Option<OutOfBounds>, Refusal> {
    if domain.len() != usize::from(kernel.rank) || kernel.rank == 0 {
        let message = format!("rank {} of the domain, not {}", domain.len(), kernel.rank);
        return Err(Refusal::Arguments(message));
    }
    let mut memory = Memory::new(kernel, args)?;
    let mut steps = steps;
    let result = groups(kernel, domain, &mut memory, &mut steps);
    memory.write_back(args);
    result.map(|()| memory.fault)
}

fn groups(
    kernel: &Kernel,
    domain: &[usize],
    memory: &mut Memory,
    steps: &mut u64,
) -> Result<(), Refusal> {
    let mut run = Run::new(kernel, domain, memory, steps);
    for (i, condition) in kernel.requires.iter().enumerate() {
        if counts(kernel, domain, condition) && run.eval(condition, 0)? != Value::Bool(true) {
            return Err(Refusal::Requirement(i));
        }
    }
    for group in 0..domain.iter().product() {
        let mut rest = group;
        for (index, extent) in run.group.iter_mut().zip(run.extent) {
            (*index, rest) = (rest % extent, rest / extent);
        }
        run.begin(group);
        run.all(&kernel.body)?;
    }
    Ok(())
}

/// The result of a map kernel for one element, within `steps` statements.
///
/// # Errors
/// The arguments do not fit, or the steps are used up.
pub fn map(kernel: &Kernel, inputs: &[Value], steps: u64) -> Result<Value, Refusal> {
    let mut steps = steps;
    call(kernel, inputs, &mut steps)
}

/// The result of a map, or of a device function, for these values.
fn call(kernel: &Kernel, inputs: &[Value], steps: &mut u64) -> Result<Value, Refusal> {
    let Some(result) = &kernel.result else {
        return Err(Refusal::Arguments("a grid kernel needs a domain".into()));
    };
    let args: Vec<_> = inputs.iter().map(|v| Argument::Scalar(*v)).collect();
    let mut memory = Memory::new(kernel, &args)?;
    let mut run = Run::new(kernel, &[], &mut memory, steps);
    run.begin(0);
    run.all(&kernel.body)?;
    run.eval(result, 0)
}

/// The index of the first requirement of a kernel that does not hold for a launch; with arguments of
/// other parameters than the kernel's, none holds.
pub fn broken_requirement(kernel: &Kernel, facts: &LaunchFacts<'_>) -> Option<usize> {
    if kernel.requires.is_empty() || !facts.fit(kernel) {
        return (!kernel.requires.is_empty()).then_some(0);
    }
    let holds = |condition| known(kernel, facts, condition) == Ok(Value::Bool(true));
    let broken = |condition| !holds(condition) && counts(kernel, facts.domain, condition);
    kernel.requires.iter().position(broken)
}

/// Whether a requirement counts for a launch of this domain: where there is no work-item, none that keeps
/// work-items apart does, while those that the declaration states always do.
fn counts(kernel: &Kernel, domain: &[usize], condition: &Expr) -> bool {
    !domain.contains(&0) || kernel.slice_at(condition.site).is_none()
}

/// The values that a comparison which does not hold compares, in the requirement with this index; `None`
/// if it compares none.
pub fn sides(kernel: &Kernel, facts: &LaunchFacts<'_>, requirement: usize) -> Option<[Value; 2]> {
    let value = |e| known(kernel, facts, e).ok();
    let mut condition = kernel.requires.get(requirement).filter(|_| facts.fit(kernel))?;
    while let ExprKind::Binary(BinaryOp::And, first, second) = &condition.kind {
        condition = if value(first)? == Value::Bool(true) { second } else { first };
    }
    match &condition.kind {
        ExprKind::Binary(op, a, b) if op.is_comparison() => Some([value(a)?, value(b)?]),
        _ => None,
    }
}

/// The value of an expression over parameters, lengths and extents.
pub(crate) fn known(kernel: &Kernel, facts: &LaunchFacts<'_>, e: &Expr) -> Result<Value, Refusal> {
    before(kernel, facts, |run| run.eval(e, 0))
}

/// Whether none of the conditions over parameters, lengths and extents is known to be false.
pub(crate) fn none_fails(kernel: &Kernel, facts: &LaunchFacts<'_>, conditions: &[Expr]) -> bool {
    let fails = |run: &mut Run<'_>, e| run.eval(e, 0) == Ok(Value::Bool(false));
    before(kernel, facts, |run| !conditions.iter().any(|e| fails(run, e)))
}

/// Evaluates what is known before a launch.
fn before<T>(kernel: &Kernel, facts: &LaunchFacts<'_>, of: impl FnOnce(&mut Run<'_>) -> T) -> T {
    let mut memory = Memory::known(kernel, facts.args);
    let mut steps = u64::MAX;
    of(&mut Run::new(kernel, facts.domain, &mut memory, &mut steps))
}

#[cfg(test)]
mod tests;
