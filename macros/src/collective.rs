//! `register_collective!(name, value)`: a value that implements `Collective` becomes a registered
//! algorithm.

mod expand;
mod model;
mod parse;

use crate::diagnostics::{Errors, Output};
use crate::krate::Krate;
use model::Model;
use parse::Raw;
use proc_macro2::TokenStream;

pub(crate) fn expand(input: TokenStream, krate: Krate) -> Output {
    let mut errors = Errors::default();
    let raw = Raw::parse(input, &mut errors);
    let model = raw.and_then(|raw| Model::new(raw, krate, &mut errors));
    let tokens = match &model {
        Some(model) if errors.is_empty() => expand::expand(model),
        _ => TokenStream::new(),
    };
    Output { tokens, errors }
}

#[cfg(test)]
mod tests;
