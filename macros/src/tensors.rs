//! `#[derive(Tensors)]`: a struct becomes an argument and a result of recorded functions.

use crate::args::krate_at;
use crate::diagnostics::{Errors, Output};
use crate::item::mentions;
use crate::krate::Krate;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Field, Fields, Generics, Ident, Member, Path, Token};

/// A field of the struct.
struct Part {
    member: Member,
    name: String,
    ty: syn::Type,
    /// Whether it is no tensor, but decides what is recorded.
    configuration: bool,
}

pub(crate) fn expand(item: TokenStream, krate: Krate) -> Output {
    Output::beside(TokenStream::new(), |errors| {
        let input = errors.check(syn::parse2::<DeriveInput>(item))?;
        let krate = krate_of(&input, krate, errors);
        let parts = parts(&input, errors)?;
        errors.is_empty().then(|| implementation(&input, &parts, &krate))
    })
}

/// What `#[tensors(crate = path)]` on the struct says, else the default.
fn krate_of(input: &DeriveInput, default: Krate, errors: &mut Errors) -> Krate {
    let mut krate = default;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("tensors")) {
        let parsed = attribute.parse_args_with(|tokens: syn::parse::ParseStream<'_>| {
            tokens.parse::<Token![crate]>()?;
            tokens.parse::<Token![=]>()?;
            tokens.call(Path::parse_mod_style)
        });
        match parsed {
            Ok(path) => krate = krate_at(path, errors),
            Err(_) => {
                errors
                    .at(attribute, "a struct of tensors takes the argument `crate = path` alone")
                    .help("what is no tensor is marked at its field: `#[tensors(configuration)]`");
            }
        }
    }
    krate
}

/// The fields in order, or `None` for what has none.
fn parts(input: &DeriveInput, errors: &mut Errors) -> Option<Vec<Part>> {
    let fields = match &input.data {
        Data::Struct(data) => &data.fields,
        Data::Enum(data) => {
            errors
                .at(data.enum_token, "an enum is no struct of tensors")
                .help("what a program computes does not depend on data: use a struct, and `Option` for what may be absent");
            return None;
        }
        Data::Union(data) => {
            errors.at(data.union_token, "a union is no struct of tensors").help("use a struct");
            return None;
        }
    };
    Some(fields.iter().enumerate().map(|(i, field)| part(i, field, fields, errors)).collect())
}

fn part(i: usize, field: &Field, fields: &Fields, errors: &mut Errors) -> Part {
    let (member, name) = match (&field.ident, fields) {
        (Some(ident), _) => (Member::from(ident.clone()), ident.unraw().to_string()),
        (None, _) => (Member::from(i), i.to_string()),
    };
    let mut configuration = false;
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("tensors")) {
        match attribute.parse_args_with(Ident::parse_any) {
            Ok(word) if word == "configuration" => configuration = true,
            Ok(word) => {
                errors
                    .at(&word, format!("a field of tensors has no argument `{word}`"))
                    .suggest(&word.to_string(), &["configuration"]);
            }
            Err(_) => {
                errors
                    .at(attribute, "a field of tensors takes one word")
                    .help("`#[tensors(configuration)]` marks what is no tensor");
            }
        }
    }
    Part { member, name, ty: field.ty.clone(), configuration }
}

fn implementation(input: &DeriveInput, parts: &[Part], krate: &Krate) -> TokenStream {
    let ident = &input.ident;
    let lazy = quote!(#krate::lazy);
    let generics = bounded(&input.generics, parts, &lazy);
    let (of, arguments, bounds) = generics.split_for_impl();
    // Types are written out, so that one that does not fit is reported where it stands.
    let visits = parts.iter().map(|Part { member, name, ty, configuration }| match configuration {
        true => quote_spanned! {ty.span().resolved_at(Span::call_site())=>
            visitor.configuration(&self.#member);
        },
        false => quote!(visitor.field::<#ty>(#name, &self.#member);),
    });
    let fields = parts.iter().map(|Part { member, ty, configuration, .. }| match configuration {
        true => quote!(#member: self.#member),
        false => quote!(#member: <#ty as #lazy::Tensors>::map(self.#member, f)),
    });
    quote! {
        #[automatically_derived]
        #[allow(unused_variables)]
        impl #of #lazy::Tensors for #ident #arguments #bounds {
            fn visit<'visited>(&'visited self, visitor: &mut #lazy::Visitor<'visited>) {
                #(#visits)*
            }

            fn map(self, f: &mut dyn ::core::ops::FnMut(#lazy::Lazy) -> #lazy::Lazy) -> Self {
                Self { #(#fields),* }
            }
        }
    }
}

/// The generics, with a bound for the type of each field of tensors that a type parameter is part of.
fn bounded(generics: &Generics, parts: &[Part], lazy: &TokenStream) -> Generics {
    let mut bounded = generics.clone();
    let parameters: Vec<_> = generics.type_params().map(|parameter| &parameter.ident).collect();
    let tensors = parts.iter().filter(|part| !part.configuration).map(|part| &part.ty);
    for ty in
        tensors.filter(|ty| mentions(ty.to_token_stream(), &|word| parameters.contains(&word)))
    {
        bounded.make_where_clause().predicates.push(syn::parse_quote!(#ty: #lazy::Tensors));
    }
    bounded
}

#[cfg(test)]
mod tests;
