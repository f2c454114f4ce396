//! Accesses to buffers.
//!
//! A slice has methods that check an index where the version does; a view is a slice and the steps
//! that make one number of its indices; an array is plain memory of the thread, one copy for each lane
//! if several runs use it. An element that work-items
//! may touch at the same time, in a `racy` kernel, by atomic operations, or if a `unique` kernel is
//! wrong, is reached by atomic accesses only.

use super::Emit;
use super::names::{extent, gid, local};
use super::values::Place;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{quote, quote_spanned};
use ringwood_ir::{Buffer, Expr, ParamKind, Space, Stmt, statements};

impl Emit<'_> {
    /// The method that opens the memory of a slice or view.
    pub(super) fn opened(&self, param: u32, mutable: bool) -> Ident {
        let name = match mutable {
            true if self.is_contended(Buffer::Param(param)) => "contended",
            true => "writable",
            false => "readable",
        };
        Ident::new(name, Span::call_site())
    }

    /// Whether work-items may touch an element of a mutable parameter at the same time.
    fn is_contended(&self, buffer: Buffer) -> bool {
        let ir = &self.lowered.ir;
        ir.modes.racy || ir.modes.unique || changes(&ir.body, buffer)
    }

    /// The memory of a parameter, of which the work-item claims the elements that it uses if no other
    /// one may use them.
    fn claimed(&self, param: u32) -> TokenStream {
        let (ir, buffer, name) = (&self.lowered.ir, Buffer::Param(param), self.param(param));
        let mutable = ir.buffer(buffer).is_some_and(|info| info.mutable);
        if !ir.modes.unique || !mutable || changes(&ir.body, buffer) {
            return quote!(#name);
        }
        let item = match (ir.group, &self.lanes) {
            (Some(_), Some(lanes)) => {
                let (group, size, lane) = (local("group"), lanes.count(), lanes.linear());
                quote!(#group * #size + #lane)
            }
            _ => (0..ir.rank).rev().fold(quote!(0), |item, d| {
                let (extent, gid) = (extent(d), gid(d));
                quote!((#item * #extent + #gid))
            }),
        };
        quote!(#name.claimed(#param, #item))
    }

    pub(super) fn elements(&self, array: u32) -> usize {
        self.lowered.ir.arrays[array as usize].dims.iter().map(|d| *d as usize).product()
    }

    /// The extent of a buffer along a dimension.
    pub(super) fn dim(&self, buffer: Buffer, d: u8) -> TokenStream {
        match buffer {
            Buffer::Param(param) => {
                let name = self.length(param);
                match self.lowered.ir.params[param as usize].kind {
                    ParamKind::View { .. } => {
                        let d = usize::from(d);
                        quote!(#name[#d])
                    }
                    _ => quote!(#name),
                }
            }
            Buffer::Array(array) => {
                let dims = &self.lowered.ir.arrays[array as usize].dims;
                let extent = Literal::usize_suffixed(dims[usize::from(d)] as usize);
                quote!(#extent)
            }
        }
    }

    /// The memory of an access and what its methods take for the index.
    pub(super) fn index(
        &self,
        buffer: Buffer,
        indices: &[Expr],
        site: u32,
    ) -> (TokenStream, TokenStream) {
        let values = indices.iter().map(|i| self.expr(i));
        match buffer {
            Buffer::Param(param) => match self.lowered.ir.params[param as usize].kind {
                ParamKind::View { .. } => {
                    let (name, steps) = (self.claimed(param), self.steps(param));
                    let position = quote! {
                        #steps.position::<CHECKED>(launch.fault(), [#(#values),*], #site)
                    };
                    (name, quote!(#position, #site))
                }
                _ => (self.claimed(param), quote!(#(#values)*, #site)),
            },
            Buffer::Array(array) => {
                let (name, position) =
                    (self.array(array), self.position(array, values.collect(), site));
                (quote!(#name.checked::<CHECKED>()), position)
            }
        }
    }

    /// The number of an element of an array.
    fn position(&self, array: u32, indices: Vec<TokenStream>, site: u32) -> TokenStream {
        let private = &self.private;
        let dims = &self.lowered.ir.arrays[array as usize].dims;
        let dims = dims.iter().map(|d| Literal::usize_suffixed(*d as usize));
        let position = quote! {
            #private::kernel::position::<CHECKED, _>(
                launch.fault(), [#(#indices),*], [#(#dims),*], #site
            )
        };
        match (self.values.arrays[array as usize], &self.lanes) {
            (Place::Lanes, Some(lanes)) => {
                let (copies, lane) = (lanes.count(), lanes.linear());
                quote!(#private::kernel::of_lane::<CHECKED, #copies>(#position, #lane))
            }
            _ => position,
        }
    }

    pub(super) fn load(&self, buffer: Buffer, indices: &[Expr], site: u32) -> TokenStream {
        let (memory, index) = self.index(buffer, indices, site);
        quote_spanned!(self.span(site)=> #memory.load(#index))
    }

    pub(super) fn store(
        &self,
        buffer: Buffer,
        indices: &[Expr],
        value: TokenStream,
        site: u32,
    ) -> TokenStream {
        let (memory, index) = self.index(buffer, indices, site);
        quote_spanned!(self.span(site)=> #memory.store(#index, #value);)
    }

    pub(super) fn fill(&self, array: u32, value: TokenStream) -> TokenStream {
        let name = self.array(array);
        match (self.values.arrays[array as usize], &self.lanes) {
            (Place::Lanes, Some(lanes)) => {
                let (copies, lane) = (lanes.count(), lanes.linear());
                quote!(#name.checked::<CHECKED>().fill_lane::<#copies>(#lane, #value);)
            }
            _ => quote!(#name.checked::<CHECKED>().fill(#value);),
        }
    }

    /// The arrays that all lanes share, and those of which each lane has a copy.
    pub(super) fn shared_arrays(&self) -> (TokenStream, TokenStream) {
        let copies = self.lanes.as_ref().map_or(1, super::Lanes::count);
        let arrays = self.lowered.ir.arrays.iter().enumerate().map(|(i, a)| (i as u32, a));
        let declared = arrays.clone().filter_map(|(i, _)| match self.values.arrays[i as usize] {
            Place::Scalar => Some(self.declare_array(i, 1)),
            Place::Lanes => Some(self.declare_array(i, copies)),
            Place::Local(_) | Place::Recomputed => None,
        });
        let poisoned = arrays.filter(|(_, a)| a.space == Space::Shared).map(|(i, a)| {
            let (name, poison) = (self.array(i), self.poison(a.ty));
            quote!(if CHECKED { #name.checked::<CHECKED>().fill(#poison); })
        });
        (quote!(#(#declared)*), quote!(#(#poisoned)*))
    }
}

/// Whether atomic operations act on a buffer.
fn changes(body: &[Stmt], buffer: Buffer) -> bool {
    statements(body).any(|stmt| matches!(stmt, Stmt::Atomic(a) if a.buffer == buffer))
}
