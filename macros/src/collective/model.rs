//! The validated collective: all that the expansion needs.

use super::parse::Raw;
use crate::diagnostics::Errors;
use crate::krate::Krate;
use syn::{Expr, Ident};

/// A collective that may be registered.
pub(super) struct Model {
    pub(super) name: String,
    /// The type that holds the entry: the name as an identifier.
    pub(super) entry: Ident,
    pub(super) value: Expr,
    pub(super) krate: Krate,
}

impl Model {
    pub(super) fn new(raw: Raw, krate: Krate, errors: &mut Errors) -> Option<Self> {
        let krate = raw.args.krate(krate, errors);
        if !raw.name.check("collective", errors) {
            return None;
        }
        let entry = Ident::new(&raw.name.text, raw.name.span());
        Some(Self { name: raw.name.text, entry, value: raw.value, krate })
    }
}
