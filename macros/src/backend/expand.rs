//! The model as code: the name, the entry, the submission.

use super::model::Model;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

pub(super) fn expand(model: &Model) -> TokenStream {
    let Model { name, kernels_of, dialect, self_type, cfgs, krate } = model;
    let registered =
        quote_spanned!(self_type.span()=> #krate::__private::Registered for #self_type);
    let kernels_of = (!kernels_of.is_empty())
        .then(|| quote!(const KERNELS_OF: &'static [&'static str] = &[#(#kernels_of),*];));
    let dialect = dialect.iter().map(|dialect| {
        let value = quote_spanned!(dialect.span()=> ::core::option::Option::Some(&#dialect));
        quote! {
            const DIALECT: ::core::option::Option<&'static #krate::__private::Dialect> = #value;
        }
    });
    quote! {
        #(#cfgs)*
        const _: () = {
            impl #registered {
                const NAME: &'static str = #name;
                #kernels_of
                #(#dialect)*
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
