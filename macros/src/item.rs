//! What the items of several macros have in common.

use crate::diagnostics::Errors;
use crate::text::text;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
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

/// The attributes that say nothing to a kernel: lints, documentation, and what tools read.
const PLAIN: &[&str] = &["allow", "clippy", "deny", "doc", "expect", "forbid", "rustfmt", "warn"];

/// Refuses the attributes among the tokens that may change what these say: the lowering sees none.
pub(crate) fn refuse_attributes(tokens: TokenStream, errors: &mut Errors) {
    let mut mark: Option<TokenTree> = None;
    for token in tokens {
        match (&token, mark.take()) {
            (TokenTree::Punct(p), _) if p.as_char() == '#' => mark = Some(token),
            (TokenTree::Punct(p), Some(hash)) if p.as_char() == '!' => mark = Some(hash),
            (TokenTree::Group(g), Some(hash)) if g.delimiter() == Delimiter::Bracket => {
                let name = g.stream().into_iter().next().map(|name| name.to_string());
                if name.is_some_and(|name| !PLAIN.contains(&&*name)) {
                    let mut at = hash.into_token_stream();
                    at.extend([token.clone()]);
                    let written = text(g);
                    errors
                        .at(at, format!("`#{written}` has no meaning inside of a kernel"))
                        .help("put it on the kernel, and write one kernel for each case");
                }
            }
            (TokenTree::Group(g), _) => refuse_attributes(g.stream(), errors),
            _ => {}
        }
    }
}
