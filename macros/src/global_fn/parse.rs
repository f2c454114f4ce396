//! The arguments and the signature of the function, as written.

use crate::args::Args;
use crate::diagnostics::Errors;
use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Signature, Token, Visibility, token};

const KEYS: &[&str] = &["name", "crate"];

/// What `#[global_fn]` was given.
pub(super) struct Raw {
    pub(super) args: Args,
    pub(super) function: Function,
}

/// A function without its body, so that a half-typed one does no harm.
pub(super) struct Function {
    pub(super) attrs: Vec<Attribute>,
    pub(super) vis: Visibility,
    pub(super) signature: Signature,
    pub(super) has_body: bool,
}

impl Raw {
    pub(super) fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let args = Args::parse(args, KEYS, errors);
        match syn::parse2(item.clone()) {
            Ok(function) => Some(Self { args, function }),
            Err(_) => {
                errors.at(item, "`#[global_fn]` stands on a function");
                None
            }
        }
    }
}

impl Parse for Function {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis = input.parse()?;
        let signature = input.parse()?;
        let has_body = input.peek(token::Brace);
        if !has_body {
            input.parse::<Token![;]>()?;
        }
        input.parse::<TokenStream>()?;
        Ok(Self { attrs, vis, signature, has_body })
    }
}
