//! The signatures that a kernel is declared with, and their comparison with those of an implementation.

use crate::kernel::model::{Form, Model, Passing};
use crate::kernel::native::native_type;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use ringwood_ir::Type;
use std::collections::BTreeMap;
use syn::spanned::Spanned;

/// What the compiler needs to compare this item with others of the kernel: the signatures of its
/// instances, and a check against those of the kernel that it implements.
pub(super) fn declared(model: &Model) -> TokenStream {
    if model.options.form == Form::Function {
        return quote!();
    }
    let (private, name) = (model.private(), model.name());
    let signatures = model.instances().into_iter().map(|element| signature(model, element));
    let signatures: BTreeMap<_, _> = signatures.map(|s| (s.to_string(), s)).collect();
    let signatures: Vec<_> = signatures.into_values().collect();
    let checks = model.options.implements.as_ref().map(|path| {
        quote_spanned! {path.span()=>
            #(const _: () = #private::kernel::implements::<#path, #signatures>();)*
        }
    });
    quote! {
        #(impl #private::kernel::Declares<#signatures> for #name {})*
        #checks
    }
}

/// The package and the module that the kernel belongs to; those of the item itself if `implements` is not followed, as
/// where the item has mistakes.
pub(super) fn package(model: &Model, follow: bool) -> TokenStream {
    let (private, name) = (model.private(), model.name());
    let text = model.name().to_string();
    let named = model.options.consts.is_empty().then(|| {
        quote! {
            impl #private::kernel::Named for #name {
                const NAME: &'static str = #text;
            }
        }
    });
    let (package, module) = match model.options.implements.as_ref().filter(|_| follow) {
        Some(path) => {
            let of =
                |what| quote_spanned!(path.span()=> <#path as #private::kernel::Declared>::#what);
            (of(quote!(PACKAGE)), of(quote!(MODULE)))
        }
        None => (quote!(#private::package_here!()), quote!(::core::module_path!())),
    };
    quote! {
        impl #private::kernel::Declared for #name {
            const PACKAGE: &'static str = #package;
            const MODULE: &'static str = #module;
        }
        #named
    }
}

/// The type of function pointers that says what an instance takes.
fn signature(model: &Model, element: Option<Type>) -> TokenStream {
    let private = model.private();
    let ty = |ty: crate::kernel::model::Ty| native_type(&private, ty.of(element));
    let params = model.params.iter().map(|param| {
        let ty = ty(param.ty);
        match param.passing {
            Passing::Value => ty,
            Passing::Slice { mutable: false } => quote!(&[#ty]),
            Passing::Slice { mutable: true } => quote!(&mut [#ty]),
            // A launch passes a view of all rows.
            Passing::View { rank, mutable, .. } => {
                let (rank, name) = (usize::from(rank), if mutable { "ViewMut" } else { "View" });
                let name = format_ident!("{name}");
                quote!(#private::kernel::twin::#name<'_, #ty, #rank>)
            }
        }
    });
    let result = model.result.map(ty).map(|ty| quote!(-> #ty));
    quote!(fn(#(#params),*) #result)
}
