//! Shorthand for kernels of the tests.

use ringwood_ir::{
    BinaryOp, Buffer, Expr, ExprKind, Kernel, MathFn, Param, ParamKind, Stmt, Type, Variable,
};

pub(crate) fn expr(kind: ExprKind, ty: Type) -> Expr {
    Expr { kind, ty, site: 0 }
}

pub(crate) fn int(value: i128, ty: Type) -> Expr {
    expr(ExprKind::Int(value), ty)
}

pub(crate) fn var(index: u32, ty: Type) -> Expr {
    expr(ExprKind::Var(index), ty)
}

pub(crate) fn param(index: u32, ty: Type) -> Expr {
    expr(ExprKind::Param(index), ty)
}

pub(crate) fn load(index: u32, at: Expr, ty: Type) -> Expr {
    Expr { kind: ExprKind::Load(Buffer::Param(index), vec![at]), ty, site: index }
}

pub(crate) fn len(index: u32) -> Expr {
    expr(ExprKind::Len(Buffer::Param(index)), Type::Usize)
}

pub(crate) fn gid(d: u8) -> Expr {
    expr(ExprKind::Gid(d), Type::Usize)
}

pub(crate) fn extent(d: u8) -> Expr {
    expr(ExprKind::Extent(d), Type::Usize)
}

pub(crate) fn op(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    Expr::binary(op, a, b, 0)
}

pub(crate) fn cast(e: Expr, ty: Type) -> Expr {
    if e.ty == ty { e } else { expr(ExprKind::Cast(Box::new(e)), ty) }
}

pub(crate) fn not(e: Expr) -> Expr {
    let ty = e.ty;
    expr(ExprKind::Not(Box::new(e)), ty)
}

pub(crate) fn neg(e: Expr) -> Expr {
    let ty = e.ty;
    expr(ExprKind::Neg(Box::new(e)), ty)
}

pub(crate) fn select(c: Expr, a: Expr, b: Expr) -> Expr {
    let ty = a.ty;
    expr(ExprKind::Select(Box::new(c), Box::new(a), Box::new(b)), ty)
}

pub(crate) fn math(function: MathFn, args: &[&Expr]) -> Expr {
    let ty = function.result(args[0].ty);
    expr(ExprKind::Math(function, args.iter().map(|e| (*e).clone()).collect()), ty)
}

pub(crate) fn store(index: u32, at: Expr, value: Expr) -> Stmt {
    Stmt::Store { buffer: Buffer::Param(index), indices: vec![at], value, site: 100 + index }
}

pub(crate) fn shared(ty: Type) -> ParamKind {
    ParamKind::Slice { ty, mutable: false }
}

pub(crate) fn mutable(ty: Type) -> ParamKind {
    ParamKind::Slice { ty, mutable: true }
}

/// A grid kernel, or a map if there is a result.
pub(crate) fn kernel(
    name: &str,
    rank: u8,
    params: &[ParamKind],
    vars: &[Type],
    body: Vec<Stmt>,
    result: Option<Expr>,
) -> Kernel {
    let param = |(i, kind): (usize, &ParamKind)| Param { name: format!("p{i}"), kind: *kind };
    let var = |ty: &Type| Variable { name: "v".into(), ty: *ty };
    let kernel = Kernel {
        name: name.into(),
        rank,
        params: params.iter().enumerate().map(param).collect(),
        vars: vars.iter().map(var).collect(),
        body,
        result,
        ..Kernel::default()
    };
    ringwood_ir::check(&kernel).unwrap_or_else(|e| panic!("{name}: {e}"));
    kernel
}
