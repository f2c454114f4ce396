//! Statements.

use super::array::element_form;
use super::loops::bare;
use super::{Local, Lower, atomic};
use crate::kernel::infer::{Known, TypeVar};
use crate::kernel::model::Passing;
use crate::text::text;
use quote::ToTokens;
use ringwood_ir::{BinaryOp, Buffer, Expr, ExprKind, Stmt, Type};
use syn::spanned::Spanned;

impl Lower<'_> {
    /// The statements of a block, in a scope of its own.
    pub(super) fn block(&mut self, stmts: &[syn::Stmt]) -> Vec<Stmt> {
        self.scopes.push(Vec::new());
        self.declare_constants(stmts);
        let body = self.sequence(stmts, true);
        self.scopes.pop();
        body
    }

    /// A statement, after those that compute its operands.
    pub(super) fn stmt(&mut self, stmt: &syn::Stmt) -> Vec<Stmt> {
        let outer = std::mem::take(&mut self.before);
        let own = self.stmt_alone(stmt);
        let mut stmts = std::mem::replace(&mut self.before, outer);
        stmts.extend(own);
        stmts
    }

    fn stmt_alone(&mut self, stmt: &syn::Stmt) -> Vec<Stmt> {
        match stmt {
            syn::Stmt::Local(local) => self.local(local),
            syn::Stmt::Expr(e, _) => self.expr_stmt(e),
            syn::Stmt::Macro(m) => {
                self.macro_stmt(&m.mac);
                Vec::new()
            }
            syn::Stmt::Item(syn::Item::Const(item)) => self.constant_array(item),
            syn::Stmt::Item(item) => {
                self.error(item, "a kernel declares no items but constants")
                    .help("move it out of the kernel");
                Vec::new()
            }
        }
    }

    fn expr_stmt(&mut self, e: &syn::Expr) -> Vec<Stmt> {
        match e {
            syn::Expr::Assign(a) => match (bare(&a.left), bare(&a.right)) {
                (syn::Expr::Tuple(places), syn::Expr::Tuple(values))
                    if places.elems.len() == values.elems.len() =>
                {
                    self.assign_all(places, values)
                }
                (syn::Expr::Tuple(places), _) => {
                    self.error(places, "a tuple is assigned from a tuple of as many values")
                        .help("write `(a, b) = (b, a);`, or one assignment for each");
                    Vec::new()
                }
                _ => self.assign(&a.left, &a.right, None).into_iter().collect(),
            },
            syn::Expr::Binary(b) => match compound(&b.op) {
                Some(op) => self.assign(&b.left, &b.right, Some((op, e))).into_iter().collect(),
                None => self.no_effect(e),
            },
            syn::Expr::If(e) => vec![self.if_stmt(e)],
            syn::Expr::Match(m) => self.match_stmt(m),
            syn::Expr::Loop(l) => vec![self.loop_stmt(l)],
            syn::Expr::Break(b) => {
                if let Some(value) = &b.expr {
                    self.error(value, "a loop has no value in kernels")
                        .help("assign it to a `let mut` before the `break`");
                }
                self.jump(b, b.label.is_some(), Stmt::Break)
            }
            syn::Expr::Continue(c) => self.jump(c, c.label.is_some(), Stmt::Continue),
            syn::Expr::Call(call) => self.call_stmt(e, call),
            syn::Expr::While(w) => vec![self.while_stmt(w)],
            syn::Expr::ForLoop(f) => self.for_stmt(f),
            syn::Expr::Block(b) => {
                self.refuse_label(b.label.as_ref());
                self.block(&b.block.stmts)
            }
            syn::Expr::Paren(p) => self.expr_stmt(&p.expr),
            syn::Expr::Macro(m) => {
                self.macro_stmt(&m.mac);
                Vec::new()
            }
            other if self.refused(other) => Vec::new(),
            other => self.no_effect(other),
        }
    }

    fn call_stmt(&mut self, e: &syn::Expr, call: &syn::ExprCall) -> Vec<Stmt> {
        let name = text(&call.func);
        match atomic::operation(&name) {
            Some(op) => self.atomic_stmt(call, op),
            None if name == "barrier" => self.barrier(call),
            None => self.no_effect(e),
        }
    }

    fn no_effect(&mut self, e: &syn::Expr) -> Vec<Stmt> {
        let reported = self.errors.len();
        self.expr(e);
        if self.errors.len() == reported {
            self.error(e, "this expression has no effect in a kernel")
                .help("assign it, or store it in a `&mut [T]`");
        }
        Vec::new()
    }

    fn if_stmt(&mut self, e: &syn::ExprIf) -> Stmt {
        let condition = self.condition(&e.cond);
        let then = self.block(&e.then_branch.stmts);
        let otherwise = match e.else_branch.as_ref().map(|(_, e)| &**e) {
            None => Vec::new(),
            Some(syn::Expr::Block(b)) => self.block(&b.block.stmts),
            Some(other) => self.stmt(&syn::Stmt::Expr(other.clone(), None)),
        };
        Stmt::If(condition, then, otherwise)
    }

    pub(super) fn condition(&mut self, e: &syn::Expr) -> Expr {
        let condition = self.expr(e);
        let bool = self.known(Type::Bool);
        self.expect(&condition, bool, "a condition");
        condition
    }

    /// `(a, b) = (b, a);`: every value is computed before the first place changes.
    fn assign_all(&mut self, places: &syn::ExprTuple, values: &syn::ExprTuple) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        let mut assignments = Vec::new();
        for (i, (place, value)) in places.elems.iter().zip(&values.elems).enumerate() {
            // No name of a user can meet it.
            let name = syn::Ident::new(&format!("__value_{i}"), value.span());
            let value = self.assigned(value);
            stmts.append(&mut self.before);
            let var = self.declare(format!("value{i}"), self.ty(&value), false);
            stmts.push(Stmt::Let(var, value));
            assignments.push((place, name, var));
        }
        self.scopes.push(Vec::new());
        for (place, name, var) in assignments {
            self.bind(&name, Local::Var(var));
            stmts.extend(self.assign(place, &syn::parse_quote!(#name), None));
        }
        self.scopes.pop();
        stmts
    }

    /// `place = value`, or `place op= value`.
    fn assign(
        &mut self,
        place: &syn::Expr,
        value: &syn::Expr,
        op: Option<(BinaryOp, &syn::Expr)>,
    ) -> Option<Stmt> {
        match place {
            syn::Expr::Path(path) => self.assign_var(path, value, op),
            syn::Expr::Index(index) => self.store(index, value, op),
            syn::Expr::Paren(p) => self.assign(&p.expr, value, op),
            other if self.refused(other) => None,
            other => {
                self.error(other, "a kernel assigns to a local or to an element of a slice")
                    .help("write `y[i] = …`");
                None
            }
        }
    }

    fn assign_var(
        &mut self,
        path: &syn::ExprPath,
        value: &syn::Expr,
        op: Option<(BinaryOp, &syn::Expr)>,
    ) -> Option<Stmt> {
        let Some(ident) = path.path.get_ident() else {
            self.error(path, "a kernel assigns to locals only").help("write into a `&mut [T]`");
            return None;
        };
        let value = if op.is_none() { self.assigned(value) } else { self.expr(value) };
        match self.resolve(ident) {
            None => self.unknown_name(ident, "declare it before: `let mut …`"),
            Some(Local::Param(index)) => {
                let help = match self.params[index as usize].passing {
                    Passing::Value => format!("copy it first: `let mut value = {ident};`"),
                    Passing::Slice { .. } | Passing::View { row: true, .. } => {
                        format!("assign to an element: `{ident}[i] = …`")
                    }
                    Passing::View { rank, .. } => {
                        format!("assign to an element: `{ident}{} = …`", element_form(rank))
                    }
                };
                self.error(ident, format!("the parameter `{ident}` cannot be assigned")).help(help);
            }
            Some(Local::Constant(_) | Local::Item(_)) => {
                self.error(ident, format!("the constant `{ident}` cannot be assigned"))
                    .help(format!("copy it first: `let mut value = {ident};`"));
            }
            Some(Local::Array(_)) => {
                self.error(ident, format!("the array `{ident}` cannot be assigned as a whole"))
                    .help(format!("assign to an element: `{ident}[i] = …`"));
            }
            Some(Local::Counter(_)) => {
                self.error(ident, format!("the loop variable `{ident}` cannot be assigned"))
                    .help("use a `while` loop");
            }
            Some(Local::Var(var)) if !self.vars[var as usize].mutable => {
                self.error(ident, format!("cannot assign twice to `{ident}`"))
                    .help(format!("declare it `let mut {ident}`"));
            }
            Some(Local::Var(var)) => {
                let ty = self.vars[var as usize].ty;
                let old = |this: &mut Self| this.node(ident, ty, ExprKind::Var(var));
                let value = self.combine(op, ty, &format!("`{ident}`"), value, old);
                return Some(Stmt::Assign(var, value));
            }
        }
        None
    }

    /// The new value of a place of type `ty`.
    fn combine(
        &mut self,
        op: Option<(BinaryOp, &syn::Expr)>,
        ty: TypeVar,
        what: &str,
        value: Expr,
        old: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        match op {
            None => {
                self.expect(&value, ty, what);
                value
            }
            Some((op, whole)) => {
                let old = old(self);
                self.binary(whole, op, old, value)
            }
        }
    }

    fn store(
        &mut self,
        place: &syn::ExprIndex,
        value: &syn::Expr,
        op: Option<(BinaryOp, &syn::Expr)>,
    ) -> Option<Stmt> {
        let (buffer, indices) = self.place(place)?;
        if !self.writable(buffer, place) {
            return None;
        }
        let value = self.expr(value);
        let ty = self.element_of(buffer);
        let load = ExprKind::Load(buffer, indices.clone());
        let old = |this: &mut Self| this.node(place, ty, load);
        let value = self.combine(op, ty, "this element", value, old);
        let site = self.site(&place.to_token_stream(), Known::Wrong);
        Some(Stmt::Store { buffer, indices, value, site })
    }

    /// Whether the kernel may write a buffer; if not, reports it.
    pub(super) fn writable(&mut self, buffer: Buffer, place: &syn::ExprIndex) -> bool {
        let (message, help) = match buffer {
            Buffer::Param(index) => {
                let param = &self.params[index as usize];
                let (name, ty) = (&param.ident, param.ty.of(self.element).name());
                match param.passing {
                    Passing::Slice { mutable: false } => (
                        format!("`{name}` is a shared slice and cannot be written"),
                        format!("declare it `{name}: &mut [{ty}]`"),
                    ),
                    Passing::View { row: true, mutable: false, .. } => (
                        format!("`{name}` is a shared row and cannot be written"),
                        format!("declare it `{name}: RowMut<{ty}>`"),
                    ),
                    Passing::View { rank, mutable: false, .. } => (
                        format!("`{name}` is a shared view and cannot be written"),
                        format!("declare it `{name}: ViewMut<{ty}, {rank}>`"),
                    ),
                    _ => return true,
                }
            }
            Buffer::Array(index) => {
                let array = &self.arrays[index as usize];
                if array.mutable {
                    return true;
                }
                let name = &array.name;
                (
                    format!("the array `{name}` cannot be written"),
                    format!("declare it `let mut {name}`"),
                )
            }
        };
        self.error(place, message).help(help);
        false
    }
}

/// The operator of `op=`.
fn compound(op: &syn::BinOp) -> Option<BinaryOp> {
    Some(match op {
        syn::BinOp::AddAssign(_) => BinaryOp::Add,
        syn::BinOp::SubAssign(_) => BinaryOp::Sub,
        syn::BinOp::MulAssign(_) => BinaryOp::Mul,
        syn::BinOp::DivAssign(_) => BinaryOp::Div,
        syn::BinOp::RemAssign(_) => BinaryOp::Rem,
        syn::BinOp::BitAndAssign(_) => BinaryOp::BitAnd,
        syn::BinOp::BitOrAssign(_) => BinaryOp::BitOr,
        syn::BinOp::BitXorAssign(_) => BinaryOp::BitXor,
        syn::BinOp::ShlAssign(_) => BinaryOp::Shl,
        syn::BinOp::ShrAssign(_) => BinaryOp::Shr,
        _ => return None,
    })
}
