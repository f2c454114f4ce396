//! One instance of a kernel: the functions it needs, and its value.

use super::variant::form;
use super::{locals, option, source};
use crate::kernel::lower::Lowered;
use crate::kernel::model::{Form, Model, Passing, variant};
use crate::kernel::native;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use ringwood_ir::Type;
use syn::Ident;
use syn::ext::IdentExt;

/// One instance: the functions it needs, and its value.
pub(super) struct Part {
    pub(super) functions: TokenStream,
    pub(super) instance: TokenStream,
}

/// The type that stands for the native code of an instance.
fn native_name(index: usize) -> Ident {
    format_ident!("native_{index}")
}

/// A kernel whose body is portable: its native code and its IR.
pub(super) fn portable(model: &Model, index: usize, instances: &[Lowered]) -> Part {
    let (private, lowered) = (model.private(), &instances[index]);
    let (run, extents) = (native_name(index), format_ident!("domain_{index}"));
    let widened = || {
        let single = instances.iter().find(|i| i.element == Some(Type::F32))?;
        native::widened(model, lowered, single, &native_name(single.index))
    };
    let native = model.has_body.then(|| match widened() {
        Some(versions) => (quote!(), versions),
        None => native::native(model, lowered, &run),
    });
    let (native, native_fn) = native.unzip();
    let native_fn = option(native_fn);
    let domain = native::domain(model, lowered, &extents);
    let domain_fn = option(domain.is_some().then_some(extents));
    let params = params(model, lowered.element);
    let text = option(model.has_body.then(|| super::linked(model, lowered)));
    let sources = source::sources(model, lowered);
    let libraries = libraries(model);
    let calls = super::calls(model, lowered);
    let combine = lowered.combine.as_ref().map(|combine| {
        let native = native::scalar(model, combine);
        let name = &lowered.functions[0].path;
        quote! {
            #[allow(non_camel_case_types)]
            enum #name {}
            impl #name { #native }
        }
    });
    let sites = lowered.spans.iter().map(|span| {
        let start = span.start();
        let (line, column) = (start.line as u32, start.column as u32 + 1);
        quote!((#line, #column))
    });
    let (rank, form) = (usize::from(lowered.ir.rank), form(model));
    Part {
        functions: quote!(#calls #combine #native #domain),
        instance: quote! {
            #private::kernel::Instance {
                sources: #sources,
                libraries: &[#(#libraries),*],
                sites: &[#(#sites),*],
                rank: #rank,
                domain: #domain_fn,
                ..#private::kernel::Instance::written(#form, &[#params], #text, #native_fn)
            }
        },
    }
}

/// A host kernel: the user's function, called with slices.
pub(super) fn host(model: &Model, index: usize, element: Option<Type>) -> Part {
    let (private, name) = (model.private(), model.name());
    let run = format_ident!("native_{index}");
    let turbofish = model.options.types.as_ref().and(element).map(|ty| {
        let ty = native::native_type(&private, ty);
        quote!(::<#ty>)
    });
    let (names, args) = (locals(model), Ident::new("args", Span::mixed_site()));
    let launch = Ident::new("launch", Span::mixed_site());
    let reads = model.params.iter().map(|p| {
        let ty = native::native_type(&private, p.ty.of(element));
        match p.passing {
            Passing::Value => quote!(scalar::<#ty>),
            Passing::Slice { mutable: false } => quote!(slice::<#ty>),
            Passing::Slice { mutable: true } => quote!(slice_mut::<#ty>),
            Passing::View { rank, mutable, .. } => {
                let rank = usize::from(rank);
                if mutable { quote!(view_mut::<#ty, #rank>) } else { quote!(view::<#ty, #rank>) }
            }
        }
    });
    let (params, form, text) = (params(model, element), form(model), option(None::<Ident>));
    let native = option(Some(quote!(#private::kernel::Native::new(#run))));
    Part {
        functions: quote! {
            #[allow(unused_variables, unused_mut, deprecated)]
            fn #run(
                #launch: &#private::kernel::NativeLaunch<'_>,
                _: ::core::ops::Range<usize>,
            ) -> #private::kernel::Result<()> {
                let mut #args = #private::kernel::Arguments::new(#launch);
                #(let #names = #args.#reads()?;)*
                #private::kernel::Outcome::outcome(#name #turbofish (#(#names),*))
            }
        },
        instance: quote! {
            #private::kernel::Instance::written(#form, &[#params], #text, #native)
        },
    }
}

/// The routines that may compute the kernel.
fn libraries(model: &Model) -> impl Iterator<Item = TokenStream> {
    let private = model.private();
    model.options.libraries.iter().map(move |library| {
        let (backend, routine) = (library.key.unraw().to_string(), &library.routine.text);
        quote!(#private::kernel::Library { backend: #backend, routine: #routine })
    })
}

/// The parameters of a launch, as constants.
fn params(model: &Model, element: Option<Type>) -> TokenStream {
    let private = model.private();
    let param = |name: &str, kind: TokenStream| quote!(#private::kernel::Param { name: #name, kind: #private::kernel::ParamKind::#kind });
    let slice = |name: &str, element: Type, mutable: bool| {
        let dtype = variant(element);
        param(name, quote!(Slice { dtype: #private::kernel::DType::#dtype, mutable: #mutable }))
    };
    let scalar = |name: &str, ty: Type| {
        let ty = variant(ty);
        param(name, quote!(Scalar(#private::kernel::ScalarType::#ty)))
    };
    let params = model.params.iter().map(|p| {
        let (name, element) = (p.ident.unraw().to_string(), p.ty.of(element));
        match (model.options.form, p.passing) {
            (Form::Map | Form::Reduce, _) => slice(&name, element, false),
            (_, Passing::Slice { mutable }) => slice(&name, element, mutable),
            (_, Passing::View { rank, mutable, .. }) => {
                let dtype = variant(element);
                let dtype = quote!(#private::kernel::DType::#dtype);
                param(&name, quote!(View { dtype: #dtype, rank: #rank, mutable: #mutable }))
            }
            (_, Passing::Value) => scalar(&name, element),
        }
    });
    let result = model.result.map(|ty| slice("result", ty.of(element), true));
    if model.options.form == Form::Reduce {
        let input = model.params.first().map(|p| slice("x", p.ty.of(element), false));
        let scalars = ["n", "inner"].map(|name| scalar(name, Type::Usize));
        let params = input.into_iter().chain(result).chain(scalars);
        return quote!(#(#params),*);
    }
    let params = params.chain(result);
    quote!(#(#params),*)
}
