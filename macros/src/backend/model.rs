//! The validated backend: all that the expansion needs.

use super::parse::{Head, Raw};
use crate::args::{Args, Name, snake_case};
use crate::diagnostics::Errors;
use crate::item::cfgs;
use crate::krate::Krate;
use crate::text::text;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Path, Type};

/// A backend that may be registered.
pub(super) struct Model {
    pub(super) name: String,
    /// The backends whose kernels its devices run as well.
    pub(super) kernels_of: Vec<String>,
    /// The path of the dialect that its devices compile.
    pub(super) dialect: Option<Path>,
    pub(super) self_type: Type,
    pub(super) cfgs: Vec<Attribute>,
    pub(super) krate: Krate,
}

impl Model {
    pub(super) fn new(raw: Raw, krate: Krate, errors: &mut Errors) -> Option<Self> {
        let krate = raw.args.krate(krate, errors);
        let name = name(&raw.args, &raw.head.self_type, errors);
        let kernels_of = kernels_of(&raw.args, name.as_deref(), errors);
        let dialect = raw.args.value("dialect", DIALECT, errors);
        check_head(&raw.head, errors);
        let cfgs = cfgs(&raw.head.attrs);
        Some(Self { name: name?, kernels_of, dialect, self_type: raw.head.self_type, cfgs, krate })
    }
}

const DIALECT: &str = "the path of a static `Dialect`, as in `dialect = MY_DIALECT`";
const KERNELS_OF: &str =
    "the name of a backend or a list of names, as in `kernels_of = cpu` or `kernels_of = opencl`";

fn name(args: &Args, self_type: &Type, errors: &mut Errors) -> Option<String> {
    if args.key("name").is_none() {
        let proposal = last_segment(self_type).map_or("mychip".into(), |name| snake_case(&name));
        errors
            .at(TokenStream::new(), "a backend needs a name")
            .help(format!("write `#[backend(name = \"{proposal}\")]`"));
        return None;
    }
    let name: Name = args.value("name", "a string, as in `name = \"mychip\"`", errors)?;
    name.check_backend(errors);
    Some(name.text)
}

/// The backends whose kernels the devices run as well.
fn kernels_of(args: &Args, own: Option<&str>, errors: &mut Errors) -> Vec<String> {
    let mut others: Vec<String> = Vec::new();
    for other in args.list::<Name>("kernels_of", KERNELS_OF, errors).unwrap_or_default() {
        if own == Some(other.text.as_str()) || others.contains(&other.text) {
            let help = "name other backends, each once; those for this backend are its own anyhow";
            errors.at(&other, format!("`{}` adds no kernels", other.text)).help(help);
        } else if other.check_backend(errors) {
            others.push(other.text);
        }
    }
    others
}

fn check_head(head: &Head, errors: &mut Errors) {
    if let Some(negative) = &head.negative {
        errors.at(negative, "this impl denies the trait: there is nothing to register");
    }
    match &head.of_trait {
        None => {
            errors
                .at(&head.self_type, "this impl implements no trait")
                .help(format!("write `impl Backend for {}`", text(&head.self_type)));
        }
        Some(path) if path.segments.last().is_none_or(|s| s.ident != "Backend") => {
            let shown = text(path);
            errors
                .at(path, format!("`impl {shown} for …` is not `impl Backend`"))
                .help("import `Backend`, and name it so");
        }
        Some(_) => {}
    }
    let (params, bounds) = (&head.generics.params, &head.bounds);
    if !params.is_empty() || !bounds.is_empty() {
        errors
            .at(quote!(#params #bounds), "a backend cannot be generic: its name is one type")
            .help("register an alias of one instance, in an impl of its own");
    }
}

fn last_segment(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()),
        _ => None,
    }
}
