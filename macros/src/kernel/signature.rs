//! The signature of a kernel function.

use super::model::{Form, Param, Passing, Ty};
use super::options::{ConstList, Source};
use crate::diagnostics::Errors;
use crate::item::mentions;
use crate::text::text;
use proc_macro2::TokenStream;
use quote::ToTokens;
use ringwood_ir::{MAX_RANK, Type as Scalar};
use syn::{
    Expr, ExprLit, FnArg, GenericArgument, GenericParam, Ident, ItemFn, Lit, Pat, PathArguments,
    ReturnType, Type, TypePath, TypeReference,
};

/// The largest number of parameters of a map.
const MAP_PARAMS: usize = 8;

/// The parameters; those that cannot be one are reported and left out.
pub(super) fn params(
    item: &ItemFn,
    form: Form,
    generic: Option<&Ident>,
    errors: &mut Errors,
) -> Vec<Param> {
    let mut params = Vec::new();
    let generic = generic.or_else(|| unlisted(item));
    for arg in &item.sig.inputs {
        let typed = match arg {
            FnArg::Typed(typed) => typed,
            FnArg::Receiver(receiver) => {
                errors
                    .at(receiver, "a kernel has no `self`")
                    .help("make it a free function, and take slices and scalars");
                continue;
            }
        };
        let Some(ident) = binding(&typed.pat, errors) else { continue };
        let kind = match form {
            Form::Function => function_type(&typed.ty, errors).map(|ty| (ty, Passing::Value)),
            Form::Map | Form::Reduce => {
                map_type(&typed.ty, generic, errors).map(|ty| (ty, Passing::Value))
            }
            Form::Grid | Form::Group | Form::Host => param_type(&typed.ty, form, generic, errors),
        };
        let Some((ty, passing)) = kind else { continue };
        params.push(Param { ident, written: (*typed.ty).clone(), ty, passing });
    }
    if form == Form::Reduce && (params.len() != 2 || params[0].ty != params[1].ty) {
        errors
            .at(&item.sig.ident, "a `reduce` kernel combines two scalars of one type")
            .help("write `fn add(a: f32, b: f32) -> f32`");
    }
    if form == Form::Map && item.sig.inputs.is_empty() {
        errors.at(&item.sig.ident, "a `map` kernel takes at least one scalar");
    }
    if let (Form::Map, Some(extra)) = (form, item.sig.inputs.iter().nth(MAP_PARAMS)) {
        errors.at(extra, format!("a `map` kernel takes at most {MAP_PARAMS} scalars"));
    }
    params
}

/// A type parameter that should have been listed; [`generics`] reports it.
fn unlisted(item: &ItemFn) -> Option<&Ident> {
    item.sig.generics.type_params().next().map(|t| &t.ident)
}

fn binding(pat: &Pat, errors: &mut Errors) -> Option<Ident> {
    match pat {
        Pat::Ident(p) if p.by_ref.is_none() && p.mutability.is_none() && p.subpat.is_none() => {
            return Some(p.ident.clone());
        }
        Pat::Ident(p) => {
            let name = &p.ident;
            errors
                .at(pat, format!("the parameter `{name}` of a kernel is a plain name"))
                .help(format!("drop `mut`; copy a number in the body: `let mut {name} = {name};`"));
        }
        _ => {
            errors.at(pat, "a parameter of a kernel is a plain name").help("write `name: type`");
        }
    }
    None
}

/// The scalar type that a path names.
fn scalar(ty: &Type, generic: Option<&Ident>) -> Option<Ty> {
    let Type::Path(path) = ty else { return None };
    let name = path.path.get_ident()?;
    if generic == Some(name) {
        return Some(Ty::Generic);
    }
    Scalar::parse(&name.to_string()).map(Ty::Fixed)
}

fn map_type(ty: &Type, generic: Option<&Ident>, errors: &mut Errors) -> Option<Ty> {
    if let Type::Reference(_) = ty {
        errors
            .at(ty, "a `map` kernel takes scalars and returns a scalar")
            .help("take one element: the framework applies the function to whole arrays");
        return None;
    }
    element(ty, generic, errors)
}

/// A type of a device function's parameter or result.
fn function_type(ty: &Type, errors: &mut Errors) -> Option<Ty> {
    match scalar(ty, None) {
        Some(Ty::Fixed(e)) => Some(Ty::Fixed(e)),
        _ => {
            errors
                .at(ty, format!("a device function takes and returns scalars, not `{}`", text(ty)))
                .help("take the elements that it needs, by value");
            None
        }
    }
}

