//! `#[backend(name = "…")]`: an `impl Backend` becomes a registered backend.
//!
//! What the trait demands, the compiler checks and reports on the impl itself; this macro knows
//! nothing of the trait's items.

mod expand;
mod model;
mod parse;

use crate::diagnostics::{Errors, Output};
use crate::krate::Krate;
use model::Model;
use parse::Raw;
use proc_macro2::TokenStream;

pub(crate) fn expand(args: TokenStream, item: TokenStream, krate: Krate) -> Output {
    let mut errors = Errors::default();
    let raw = Raw::parse(args, item.clone(), &mut errors);
    let model = raw.and_then(|raw| Model::new(raw, krate, &mut errors));
    let mut tokens = item;
    if let (Some(model), true) = (model, errors.is_empty()) {
        tokens.extend(expand::expand(&model));
    }
    Output { tokens, errors }
}

#[cfg(test)]
mod tests;
