//! The argument list of a macro: `key` and `key = value`, separated by commas.

use crate::diagnostics::Errors;
use crate::krate::Krate;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Ident, LitStr, Path, Token, bracketed, token};

/// The arguments of one macro: each key known, and given once.
#[derive(Default)]
pub(crate) struct Args(Vec<Arg>);

struct Arg {
    key: Ident,
    /// What stands after `=`, if that is there.
    value: Option<TokenStream>,
}

impl Args {
    /// Parses a whole list.
    pub(crate) fn parse(tokens: TokenStream, known: &[&str], errors: &mut Errors) -> Self {
        Self::from_parts(split(tokens), known, errors)
    }

    /// Parses the parts that [`split`] returned, after the macro took those of its own grammar.
    pub(crate) fn from_parts(
        parts: impl IntoIterator<Item = TokenStream>,
        known: &[&str],
        errors: &mut Errors,
    ) -> Self {
        let mut args = Self::default();
        for part in parts {
            let Some(arg) = errors.check(syn::parse2::<Arg>(part)) else { continue };
            let key = arg.key.to_string();
            if !known.contains(&key.as_str()) {
                errors.at(&arg.key, format!("unknown key `{key}`")).suggest(&key, known);
            } else if args.key(&key).is_some() {
                errors.at(&arg.key, format!("`{key}` is given twice")).help("keep one of them");
            } else {
                args.0.push(arg);
            }
        }
        args
    }

    /// The key as written, for the span of an error about it.
    pub(crate) fn key(&self, key: &str) -> Option<&Ident> {
        self.find(key).map(|arg| &arg.key)
    }

    /// Whether the key is given; it takes no value.
    pub(crate) fn flag(&self, key: &str, errors: &mut Errors) -> bool {
        let Some(arg) = self.find(key) else { return false };
        if let Some(value) = &arg.value {
            errors
                .at(value, format!("`{key}` takes no value"))
                .help(format!("write `{key}` alone"));
        }
        true
    }

    /// The value of `key = value`; `expected` completes the sentence "`key` takes …".
    pub(crate) fn value<T: Parse>(
        &self,
        key: &str,
        expected: &str,
        errors: &mut Errors,
    ) -> Option<T> {
        self.parse_value(key, expected, errors, T::parse)
    }

    /// The values of `key = [a, b]`, or the one of `key = a`.
    pub(crate) fn list<T: Parse>(
        &self,
        key: &str,
        expected: &str,
        errors: &mut Errors,
    ) -> Option<Vec<T>> {
        self.parse_value(key, expected, errors, |input| {
            if !input.peek(token::Bracket) {
                return Ok(vec![input.parse()?]);
            }
            let list;
            bracketed!(list in input);
            Ok(Punctuated::<T, Token![,]>::parse_terminated(&list)?.into_iter().collect())
        })
    }

    /// The path of the argument `crate = …`, or the default.
    pub(crate) fn krate(&self, default: Krate, errors: &mut Errors) -> Krate {
        let path = self.value("crate", "a path, as in `crate = ::ringwood`", errors);
        path.map_or(default, |path| krate_at(path, errors))
    }

    fn parse_value<T>(
        &self,
        key: &str,
        expected: &str,
        errors: &mut Errors,
        parser: impl FnOnce(ParseStream) -> syn::Result<T>,
    ) -> Option<T> {
        let arg = self.find(key)?;
        let message = format!("`{key}` takes {expected}");
        let Some(value) = &arg.value else {
            errors.at(&arg.key, message);
            return None;
        };
        let parsed = parser.parse2(value.clone()).ok();
        if parsed.is_none() {
            errors.at(value, message);
        }
        parsed
    }

    fn find(&self, key: &str) -> Option<&Arg> {
        self.0.iter().find(|arg| arg.key == key)
    }
}

impl Parse for Arg {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let key = input.call(Ident::parse_any)?;
        if input.is_empty() {
            return Ok(Self { key, value: None });
        }
        if !input.peek(Token![=]) {
            return Err(input.error(format!("expected `=`, as in `{key} = …`")));
        }
        let equals: Token![=] = input.parse()?;
        if input.is_empty() {
            return Err(syn::Error::new_spanned(equals, format!("`{key} =` has no value")));
        }
        Ok(Self { key, value: Some(input.parse()?) })
    }
}

