//! The model as code: the instance, the entry, the submission.

use super::model::Model;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

pub(super) fn expand(model: &Model) -> TokenStream {
    let Model { name, entry, value, krate } = model;
    let docs = format!("The registry entry of the collective `{name}`, for registration by hand.");
    // A type that is no collective is reported at the value.
    let instance = quote_spanned!(value.span()=> &(#value));
    quote! {
        #[doc = #docs]
        #[allow(dead_code, unreachable_pub)]
        pub const #entry: #krate::__private::Entry = {
            static DEF: #krate::__private::CollectiveDef =
                #krate::__private::CollectiveDef { collective: #instance };
            #krate::__private::Entry::new(#krate::__private::meta!(#name), &DEF)
        };
        const _: () = {
            #krate::__private::submit! { #entry }
        };
    }
}