/// A type that elements of arrays have and that kernels compute with.
fn element(ty: &Type, generic: Option<&Ident>, errors: &mut Errors) -> Option<Ty> {
    let text = text(ty);
    match scalar(ty, generic) {
        Some(Ty::Fixed(Scalar::Usize)) => {
            errors
                .at(ty, format!("arrays do not hold `{text}`"))
                .help("use `u32` or `u64` for counts");
            None
        }
        Some(ty) => Some(ty),
        None => {
            errors.at(ty, format!("`{text}` cannot be an element of a kernel")).help(
                "element types are f32, f64, f16, bf16, i8, u8, i16, u16, i32, u32, i64, u64 and bool",
            );
            None
        }
    }
}

/// Refuses rows without groups that have them, and the reverse.
pub(super) fn rows(item: &ItemFn, params: &[Param], rows: bool, errors: &mut Errors) {
    let row = |p: &&Param| p.passing.is_row();
    if let (Some(param), false) = (params.iter().find(row), rows) {
        errors
            .at(&param.written, "a row belongs to a group of work-items")
            .help("say how many of them share a row: `#[kernel(row = 256, …)]`");
    }
    if rows && !params.iter().filter(row).any(|p| p.passing.is_written()) && errors.is_empty() {
        errors
            .at(&item.sig.ident, "this row kernel writes no row")
            .help("it needs a parameter `RowMut<T>` that it stores to");
    }
}

/// `View<T, R>`, `ViewMut<T, R>`, `Row<T>` or `RowMut<T>`.
struct View<'a> {
    row: bool,
    mutable: bool,
    name: &'a Ident,
    arguments: Vec<&'a GenericArgument>,
}

impl<'a> View<'a> {
    fn parse(ty: &'a Type) -> Option<Self> {
        let Type::Path(path) = ty else { return None };
        let last = path.path.segments.last()?;
        let (row, mutable) = match last.ident.to_string().as_str() {
            "View" => (false, false),
            "ViewMut" => (false, true),
            "Row" => (true, false),
            "RowMut" => (true, true),
            _ => return None,
        };
        let of_types = |a: &&GenericArgument| !matches!(a, GenericArgument::Lifetime(_));
        let arguments = match &last.arguments {
            PathArguments::AngleBracketed(list) => list.args.iter().filter(of_types).collect(),
            _ => Vec::new(),
        };
        Some(Self { row, mutable, name: &last.ident, arguments })
    }

    fn element(&self, generic: Option<&Ident>, errors: &mut Errors) -> Option<Ty> {
        let (count, parts, example) = match self.row {
            true => (1, "an element type", "f32"),
            false => (2, "an element type and a number of dimensions", "f32, 2"),
        };
        match self.arguments.first() {
            Some(GenericArgument::Type(ty)) if self.arguments.len() == count => {
                element(ty, generic, errors)
            }
            _ => {
                let name = self.name;
                errors
                    .at(name, format!("`{name}` has {parts}"))
                    .help(format!("write `{name}<{example}>`"));
                None
            }
        }
    }

    fn passing(&self, errors: &mut Errors) -> Option<Passing> {
        if self.row {
            return Some(Passing::View { rank: 2, mutable: self.mutable, row: true });
        }
        let rank = self.arguments.get(1)?;
        let literal = match rank {
            GenericArgument::Const(Expr::Lit(ExprLit { lit: Lit::Int(rank), .. })) => {
                rank.base10_parse::<u8>().ok().filter(|rank| *rank <= MAX_RANK)
            }
            _ => None,
        };
        if literal.is_none() {
            errors
                .at(rank, format!("the rank of a view is a literal from 0 to {MAX_RANK}"))
                .help(format!("write `{}<f32, 2>`", self.name));
        }
        Some(Passing::View { rank: literal?, mutable: self.mutable, row: false })
    }
}

