//! The argument `crate = …`.

use super::Args;
use crate::diagnostics::Errors;
use crate::krate::Krate;
use quote::ToTokens;
use syn::Path;

impl Args {
    /// The path of the argument `crate = …`, or the default.
    pub(crate) fn krate(&self, default: Krate, errors: &mut Errors) -> Krate {
        let Some(path) = self.value::<Path>("crate", "a path, as in `crate = ::ringwood`", errors)
        else {
            return default;
        };
        check_absolute(&path, errors);
        Krate::at(path)
    }
}

/// A relative path would mean something else in each module that the expansion opens.
pub(crate) fn check_absolute(path: &Path, errors: &mut Errors) {
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
