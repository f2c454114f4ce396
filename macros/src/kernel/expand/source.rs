//! The sources of an instance.

use super::{declaration, option};
use crate::kernel::lower::Lowered;
use crate::kernel::model::Model;
use crate::kernel::options::Source;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;

/// An expression of type `Option<&'static Sources>`.
pub(super) fn sources(model: &Model, lowered: &Lowered) -> TokenStream {
    if model.options.sources.is_empty() {
        return quote!(::core::option::Option::None);
    }
    let (private, entry) = (model.private(), model.name().unraw().to_string());
    let declaration = declaration(model, lowered);
    let element = model.options.types.as_ref().zip(lowered.element);
    let element = element.map(|(list, e)| (list.parameter.to_string(), e.name().to_owned()));
    let value = |(list, value): (&crate::kernel::options::ConstList, &i128)| {
        (list.parameter.to_string(), value.to_string())
    };
    let values = model.options.consts.iter().zip(&lowered.values).map(value);
    let names = element.into_iter().chain(values).map(|(name, meaning)| quote!((#name, #meaning)));
    let takes = ringwood_ir::print::source_slots(&lowered.ir).len();
    let texts = model.options.sources.iter().map(|source| text(source, &entry, takes, &private));
    quote! {
        ::core::option::Option::Some(&#private::kernel::Sources {
            texts: &[#(#texts),*],
            entry: #entry,
            declaration: #declaration,
            names: &[#(#names),*],
        })
    }
}

/// One text; the compiler refuses one that does not define the entry point, or visibly with another
/// number of parameters.
fn text(source: &Source, entry: &str, count: usize, private: &TokenStream) -> TokenStream {
    let (text, line) = (&source.text, source.line());
    let backend = source.key.to_string();
    let path = option(source.path());
    let message = format!(
        "the source for `{backend}` does not define `{entry}`, the entry point of this kernel"
    );
    let wrong = format!(
        "the source for `{backend}` defines `{entry}` with another number of parameters than the {count} of \
         its declaration: each slice comes with its length, and a grid kernel gets the extents of its domain"
    );
    let checked = quote_spanned! {source.span()=> {
        const TEXT: &str = #text;
        #[allow(long_running_const_eval)]
        const {
            ::core::assert!(#private::kernel::source::mentions(TEXT, #entry), #message);
            ::core::assert!(#private::kernel::source::takes(TEXT, #entry, #count), #wrong);
        }
        TEXT
    }};
    quote! {
        #private::kernel::Source { backend: #backend, text: #checked, path: #path, line: #line }
    }
}
