//! Ranges that a `for` counts through: `a..b`, `a..=b`, reversed and in steps.

use super::loops::bare;
use super::{Literal, Lower, Rule};
use crate::kernel::infer::{Known, TypeVar};
use ringwood_ir::{BinaryOp, Expr, ExprKind, Stmt, Type};
use syn::RangeLimits;

/// A range as written.
pub(super) struct Range<'a> {
    /// With its adapters.
    whole: &'a syn::Expr,
    start: &'a syn::Expr,
    end: &'a syn::Expr,
    inclusive: bool,
    step: Option<&'a syn::Expr>,
    turn: Turn,
}

/// Where `.rev()` stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Never,
    /// Before `.step_by(k)`: the steps start at the end.
    Before,
    /// After `.step_by(k)`, or without it.
    After,
}

impl<'a> Range<'a> {
    /// The range that an expression is, if a kernel's `for` can count through it.
    pub(super) fn parse(e: &'a syn::Expr) -> Option<Self> {
        match bare(e) {
            syn::Expr::Range(range) => Some(Range {
                whole: e,
                start: range.start.as_ref()?,
                end: range.end.as_ref()?,
                inclusive: matches!(range.limits, RangeLimits::Closed(_)),
                step: None,
                turn: Turn::Never,
            }),
            syn::Expr::MethodCall(call) => {
                let range = Range { whole: e, ..Self::parse(&call.receiver)? };
                match (&*call.method.to_string(), range.step, range.turn, call.args.first()) {
                    ("rev", _, Turn::Never, None) => Some(Range { turn: Turn::After, ..range }),
                    ("step_by", None, turn, Some(step)) if call.args.len() == 1 => {
                        let turn = if turn == Turn::Never { turn } else { Turn::Before };
                        Some(Range { step: Some(step), turn, ..range })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// What a range is lowered to: a loop from `start` up to `end`, and the value of each turn if that is
/// not the turn itself.
pub(super) struct Counted {
    pub(super) before: Vec<Stmt>,
    pub(super) turn: u32,
    pub(super) start: Expr,
    pub(super) end: Expr,
    /// The variable that the body sees, and its value.
    pub(super) value: Option<(u32, Expr)>,
}

impl Lower<'_> {
    pub(super) fn range(&mut self, name: &str, range: &Range<'_>) -> Counted {
        let (start, end) = (self.expr(range.start), self.expr(range.end));
        let ty = self.ty(&start);
        self.expect(&end, ty, "the end of this range");
        self.rules.push((start.site, ty, Rule::Integer("the bound of a loop")));
        // The proof follows `1 + turn`, of which `turn` is the smallest that a digit of an index can be.
        let ahead = self.number_of(&start).is_some_and(|n| n > 0) && self.number_of(&end).is_some();
        let plain = range.step.is_none() && range.turn == Turn::Never && !ahead;
        let exclusive = if plain { self.exclusive(range, &end) } else { None };
        let Some(end) = exclusive else { return self.steps(name, range, start, end) };
        let turn = self.declare(name.into(), ty, false);
        Counted { before: Vec::new(), turn, start, end, value: None }
    }

    /// The end of the range without it, where that is no number of another type: a literal, or an index.
    fn exclusive(&mut self, range: &Range<'_>, end: &Expr) -> Option<Expr> {
        if !range.inclusive {
            return Some(end.clone());
        }
        let known = self.types.known(self.ty(end));
        if let (Some(Literal::Int(value)), Known::Integer) = (self.literals.get(&end.site), known) {
            // The type may turn out to hold no number after its greatest one.
            let greatest = |ty: Type| ty.integer_range().is_some_and(|(_, max)| max == *value);
            if Type::ALL.into_iter().any(greatest) {
                return None;
            }
            let value = Literal::Int(value.saturating_add(1));
            let after = self.literal_node(range.end, Known::Integer, value);
            self.expect(&after, self.ty(end), "the end of this range");
            return Some(after);
        }
        (known == Known::Type(Type::Usize)).then(|| {
            let one = self.int(range.end, 1);
            self.binary(range.end, BinaryOp::Add, end.clone(), one)
        })
    }

    /// A loop over the number of the turn.
    fn steps(&mut self, name: &str, range: &Range<'_>, start: Expr, end: Expr) -> Counted {
        let ty = self.ty(&start);
        let mut before = Vec::new();
        let start = self.fixed("start", start, &mut before);
        let end = self.fixed("end", end, &mut before);
        let usize = self.known(Type::Usize);
        let step = range.step.map(|step| {
            let value = self.expr(step);
            self.expect(&value, usize, "the argument of `step_by`");
            if self.evaluate(step) == Some(0) {
                self.error(step, "a range has no steps of 0").help("write at least 1");
            }
            self.fixed("step", value, &mut before)
        });
        let all = self.count(range, &start, &end);
        let all = self.fixed("count", all, &mut before);
        let count = match &step {
            Some(step) => {
                let steps = match (self.number_of(&all), self.number_of(step)) {
                    (Some(all), Some(step @ 1..)) => {
                        self.int(range.whole, all.saturating_add(step - 1) / step)
                    }
                    _ => self.rounded_up(range.whole, &all, step),
                };
                self.fixed("steps", steps, &mut before)
            }
            None => all.clone(),
        };
        let turn = self.declare(format!("{name}_turn"), usize, false);
        let mut turns = self.node(range.whole, usize, ExprKind::Var(turn));
        if range.turn == Turn::After {
            let last = self.minus_one(range.whole, count.clone());
            turns = self.binary(range.whole, BinaryOp::Sub, last, turns);
        }
        if let Some(step) = step {
            turns = self.binary(range.whole, BinaryOp::Mul, turns, step);
        }
        if range.turn == Turn::Before {
            let last = self.minus_one(range.whole, all);
            turns = self.binary(range.whole, BinaryOp::Sub, last, turns);
        }
        let value = match self.is_zero(&start) && self.is_index(ty) {
            true => turns,
            false => {
                let offset = self.converted(range.whole, turns, ty);
                self.binary(range.whole, BinaryOp::Add, start, offset)
            }
        };
        let seen = self.declare(name.into(), ty, false);
        let zero = self.int(range.whole, 0);
        Counted { before, turn, start: zero, end: count, value: Some((seen, value)) }
    }

    /// How many values are between two bounds. The difference of two numbers of 64 bits or fewer wraps to
    /// it.
    fn count(&mut self, range: &Range<'_>, start: &Expr, end: &Expr) -> Expr {
        let (at, ty) = (range.whole, self.ty(start));
        if let (Some(low), Some(high)) = (self.number_of(start), self.number_of(end)) {
            let after = high.saturating_add(range.inclusive.into());
            return self.int(at, after.saturating_sub(low).max(0));
        }
        if self.is_zero(start) && self.is_index(ty) {
            let one = range.inclusive.then(|| self.int(at, 1));
            return match one {
                Some(one) => self.binary(at, BinaryOp::Add, end.clone(), one),
                None => end.clone(),
            };
        }
        let usize = self.known(Type::Usize);
        let (low, high) = (start.clone(), end.clone());
        let (low, high) = (self.converted(at, low, usize), self.converted(at, high, usize));
        let mut count = self.binary(at, BinaryOp::Sub, high, low);
        let mut any = BinaryOp::Lt;
        if range.inclusive {
            let one = self.int(at, 1);
            (count, any) = (self.binary(at, BinaryOp::Add, count, one), BinaryOp::Le);
        }
        let any = self.binary(at, any, start.clone(), end.clone());
        let zero = self.int(at, 0);
        let kind = ExprKind::Select(Box::new(any), Box::new(count), Box::new(zero));
        self.node(at, usize, kind)
    }

    /// A value that is computed once: itself if it is a number or a parameter, else a variable.
    fn fixed(&mut self, name: &str, value: Expr, before: &mut Vec<Stmt>) -> Expr {
        if matches!(value.kind, ExprKind::Int(_) | ExprKind::Param(_) | ExprKind::Len(_)) {
            return value;
        }
        let (ty, at) = (self.ty(&value), self.tokens(&value));
        let var = self.declare(name.into(), ty, false);
        before.push(Stmt::Let(var, value));
        self.node(&at, ty, ExprKind::Var(var))
    }

    fn converted(&mut self, at: &syn::Expr, value: Expr, to: TypeVar) -> Expr {
        match self.is_index(to) && self.is_index(self.ty(&value)) {
            true => value,
            false => self.node(at, to, ExprKind::Cast(Box::new(value))),
        }
    }

    fn minus_one(&mut self, at: &syn::Expr, value: Expr) -> Expr {
        let one = self.int(at, 1);
        self.binary(at, BinaryOp::Sub, value, one)
    }

    fn int(&mut self, at: &syn::Expr, value: i128) -> Expr {
        self.literal_node(at, Known::Type(Type::Usize), Literal::Int(value))
    }

    fn is_index(&self, ty: TypeVar) -> bool {
        self.types.known(ty) == Known::Type(Type::Usize)
    }

    fn is_zero(&self, e: &Expr) -> bool {
        self.number_of(e) == Some(0)
    }

    /// The value of a literal.
    fn number_of(&self, e: &Expr) -> Option<i128> {
        match self.literals.get(&e.site) {
            Some(Literal::Int(value)) if matches!(e.kind, ExprKind::Int(_)) => Some(*value),
            _ => None,
        }
    }
}
