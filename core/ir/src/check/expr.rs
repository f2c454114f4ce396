//! Expressions.

use super::{Checker, Invalid, fail};
use crate::{BinaryOp, Expr, ExprKind, ParamKind, Type};

impl Checker<'_> {
    pub(super) fn expr(&self, e: &Expr, expected: Type) -> Result<(), Invalid> {
        if e.ty != expected {
            return fail(e.site, format!("expected {expected}, found {}", e.ty));
        }
        let ty = e.ty;
        match &e.kind {
            ExprKind::Float(bits) => {
                let fits = match ty {
                    Type::F64 => true,
                    Type::F32 => *bits <= u64::from(u32::MAX),
                    _ => ty.is_narrow() && *bits <= u64::from(u16::MAX),
                };
                self.must(fits, e, "a float literal")
            }
            ExprKind::Int(value) => {
                let fits = ty.integer_range().is_some_and(|(a, b)| (a..=b).contains(value));
                self.must(fits, e, "an integer literal")
            }
            ExprKind::Bool(_) => self.must(ty == Type::Bool, e, "a truth value"),
            ExprKind::Var(v) => self.must(self.var(*v, e.site)? == ty, e, "a variable"),
            ExprKind::Param(p) => {
                let kind = self.0.params.get(*p as usize).map(|p| p.kind);
                self.must(kind == Some(ParamKind::Scalar(ty)), e, "a parameter")
            }
            ExprKind::Len(buffer) => {
                let rank = self.buffer(*buffer, e.site)?.rank;
                self.must(rank == 1 && ty == Type::Usize, e, "a length")
            }
            ExprKind::Dim(buffer, d) => {
                let rank = self.buffer(*buffer, e.site)?.rank;
                self.must(usize::from(*d) < rank && ty == Type::Usize, e, "an extent")
            }
            ExprKind::Load(buffer, indices) => {
                let element = self.access(*buffer, indices, e.site)?.ty;
                self.must(element == ty, e, "a load")
            }
            ExprKind::Extent(d) => self.index(e, *d, true),
            ExprKind::Gid(d) => self.index(e, *d, self.0.group.is_none()),
            ExprKind::Lid(d) | ExprKind::Group(d) => self.index(e, *d, self.0.group.is_some()),
            ExprKind::Call(f, args) => {
                let Some(function) = self.0.functions.get(*f as usize) else {
                    return fail(e.site, format!("no function {f}"));
                };
                let fits = function.result == ty && function.params.len() == args.len();
                self.must(fits, e, &function.name)?;
                args.iter().zip(&function.params).try_for_each(|(a, ty)| self.expr(a, *ty))
            }
            ExprKind::Binary(op, a, b) => self.binary(e, *op, a, b),
            ExprKind::Neg(a) => {
                self.must(ty.is_signed(), e, "a negation")?;
                self.expr(a, ty)
            }
            ExprKind::Not(a) => {
                self.must(!ty.is_float(), e, "a complement")?;
                self.expr(a, ty)
            }
            ExprKind::Cast(a) => {
                let legal = ty == a.ty || ty != Type::Bool;
                self.must(legal, e, "a cast")?;
                self.expr(a, a.ty)
            }
            ExprKind::Math(f, args) => {
                let fits =
                    args.len() == f.arity() && f.takes(args[0].ty) && f.result(args[0].ty) == ty;
                self.must(fits, e, f.name())?;
                let mut typed = args.iter().enumerate();
                typed.try_for_each(|(i, a)| self.expr(a, f.operand(i, args[0].ty)))
            }
            ExprKind::Select(c, a, b) => {
                self.expr(c, Type::Bool)?;
                self.expr(a, ty)?;
                self.expr(b, ty)
            }
        }
    }

    fn index(&self, e: &Expr, dimension: u8, exists: bool) -> Result<(), Invalid> {
        let exists = exists && dimension < self.0.rank && e.ty == Type::Usize;
        self.must(exists, e, "an index of the domain")
    }

    fn binary(&self, e: &Expr, op: BinaryOp, a: &Expr, b: &Expr) -> Result<(), Invalid> {
        let (left, right) = (a.ty, b.ty);
        let result = if op.is_comparison() || op.is_logical() { Type::Bool } else { left };
        let takes = match op {
            _ if op.is_logical() => left == Type::Bool,
            _ if op.is_comparison() => true,
            _ if op.is_bitwise() => !left.is_float(),
            _ if op.is_shift() => left.is_integer() && right.is_integer(),
            _ => left != Type::Bool,
        };
        self.must(takes && e.ty == result, e, op.symbol())?;
        self.must(op.is_shift() || left == right, e, op.symbol())?;
        self.expr(a, left)?;
        self.expr(b, right)
    }
}
