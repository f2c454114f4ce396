//! What the items of several macros have in common.

use crate::diagnostics::Errors;
use proc_macro2::{TokenStream, TokenTree};
use syn::parse::Parse;
use syn::{Attribute, Ident, Item};

/// The `#[cfg(…)]` attributes, which generated code must repeat.
pub(crate) fn cfgs(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect()
}

/// The item as a function; what is no function at all is refused in the name of the attribute.
pub(crate) fn function<F: Parse>(
    item: &TokenStream,
    attribute: &str,
    errors: &mut Errors,
) -> Option<F> {
    let parsed = syn::parse2(item.clone());
    let other = syn::parse2::<Item>(item.clone()).is_ok_and(|item| !matches!(item, Item::Fn(_)));
    if parsed.is_err() && other {
        errors
            .at(item, format!("`{attribute}` stands on a function"))
            .help("move the attribute to the function that it is meant for");
        return None;
    }
    errors.check(parsed)
}

/// Whether a word that passes `test` is among the tokens, also within groups.
pub(crate) fn mentions(tokens: TokenStream, test: &impl Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => test(&word),
        TokenTree::Group(group) => mentions(group.stream(), test),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
