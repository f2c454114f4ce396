//! Atomic operations.

use super::{Lower, Rule};
use crate::text::text;
use quote::ToTokens;
use ringwood_ir::{Atomic, AtomicOp, Buffer, Expr, ExprKind, Space, Stmt, Type};

/// The operation of a function `atomic_…`.
pub(super) fn operation(name: &str) -> Option<AtomicOp> {
    name.strip_prefix("atomic_").and_then(AtomicOp::parse)
}

/// The call of an atomic operation that is all of an expression, but for casts.
fn whole(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Cast(cast) => whole(&cast.expr),
        syn::Expr::Paren(p) => whole(&p.expr),
        syn::Expr::Call(call) => operation(&text(&call.func)).is_some(),
        _ => false,
    }
}

impl Lower<'_> {
    /// The value of a `let` or of an assignment, which may be the old value of an atomic operation.
    pub(super) fn assigned(&mut self, e: &syn::Expr) -> Expr {
        self.takes_atomic = whole(e);
        let value = self.expr(e);
        self.takes_atomic = false;
        value
    }

    /// An atomic operation as a statement.
    pub(super) fn atomic_stmt(&mut self, call: &syn::ExprCall, op: AtomicOp) -> Vec<Stmt> {
        let atomic = self.atomic(call, op, false);
        atomic.map(|atomic| Stmt::Atomic(Box::new(atomic))).into_iter().collect()
    }

    /// The old value of an atomic operation.
    pub(super) fn atomic_value(&mut self, call: &syn::ExprCall, op: AtomicOp) -> Expr {
        if !std::mem::take(&mut self.takes_atomic) {
            self.error(call, "an atomic operation is part of a larger expression")
                .help("write `let old = …;`, and use `old`");
            return self.wrong();
        }
        let Some(mut atomic) = self.atomic(call, op, true) else { return self.wrong() };
        let ty = self.element_of(atomic.buffer);
        let var = self.declare("old".into(), ty, false);
        atomic.old = Some(var);
        self.before.push(Stmt::Atomic(Box::new(atomic)));
        self.node(call, ty, ExprKind::Var(var))
    }

    fn atomic(&mut self, call: &syn::ExprCall, op: AtomicOp, old: bool) -> Option<Atomic> {
        let name = op.name();
        let mut args = call.args.iter();
        let element = match args.next() {
            Some(syn::Expr::Reference(r)) if r.mutability.is_some() => match &*r.expr {
                syn::Expr::Index(index) => Some(index),
                _ => None,
            },
            _ => None,
        };
        let (Some(element), true) = (element, call.args.len() == op.arity() + 1) else {
            let form = match op {
                AtomicOp::CompareExchange => "(&mut y[i], expected, new)",
                _ => "(&mut y[i], value)",
            };
            self.error(call, format!("`atomic_{name}` takes an element and {} values", op.arity()))
                .help(format!("write `atomic_{name}{form}`"));
            return None;
        };
        let (buffer, indices) = self.place(element)?;
        if !self.writable(buffer, element) {
            return None;
        }
        if let Buffer::Array(array) = buffer
            && self.arrays[array as usize].space == Space::Local
        {
            self.error(
                element,
                "only this work-item has this array: an atomic operation has no use",
            )
            .help("write `a[i] += …`");
            return None;
        }
        let ty = self.element_of(buffer);
        let values: Vec<_> = args.map(|e| self.expr(e)).collect();
        for value in &values {
            self.expect(value, ty, &format!("the operand of `atomic_{name}`"));
        }
        let site = self.site_of(&call.to_token_stream(), ty);
        self.rules.push((site, ty, Rule::Atomic(op, old)));
        Some(Atomic { op, buffer, indices, values, old: None, site })
    }

    /// Reports an atomic operation that its element type or the modes of the kernel exclude.
    pub(super) fn check_atomic(&mut self, site: u32, ty: Type, op: AtomicOp, old: bool) {
        let at = self.sites[site as usize].tokens.clone();
        let name = op.name();
        let integer = matches!(ty, Type::I32 | Type::U32 | Type::I64 | Type::U64);
        if !(integer || ty == Type::F32 && op == AtomicOp::Add) {
            self.error(at, format!("`atomic_{name}` does not exist for `{ty}`")).help(
                "there are all of them for integers of 32 and 64 bits, and `atomic_add` for `f32`",
            );
            return;
        }
        let why = match op {
            _ if self.model.options.modes.nondeterministic => return,
            _ if op.is_ordered() => "what stays depends on the order of the work-items",
            _ if old => "the old value depends on the order of the work-items",
            _ if !integer => "a sum of floats depends on the order of the work-items",
            _ => return,
        };
        self.error(at, format!("`atomic_{name}`: {why}")).help(
            "say that the result may differ from run to run: `#[kernel(nondeterministic, …)]`; or \
             reduce within the group: `group_sum`",
        );
    }
}
