//! The options of `#[kernel(…)]`.

mod library;
mod lists;
mod source;

pub(super) use library::Library;
pub(super) use lists::{ConstList, TypeList};
pub(super) use source::Source;

use super::fragments::opened;
use super::model::Form;
use crate::args::{Args, Name, split};
use crate::diagnostics::Errors;
use crate::krate::Krate;
use library::libraries as libraries_of;
use lists::{const_list, is_type_list, type_list};
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use ringwood_ir::Modes;
use source::{is_source, sources as sources_of};
use syn::{Expr, Ident, Path};

const KEYS: &[&str] = &[
    "map",
    "host",
    "group",
    "groups",
    "row",
    "device",
    "implements",
    "library",
    "domain",
    "requires",
    "racy",
    "unique",
    "nondeterministic",
    "fp",
    "crate",
];

/// The options, checked for themselves; by default those of a grid kernel for no device.
#[derive(Default)]
pub(super) struct Options {
    pub(super) form: Form,
    /// The backends, as the author names them.
    pub(super) devices: Vec<String>,
    /// What devices run instead of the body.
    pub(super) sources: Vec<Source>,
    /// Routines of vendors' libraries that may compute the kernel.
    pub(super) libraries: Vec<Library>,
    /// The kernel, declared elsewhere, that this item implements for more devices.
    pub(super) implements: Option<Path>,
    /// `T in [f32, f64]`
    pub(super) types: Option<TypeList>,
    /// `const TILE: usize in [16, 32]`
    pub(super) consts: Vec<ConstList>,
    /// `domain = (rows, columns)`, or `groups = …` of a group kernel: the extents, slowest first.
    pub(super) domain: Vec<Expr>,
    /// `group = 256`, `group = (16, 16)`: the size of a group, slowest dimension first.
    pub(super) group: Vec<Expr>,
    /// `row = 256`: each group has a row of its parameters.
    pub(super) rows: bool,
    /// `requires(x.len() == y.len(), …)`: what must hold at a launch.
    pub(super) requires: Vec<Expr>,
    pub(super) modes: Modes,
    /// The identity of `reduce(identity = …)`.
    pub(super) identity: Option<Expr>,
    pub(super) krate: Krate,
}

impl Options {
    pub(super) fn parse(tokens: TokenStream, krate: Krate, errors: &mut Errors) -> Self {
        let parts = split(tokens).into_iter();
        let (consts, rest): (Vec<_>, Vec<_>) = parts.partition(|part| begins(part, "const"));
        let consts: Vec<_> = consts.into_iter().filter_map(|c| const_list(c, errors)).collect();
        let (lists, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_type_list);
        let (reductions, rest): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|part| begins(part, "reduce"));
        let (conditions, rest): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|part| calls(part, "requires"));
        for again in reductions.iter().skip(1) {
            errors.at(again, "a reduction has one identity").help("keep one of them");
        }
        let mut lists = lists.into_iter();
        let types = lists.next().and_then(|list| type_list(list, errors));
        for list in lists {
            errors.at(list, "a kernel has one list of element types").help("keep one of them");
        }
        let (sources, rest): (Vec<_>, Vec<_>) = rest.into_iter().partition(is_source);
        let (libraries, rest): (Vec<_>, Vec<_>) =
            rest.into_iter().partition(|part| calls(part, "library"));
        let args = Args::from_parts(rest, KEYS, errors);
        let libraries = libraries_of(libraries, &args, errors);
        let identity = reductions.into_iter().next().and_then(|r| identity(r, errors));
        let form = form(&args, identity.is_some(), errors);
        let sources = sources_of(sources, form, errors);
        if let (Some(list), Form::Map | Form::Reduce | Form::Host) = (consts.first(), form) {
            errors
                .at(&list.parameter, "only grid and group kernels have compile-time parameters")
                .help("take it as a scalar");
        }
        let rows = form == Form::Group && args.key("row").is_some();
        let group = match rows {
            true => args.value("row", ROW, errors).map(opened).into_iter().collect(),
            false => extents(&args, "group", GROUP, errors),
        };
        let domain = domain(&args, form, errors);
        if let (Some(condition), Form::Map | Form::Reduce | Form::Host) = (conditions.first(), form)
        {
            errors.at(condition, "only a grid or group kernel has requirements").help("drop it");
        }
        let requires = conditions.into_iter().flat_map(|c| requires(c, errors)).collect();
        let modes = modes(&args, form, errors);
        let krate = args.krate(krate, errors);
        let devices = devices(&args, &sources, errors);
        let has_domain = form == Form::Group || !domain.is_empty();
        library::check(&libraries, form, has_domain, &devices, &sources, errors);
        Self {
            form,
            devices,
            sources,
            libraries,
            implements: args.value("implements", IMPLEMENTS, errors),
            types,
            consts,
            domain,
            group,
            rows,
            requires,
            modes,
            identity,
            krate,
        }
    }
}

