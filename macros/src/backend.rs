//! `#[backend(name = "…")]`: an `impl Backend` becomes a registered backend.
//!
//! What the trait demands, the compiler checks and reports on the impl itself; this macro knows
//! nothing of the trait's items.

use crate::args::{Args, Name, snake_case};
use crate::diagnostics::{Errors, Output};
use crate::item::cfgs;
use crate::krate::Krate;
use crate::text::text;
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, ItemImpl, Path, Type};

const KEYS: &[&str] = &["name", "kernels_of", "dialect", "crate"];

pub(crate) fn expand(args: TokenStream, item: TokenStream, krate: Krate) -> Output {
    Output::beside(item.clone(), |errors| {
        let args = Args::parse(args, KEYS, errors);
        let Ok(head) = head(item.clone()) else {
            errors
                .at(item, "`#[backend]` stands on `impl Backend for …`")
                .help("move the attribute to the impl of the trait `Backend`");
            return None;
        };
        let model = Model::new(&args, head, krate, errors)?;
        errors.is_empty().then(|| model.expand())
    })
}

/// The impl without its body, so that a half-typed one does no harm.
fn head(item: TokenStream) -> syn::Result<ItemImpl> {
    let mut tokens: Vec<_> = item.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.last_mut()
        && body.delimiter() == Delimiter::Brace
    {
        *body = Group::new(Delimiter::Brace, TokenStream::new());
    }
    syn::parse2(tokens.into_iter().collect())
}

/// A backend that may be registered.
struct Model {
    name: String,
    /// The backends whose kernels its devices run as well.
    kernels_of: Vec<String>,
    /// The path of the dialect that its devices compile.
    dialect: Option<Path>,
    self_type: Type,
    cfgs: Vec<Attribute>,
    krate: Krate,
}

impl Model {
    fn new(args: &Args, head: ItemImpl, krate: Krate, errors: &mut Errors) -> Option<Self> {
        let krate = args.krate(krate, errors);
        let name = name(args, &head.self_ty, errors);
        let kernels_of = kernels_of(args, name.as_deref(), errors);
        let dialect = args.value("dialect", DIALECT, errors);
        check_head(&head, errors);
        let cfgs = cfgs(&head.attrs);
        Some(Self { name: name?, kernels_of, dialect, self_type: *head.self_ty, cfgs, krate })
    }

    /// The name, the entry, the submission.
    fn expand(&self) -> TokenStream {
        let Model { name, kernels_of, dialect, self_type, cfgs, krate } = self;
        let registered =
            quote_spanned!(self_type.span()=> #krate::__private::Registered for #self_type);
        let kernels_of = (!kernels_of.is_empty())
            .then(|| quote!(const KERNELS_OF: &'static [&'static str] = &[#(#kernels_of),*];));
        let dialect = dialect.iter().map(|dialect| {
            let value = quote_spanned!(dialect.span()=> ::core::option::Option::Some(&#dialect));
            quote! {
                const DIALECT: ::core::option::Option<&'static #krate::__private::Dialect> = #value;
            }
        });
        quote! {
            #(#cfgs)*
            const _: () = {
                impl #registered {
                    const NAME: &'static str = #name;
                    #kernels_of
                    #(#dialect)*
                    const ENTRY: #krate::__private::Entry = #krate::__private::Entry::new(
                        #krate::__private::meta!(#name),
                        const { &#krate::__private::BackendDef::new::<Self>() },
                    );
                }
                #krate::__private::submit! {
                    <#self_type as #krate::__private::Registered>::ENTRY
                }
            };
        }
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

fn check_head(head: &ItemImpl, errors: &mut Errors) {
    if let Some(negative) = &head.modifiers.polarity {
        errors.at(negative, "this impl denies the trait: there is nothing to register");
    }
    match &head.trait_ {
        None => {
            errors
                .at(&head.self_ty, "this impl implements no trait")
                .help(format!("write `impl Backend for {}`", text(&head.self_ty)));
        }
        Some((path, _)) if path.segments.last().is_none_or(|s| s.ident != "Backend") => {
            let shown = text(path);
            errors
                .at(path, format!("`impl {shown} for …` is not `impl Backend`"))
                .help("import `Backend`, and name it so");
        }
        Some(_) => {}
    }
    let (params, bounds) = (&head.generics.params, &head.generics.where_clause);
    if !params.is_empty() || bounds.is_some() {
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

#[cfg(test)]
mod tests;
