//! The plain function of a device function, a map or a reduction of one type: as it is written, or where
//! it computes with types that Rust has no literals and casts of, its native code.

use super::import_methods;
use crate::kernel::lower::Lowered;
use crate::kernel::model::{Form, Model};
use crate::kernel::native::{native_type, scalar};
use proc_macro2::TokenStream;
use quote::quote;
use ringwood_ir::Type;
use syn::{FnArg, ItemFn, ReturnType, parse_quote};

pub(in crate::kernel) fn plain(model: &Model, lowered: &Lowered) -> ItemFn {
    let private = model.private();
    let mut item = model.item.clone();
    if !is_narrow(model, lowered) {
        import_methods(&mut item, &private);
        return item;
    }
    let types = types(model);
    let native = |ty| syn::Type::Verbatim(native_type(&private, ty));
    for (input, ty) in item.sig.inputs.iter_mut().zip(&types) {
        if let FnArg::Typed(typed) = input {
            *typed.ty = native(*ty);
        }
    }
    if let (ReturnType::Type(_, result), Some(ty)) = (&mut item.sig.output, types.last()) {
        **result = native(*ty);
    }
    let (name, names) = (model.name(), model.params.iter().map(|p| &p.ident));
    item.block = parse_quote!({ #name::native(#(#names),*) });
    item
}

/// The native code that the plain function of a kernel calls.
pub(super) fn called(model: &Model, lowered: &[Lowered]) -> Option<TokenStream> {
    let is_map = matches!(model.options.form, Form::Map | Form::Reduce);
    let lowered = lowered.first().filter(|_| is_map && model.options.types.is_none())?;
    let lowered = computed(lowered);
    is_narrow(model, lowered).then(|| {
        let (name, native) = (model.name(), scalar(model, lowered));
        quote!(impl #name { #native })
    })
}

/// The function of scalars: that which combines two values, of a reduction.
pub(super) fn computed(lowered: &Lowered) -> &Lowered {
    lowered.combine.as_deref().unwrap_or(lowered)
}

fn is_narrow(model: &Model, lowered: &Lowered) -> bool {
    let ir = &lowered.ir;
    types(model).iter().any(|ty| ty.is_narrow())
        || ir.arrays.iter().any(|array| array.ty.is_narrow())
        || ir.functions.iter().any(|f| f.params.iter().any(|ty| ty.is_narrow()))
        || ir.any(&|e| e.ty.is_narrow())
}

/// Those of the parameters, and that of the result.
fn types(model: &Model) -> Vec<Type> {
    let types = model.params.iter().map(|p| p.ty);
    types.chain(model.result).map(|ty| ty.of(None)).collect()
}
