//! From a kernel and its instances to Rust.

mod declared;
mod instance;
mod link;
mod scalar;
mod source;
mod variant;

pub(super) use link::{calls, declaration, linked};
pub(super) use scalar::plain;

use super::lower::Lowered;
use super::model::{Form, Model, Param, Passing};
use crate::item::mentions;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use ringwood_ir::Type;
use syn::{Attribute, Ident};

/// All that a kernel expands to.
pub(super) fn kernel(model: &Model, instances: &[Lowered]) -> TokenStream {
    let plain = plain_function(model, instances);
    let companion = companion(model, quote!());
    let private = model.private();
    let name = model.name();
    let entries = variant::entries(model);
    let parts: Vec<_> = match model.options.form {
        Form::Host => model
            .instances()
            .iter()
            .enumerate()
            .map(|(i, e)| instance::host(model, i, *e))
            .collect(),
        _ => (0..instances.len()).map(|i| instance::portable(model, i, instances)).collect(),
    };
    let functions = parts.iter().map(|part| &part.functions);
    let defs = variant::defs(model, &parts);
    let twins = twins(model);
    let (package, declared) = (declared::package(model, true), declared::declared(model));
    let inherent = inherent(model);
    let called = scalar::called(model, instances);
    quote! {
        #plain
        #companion
        const _: () = {
            #(#functions)*
            #package
            #defs
            #inherent
            #called
            #(#private::submit! { #name::#entries })*
        };
        #twins
        #declared
    }
}

