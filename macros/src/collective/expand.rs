//! The model as code: the instance, the entry, the submission.

use super::model::Model;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

pub(super) fn expand(model: &Model) -> TokenStream {
    let Model { name, entry, value, krate } = model;
    let docs = format!("The collective `{name}`; `ENTRY` registers it by hand.");
    // A type that is no collective is reported at the value.
    let instance = quote_spanned!(value.span()=> &(#value));
    let companion = format_ident!("__collective_{entry}{}", place());
    quote! {
        #[doc(hidden)]
        #[allow(dead_code, non_camel_case_types, unreachable_pub)]
        pub enum #companion {}

        #[doc = #docs]
        #[allow(dead_code, non_camel_case_types, unreachable_pub)]
        pub type #entry = #companion;

        const _: () = {
            static DEF: #krate::__private::CollectiveDef =
                #krate::__private::CollectiveDef {
                    collective: #krate::__private::Shared::Declared(#instance),
                };

            impl #companion {
                /// The registry entry, for registration by hand.
                #[allow(dead_code, unreachable_pub)]
                pub const ENTRY: #krate::__private::Entry =
                    #krate::__private::Entry::new(#krate::__private::meta!(#name), &DEF);
            }

            #krate::__private::submit! { #companion::ENTRY }
        };
    }
}

/// The line and column of the registration: two of one name have a type each, so that the name is the
/// only mistake that the compiler finds.
fn place() -> String {
    if !proc_macro::is_available() {
        return String::new();
    }
    let at = proc_macro::Span::call_site();
    format!("_{}_{}", at.line(), at.column())
}
