//! Loops over lanes: the work-items of a group, or of a piece of a row of a grid.

use super::Emit;
use super::names::{extent, gid, group, lid, local};
use super::regions::Region;
use super::values::Place;
use proc_macro2::TokenStream;
use quote::quote;
use ringwood_ir::{Expr, GroupOp, Kernel, Stmt, jumps};

/// Lanes in rows; those of a row are contiguous.
pub(super) struct Lanes {
    rows: usize,
    columns: usize,
    /// The extents of the group, if there is one.
    group: Option<[usize; 3]>,
    /// Whether arrays have elements of 8 bytes, of which few are computed at once.
    wide: bool,
}

/// The lanes of a piece of a row of a grid.
const PIECE: usize = 64;

impl Lanes {
    pub(super) fn of(kernel: &Kernel) -> Self {
        let wide = kernel.arrays.iter().any(|array| array.ty.size() == 8);
        match kernel.group.map(|size| size.map(|n| n as usize)) {
            Some([x, y, z]) => Self { rows: y * z, columns: x, group: Some([x, y, z]), wide },
            None => Self { rows: 1, columns: PIECE, group: None, wide },
        }
    }

    pub(super) fn count(&self) -> usize {
        self.rows * self.columns
    }

    /// The number of the lane.
    pub(super) fn linear(&self) -> TokenStream {
        let (row, lane, columns) = (local("row"), local("lane"), self.columns);
        if self.rows == 1 { quote!(#lane) } else { quote!((#row * #columns + #lane)) }
    }
}

impl Emit<'_> {
    fn arranged(&self) -> &Lanes {
        self.lanes.as_ref().expect("a kernel of regions has lanes")
    }

    /// The number of rows: hidden from the optimiser, unless what it makes of every row for itself is faster.
    fn rows(&self) -> TokenStream {
        let (Lanes { rows, wide, .. }, private) = (self.arranged(), &self.private);
        if *wide { quote!(#rows) } else { quote!(#private::kernel::rows(#rows)) }
    }

    /// The index of a lane into the values of all lanes.
    pub(super) fn lane(&self) -> TokenStream {
        let (row, lane) = (local("row"), local("lane"));
        if self.arranged().rows == 1 { quote!([0][#lane]) } else { quote!([#row][#lane]) }
    }

    /// The work-items of a group along a dimension.
    pub(super) fn group_extent(&self, d: u8) -> usize {
        let group = self.lanes.as_ref().and_then(|lanes| lanes.group);
        group.map_or(1, |size| size[usize::from(d)])
    }

    /// All work-items of a range, in regions.
    pub(super) fn lanes(&self, regions: &[Region<'_>]) -> TokenStream {
        let (prologue, values) = (self.prologue(), self.kept());
        let (arrays, poison) = self.shared_arrays();
        let body = self.regions(regions);
        let around = match self.arranged().group {
            Some(_) => self.each_group(quote!(#poison #body)),
            None => self.each_piece(body),
        };
        quote! {
            #prologue
            #values
            #arrays
            #around
            ::core::result::Result::Ok(())
        }
    }

    /// The variables that outlive a run.
    fn kept(&self) -> TokenStream {
        let Lanes { rows, columns, .. } = *self.arranged();
        let vars = self.values.vars.iter().zip(&self.lowered.ir.vars).enumerate();
        let kept = vars.filter_map(|(i, (place, declared))| {
            let (name, ty) = (self.var(i as u32), self.ty(declared.ty));
            let zero = quote!(<#ty as ::core::default::Default>::default());
            match place {
                Place::Scalar => Some(quote!(let mut #name: #ty = #zero;)),
                Place::Lanes => Some(quote!(let mut #name = [[#zero; #columns]; #rows];)),
                Place::Local(_) | Place::Recomputed => None,
            }
        });
        quote!(#(#kept)*)
    }

    fn each_group(&self, body: TokenStream) -> TokenStream {
        let (g, rank) = (local("group"), self.lowered.ir.rank);
        let rest = local("rest");
        let indices = (0..rank).map(|d| {
            let (name, extent) = (group(d), extent(d));
            quote!(let #name = #rest % #extent; let #rest = #rest / #extent;)
        });
        quote! {
            for #g in range {
                let #rest = #g;
                #(#indices)*
                #body
            }
        }
    }

    fn each_piece(&self, body: TokenStream) -> TokenStream {
        let [at, line, last, base, columns] = ["at", "line", "last", "base", "columns"].map(local);
        let (width, piece) = (extent(0), PIECE);
        let rest = (1..self.lowered.ir.rank).map(|d| {
            let (name, extent) = (gid(d), extent(d));
            quote!(let #name = #line % #extent; let #line = #line / #extent;)
        });
        quote! {
            let mut #at = range.start;
            while #at < range.end {
                let #line = #at / #width;
                let mut #base = #at % #width;
                let #last = ::core::cmp::min(#width, #base + (range.end - #at));
                #at += #last - #base;
                #(#rest)*
                while #base < #last {
                    let #columns = ::core::cmp::min(#last - #base, #piece);
                    #body
                    #base += #columns;
                }
            }
        }
    }

    fn regions(&self, regions: &[Region<'_>]) -> TokenStream {
        regions.iter().map(|region| self.region(region)).collect()
    }

    fn region(&self, region: &Region<'_>) -> TokenStream {
        match region {
            Region::Run(run, stmts) => {
                let body = self.block(stmts.iter().copied());
                self.each_lane(*run, body)
            }
            Region::Group(run, Stmt::GroupReduce { var, op, value, .. }) => {
                self.reduce(*run, *var, *op, value)
            }
            Region::Group(run, Stmt::ForGroup(var, count, body)) => {
                self.shared(*run, *var, count, body)
            }
            Region::Uniform(stmt, bodies) => {
                let bodies: Vec<_> = bodies.iter().map(|body| self.regions(body)).collect();
                self.uniform(stmt, &bodies)
            }
            Region::Group(..) => unreachable!("such a region combines values or shares turns"),
        }
    }

    fn uniform(&self, stmt: &Stmt, bodies: &[TokenStream]) -> TokenStream {
        match (stmt, bodies) {
            (Stmt::Let(v, value) | Stmt::Assign(v, value), _) => self.assign(*v, self.expr(value)),
            (Stmt::If(condition, ..), [a, b]) => {
                let condition = self.expr(condition);
                quote!(if #condition { #a } else { #b })
            }
            (Stmt::For(v, from, to, _), [body]) => {
                let (name, counter) = (self.var(*v), local("counter"));
                let (from, to) = (self.expr(from), self.expr(to));
                quote!(for #counter in #from..#to { #name = #counter; #body })
            }
            (Stmt::While(condition, _), [body]) => {
                let condition = self.expr(condition);
                quote!(while #condition { #body })
            }
            (Stmt::Break, _) => quote!(break;),
            _ => quote!(continue;),
        }
    }

    /// A loop over the lanes.
    fn each_lane(&self, run: usize, body: TokenStream) -> TokenStream {
        let Lanes { rows, columns, group, .. } = *self.arranged();
        let (row, lane) = (local("row"), local("lane"));
        let (ids, locals) = (self.ids(), self.locals(run));
        let end = match group {
            Some(_) => quote!(#columns),
            None => {
                let end = local("columns");
                quote!(#end)
            }
        };
        let line = quote!(for #lane in 0..#end { #ids #locals #body });
        let all = self.rows();
        if rows == 1 { line } else { quote!(for #row in 0..#all { #line }) }
    }

    /// The indices of a lane.
    fn ids(&self) -> TokenStream {
        let (row, lane) = (local("row"), local("lane"));
        match self.arranged().group {
            None => {
                let (gid, base) = (gid(0), local("base"));
                quote!(let #gid = #base + #lane;)
            }
            Some([_, y, _]) => {
                let (x_id, y_id, z_id) = (lid(0), lid(1), lid(2));
                let rows = (self.arranged().rows > 1)
                    .then(|| quote!(let #y_id = #row % #y; let #z_id = #row / #y;));
                quote!(let #x_id = #lane; #rows)
            }
        }
    }

    fn reduce(&self, run: usize, var: u32, op: GroupOp, value: &Expr) -> TokenStream {
        let Lanes { rows, columns, .. } = *self.arranged();
        let (private, ty, values) = (&self.private, self.ty(value.ty), local("values"));
        let (lane, value) = (self.lane(), self.expr(value));
        let fill = self.each_lane(run, quote!(#values #lane = #value;));
        let function = match op {
            GroupOp::Sum => quote!(#private::kernel::math::Number::add),
            GroupOp::Min => quote!(#private::kernel::math::Number::min),
            GroupOp::Max => quote!(#private::kernel::math::Number::max),
            GroupOp::Function(function) => self.callee(function),
        };
        let result = quote!({
            let mut #values = [[<#ty as ::core::default::Default>::default(); #columns]; #rows];
            #fill
            #private::kernel::tree(&mut #values, #[inline(always)] |a: #ty, b: #ty| #function(a, b))
        });
        self.assign(var, result)
    }

    /// A loop whose turns the lanes share: pieces of as many turns as there are lanes, so that
    /// neighbours touch neighbouring elements.
    fn shared(&self, run: usize, var: u32, count: &Expr, body: &[Stmt]) -> TokenStream {
        if jumps(body, &Stmt::Break) {
            return self.shared_by_lane(run, var, count, body);
        }
        let lanes = self.arranged();
        let (rows, columns) = (lanes.rows, lanes.columns);
        let [row, lane, end, base, left, line] =
            ["row", "lane", "end", "base", "left", "line"].map(local);
        let (width, linear) = (lanes.count(), lanes.linear());
        let (ids, locals, count) = (self.ids(), self.locals(run), self.expr(count));
        let (name, body) = (self.var(var), self.block(body));
        let turns = |end: TokenStream| {
            quote! {
                for #lane in 0..#end { #ids #locals #name = #base + #linear; #body }
            }
        };
        let piece = if rows == 1 {
            let (full, rest) = (turns(quote!(#columns)), turns(quote!(#left)));
            quote! {
                let #left = #end - #base;
                if #left >= #columns { #full } else { #rest }
            }
        } else {
            let (line_loop, all) = (turns(quote!(#line)), self.rows());
            quote! {
                let #left = #end - #base;
                for #row in 0..#all {
                    let #line = ::core::cmp::min(#left.saturating_sub(#row * #columns), #columns);
                    #line_loop
                }
            }
        };
        quote! {{
            let #end: usize = #count;
            let mut #base = 0_usize;
            while #base < #end {
                #piece
                #base = #base.saturating_add(#width);
            }
        }}
    }

    /// As [`Emit::shared`], one lane after the other, each of which may leave the loop.
    fn shared_by_lane(&self, run: usize, var: u32, count: &Expr, body: &[Stmt]) -> TokenStream {
        let lanes = self.arranged();
        let [end, turn] = ["end", "turn"].map(local);
        let (width, linear, count) = (lanes.count(), lanes.linear(), self.expr(count));
        let (name, body) = (self.var(var), self.block(body));
        let turns = quote! {
            for #turn in ::core::iter::Iterator::step_by(#linear..#end, #width) { #name = #turn; #body }
        };
        let lanes = self.each_lane(run, turns);
        quote!({ let #end: usize = #count; #lanes })
    }
}