/// What is left of a kernel with mistakes: every name that call sites use, so that they stay quiet.
pub(super) fn stub(model: &Model) -> TokenStream {
    if model.item.sig.receiver().is_some() {
        // Inside of an impl, where the companion type cannot stand.
        let mut item = model.item.clone();
        item.block = syn::parse_quote!({ loop {} });
        return quote!(#[allow(unused, clippy::all)] #item);
    }
    let private = model.private();
    let companion = companion(model, quote!(#[allow(dead_code)]));
    let (package, defs) = (declared::package(model, false), variant::defs(model, &[]));
    let inherent = inherent(model);
    let item = match model.options.form {
        Form::Grid | Form::Group => {
            let (vis, name) = (&model.item.vis, model.name());
            let (params, tensors) = launch_params(model);
            let (generics, turbofish) = variant::generics(model);
            quote! {
                #[allow(unused, missing_docs, clippy::all)]
                #vis fn #name #generics(#params) -> #private::kernel::Result<()> {
                    #name::launch #turbofish(#(#tensors),*)
                }
            }
        }
        _ => {
            let mut item = model.item.clone();
            if model.options.form.is_scalar() {
                item.block = syn::parse_quote!({ loop {} });
            }
            quote!(#[allow(unused, clippy::all)] #item)
        }
    };
    quote! {
        #item
        #companion
        const _: () = {
            #package
            #defs
            #inherent
        };
    }
}

/// The attributes that say something to callers.
const FOR_CALLERS: &[&str] = &["doc", "deprecated", "must_use"];

/// The attributes of these names.
fn attrs<'a>(model: &'a Model, names: &'a [&str]) -> impl Iterator<Item = &'a Attribute> {
    let is_one = |a: &&Attribute| names.iter().any(|name| a.path().is_ident(name));
    model.item.attrs.iter().filter(is_one)
}

/// The attributes that belong to the body.
fn of_body(model: &Model) -> impl Iterator<Item = &Attribute> {
    let is_one = |a: &&Attribute| !FOR_CALLERS.iter().any(|name| a.path().is_ident(name));
    model.item.attrs.iter().filter(is_one)
}

/// The function that the user calls by the kernel's name.
fn plain_function(model: &Model, instances: &[Lowered]) -> TokenStream {
    let (vis, name, private) = (&model.item.vis, model.name(), model.private());
    let attrs = attrs(model, FOR_CALLERS);
    match (model.options.form, &model.options.types) {
        (Form::Grid | Form::Group, _) => {
            let (params, arguments) = launch_params(model);
            let (generics, turbofish) = variant::generics(model);
            quote! {
                #(#attrs)*
                #[allow(dead_code, deprecated, clippy::too_many_arguments, clippy::double_must_use)]
                #vis fn #name #generics(#params) -> #private::kernel::Result<()> {
                    #name::launch #turbofish(#(#arguments),*)
                }
            }
        }
        (Form::Map | Form::Reduce, Some(list)) => {
            let parameter = &list.parameter;
            let (names, types) = (idents(model), model.params.iter().map(|p| &p.written));
            let types: Vec<_> = types.collect();
            let result = match &model.item.sig.output {
                syn::ReturnType::Type(_, ty) => quote!(#ty),
                syn::ReturnType::Default => quote!(()),
            };
            quote! {
                #(#attrs)*
                #[allow(dead_code, clippy::too_many_arguments)]
                #vis fn #name<#parameter>(#(#names: #types),*) -> #result
                where
                    #name: #private::kernel::Call<(#(#types,)*), Result = #result>,
                {
                    <#name as #private::kernel::Call<(#(#types,)*)>>::call((#(#names,)*))
                }
            }
        }
        (Form::Map | Form::Reduce, None) => {
            let item = plain(model, scalar::computed(&instances[0]));
            // The registry uses it, if no one else does.
            quote!(#[allow(dead_code, unstable_name_collisions)] #item)
        }
        _ => {
            let mut item = model.item.clone();
            bind_views(&mut item, model);
            quote!(#[allow(dead_code)] #item)
        }
    }
}

/// Makes the bindings of views mutable that the body writes through: they are passed by value.
fn bind_views(item: &mut syn::ItemFn, model: &Model) {
    for (arg, param) in item.sig.inputs.iter_mut().zip(&model.params) {
        if let (syn::FnArg::Typed(typed), Passing::View { mutable: true, .. }) =
            (arg, param.passing)
            && let syn::Pat::Ident(name) = &mut *typed.pat
        {
            name.mutability = Some(Default::default());
        }
    }
}

/// Makes the methods known that kernels have and the standard library has not.
pub(super) fn import_methods(item: &mut syn::ItemFn, private: &TokenStream) {
    let import =
        syn::parse_quote!(#[allow(unused_imports)] use #private::kernel::twin::MathExt as _;);
    item.block.stmts.insert(0, import);
}

/// An expression that gives the value, if any, as an `Option`.
fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

fn idents(model: &Model) -> Vec<&Ident> {
    model.params.iter().map(|p| &p.ident).collect()
}

/// Names for the values of the parameters that no name of the user meets, as that of the function.
fn locals(model: &Model) -> Vec<Ident> {
    let name = |i: usize| format_ident!("p{i}", span = Span::mixed_site());
    (0..model.params.len()).map(name).collect()
}

/// The type in the namespace of types that carries what belongs to the kernel.
fn companion(model: &Model, attrs: TokenStream) -> TokenStream {
    let (vis, name) = (&model.item.vis, model.name());
    let doc = format!("The kernel `{}`: its registry entry and its launch.", model.text());
    quote! {
        #[doc = #doc]
        #attrs
        #[allow(non_camel_case_types, dead_code)]
        #vis enum #name {}
    }
}

/// The parameters of the launch function, and the names to pass on.
fn launch_params(model: &Model) -> (TokenStream, Vec<&Ident>) {
    let private = model.private();
    let params = model.params.iter().map(|p| {
        let (name, written) = (&p.ident, &p.written);
        let into =
            |ty: TokenStream| quote!(#name: impl ::core::convert::Into<#private::kernel::#ty>);
        match (model.options.form, p.passing) {
            (Form::Map, _) | (_, Passing::Slice { mutable: false }) => {
                quote!(#name: &#private::kernel::Tensor)
            }
            (_, Passing::Slice { mutable: true }) => quote!(#name: &mut #private::kernel::Tensor),
            (_, Passing::View { mutable: false, .. }) => into(quote!(TensorView<'view>)),
            (_, Passing::View { mutable: true, .. }) => into(quote!(TensorViewMut<'view>)),
            (_, Passing::Value) if is_generic(p) => into(quote!(Scalar)),
            (_, Passing::Value) if is_narrow(p) => {
                let ty = super::native::native_type(&private, p.ty.of(None));
                quote!(#name: #ty)
            }
            (_, Passing::Value) => quote!(#name: #written),
        }
    });
    (quote!(#(#params),*), idents(model))
}

/// Whether it is of a type that the user's crate may not have imported.
fn is_narrow(param: &Param) -> bool {
    !is_generic(param) && param.ty.of(None).is_narrow()
}

fn is_generic(param: &Param) -> bool {
    param.ty == super::model::Ty::Generic
}

/// The entry and the launch function, on the companion type.
fn inherent(model: &Model) -> TokenStream {
    let (name, private) = (model.name(), model.private());
    let (generics, _) = variant::generics(model);
    let (choose, chosen) = variant::choose(model);
    let entries = variant::entry_consts(model);
    let (params, _) = launch_params(model);
    let deprecated: Vec<_> = attrs(model, &["deprecated"]).collect();
    let launch = match model.options.form {
        Form::Reduce => quote! {
            /// Combines the elements along the last dimension, on their device.
            #(#deprecated)*
            #[allow(dead_code, unreachable_pub)]
            pub fn launch(
                x: &#private::kernel::Tensor,
            ) -> #private::kernel::Result<#private::kernel::Tensor> {
                #private::kernel::launch_reduce(&__DEF, x)
            }

            /// Combines the elements along a dimension, of which 0 is the slowest, on their device.
            #(#deprecated)*
            #[allow(dead_code, unreachable_pub)]
            pub fn launch_along(
                x: &#private::kernel::Tensor,
                dimension: usize,
            ) -> #private::kernel::Result<#private::kernel::Tensor> {
                #private::kernel::launch_reduce_along(&__DEF, x, dimension)
            }
        },
        Form::Map => {
            let names = idents(model);
            quote! {
                /// Computes the kernel for every element of the arguments, which broadcast, on
                /// their device.
                #(#deprecated)*
                #[allow(dead_code, unreachable_pub, clippy::too_many_arguments)]
                pub fn launch(#params) -> #private::kernel::Result<#private::kernel::Tensor> {
                    #private::kernel::launch_map(&__DEF, &[#(#names),*])
                }
            }
        }
        _ => {
            let args = model.params.iter().map(|p| {
                let name = &p.ident;
                match p.passing {
                    Passing::Value => quote!(Scalar(::core::convert::Into::into(#name))),
                    Passing::Slice { mutable: false } => quote!(Read(#name)),
                    Passing::Slice { mutable: true } => quote!(Write(#name)),
                    Passing::View { mutable: false, .. } => {
                        quote!(View(::core::convert::Into::into(#name)))
                    }
                    Passing::View { mutable: true, .. } => {
                        quote!(ViewMut(::core::convert::Into::into(#name)))
                    }
                }
            });
            quote! {
                /// Runs the kernel on the device that holds its arguments.
                #(#deprecated)*
                #[allow(dead_code, unreachable_pub, clippy::too_many_arguments)]
                pub fn launch #generics(#params) -> #private::kernel::Result<()> {
                    #choose
                    #private::launch(#chosen, &[#(#private::LaunchArg::#args),*])
                }
            }
        }
    };
    quote! {
        impl #name {
            #entries

            #launch
        }
    }
}

/// Copies of the body that are never run as such: the compiler checks the user's own tokens.
fn twins(model: &Model) -> TokenStream {
    let private = model.private();
    match (model.options.form, &model.options.types) {
        _ if !model.has_body => quote!(),
        (Form::Host | Form::Function, _) | (Form::Map | Form::Reduce, None) => quote!(),
        (Form::Map | Form::Reduce, Some(_)) => {
            let calls = checked(model).into_iter().map(|element| call_impl(model, element));
            quote!(#(#calls)*)
        }
        (Form::Grid | Form::Group, _) => {
            let with =
                |values: Vec<i128>| checked(model).into_iter().map(move |e| (e, values.clone()));
            let twins = model.variants().into_iter().flat_map(with).map(|(element, values)| {
                let (alias, function) = instance_function(model, element);
                let consts = variant::consts(model, &values);
                quote! {
                    const _: () = {
                        #[allow(unused_imports)]
                        use #private::kernel::twin::*;
                        #alias
                        #consts
                        #[allow(dead_code)]
                        #function
                    };
                }
            });
            quote!(#(#twins)*)
        }
    }
}

/// The instances whose tokens the compiler of the crate can check: those of types that it has, and whose
/// casts it has, which those for `bool` may not be.
fn checked(model: &Model) -> Vec<Option<Type>> {
    let mut instances = model.instances();
    instances.retain(|element| {
        if *element == Some(Type::Bool) {
            return false;
        }
        let types = model.params.iter().map(|p| p.ty.of(*element));
        let result = model.result.map(|ty| ty.of(*element));
        types.chain(*element).chain(result).all(|ty| !ty.is_narrow())
    });
    instances
}

/// The plain function of a map for one element type.
fn call_impl(model: &Model, element: Option<Type>) -> TokenStream {
    let (name, private) = (model.name(), model.private());
    let types: Vec<_> =
        model.params.iter().map(|p| format_ident!("{}", p.ty.of(element).name())).collect();
    let result = model.result.map(|ty| format_ident!("{}", ty.of(element).name()));
    let names = locals(model);
    let (alias, function) = instance_function(model, element);
    quote! {
        const _: () = {
            impl #private::kernel::Call<(#(#types,)*)> for #name {
                type Result = #result;

                fn call((#(#names,)*): (#(#types,)*)) -> #result {
                    #[allow(unused_imports)]
                    use #private::kernel::twin::Acc;
                    #alias
                    #function
                    #name(#(#names),*)
                }
            }
        };
    }
}

/// The parameters that the options name, which are used though no statement of the body may say so.
fn used_by_options(model: &Model) -> Vec<&Ident> {
    let options = || model.options.domain.iter().chain(&model.options.requires);
    let named =
        |name: &&Ident| options().any(|e| mentions(e.to_token_stream(), &|word| word == *name));
    idents(model).into_iter().filter(named).collect()
}

/// The user's function without its type parameter, and what the parameter stands for.
fn instance_function(model: &Model, element: Option<Type>) -> (Option<TokenStream>, TokenStream) {
    let attrs = of_body(model);
    let mut item = model.item.clone();
    item.attrs.clear();
    item.vis = syn::Visibility::Inherited;
    item.sig.generics = syn::Generics::default();
    bind_views(&mut item, model);
    import_methods(&mut item, &model.private());
    let alias = model.options.types.as_ref().zip(element).map(|(list, element)| {
        let (parameter, ty) = (&list.parameter, format_ident!("{}", element.name()));
        quote!(#[allow(dead_code)] type #parameter = #ty;)
    });
    // Advice on style and complexity that a kernel cannot follow.
    let used = used_by_options(model);
    if !used.is_empty() {
        item.block.stmts.insert(0, syn::parse_quote!(let _ = (#(&#used,)*);));
    }
    let function = quote! {
        #(#attrs)*
        #[allow(clippy::style, clippy::complexity, clippy::approx_constant, unstable_name_collisions)]
        #[allow(unused_mut, elided_lifetimes_in_paths)]
        #item
    };
    (alias, function)
}
