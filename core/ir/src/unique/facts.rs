//! What is known of a kernel, and its accesses.

use super::samples::Samples;
use crate::{BinaryOp, Buffer, Expr, ExprKind, Kernel, Stmt, Type, Uniformity, statements};
use std::collections::HashMap;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Load,
    Store,
    Atomic,
}

/// A use of an element of a buffer.
pub(super) struct Access {
    pub(super) buffer: Buffer,
    /// The indices, with variables replaced by the values that they have there.
    pub(super) indices: Vec<Expr>,
    pub(super) site: u32,
    pub(super) kind: Kind,
    pub(super) guards: Vec<Guard>,
    /// Whether the control around it differs within a group.
    pub(super) selected: bool,
}

/// What holds where a statement runs.
#[derive(Clone)]
pub(super) enum Guard {
    /// The work-item has this index in its group along a dimension.
    Lid(u8, i128),
    /// The first expression is below the second.
    Below(Expr, Expr),
}

/// What is known of a kernel.
pub(super) struct Facts<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) uniformity: Uniformity,
    /// The declared extents of the domain, slowest first.
    pub(super) domain: &'a [Expr],
    /// Whether the positions of the work-item are below the declared extents, not only those of the launch.
    pub(super) named: bool,
    /// The factor whose terms are the most significant ones of an index.
    pub(super) first: Option<Expr>,
    /// What requirements are tried on.
    pub(super) samples: Rc<Samples<'a>>,
    /// The value of each variable at the statement at hand, where it is known.
    values: HashMap<u32, Expr>,
    /// The end of the range of each loop variable.
    pub(super) ends: HashMap<u32, Expr>,
    /// The same of shared loops.
    pub(super) shared_ends: HashMap<u32, Expr>,
    /// Every use of a buffer, with what holds there.
    pub(super) accesses: Vec<Access>,
}

/// Substituted expressions are given up above this many nodes.
const LARGE: usize = 200;

impl<'a> Facts<'a> {
    pub(super) fn of(kernel: &'a Kernel, domain: &'a [Expr]) -> Self {
        let mut facts = Facts {
            kernel,
            uniformity: Uniformity::of(kernel),
            domain,
            named: false,
            first: None,
            samples: Rc::new(Samples::new(kernel, domain)),
            values: HashMap::new(),
            ends: HashMap::new(),
            shared_ends: HashMap::new(),
            accesses: Vec::new(),
        };
        facts.block(&kernel.body, &[], false);
        // A load that fits no store is what is reported, not the store.
        facts.accesses.sort_by_key(|access| access.kind == Kind::Load);
        facts
    }

    /// The declared extent along a dimension, of which 0 is contiguous.
    pub(super) fn declared(&self, d: u8) -> Option<&Expr> {
        self.domain.iter().rev().nth(d.into())
    }

