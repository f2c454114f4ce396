//! The path under which expansions reach the run time: the only place that decides it.

use crate::args::Args;
use crate::diagnostics::Errors;
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

    /// The path of the argument `crate = …`, or the default.
    pub(crate) fn from_args(args: &Args, default: Krate, errors: &mut Errors) -> Self {
        let Some(path) = args.value::<Path>("crate", "a path, as in `crate = ::ringwood`", errors)
        else {
            return default;
        };
        check_absolute(&path, errors);
        Self(path)
    }
}

impl ToTokens for Krate {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.0.to_tokens(tokens);
    }
}

/// A relative path would mean something else in each module that the expansion opens.
fn check_absolute(path: &Path, errors: &mut Errors) {
    let text = path.to_token_stream().to_string().replace(' ', "");
    let first = path.segments.first().map(|s| s.ident.to_string()).unwrap_or_default();
    if path.leading_colon.is_some() || first == "crate" || first == "$crate" {
        return;
    }
    let error = errors.at(path, format!("`crate = {text}` is a relative path"));
    match text.rsplit_once("super::").or_else(|| text.split_once("self::")) {
        Some((_, tail)) => error.help(format!("name it from the root: `crate = crate::…::{tail}`")),
        None => error.help(format!(
            "write `crate = ::{text}` for a dependency, `crate = crate::{text}` for a module"
        )),
    };
}

#[cfg(test)]
mod tests;
