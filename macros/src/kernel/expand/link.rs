//! The IR of a kernel with that of the functions that it calls, joined when the crate is compiled.

use crate::kernel::lower::Lowered;
use crate::kernel::model::Model;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use ringwood_ir::Function;
use syn::spanned::Spanned;

/// The text of the IR, an expression of type `&'static str`.
pub(in crate::kernel) fn linked(model: &Model, lowered: &Lowered) -> TokenStream {
    let private = model.private();
    let mut ir = lowered.ir.clone();
    if ir.functions.iter().all(|function| function.body.is_some()) {
        let text = ringwood_ir::encode(&ir);
        return quote!(#text);
    }
    for (i, function) in ir.functions.iter_mut().enumerate() {
        function.name = mark(i);
    }
    let text = ringwood_ir::encode(&ir);
    let mut rest = text.as_str();
    let mut parts = Vec::new();
    for ((i, function), path) in ir.functions.iter().enumerate().zip(&lowered.functions) {
        let types = types(function);
        let open = format!("{} {types} -", mark(i));
        let Some((before, after)) = rest.split_once(&open) else { continue };
        let types = format!(" {types} + ");
        parts.push(quote_spanned!(path.span()=>
            #before,
            #path::DEF.name,
            #types,
            #private::kernel::link::body(#path::DEF.ir)
        ));
        rest = after;
    }
    quote!({
        const PARTS: &[&str] = &[#(#parts,)* #rest];
        const TEXT: [u8; #private::kernel::link::len(PARTS)] = #private::kernel::link::join(PARTS);
        #private::kernel::link::text(&TEXT)
    })
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

/// Has the compiler confirm the types with which functions are called.
pub(in crate::kernel) fn coercions(lowered: &Lowered) -> TokenStream {
    let check = |(function, path): (&Function, &syn::Path)| {
        let ident = |ty: &ringwood_ir::Type| format_ident!("{}", ty.name());
        let (params, result) = (function.params.iter().map(ident), ident(&function.result));
        quote_spanned!(path.span()=> const _: fn(#(#params),*) -> #result = #path;)
    };
    let calls = lowered.ir.functions.iter().zip(&lowered.functions);
    calls.filter(|(function, _)| function.body.is_none()).map(check).collect()
}
