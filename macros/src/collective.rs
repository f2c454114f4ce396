//! `register_collective!(name, value)`: a value that implements `Collective` becomes a registered
//! algorithm.

use crate::args::{Args, Name, snake_case, split};
use crate::diagnostics::{Errors, Output};
use crate::krate::Krate;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::parse::{ParseStream, Parser};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Token};

const KEYS: &[&str] = &["crate"];

pub(crate) fn expand(input: TokenStream, krate: Krate) -> Output {
    Output::beside(TokenStream::new(), |errors| {
        let model = Model::parse(input, krate, errors)?;
        errors.is_empty().then(|| model.expand())
    })
}

/// A collective that may be registered.
struct Model {
    name: String,
    /// The type that holds the entry: the name as an identifier.
    entry: Ident,
    value: Expr,
    krate: Krate,
}

impl Model {
    fn parse(input: TokenStream, krate: Krate, errors: &mut Errors) -> Option<Self> {
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
        let krate = Args::from_parts(options, KEYS, errors).krate(krate, errors);
        if !name.check("collective", errors) {
            return None;
        }
        let entry = Ident::new(&name.text, name.span());
        Some(Self { name: name.text, entry, value, krate })
    }

    /// The instance, the entry, the submission.
    fn expand(&self) -> TokenStream {
        let Model { name, entry, value, krate } = self;
        let docs = format!("The collective `{name}`; `ENTRY` registers it by hand.");
        // A type that is no collective is reported at the value.
        let instance = quote_spanned!(value.span()=> &(#value));
        let companion = format_ident!("__collective_{entry}{}", place());
        quote! {
            #[doc(hidden)]
            #[allow(dead_code, non_camel_case_types, unreachable_pub)]
            pub enum #companion {}

            #[doc = #docs]
            #[allow(dead_code, non_camel_case_types, unreachable_pub)]
            pub type #entry = #companion;

            const _: () = {
                static DEF: #krate::__private::CollectiveDef =
                    #krate::__private::CollectiveDef {
                        collective: #krate::__private::Shared::Declared(#instance),
                    };

                impl #companion {
                    /// The registry entry, for registration by hand.
                    #[allow(dead_code, unreachable_pub)]
                    pub const ENTRY: #krate::__private::Entry =
                        #krate::__private::Entry::new(#krate::__private::meta!(#name), &DEF);
                }

                #krate::__private::submit! { #companion::ENTRY }
            };
        }
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
    let words = |input: ParseStream| -> syn::Result<(Ident, Ident)> {
        Ok((input.parse()?, input.parse()?))
    };
    // Two words lack the comma.
    if let Ok((name, value)) = words.parse2(input.clone()) {
        return format!("{name}, {value}");
    }
    let given = input.to_string().replace([' ', ','], "");
    let name = snake_case(&given);
    if name.is_empty() || name == given {
        "ring, RingReducer".into()
    } else {
        format!("{name}, {given}")
    }
}

/// The line and column of the registration: two of one name have a type each, so that the name is the
/// only mistake that the compiler finds.
fn place() -> String {
    if !proc_macro::is_available() {
        return String::new();
    }
    let at = proc_macro::Span::call_site();
    format!("_{}_{}", at.line(), at.column())
}

#[cfg(test)]
mod tests;
