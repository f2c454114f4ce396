//! What a kernel needs of the functions that it calls: their IR, joined with its own when the crate is
//! compiled, and their native code, called with the types that were inferred. Constants of the crate
//! become literals of the joined IR.

use super::super::lower::{Callee, Lowered};
use crate::kernel::model::Model;
use crate::kernel::native::{callee_type, native_type, wrapper};
use crate::text::text;
use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use ringwood_ir::{ExprKind, Function, Kernel, Type};
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
    mark_constants(&mut ir, lowered);
    mark_all(&mut ir, &mut marked);
    let text = ringwood_ir::encode(&ir);
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
    while let Some((before, constant, after)) = next_constant(lowered, rest) {
        parts.push(quote!(#before, #private::kernel::link::trimmed(&#constant)));
        rest = after;
    }
    if parts.is_empty() {
        return quote!(#text);
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

/// What stands for the value of the first constant in a text: no literal is as large. The others are
/// below it.
const UNKNOWN: i128 = i128::MAX;

/// Puts literals into the place of constants, and leaves the functions.
fn mark_constants(ir: &mut Kernel, lowered: &Lowered) {
    if let Some(combine) = &lowered.combine {
        let bodies = ir.functions.iter_mut().filter_map(|f| f.body.as_mut());
        return bodies.for_each(|body| mark_constants(body, combine));
    }
    let is_constant = |f: u32| lowered.functions.get(f as usize).is_some_and(|c| c.is_constant);
    let constants = |below: u32| (0..below).filter(|f| is_constant(*f)).count() as u32;
    ir.walk_mut(&mut |e| {
        e.kind = match &mut e.kind {
            ExprKind::Call(f, _) if is_constant(*f) => ExprKind::Int(UNKNOWN - i128::from(*f)),
            ExprKind::Call(f, args) => ExprKind::Call(*f - constants(*f), std::mem::take(args)),
            _ => return,
        };
    });
    let mut number = 0..;
    ir.functions.retain(|_| !number.next().is_some_and(is_constant));
}

/// The text before the next constant, its digits, and the text after it.
fn next_constant<'a>(lowered: &Lowered, text: &'a str) -> Option<(String, Ident, &'a str)> {
    let lowered = lowered.combine.as_deref().unwrap_or(lowered);
    let constants = lowered.functions.iter().enumerate().filter(|(_, callee)| callee.is_constant);
    let found = constants.filter_map(|(i, _)| {
        let mark = (UNKNOWN - i as i128).to_string();
        Some((text.find(&mark)?, i, mark.len()))
    });
    let (at, i, length) = found.min()?;
    // `i TYPE:SITE` is before it: the operation is that of the type's literals.
    let operation = text[..at].rfind(" i ")? + 1;
    let literal = match lowered.ir.functions[i].result {
        Type::Bool => "b",
        ty if ty.is_float() => "f",
        _ => "i",
    };
    let before = format!("{}{literal}{}", &text[..operation], &text[operation + 1..at]);
    Some((before, digits(lowered, i), &text[at + length..]))
}

/// The digits of a constant, in the expansion.
fn digits(lowered: &Lowered, constant: usize) -> Ident {
    format_ident!("__DIGITS_{}_{constant}", lowered.index)
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
fn callees(lowered: &Lowered) -> Vec<(&syn::Path, Ident)> {
    let own = match &lowered.combine {
        Some(combine) => return callees(combine),
        None => lowered.functions.iter().enumerate(),
    };
    let functions = own.filter(|(_, callee)| !callee.is_constant);
    functions.map(|(i, callee)| (&callee.path, callee_type(lowered, i))).collect()
}

/// A type and a function for each function that is called: what is wrong with a path, or with the
/// types of a call, is reported once.
pub(in crate::kernel) fn calls(model: &Model, lowered: &Lowered) -> TokenStream {
    if let Some(combine) = &lowered.combine {
        return calls(model, combine);
    }
    let private = model.private();
    let call = |(i, (function, called)): (usize, (&Function, &Callee))| {
        let Callee { path, is_constant, guesses } = called;
        if *is_constant {
            return constant(model, lowered, i, path);
        }
        let (mut callee, wrapper) = (callee_type(lowered, i), wrapper(lowered, i));
        // What is wrong with it is wrong with the path.
        callee.set_span(path.span());
        let ty = |ty: &Type| native_type(&private, *ty);
        let types: Vec<_> = function.params.iter().map(ty).collect();
        let result = ty(&function.result);
        let names: Vec<_> = (0..function.params.len()).map(|i| format_ident!("x{i}")).collect();
        let guess = |(param, literal): &(usize, TokenStream)| {
            guessed(model, (path, &callee), (*param, function.params[*param]), literal)
        };
        let guessed: Vec<_> = guesses.iter().map(guess).collect();
        let passed = names.iter().enumerate().map(|(i, name)| {
            let is_guessed = guesses.iter().any(|(param, _)| *param == i);
            if is_guessed { quote!(#name as _) } else { quote!(#name) }
        });
        let native = match guesses.is_empty() {
            true => quote_spanned!(path.span()=> #callee::native),
            false => quote!(|#(#names),*| #callee::native(#(#passed),*)),
        };
        quote_spanned!(path.span()=>
            #[allow(non_camel_case_types)]
            type #callee = #path;

            #[allow(trivial_numeric_casts)]
            #[inline(always)]
            fn #wrapper(#(#names: #types),*) -> #result {
                const NATIVE: fn(#(#types),*) -> #result = #native;
                NATIVE(#(#names),*)
            }

            #(#guessed)*
        )
    };
    lowered.ir.functions.iter().zip(&lowered.functions).enumerate().map(call).collect()
}

/// Refuses a guessed type of a parameter that is not the declared one, at the literal.
fn guessed(
    model: &Model,
    (path, callee): (&syn::Path, &Ident),
    (param, ty): (usize, Type),
    literal: &TokenStream,
) -> TokenStream {
    let (private, guess, name) = (model.private(), ty.name(), text(path));
    let before = format!("`{literal}` alone is of type `{guess}`, but `{name}` takes `");
    let between = format!("`: write `{literal}_");
    quote_spanned!(literal.span()=>
        const _: () = {
            const DECLARED: &str = #private::kernel::link::parameter(#callee::DEF.ir, #param);
            const PARTS: &[&str] = &[#before, DECLARED, #between, DECLARED, "`"];
            const TEXT: [u8; #private::kernel::link::len(PARTS)] = #private::kernel::link::join(PARTS);
            ::core::assert!(
                #private::kernel::link::fits(#guess, DECLARED),
                "{}",
                #private::kernel::link::text(&TEXT),
            );
        };
    )
}

/// The value of a constant of the crate, and its digits in the text.
fn constant(model: &Model, lowered: &Lowered, index: usize, path: &syn::Path) -> TokenStream {
    let (private, function) = (model.private(), &lowered.ir.functions[index]);
    let (wrapper, digits) = (wrapper(lowered, index), digits(lowered, index));
    let ty = native_type(&private, function.result);
    let length = quote!(#private::kernel::link::DIGITS);
    let written = match function.result {
        ty if ty.is_float() => quote!(#private::kernel::link::bits(__VALUE.to_bits() as u64)),
        _ => quote!(#private::kernel::link::integer(__VALUE as i128)),
    };
    quote_spanned!(path.span()=>
        const #digits: [u8; #length] = {
            // A name that no constant of a user has.
            const __VALUE: #ty = #path;
            #written
        };

        #[inline(always)]
        fn #wrapper() -> #ty {
            #path
        }
    )
}
