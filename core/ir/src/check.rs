//! The rules that a kernel obeys.

use crate::{
    Atomic, AtomicOp, BinaryOp, Buffer, BufferInfo, Divergence, Expr, ExprKind, GroupOp, Kernel,
    ParamKind, Space, Stmt, Type, Uniformity,
};
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
    checker.tables()?;
    for condition in &kernel.requires {
        checker.expr(condition, Type::Bool)?;
        if !Kernel::is_uniform(condition) {
            return fail(condition.site, "a requirement is over parameters, lengths and extents");
        }
    }
    checker.block(&kernel.body, Loop::None)?;
    kernel.result.as_ref().map_or(Ok(()), |e| checker.expr(e, e.ty))?;
    match Uniformity::of(kernel).divergences().first() {
        Some(Divergence { operation, value }) => fail(
            *operation,
            format!(
                "an operation of the group in control that varies with the value at site {value}"
            ),
        ),
        None => Ok(()),
    }
}

/// The largest rank of a view.
const MAX_RANK: u8 = 6;

/// The most work-items of a group.
const MAX_GROUP: usize = 1024;

struct Checker<'a>(&'a Kernel);

/// The innermost loop around a statement.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Loop {
    None,
    /// One that a work-item may leave.
    Free,
    /// One that the work-items of a group run together.
    Collective,
}

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
            return fail(0, "a map has rank 0 and a result, other kernels neither");
        }
        let memory = |ty| !matches!(ty, Type::Bool | Type::Usize);
        for param in &kernel.params {
            match param.kind {
                ParamKind::Scalar(_) => {}
                _ if kernel.rank == 0 => return fail(0, "a map takes scalars"),
                ParamKind::Slice { ty, .. } | ParamKind::View { ty, .. } if !memory(ty) => {
                    return fail(0, "memory holds neither `bool` nor `usize`");
                }
                ParamKind::View { rank, .. } if rank > MAX_RANK => {
                    return fail(0, format!("a view of rank {rank}; the most is {MAX_RANK}"));
                }
                _ => {}
            }
        }
        self.group()
    }

    fn group(&self) -> Result<(), Invalid> {
        let Some(size) = self.0.group else { return Ok(()) };
        if self.0.rank == 0 {
            return fail(0, "a map has no groups");
        }
        let count = size.iter().try_fold(1_usize, |n, d| n.checked_mul(*d as usize));
        match count {
            Some(n) if n.is_power_of_two() && n <= MAX_GROUP => Ok(()),
            _ => {
                fail(0, format!("a group of {size:?}: a power of two up to {MAX_GROUP} is needed"))
            }
        }
    }

    fn tables(&self) -> Result<(), Invalid> {
        for array in &self.0.arrays {
            let elements = array.dims.iter().try_fold(1_u32, |n, d| n.checked_mul(*d));
            if array.dims.is_empty() || elements.is_none_or(|n| n == 0) {
                return fail(0, format!("array `{}` of extents {:?}", array.name, array.dims));
            }
            if array.space == Space::Shared && self.0.group.is_none() {
                return fail(0, format!("shared array `{}` without a group", array.name));
            }
        }
        self.0.functions.iter().try_for_each(|function| {
            let Some(body) = &function.body else { return Ok(()) };
            let scalar = |ty: &Type| ParamKind::Scalar(*ty);
            let fits = body.params.iter().map(|p| p.kind).eq(function.params.iter().map(scalar))
                && body.result.as_ref().is_some_and(|e| e.ty == function.result);
            if !fits {
                return fail(0, format!("function `{}` has other types", function.name));
            }
            check(body)
        })
    }

    fn block(&self, body: &[Stmt], around: Loop) -> Result<(), Invalid> {
        body.iter().try_for_each(|stmt| self.stmt(stmt, around))
    }

    fn stmt(&self, stmt: &Stmt, around: Loop) -> Result<(), Invalid> {
        match stmt {
            Stmt::Let(v, e) | Stmt::Assign(v, e) => self.expr(e, self.var(*v, e.site)?),
            Stmt::Store { buffer, indices, value, site } => {
                let info = self.access(*buffer, indices, *site)?;
                if !info.mutable {
                    return fail(*site, "a store to a shared slice");
                }
                self.expr(value, info.ty)
            }
            Stmt::Fill(array, value) => match self.0.arrays.get(*array as usize) {
                Some(array) if array.space == Space::Local => self.expr(value, array.ty),
                _ => fail(value.site, format!("no local array {array}")),
            },
            Stmt::Atomic(atomic) => self.atomic(atomic),
            Stmt::If(c, a, b) => {
                self.expr(c, Type::Bool)?;
                self.block(a, around)?;
                self.block(b, around)
            }
            Stmt::For(v, a, b, body) => {
                let ty = self.counter(*v, a.site)?;
                self.expr(a, ty)?;
                self.expr(b, ty)?;
                self.block(body, kind_of_loop(body))
            }
            Stmt::ForGroup(v, n, body) => {
                self.collective(n.site)?;
                if self.counter(*v, n.site)? != Type::Usize {
                    return fail(n.site, "a shared loop counts in `usize`");
                }
                self.expr(n, Type::Usize)?;
                if body.iter().any(contains_collective) {
                    return fail(n.site, "an operation of the group in a shared loop");
                }
                self.block(body, Loop::Free)
            }
            Stmt::While(c, body) => {
                self.expr(c, Type::Bool)?;
                self.block(body, kind_of_loop(body))
            }
            Stmt::Break | Stmt::Continue if around == Loop::Free => Ok(()),
            Stmt::Break | Stmt::Continue => {
                fail(0, "`break` or `continue` outside of a loop without operations of the group")
            }
            Stmt::Barrier(site) => self.collective(*site),
            Stmt::GroupReduce { var, op, value, site } => {
                self.collective(*site)?;
                let ty = self.var(*var, *site)?;
                self.combines(*op, ty, *site)?;
                self.expr(value, ty)
            }
        }
    }

    fn counter(&self, var: u32, site: u32) -> Result<Type, Invalid> {
        let ty = self.var(var, site)?;
        if ty.is_integer() { Ok(ty) } else { fail(site, format!("a loop over {ty}")) }
    }

    fn collective(&self, site: u32) -> Result<(), Invalid> {
        match self.0.group {
            Some(_) => Ok(()),
            None => fail(site, "an operation of the group in a kernel without groups"),
        }
    }

    fn combines(&self, op: GroupOp, ty: Type, site: u32) -> Result<(), Invalid> {
        let fits = match op {
            GroupOp::Sum | GroupOp::Min | GroupOp::Max => ty != Type::Bool,
            GroupOp::Function(f) => self
                .0
                .functions
                .get(f as usize)
                .is_some_and(|f| f.params == [ty, ty] && f.result == ty),
        };
        if fits { Ok(()) } else { fail(site, format!("no such reduction of {ty}")) }
    }

    fn atomic(&self, atomic: &Atomic) -> Result<(), Invalid> {
        let site = atomic.site;
        let info = self.access(atomic.buffer, &atomic.indices, site)?;
        let local = match atomic.buffer {
            Buffer::Array(index) => self.0.arrays[index as usize].space == Space::Local,
            Buffer::Param(_) => !info.mutable,
        };
        if local {
            return fail(site, "an atomic operation on what no one else writes");
        }
        let ordered = atomic.op.is_ordered() || atomic.old.is_some();
        let nondeterministic = self.0.modes.nondeterministic;
        match info.ty {
            Type::I32 | Type::U32 | Type::I64 | Type::U64 if nondeterministic || !ordered => {}
            Type::F32 if nondeterministic && atomic.op == AtomicOp::Add => {}
            ty => {
                let name = atomic.op.name();
                return fail(site, format!("`atomic_{name}` of {ty} in a kernel of these modes"));
            }
        }
        if atomic.values.len() != atomic.op.arity() {
            return fail(site, "an atomic operation with another number of operands");
        }
        atomic.values.iter().try_for_each(|value| self.expr(value, info.ty))?;
        match atomic.old {
            Some(var) if self.var(var, site)? != info.ty => {
                fail(site, "the old value of an atomic operation has another type")
            }
            _ => Ok(()),
        }
    }

    /// What is known of the buffer of an access with these indices.
    fn access(
        &self,
        buffer: Buffer,
        indices: &[Expr],
        site: u32,
    ) -> Result<BufferInfo<'_>, Invalid> {
        let info = self.buffer(buffer, site)?;
        if indices.len() != info.rank {
            let (found, rank) = (indices.len(), info.rank);
            return fail(site, format!("{found} indices into `{}` of rank {rank}", info.name));
        }
        indices.iter().try_for_each(|index| self.expr(index, Type::Usize))?;
        Ok(info)
    }

    fn expr(&self, e: &Expr, expected: Type) -> Result<(), Invalid> {
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
                args.iter().try_for_each(|a| self.expr(a, args[0].ty))
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

    fn must(&self, holds: bool, e: &Expr, what: &str) -> Result<(), Invalid> {
        if holds { Ok(()) } else { fail(e.site, format!("`{what}` does not exist for {}", e.ty)) }
    }

    fn var(&self, index: u32, site: u32) -> Result<Type, Invalid> {
        let var = self.0.vars.get(index as usize);
        var.map_or_else(|| fail(site, format!("no variable {index}")), |v| Ok(v.ty))
    }

    fn buffer(&self, buffer: Buffer, site: u32) -> Result<BufferInfo<'_>, Invalid> {
        self.0.buffer(buffer).map_or_else(|| fail(site, format!("no buffer {buffer:?}")), Ok)
    }
}

fn kind_of_loop(body: &[Stmt]) -> Loop {
    if body.iter().any(contains_collective) { Loop::Collective } else { Loop::Free }
}

fn contains_collective(stmt: &Stmt) -> bool {
    stmt.is_collective()
        || stmt.bodies().into_iter().any(|body| body.iter().any(contains_collective))
}
