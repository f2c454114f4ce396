//! Statements of one work-item.

use super::Emit;
use super::values::Place;
use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use ringwood_ir::{Atomic, Stmt, Type};

/// The most elements of an array on the stack of a thread.
const LARGE: usize = 1 << 14;

impl Emit<'_> {
    /// The variables and arrays that one work-item uses in a run alone, and what the run computes
    /// anew.
    pub(super) fn locals(&self, run: usize) -> TokenStream {
        let (ir, place) = (&self.lowered.ir, Place::Local(run));
        let here = |places: &[Place]| {
            let at = places.iter().enumerate().filter(|(_, p)| **p == place);
            at.map(|(i, _)| i as u32).collect::<Vec<_>>()
        };
        let vars = here(&self.values.vars).into_iter().map(|v| {
            let (name, ty) = (self.var(v), self.ty(ir.vars[v as usize].ty));
            quote!(let mut #name: #ty = ::core::default::Default::default();)
        });
        let arrays = here(&self.values.arrays).into_iter().map(|a| self.declare_array(a, 1));
        let recomputed = self.values.recomputed.get(run).into_iter().flatten().map(|(v, value)| {
            let (name, ty, value) = (self.var(*v), self.ty(value.ty), self.expr(value));
            quote!(let #name: #ty = #value;)
        });
        quote!(#(#vars)* #(#arrays)* #(#recomputed)*)
    }

    pub(super) fn declare_array(&self, array: u32, copies: usize) -> TokenStream {
        let (private, declared) = (&self.private, &self.lowered.ir.arrays[array as usize]);
        let (name, ty) = (self.array(array), self.ty(declared.ty));
        let count = self.elements(array) * copies;
        let elements = Literal::usize_unsuffixed(count);
        if count > LARGE {
            return quote!(let #name = #private::kernel::LargeArray::<#ty>::new(#elements););
        }
        quote!(let #name = #private::kernel::Array::<#ty, #elements>::new();)
    }

    /// The value of a variable, to read or to write.
    pub(super) fn place(&self, var: u32) -> TokenStream {
        let name = self.var(var);
        match self.values.vars[var as usize] {
            Place::Lanes => {
                let lane = self.lane();
                quote!(#name #lane)
            }
            _ => quote!(#name),
        }
    }

    pub(super) fn block<'s>(&self, body: impl IntoIterator<Item = &'s Stmt>) -> TokenStream {
        body.into_iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&self, stmt: &Stmt) -> TokenStream {
        match stmt {
            Stmt::Let(v, _) if self.values.vars[*v as usize] == Place::Recomputed => quote!(),
            Stmt::Let(v, value) | Stmt::Assign(v, value) => self.assign(*v, self.expr(value)),
            Stmt::Store { buffer, indices, value, site } => {
                self.store(*buffer, indices, self.expr(value), *site)
            }
            Stmt::Fill(array, value) => self.fill(*array, self.expr(value)),
            Stmt::Atomic(atomic) => self.atomic(atomic),
            Stmt::If(condition, then, otherwise) => {
                let condition = self.expr(condition);
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                quote!(if #condition { #then } else { #otherwise })
            }
            Stmt::For(v, from, to, body) => {
                let body = self.block(body);
                self.for_loop(*v, self.expr(from), self.expr(to), body)
            }
            Stmt::While(condition, body) => {
                let (condition, body) = (self.expr(condition), self.block(body));
                quote!(while #condition { #body })
            }
            Stmt::Break => quote!(break;),
            Stmt::Continue => quote!(continue;),
            Stmt::ForGroup(..) | Stmt::Barrier(_) | Stmt::GroupReduce { .. } => {
                unreachable!("an operation of the group is a region")
            }
        }
    }

    pub(super) fn assign(&self, var: u32, value: TokenStream) -> TokenStream {
        let place = self.place(var);
        quote!(#place = #value;)
    }

    pub(super) fn for_loop(
        &self,
        var: u32,
        from: TokenStream,
        to: TokenStream,
        body: TokenStream,
    ) -> TokenStream {
        let name = self.var(var);
        quote!(for #name in #from..#to { #body })
    }

    fn atomic(&self, atomic: &Atomic) -> TokenStream {
        let span = self.span(atomic.site);
        let method = format_ident!("{}", atomic.op.name(), span = span);
        let values = atomic.values.iter().map(|value| self.expr(value));
        let (buffer, index) = self.index(atomic.buffer, &atomic.indices, atomic.site);
        let call = quote_spanned!(span=> #buffer.#method(#index, #(#values),*));
        match atomic.old {
            Some(old) => self.assign(old, call),
            None => quote!(let _ = #call;),
        }
    }

    /// A content of shared arrays that stands out.
    pub(super) fn poison(&self, ty: Type) -> TokenStream {
        let rust = self.ty(ty);
        match ty {
            Type::Bool => quote!(true),
            ty if ty.is_float() => quote!(#rust::NAN),
            _ => quote!(#rust::MAX),
        }
    }
}
