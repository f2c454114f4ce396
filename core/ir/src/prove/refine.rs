//! What a condition says of the values in it.

use super::Walk;
use super::interval::Interval;
use crate::{BinaryOp, Expr, ExprKind};

/// Below and above every value of every type, and far from what the analysis can represent.
const LEAST: i128 = -(1 << 100);
const MOST: i128 = 1 << 100;

impl Walk<'_> {
    /// Takes it that a condition is true, or not; returns whether that can be.
    pub(super) fn refine(&mut self, condition: &Expr, truth: bool) -> bool {
        use BinaryOp::{And, Or};
        if !self.spend() {
            return true;
        }
        match &condition.kind {
            ExprKind::Bool(value) => *value == truth,
            ExprKind::Not(a) => self.refine(a, !truth),
            ExprKind::Binary(op @ (And | Or), a, b) => {
                let all = (*op == And) == truth;
                if all {
                    return self.refine(a, truth) && self.refine(b, truth);
                }
                self.refine_either(a, b, truth)
            }
            ExprKind::Binary(op, a, b) if op.is_comparison() && !a.ty.is_float() => {
                self.compare(if truth { *op } else { inverse(*op) }, a, b)
            }
            _ => self.constrain(condition, Interval::exactly(truth.into())),
        }
    }

    /// At least one of two conditions has this truth; that says something only if the other cannot.
    fn refine_either(&mut self, a: &Expr, b: &Expr, truth: bool) -> bool {
        let mark = self.state.mark();
        let first = self.refine(a, truth);
        let kept = self.state.take(mark);
        if !first {
            // The right side is evaluated where the left one has the other truth.
            return self.refine(a, !truth) && self.refine(b, truth);
        }
        let second = self.refine(a, !truth) && self.refine(b, truth);
        self.state.undo(mark);
        if !second {
            kept.into_iter().for_each(|(slot, value)| self.state.set(slot, value));
        }
        true
    }

    fn compare(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> bool {
        let (left, right) = (self.again(a), self.again(b));
        let (mut of_a, mut of_b) = (Interval::new(LEAST, MOST), Interval::new(LEAST, MOST));
        match op {
            BinaryOp::Lt => (of_a.hi, of_b.lo) = (right.hi - 1, left.lo + 1),
            BinaryOp::Le => (of_a.hi, of_b.lo) = (right.hi, left.lo),
            BinaryOp::Gt => (of_a.lo, of_b.hi) = (right.lo + 1, left.hi - 1),
            BinaryOp::Ge => (of_a.lo, of_b.hi) = (right.lo, left.hi),
            BinaryOp::Eq => (of_a, of_b) = (right, left),
            _ => {
                let (Some(a), Some(b)) = (without(left, right), without(right, left)) else {
                    return false;
                };
                (of_a, of_b) = (a, b);
            }
        }
        self.constrain(a, of_a) && self.constrain(b, of_b)
    }

    /// Takes it that a value lies in an interval; returns whether it can.
    fn constrain(&mut self, e: &Expr, within: Interval) -> bool {
        let known = self.again(e);
        let Some(value) = known.meet(within) else { return false };
        if value == known {
            return true;
        }
        if let Some(slot) = self.state.slot(e) {
            self.state.set(slot, value);
            return true;
        }
        match &e.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                let (x, y) = (self.again(a), self.again(b));
                let exact = x.add(y) == known;
                !exact || self.constrain(a, value.sub(y)) && self.constrain(b, value.sub(x))
            }
            ExprKind::Binary(BinaryOp::Sub, a, b) => {
                let (x, y) = (self.again(a), self.again(b));
                let exact = x.sub(y) == known;
                !exact || self.constrain(a, value.add(y)) && self.constrain(b, x.sub(value))
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => self.constrain_factors(a, b, known, value),
            ExprKind::Cast(a) if !a.ty.is_float() && self.again(a) == known => {
                self.constrain(a, value)
            }
            _ => true,
        }
    }

    /// One of the factors is a positive constant.
    fn constrain_factors(&mut self, a: &Expr, b: &Expr, known: Interval, value: Interval) -> bool {
        let (x, y) = (self.again(a), self.again(b));
        let by = |n: i128| Interval::new(-(-value.lo).div_euclid(n), value.hi.div_euclid(n));
        match (x.mul(y) == known, x, y) {
            (true, _, n) if n.is_exact() && n.lo > 0 => self.constrain(a, by(n.lo)),
            (true, n, _) if n.is_exact() && n.lo > 0 => self.constrain(b, by(n.lo)),
            _ => true,
        }
    }
}

/// What is left of an interval without the one value of another, if that is an end of it.
fn without(all: Interval, value: Interval) -> Option<Interval> {
    let Interval { mut lo, mut hi } = all;
    if value.is_exact() {
        lo += i128::from(lo == value.lo);
        hi -= i128::from(hi == value.lo);
    }
    (lo <= hi).then_some(Interval { lo, hi })
}

/// The comparison of integers that holds where this one does not.
fn inverse(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Eq => BinaryOp::Ne,
        BinaryOp::Ne => BinaryOp::Eq,
        BinaryOp::Lt => BinaryOp::Ge,
        BinaryOp::Le => BinaryOp::Gt,
        BinaryOp::Gt => BinaryOp::Le,
        _ => BinaryOp::Lt,
    }
}
