//! The arguments as written: `name, value, key = …`.

use crate::args::{Args, Name, snake_case, split};
use crate::diagnostics::Errors;
use proc_macro2::TokenStream;
use syn::parse::{ParseStream, Parser};
use syn::{Expr, Token};

const KEYS: &[&str] = &["crate"];

/// What `register_collective!` was given.
pub(super) struct Raw {
    pub(super) name: Name,
    pub(super) value: Expr,
    pub(super) args: Args,
}

impl Raw {
    pub(super) fn parse(input: TokenStream, errors: &mut Errors) -> Option<Self> {
        if split(input.clone()).len() < 2 {
            errors
                .at(&input, "`register_collective!` takes a name and a value")
                .help(format!("write `register_collective!({})`", proposal(&input)));
            return None;
        }
        let (name, value, rest) = errors.check(name_and_value.parse2(input))?;
        let (options, extra): (Vec<_>, Vec<_>) =
            split(rest).into_iter().partition(|part| part.to_string().contains('='));
        for part in extra {
            errors.at(&part, format!("`{part}` is one argument too many"));
        }
        Some(Self { name, value, args: Args::from_parts(options, KEYS, errors) })
    }
}

fn name_and_value(input: ParseStream) -> syn::Result<(Name, Expr, TokenStream)> {
    let name = input.parse()?;
    input.parse::<Token![,]>()?;
    let value = input.parse()?;
    if !input.is_empty() {
        input.parse::<Token![,]>()?;
    }
    Ok((name, value, input.parse()?))
}

/// The call that was probably meant: a lone `RingReducer` is the value.
fn proposal(input: &TokenStream) -> String {
    let given = input.to_string().replace([' ', ','], "");
    let name = snake_case(&given);
    if name.is_empty() || name == given {
        "ring, RingReducer".into()
    } else {
        format!("{name}, {given}")
    }
}
