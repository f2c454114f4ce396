//! What the items of several macros have in common.

use syn::Attribute;

/// The `#[cfg(…)]` attributes, which generated code must repeat.
pub(crate) fn cfgs(attrs: &[Attribute]) -> Vec<Attribute> {
    attrs.iter().filter(|attr| attr.path().is_ident("cfg")).cloned().collect()
}
