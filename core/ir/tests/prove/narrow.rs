//! A kernel whose indices have 32 bits, as an IR of its own: every `usize` becomes a `u32`.

use ringwood_ir::{Expr, ExprKind, Kernel, Stmt, Type};

/// The kernel as a device with 32-bit indices computes it.
pub(crate) fn narrow(kernel: &Kernel) -> Kernel {
    let mut kernel = kernel.clone();
    kernel.requires.clear();
    for var in kernel.vars.iter_mut().filter(|var| var.ty == Type::Usize) {
        var.ty = Type::U32;
    }
    block(&mut kernel.body);
    kernel
}

fn block(body: &mut [Stmt]) {
    for stmt in body {
        assert!(!matches!(stmt, Stmt::ForGroup(..)), "grid kernels only");
        stmt.exprs_mut().into_iter().for_each(expr);
        match stmt {
            Stmt::Store { indices, .. } => indices.iter_mut().for_each(wide),
            Stmt::Atomic(atomic) => atomic.indices.iter_mut().for_each(wide),
            _ => {}
        }
        stmt.bodies_mut().into_iter().for_each(|body| block(body));
    }
}

fn expr(e: &mut Expr) {
    let was_index = e.ty == Type::Usize;
    let of_indices = matches!(&e.kind, ExprKind::Math(_, args) if args[0].ty == Type::Usize);
    e.operands_mut().into_iter().for_each(expr);
    match &mut e.kind {
        ExprKind::Load(_, indices) => indices.iter_mut().for_each(wide),
        // The functions of printed kernels take 64 bits.
        ExprKind::Math(function, args) if of_indices => {
            let indices = args.iter_mut().enumerate();
            let indices = indices.filter(|(i, _)| function.operand(*i, Type::Usize) == Type::Usize);
            indices.for_each(|(_, arg)| wide(arg));
        }
        _ => {}
    }
    if !was_index {
        return;
    }
    match &mut e.kind {
        ExprKind::Int(value) => *value &= i128::from(u32::MAX),
        ExprKind::Len(_)
        | ExprKind::Dim(..)
        | ExprKind::Extent(_)
        | ExprKind::Gid(_)
        | ExprKind::Math(..)
        | ExprKind::Param(_) => {
            *e = cast(e.clone(), Type::U32);
        }
        _ => {}
    }
    e.ty = Type::U32;
}

/// The value of an index, for an access.
fn wide(e: &mut Expr) {
    *e = cast(e.clone(), Type::Usize);
}

fn cast(e: Expr, ty: Type) -> Expr {
    let site = e.site;
    Expr { kind: ExprKind::Cast(Box::new(e)), ty, site }
}
