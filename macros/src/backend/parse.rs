//! The arguments and the head of the impl, as written.

use crate::args::Args;
use crate::diagnostics::Errors;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Generics, Path, Token, Type};

const KEYS: &[&str] = &["name", "kernels_of", "dialect", "crate"];

/// What `#[backend]` was given.
pub(super) struct Raw {
    pub(super) args: Args,
    pub(super) head: Head,
}

/// `impl<…> Trait for Type`; the body is not looked at, so that a half-typed one does no harm.
pub(super) struct Head {
    pub(super) attrs: Vec<Attribute>,
    pub(super) generics: Generics,
    pub(super) negative: Option<Token![!]>,
    /// The path of the trait, unless the impl is inherent.
    pub(super) of_trait: Option<Path>,
    pub(super) self_type: Type,
    /// `where` and its predicates.
    pub(super) bounds: TokenStream,
}

impl Raw {
    pub(super) fn parse(args: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Self> {
        let args = Args::parse(args, KEYS, errors);
        match syn::parse2(item.clone()) {
            Ok(head) => Some(Self { args, head }),
            Err(_) => {
                errors
                    .at(item, "`#[backend]` stands on `impl Backend for …`")
                    .help("move the attribute to the impl of the trait `Backend`");
                None
            }
        }
    }
}

impl Parse for Head {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attrs = input.call(Attribute::parse_outer)?;
        input.parse::<Option<Token![unsafe]>>()?;
        input.parse::<Token![impl]>()?;
        let mut generics: Generics = input.parse()?;
        let negative = input.parse()?;
        let first: Type = input.parse()?;
        let (of_trait, self_type) = if input.parse::<Option<Token![for]>>()?.is_some() {
            (Some(syn::parse2(first.to_token_stream())?), input.parse()?)
        } else {
            (None, first)
        };
        generics.where_clause = input.parse()?;
        let bounds = generics.where_clause.to_token_stream();
        input.parse::<TokenStream>()?;
        Ok(Self { attrs, generics, negative, of_trait, self_type, bounds })
    }
}
