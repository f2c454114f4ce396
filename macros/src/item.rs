//! What the items of several macros have in common.

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Ident};

/// The `#[cfg(…)]` attributes, which generated code must repeat.
pub(crate) fn cfgs(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect()
}

/// Whether a word that passes `test` is among the tokens, also within groups.
pub(crate) fn mentions(tokens: TokenStream, test: &impl Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(word) => test(&word),
        TokenTree::Group(group) => mentions(group.stream(), test),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