fn param_type(
    ty: &Type,
    form: Form,
    generic: Option<&Ident>,
    errors: &mut Errors,
) -> Option<(Ty, Passing)> {
    if let Some(view) = View::parse(ty) {
        return Some((view.element(generic, errors)?, view.passing(errors)?));
    }
    if let Type::Reference(TypeReference { elem, mutability, .. }) = ty {
        if let Type::Slice(slice) = &**elem {
            let passing = Passing::Slice { mutable: mutability.is_some() };
            if form != Form::Host {
                return Some((element(&slice.elem, generic, errors)?, passing));
            }
            let element = scalar(&slice.elem, generic);
            if let Some(ty) = element.filter(|ty| *ty != Ty::Fixed(Scalar::Usize)) {
                return Some((ty, passing));
            }
        }
    } else if let Some(ty) = scalar(ty, generic) {
        return Some((ty, Passing::Value));
    }
    let help = instead(ty, generic);
    errors.at(ty, format!("`{}` cannot be a kernel parameter", text(ty))).help(help);
    None
}

/// What a parameter takes in place of a type that it cannot have.
fn instead(ty: &Type, generic: Option<&Ident>) -> String {
    match ty {
        Type::Path(path) if vector(path).is_some() => slice(vector(path), ""),
        Type::Reference(r) if View::parse(&r.elem).is_some() => {
            let (name, inner) =
                (if r.mutability.is_some() { "ViewMut" } else { "View" }, text(&r.elem));
            let arguments = inner.split_once('<').map_or("f32, 2>", |(_, arguments)| arguments);
            format!("a view is passed by value: `{name}<{arguments}`")
        }
        Type::Reference(TypeReference { elem, mutability, .. }) => {
            let mutable = if mutability.is_some() { "mut " } else { "" };
            match &**elem {
                Type::Path(path) if path.path.is_ident("str") || path.path.is_ident("String") => {
                    "kernels take numbers, and slices of them: a text stays on the host".into()
                }
                Type::Path(_) if scalar(elem, generic).is_some() && mutable.is_empty() => {
                    format!("take it by value: `{}`, or take a slice: `&[f32]`", text(elem))
                }
                Type::Path(_) if scalar(elem, generic).is_some() => {
                    slice(Some(text(elem)), mutable)
                }
                Type::Path(path) => slice(vector(path), mutable),
                _ => SCALAR_OR_SLICE.into(),
            }
        }
        _ => SCALAR_OR_SLICE.into(),
    }
}

const SCALAR_OR_SLICE: &str =
    "take a scalar (`f32`, `usize`, …) or a slice (`&[f32]`, `&mut [f32]`)";

/// The elements of `Vec<T>`.
fn vector(path: &TypePath) -> Option<String> {
    let last = path.path.segments.last().filter(|last| last.ident == "Vec")?;
    Some(match &last.arguments {
        PathArguments::AngleBracketed(arguments) => text(&arguments.args),
        _ => "f32".into(),
    })
}

/// The advice to take a slice of these elements, or of those that a user chooses.
fn slice(element: Option<String>, mutable: &str) -> String {
    match element {
        Some(element) => format!("take a slice: `&{mutable}[{element}]`"),
        None => format!("take a slice of its elements, as in `&{mutable}[f32]`"),
    }
}

/// The type of a map's result; the other forms return nothing.
pub(super) fn result(
    item: &ItemFn,
    form: Form,
    generic: Option<&Ident>,
    errors: &mut Errors,
) -> Option<Ty> {
    let generic = generic.or_else(|| unlisted(item));
    match (form, &item.sig.output) {
        (Form::Map | Form::Reduce, ReturnType::Type(_, ty)) => element(ty, generic, errors),
        (Form::Function, ReturnType::Type(_, ty)) => function_type(ty, errors),
        (Form::Map | Form::Reduce | Form::Function, ReturnType::Default) => {
            errors
                .at(&item.sig.ident, format!("{} returns what it computes", form.article()))
                .help("add `-> f32`");
            None
        }
        (Form::Grid | Form::Group, ReturnType::Type(_, ty)) => {
            let form = if form == Form::Grid { "grid" } else { "group" };
            errors
                .at(ty, format!("a {form} kernel returns nothing; it writes into a `&mut [T]`"))
                .help("add a parameter `y: &mut [..]`, or make it `#[kernel(map, …)]`");
            None
        }
        _ => None,
    }
}

