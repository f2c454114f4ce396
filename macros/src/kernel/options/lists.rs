//! What the parameters of a kernel stand for: element types, values of constants.

use crate::diagnostics::Errors;
use proc_macro2::{TokenStream, TokenTree};
use ringwood_ir::Type;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, LitInt, Token, bracketed};

/// A type parameter and what it stands for in each instance.
pub(in crate::kernel) struct TypeList {
    pub(in crate::kernel) parameter: Ident,
    pub(in crate::kernel) elements: Vec<Type>,
}

/// A compile-time parameter and its values, each of which is a kernel.
pub(in crate::kernel) struct ConstList {
    pub(in crate::kernel) parameter: Ident,
    pub(in crate::kernel) ty: Type,
    pub(in crate::kernel) values: Vec<i128>,
}

/// `in [a, b]`
fn listed<T: Parse>(input: ParseStream) -> syn::Result<Punctuated<T, Token![,]>> {
    input.parse::<Token![in]>()?;
    let list;
    bracketed!(list in input);
    Punctuated::parse_terminated(&list)
}

/// `const TILE: usize in [16, 32]`
pub(super) fn const_list(tokens: TokenStream, errors: &mut Errors) -> Option<ConstList> {
    let raw = |input: ParseStream| {
        input.parse::<Token![const]>()?;
        let parameter: Ident = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok((parameter, input.parse::<Ident>()?, listed::<LitInt>(input)?))
    };
    let (parameter, name, literals) = errors.check(raw.parse2(tokens))?;
    let Some(ty) = Type::parse(&name.to_string()).filter(|ty| ty.is_integer()) else {
        errors
            .at(&name, format!("a compile-time parameter is an integer, not `{name}`"))
            .help("write `const TILE: usize in [16, 32]`");
        return None;
    };
    if literals.is_empty() {
        errors.at(&parameter, format!("`{parameter}` has no value")).help("list one: `[16]`");
    }
    let mut values = Vec::new();
    for literal in literals {
        let value = literal.base10_parse::<i128>().unwrap_or(i128::MAX);
        let fits = ty.integer_range().is_some_and(|(min, max)| (min..=max).contains(&value));
        if !fits {
            errors
                .at(&literal, format!("`{literal}` is out of range for `{ty}`"))
                .help("list a smaller value");
        } else if values.contains(&value) {
            errors.at(&literal, format!("`{literal}` is listed twice")).help("drop one of them");
        } else {
            values.push(value);
        }
    }
    Some(ConstList { parameter, ty, values })
}

pub(super) fn is_type_list(part: &TokenStream) -> bool {
    let second = part.clone().into_iter().nth(1);
    matches!(second, Some(TokenTree::Ident(word)) if word == "in")
}

pub(super) fn type_list(tokens: TokenStream, errors: &mut Errors) -> Option<TypeList> {
    let raw = |input: ParseStream| Ok((input.parse::<Ident>()?, listed::<Ident>(input)?));
    let (parameter, types) = errors.check(raw.parse2(tokens))?;
    let mut elements = Vec::new();
    if types.is_empty() {
        errors
            .at(&parameter, format!("`{parameter}` has no element type"))
            .help("list one: `[f32]`");
    }
    for name in types {
        match Type::parse(&name.to_string()) {
            Some(element) if elements.contains(&element) => {
                errors.at(&name, format!("`{name}` is listed twice"));
            }
            Some(element) if element != Type::Usize => elements.push(element),
            _ => {
                let known = Type::ALL.iter().filter(|ty| **ty != Type::Usize);
                let known: Vec<_> = known.map(|ty| ty.name()).collect();
                errors
                    .at(&name, format!("`{name}` is not an element type"))
                    .suggest(&name.to_string(), &known);
            }
        }
    }
    Some(TypeList { parameter, elements })
}
