//! Intervals of integers, and what the operations of a type make of them.

use crate::{BinaryOp, Type, Value};

/// The integers from `lo` to `hi`, which the type of the expression holds; a `bool` counts as 0 or
/// 1, and a floating-point value as nothing: its interval is never looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) lo: i128,
    pub(super) hi: i128,
}

impl Interval {
    pub(super) const ZERO: Interval = Interval { lo: 0, hi: 0 };
    pub(super) const BOOL: Interval = Interval { lo: 0, hi: 1 };

    pub(super) const fn new(lo: i128, hi: i128) -> Self {
        Interval { lo, hi }
    }

    pub(super) const fn exactly(value: i128) -> Self {
        Interval { lo: value, hi: value }
    }

    /// Every value of a type.
    pub(super) const fn of_type(ty: Type) -> Self {
        match ty.integer_range() {
            Some((lo, hi)) => Interval { lo, hi },
            None => Interval::BOOL,
        }
    }

    /// The indices below an extent; of 0, none is ever asked for.
    pub(super) fn below(extent: usize) -> Self {
        Interval { lo: 0, hi: extent.saturating_sub(1) as i128 }
    }

    pub(super) fn of_value(value: Value) -> Self {
        Interval::exactly(value.integer().unwrap_or(0))
    }

    /// The interval, or that of the type if a value may wrap.
    pub(super) fn wrapped(self, ty: Type) -> Self {
        let all = Interval::of_type(ty);
        if all.contains(self) { self } else { all }
    }

    pub(super) fn contains(self, other: Interval) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    pub(super) fn join(self, other: Interval) -> Self {
        Interval { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The values of both; `None` if there is none.
    pub(super) fn meet(self, other: Interval) -> Option<Self> {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        (lo <= hi).then_some(Interval { lo, hi })
    }

    pub(super) fn is_exact(self) -> bool {
        self.lo == self.hi
    }

    pub(super) fn add(self, b: Interval) -> Self {
        Interval { lo: self.lo.saturating_add(b.lo), hi: self.hi.saturating_add(b.hi) }
    }

    pub(super) fn sub(self, b: Interval) -> Self {
        Interval { lo: self.lo.saturating_sub(b.hi), hi: self.hi.saturating_sub(b.lo) }
    }

    pub(super) fn mul(self, b: Interval) -> Self {
        if self.lo >= 0 && b.lo >= 0 {
            return Interval { lo: self.lo.saturating_mul(b.lo), hi: self.hi.saturating_mul(b.hi) };
        }
        let ends = [(self.lo, b.lo), (self.lo, b.hi), (self.hi, b.lo), (self.hi, b.hi)];
        Self::hull(ends.map(|(x, y)| x.saturating_mul(y)))
    }

    fn hull(values: [i128; 4]) -> Self {
        let fold = |f: fn(i128, i128) -> i128| values.into_iter().reduce(f).unwrap_or(0);
        Interval { lo: fold(i128::min), hi: fold(i128::max) }
    }

    pub(super) fn min(self, b: Interval) -> Self {
        Interval { lo: self.lo.min(b.lo), hi: self.hi.min(b.hi) }
    }

    pub(super) fn max(self, b: Interval) -> Self {
        Interval { lo: self.lo.max(b.lo), hi: self.hi.max(b.hi) }
    }

    pub(super) fn abs(self) -> Self {
        if self.lo >= 0 {
            return self;
        }
        let (low, high) = (self.lo.saturating_neg(), self.hi.saturating_abs());
        Interval { lo: if self.hi < 0 { high } else { 0 }, hi: low.max(high) }
    }
}

/// What an operator makes of operands of a type; of a shift, the amount may have another.
pub(super) fn binary(op: BinaryOp, a: Interval, b: Interval, ty: Type) -> Interval {
    let result = match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::Div => divide(a, b, ty),
        BinaryOp::Rem => remainder(a, b, ty),
        BinaryOp::Shl => shift_left(a, b, ty),
        BinaryOp::Shr => shift_right(a, b, ty),
        _ => bitwise(op, a, b, ty),
    };
    result.wrapped(ty)
}

/// Towards zero; by 0 it is 0.
fn divide(a: Interval, b: Interval, ty: Type) -> Interval {
    if b.lo < 0 {
        return Interval::of_type(ty);
    }
    let by_zero = b.lo == 0;
    if b.hi == 0 {
        return Interval::ZERO;
    }
    let (low, high) = (b.lo.max(1), b.hi);
    let quotients = Interval::hull([a.lo / low, a.lo / high, a.hi / low, a.hi / high]);
    if by_zero { quotients.join(Interval::ZERO) } else { quotients }
}

/// By 0 it is 0.
fn remainder(a: Interval, b: Interval, ty: Type) -> Interval {
    if a.lo < 0 || b.lo < 0 {
        return Interval::of_type(ty);
    }
    if a.hi < b.lo {
        return a;
    }
    Interval { lo: 0, hi: a.hi.min((b.hi - 1).max(0)) }
}

/// The amount counts modulo the width of the type.
fn shift_left(a: Interval, b: Interval, ty: Type) -> Interval {
    if a.lo < 0 || b.lo < 0 || b.hi >= width(ty) {
        return Interval::of_type(ty);
    }
    a.mul(Interval { lo: 1 << b.lo, hi: 1 << b.hi })
}

fn shift_right(a: Interval, b: Interval, ty: Type) -> Interval {
    if b.lo < 0 || b.hi >= width(ty) {
        // Some amount: what is not negative does not grow.
        return if a.lo >= 0 { Interval { lo: 0, hi: a.hi } } else { Interval::of_type(ty) };
    }
    Interval::hull([a.lo >> b.lo, a.lo >> b.hi, a.hi >> b.lo, a.hi >> b.hi])
}

/// The bits of an integer type.
fn width(ty: Type) -> i128 {
    8 * ty.size() as i128
}

fn bitwise(op: BinaryOp, a: Interval, b: Interval, ty: Type) -> Interval {
    if op == BinaryOp::BitAnd {
        return match (a.lo >= 0, b.lo >= 0) {
            (true, true) => Interval { lo: 0, hi: a.hi.min(b.hi) },
            (true, false) => Interval { lo: 0, hi: a.hi },
            (false, true) => Interval { lo: 0, hi: b.hi },
            (false, false) => Interval::of_type(ty),
        };
    }
    if a.lo < 0 || b.lo < 0 {
        return Interval::of_type(ty);
    }
    let bits = 128 - a.hi.max(b.hi).leading_zeros();
    Interval { lo: 0, hi: (1 << bits) - 1 }
}

/// What is known of the truth of a comparison of integers.
pub(super) fn compare(op: BinaryOp, a: Interval, b: Interval) -> Interval {
    let truth = |yes: bool, no: bool| match (yes, no) {
        (true, _) => Interval::exactly(1),
        (_, true) => Interval::ZERO,
        _ => Interval::BOOL,
    };
    let same = a.is_exact() && a == b;
    let apart = a.meet(b).is_none();
    match op {
        BinaryOp::Eq => truth(same, apart),
        BinaryOp::Ne => truth(apart, same),
        BinaryOp::Lt => truth(a.hi < b.lo, a.lo >= b.hi),
        BinaryOp::Le => truth(a.hi <= b.lo, a.lo > b.hi),
        BinaryOp::Gt => truth(a.lo > b.hi, a.hi <= b.lo),
        _ => truth(a.lo >= b.hi, a.hi < b.lo),
    }
}

#[cfg(test)]
mod tests;
