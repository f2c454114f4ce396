//! What statements do to what is known.

use super::interval::Interval;
use super::{WIDE, Walk};
use crate::{BinaryOp, Expr, ExprKind, GroupOp, MathFn, Stmt, jumps, statements};

/// The depth of loops up to which a first pass narrows what is known at their heads; each level
/// doubles the work.
const PASSES: usize = 3;

impl Walk<'_> {
    /// Looks at statements; returns whether the one after them can be reached.
    pub(super) fn block(&mut self, body: &[Stmt]) -> bool {
        body.iter().all(|stmt| self.stmt(stmt))
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let(v, e) | Stmt::Assign(v, e) => {
                let value = self.eval(e);
                self.state.set(self.state.variable(*v), value);
            }
            Stmt::Store { buffer, indices, value, site } => {
                self.access(*buffer, indices, *site);
                self.eval(value);
            }
            Stmt::Fill(_, value) => {
                self.eval(value);
            }
            Stmt::Atomic(atomic) => {
                self.access(atomic.buffer, &atomic.indices, atomic.site);
                for value in &atomic.values {
                    self.eval(value);
                }
                atomic.old.into_iter().for_each(|old| self.forget(old));
            }
            Stmt::If(c, a, b) => return self.branch(c, a, b),
            Stmt::For(v, a, b, body) => {
                let (from, to) = (self.eval(a), self.eval(b));
                self.count(*v, Interval::new(from.lo, to.hi - 1), body);
            }
            Stmt::ForGroup(v, n, body) => {
                let n = self.eval(n).hi;
                if n + self.group_size() >= WIDE {
                    self.wide();
                }
                self.count(*v, Interval::new(0, n - 1), body);
            }
            Stmt::While(c, body) => self.repeat(c, body),
            Stmt::Break | Stmt::Continue => return false,
            Stmt::Barrier(_) => {}
            Stmt::GroupReduce { var, op, value, site } => {
                self.eval(value);
                if let GroupOp::Function(f) = op {
                    let all = Interval::of_type(value.ty);
                    self.function(*f as usize, &[all, all], *site, value.ty);
                }
                self.forget(*var);
            }
        }
        true
    }

    /// Takes a variable to have any value of its type.
    fn forget(&mut self, v: u32) {
        let all = Interval::of_type(self.kernel.vars[v as usize].ty);
        self.state.set(self.state.variable(v), all);
    }

    fn branch(&mut self, c: &Expr, a: &[Stmt], b: &[Stmt]) -> bool {
        self.eval(c);
        let mark = self.state.mark();
        let first = self.refine(c, true) && self.block(a);
        let left = self.state.take(mark);
        let second = self.refine(c, false) && self.block(b);
        match (first, second) {
            // Only the second one goes on: what is known now is what it left.
            (false, true) => true,
            (true, second) => {
                let right = self.state.take(mark);
                let right = if second { &right } else { &left };
                self.state.join(&left, right);
                true
            }
            (false, false) => false,
        }
    }

    /// A loop whose variable takes values of an interval, none if that is empty.
    fn count(&mut self, v: u32, values: Interval, body: &[Stmt]) {
        if values.lo > values.hi {
            return;
        }
        self.turns(body, Some(v), |walk| {
            walk.state.set(walk.state.variable(v), values);
            true
        });
    }

    fn repeat(&mut self, c: &Expr, body: &[Stmt]) {
        self.turns(body, None, |walk| {
            walk.eval(c);
            walk.refine(c, true)
        });
        if !jumps(body, &Stmt::Break) {
            // A loop whose condition always holds is never left: nothing after it runs, and what is
            // taken to be known there does not matter.
            self.refine(c, false);
        }
    }

    /// The turns of a loop: `enter` says what holds at the start of each, and whether there is one.
    /// Leaves what is known after the last turn.
    fn turns(
        &mut self,
        body: &[Stmt],
        counter: Option<u32>,
        mut enter: impl FnMut(&mut Self) -> bool,
    ) {
        let mut assigned = Assigned::default();
        assigned.block(body);
        counter.into_iter().for_each(|v| assigned.add(v, false));
        let before = self.values(&assigned);
        self.forget_all(&assigned, &before);
        if assigned.again && self.quiet < PASSES {
            let head = self.state.mark();
            self.quiet += 1;
            let ends = enter(self) && self.block(body);
            self.quiet -= 1;
            let after = if ends { self.values(&assigned) } else { before.clone() };
            self.state.undo(head);
            for (((v, _), before), after) in assigned.vars.iter().zip(&before).zip(after) {
                let slot = self.state.variable(*v);
                let known = self.state.get(slot).meet(before.join(after));
                known.into_iter().for_each(|known| self.state.set(slot, known));
            }
        }
        let head = self.state.mark();
        if enter(self) {
            self.block(body);
        }
        self.state.undo(head);
        if jumps(body, &Stmt::Break) {
            // Some turn may have ended in its middle.
            self.forget_all(&assigned, &before);
        }
    }

    fn values(&self, assigned: &Assigned) -> Vec<Interval> {
        let value = |(v, _): &(u32, bool)| self.state.get(self.state.variable(*v));
        assigned.vars.iter().map(value).collect()
    }

    /// Takes the variables to have any value that some turns may leave in them.
    fn forget_all(&mut self, assigned: &Assigned, before: &[Interval]) {
        for ((v, shrinks), before) in assigned.vars.iter().zip(before) {
            self.forget(*v);
            if *shrinks && self.is_unsigned(*v) {
                self.state.set(self.state.variable(*v), Interval::new(0, before.hi));
            }
        }
    }

    fn is_unsigned(&self, v: u32) -> bool {
        let ty = self.kernel.vars[v as usize].ty;
        ty.is_integer() && !ty.is_signed()
    }
}

/// The variables that the statements of a loop assign.
#[derive(Default)]
struct Assigned {
    /// Each with whether every assignment makes it smaller or leaves it.
    vars: Vec<(u32, bool)>,
    /// Whether a first pass can tell more of them: there is an assignment to a variable that a
    /// turn may find from the one before, and no `continue` that leaves other values than the end.
    again: bool,
}

impl Assigned {
    fn block(&mut self, body: &[Stmt]) {
        for stmt in statements(body) {
            if let Stmt::Assign(v, e) = stmt {
                self.add(*v, shrinks(*v, e));
                self.again |= e.ty.is_integer();
            } else {
                stmt.target().into_iter().for_each(|v| self.add(v, false));
            }
        }
        self.again &= !jumps(body, &Stmt::Continue);
    }

    fn add(&mut self, v: u32, shrinks: bool) {
        match self.vars.iter_mut().find(|(known, _)| *known == v) {
            Some((_, all)) => *all &= shrinks,
            None => self.vars.push((v, shrinks)),
        }
    }
}

/// Whether an expression over an unsigned variable is at most the variable.
fn shrinks(v: u32, e: &Expr) -> bool {
    let is_v = |e: &Expr| e.kind == ExprKind::Var(v);
    match &e.kind {
        ExprKind::Binary(
            BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shr | BinaryOp::BitAnd,
            a,
            _,
        ) => is_v(a),
        ExprKind::Math(MathFn::Min, args) => args.iter().any(is_v),
        _ => false,
    }
}
