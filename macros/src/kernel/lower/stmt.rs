//! Statements.

use super::{Local, Lower};
use crate::kernel::infer::{Known, TypeVar};
use quote::ToTokens;
use ringwood_ir::{BinaryOp, Buffer, Expr, ExprKind, Stmt, Type};
use std::collections::HashMap;

impl Lower<'_> {
    /// The statements of a block, in a scope of its own.
    pub(super) fn block(&mut self, stmts: &[syn::Stmt]) -> Vec<Stmt> {
        self.scopes.push(HashMap::new());
        let body = stmts.iter().flat_map(|stmt| self.stmt(stmt)).collect();
        self.scopes.pop();
        body
    }

    pub(super) fn stmt(&mut self, stmt: &syn::Stmt) -> Vec<Stmt> {
        match stmt {
            syn::Stmt::Local(local) => self.local(local).into_iter().collect(),
            syn::Stmt::Expr(e, _) => self.expr_stmt(e),
            syn::Stmt::Macro(m) => {
                self.refuse_macro(&m.mac);
                Vec::new()
            }
            syn::Stmt::Item(item) => {
                self.error(item, "a kernel declares no items")
                    .help("move it out, and pass constants as parameters");
                Vec::new()
            }
        }
    }

    fn expr_stmt(&mut self, e: &syn::Expr) -> Vec<Stmt> {
        match e {
            syn::Expr::Assign(a) => self.assign(&a.left, &a.right, None).into_iter().collect(),
            syn::Expr::Binary(b) => match compound(&b.op) {
                Some(op) => self.assign(&b.left, &b.right, Some((op, e))).into_iter().collect(),
                None => self.no_effect(e),
            },
            syn::Expr::If(e) => vec![self.if_stmt(e)],
            syn::Expr::While(w) => {
                self.refuse_label(w.label.as_ref());
                let condition = self.condition(&w.cond);
                vec![Stmt::While(condition, self.block(&w.body.stmts))]
            }
            syn::Expr::ForLoop(f) => self.for_stmt(f).into_iter().collect(),
            syn::Expr::Block(b) => {
                self.refuse_label(b.label.as_ref());
                self.block(&b.block.stmts)
            }
            syn::Expr::Paren(p) => self.expr_stmt(&p.expr),
            syn::Expr::Group(g) => self.expr_stmt(&g.expr),
            syn::Expr::Macro(m) => {
                self.refuse_macro(&m.mac);
                Vec::new()
            }
            other if self.refused(other) => Vec::new(),
            other => self.no_effect(other),
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

    fn refuse_label(&mut self, label: Option<&syn::Label>) {
        if let Some(label) = label {
            self.error(label, "a kernel has no labels: `break` and `continue` are not available")
                .help("use a condition");
        }
    }

    fn local(&mut self, local: &syn::Local) -> Option<Stmt> {
        let (pat, annotated) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            pat => (pat, None),
        };
        let syn::Pat::Ident(name) = pat else {
            self.error(pat, "a kernel binds one plain name in a `let`")
                .help("write `let name = …;`");
            return None;
        };
        let Some(init) = &local.init else {
            self.error(local, format!("`{}` has no first value", name.ident))
                .help("give it one: `let mut … = 0.0;`");
            let ty = self.types.new_var(Known::Wrong);
            let var = self.declare(name.ident.to_string(), ty, true);
            self.bind(name.ident.to_string(), Local::Var(var));
            return None;
        };
        if let Some((_, diverge)) = &init.diverge {
            self.error(diverge, "a kernel has no `let … else`").help("use `if`");
        }
        let value = self.expr(&init.expr);
        if let Some(ty) = annotated
            && let Some(expected) = self.scalar_type(ty)
        {
            self.expect(&value, expected, &format!("`{}`", name.ident));
        }
        let ty = self.ty(&value);
        let var = self.declare(name.ident.to_string(), ty, name.mutability.is_some());
        self.bind(name.ident.to_string(), Local::Var(var));
        Some(Stmt::Let(var, value))
    }

    fn if_stmt(&mut self, e: &syn::ExprIf) -> Stmt {
        let condition = self.condition(&e.cond);
        let then = self.block(&e.then_branch.stmts);
        let otherwise = match e.else_branch.as_ref().map(|(_, e)| &**e) {
            None => Vec::new(),
            Some(syn::Expr::If(e)) => vec![self.if_stmt(e)],
            Some(syn::Expr::Block(b)) => self.block(&b.block.stmts),
            Some(other) => self.expr_stmt(other),
        };
        Stmt::If(condition, then, otherwise)
    }

    pub(super) fn condition(&mut self, e: &syn::Expr) -> Expr {
        let condition = self.expr(e);
        let bool = self.types.new_var(Known::Type(Type::Bool));
        self.expect(&condition, bool, "a condition");
        condition
    }

    fn for_stmt(&mut self, f: &syn::ExprForLoop) -> Option<Stmt> {
        self.refuse_label(f.label.as_ref());
        let name = match &*f.pat {
            syn::Pat::Ident(name) => name.ident.to_string(),
            syn::Pat::Wild(_) => "_".into(),
            pat => {
                self.error(pat, "a kernel's `for` binds one plain name")
                    .help("write `for i in a..b`");
                "_".into()
            }
        };
        let range = match &*f.expr {
            syn::Expr::Range(range) => Some(range),
            syn::Expr::Paren(p) => match &*p.expr {
                syn::Expr::Range(range) => Some(range),
                _ => None,
            },
            _ => None,
        };
        let bounds = range.and_then(|r| match (&r.start, &r.limits, &r.end) {
            (Some(start), syn::RangeLimits::HalfOpen(_), Some(end)) => Some((start, end)),
            _ => None,
        });
        let Some((start, end)) = bounds else {
            self.error(&f.expr, "a kernel's `for` iterates over `a..b`")
                .help("write `for i in 0..n { .. x[i] .. }`");
            return None;
        };
        let (a, b) = (self.expr(start), self.expr(end));
        let ty = self.ty(&a);
        self.expect(&b, ty, "the end of this range");
        self.rules.push((a.site, ty, super::Rule::Integer("the bound of a loop")));
        let var = self.declare(name.clone(), ty, false);
        self.scopes.push(HashMap::from([(name, Local::Counter(var))]));
        let body = self.block(&f.body.stmts);
        self.scopes.pop();
        Some(Stmt::For(var, a, b, body))
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
        let value = self.expr(value);
        match self.lookup(&ident.to_string()) {
            None => self.unknown_name(ident),
            Some(Local::Param(index)) => {
                let help = match self.params[index as usize].slice {
                    Some(_) => format!("assign to an element: `{ident}[i] = …`"),
                    None => format!("copy it first: `let mut value = {ident};`"),
                };
                self.error(ident, format!("the parameter `{ident}` cannot be assigned")).help(help);
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
        let (param, index) = self.element_place(place)?;
        let ty = self.params[param as usize].ty.of(self.element);
        if self.params[param as usize].slice == Some(false) {
            let name = &self.params[param as usize].ident;
            self.error(place, format!("`{name}` is a shared slice and cannot be written"))
                .help(format!("declare it `{name}: &mut [{}]`", ty.name()));
            return None;
        }
        let value = self.expr(value);
        let ty = self.element_type(ty);
        let buffer = Buffer::Param(param);
        let load = ExprKind::Load(buffer, vec![index.clone()]);
        let old = |this: &mut Self| this.node(place, ty, load);
        let value = self.combine(op, ty, "this element", value, old);
        let site = self.site(&place.to_token_stream(), Known::Wrong);
        Some(Stmt::Store { buffer, indices: vec![index], value, site })
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
