//! The options of `#[kernel(…)]`.

use super::model::{Element, Form};
use crate::args::{Args, Name, split};
use crate::diagnostics::Errors;
use crate::krate::Krate;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use ringwood_ir::Modes;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Ident, Token, bracketed};

const KEYS: &[&str] = &[
    "map",
    "host",
    "group",
    "groups",
    "device",
    "domain",
    "requires",
    "racy",
    "nondeterministic",
    "fp",
    "crate",
];

/// The options, checked for themselves.
pub(super) struct Options {
    pub(super) form: Form,
    /// The backends, as the author names them.
    pub(super) devices: Vec<String>,
    /// `T in [f32, f64]`
    pub(super) types: Option<TypeList>,
    /// `domain = (rows, columns)`, or `groups = …` of a group kernel: the extents, slowest first.
    pub(super) domain: Vec<Expr>,
    /// `group = 256`, `group = (16, 16)`: the size of a group, slowest dimension first.
    pub(super) group: Vec<Expr>,
    /// `requires(x.len() == y.len(), …)`: what must hold at a launch.
    pub(super) requires: Vec<Expr>,
    pub(super) modes: Modes,
    pub(super) krate: Krate,
}

/// A type parameter and what it stands for in each instance.
pub(super) struct TypeList {
    pub(super) parameter: Ident,
    pub(super) elements: Vec<Element>,
}

impl Options {
    pub(super) fn parse(tokens: TokenStream, krate: Krate, errors: &mut Errors) -> Self {
        let (lists, rest): (Vec<_>, Vec<_>) = split(tokens).into_iter().partition(is_type_list);
        let (conditions, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_requires);
        let mut lists = lists.into_iter();
        let types = lists.next().and_then(|list| type_list(list, errors));
        for list in lists {
            errors.at(list, "a kernel has one list of element types").help("keep one of them");
        }
        let args = Args::from_parts(rest, KEYS, errors);
        let form = form(&args, errors);
        let group = extents(&args, "group", GROUP, errors);
        let domain = domain(&args, form, errors);
        if let (Some(condition), Form::Map | Form::Host) = (conditions.first(), form) {
            errors.at(condition, "only a grid or group kernel has requirements").help("drop it");
        }
        let requires = conditions.into_iter().flat_map(|c| requires(c, errors)).collect();
        let modes = modes(&args, form, errors);
        let krate = Krate::from_args(&args, krate, errors);
        Self { form, devices: devices(&args, errors), types, domain, group, requires, modes, krate }
    }
}

const GROUP: &str = "the size of a group, as in `group = 256` or `group = (16, 16)`";
const DOMAIN: &str =
    "the extents, slowest first, as in `domain = rows` or `domain = (rows, columns)`";
const GROUPS: &str = "the number of groups, slowest dimension first, as in `groups = rows`";

/// The form that the keys name; a grid kernel if none does.
fn form(args: &Args, errors: &mut Errors) -> Form {
    let (map, host) = (args.flag("map", errors), args.flag("host", errors));
    let forms = [(map, "map", Form::Map), (host, "host", Form::Host)];
    let group = (args.key("group").is_some(), "group", Form::Group);
    let mut named = forms.into_iter().chain([group]).filter(|(given, ..)| *given);
    let Some((_, first, form)) = named.next() else { return Form::Grid };
    if let Some((_, second, _)) = named.next()
        && let Some(key) = args.key(second)
    {
        errors
            .at(key, format!("a kernel is either `{first}` or `{second}`"))
            .help("keep one of them");
    }
    form
}

fn devices(args: &Args, errors: &mut Errors) -> Vec<String> {
    if args.key("device").is_none() {
        errors
            .at(TokenStream::new(), "this kernel says for no device that it is written")
            .help("name the backends: `device = cpu` or `device = [cpu, opencl]`");
        return Vec::new();
    }
    let expected = "the name of a backend or a list of names, as in `device = [cpu, opencl]`";
    let names = args.list::<Name>("device", expected, errors).unwrap_or_default();
    if let (true, Some(key)) = (names.is_empty() && errors.is_empty(), args.key("device")) {
        errors.at(key, "`device` names no backend").help("name one: `device = cpu`");
    }
    let mut devices: Vec<String> = Vec::new();
    for name in names {
        if devices.contains(&name.text) {
            errors.at(&name, format!("device `{}` is named twice", name.text));
        } else if name.check("backend", errors) {
            devices.push(name.text);
        }
    }
    devices
}

