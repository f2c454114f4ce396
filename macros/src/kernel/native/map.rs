//! Native code of a map: a function of elements, which the run time compiles to loops.

use super::values::Values;
use super::{Emit, narrow, text};
use crate::kernel::lower::Lowered;
use crate::kernel::model::Model;
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use ringwood_ir::math::Class;
use ringwood_ir::{Expr, ExprKind, Kernel, MathFn};

/// As [`super::native`].
pub(super) fn map(model: &Model, lowered: &Lowered, name: &Ident) -> (TokenStream, TokenStream) {
    let mut emit = Emit::new(model, lowered, Values::flat(&lowered.ir), None);
    emit.shares = true;
    let (private, ir) = (&emit.private, &lowered.ir);
    let names: Vec<_> = (0..ir.params.len()).map(|i| emit.param(i as u32)).collect();
    let (types, out) = types(&emit, ir);
    let (locals, body) = (emit.locals(0), emit.block(&ir.body));
    let result = ir.result.as_ref().map(|e| emit.expr(e));
    let body = quote!({
        const CHECKED: bool = true;
        #locals
        #body
        #result
    });
    let text = text(quote! {
        fn element<const INLINE: bool>(
            launch: &NativeLaunch<'_>,
            (#(#names,)*): (#(#types,)*),
        ) -> #out #body
    });
    let (fast, replace) = (!narrow::converts_f16(ir), is_cheap(ir));
    let body = quote! {
        #[allow(non_camel_case_types)]
        enum #name {}

        #[allow(warnings, clippy::all)]
        impl #private::kernel::MapBody for #name {
            #text
            const FAST: bool = #fast;
            const REPLACE: bool = #replace;
            type Inputs = (#(#types,)*);
            type Out = #out;

            #[inline(always)]
            fn element<const INLINE: bool>(
                launch: &#private::kernel::NativeLaunch<'_>,
                (#(#names,)*): (#(#types,)*),
            ) -> #out #body
        }
    };
    (body, quote!(#private::kernel::Native::map::<#name>()))
}

/// The types of the inputs and of the result.
pub(super) fn types(emit: &Emit<'_>, ir: &Kernel) -> (Vec<TokenStream>, Option<TokenStream>) {
    let ty = |param: &ringwood_ir::Param| emit.ty(param.kind.ty());
    (ir.params.iter().map(ty).collect(), ir.result.as_ref().map(|e| emit.ty(e.ty)))
}

/// Whether the function costs little more than a copy of its result.
fn is_cheap(ir: &Kernel) -> bool {
    use MathFn::{Ceil, Copysign, Floor, Fract, MulAdd, Recip, Round, RoundTiesEven, Sqrt, Trunc};
    let dear = |e: &Expr| match &e.kind {
        ExprKind::Call(_, args) => !args.is_empty(),
        ExprKind::Math(
            Ceil | Copysign | Floor | Fract | MulAdd | Recip | Round | RoundTiesEven | Sqrt | Trunc,
            _,
        ) => false,
        ExprKind::Math(function, _) => function.class() == Class::Float,
        _ => false,
    };
    ir.body.is_empty() && !ir.any(&dear)
}
