//! The kernels that one declaration makes: one for each choice of its compile-time parameters.

use super::instance::Part;
use crate::kernel::model::{Form, Model, Passing};
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;

/// The name of a static of a variant, or of its entry.
fn numbered(model: &Model, name: &str, variant: usize) -> Ident {
    match model.options.consts.is_empty() {
        true => format_ident!("{name}"),
        false => format_ident!("{name}_{variant}"),
    }
}

/// The definition of each variant, of a name that no constant of the user has; `parts` are its instances, one variant after the other.
pub(super) fn defs(model: &Model, parts: &[Part]) -> TokenStream {
    let variants = model.variants();
    let each = parts.len() / variants.len().max(1);
    let def = |(i, values): (usize, &Vec<i128>)| {
        let private = model.private();
        let name = numbered(model, "__DEF", i);
        let entries = parts[i * each..(i + 1) * each].iter().map(|part| &part.instance);
        let def = def(model, &model.variant_name(values), quote!(#(#entries),*));
        quote!(static #name: #private::kernel::KernelDef = #def;)
    };
    variants.iter().enumerate().map(def).collect()
}

/// The form of the body, as a constant.
pub(super) fn form(model: &Model) -> TokenStream {
    let private = model.private();
    let form = match model.options.form {
        Form::Map | Form::Function => quote!(Map),
        Form::Grid => quote!(Grid),
        Form::Group | Form::Reduce => quote!(Group),
        Form::Host => quote!(Host),
    };
    quote!(#private::kernel::Form::#form)
}

fn def(model: &Model, text: &str, instances: TokenStream) -> TokenStream {
    let (private, devices) = (model.private(), &model.options.devices);
    let (form, name) = (form(model), model.name());
    quote! {
        #private::kernel::KernelDef {
            meta: #private::EntryMeta {
                package: <#name as #private::kernel::Declared>::PACKAGE,
                module_path: <#name as #private::kernel::Declared>::MODULE,
                ..#private::meta!(#text)
            },
            form: #form,
            devices: &[#(#devices),*],
            instances: &[#instances],
        }
    }
}

/// The names of the entries.
pub(super) fn entries(model: &Model) -> Vec<Ident> {
    (0..model.variants().len()).map(|i| numbered(model, "ENTRY", i)).collect()
}

/// The entries, as constants of the companion type.
pub(super) fn entry_consts(model: &Model) -> TokenStream {
    let private = model.private();
    let entry = |i: usize| {
        let (name, def) = (numbered(model, "ENTRY", i), numbered(model, "__DEF", i));
        quote! {
            /// The entry of the kernel, for registration by hand.
            #[allow(dead_code, unreachable_pub)]
            pub const #name: #private::Entry =
                #private::Entry::new(#def.meta, &#def);
        }
    };
    let each: TokenStream = (0..model.variants().len()).map(entry).collect();
    if model.options.consts.is_empty() {
        return each;
    }
    let (names, count) = (entries(model), entries(model).len());
    quote! {
        #each

        /// The entries of the kernels, one for each choice of the compile-time parameters.
        #[allow(dead_code, unreachable_pub)]
        pub const ENTRIES: [#private::Entry; #count] = [#(Self::#names),*];
    }
}

/// The parameters of a launch function, those of compile time and the lifetime of views, and their
/// use in a call.
pub(super) fn generics(model: &Model) -> (TokenStream, TokenStream) {
    let views = model.params.iter().any(|p| matches!(p.passing, Passing::View { .. }));
    let lifetime = views.then(|| quote!('view,));
    if model.options.consts.is_empty() {
        return (quote!(<#lifetime>), quote!());
    }
    let names: Vec<_> = model.options.consts.iter().map(|list| &list.parameter).collect();
    let types = model.options.consts.iter().map(|list| format_ident!("{}", list.ty.name()));
    (quote!(<#lifetime #(const #names: #types),*>), quote!(::<#(#names),*>))
}

/// The statement that refuses values that are not listed, and the definition of those at hand.
pub(super) fn choose(model: &Model) -> (TokenStream, TokenStream) {
    if model.options.consts.is_empty() {
        return (quote!(), quote!(&__DEF));
    }
    let names: Vec<_> = model.options.consts.iter().map(|list| &list.parameter).collect();
    let patterns = model.variants().into_iter().map(|values| {
        let values = values.into_iter().map(Literal::i128_unsuffixed);
        quote!((#(#values,)*))
    });
    let patterns: Vec<_> = patterns.collect();
    let defs = (0..patterns.len()).map(|i| numbered(model, "__DEF", i));
    let listed = |list: &crate::kernel::options::ConstList| {
        let values: Vec<_> = list.values.iter().map(i128::to_string).collect();
        format!("{} is {}", list.parameter, values.join(" or "))
    };
    let listed: Vec<_> = model.options.consts.iter().map(listed).collect();
    let message = format!("kernel `{}`: {}", model.text(), listed.join(", "));
    let choose = quote! {
        const { ::core::assert!(::core::matches!((#(#names,)*), #(#patterns)|*), #message) };
    };
    let chosen = quote! {
        match (#(#names,)*) {
            #(#patterns => &#defs,)*
            _ => ::core::unreachable!(#message),
        }
    };
    (choose, chosen)
}

/// The values of the compile-time parameters, for a copy of the body.
pub(super) fn consts(model: &Model, values: &[i128]) -> TokenStream {
    let item = |(list, value): (&crate::kernel::options::ConstList, &i128)| {
        let (name, ty) = (&list.parameter, format_ident!("{}", list.ty.name()));
        let value = Literal::i128_unsuffixed(*value);
        quote!(#[allow(dead_code)] const #name: #ty = #value;)
    };
    model.options.consts.iter().zip(values).map(item).collect()
}
