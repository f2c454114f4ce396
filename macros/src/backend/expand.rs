//! The model as code: the name, the entry, the submission.

use super::model::Model;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

pub(super) fn expand(model: &Model) -> TokenStream {
    let Model { name, self_type, cfgs, krate } = model;
    let registered =
        quote_spanned!(self_type.span()=> #krate::__private::Registered for #self_type);
    quote! {
        #(#cfgs)*
        const _: () = {
            impl #registered {
                const NAME: &'static str = #name;
                const ENTRY: #krate::__private::Entry = #krate::__private::Entry::new(
                    #krate::__private::meta!(#name),
                    const { &#krate::__private::BackendDef::new::<Self>() },
                );
            }
            #krate::__private::submit! {
                <#self_type as #krate::__private::Registered>::ENTRY
            }
        };
    }
}
