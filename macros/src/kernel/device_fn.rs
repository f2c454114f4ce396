//! `#[device_fn]`: a function of scalars that kernels of any crate call.

use super::model::Model;
use super::{expand as expansion, lower, native};
use crate::diagnostics::{Errors, Output};
use crate::item::function;
use crate::krate::Krate;
use proc_macro2::TokenStream;
use quote::quote;

/// The expansion of `#[device_fn(args)] item`.
pub(crate) fn expand(args: TokenStream, item: TokenStream, krate: Krate) -> Output {
    let mut errors = Errors::default();
    let Some(function) = function(&item, "#[device_fn]", &mut errors) else {
        return Output { tokens: item, errors };
    };
    let model = Model::function(args, function, krate, &mut errors);
    let lowered = match errors.is_empty() {
        true => lower::instances(&model, &mut errors).pop(),
        false => None,
    };
    let tokens = match &lowered {
        Some(lowered) => found(&model, lowered),
        None => stub(&model),
    };
    Output { tokens, errors }
}

/// The function, and a type of its name that carries what kernels need of it.
fn found(model: &Model, lowered: &lower::Lowered) -> TokenStream {
    let private = model.private();
    let (vis, name, text) = (&model.item.vis, model.name(), model.text());
    let item = expansion::plain(model, lowered);
    let doc = format!("The device function `{text}`, for kernels.");
    let native = native::scalar(model, lowered);
    let ir = expansion::linked(model, lowered);
    let calls = expansion::calls(model, lowered);
    quote! {
        // Kernels have neither iterators nor methods of integers that these lints ask for.
        #[allow(
            dead_code,
            unstable_name_collisions,
            clippy::needless_range_loop,
            clippy::manual_is_multiple_of
        )]
        #item

        #[doc = #doc]
        #[allow(non_camel_case_types, dead_code)]
        #vis enum #name {}

        const _: () = {
            #calls

            impl #name {
                /// What a kernel that calls the function embeds.
                #[allow(dead_code, unreachable_pub)]
                pub const DEF: #private::kernel::DeviceFn = #private::kernel::DeviceFn {
                    name: ::core::concat!(::core::module_path!(), "::", #text),
                    ir: #ir,
                };

                #native
            }
        };
    }
}

/// What is left of a function with mistakes, so that its callers stay quiet.
fn stub(model: &Model) -> TokenStream {
    let private = model.private();
    let (vis, name) = (&model.item.vis, model.name());
    let mut item = model.item.clone();
    item.block = syn::parse_quote!({ loop {} });
    if item.sig.receiver().is_some() {
        return quote!(#[allow(unused, clippy::all)] #item);
    }
    let mut native = item.clone();
    native.sig.ident = quote::format_ident!("native");
    native.vis = syn::parse_quote!(pub);
    native.attrs.clear();
    quote! {
        #[allow(unused, clippy::all)]
        #item

        #[allow(non_camel_case_types, dead_code, missing_docs)]
        #vis enum #name {}

        const _: () = {
            #[allow(unused, missing_docs, clippy::all)]
            impl #name {
                pub const DEF: #private::kernel::DeviceFn =
                    #private::kernel::DeviceFn { name: "", ir: "" };
                #native
            }
        };
    }
}
