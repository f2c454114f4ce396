//! The validated function: all that the expansion needs.

use crate::args::{Args, Name};
use crate::diagnostics::Errors;
use crate::item::cfgs;
use crate::krate::Krate;
use crate::text::text;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, FnArg, Ident, Pat, PatType, ReturnType, Signature, Token, Type, TypeReference,
    Visibility, parse_quote, token,
};

/// A function without its body, so that a half-typed one does no harm.
pub(super) struct Function {
    attrs: Vec<Attribute>,
    vis: Visibility,
    signature: Signature,
    has_body: bool,
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

/// A function that may be registered.
pub(super) struct Model {
    pub(super) name: String,
    pub(super) ident: Ident,
    pub(super) vis: Visibility,
    pub(super) cfgs: Vec<Attribute>,
    /// Whether the first parameter is the worker.
    pub(super) worker: bool,
    pub(super) parameters: Vec<Parameter>,
    pub(super) result: Type,
    pub(super) krate: Krate,
}

/// A parameter after the worker.
pub(super) struct Parameter {
    pub(super) name: Ident,
    pub(super) ty: Type,
}

impl Model {
    pub(super) fn new(
        args: &Args,
        function: Function,
        krate: Krate,
        errors: &mut Errors,
    ) -> Option<Self> {
        let krate = args.krate(krate, errors);
        let Function { attrs, vis, signature, has_body } = function;
        let name = match args.key("name") {
            Some(_) => args.value("name", "a string, as in `name = \"train_step\"`", errors),
            None => Some(Name::of(&signature.ident)),
        };
        if let Some(name) = &name {
            name.check("global function", errors);
        }
        if !has_body {
            errors.at(&signature, format!("`{}` has no body", signature.ident));
        }
        check_form(&signature, errors);
        let mut inputs: Vec<_> = signature.inputs.into_iter().collect();
        let worker = inputs.first().is_some_and(|input| takes_worker(input, errors));
        let parameters = inputs.drain(usize::from(worker)..);
        let parameters = parameters.filter_map(|input| parameter(input, errors)).collect();
        let result = result(signature.output, errors);
        let (ident, cfgs) = (signature.ident, cfgs(&attrs));
        Some(Self { name: name?.text, ident, vis, cfgs, worker, parameters, result, krate })
    }
}

/// Workers find a function by its name alone and call it on their own thread.
fn check_form(signature: &Signature, errors: &mut Errors) {
    if let Some(asyncness) = &signature.asyncness {
        errors
            .at(asyncness, "a global function cannot be `async`")
            .help("each worker has a thread of its own: block in the function");
    }
    let safety = signature.safety.to_token_stream();
    if safety.to_string() == "unsafe" {
        errors
            .at(safety, "a global function cannot be `unsafe`")
            .help("a session calls it with any arguments of the right types");
    }
    if let Some(abi) = &signature.abi {
        errors.at(abi, "a global function cannot be `extern`");
    }
    if !signature.generics.params.is_empty() {
        errors
            .at(
                &signature.generics,
                "a global function cannot be generic: its name is one function",
            )
            .help("declare one function for each type, and let them call the generic one");
    }
    if let Some(variadic) = &signature.variadic {
        errors.at(variadic, "a global function has a fixed number of parameters");
    }
}

/// Whether the first parameter is the worker; reports one that is not a shared reference.
fn takes_worker(input: &FnArg, errors: &mut Errors) -> bool {
    let FnArg::Typed(PatType { pat, ty, .. }) = input else { return false };
    let (worker, shared) = match &**ty {
        Type::Reference(TypeReference { mutability, elem, .. }) => (elem, mutability.is_none()),
        _ => (ty, false),
    };
    if !is_worker(worker) {
        return false;
    }
    if !shared {
        errors.at(ty, "a global function borrows its worker").help(format!(
            "write `{}: &{}`",
            text(pat),
            text(worker)
        ));
    }
    true
}

fn is_worker(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|s| s.ident == "Worker")
}

fn parameter(input: FnArg, errors: &mut Errors) -> Option<Parameter> {
    let PatType { pat, ty, .. } = match input {
        FnArg::Typed(typed) => typed,
        FnArg::Receiver(receiver) => {
            errors
                .at(receiver, "a global function cannot be a method")
                .help("keep state between calls with `Worker::state`");
            return None;
        }
    };
    check_type(&pat, &ty, errors);
    match *pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
            Some(Parameter { name: pat.ident, ty: *ty })
        }
        pat => {
            errors
                .at(&pat, "a parameter of a global function needs a name, not a pattern")
                .help("name it, and take it apart in the body");
            None
        }
    }
}

fn check_type(pat: &Pat, ty: &Type, errors: &mut Errors) {
    match ty {
        Type::Reference(reference) if is_worker(&reference.elem) => {
            errors.at(ty, "the worker is the first parameter of a global function");
        }
        Type::Reference(reference) => {
            let (pat, owned) = (text(pat), owned(&reference.elem));
            errors
                .at(ty, format!("a value behind `{}` does not live on another worker", text(ty)))
                .help(format!("take `{pat}: {owned}`"));
        }
        Type::ImplTrait(_) => refuse_impl(ty, errors),
        _ => {}
    }
}

/// The owned type for a borrowed one: `String` for `str`, `Vec<T>` for `[T]`.
fn owned(ty: &Type) -> String {
    match ty {
        Type::Slice(slice) => format!("Vec<{}>", text(&slice.elem)),
        ty if text(ty) == "str" => "String".into(),
        ty => text(ty),
    }
}

fn result(output: ReturnType, errors: &mut Errors) -> Type {
    let ReturnType::Type(_, ty) = output else { return parse_quote!(()) };
    match &*ty {
        Type::ImplTrait(_) => refuse_impl(&ty, errors),
        Type::Reference(reference) => {
            errors
                .at(&ty, "the result of a global function is owned")
                .help(format!("return `{}`", owned(&reference.elem)));
        }
        _ => {}
    }
    *ty
}

fn refuse_impl(ty: &Type, errors: &mut Errors) {
    errors
        .at(ty, format!("`{}` names no type", text(ty)))
        .help("write the type itself: it decides how the value travels");
}
