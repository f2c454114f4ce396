//! `return`: what comes after it is left out by branches, since every work-item reaches the end.

use super::{Literal, Lower};
use crate::item::mentions;
use crate::kernel::infer::Known;
use quote::ToTokens;
use ringwood_ir::{Expr, ExprKind, Stmt, Type};

impl Lower<'_> {
    /// Statements one after the other, in a block within others or as the whole body.
    pub(super) fn sequence(&mut self, stmts: &[syn::Stmt], nested: bool) -> Vec<Stmt> {
        let mut body = Vec::new();
        for (i, stmt) in stmts.iter().enumerate() {
            let rest = &stmts[i + 1..];
            match stmt {
                syn::Stmt::Expr(syn::Expr::Return(r), _) => {
                    body.extend(self.leave(r, nested));
                    return body;
                }
                syn::Stmt::Expr(syn::Expr::If(e), _) if self.loops.is_empty() => {
                    if let Some(stmts) = self.leaving_if(e, rest, nested) {
                        body.extend(stmts);
                        return body;
                    }
                }
                _ => {}
            }
            body.extend(self.stmt(stmt));
            if !leaves(stmt) {
                continue;
            }
            let left = self.left(stmt);
            if self.loops.is_empty() {
                let stays = self.node(stmt, self.ty(&left), ExprKind::Not(Box::new(left)));
                let rest = self.sequence(rest, nested);
                body.push(Stmt::If(stays, rest, Vec::new()));
                return body;
            }
            if let syn::Stmt::Expr(
                syn::Expr::ForLoop(_) | syn::Expr::While(_) | syn::Expr::Loop(_),
                _,
            ) = stmt
            {
                body.push(Stmt::If(left, vec![Stmt::Break], Vec::new()));
            }
        }
        body
    }

    /// `if … { …; return; } rest`: the rest is the other branch.
    fn leaving_if(
        &mut self,
        e: &syn::ExprIf,
        rest: &[syn::Stmt],
        nested: bool,
    ) -> Option<Vec<Stmt>> {
        let otherwise = e.else_branch.as_ref().map(|(_, e)| &**e);
        let other_block = match otherwise {
            Some(syn::Expr::Block(b)) => Some(&b.block),
            _ => None,
        };
        let then_leaves = ends_in_return(&e.then_branch)
            && (otherwise.is_none_or(|e| !leaves(e)) || other_block.is_none());
        let other_leaves = other_block.is_some_and(ends_in_return) && !leaves(&e.then_branch);
        if !then_leaves && !other_leaves {
            return None;
        }
        let outer = std::mem::take(&mut self.before);
        let condition = self.condition(&e.cond);
        let mut stmts = std::mem::replace(&mut self.before, outer);
        let mut then = self.leaving_block(&e.then_branch, nested);
        let mut other = match (otherwise, other_block) {
            (_, Some(block)) => self.leaving_block(block, nested),
            (Some(chained), None) => {
                let mut all = vec![syn::Stmt::Expr(chained.clone(), None)];
                all.extend_from_slice(rest);
                stmts.push(Stmt::If(condition, then, self.sequence(&all, nested)));
                return Some(stmts);
            }
            (None, None) => Vec::new(),
        };
        let rest = self.sequence(rest, nested);
        if then_leaves {
            other.extend(rest);
        } else {
            then.extend(rest);
        }
        stmts.push(Stmt::If(condition, then, other));
        Some(stmts)
    }

    /// A block that contains no `return` but perhaps at its end.
    fn leaving_block(&mut self, block: &syn::Block, nested: bool) -> Vec<Stmt> {
        self.scopes.push(Default::default());
        self.declare_constants(&block.stmts);
        let body = self.sequence(&block.stmts, nested);
        self.scopes.pop();
        body
    }

    /// `return`, or `return value`: sets the result, and what the statements after it ask for.
    fn leave(&mut self, r: &syn::ExprReturn, nested: bool) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        match (&r.expr, self.result) {
            (Some(value), Some(result)) => {
                let outer = std::mem::take(&mut self.before);
                let value = self.expr(value);
                stmts = std::mem::replace(&mut self.before, outer);
                let ty = self.vars[result as usize].ty;
                self.expect(&value, ty, "the result");
                stmts.push(Stmt::Assign(result, value));
            }
            (Some(value), None) => {
                let form = self.model.options.form.article();
                self.error(value, format!("{form} returns nothing; it writes into a `&mut [T]`"))
                    .help("store the value, then `return;`");
            }
            (None, Some(_)) => {
                let form = self.model.options.form.article();
                self.error(r, format!("{form} returns what it computes"))
                    .help("write `return value;`");
            }
            (None, None) => {}
        }
        if nested {
            let yes = self.truth(r, true);
            let left = self.left_var();
            stmts.push(Stmt::Assign(left, yes));
        }
        if !self.loops.is_empty() {
            let at = r.return_token.to_token_stream();
            self.loops.iter_mut().for_each(|around| around.jumps.push(at.clone()));
            stmts.push(Stmt::Break);
        }
        stmts
    }

    /// Whether the work-item has come to a `return`.
    fn left(&mut self, at: &impl ToTokens) -> Expr {
        let var = self.left_var();
        self.node(at, self.vars[var as usize].ty, ExprKind::Var(var))
    }

    fn left_var(&mut self) -> u32 {
        if self.left.is_none() {
            let ty = self.known(Type::Bool);
            self.left = Some(self.declare("left".into(), ty, true));
        }
        self.left.unwrap_or_default()
    }

    /// Puts the first values of what `return` sets before the body.
    pub(super) fn with_left(&mut self, mut body: Vec<Stmt>) -> Vec<Stmt> {
        let name = self.model.name();
        if let Some(left) = self.left {
            let no = self.truth(name, false);
            body.insert(0, Stmt::Let(left, no));
        }
        if let Some(result) = self.result {
            let ty = self.vars[result as usize].ty;
            let first = match self.types.known(ty) {
                Known::Type(Type::Bool) => self.node(name, ty, ExprKind::Bool(false)),
                Known::Type(float) if float.is_float() => {
                    self.literal_node(name, Known::Type(float), Literal::Float("0".into()))
                }
                known => self.literal_node(name, known, Literal::Int(0)),
            };
            body.insert(0, Stmt::Let(result, first));
        }
        body
    }

    /// The body of a function of scalars that returns early: its result is a variable.
    pub(super) fn leaving_body(&mut self, stmts: &[syn::Stmt]) -> (Vec<Stmt>, Option<Expr>) {
        let mut stmts = stmts.to_vec();
        if let Some(syn::Stmt::Expr(last, None)) = stmts.last()
            && !leaves(last)
        {
            let last = syn::parse_quote!(return #last;);
            stmts.pop();
            stmts.push(last);
        }
        let always = always_leaves(&stmts);
        if !always {
            self.no_result("end with an expression, without `;`, or with `return value;`");
        }
        let ty = match self.model.result {
            Some(ty) => self.known(ty.of(self.element)),
            None => self.types.new_var(Known::Wrong),
        };
        let result = self.declare("result".into(), ty, true);
        self.result = Some(result);
        let body = self.sequence(&stmts, false);
        let name = self.model.name();
        (body, Some(self.node(name, ty, ExprKind::Var(result))))
    }
}

/// Whether there is a `return` in it.
pub(super) fn leaves(part: &impl ToTokens) -> bool {
    mentions(part.to_token_stream(), &|word| word == "return")
}

/// Whether the last statement of a block is its only `return`.
fn ends_in_return(block: &syn::Block) -> bool {
    let Some((last, rest)) = block.stmts.split_last() else { return false };
    matches!(last, syn::Stmt::Expr(syn::Expr::Return(_), _)) && !rest.iter().any(leaves)
}

/// Whether every way through the statements ends in a `return`.
fn always_leaves(stmts: &[syn::Stmt]) -> bool {
    match stmts.last() {
        Some(syn::Stmt::Expr(e, _)) => expr_leaves(e),
        _ => false,
    }
}

fn expr_leaves(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Return(_) => true,
        syn::Expr::Block(b) => always_leaves(&b.block.stmts),
        syn::Expr::If(e) => {
            let other = e.else_branch.as_ref().is_some_and(|(_, e)| expr_leaves(e));
            other && always_leaves(&e.then_branch.stmts)
        }
        syn::Expr::Match(m) => m.arms.iter().all(|arm| expr_leaves(&arm.body)),
        _ => false,
    }
}
