//! Runs a kernel, one work-item after the other: simple, slow, and the judge of every compiler.

pub(crate) mod scalar;

use crate::{Buffer, Expr, ExprKind, Kernel, ParamKind, Stmt, Value};
use std::fmt;

/// An argument of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// The value of a scalar parameter.
    Scalar(Value),
    /// The elements of a slice parameter, all of its type.
    Slice(Vec<Value>),
}

/// The first out-of-bounds access of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    /// The site of the access.
    pub site: u32,
    /// The index.
    pub index: usize,
    /// The length of the buffer.
    pub len: usize,
}

/// Why a run did not happen, or did not end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The arguments are not those of the parameters.
    Arguments(String),
    /// The requirement with this index does not hold.
    Requirement(usize),
    /// The run exceeded its number of steps.
    Steps,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Arguments(message) => write!(f, "wrong arguments: {message}"),
            Refusal::Requirement(index) => write!(f, "requirement {index} does not hold"),
            Refusal::Steps => f.write_str("the run exceeded its number of steps"),
        }
    }
}

impl std::error::Error for Refusal {}

/// Runs a grid kernel over `domain`, slowest dimension first, for at most `steps` statements.
///
/// The work-items run in the order of the row-major index. Returns the first access out of bounds.
///
/// # Errors
/// The arguments do not fit, a requirement fails, or the steps are used up.
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
    let mut run = Run::new(kernel, args, steps)?;
    for (d, extent) in domain.iter().rev().enumerate() {
        run.extent[d] = *extent;
    }
    for (i, condition) in kernel.requires.iter().enumerate() {
        if run.eval(condition) != Value::Bool(true) {
            return Err(Refusal::Requirement(i));
        }
    }
    for item in 0..domain.iter().product() {
        let mut rest = item;
        for (gid, extent) in run.gid.iter_mut().zip(run.extent) {
            (*gid, rest) = (rest % extent, rest / extent);
        }
        run.block(&kernel.body)?;
    }
    Ok(run.fault)
}

/// The result of a map kernel for one element, within `steps` statements.
///
/// # Errors
/// The arguments do not fit, or the steps are used up.
pub fn map(kernel: &Kernel, inputs: &[Value], steps: u64) -> Result<Value, Refusal> {
    let mut args: Vec<_> = inputs.iter().map(|v| Argument::Scalar(*v)).collect();
    let mut run = Run::new(kernel, &mut args, steps)?;
    let Some(result) = &kernel.result else {
        return Err(Refusal::Arguments("a grid kernel needs a domain".into()));
    };
    run.block(&kernel.body)?;
    Ok(run.eval(result))
}

/// What is known of an argument before a launch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// The value of a scalar.
    Scalar(Value),
    /// The number of elements of a slice.
    Len(usize),
}

/// The index of the first requirement of a grid kernel that does not hold for a launch over
/// `domain`, slowest dimension first, with these arguments; with others than those of the parameters,
/// none holds.
pub fn broken_requirement(kernel: &Kernel, domain: &[usize], args: &[Known]) -> Option<usize> {
    let argument = |known: &Known| match known {
        Known::Scalar(value) => Argument::Scalar(*value),
        Known::Len(_) => Argument::Slice(Vec::new()),
    };
    let mut values: Vec<_> = args.iter().map(argument).collect();
    let Ok(mut run) = Run::new(kernel, &mut values, 0) else {
        return (!kernel.requires.is_empty()).then_some(0);
    };
    for (extent, known) in run.extent.iter_mut().zip(domain.iter().rev()) {
        *extent = *known;
    }
    kernel.requires.iter().position(|condition| {
        let mut condition = condition.clone();
        set_lengths(&mut condition, args);
        run.eval(&condition) != Value::Bool(true)
    })
}

/// Replaces the lengths of buffers by their values.
fn set_lengths(e: &mut Expr, args: &[Known]) {
    if let ExprKind::Len(Buffer::Param(index)) = e.kind
        && let Some(Known::Len(len)) = args.get(index as usize)
    {
        e.kind = ExprKind::Int(*len as i128);
    }
    e.operands_mut().into_iter().for_each(|operand| set_lengths(operand, args));
}

struct Run<'a> {
    args: &'a mut [Argument],
    vars: Vec<Value>,
    gid: [usize; 3],
    extent: [usize; 3],
    fault: Option<OutOfBounds>,
    steps: u64,
}

impl<'a> Run<'a> {
    fn new(kernel: &Kernel, args: &'a mut [Argument], steps: u64) -> Result<Self, Refusal> {
        if kernel.params.len() != args.len() {
            let message = format!("{} for {} parameters", args.len(), kernel.params.len());
            return Err(Refusal::Arguments(message));
        }
        for (param, arg) in kernel.params.iter().zip(&*args) {
            let fits = match (param.kind, arg) {
                (ParamKind::Scalar(ty), Argument::Scalar(v)) => v.ty() == ty,
                (ParamKind::Slice { ty, .. }, Argument::Slice(values)) => {
                    values.iter().all(|v| v.ty() == ty)
                }
                _ => false,
            };
            if !fits {
                return Err(Refusal::Arguments(format!("`{}` has another type", param.name)));
            }
        }
        let vars = kernel.vars.iter().map(|v| Value::zero(v.ty)).collect();
        Ok(Run { args, vars, gid: [0; 3], extent: [1; 3], fault: None, steps })
    }

