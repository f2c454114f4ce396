//! What is known of the value of an expression.

use super::interval::{Interval, binary, compare};
use super::state::{self, State};
use super::{Fact, LaunchFacts, Proof, WIDE, Walk};
use crate::{BinaryOp, Buffer, Expr, ExprKind, MathFn, Type};

impl Walk<'_> {
    /// The values that an expression may have; looks at every access and index in it.
    pub(super) fn eval(&mut self, e: &Expr) -> Interval {
        let value = self.value(e);
        if e.ty == Type::Usize && value.hi >= WIDE {
            self.wide();
        }
        value
    }

    /// As [`Walk::eval`], of an expression that was looked at before.
    pub(super) fn again(&mut self, e: &Expr) -> Interval {
        self.quiet += 1;
        let value = self.eval(e);
        self.quiet -= 1;
        value
    }

    fn value(&mut self, e: &Expr) -> Interval {
        let ty = e.ty;
        match &e.kind {
            ExprKind::Float(_) => Interval::BOOL,
            ExprKind::Int(value) => Interval::exactly(*value),
            ExprKind::Bool(value) => Interval::exactly((*value).into()),
            ExprKind::Var(v) => self.state.get(self.state.variable(*v)),
            ExprKind::Param(_) | ExprKind::Gid(_) | ExprKind::Lid(_) | ExprKind::Group(_) => {
                self.state.slot(e).map_or(Interval::of_type(ty), |slot| self.state.get(slot))
            }
            ExprKind::Len(buffer) => Interval::exactly(self.extent(*buffer, 0) as i128),
            ExprKind::Dim(buffer, d) => {
                Interval::exactly(self.extent(*buffer, usize::from(*d)) as i128)
            }
            ExprKind::Extent(d) => {
                let extent = self.facts.domain.iter().rev().nth(usize::from(*d));
                extent.map_or(Interval::of_type(ty), |n| Interval::exactly(*n as i128))
            }
            ExprKind::Load(buffer, indices) => {
                self.access(*buffer, indices, e.site);
                Interval::of_type(ty)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b),
            ExprKind::Neg(a) => {
                let a = self.eval(a);
                self.integer(ty, || Interval::ZERO.sub(a).wrapped(ty))
            }
            ExprKind::Not(a) => {
                let a = self.eval(a);
                let all = Interval::of_type(ty);
                // In two's complement and for `bool`, the complement mirrors the type.
                Interval::new(all.lo + all.hi - a.hi, all.lo + all.hi - a.lo)
            }
            ExprKind::Cast(a) => {
                let value = self.eval(a);
                let known = !a.ty.is_float() && !ty.is_float();
                if known { value.wrapped(ty) } else { Interval::of_type(ty) }
            }
            ExprKind::Math(function, args) => self.math(*function, args, ty),
            ExprKind::Select(c, a, b) => self.select(c, a, b),
            ExprKind::Call(f, args) => self.call(*f as usize, args, e),
        }
    }

    fn integer(&self, ty: Type, value: impl FnOnce() -> Interval) -> Interval {
        if ty.is_integer() { value() } else { Interval::of_type(ty) }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Interval {
        if op.is_logical() {
            return self.logical(op, left, right);
        }
        let (a, b) = (self.eval(left), self.eval(right));
        let ty = left.ty;
        if op.is_comparison() {
            return if ty.is_float() { Interval::BOOL } else { compare(op, a, b) };
        }
        if op.is_shift() && ty == Type::Usize && !(b.lo >= 0 && b.hi < 32) {
            self.wide();
        }
        if ty.is_float() { Interval::BOOL } else { binary(op, a, b, ty) }
    }

    /// The right side is evaluated only if the left one is true, or false for `||`.
    fn logical(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Interval {
        let both = op == BinaryOp::And;
        let a = self.eval(left);
        let mark = self.state.mark();
        let decided = Interval::exactly((!both).into());
        let b = if self.refine(left, both) { self.eval(right) } else { decided };
        self.state.undo(mark);
        if both { a.min(b) } else { a.max(b) }
    }

    fn select(&mut self, c: &Expr, a: &Expr, b: &Expr) -> Interval {
        self.eval(c);
        let mark = self.state.mark();
        let first = self.refine(c, true).then(|| self.eval(a));
        self.state.undo(mark);
        let second = self.refine(c, false).then(|| self.eval(b));
        self.state.undo(mark);
        match (first, second) {
            (Some(a), Some(b)) => a.join(b),
            (Some(value), None) | (None, Some(value)) => value,
            (None, None) => Interval::of_type(a.ty),
        }
    }

    fn math(&mut self, function: MathFn, args: &[Expr], ty: Type) -> Interval {
        let mut values = [Interval::ZERO; 3];
        for (value, arg) in values.iter_mut().zip(args) {
            *value = self.eval(arg);
        }
        let [a, b, _] = values;
        self.integer(ty, || match function {
            MathFn::Min => a.min(b),
            MathFn::Max => a.max(b),
            MathFn::Abs => a.abs().wrapped(ty),
            _ => Interval::of_type(ty),
        })
    }

    fn call(&mut self, f: usize, args: &[Expr], e: &Expr) -> Interval {
        let values: Vec<_> = args.iter().map(|arg| self.eval(arg)).collect();
        self.function(f, &values, e.site, e.ty)
    }

    /// A function is looked at with what is known of its arguments here; what fails in it is reported
    /// at the site of the call.
    pub(super) fn function(
        &mut self,
        f: usize,
        args: &[Interval],
        site: u32,
        ty: Type,
    ) -> Interval {
        let body = self.kernel.functions.get(f).and_then(|f| f.body.as_deref());
        let Some(body) = body.filter(|_| self.spend()) else {
            self.fails(site);
            self.wide();
            return Interval::of_type(ty);
        };
        let mut callee = Walk {
            kernel: body,
            facts: LaunchFacts { domain: &[], args: &[] },
            state: State::new(args.iter().copied(), body),
            quiet: self.quiet,
            budget: self.budget,
            proof: Proof { narrow: true, ..Proof::default() },
        };
        callee.block(&body.body);
        let value = body.result.as_ref().map_or(Interval::of_type(ty), |r| callee.eval(r));
        self.budget = callee.budget;
        let Proof { narrow, failing, .. } = callee.proof;
        if !failing.is_empty() {
            self.fails(site);
        }
        if !narrow {
            self.wide();
        }
        value
    }

    /// Looks at an access.
    pub(super) fn access(&mut self, buffer: Buffer, indices: &[Expr], site: u32) {
        for (d, index) in indices.iter().enumerate() {
            let index = self.eval(index);
            if index.hi >= self.extent(buffer, d) as i128 {
                self.fails(site);
            }
        }
    }

    /// The extent of a buffer along a dimension; 0 if it is not known.
    fn extent(&self, buffer: Buffer, d: usize) -> usize {
        match buffer {
            Buffer::Param(p) => match self.facts.args.get(p as usize) {
                Some(Fact::Len(len)) if d == 0 => *len,
                Some(Fact::View { shape, .. }) => shape.get(d).copied().unwrap_or(0),
                _ => 0,
            },
            Buffer::Array(a) => {
                let dims = self.kernel.arrays.get(a as usize).map_or(&[][..], |a| &a.dims);
                dims.get(d).map_or(0, |n| *n as usize)
            }
        }
    }

    /// The number of work-items of a group.
    pub(super) fn group_size(&self) -> i128 {
        (0..3).map(|d| self.state.get(state::LID + d).hi + 1).product()
    }
}
