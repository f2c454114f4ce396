//! What is known of a kernel, and its accesses.

use super::literal;
use crate::{BinaryOp, Buffer, Expr, ExprKind, Kernel, Stmt, Type, Uniformity};
use std::collections::{HashMap, HashSet};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Load,
    Store,
    Atomic,
}

/// A use of an element of a buffer.
pub(super) struct Access<'a> {
    pub(super) buffer: Buffer,
    pub(super) indices: &'a [Expr],
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

/// What is known of the variables of a kernel.
pub(super) struct Facts<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) uniformity: Uniformity,
    /// The dimensions of the domain whose extent is 1.
    pub(super) single: [bool; 3],
    /// The value of each variable that is never assigned.
    values: HashMap<u32, &'a Expr>,
    /// The end of the range of each loop variable.
    pub(super) ends: HashMap<u32, &'a Expr>,
    /// The same of shared loops.
    pub(super) shared_ends: HashMap<u32, &'a Expr>,
}

/// Substituted expressions are given up above this many nodes.
pub(super) const LARGE: usize = 200;

impl<'a> Facts<'a> {
    pub(super) fn of(kernel: &'a Kernel, domain: &[Expr]) -> Self {
        let mut single = [false; 3];
        for (single, extent) in single.iter_mut().zip(domain.iter().rev()) {
            *single = literal(extent) == Some(1);
        }
        let mut facts = Facts {
            kernel,
            uniformity: Uniformity::of(kernel),
            single,
            values: HashMap::new(),
            ends: HashMap::new(),
            shared_ends: HashMap::new(),
        };
        let mut assigned = HashSet::new();
        facts.collect(&kernel.body, &mut assigned);
        facts.values.retain(|var, _| !assigned.contains(var));
        facts
    }

    fn collect(&mut self, body: &'a [Stmt], assigned: &mut HashSet<u32>) {
        for stmt in body {
            match stmt {
                Stmt::Let(var, value) => {
                    self.values.insert(*var, value);
                }
                Stmt::Assign(var, _) => {
                    assigned.insert(*var);
                }
                Stmt::For(var, _, end, _) => {
                    self.ends.insert(*var, end);
                }
                Stmt::ForGroup(var, end, _) => {
                    self.shared_ends.insert(*var, end);
                }
                _ => {}
            }
            stmt.bodies().into_iter().for_each(|body| self.collect(body, assigned));
        }
    }

    /// Every use of a buffer, with what holds there.
    pub(super) fn accesses(&self) -> Vec<Access<'a>> {
        let mut found = Vec::new();
        self.uses(&self.kernel.body, &[], false, &mut found);
        // A load that fits no store is what is reported, not the store.
        found.sort_by_key(|access| access.kind == Kind::Load);
        found
    }

    fn uses(
        &self,
        body: &'a [Stmt],
        guards: &[Guard],
        selected: bool,
        found: &mut Vec<Access<'a>>,
    ) {
        for stmt in body {
            let mut add = |buffer, indices, site, kind| {
                let guards = guards.to_vec();
                found.push(Access { buffer, indices, site, kind, guards, selected });
            };
            for e in stmt.exprs() {
                e.walk(&mut |e| {
                    if let ExprKind::Load(buffer, indices) = &e.kind {
                        add(*buffer, indices, e.site, Kind::Load);
                    }
                });
            }
            match stmt {
                Stmt::Store { buffer, indices, site, .. } => {
                    add(*buffer, indices, *site, Kind::Store);
                }
                Stmt::Atomic(a) => add(a.buffer, &a.indices, a.site, Kind::Atomic),
                Stmt::If(condition, then, otherwise) => {
                    let selected = selected || !self.uniformity.expr(condition);
                    let mut inner = guards.to_vec();
                    self.guards(condition, &mut inner);
                    self.uses(then, &inner, selected, found);
                    self.uses(otherwise, guards, selected, found);
                }
                other => {
                    let differs = matches!(other, Stmt::ForGroup(..))
                        || other.exprs().into_iter().any(|e| !self.uniformity.expr(e));
                    for body in other.bodies() {
                        self.uses(body, guards, selected || differs, found);
                    }
                }
            }
        }
    }

    /// Adds what a condition says.
    fn guards(&self, condition: &Expr, guards: &mut Vec<Guard>) {
        let Some(condition) = self.expand(condition, &mut { LARGE }) else { return };
        let ExprKind::Binary(op, a, b) = &condition.kind else { return };
        match (op, &a.kind, &b.kind) {
            (BinaryOp::And, ..) if a.ty == Type::Bool => {
                self.guards(a, guards);
                self.guards(b, guards);
            }
            (BinaryOp::Eq, ExprKind::Lid(d), ExprKind::Int(value))
            | (BinaryOp::Eq, ExprKind::Int(value), ExprKind::Lid(d)) => {
                guards.push(Guard::Lid(*d, *value));
            }
            (BinaryOp::Lt, ..) => guards.push(Guard::Below((**a).clone(), (**b).clone())),
            (BinaryOp::Gt, ..) => guards.push(Guard::Below((**b).clone(), (**a).clone())),
            _ => {}
        }
    }

    /// The expression with variables replaced by their values.
    pub(super) fn expand(&self, e: &Expr, budget: &mut usize) -> Option<Expr> {
        *budget = budget.checked_sub(1)?;
        if let ExprKind::Var(var) = e.kind
            && let Some(value) = self.values.get(&var)
        {
            return self.expand(value, budget);
        }
        let mut expanded = e.clone();
        for operand in expanded.operands_mut() {
            *operand = self.expand(operand, budget)?;
        }
        Some(expanded)
    }
}
