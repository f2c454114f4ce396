//! Expressions of one work-item.

use super::race::{Access, AccessKind};
use super::run::Run;
use super::{Refusal, call, scalar};
use crate::{Buffer, Expr, ExprKind, Value};

impl Run<'_> {
    /// The value of an expression for the work-item `lane`.
    pub(super) fn eval(&mut self, e: &Expr, lane: usize) -> Result<Value, Refusal> {
        Ok(match &e.kind {
            ExprKind::Float(bits) => Value::of_bits(*bits, e.ty),
            ExprKind::Int(value) => Value::of_integer(*value, e.ty),
            ExprKind::Bool(value) => Value::Bool(*value),
            ExprKind::Var(v) => *self.var(*v, lane),
            ExprKind::Param(p) => self.memory.scalar(*p).unwrap_or(Value::zero(e.ty)),
            ExprKind::Len(buffer) => Value::Usize(self.memory.extent(*buffer, 0)),
            ExprKind::Dim(buffer, d) => Value::Usize(self.memory.extent(*buffer, (*d).into())),
            ExprKind::Load(buffer, indices) => {
                match self.place(*buffer, indices, lane, AccessKind::Read, e.site)? {
                    Some(at) => self.memory.read(*buffer, at, e.site)?,
                    None => Value::zero(e.ty),
                }
            }
            ExprKind::Binary(op, a, b) if op.is_logical() => {
                let left = self.truth(a, lane)?;
                let decided = left == (op.symbol() == "||");
                Value::Bool(if decided { left } else { self.truth(b, lane)? })
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.eval(a, lane)?, self.eval(b, lane)?);
                scalar::binary(*op, a, b)
            }
            ExprKind::Neg(a) => scalar::negate(self.eval(a, lane)?),
            ExprKind::Not(a) => scalar::complement(self.eval(a, lane)?),
            ExprKind::Cast(a) => self.eval(a, lane)?.cast(e.ty),
            ExprKind::Math(function, args) => scalar::math(*function, &self.values(args, lane)?),
            ExprKind::Select(c, a, b) => {
                let taken = if self.truth(c, lane)? { a } else { b };
                self.eval(taken, lane)?
            }
            ExprKind::Gid(d) | ExprKind::Group(d) => Value::Usize(self.group[usize::from(*d)]),
            ExprKind::Extent(d) => Value::Usize(self.extent[usize::from(*d)]),
            ExprKind::Lid(d) => Value::Usize(self.lid(lane, (*d).into())),
            ExprKind::Call(function, args) => {
                let args = self.values(args, lane)?;
                self.call(*function, &args)?
            }
        })
    }

    pub(super) fn values(&mut self, args: &[Expr], lane: usize) -> Result<Vec<Value>, Refusal> {
        args.iter().map(|a| self.eval(a, lane)).collect()
    }

    pub(super) fn truth(&mut self, e: &Expr, lane: usize) -> Result<bool, Refusal> {
        Ok(self.eval(e, lane)? == Value::Bool(true))
    }

    /// The result of a function of the kernel.
    pub(super) fn call(&mut self, function: u32, args: &[Value]) -> Result<Value, Refusal> {
        let function = &self.kernel.functions[function as usize];
        match &function.body {
            Some(body) => call(body, args, self.steps),
            None => {
                let message = format!("the function `{}` was not found", function.name);
                Err(Refusal::Arguments(message))
            }
        }
    }

    /// The element that an access goes to, or `None`.
    pub(super) fn place(
        &mut self,
        buffer: Buffer,
        indices: &[Expr],
        lane: usize,
        kind: AccessKind,
        site: u32,
    ) -> Result<Option<usize>, Refusal> {
        let indices = self.indices(indices, lane)?;
        let access = self.access(kind, site, lane);
        self.memory.place(buffer, &indices, access)
    }

    pub(super) fn indices(&mut self, list: &[Expr], lane: usize) -> Result<Vec<usize>, Refusal> {
        let index = |value| match value {
            Value::Usize(index) => index,
            _ => usize::MAX,
        };
        list.iter().map(|e| self.eval(e, lane).map(index)).collect()
    }

    pub(super) fn access(&self, kind: AccessKind, site: u32, lane: usize) -> Access {
        Access { kind, site, group: self.number, lane, epoch: self.epoch }
    }
}
