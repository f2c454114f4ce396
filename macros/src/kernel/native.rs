//! Native code of a kernel, emitted from its IR: a body for [`ringwood_ir::Kernel`] that the run time
//! compiles in several versions, without a line of unsafe code in the user's crate.
//!
//! The work-items of a map, and of a grid kernel without a loop that they run together, are the turns
//! of one loop. Else the body is cut into [`regions`], which are loops over lanes.

mod access;
mod expr;
mod lanes;
mod map;
mod names;
mod narrow;
mod regions;
mod stmt;
mod values;

use super::lower::Lowered;
use super::model::Model;
use lanes::Lanes;
pub(super) use names::{callee_type, native_type, wrapper};
use names::{extent, gid};
pub(super) use narrow::widened;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use ringwood_ir::{Kernel, ParamKind, Uniformity};
use values::Values;

/// The native code of a kernel: the type `name` with its body, and the value for the instance.
pub(super) fn native(model: &Model, lowered: &Lowered, name: &Ident) -> (TokenStream, TokenStream) {
    if lowered.ir.rank == 0 {
        return map::map(model, lowered, name);
    }
    let private = model.private();
    let body = match has_views(&lowered.ir) {
        true => by_steps(&private, body(model, lowered)),
        false => body(model, lowered),
    };
    let text = text(quote! {
        fn run<const CHECKED: bool>(launch: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
            #body
        }
    });
    let fast = !narrow::converts_f16(&lowered.ir);
    let body = quote! {
        #[allow(non_camel_case_types)]
        enum #name {}

        #[allow(warnings, clippy::all)]
        impl #private::kernel::Body for #name {
            #text
            const FAST: bool = #fast;

            #[inline(always)]
            fn run<const CHECKED: bool>(
                launch: &#private::kernel::NativeLaunch<'_>,
                range: ::core::ops::Range<usize>,
            ) -> #private::kernel::Result<()> {
                #body
            }
        }
    };
    (body, quote!(#private::kernel::Native::of::<#name>()))
}

fn has_views(kernel: &Kernel) -> bool {
    kernel.params.iter().any(|p| matches!(p.kind, ParamKind::View { .. }))
}

/// A body of views, once more for those whose last step is 1, which vectorises.
fn by_steps(private: &TokenStream, body: TokenStream) -> TokenStream {
    quote! {
        #[inline(always)]
        fn by_steps<const CHECKED: bool, const UNIT: bool>(
            launch: &#private::kernel::NativeLaunch<'_>,
            range: ::core::ops::Range<usize>,
        ) -> #private::kernel::Result<()> {
            #body
        }
        if !CHECKED && #private::kernel::unit_steps(launch) {
            by_steps::<CHECKED, true>(launch, range)
        } else {
            by_steps::<CHECKED, false>(launch, range)
        }
    }
}

/// The constant that keeps a function as a text, if it is kept.
fn text(function: TokenStream) -> Option<TokenStream> {
    let text = cfg!(feature = "native-text").then(|| function.to_string())?;
    Some(quote! {
        const TEXT: ::core::option::Option<&'static str> = ::core::option::Option::Some(#text);
    })
}

