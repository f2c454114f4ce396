//! What a kernel needs of the functions that it calls: their IR, joined with its own when the crate is
//! compiled, and their native code, called with the types that were inferred.

use crate::kernel::lower::Lowered;
use crate::kernel::model::Model;
use crate::kernel::native::{callee_type, native_type, wrapper};
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use ringwood_ir::{Function, Kernel};
use syn::spanned::Spanned;

/// The text of the IR, an expression of type `&'static str`.
pub(in crate::kernel) fn linked(model: &Model, lowered: &Lowered) -> TokenStream {
    joined(model, lowered.ir.clone(), lowered)
}

/// The text of the declaration alone: parameters, rank, group, requirements, and no statements.
pub(in crate::kernel) fn declaration(model: &Model, lowered: &Lowered) -> TokenStream {
    let mut ir = lowered.ir.clone();
    ir.body.clear();
    ir.arrays.clear();
    ir.vars.clear();
    joined(model, ir, lowered)
}

fn joined(model: &Model, mut ir: Kernel, lowered: &Lowered) -> TokenStream {
    let private = model.private();
    let mut marked = Vec::new();
    mark_all(&mut ir, &mut marked);
    let text = ringwood_ir::encode(&ir);
    if marked.is_empty() {
        return quote!(#text);
    }
    let mut rest = text.as_str();
    let mut parts = Vec::new();
    for ((i, function), (path, callee)) in marked.iter().enumerate().zip(callees(lowered)) {
        let types = types(function);
        let open = format!("{} {types} -", mark(i));
        let Some((before, after)) = rest.split_once(&open) else { continue };
        let types = format!(" {types} + ");
        parts.push(quote_spanned!(path.span()=>
            #before,
            #callee::DEF.name,
            #types,
            #private::kernel::link::body(#callee::DEF.ir)
        ));
        rest = after;
    }
    quote!({
        const PARTS: &[&str] = &[#(#parts,)* #rest];
        const TEXT: [u8; #private::kernel::link::len(PARTS)] = #private::kernel::link::join(PARTS);
        #private::kernel::link::text(&TEXT)
    })
}

/// Names each function that is declared elsewhere by its place among them; that of a reduction may
/// call some, too.
fn mark_all(ir: &mut Kernel, marked: &mut Vec<Function>) {
    for function in &mut ir.functions {
        match &mut function.body {
            Some(body) => mark_all(body, marked),
            None => {
                function.name = mark(marked.len());
                marked.push(function.clone());
            }
        }
    }
}

/// What stands for the name of a function until it is known; no name has this form.
fn mark(index: usize) -> String {
    format!("@{index}@")
}

/// The types of a function as they stand in the text.
fn types(function: &Function) -> String {
    let params: Vec<_> = function.params.iter().map(|ty| format!("{ty} ")).collect();
    format!("{} {}{}", params.len(), params.concat(), function.result)
}

/// The paths of the functions that are declared elsewhere, with the types that stand for them here, in
/// the order of [`mark_all`].
fn callees(lowered: &Lowered) -> Vec<(&syn::Path, syn::Ident)> {
    let own = match &lowered.combine {
        Some(combine) => return callees(combine),
        None => lowered.functions.iter().enumerate(),
    };
    own.map(|(i, path)| (path, callee_type(lowered, i))).collect()
}

/// A type and a function for each function that is called: what is wrong with a path, or with the
/// types of a call, is reported once.
pub(in crate::kernel) fn calls(model: &Model, lowered: &Lowered) -> TokenStream {
    if let Some(combine) = &lowered.combine {
        return calls(model, combine);
    }
    let private = model.private();
    let call = |(i, (function, path)): (usize, (&Function, &syn::Path))| {
        let (mut callee, wrapper) = (callee_type(lowered, i), wrapper(lowered, i));
        // What is wrong with it is wrong with the path.
        callee.set_span(path.span());
        let ty = |ty: &ringwood_ir::Type| native_type(&private, *ty);
        let types: Vec<_> = function.params.iter().map(ty).collect();
        let result = ty(&function.result);
        let names: Vec<_> = (0..function.params.len()).map(|i| format_ident!("x{i}")).collect();
        quote_spanned!(path.span()=>
            #[allow(non_camel_case_types)]
            type #callee = #path;

            #[inline(always)]
            fn #wrapper(#(#names: #types),*) -> #result {
                const NATIVE: fn(#(#types),*) -> #result = #callee::native;
                NATIVE(#(#names),*)
            }
        )
    };
    lowered.ir.functions.iter().zip(&lowered.functions).enumerate().map(call).collect()
}
