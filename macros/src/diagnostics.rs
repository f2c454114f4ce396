//! The errors of an item, all of them, beside the item itself.

use crate::krate::Krate;
use proc_macro2::TokenStream;
use quote::ToTokens;
use ringwood_ir::nearest;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a macro makes of an item: the item, what was generated for it, and what is wrong with it.
pub(crate) struct Output {
    /// The user's item without our own attributes, and the generated code unless there are errors.
    pub(crate) tokens: TokenStream,
    /// The mistakes found, each at its place.
    pub(crate) errors: Errors,
}

impl Output {
    /// An item, and what a macro makes of it unless it finds mistakes.
    pub(crate) fn beside(
        item: TokenStream,
        expand: impl FnOnce(&mut Errors) -> Option<TokenStream>,
    ) -> Self {
        let (mut tokens, mut errors) = (item, Errors::default());
        tokens.extend(expand(&mut errors));
        Output { tokens, errors }
    }

    /// The tokens that the compiler gets.
    pub(crate) fn into_tokens(self) -> TokenStream {
        let Output { mut tokens, errors } = self;
        errors.to_tokens(&mut tokens);
        tokens
    }
}

/// The core of an attribute macro: arguments, item and default crate path to output.
pub(crate) type Attribute = fn(TokenStream, TokenStream, Krate) -> Output;

/// Runs an attribute macro; a panic, always a mistake of ours, keeps the item and becomes an error.
pub(crate) fn attribute(
    expand: Attribute,
    args: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
    krate: Krate,
) -> proc_macro::TokenStream {
    let (args, item) = (TokenStream::from(args), TokenStream::from(item));
    let kept = item.clone();
    run(kept, || expand(args, item, krate))
}

/// Runs a function-like macro.
pub(crate) fn function(
    expand: fn(TokenStream, Krate) -> Output,
    input: proc_macro::TokenStream,
    krate: Krate,
) -> proc_macro::TokenStream {
    run(TokenStream::new(), || expand(input.into(), krate))
}

fn run(kept: TokenStream, expand: impl FnOnce() -> Output) -> proc_macro::TokenStream {
    let output = catch_unwind(AssertUnwindSafe(expand)).unwrap_or_else(|_| {
        let mut errors = Errors::default();
        errors
            .at(TokenStream::new(), "this macro of ringwood failed on the item")
            .help("please report the item and this message");
        Output { tokens: kept, errors }
    });
    output.into_tokens().into()
}

/// Collects mistakes, so that an item reports all of them at once.
#[derive(Default)]
pub(crate) struct Errors(Vec<Diagnostic>);

/// One mistake: what is wrong, where, and what to do about it.
pub(crate) struct Diagnostic {
    error: syn::Error,
    at: Option<TokenStream>,
    help: Vec<String>,
}

impl Errors {
    /// Adds a mistake at `tokens` (at the macro's name if there are none).
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl Display) -> &mut Diagnostic {
        let at = tokens.into_token_stream();
        let diagnostic = self.push(syn::Error::new_spanned(&at, message));
        diagnostic.at = Some(at);
        diagnostic
    }

    /// Adds what a parser reported, with its own places.
    fn push(&mut self, error: syn::Error) -> &mut Diagnostic {
        self.0.push(Diagnostic { error, at: None, help: Vec::new() });
        let last = self.0.len() - 1;
        &mut self.0[last]
    }

    /// The value, or its error added to the others.
    pub(crate) fn check<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        match result {
            Ok(value) => Some(value),
            Err(error) => {
                self.push(error);
                None
            }
        }
    }

    /// Adds all mistakes of another collection.
    pub(crate) fn append(&mut self, mut other: Errors) {
        self.0.append(&mut other.0);
    }

    /// Whether nothing is wrong.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of mistakes.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The text of each mistake, with its help.
    #[cfg(test)]
    pub(crate) fn messages(&self) -> Vec<String> {
        self.0.iter().map(Diagnostic::text).collect()
    }
}

impl Diagnostic {
    /// Adds what to do about it.
    pub(crate) fn help(&mut self, help: impl Display) -> &mut Self {
        self.help.push(format!("help: {help}"));
        self
    }

    /// Adds a fact that explains it.
    pub(crate) fn note(&mut self, note: impl Display) -> &mut Self {
        self.help.push(format!("note: {note}"));
        self
    }

    /// Adds `did you mean …` if one of the `known` names is near `name`, else the list of them.
    pub(crate) fn suggest(&mut self, name: &str, known: &[&str]) -> &mut Self {
        match nearest(name, known) {
            Some(near) => self.help(format!("did you mean `{near}`?")),
            None => self.help(format!("known are {}", quoted(known))),
        }
    }

    fn text(&self) -> String {
        let message = self.error.to_string();
        if self.help.is_empty() { message } else { format!("{message}\n{}", self.help.join("\n")) }
    }
}

impl ToTokens for Errors {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        for diagnostic in &self.0 {
            tokens.extend(match &diagnostic.at {
                Some(at) => syn::Error::new_spanned(at, diagnostic.text()).to_compile_error(),
                None => diagnostic.error.to_compile_error(),
            });
        }
    }
}

/// `a`, `b` and `c`, each in backticks.
pub(crate) fn quoted(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().map(|n| format!("`{n}`")).collect();
    match names.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "none".into(),
    }
}

#[cfg(test)]
mod tests;
