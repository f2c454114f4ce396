//! The model as code: the instance, the entry, the submission.

use super::model::Model;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

pub(super) fn expand(model: &Model) -> TokenStream {
    let Model { name, entry, value, krate } = model;
    let docs = format!("The collective `{name}`; `ENTRY` registers it by hand.");
    // A type that is no collective is reported at the value.
    let instance = quote_spanned!(value.span()=> &(#value));
    quote! {
        #[doc = #docs]
        #[allow(dead_code, non_camel_case_types, unreachable_pub)]
        pub enum #entry {}

        const _: () = {
            static DEF: #krate::__private::CollectiveDef =
                #krate::__private::CollectiveDef {
                    collective: #krate::__private::Shared::Declared(#instance),
                };

            impl #entry {
                /// The registry entry, for registration by hand.
                #[allow(dead_code, unreachable_pub)]
                pub const ENTRY: #krate::__private::Entry =
                    #krate::__private::Entry::new(#krate::__private::meta!(#name), &DEF);
            }

            #krate::__private::submit! { #entry::ENTRY }
        };
    }
}