/// The function `name` that computes the declared domain, if there is one.
pub(super) fn domain(model: &Model, lowered: &Lowered, name: &Ident) -> Option<TokenStream> {
    if lowered.domain.is_empty() {
        return None;
    }
    let emit = Emit::new(model, lowered, Values::flat(&lowered.ir), None);
    let emit = Emit { counts: true, ..emit };
    let private = &emit.private;
    let extents = lowered.domain.iter().map(|extent| emit.expr(extent));
    let params = lowered.ir.params.iter().enumerate().map(|(i, param)| match param.kind {
        ParamKind::Scalar(ty) => {
            let (name, ty) = (emit.param(i as u32), emit.ty(ty));
            quote!(let #name = operands.scalar::<#ty>(#i)?;)
        }
        ParamKind::Slice { .. } => {
            let name = emit.length(i as u32);
            quote!(let #name = operands.elements(#i)?;)
        }
        ParamKind::View { rank, .. } => {
            let (name, rank) = (emit.length(i as u32), usize::from(rank));
            quote!(let #name = operands.extents::<#rank>(#i)?;)
        }
    });
    Some(quote! {
        #[allow(warnings, clippy::all)]
        fn #name(
            operands: &[#private::kernel::Operand],
        ) -> #private::kernel::Result<#private::kernel::Shape> {
            let operands = #private::kernel::Operands(operands);
            #(#params)*
            #private::kernel::declared(&[#(#extents),*])
        }
    })
}

/// The native code of a device function, `native`.
pub(super) fn scalar(model: &Model, lowered: &Lowered) -> TokenStream {
    let ir = &lowered.ir;
    let emit = Emit::new(model, lowered, Values::flat(ir), None);
    let params = ir.params.iter().enumerate().map(|(i, param)| {
        let (name, ty) = (emit.param(i as u32), emit.ty(param.kind.ty()));
        quote!(#name: #ty)
    });
    let (locals, body) = (emit.locals(0), emit.block(&ir.body));
    let result = ir.result.as_ref().map(|e| (emit.ty(e.ty), emit.expr(e)));
    let (ty, result) = result.unzip();
    let private = &emit.private;
    // No access is outside of an array of its own: that is proved where it is lowered.
    let silent = (!ir.arrays.is_empty()).then(|| {
        quote! {
            const CHECKED: bool = true;
            let fault = #private::kernel::Fault::default();
            let scalar = #private::kernel::Shape::scalar();
            let launch = &#private::kernel::NativeLaunch::new(scalar, &[], &fault);
        }
    });
    quote! {
        /// The function with the arithmetic of kernels.
        #[allow(warnings, clippy::all)]
        #[inline(always)]
        pub fn native(#(#params),*) -> #ty {
            #silent
            #locals
            #body
            #result
        }
    }
}

fn body(model: &Model, lowered: &Lowered) -> TokenStream {
    let ir = &lowered.ir;
    let flat = || Emit::new(model, lowered, Values::flat(ir), None);
    let uniform = Uniformity::of(ir);
    if ir.group.is_none() && !regions::has_uniform_loop(&ir.body, &uniform) {
        return flat().grid();
    }
    let (regions, runs) = regions::regions(ir, &uniform);
    let values = Values::of(ir, &uniform, &regions, runs);
    Emit::new(model, lowered, values, Some(Lanes::of(ir))).lanes(&regions)
}

struct Emit<'a> {
    lowered: &'a Lowered,
    private: TokenStream,
    values: Values<'a>,
    /// How lanes are arranged, if there are any.
    lanes: Option<Lanes>,
    /// Whether functions of mathematics are inlined only if `INLINE`.
    shares: bool,
    /// Whether a sum or product of indices that is too large is an error.
    counts: bool,
}

impl<'a> Emit<'a> {
    fn new(model: &Model, lowered: &'a Lowered, values: Values<'a>, lanes: Option<Lanes>) -> Self {
        Self { lowered, private: model.private(), values, lanes, shares: false, counts: false }
    }

    /// What a launch brings.
    fn prologue(&self) -> TokenStream {
        let private = &self.private;
        let ir = &self.lowered.ir;
        let params = ir.params.iter().enumerate().map(|(i, param)| {
            let name = self.param(i as u32);
            match param.kind {
                ParamKind::Scalar(ty) => {
                    let ty = self.ty(ty);
                    quote!(let #name = args.scalar::<#ty>()?;)
                }
                ParamKind::Slice { ty, mutable } => {
                    let (ty, length) = (self.ty(ty), self.length(i as u32));
                    let opened = self.opened(i as u32, mutable);
                    quote!(let #name = args.#opened::<#ty, CHECKED>()?; let #length = #name.elements();)
                }
                ParamKind::View { ty, rank, mutable } => {
                    let (ty, rank) = (self.ty(ty), usize::from(rank));
                    let (steps, extents) = (self.steps(i as u32), self.length(i as u32));
                    let opened = self.opened(i as u32, mutable);
                    quote! {
                        let #steps = args.steps::<#ty, #rank>()?.assume::<UNIT>();
                        let #extents = #steps.extents();
                        let #name = args.#opened::<#ty, CHECKED>()?;
                    }
                }
            }
        });
        let rank = usize::from(ir.rank);
        let extents = (0..ir.rank).rev().map(extent);
        quote! {
            let mut args = #private::kernel::Arguments::new(launch);
            #(#params)*
            let [#(#extents),*] = #private::kernel::extents::<#rank>(launch, &range)?;
        }
    }

    /// A loop over the work-items.
    fn grid(&self) -> TokenStream {
        let (private, ir) = (&self.private, &self.lowered.ir);
        let items = (0..ir.rank).map(gid);
        let run = format_ident!("grid_{}", usize::from(ir.rank));
        let (prologue, locals, body) = (self.prologue(), self.locals(0), self.block(&ir.body));
        quote! {
            #prologue
            #private::kernel::#run(
                launch,
                range,
                #[inline(always)]
                move |#(#items: usize),*| { #locals #body },
            )
        }
    }

    fn span(&self, site: u32) -> Span {
        let span = self.lowered.spans.get(site as usize).copied();
        span.map_or_else(Span::mixed_site, |span| Span::mixed_site().located_at(span))
    }
}