    fn block(&mut self, body: &[Stmt], guards: &[Guard], selected: bool) {
        for stmt in body {
            self.stmt(stmt, guards, selected);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, guards: &[Guard], selected: bool) {
        if let Stmt::While(_, body) = stmt {
            self.forget(body);
        }
        for e in stmt.exprs() {
            e.walk(&mut |e| {
                if let ExprKind::Load(buffer, indices) = &e.kind {
                    self.access(*buffer, indices, e.site, Kind::Load, guards, selected);
                }
            });
        }
        match stmt {
            Stmt::Let(var, value) | Stmt::Assign(var, value) => {
                match self.expanded(value) {
                    Some(value) => self.values.insert(*var, value),
                    None => self.values.remove(var),
                };
            }
            Stmt::Store { buffer, indices, site, .. } => {
                self.access(*buffer, indices, *site, Kind::Store, guards, selected);
            }
            Stmt::Atomic(a) => {
                self.access(a.buffer, &a.indices, a.site, Kind::Atomic, guards, selected);
                self.forget(std::slice::from_ref(stmt));
            }
            Stmt::If(condition, then, otherwise) => {
                let selected = selected || !self.uniformity.expr(condition);
                let before = self.values.clone();
                for (truth, body) in [(true, then), (false, otherwise)] {
                    self.values.clone_from(&before);
                    let mut inner = guards.to_vec();
                    self.guards(condition, truth, &mut inner);
                    self.block(body, &inner, selected);
                }
                self.values = before;
                self.forget(then);
                self.forget(otherwise);
            }
            Stmt::For(var, _, end, _) | Stmt::ForGroup(var, end, _) => {
                if let Some(end) = self.expanded(end) {
                    let shared = matches!(stmt, Stmt::ForGroup(..));
                    let ends = if shared { &mut self.shared_ends } else { &mut self.ends };
                    ends.insert(*var, end);
                }
                self.turns(stmt, guards, selected);
            }
            Stmt::While(..) => self.turns(stmt, guards, selected),
            other => self.forget(std::slice::from_ref(other)),
        }
    }

    /// The statements of a loop, which begin with what any turn before leaves.
    fn turns(&mut self, stmt: &Stmt, guards: &[Guard], selected: bool) {
        let differs = matches!(stmt, Stmt::ForGroup(..))
            || stmt.exprs().into_iter().any(|e| !self.uniformity.expr(e));
        for body in stmt.bodies() {
            self.forget(body);
            self.block(body, guards, selected || differs);
            self.forget(body);
        }
    }

    /// Forgets the variables that the statements give values.
    fn forget(&mut self, body: &[Stmt]) {
        statements(body).filter_map(Stmt::target).for_each(|var| drop(self.values.remove(&var)));
    }

    fn access(
        &mut self,
        buffer: Buffer,
        indices: &[Expr],
        site: u32,
        kind: Kind,
        guards: &[Guard],
        selected: bool,
    ) {
        let value = |index: &Expr| self.expanded(index).unwrap_or_else(|| index.clone());
        let indices = indices.iter().map(value).collect();
        let guards = guards.to_vec();
        self.accesses.push(Access { buffer, indices, site, kind, guards, selected });
    }

    /// Adds what a condition says that is true, or not.
    fn guards(&self, condition: &Expr, truth: bool, guards: &mut Vec<Guard>) {
        let Some(condition) = self.expanded(condition) else { return };
        let (op, a, b) = match &condition.kind {
            ExprKind::Binary(op, a, b) => (op, a, b),
            ExprKind::Not(inner) => return self.guards(inner, !truth, guards),
            _ => return,
        };
        let below = |a: &Expr, b: &Expr| Guard::Below(a.clone(), b.clone());
        // What was loaded may change before the access, and so may a variable that is no loop's.
        let changes = condition.any(&|e| match e.kind {
            ExprKind::Load(..) => true,
            ExprKind::Var(v) => !self.ends.contains_key(&v) && !self.shared_ends.contains_key(&v),
            _ => false,
        });
        match (op, truth, &a.kind, &b.kind) {
            (BinaryOp::And, true, ..) | (BinaryOp::Or, false, ..) if a.ty == Type::Bool => {
                self.guards(a, truth, guards);
                self.guards(b, truth, guards);
            }
            (BinaryOp::Eq, true, ExprKind::Lid(d), ExprKind::Int(value))
            | (BinaryOp::Eq, true, ExprKind::Int(value), ExprKind::Lid(d))
            | (BinaryOp::Ne, false, ExprKind::Lid(d), ExprKind::Int(value))
            | (BinaryOp::Ne, false, ExprKind::Int(value), ExprKind::Lid(d)) => {
                guards.push(Guard::Lid(*d, *value));
            }
            (BinaryOp::Lt, true, ExprKind::Lid(d), ExprKind::Int(1))
            | (BinaryOp::Ge, false, ExprKind::Lid(d), ExprKind::Int(1)) => {
                guards.push(Guard::Lid(*d, 0));
            }
            (BinaryOp::Lt, true, ..) | (BinaryOp::Ge, false, ..) if !changes => {
                guards.push(below(a, b));
            }
            (BinaryOp::Gt, true, ..) | (BinaryOp::Le, false, ..) if !changes => {
                guards.push(below(b, a));
            }
            _ => {}
        }
    }

    /// The expression with variables replaced by their values, and simplified; `None` if it is large.
    fn expanded(&self, e: &Expr) -> Option<Expr> {
        self.expand(e, &mut { LARGE })
    }

    fn expand(&self, e: &Expr, budget: &mut usize) -> Option<Expr> {
        *budget = budget.checked_sub(1)?;
        if let ExprKind::Var(var) = e.kind
            && let Some(value) = self.values.get(&var)
        {
            // A value is expanded already; its size counts.
            let mut size = 0;
            value.walk(&mut |_| size += 1);
            *budget = budget.checked_sub(size)?;
            return Some(value.clone());
        }
        let mut expanded = e.clone();
        for operand in expanded.operands_mut() {
            *operand = self.expand(operand, budget)?;
        }
        Some(simplified(expanded))
    }
}

/// Quotients and remainders in the one form that [`super::part`] knows.
fn simplified(e: Expr) -> Expr {
    let (op, a, b) = match &e.kind {
        ExprKind::Binary(op, a, b) => (op, a, b),
        ExprKind::Cast(value) if value.ty == e.ty => return (**value).clone(),
        _ => return e,
    };
    if e.ty != Type::Usize {
        return e;
    }
    let of = |op, a: &Expr, b: &Expr| Expr::binary(op, a.clone(), b.clone(), e.site);
    match (op, &a.kind, &b.kind) {
        (BinaryOp::Add, ExprKind::Int(0), _) => (**b).clone(),
        (BinaryOp::Shl, _, ExprKind::Int(bits)) if (0..63).contains(bits) => {
            of(BinaryOp::Mul, a, &Expr::index(1 << bits, e.site))
        }
        (BinaryOp::Div, ExprKind::Binary(BinaryOp::Div, x, inner), _) => {
            of(BinaryOp::Div, x, &super::number::product((**inner).clone(), b, e.site))
        }
        _ => e,
    }
}
