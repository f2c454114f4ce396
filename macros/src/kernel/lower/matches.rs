//! `match` over numbers: comparisons, one after the other.

use super::Lower;
use super::expr::is_constant_name;
use super::loops::bare;
use crate::kernel::fragments::opened;
use quote::ToTokens;
use ringwood_ir::{BinaryOp, Expr, ExprKind, Stmt, Type};

impl Lower<'_> {
    /// `match` as a statement.
    pub(super) fn match_stmt(&mut self, m: &syn::ExprMatch) -> Vec<Stmt> {
        let (mut values, mut stmts) = (Vec::new(), Vec::new());
        for part in parts(m) {
            let value = self.expr(part);
            values.push(match value.kind {
                ExprKind::Var(_) | ExprKind::Param(_) => value,
                _ => {
                    let (value, first) = self.matched(part, value);
                    stmts.push(first);
                    value
                }
            });
        }
        let mut arms = Vec::new();
        for (condition, body) in self.arms(m, &values) {
            let body = match body {
                syn::Expr::Block(b) => self.block(&b.block.stmts),
                syn::Expr::Tuple(t) if t.elems.is_empty() => Vec::new(),
                other => self.block(&[syn::Stmt::Expr(other.clone(), None)]),
            };
            arms.push((condition, body));
        }
        let last = arms.pop().map(|(_, body)| body).unwrap_or_default();
        let chain = arms
            .into_iter()
            .rev()
            .fold(last, |otherwise, (condition, body)| vec![Stmt::If(condition, body, otherwise)]);
        stmts.extend(chain);
        stmts
    }

    /// `match` as a value.
    pub(super) fn match_value(&mut self, m: &syn::ExprMatch) -> Expr {
        let mut values = Vec::new();
        for part in parts(m) {
            let value = self.expr(part);
            values.push(match (&value.kind, self.conditional) {
                (ExprKind::Var(_) | ExprKind::Param(_), _) => value,
                (_, Some(place)) => {
                    self.error(&m.expr, format!("a `match` of what is computed stands {place}"))
                        .help("name what it matches in a `let` before");
                    return self.wrong();
                }
                _ => {
                    let (value, first) = self.matched(part, value);
                    self.before.push(first);
                    value
                }
            });
        }
        let mut arms = Vec::new();
        for (condition, body) in self.arms(m, &values) {
            let branch = "in an arm of a `match`";
            arms.push((condition, self.conditionally(branch, |this| this.expr(body))));
        }
        let Some((_, mut result)) = arms.pop() else { return self.wrong() };
        let ty = self.ty(&result);
        for (condition, value) in arms.into_iter().rev() {
            self.expect(&value, ty, "another arm");
            let kind = ExprKind::Select(Box::new(condition), Box::new(value), Box::new(result));
            result = self.node(m, ty, kind);
        }
        result
    }

    /// A variable for what is matched, so that it is computed once.
    fn matched(&mut self, at: &syn::Expr, value: Expr) -> (Expr, Stmt) {
        let ty = self.ty(&value);
        let var = self.declare("matched".into(), ty, false);
        (self.node(at, ty, ExprKind::Var(var)), Stmt::Let(var, value))
    }

    /// The conditions of the arms, and what they guard. That of the last one does not count: the
    /// compiler of the crate has it that some arm fits.
    fn arms<'m>(&mut self, m: &'m syn::ExprMatch, values: &[Expr]) -> Vec<(Expr, &'m syn::Expr)> {
        let mut arms = Vec::new();
        let Some(last) = m.arms.len().checked_sub(1) else {
            self.error(m, "a `match` without arms").help("add `_ => …`");
            return arms;
        };
        for (i, arm) in m.arms.iter().enumerate() {
            let condition = self.pattern(&arm.pat, values);
            if condition.is_none() && i < last {
                let next = &m.arms[i + 1];
                self.error(&next.pat, "no value gets to this arm").help("drop it");
            }
            if let (syn::Pat::Guard(_), true) = (&arm.pat, i == last) {
                self.error(&arm.pat, "the last arm of a `match` takes the rest")
                    .help("add `_ => …`");
            }
            let always = condition.unwrap_or_else(|| self.truth(&arm.pat, true));
            arms.push((always, &*arm.body));
        }
        arms
    }

    pub(super) fn truth(&mut self, at: &impl ToTokens, value: bool) -> Expr {
        let bool = self.known(Type::Bool);
        self.node(at, bool, ExprKind::Bool(value))
    }

    /// The condition that a pattern is, unless it fits all values.
    fn pattern(&mut self, pat: &syn::Pat, values: &[Expr]) -> Option<Expr> {
        let whole = || syn::Expr::Verbatim(pat.to_token_stream());
        match pat {
            syn::Pat::Wild(_) => None,
            syn::Pat::Paren(p) => self.pattern(&p.pat, values),
            syn::Pat::Guard(guarded) => {
                let reported = self.errors.len();
                let fits = self.pattern(&guarded.pat, values);
                if self.errors.len() > reported {
                    return fits;
                }
                let guard = self
                    .conditionally("in the guard of an arm", |this| this.condition(&guarded.guard));
                self.joined(&whole(), BinaryOp::And, fits, Some(guard))
            }
            syn::Pat::Or(or) => {
                let mut any: Option<Expr> = None;
                for case in &or.cases {
                    let fits = self.pattern(case, values)?;
                    any = self.joined(&whole(), BinaryOp::Or, any, Some(fits));
                }
                any
            }
            syn::Pat::Tuple(tuple) if values.len() > 1 && tuple.elems.len() == values.len() => {
                let mut all: Option<Expr> = None;
                for (pat, value) in tuple.elems.iter().zip(values) {
                    let fits = self.pattern(pat, std::slice::from_ref(value));
                    all = self.joined(&whole(), BinaryOp::And, all, fits);
                }
                all
            }
            _ if values.len() > 1 => {
                let any = vec!["_"; values.len()].join(", ");
                self.error(pat, format!("this `match` is of {} values", values.len()))
                    .help(format!("write a pattern for each: `({any}) => …`"));
                Some(self.wrong())
            }
            syn::Pat::Range(range) => {
                let value = &values[0];
                let upper = match range.limits {
                    syn::RangeLimits::HalfOpen(_) => BinaryOp::Lt,
                    syn::RangeLimits::Closed(_) => BinaryOp::Le,
                };
                let low = range.start.as_ref().map(|e| self.against(BinaryOp::Ge, value, e));
                let high = range.end.as_ref().map(|e| self.against(upper, value, e));
                self.joined(&whole(), BinaryOp::And, low, high)
            }
            other => {
                let number = syn::parse2::<syn::Expr>(other.to_token_stream()).ok();
                let number = number.map(opened).filter(is_constant);
                let Some(number) = number else {
                    self.error(other, "a pattern in a kernel is a number, a range of them, or `_`")
                        .help("write `0 => …`, `1 | 2 => …`, `3..=5 => …` or `_ if x > 0 => …`");
                    return Some(self.wrong());
                };
                Some(self.against(BinaryOp::Eq, &values[0], &number))
            }
        }
    }

    /// Both conditions, or the one that there is.
    fn joined(
        &mut self,
        whole: &syn::Expr,
        op: BinaryOp,
        a: Option<Expr>,
        b: Option<Expr>,
    ) -> Option<Expr> {
        match (a, b) {
            (Some(a), Some(b)) => Some(self.binary(whole, op, a, b)),
            (a, b) => a.or(b),
        }
    }

    /// A comparison of what is matched with a constant.
    fn against(&mut self, op: BinaryOp, value: &Expr, constant: &syn::Expr) -> Expr {
        let constant_node = self.expr(constant);
        self.binary(constant, op, value.clone(), constant_node)
    }
}

/// What is matched: the values of a tuple, or one.
fn parts(m: &syn::ExprMatch) -> Vec<&syn::Expr> {
    match bare(&m.expr) {
        syn::Expr::Tuple(tuple) if tuple.elems.len() > 1 => tuple.elems.iter().collect(),
        one => vec![one],
    }
}

/// Whether an expression is a literal, its negative, or a path such as `i32::MAX`.
fn is_constant(e: &syn::Expr) -> bool {
    match e {
        syn::Expr::Lit(_) => true,
        syn::Expr::Unary(u) => {
            matches!(u.op, syn::UnOp::Neg(_)) && matches!(*u.expr, syn::Expr::Lit(_))
        }
        syn::Expr::Path(path) => {
            path.path.segments.last().is_some_and(|s| is_constant_name(&s.ident))
        }
        _ => false,
    }
}
