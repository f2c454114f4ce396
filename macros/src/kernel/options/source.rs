//! Sources: what devices run instead of the body.

use super::KEYS;
use crate::args::Name;
use crate::diagnostics::Errors;
use crate::kernel::model::Form;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, ExprMacro, Ident, Lit};

/// `cuda = include_str!("k.cu")`
pub(in crate::kernel) struct Source {
    /// The backend.
    pub(in crate::kernel) key: Ident,
    /// The text, an expression of type `&'static str`.
    pub(in crate::kernel) text: Expr,
}

impl Source {
    /// The path of the file that holds the text, from the folder of the declaring file.
    pub(in crate::kernel) fn path(&self) -> Option<TokenStream> {
        match &self.text {
            Expr::Macro(ExprMacro { mac, .. }) if mac.path.is_ident("include_str") => {
                Some(mac.tokens.clone())
            }
            _ => None,
        }
    }

    /// The line on which the text starts.
    pub(in crate::kernel) fn line(&self) -> u32 {
        match self.path() {
            Some(_) => 1,
            None => self.text.span().start().line as u32,
        }
    }

    pub(in crate::kernel) fn span(&self) -> Span {
        self.text.span()
    }
}

/// Whether a part of the options is `name = "text"` or `name = text!(…)`, with a name that is no key: the
/// macro knows no backend by name.
pub(super) fn is_source(part: &TokenStream) -> bool {
    let mut tokens = part.clone().into_iter();
    let (Some(TokenTree::Ident(key)), Some(TokenTree::Punct(equals))) =
        (tokens.next(), tokens.next())
    else {
        return false;
    };
    let value: TokenStream = tokens.collect();
    let value = syn::parse2::<Expr>(value);
    let is_text = matches!(value, Ok(Expr::Lit(ExprLit { lit: Lit::Str(_), .. }) | Expr::Macro(_)));
    equals.as_char() == '=' && is_text && !KEYS.contains(&key.to_string().as_str())
}

/// The sources in parts for which [`is_source`] holds.
pub(super) fn sources(parts: Vec<TokenStream>, form: Form, errors: &mut Errors) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for part in parts {
        let assign = errors.check(syn::parse2::<syn::ExprAssign>(part));
        let Some(syn::ExprAssign { left, right, .. }) = assign else { continue };
        let key = errors.check(syn::parse2::<Ident>(left.to_token_stream()));
        let Some(key) = key.filter(|key| Name::of(key).check("backend", errors)) else { continue };
        if sources.iter().any(|source| source.key == key) {
            errors.at(&key, format!("`{key}` is given twice")).help("keep one of them");
        }
        sources.push(Source { key, text: *right });
    }
    if let (Some(source), false) = (sources.first(), matches!(form, Form::Grid | Form::Group)) {
        errors
            .at(&source.key, format!("{} has no sources for devices", form.article()))
            .help("write it as a grid or group kernel");
    }
    sources
}