/// Refuses a kernel without body that some device cannot run, or that writes nothing.
pub(super) fn bodiless(
    item: &ItemFn,
    params: &[Param],
    devices: &[String],
    sources: &[Source],
    errors: &mut Errors,
) {
    let name = &item.sig.ident;
    if sources.is_empty() {
        errors
            .at(name, "this kernel has neither a body nor a source")
            .help("write the body, or give texts: `opencl = include_str!(\"kernel.cl\")`");
        return;
    }
    let has_source = |device: &&String| sources.iter().any(|s| s.key == device.as_str());
    if let Some(device) = devices.iter().find(|device| !has_source(device)) {
        errors
            .at(name, format!("this kernel has no body, and no source for `{device}`"))
            .help(format!("write the body, or `{device} = include_str!(…)`"));
    }
    if !params.iter().any(|param| param.passing.is_written()) {
        errors
            .at(name, "this kernel writes nothing")
            .help("it needs a parameter `&mut [T]` that it stores to");
    }
}

/// Refuses qualifiers and generics that a kernel cannot have.
pub(super) fn generics(
    item: &ItemFn,
    form: Form,
    listed: Option<&Ident>,
    consts: &[ConstList],
    errors: &mut Errors,
) {
    let sig = &item.sig;
    let qualifiers = [
        sig.asyncness.as_ref().map(ToTokens::to_token_stream),
        sig.abi.as_ref().map(ToTokens::to_token_stream),
        sig.constness.as_ref().map(ToTokens::to_token_stream),
        Some(sig.safety.to_token_stream()).filter(|safety| !safety.is_empty()),
    ];
    for qualifier in qualifiers.into_iter().flatten() {
        let text = qualifier.to_string();
        let noun = if form == Form::Function { "device function" } else { "kernel" };
        errors.at(qualifier, format!("a {noun} cannot be `{text}`")).help("drop it");
    }
    if let Some(clause) = sig.generics.where_clause.as_ref().filter(|_| form != Form::Host) {
        errors
            .at(clause, "a kernel has no `where` clause: its element types are listed")
            .help("drop it");
    }
    for param in &sig.generics.params {
        match param {
            GenericParam::Type(t) if Some(&t.ident) == listed => {
                if !t.bounds.is_empty() && form != Form::Host {
                    errors
                        .at(&t.bounds, "the type parameter of a kernel has no bounds: it is replaced by each listed type")
                        .help(format!("write `<{}>`", t.ident));
                }
                let used = |part: TokenStream| mentions(part, &|word| *word == t.ident);
                if !used(sig.inputs.to_token_stream()) && !used(sig.output.to_token_stream()) {
                    let what = format!("no parameter of this kernel has the type `{}`", t.ident);
                    errors.at(t, what).help("a call chooses the type by its arguments: drop it");
                }
            }
            GenericParam::Type(t) => {
                let help = format!("list them: `#[kernel({} in [f32, f64], …)]`", t.ident);
                match form {
                    Form::Function => errors
                        .at(t, "a device function is not generic")
                        .help("write one for each type"),
                    _ => errors
                        .at(t, "a generic kernel needs a list of its element types")
                        .help(help),
                };
            }
            GenericParam::Const(c) if consts.iter().any(|list| list.parameter == c.ident) => {}
            GenericParam::Const(c) => {
                let (name, ty) = (&c.ident, text(&c.ty));
                errors
                    .at(c, format!("the values of `{name}` are not listed"))
                    .help(format!("list them: `#[kernel(const {name}: {ty} in [16, 32], …)]`"));
            }
            GenericParam::Lifetime(_) => {
                errors.at(param, "a kernel has no lifetimes").help("drop it");
            }
        }
    }
    let declared = |name: &Ident| sig.generics.type_params().any(|t| t.ident == *name);
    let constant = |list: &ConstList| {
        let declared = sig.generics.const_params().find(|c| c.ident == list.parameter);
        declared.map(|c| text(&c.ty) == list.ty.name())
    };
    for list in consts {
        if constant(list) != Some(true) {
            let (name, ty) = (&list.parameter, list.ty);
            errors
                .at(
                    name,
                    format!(
                        "`{name}` is not a compile-time parameter of type `{ty}` of the kernel"
                    ),
                )
                .help(format!("declare it: `fn {}<const {name}: {ty}>(…)`", sig.ident));
        }
    }
    if let Some(name) = listed.filter(|name| !declared(name)) {
        let help = format!("declare it: `fn {}<{name}>(…)`", sig.ident);
        errors.at(name, format!("`{name}` is not a type parameter of the kernel")).help(help);
    }
}
