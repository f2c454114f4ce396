//! The rules that a kernel obeys.

use crate::{BinaryOp, Buffer, Expr, ExprKind, Kernel, ParamKind, Stmt, Type};
use std::fmt;

/// A rule that a kernel breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The site of the expression or statement at fault.
    pub site: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid kernel at site {}: {}", self.site, self.message)
    }
}

impl std::error::Error for Invalid {}

/// Checks that every operand has the type its operation takes, and that every index into the tables
/// of the kernel exists. What passes can be run and printed without further questions.
///
/// # Errors
/// The first rule broken.
pub fn check(kernel: &Kernel) -> Result<(), Invalid> {
    let checker = Checker(kernel);
    checker.signature()?;
    for condition in &kernel.requires {
        checker.expr(condition, Type::Bool)?;
        if !Kernel::is_uniform(condition) {
            return fail(condition.site, "a requirement is over parameters, lengths and extents");
        }
    }
    checker.block(&kernel.body)?;
    kernel.result.as_ref().map_or(Ok(()), |e| checker.expr(e, e.ty))
}

struct Checker<'a>(&'a Kernel);

fn fail<T>(site: u32, message: impl Into<String>) -> Result<T, Invalid> {
    Err(Invalid { site, message: message.into() })
}

impl Checker<'_> {
    fn signature(&self) -> Result<(), Invalid> {
        let kernel = self.0;
        if kernel.rank > 3 {
            return fail(0, format!("rank {} exceeds 3", kernel.rank));
        }
        if kernel.result.is_some() != (kernel.rank == 0) {
            return fail(0, "a map has rank 0 and a result, a grid kernel neither");
        }
        let bool_slice = kernel.params.iter().any(|p| match p.kind {
            ParamKind::Slice { ty, .. } => matches!(ty, Type::Bool | Type::Usize),
            ParamKind::Scalar(_) => false,
        });
        if bool_slice { fail(0, "memory holds neither `bool` nor `usize`") } else { Ok(()) }
    }

    fn block(&self, body: &[Stmt]) -> Result<(), Invalid> {
        body.iter().try_for_each(|stmt| self.stmt(stmt))
    }

    fn stmt(&self, stmt: &Stmt) -> Result<(), Invalid> {
        match stmt {
            Stmt::Let(v, e) | Stmt::Assign(v, e) => self.expr(e, self.var(*v, e.site)?),
            Stmt::Store { buffer, index, value, site } => {
                let (ty, mutable) = self.buffer(*buffer, *site)?;
                if !mutable {
                    return fail(*site, "a store to a shared slice");
                }
                self.expr(index, Type::Usize)?;
                self.expr(value, ty)
            }
            Stmt::If(c, a, b) => {
                self.expr(c, Type::Bool)?;
                self.block(a)?;
                self.block(b)
            }
            Stmt::For(v, a, b, body) => {
                let ty = self.var(*v, a.site)?;
                if !ty.is_integer() {
                    return fail(a.site, format!("a loop over {ty}"));
                }
                self.expr(a, ty)?;
                self.expr(b, ty)?;
                self.block(body)
            }
            Stmt::While(c, body) => {
                self.expr(c, Type::Bool)?;
                self.block(body)
            }
        }
    }

    fn expr(&self, e: &Expr, expected: Type) -> Result<(), Invalid> {
        if e.ty != expected {
            return fail(e.site, format!("expected {expected}, found {}", e.ty));
        }
        let ty = e.ty;
        match &e.kind {
            ExprKind::Float(bits) => {
                let fits = ty == Type::F64 || ty == Type::F32 && *bits <= u64::from(u32::MAX);
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
                self.buffer(*buffer, e.site)?;
                self.must(ty == Type::Usize, e, "a length")
            }
            ExprKind::Load(buffer, index) => {
                let (element, _) = self.buffer(*buffer, e.site)?;
                self.must(element == ty, e, "a load")?;
                self.expr(index, Type::Usize)
            }
            ExprKind::Gid(d) | ExprKind::Extent(d) => {
                self.must(*d < self.0.rank && ty == Type::Usize, e, "an index of the domain")
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
                self.must(f.takes(ty) && f.arity() == args.len(), e, f.name())?;
                args.iter().try_for_each(|a| self.expr(a, ty))
            }
            ExprKind::Select(c, a, b) => {
                self.expr(c, Type::Bool)?;
                self.expr(a, ty)?;
                self.expr(b, ty)
            }
        }
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

    fn must(&self, holds: bool, e: &Expr, what: &str) -> Result<(), Invalid> {
        if holds { Ok(()) } else { fail(e.site, format!("`{what}` does not exist for {}", e.ty)) }
    }

    fn var(&self, index: u32, site: u32) -> Result<Type, Invalid> {
        let var = self.0.vars.get(index as usize);
        var.map_or_else(|| fail(site, format!("no variable {index}")), |v| Ok(v.ty))
    }

    fn buffer(&self, buffer: Buffer, site: u32) -> Result<(Type, bool), Invalid> {
        match self.0.buffer(buffer) {
            Some((_, ty, mutable)) => Ok((ty, mutable)),
            None => fail(site, format!("no buffer {buffer:?}")),
        }
    }
}
