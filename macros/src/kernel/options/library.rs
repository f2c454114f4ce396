//! Routines of vendors' libraries that may compute the kernel: `library(cuda = gemm)`.

use super::Source;
use crate::args::{Args, Name};
use crate::diagnostics::Errors;
use crate::kernel::model::Form;
use proc_macro2::{TokenStream, TokenTree};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, Token};

const EXPECTED: &str =
    "backends with a routine of theirs in parentheses, as in `library(cuda = gemm)`";

/// `cuda = gemm`
pub(in crate::kernel) struct Library {
    /// The backend.
    pub(in crate::kernel) key: Ident,
    /// The routine, by the name that the backend has for it.
    pub(in crate::kernel) routine: Name,
}

impl Parse for Library {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let key = input.parse()?;
        input.parse::<Token![=]>()?;
        Ok(Self { key, routine: input.parse()? })
    }
}

/// The routines in parts `library(…)`.
pub(super) fn libraries(parts: Vec<TokenStream>, args: &Args, errors: &mut Errors) -> Vec<Library> {
    if let Some(key) = args.key("library") {
        errors.at(key, format!("`library` takes {EXPECTED}"));
    }
    let mut libraries: Vec<Library> = Vec::new();
    for part in parts {
        let Some(TokenTree::Group(list)) = part.clone().into_iter().nth(1) else { continue };
        let parsed = Punctuated::<Library, Token![,]>::parse_terminated.parse2(list.stream());
        let Some(parsed) = parsed.ok().filter(|parsed| !parsed.is_empty()) else {
            errors.at(part, format!("`library` takes {EXPECTED}"));
            continue;
        };
        for library in parsed {
            if libraries.iter().any(|other| other.key == library.key) {
                let key = &library.key;
                errors.at(key, format!("`{key}` is given twice")).help("keep one of them");
            } else if library.routine.check("routine", errors) {
                libraries.push(library);
            }
        }
    }
    libraries
}

/// Refuses routines for a kernel or a backend that has no use for them.
pub(super) fn check(
    libraries: &[Library],
    form: Form,
    has_domain: bool,
    devices: &[String],
    sources: &[Source],
    errors: &mut Errors,
) {
    for Library { key, .. } in libraries {
        if !matches!(form, Form::Grid | Form::Group) {
            errors
                .at(key, format!("{} has no routines of libraries", form.article()))
                .help("write it as a grid or group kernel");
        } else if !has_domain {
            errors
                .at(key, "a routine computes a whole launch, and this kernel declares no domain")
                .help("compute it from the arguments: `domain = (rows, columns)`");
        } else if sources.iter().any(|source| source.key == *key) {
            errors
                .at(key, format!("the devices of `{key}` run a source instead of the body"))
                .help("drop the source or the routine");
        } else if !devices.iter().any(|device| *device == Name::of(key).text) {
            errors
                .at(key, format!("this kernel does not run on `{key}`"))
                .help(format!("add it to the backends: `device = [{key}, …]`"));
        }
    }
}
