//! The names in native code, which no name of a user can meet.

use super::Emit;
use crate::kernel::lower::Lowered;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};
use ringwood_ir::Type;

pub(super) fn local(name: &str) -> Ident {
    Ident::new(name, Span::mixed_site())
}

/// The index of the work-item along a dimension.
pub(super) fn gid(dimension: u8) -> Ident {
    local(&format!("gid{dimension}"))
}

/// The index of the work-item in its group along a dimension.
pub(super) fn lid(dimension: u8) -> Ident {
    local(&format!("lid{dimension}"))
}

/// The index of the group along a dimension.
pub(super) fn group(dimension: u8) -> Ident {
    local(&format!("group{dimension}"))
}

/// The extent of the domain along a dimension.
pub(super) fn extent(dimension: u8) -> Ident {
    local(&format!("extent{dimension}"))
}

/// The type that stands for a called function in an expansion.
pub(in crate::kernel) fn callee_type(lowered: &Lowered, function: usize) -> Ident {
    format_ident!("__function_{}_{function}", lowered.index)
}

/// The function that calls a function with the types that were inferred.
pub(in crate::kernel) fn wrapper(lowered: &Lowered, function: usize) -> Ident {
    format_ident!("__call_{}_{function}", lowered.index)
}

/// The Rust type of values.
pub(in crate::kernel) fn native_type(private: &TokenStream, ty: Type) -> TokenStream {
    let name = format_ident!("{}", ty.name());
    if ty.is_narrow() { quote!(#private::kernel::#name) } else { quote!(#name) }
}

impl Emit<'_> {
    pub(super) fn ty(&self, ty: Type) -> TokenStream {
        native_type(&self.private, ty)
    }

    pub(super) fn var(&self, index: u32) -> Ident {
        let name = &self.lowered.ir.vars[index as usize].name;
        local(&format!("v{index}_{}", name.trim_start_matches("r#")))
    }

    pub(super) fn param(&self, index: u32) -> Ident {
        local(&format!("p{index}_{}", self.lowered.ir.params[index as usize].name))
    }

    /// The local that holds the steps of a view.
    pub(super) fn steps(&self, index: u32) -> Ident {
        local(&format!("s{index}_{}", self.lowered.ir.params[index as usize].name))
    }

    /// The local that holds the number of elements of a slice, or the extents of a view.
    pub(super) fn length(&self, index: u32) -> Ident {
        local(&format!("n{index}_{}", self.lowered.ir.params[index as usize].name))
    }

    /// The local that holds an array.
    pub(super) fn array(&self, index: u32) -> Ident {
        local(&format!("a{index}_{}", self.lowered.ir.arrays[index as usize].name))
    }
}
