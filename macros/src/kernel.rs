//! `#[kernel]`.
//!
//! Options and signature become a [`Model`](model::Model); the body is lowered once for each element
//! type to the typed kernel IR, by an own local type inference; native code, registry entry and
//! launch functions are expanded from those.

mod constants;
mod device_fn;
mod expand;
mod fragments;
mod infer;
mod lower;
mod model;
mod native;
mod options;
mod signature;

#[cfg(test)]
mod tests;

pub(crate) use device_fn::expand as device_fn;

use crate::diagnostics::{Errors, Output};
use crate::item::function;
use crate::krate::Krate;
use model::{Declared, Form, Model};
use proc_macro2::TokenStream;

/// The expansion of `#[kernel(args)] item`.
pub(crate) fn expand(args: TokenStream, item: TokenStream, krate: Krate) -> Output {
    let mut errors = Errors::default();
    let Some(function) = function::<Declared>(&item, "#[kernel]", &mut errors) else {
        return Output { tokens: item, errors };
    };
    let model = Model::new(args, function, krate, &mut errors);
    let instances = match model.options.form {
        _ if !errors.is_empty() => Vec::new(),
        Form::Host | Form::Function => Vec::new(),
        Form::Map | Form::Reduce | Form::Grid | Form::Group => {
            lower::instances(&model, &mut errors)
        }
    };
    let tokens = match errors.is_empty() {
        true => expand::kernel(&model, &instances),
        false => expand::stub(&model),
    };
    Output { tokens, errors }
}