const IMPLEMENTS: &str = "the path of a kernel, as in `implements = crate::softmax`";
const ROW: &str = "the size of the group that has a row, as in `row = 256`";
const GROUP: &str = "the size of a group, as in `group = 256` or `group = (16, 16)`";
const DOMAIN: &str =
    "the extents, slowest first, as in `domain = rows` or `domain = (rows, columns)`";
const GROUPS: &str = "the number of groups, slowest dimension first, as in `groups = rows`";

/// The form that the keys name; a grid kernel if none does.
fn form(args: &Args, reduce: bool, errors: &mut Errors) -> Form {
    let (map, host) = (args.flag("map", errors), args.flag("host", errors));
    let forms = [(map, "map", Form::Map), (host, "host", Form::Host)];
    let group = (args.key("group").is_some(), "group", Form::Group);
    let row = (args.key("row").is_some(), "row", Form::Group);
    let reduce = (reduce, "reduce", Form::Reduce);
    let mut named =
        [reduce].into_iter().chain(forms).chain([group, row]).filter(|(given, ..)| *given);
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

fn devices(args: &Args, sources: &[Source], errors: &mut Errors) -> Vec<String> {
    if args.key("device").is_none() && sources.is_empty() {
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
        } else if name.check_backend(errors) {
            devices.push(name.text);
        }
    }
    for source in sources.iter().map(|source| Name::of(&source.key).text) {
        if !devices.contains(&source) {
            devices.push(source);
        }
    }
    devices
}

/// The value of a key with one to three extents.
fn extents(args: &Args, key: &str, expected: &str, errors: &mut Errors) -> Vec<Expr> {
    let extents = match args.value::<Expr>(key, expected, errors).map(opened) {
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
    if let (Some(_), Some(key)) = (args.key("row"), args.key("groups")) {
        errors.at(key, "a row kernel has a group for each row").help("drop `groups`");
    }
    if let (Form::Group, None, None) = (form, args.key("groups"), args.key("row")) {
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
            Form::Reduce => "a `reduce` runs over the rows of its argument: drop `domain`",
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
    let unique = args.flag("unique", errors);
    let nondeterministic = args.flag("nondeterministic", errors);
    if let (true, true, Some(at)) = (racy, unique, args.key("unique")) {
        errors
            .at(at, "a kernel is either `racy` or `unique`")
            .help("`racy`: work-items may meet; `unique`: you know that they do not");
    }
    let given = [("racy", racy), ("unique", unique), ("nondeterministic", nondeterministic)];
    for (key, given) in given {
        if let (true, Form::Map | Form::Reduce | Form::Host, Some(at)) =
            (given, form, args.key(key))
        {
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
    Modes { relaxed, racy, unique, nondeterministic }
}

/// Whether a part begins with this word.
fn begins(part: &TokenStream, with: &str) -> bool {
    matches!(part.clone().into_iter().next(), Some(TokenTree::Ident(word)) if word == with)
}

/// Whether a part is this word and something in parentheses: `library(…)`.
fn calls(part: &TokenStream, word: &str) -> bool {
    begins(part, word) && matches!(part.clone().into_iter().nth(1), Some(TokenTree::Group(_)))
}

/// The identity of `reduce(identity = 0.0)`.
fn identity(tokens: TokenStream, errors: &mut Errors) -> Option<Expr> {
    let inner = match tokens.clone().into_iter().nth(1) {
        Some(TokenTree::Group(group)) => Args::parse(group.stream(), &["identity"], errors),
        _ => Args::default(),
    };
    if inner.key("identity").is_none() {
        errors
            .at(tokens, "`reduce` names the value that changes nothing")
            .help("write `reduce(identity = 0.0)`");
        return Some(syn::parse_quote!(0));
    }
    inner.value("identity", "a value, as in `reduce(identity = 0.0)`", errors).map(opened)
}

/// `requires(…)`
fn requires(tokens: TokenStream, errors: &mut Errors) -> Vec<Expr> {
    let call = errors.check(syn::parse2::<syn::ExprCall>(tokens));
    call.map(|call| call.args.into_iter().map(opened).collect()).unwrap_or_default()
}
