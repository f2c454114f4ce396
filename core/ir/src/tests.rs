//! Kernels for the tests of this crate.

use crate::{BinaryOp, Buffer, Expr, ExprKind, Kernel, Param, ParamKind, Stmt, Type, Variable};

fn f32_expr(kind: ExprKind, site: u32) -> Expr {
    Expr { kind, ty: Type::F32, site }
}

/// `let i = gid(0); y[i] = a * x[i] + y[i];`
pub(crate) fn saxpy() -> Kernel {
    let i = |site| Expr { kind: ExprKind::Var(0), ty: Type::Usize, site };
    let load = |p, site| f32_expr(ExprKind::Load(Buffer::Param(p), vec![i(site)]), site + 1);
    let product = Expr::binary(BinaryOp::Mul, f32_expr(ExprKind::Param(0), 2), load(1, 3), 5);
    let value = Expr::binary(BinaryOp::Add, product, load(2, 6), 8);
    let slice = |mutable| ParamKind::Slice { ty: Type::F32, mutable };
    let param = |name: &str, kind| Param { name: name.into(), kind };
    Kernel {
        name: "saxpy".into(),
        rank: 1,
        params: vec![
            param("a", ParamKind::Scalar(Type::F32)),
            param("x", slice(false)),
            param("y", slice(true)),
        ],
        vars: vec![Variable { name: "i".into(), ty: Type::Usize }],
        body: vec![
            Stmt::Let(0, Expr { kind: ExprKind::Gid(0), ty: Type::Usize, site: 0 }),
            Stmt::Store { buffer: Buffer::Param(2), indices: vec![i(1)], value, site: 9 },
        ],
        ..Kernel::default()
    }
}
