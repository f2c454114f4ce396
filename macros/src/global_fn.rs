//! `#[global_fn]`: a function becomes one that the workers of a session run by name.

mod model;

use crate::args::Args;
use crate::diagnostics::Output;
use crate::krate::Krate;
use model::{Model, Parameter};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

const KEYS: &[&str] = &["name", "crate"];

pub(crate) fn expand(args: TokenStream, item: TokenStream, krate: Krate) -> Output {
    Output::beside(item.clone(), |errors| {
        let args = Args::parse(args, KEYS, errors);
        let Ok(function) = syn::parse2(item.clone()) else {
            errors.at(item, "`#[global_fn]` stands on a function");
            return None;
        };
        let model = Model::new(&args, function, krate, errors)?;
        errors.is_empty().then(|| companion(&model))
    })
}

/// The companion with the entry and the typed call, and the submission.
fn companion(model: &Model) -> TokenStream {
    let Model { name, ident, vis, cfgs, krate, .. } = model;
    let docs = format!("The global function [`{ident}`](fn@{ident}), as sessions call it.");
    let (function, call) = (function(model), call(model));
    quote! {
        #(#cfgs)*
        #[doc = #docs]
        #[allow(non_camel_case_types, unreachable_pub, dead_code)]
        #vis enum #ident {}

        #(#cfgs)*
        #[allow(unreachable_pub, dead_code)]
        impl #ident {
            /// The registry entry, for registration by hand.
            pub const ENTRY: #krate::__private::Entry = {
                const FUNCTION: &#krate::__private::GlobalFn = &#function;
                #krate::__private::Entry::new(#krate::__private::meta!(#name), FUNCTION)
            };

            #call
        }

        #(#cfgs)*
        const _: () = {
            #krate::__private::submit! { #ident::ENTRY }
        };
    }
}

/// The definition: the parameters, and a closure that converts around the function.
fn function(Model { name, ident, worker, parameters, result, krate, .. }: &Model) -> TokenStream {
    let declared = parameters.iter().map(|Parameter { name, ty }| {
        let name = name.to_string();
        quote_spanned!(ty.span()=> #krate::__private::Parameter::of::<#ty>(#name))
    });
    // The function itself may be called like one of these.
    let [w, arguments] = ["worker", "arguments"].map(|s| Ident::new(s, Span::mixed_site()));
    let passed = worker.then(|| quote!(#w,));
    let taken = parameters.iter().map(|p| quote_spanned!(p.ty.span()=> #arguments.take()?));
    let closure = match (worker, parameters.is_empty()) {
        (true, true) => quote!(|#w, _|),
        (true, false) => quote!(|#w, mut #arguments|),
        (false, true) => quote!(|_, _|),
        (false, false) => quote!(|_, mut #arguments|),
    };
    let called = quote!(#ident(#passed #(#taken),*));
    let outcome = quote_spanned!(result.span()=>
        <#result as #krate::__private::Outcome>::into_outcome(#called)
    );
    quote! {
        #krate::__private::GlobalFn {
            name: #name,
            parameters: &[#(#declared),*],
            run: #closure { #outcome },
        }
    }
}

/// The typed call: each argument is a value or a register that holds one.
fn call(Model { ident, parameters, result, krate, .. }: &Model) -> TokenStream {
    // A parameter of the user may be called `session`.
    let session = Ident::new("session", Span::mixed_site());
    let docs = format!("Calls [`{ident}`](fn@{ident}) on every worker of a session.");
    let names: Vec<_> = parameters.iter().map(|p| &p.name).collect();
    let types: Vec<_> = parameters.iter().map(|p| &p.ty).collect();
    let output = quote_spanned!(result.span()=> <#result as #krate::__private::Outcome>::Output);
    quote! {
        #[doc = #docs]
        ///
        /// The result stays on the workers, in the register that is returned.
        ///
        /// # Errors
        /// The session is closed or does not know the function.
        #[allow(clippy::too_many_arguments)]
        pub fn call(
            #session: &#krate::__private::Session,
            #(#names: impl #krate::__private::IntoArgument<#types>),*
        ) -> #krate::__private::Result<#krate::__private::DRef<#output>> {
            #krate::__private::call(
                #session,
                Self::ENTRY,
                [#(#krate::__private::IntoArgument::<#types>::into_argument(#names)),*],
            )
        }
    }
}

#[cfg(test)]
mod tests;