    fn block(&mut self, body: &[Stmt]) -> Result<(), Refusal> {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> Result<(), Refusal> {
        self.step()?;
        match stmt {
            Stmt::Let(v, e) | Stmt::Assign(v, e) => self.vars[*v as usize] = self.eval(e),
            Stmt::Store { buffer, indices, value, site } => {
                let (index, value) = (self.index(&indices[0]), self.eval(value));
                if self.in_bounds(*buffer, index, *site) {
                    self.elements(*buffer)[index] = value;
                }
            }
            Stmt::If(c, a, b) => {
                let taken = if self.truth(c) { a } else { b };
                self.block(taken)?;
            }
            Stmt::For(v, a, b, body) => {
                let (mut at, end) = (self.eval(a), self.eval(b));
                while scalar::less(at, end) {
                    self.step()?;
                    self.vars[*v as usize] = at;
                    self.block(body)?;
                    at = scalar::next(at);
                }
            }
            Stmt::While(c, body) => {
                while self.truth(c) {
                    self.step()?;
                    self.block(body)?;
                }
            }
            other => return Err(Refusal::Arguments(format!("cannot run {other:?}"))),
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), Refusal> {
        self.steps = self.steps.checked_sub(1).ok_or(Refusal::Steps)?;
        Ok(())
    }

    fn eval(&mut self, e: &Expr) -> Value {
        match &e.kind {
            ExprKind::Float(bits) => scalar::float(*bits, e.ty),
            ExprKind::Int(value) => scalar::integer(*value, e.ty),
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Var(v) => self.vars[*v as usize],
            ExprKind::Param(p) => match &self.args[*p as usize] {
                Argument::Scalar(value) => *value,
                Argument::Slice(_) => Value::zero(e.ty),
            },
            ExprKind::Len(buffer) => Value::Usize(self.elements(*buffer).len()),
            ExprKind::Load(buffer, indices) => {
                let index = self.index(&indices[0]);
                if self.in_bounds(*buffer, index, e.site) {
                    self.elements(*buffer)[index]
                } else {
                    Value::zero(e.ty)
                }
            }
            ExprKind::Binary(op, a, b) if op.is_logical() => {
                let left = self.truth(a);
                let decided = left == (op.symbol() == "||");
                Value::Bool(if decided { left } else { self.truth(b) })
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.eval(a), self.eval(b));
                scalar::binary(*op, a, b)
            }
            ExprKind::Neg(a) => scalar::negate(self.eval(a)),
            ExprKind::Not(a) => scalar::complement(self.eval(a)),
            ExprKind::Cast(a) => self.eval(a).cast(e.ty),
            ExprKind::Math(function, args) => {
                let args: Vec<_> = args.iter().map(|a| self.eval(a)).collect();
                scalar::math(*function, &args)
            }
            ExprKind::Select(c, a, b) => {
                let taken = if self.truth(c) { a } else { b };
                self.eval(taken)
            }
            ExprKind::Gid(d) => Value::Usize(self.gid[usize::from(*d)]),
            ExprKind::Extent(d) => Value::Usize(self.extent[usize::from(*d)]),
            other => panic!("cannot run {other:?}"),
        }
    }

    fn truth(&mut self, e: &Expr) -> bool {
        self.eval(e) == Value::Bool(true)
    }

    fn index(&mut self, e: &Expr) -> usize {
        match self.eval(e) {
            Value::Usize(index) => index,
            _ => usize::MAX,
        }
    }

    fn in_bounds(&mut self, buffer: Buffer, index: usize, site: u32) -> bool {
        let len = self.elements(buffer).len();
        if index >= len {
            self.fault.get_or_insert(OutOfBounds { site, index, len });
        }
        index < len
    }

    fn elements(&mut self, buffer: Buffer) -> &mut [Value] {
        match buffer {
            Buffer::Param(index) => match &mut self.args[index as usize] {
                Argument::Slice(elements) => elements,
                Argument::Scalar(_) => &mut [],
            },
            Buffer::Array(_) => &mut [],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::saxpy;

    fn values(values: &[f32]) -> Argument {
        Argument::Slice(values.iter().map(|v| Value::F32(*v)).collect())
    }

    #[test]
    fn a_grid_kernel_runs_every_work_item() {
        let mut args =
            [Argument::Scalar(Value::F32(2.0)), values(&[1.0, 2.0]), values(&[5.0, 7.0])];
        assert_eq!(grid(&saxpy(), &[2], &mut args, 100), Ok(None));
        assert_eq!(args[2], values(&[7.0, 11.0]));
    }

    #[test]
    fn an_access_out_of_bounds_reads_zero_and_the_first_one_is_reported() {
        let mut args = [Argument::Scalar(Value::F32(2.0)), values(&[1.0]), values(&[5.0, 7.0])];
        let fault = grid(&saxpy(), &[3], &mut args, 100).unwrap();
        assert_eq!(fault, Some(OutOfBounds { site: 4, index: 1, len: 1 }));
        assert_eq!(args[2], values(&[7.0, 7.0]));
    }

    #[test]
    fn wrong_arguments_and_endless_runs_are_refused() {
        let mut args = [values(&[1.0])];
        assert!(matches!(grid(&saxpy(), &[1], &mut args, 9), Err(Refusal::Arguments(_))));
        let mut args = [Argument::Scalar(Value::F64(2.0)), values(&[]), values(&[])];
        assert!(matches!(grid(&saxpy(), &[1], &mut args, 9), Err(Refusal::Arguments(_))));
        let mut args = [Argument::Scalar(Value::F32(2.0)), values(&[1.0]), values(&[5.0])];
        assert_eq!(grid(&saxpy(), &[1], &mut args, 1), Err(Refusal::Steps));
    }
}