/// The value of a key with one to three extents.
fn extents(args: &Args, key: &str, expected: &str, errors: &mut Errors) -> Vec<Expr> {
    let extents = match args.value::<Expr>(key, expected, errors) {
        None => return Vec::new(),
        Some(Expr::Tuple(tuple)) => tuple.elems.into_iter().collect(),
        Some(Expr::Paren(one)) => vec![*one.expr],
        Some(one) => vec![one],
    };
    if let (true, Some(at)) = (extents.is_empty() || extents.len() > 3, args.key(key)) {
        errors
            .at(at, format!("`{key}` has 1 to 3 dimensions"))
            .help(format!("`{key}` takes {expected}"));
    }
    extents
}

fn domain(args: &Args, form: Form, errors: &mut Errors) -> Vec<Expr> {
    if let (Form::Group, None) = (form, args.key("groups")) {
        errors
            .at(
                args.key("group").map(ToTokens::to_token_stream).unwrap_or_default(),
                "this kernel does not say how many groups there are",
            )
            .help(
                "compute it from the arguments: `groups = rows`, `groups = y.len().div_ceil(256)`",
            );
    }
    if let (true, Some(key)) = (form != Form::Group, args.key("groups")) {
        errors.at(key, "only a group kernel declares `groups`").help("add `group = 256`");
    }
    if let (true, Some(key)) = (form != Form::Grid, args.key("domain")) {
        errors.at(key, "only a grid kernel declares its domain").help(match form {
            Form::Map => "a `map` runs over the shape of its arguments: drop `domain`",
            Form::Group => "a `group` kernel declares its number of groups: `groups = …`",
            _ => "a `host` kernel runs once: drop `domain`",
        });
    }
    match form {
        Form::Group => extents(args, "groups", GROUPS, errors),
        _ => extents(args, "domain", DOMAIN, errors),
    }
}

/// What the kernel gives up of the strict rules.
fn modes(args: &Args, form: Form, errors: &mut Errors) -> Modes {
    let racy = args.flag("racy", errors);
    let nondeterministic = args.flag("nondeterministic", errors);
    for (key, given) in [("racy", racy), ("nondeterministic", nondeterministic)] {
        if let (true, Form::Map | Form::Host, Some(at)) = (given, form, args.key(key)) {
            errors
                .at(at, format!("`{key}` is about stores of grid and group kernels"))
                .help("drop it");
        }
    }
    let expected = "`strict` or `relaxed`";
    let fp = args.value::<Ident>("fp", expected, errors);
    let relaxed = fp.as_ref().is_some_and(|fp| fp == "relaxed");
    if let Some(other) = fp.filter(|fp| fp != "relaxed" && fp != "strict") {
        errors
            .at(&other, format!("`fp` takes {expected}"))
            .suggest(&other.to_string(), &["strict", "relaxed"]);
    }
    Modes { relaxed, racy, nondeterministic }
}

/// `requires(…)`
fn is_requires(part: &TokenStream) -> bool {
    let mut tokens = part.clone().into_iter();
    let first = matches!(tokens.next(), Some(TokenTree::Ident(word)) if word == "requires");
    first && matches!(tokens.next(), Some(TokenTree::Group(_)))
}

fn requires(tokens: TokenStream, errors: &mut Errors) -> Vec<Expr> {
    let call = errors.check(syn::parse2::<syn::ExprCall>(tokens));
    call.map(|call| call.args.into_iter().collect()).unwrap_or_default()
}

fn is_type_list(part: &TokenStream) -> bool {
    let second = part.clone().into_iter().nth(1);
    matches!(second, Some(TokenTree::Ident(word)) if word == "in")
}

fn type_list(tokens: TokenStream, errors: &mut Errors) -> Option<TypeList> {
    struct Raw(Ident, Vec<Ident>);
    impl Parse for Raw {
        fn parse(input: ParseStream) -> syn::Result<Self> {
            let parameter = input.parse()?;
            input.parse::<Token![in]>()?;
            let list;
            bracketed!(list in input);
            let types = Punctuated::<Ident, Token![,]>::parse_terminated(&list)?;
            Ok(Self(parameter, types.into_iter().collect()))
        }
    }
    let Raw(parameter, types) = errors.check(syn::parse2::<Raw>(tokens))?;
    let mut elements = Vec::new();
    if types.is_empty() {
        errors
            .at(&parameter, format!("`{parameter}` has no element type"))
            .help("list one: `[f32]`");
    }
    for name in types {
        match Element::parse(&name.to_string()) {
            Some(element) if elements.contains(&element) => {
                errors.at(&name, format!("`{name}` is listed twice"));
            }
            Some(element) if element.in_memory() => elements.push(element),
            _ => {
                let known: Vec<_> =
                    Element::ALL.iter().filter(|e| e.in_memory()).map(|e| e.name()).collect();
                errors
                    .at(&name, format!("`{name}` is not an element type"))
                    .suggest(&name.to_string(), &known);
            }
        }
    }
    Some(TypeList { parameter, elements })
}
