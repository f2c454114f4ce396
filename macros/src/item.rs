//! What the items of several macros have in common.

use quote::ToTokens;
use syn::Attribute;

/// The `#[cfg(…)]` attributes, which generated code must repeat.
pub(crate) fn cfgs(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect()
}

/// Tokens as a person writes them, for messages.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (spaced, tight) in [(" :: ", "::"), (":: ", "::"), (" <", "<"), ("< ", "<"), (" >", ">")] {
        text = text.replace(spaced, tight);
    }
    text.replace("& ", "&").replace(" ,", ",").replace(" [", "[").replace(" (", "(")
}
