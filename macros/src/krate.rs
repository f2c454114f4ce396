//! The path under which expansions reach the run time: the only place that decides it.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Path, parse_quote};

/// The path of the crate that an expansion names: `::ringwood`, a floor such as `::ringwood_device`, or what
/// `crate = …` says.
#[derive(Clone)]
pub(crate) struct Krate(Path);

impl Krate {
    /// The default of the macros that the facade re-exports.
    pub(crate) fn facade() -> Self {
        Self(parse_quote!(::ringwood))
    }

    /// The default of the macros that a floor re-exports: `::ringwood_device` for `device`.
    pub(crate) fn floor(name: &str) -> Self {
        let name = quote::format_ident!("ringwood_{name}");
        Self(parse_quote!(::#name))
    }

    /// The path that an argument gives.
    pub(crate) fn at(path: Path) -> Self {
        Self(path)
    }
}

impl Default for Krate {
    fn default() -> Self {
        Self::facade()
    }
}

impl ToTokens for Krate {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}
