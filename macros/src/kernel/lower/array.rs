//! Buffers and their elements: slices, views, shared arrays, arrays of a work-item.

use super::expr::is_constant_name;
use super::loops::bare;
use super::{Array, Local, Lower};
use crate::kernel::fragments::Open;
use crate::kernel::infer::{Known, TypeVar};
use crate::kernel::model::{Form, Passing};
use crate::text::text;
use quote::ToTokens;
use ringwood_ir::{Buffer, Expr, ExprKind, Space, Stmt, Type};
use syn::parse::{Parse, ParseStream};
use syn::visit_mut::VisitMut;

/// `name: [T; N]` of `shared!`.
struct Shared {
    name: syn::Ident,
    ty: syn::Type,
}

impl Parse for Shared {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<syn::Token![:]>()?;
        Ok(Self { name, ty: input.parse()? })
    }
}

/// The indices of an element of a view of this rank: `[[i, j]]`.
pub(super) fn element_form(rank: u8) -> String {
    let names = ["i", "j", "k", "l", "m", "n"];
    format!("[[{}]]", names[..usize::from(rank).min(names.len())].join(", "))
}

impl Lower<'_> {
    /// `shared!(t: [[f32; 16]; 17]);`
    pub(super) fn shared(&mut self, mac: &syn::Macro) {
        let Ok(Shared { name, mut ty }) = mac.parse_body::<Shared>() else {
            self.error(mac, "`shared!` takes a name and the type of an array")
                .help("write `shared!(tile: [[f32; 16]; 16]);`");
            return;
        };
        Open.visit_type_mut(&mut ty);
        if self.model.options.form != Form::Group {
            self.error(&mac.path, "a shared array needs a group of work-items that shares it")
                .help("make it a group kernel: `#[kernel(group = 256, groups = …)]`");
        } else if self.scopes.len() > 2 {
            self.error(&mac.path, "a shared array is declared at the top of the kernel")
                .help("move it out of this block: it exists once for the group");
        }
        if let Some((ty, dims)) = self.array_type(&ty) {
            self.declare_array(&name, ty, dims, Space::Shared, true);
        }
    }

    /// Element type and extents, slowest first, of `[[T; N]; M]`.
    fn array_type(&mut self, ty: &syn::Type) -> Option<(TypeVar, Vec<u32>)> {
        let (mut dims, mut element) = (Vec::new(), ty);
        while let syn::Type::Array(array) = element {
            dims.push(self.constant_value(&array.len, "the length of an array")?);
            element = &array.elem;
        }
        if dims.is_empty() {
            self.error(ty, "this is not the type of an array").help("write `[f32; 256]`");
            return None;
        }
        self.scalar_type(element).map(|ty| (ty, dims))
    }

    fn declare_array(
        &mut self,
        name: &syn::Ident,
        ty: TypeVar,
        dims: Vec<u32>,
        space: Space,
        mutable: bool,
    ) -> u32 {
        let text = name.to_string();
        if dims.iter().try_fold(1_u32, |n, d| n.checked_mul(*d)).is_none() {
            self.error(name, format!("the array `{text}` has more than 2^32 elements"))
                .help("make it smaller");
        }
        self.arrays.push(Array { name: text, ty, dims, space, mutable });
        let index = self.arrays.len() as u32 - 1;
        self.bind(name, Local::Array(index));
        index
    }

    /// `let a = [value; N];` or `let a = [x, y, z];`, if that is what the initialiser is.
    pub(super) fn local_array(
        &mut self,
        name: &syn::PatIdent,
        annotated: Option<&syn::Type>,
        init: &syn::Expr,
    ) -> Option<Vec<Stmt>> {
        if !matches!(init, syn::Expr::Repeat(_) | syn::Expr::Array(_)) {
            return None;
        }
        let mut dims = Vec::new();
        let stmts = match init {
            syn::Expr::Array(list) => self.listed(name, list),
            _ => self.repeated(init, &mut dims).map(|value| (value, dims, Vec::new())),
        };
        let Some((value, dims, rest)) = stmts else {
            let ty = self.types.new_var(Known::Wrong);
            self.declare_array(&name.ident, ty, vec![1], Space::Local, true);
            return Some(Vec::new());
        };
        let ty = self.ty(&value);
        let declared = annotated.and_then(|ty| self.array_type(ty));
        if let Some((expected, lengths)) = declared {
            self.expect(&value, expected, "an element of this array");
            if lengths != dims {
                self.error(annotated, "this is not the type of the array")
                    .help(format!("its extents are {dims:?}, slowest first"));
            }
        }
        let mutable = name.mutability.is_some();
        let array = self.declare_array(&name.ident, ty, dims, Space::Local, mutable);
        let mut stmts = vec![Stmt::Fill(array, value)];
        for (i, value) in rest.into_iter().enumerate() {
            self.expect(&value, ty, "an element of this array");
            let usize = self.known(Type::Usize);
            let index = self.node(init, usize, ExprKind::Int(i as i128 + 1));
            let site = self.site(&init.to_token_stream(), Known::Wrong);
            let buffer = Buffer::Array(array);
            stmts.push(Stmt::Store { buffer, indices: vec![index], value, site });
        }
        Some(stmts)
    }

    /// The innermost value of `[[value; N]; M]`, and its extents.
    fn repeated(&mut self, e: &syn::Expr, dims: &mut Vec<u32>) -> Option<Expr> {
        match e {
            syn::Expr::Repeat(repeat) => {
                dims.push(self.constant_value(&repeat.len, "the length of an array")?);
                self.repeated(&repeat.expr, dims)
            }
            value => Some(self.expr(value)),
        }
    }

    /// The first value of `[x, y, z]`, its extent, and the other values.
    fn listed(
        &mut self,
        name: &syn::PatIdent,
        list: &syn::ExprArray,
    ) -> Option<(Expr, Vec<u32>, Vec<Expr>)> {
        let mut values: Vec<_> = list.elems.iter().map(|e| self.expr(e)).collect();
        if values.is_empty() {
            self.error(list, format!("the array `{}` is empty", name.ident))
                .help("write `[0.0; 8]`");
            return None;
        }
        let first = values.remove(0);
        Some((first, vec![values.len() as u32 + 1], values))
    }

    /// The type of an element of a buffer.
    pub(super) fn element_of(&mut self, buffer: Buffer) -> TypeVar {
        match buffer {
            Buffer::Param(index) => self.known(self.params[index as usize].ty.of(self.element)),
            Buffer::Array(index) => self.arrays[index as usize].ty,
        }
    }

    /// The buffer and the indices of `x[i]` or `t[i][j]`.
    pub(super) fn place(&mut self, e: &syn::ExprIndex) -> Option<(Buffer, Vec<Expr>)> {
        let mut written = vec![&*e.index];
        let mut base = &*e.expr;
        while let syn::Expr::Index(outer) = base {
            written.insert(0, &outer.index);
            base = &outer.expr;
        }
        let (buffer, name) = (self.buffer(base), text(base));
        let view = buffer.and_then(|buffer| self.view_rank(buffer));
        let list = written.iter().find_map(|index| match index {
            syn::Expr::Array(list) => Some(list),
            _ => None,
        });
        let refusal = match (view, list) {
            (Some(_), Some(list)) if written.len() == 1 => {
                written = list.elems.iter().collect();
                None
            }
            (Some(rank), _) => Some((
                format!("`{name}` is a view of rank {rank}: its indices are one list"),
                element_form(rank),
            )),
            (None, Some(list)) if buffer.is_some() => Some((
                format!("`{name}` is no view: each index stands in its own brackets"),
                list.elems.iter().map(|index| format!("[{}]", text(index))).collect(),
            )),
            _ => None,
        };
        if let Some((message, form)) = refusal {
            self.error(e, message).help(format!("write `{name}{form}`"));
            return None;
        }
        let mut indices = written.into_iter().map(|index| self.index(index)).collect::<Vec<_>>();
        let buffer = buffer?;
        let rank = match (view, buffer) {
            (Some(rank), _) => usize::from(rank),
            (None, Buffer::Param(_)) => 1,
            (None, Buffer::Array(index)) => self.arrays[index as usize].dims.len(),
        };
        if rank != indices.len() {
            let one = |d| format!("[{}]", ["i", "j", "k"].get(d).unwrap_or(&"n"));
            let form = view.map_or_else(|| (0..rank).map(one).collect(), element_form);
            let found = indices.len();
            self.error(e, format!("`{name}` has {rank} dimensions, found {found} indices"))
                .help(format!("write `{name}{form}`"));
            return None;
        }
        if self.is_row(buffer) {
            let ty = self.known(Type::Usize);
            indices.insert(0, self.node(base, ty, ExprKind::Group(0)));
        }
        Some((buffer, indices))
    }

    /// Whether a buffer is a row of a view.
    fn is_row(&self, buffer: Buffer) -> bool {
        let Buffer::Param(param) = buffer else { return false };
        self.params[param as usize].passing.is_row()
    }

    fn index(&mut self, e: &syn::Expr) -> Expr {
        if let syn::Expr::Range(range) = bare(e) {
            self.refuse_slice(range);
            return self.wrong();
        }
        if let syn::Expr::Path(path) = bare(e)
            && let Some(name) = path.path.get_ident()
            && self.lookup(name).is_none()
            && !is_constant_name(name)
        {
            self.unknown_index(name);
            return self.wrong();
        }
        let index = self.expr(e);
        let (ty, usize) = (self.ty(&index), self.known(Type::Usize));
        if !self.types.unify(ty, usize) {
            let (found, written) = (self.shown(ty), text(e));
            let simple = matches!(e, syn::Expr::Path(_) | syn::Expr::Paren(_));
            let written = if simple { written } else { format!("({written})") };
            self.error(e, format!("an index has type `usize`, found `{found}`"))
                .help(format!("write `[{written} as usize]`"));
        }
        index
    }

    /// `x[i..i + 3]`
    pub(super) fn refuse_slice(&mut self, range: &syn::ExprRange) {
        let limits = match range.limits {
            syn::RangeLimits::HalfOpen(_) => "..",
            syn::RangeLimits::Closed(_) => "..=",
        };
        let start = range.start.as_ref().map_or_else(|| "0".into(), text);
        let end = range.end.as_ref().map_or_else(|| "n".into(), text);
        self.error(range, "a kernel takes no slice of a slice: an index is one number").help(
            format!("take the elements one by one: `for k in {start}{limits}{end} {{ … x[k] … }}`"),
        );
    }

    /// Says how an index comes about, where its name is not known.
    fn unknown_index(&mut self, name: &syn::Ident) {
        let position = if self.model.options.form == Form::Group { "lid" } else { "gid" };
        let help = format!(
            "an index is counted, `for {name} in 0..n`, or the position of the work-item, `let \
             {name} = {position}(0);`, or a parameter"
        );
        self.unknown_name(name, &help);
    }

    /// The slice parameter or the array that an expression names.
    pub(super) fn buffer(&mut self, e: &syn::Expr) -> Option<Buffer> {
        let ident = match e {
            syn::Expr::Path(path) => path.path.get_ident(),
            syn::Expr::Paren(p) => return self.buffer(&p.expr),
            _ => None,
        };
        let Some(ident) = ident else {
            let help = match e {
                syn::Expr::MethodCall(call) if call.method == "shape" => {
                    format!("an extent is `{}.extent(0)`, the slowest", text(&call.receiver))
                }
                _ => "write `x[i]`".into(),
            };
            self.error(e, "only a slice, a view or an array can be indexed").help(help);
            return None;
        };
        match self.resolve(ident) {
            Some(Local::Param(index)) if self.params[index as usize].passing != Passing::Value => {
                Some(Buffer::Param(index))
            }
            Some(Local::Array(index)) => Some(Buffer::Array(index)),
            Some(_) => {
                self.error(ident, format!("`{ident}` is not a slice"))
                    .help("only a slice, a view or an array can be indexed");
                None
            }
            None => {
                let help = match is_constant_name(ident) {
                    true => format!(
                        "an array of constants is declared in the kernel: `const {ident}: [f32; 3] = […];`"
                    ),
                    false => "declare it before, or pass it as a parameter".into(),
                };
                self.unknown_name(ident, &help);
                None
            }
        }
    }

    fn view_rank(&self, buffer: Buffer) -> Option<u8> {
        match buffer {
            Buffer::Param(param) => match self.params[param as usize].passing {
                Passing::View { rank, row: false, .. } => Some(rank),
                _ => None,
            },
            Buffer::Array(_) => None,
        }
    }

    /// `a.extent(d)`
    pub(super) fn extent_of(&mut self, call: &syn::ExprMethodCall) -> Expr {
        let Some(buffer) = self.buffer(&call.receiver) else { return self.wrong() };
        let name = text(&call.receiver);
        let Some(rank) = self.view_rank(buffer) else {
            self.error(call, format!("`{name}` is no view, and has no `extent`"))
                .help(format!("write `{name}.len()`"));
            return self.wrong();
        };
        let [dim] = &*call.args.iter().collect::<Vec<_>>() else {
            self.error(call, "`extent` takes one dimension, of which 0 is the slowest")
                .help(format!("write `{name}.extent(0)`"));
            return self.wrong();
        };
        match self.evaluate(dim) {
            Some(value) if value < u64::from(rank) => {
                let ty = self.known(Type::Usize);
                self.node(call, ty, ExprKind::Dim(buffer, value as u8))
            }
            known => {
                let message = match known {
                    Some(value) => {
                        format!("`{name}` has {rank} dimensions, and no dimension {value}")
                    }
                    None => format!("the dimension of a view is a constant, not `{}`", text(dim)),
                };
                self.error(dim, message)
                    .help(format!("write a number below {rank}; 0 is the slowest"));
                self.wrong()
            }
        }
    }

    /// `x.len()`
    pub(super) fn len(&mut self, call: &syn::ExprMethodCall) -> Expr {
        let Some(buffer) = self.buffer(&call.receiver) else { return self.wrong() };
        if let Some(rank) = self.view_rank(buffer) {
            let name = text(&call.receiver);
            self.error(call, format!("`{name}` is a view of rank {rank}, which has no `len()`"))
                .help(format!("write `{name}.extent(0)`; dimension 0 is the slowest"));
            return self.wrong();
        }
        let ty = self.known(Type::Usize);
        let kind = match buffer {
            row if self.is_row(row) => ExprKind::Dim(row, 1),
            Buffer::Array(index) => ExprKind::Int(i128::from(self.arrays[index as usize].dims[0])),
            param => ExprKind::Len(param),
        };
        self.node(call, ty, kind)
    }
}
