//! A kernel as its attribute and signature declare it.

use super::fragments::Open;
use super::options::Options;
use super::signature;
use crate::args::Args;
use crate::diagnostics::Errors;
use crate::item::refuse_attributes;
use crate::krate::Krate;
use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use ringwood_ir::Type;
use syn::parse::{Parse, ParseStream};
use syn::visit_mut::VisitMut;
use syn::{Attribute, Ident, ItemFn, Signature, Token, Visibility};

/// How the body relates to the domain.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Form {
    Map,
    /// Two scalars to one: rows of an array are combined.
    Reduce,
    #[default]
    Grid,
    Group,
    Host,
    /// A device function: scalars to a scalar, called by kernels.
    Function,
}

impl Form {
    /// Whether the body computes one value from values.
    pub(super) fn is_scalar(self) -> bool {
        matches!(self, Form::Map | Form::Reduce | Form::Function)
    }

    /// The form in a sentence.
    pub(super) fn article(self) -> &'static str {
        match self {
            Form::Map => "a `map` kernel",
            Form::Reduce => "a `reduce` kernel",
            Form::Grid => "a grid kernel",
            Form::Group => "a group kernel",
            Form::Host => "a `host` kernel",
            Form::Function => "a device function",
        }
    }
}

/// The variant of `DType` or `ScalarType`.
pub(super) fn variant(ty: Type) -> Ident {
    format_ident!("{ty:?}")
}

/// The type of a parameter or of a map's result: the same in each instance, or the type parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ty {
    Fixed(Type),
    Generic,
}

/// A parameter.
pub(super) struct Param {
    pub(super) ident: Ident,
    /// The type as written.
    pub(super) written: syn::Type,
    pub(super) ty: Ty,
    pub(super) passing: Passing,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passing {
    Value,
    Slice {
        mutable: bool,
    },
    View {
        rank: u8,
        mutable: bool,
        /// Whether a group sees the row of its number alone; the rank is 2.
        row: bool,
    },
}

impl Passing {
    /// Whether a group sees one row of a view.
    pub(super) fn is_row(self) -> bool {
        matches!(self, Passing::View { row: true, .. })
    }

    /// Whether the kernel may write its elements.
    pub(super) fn is_written(self) -> bool {
        match self {
            Passing::Value => false,
            Passing::Slice { mutable } | Passing::View { mutable, .. } => mutable,
        }
    }
}

/// A kernel as written: a function, perhaps without a body.
pub(super) struct Declared {
    /// With an empty body if there is none.
    item: ItemFn,
    has_body: bool,
}

impl Parse for Declared {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let ahead = input.fork();
        Attribute::parse_outer(&ahead)?;
        ahead.parse::<Visibility>()?;
        ahead.parse::<Signature>()?;
        if !ahead.peek(Token![;]) {
            return Ok(Self { item: input.parse()?, has_body: true });
        }
        let attrs = Attribute::parse_outer(input)?;
        let (vis, sig): (Visibility, Signature) = (input.parse()?, input.parse()?);
        input.parse::<Token![;]>()?;
        let item = syn::parse2(quote!(#(#attrs)* #vis #sig {}))?;
        Ok(Self { item, has_body: false })
    }
}

/// A kernel as declared.
pub(super) struct Model {
    pub(super) item: ItemFn,
    pub(super) options: Options,
    /// Whether there is a body; without one, every device has a source.
    pub(super) has_body: bool,
    pub(super) params: Vec<Param>,
    /// The type of a map's result.
    pub(super) result: Option<Ty>,
}

impl Model {
    pub(super) fn new(
        args: TokenStream,
        Declared { mut item, has_body }: Declared,
        krate: Krate,
        errors: &mut Errors,
    ) -> Self {
        let options = Options::parse(args, krate, errors);
        let (form, consts) = (options.form, &options.consts);
        Open.visit_signature_mut(&mut item.sig);
        if form != Form::Host {
            Open.visit_block_mut(&mut item.block);
        }
        let parameter = options.types.as_ref().map(|list| &list.parameter);
        let params = signature::params(&item, form, parameter, errors);
        let result = signature::result(&item, form, parameter, errors);
        signature::rows(&item, &params, options.rows, errors);
        signature::generics(&item, form, parameter, consts, errors);
        refuse_attributes(item.sig.to_token_stream(), errors);
        if form != Form::Host {
            refuse_attributes(item.block.to_token_stream(), errors);
        }
        if !has_body {
            signature::bodiless(&item, &params, &options.devices, &options.sources, errors);
        }
        Self { item, options, has_body, params, result }
    }

    /// A device function.
    pub(super) fn function(
        args: TokenStream,
        mut item: ItemFn,
        krate: Krate,
        errors: &mut Errors,
    ) -> Self {
        Open.visit_item_fn_mut(&mut item);
        let form = Form::Function;
        let args = Args::parse(args, &["crate"], errors);
        let krate = args.krate(krate, errors);
        let params = signature::params(&item, form, None, errors);
        let result = signature::result(&item, form, None, errors);
        signature::generics(&item, form, None, &[], errors);
        refuse_attributes(item.sig.to_token_stream(), errors);
        refuse_attributes(item.block.to_token_stream(), errors);
        let options = Options { form, krate, ..Options::default() };
        Self { item, options, has_body: true, params, result }
    }

    pub(super) fn name(&self) -> &Ident {
        &self.item.sig.ident
    }

    /// The name of the kernel: that of the function, or of the kernel that it implements.
    pub(super) fn text(&self) -> String {
        let implemented = self.options.implements.as_ref().and_then(|path| path.segments.last());
        let name = implemented.map_or(self.name(), |segment| &segment.ident);
        name.to_string().trim_start_matches("r#").to_string()
    }

    /// What the type parameter stands for, for each instance; one `None` without a type parameter.
    pub(super) fn instances(&self) -> Vec<Option<Type>> {
        match &self.options.types {
            Some(list) => list.elements.iter().copied().map(Some).collect(),
            None => vec![None],
        }
    }

    /// The values of the compile-time parameters, for each kernel that they make; one empty list
    /// without such parameters.
    pub(super) fn variants(&self) -> Vec<Vec<i128>> {
        self.options.consts.iter().fold(vec![Vec::new()], |variants, list| {
            let extended = |variant: &Vec<i128>| {
                let variant = variant.clone();
                list.values.iter().map(move |v| [variant.clone(), vec![*v]].concat())
            };
            variants.iter().flat_map(extended).collect()
        })
    }

    /// The name of the kernel with these values of its compile-time parameters.
    pub(super) fn variant_name(&self, values: &[i128]) -> String {
        values.iter().fold(self.text(), |name, value| format!("{name}_{value}"))
    }

    /// The path of the module that expansions call.
    pub(super) fn private(&self) -> TokenStream {
        let krate = &self.options.krate;
        quote!(#krate::__private)
    }
}

impl Ty {
    /// The type in an instance.
    pub(super) fn of(self, instance: Option<Type>) -> Type {
        match self {
            Ty::Fixed(element) => element,
            Ty::Generic => instance.expect("a generic parameter comes with a list of types"),
        }
    }
}
