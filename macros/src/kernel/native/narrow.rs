//! Kernels of 16-bit floats.

use super::Emit;
use super::map::types;
use super::values::Values;
use crate::kernel::lower::Lowered;
use crate::kernel::model::Model;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use ringwood_ir::math::Class;
use ringwood_ir::{Expr, ExprKind, Kernel, MathFn, Type};

/// Whether a kernel widens or rounds an `f16` by itself, which no processor does for several elements
/// of a loop at once.
pub(super) fn converts_f16(ir: &Kernel) -> bool {
    let of = |e: &Expr| e.ty == Type::F16;
    ir.any(&|e| match &e.kind {
        ExprKind::Cast(from) => of(from) || of(e),
        ExprKind::Binary(op, a, _) => of(a) && !op.is_comparison(),
        ExprKind::Math(_, operands) | ExprKind::Call(_, operands) => operands.iter().any(of),
        _ => false,
    })
}

/// The value of the native code of a map of 16-bit floats that is the one operation of `single`, the
/// instance of type `f32` with the native code `name`: as operations are those of `f32`, rounded once,
/// its loops are those of `single`.
pub(in crate::kernel) fn widened(
    model: &Model,
    lowered: &Lowered,
    single: &Lowered,
    name: &Ident,
) -> Option<TokenStream> {
    let (narrow, wide) = (&lowered.ir, &single.ir);
    let is_map = narrow.rank == 0 && narrow.body.is_empty() && wide.body.is_empty();
    if !is_map || !is_one_operation(narrow.result.as_ref()?, wide.result.as_ref()?) {
        return None;
    }
    let emit = Emit::new(model, lowered, Values::flat(narrow), None);
    let private = &emit.private;
    let (types, out) = types(&emit, narrow);
    Some(quote!(#private::kernel::Native::stored::<#name, (#(#types,)*), #out>()))
}

/// Whether an expression of 16-bit floats widens parameters, computes one operation of `f32`, which the
/// other expression is, and rounds the result.
fn is_one_operation(narrow: &Expr, wide: &Expr) -> bool {
    let params = |narrow: &[&Expr], wide: &[&Expr]| {
        let same = |(a, b): (&&Expr, &&Expr)| matches!((&a.kind, &b.kind), (ExprKind::Param(a), ExprKind::Param(b)) if a == b);
        narrow.len() == wide.len() && narrow.iter().zip(wide).all(same)
    };
    let rounds = match (&narrow.kind, &wide.kind) {
        (ExprKind::Binary(a, ..), ExprKind::Binary(b, ..)) => a == b && !a.is_comparison(),
        (ExprKind::Math(a, _), ExprKind::Math(b, _)) => {
            a == b && a.class() != Class::ToBits && !matches!(a, MathFn::Clamp | MathFn::Powi)
        }
        _ => false,
    };
    rounds
        && narrow.ty.is_narrow()
        && wide.ty == Type::F32
        && params(&narrow.operands(), &wide.operands())
}