/// The crate at a path. A relative one would mean something else in each module that the expansion opens.
pub(crate) fn krate_at(path: Path, errors: &mut Errors) -> Krate {
    let text = path.to_token_stream().to_string().replace(' ', "");
    let first = path.segments.first().map(|s| s.ident.to_string()).unwrap_or_default();
    if path.leading_colon.is_none() && first != "crate" && first != "$crate" {
        let error = errors.at(&path, format!("`crate = {text}` is a relative path"));
        match text.rsplit_once("super::").or_else(|| text.split_once("self::")) {
            Some((_, tail)) => {
                error.help(format!("name it from the root: `crate = crate::…::{tail}`"))
            }
            None => error.help(format!(
                "write `crate = ::{text}` for a dependency, `crate = crate::{text}` for a module"
            )),
        };
    }
    Krate::at(path)
}

/// The parts of a list between its commas; empty parts are dropped.
pub(crate) fn split(tokens: TokenStream) -> Vec<TokenStream> {
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(p) if p.as_char() == ',');
    let tokens: Vec<_> = tokens.into_iter().collect();
    let parts = tokens.split(is_comma).filter(|part| !part.is_empty());
    parts.map(|part| part.iter().cloned().collect()).collect()
}

/// Words that mean the devices of several backends.
const CLASSES: &[&str] = &["gpu", "gpus", "accelerator", "any", "all"];

/// A name under which an item is registered: an identifier or a string.
pub(crate) struct Name {
    /// The text, without quotes.
    pub(crate) text: String,
    tokens: TokenStream,
}

impl Name {
    /// The name of the item that `ident` names.
    pub(crate) fn of(ident: &Ident) -> Self {
        Self { text: ident.unraw().to_string(), tokens: ident.to_token_stream() }
    }

    /// Where the name stands.
    pub(crate) fn span(&self) -> Span {
        self.tokens.span()
    }

    /// [`Name::check`] for a backend; also reports a word that means several backends.
    pub(crate) fn check_backend(&self, errors: &mut Errors) -> bool {
        if !CLASSES.contains(&self.text.as_str()) {
            return self.check("backend", errors);
        }
        errors
            .at(self, format!("`{}` is a class of devices, and no backend is called so", self.text))
            .help("name each backend, as in `[cpu, opencl, cuda]`; `ringwood devices` lists them");
        false
    }

    /// Whether the name is `[a-z][a-z0-9_]*`; if not, reports it as the name of a `noun`.
    pub(crate) fn check(&self, noun: &str, errors: &mut Errors) -> bool {
        let text = &self.text;
        let first = text.starts_with(|c: char| c.is_ascii_lowercase());
        let legal = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        if first && text.chars().all(legal) {
            return true;
        }
        let message = format!("`{text}` cannot be the name of a {noun}");
        let error = errors.at(self, message);
        error.note("a name starts with a letter a-z and goes on with letters a-z, digits and `_`");
        let corrected = snake_case(text);
        if !corrected.is_empty() && corrected != *text {
            error.help(format!("write `{corrected}`"));
        }
        false
    }
}

impl Parse for Name {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            return Ok(Self { text: literal.value(), tokens: literal.to_token_stream() });
        }
        match input.call(Ident::parse_any) {
            Ok(ident) => Ok(Self::of(&ident)),
            Err(_) => Err(input.error("expected a name: an identifier or a string")),
        }
    }
}

impl ToTokens for Name {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
    }
}

/// The nearest legal name: `MyChip` and `my-chip` become `my_chip`.
pub(crate) fn snake_case(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        let boundary = c.is_uppercase() && name.ends_with(|p: char| p.is_ascii_alphanumeric());
        if boundary || !c.is_ascii_alphanumeric() {
            name.push('_');
        }
        if c.is_ascii_alphanumeric() {
            name.push(c.to_ascii_lowercase());
        }
    }
    name.trim_start_matches(|c: char| c == '_' || c.is_ascii_digit()).trim_end_matches('_').into()
}

#[cfg(test)]
mod tests;
