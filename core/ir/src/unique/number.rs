//! Indices as numbers in a mixed radix, `(top * W + digit) * V + digit …`.

use super::digit::{Digit, Kind, Owner, at_most};
use super::facts::{Facts, Guard};
use super::sum::{self, Term};
use super::{literal, part};
use crate::{BinaryOp, Expr, ExprKind, Kernel, Type};

/// An index as digits, the most significant first, and the radix of each but the first.
pub(super) struct Number {
    pub(super) digits: Vec<Digit>,
    pub(super) radices: Vec<Expr>,
    /// A uniform value added to all.
    pub(super) base: Option<Expr>,
    /// What the conditions around the access say that the number without it is below.
    pub(super) limits: Vec<Expr>,
}

/// What becomes of the uniform terms of an index.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Reading {
    /// They are added to the number: accesses with other uniform terms have other numbers.
    Apart,
    /// A literal number of times a weight becomes a digit, where there is room below the radix.
    Literal,
    /// Others do too, where the radix is no literal.
    Within,
    /// As [`Reading::Literal`]; indices of other numbers lie in ranges that do not meet.
    Ranges,
}

impl Reading {
    pub(super) const ALL: [Self; 4] = [Self::Apart, Self::Literal, Self::Within, Self::Ranges];
}

impl Facts<'_> {
    pub(super) fn number(
        &self,
        index: &Expr,
        guards: &[Guard],
        reading: Reading,
    ) -> Option<Number> {
        // What stays below 1 is 0.
        let zero = |e: &Expr| self.bound(e).is_some_and(|bound| literal(&bound) == Some(1));
        let terms = sum::terms(index)?.into_iter();
        let (varying, uniform): (Vec<_>, Vec<_>) = terms
            .filter(|term| !term.value.as_ref().is_some_and(zero))
            .partition(|term| term.value.is_some());
        if varying.is_empty() {
            let value = sum::total(&uniform, index.site);
            let digits = vec![Digit::uniform(value.unwrap_or_else(|| Expr::index(0, index.site)))];
            let (radices, limits) = (Vec::new(), Vec::new());
            return Some(Number { digits, radices, base: None, limits });
        }
        let mut number = self.places(&varying, guards, index.site)?;
        let mut apart = Vec::new();
        for term in uniform {
            match number.absorb(&term, reading, index.site) {
                true => number.limits.clear(),
                false => apart.push(term),
            }
        }
        number.base = sum::total(&apart, index.site);
        Some(number)
    }

    /// A sum without uniform terms.
    pub(super) fn varying(&self, e: &Expr, guards: &[Guard]) -> Option<Number> {
        self.number(e, guards, Reading::Apart).filter(|number| number.base.is_none())
    }

    /// The digits of terms that vary, those with the largest weights first.
    fn places(&self, terms: &[Term], guards: &[Guard], site: u32) -> Option<Number> {
        let digit = |term: &Term| self.digit(term.value.as_ref()?, guards);
        let mut above = terms.first()?;
        let (digits, limits) = (vec![digit(above)?], limits(terms, guards));
        let mut number = Number { digits, radices: Vec::new(), base: None, limits };
        for (k, term) in terms.iter().enumerate().skip(1) {
            let rest = &terms[k..];
            let ratio = above.per(term);
            if above.is_one() || ratio.as_ref().is_some_and(Term::is_one) {
                return None;
            }
            let limits = if rest.len() > 1 { self::limits(rest, guards) } else { Vec::new() };
            let clear = limits.iter().any(|limit| above.is(limit));
            let Some(ratio) = ratio.filter(|_| !clear) else {
                // All that follows is one digit below the weight of the term before.
                let kind = Kind::Compound(self.places(rest, guards, site)?);
                number.push(Digit { kind, guards: limits }, above, site);
                return Some(number);
            };
            number.push(digit(term)?, &ratio, site);
            above = term;
        }
        if !above.is_one() {
            number.push(Digit::uniform(Expr::index(0, site)), above, site);
        }
        Some(number)
    }

    /// The smallest term of an index that could not be followed.
    pub(super) fn lost(&self, e: &Expr, guards: &[Guard]) -> Option<u32> {
        if self.number(e, guards, Reading::Apart).is_some() {
            return None;
        }
        let of = |e: &Expr| self.lost(e, guards);
        let within = match &e.kind {
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Mul | BinaryOp::Sub, a, b) => {
                of(a).or_else(|| of(b))
            }
            _ => None,
        };
        within.or(Some(e.site))
    }
}

/// What the conditions around an access say that a sum is below.
fn limits(terms: &[Term], guards: &[Guard]) -> Vec<Expr> {
    let limit = |guard: &Guard| match guard {
        Guard::Below(value, bound) if Kernel::is_uniform(bound) => {
            sum::terms(value).filter(|value| sum::same(value, terms)).map(|_| bound.clone())
        }
        _ => None,
    };
    guards.iter().filter_map(limit).collect()
}

/// The factors of a uniform product, in the order of its text from its end.
pub(super) fn factors(e: &Expr, found: &mut Vec<Expr>) {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Mul, a, b) if literal(e).is_none() => {
            factors(b, found);
            factors(a, found);
        }
        _ => found.push(e.clone()),
    }
}

/// The product, a literal if both are.
pub(super) fn product(a: Expr, b: &Expr, site: u32) -> Expr {
    match (literal(&a), literal(b)) {
        (Some(x), Some(y)) => {
            let kind = ExprKind::Int(x.saturating_mul(y));
            Expr { kind, ty: Type::Usize, site }
        }
        _ => Expr::binary(BinaryOp::Mul, a, b.clone(), site),
    }
}

impl Number {
    /// Adds a digit below the others, and a digit 0 above it if it leaves room below the radix.
    fn push(&mut self, digit: Digit, radix: &Term, site: u32) {
        let bound = digit.bound(site).and_then(|bound| sum::factor(&bound));
        let room = bound.and_then(|bound| Some((radix.per(&bound)?, bound)));
        let mut last = radix.clone();
        if let Some((room, bound)) = room.filter(|(room, _)| !room.is_one()) {
            self.digits.push(Digit::uniform(Expr::index(0, site)));
            self.radices.push(room.scale(site));
            last = bound;
        }
        self.digits.push(digit);
        self.radices.push(last.scale(site));
    }

    /// Takes a uniform term into a digit that is the same for all, if there is room for it.
    fn absorb(&mut self, term: &Term, reading: Reading, site: u32) -> bool {
        if reading == Reading::Apart {
            return false;
        }
        for k in 1..self.digits.len() {
            let Kind::Uniform(value) = &mut self.digits[k].kind else { continue };
            let mut below = self.radices[k..].iter().map(sum::factor);
            let weight = below.try_fold(Term::one(), |all, radix| all.scaled(&radix?));
            let times = weight.and_then(|weight| term.per(&weight));
            let Some(times) = times.map(|times| times.scale(site)) else { continue };
            let radix = literal(&self.radices[k - 1]);
            *value = match (literal(value), literal(&times)) {
                (Some(old), Some(more)) => {
                    let new = old + more;
                    if new < 0 || radix.is_some_and(|radix| new >= radix) {
                        continue;
                    }
                    Expr { kind: ExprKind::Int(new), ..times }
                }
                (Some(0), None) if reading == Reading::Within && radix.is_none() => times,
                _ => continue,
            };
            return true;
        }
        false
    }

    /// A value that the number without its base stays below.
    pub(super) fn bound(&self, site: u32) -> Option<Expr> {
        let first = self.digits.first()?.bound(site)?;
        Some(self.radices.iter().fold(first, |p, radix| product(p, radix, site)))
    }

    /// What the digits say about the work-item.
    pub(super) fn owners(&self) -> Vec<Owner> {
        self.digits.iter().flat_map(Digit::owners).collect()
    }

    /// Adds what must hold so that each digit is below its radix and the number does not overflow.
    /// Returns false where that can never be.
    pub(super) fn conditions(&self, site: u32, conditions: &mut Vec<Expr>) -> bool {
        let alone = self.digits.len() == 1;
        if !self.digits.iter().all(|digit| digit.conditions(alone, site, conditions)) {
            return false;
        }
        for (digit, radix) in self.digits[1..].iter().zip(&self.radices) {
            let below = match &digit.kind {
                Kind::Uniform(value) => part::below(value, radix, site, conditions),
                _ => at_most(digit.bounds(site), radix, site, conditions),
            };
            if !below {
                return false;
            }
        }
        self.fits(site, conditions);
        true
    }

    /// The product of the first varying digit's bound and the radices below it fits in an index.
    fn fits(&self, site: u32, conditions: &mut Vec<Expr>) {
        let bounds = self.digits.iter().map(|digit| digit.bound(site));
        let Some((first, Some(mut total))) = bounds.enumerate().find(|(_, b)| b.is_some()) else {
            return;
        };
        let int = |value: i128| Expr { kind: ExprKind::Int(value), ty: Type::Usize, site };
        let limit = i128::from(u64::MAX);
        let mut radices: Vec<Expr> = Vec::new();
        for radix in &self.radices[first..] {
            match radices.last_mut() {
                Some(last) if literal(last).is_some() && literal(radix).is_some() => {
                    *last = product(last.clone(), radix, site);
                }
                _ => radices.push(radix.clone()),
            }
        }
        for radix in &radices {
            if let (Some(a), Some(b)) = (literal(&total), literal(radix))
                && a.checked_mul(b).is_some_and(|n| n <= limit)
            {
                total = product(total, radix, site);
                continue;
            }
            let zero = Expr::binary(BinaryOp::Eq, total.clone(), int(0), site);
            let quotient = Expr::binary(BinaryOp::Div, int(limit), total.clone(), site);
            let fits = Expr::binary(BinaryOp::Le, radix.clone(), quotient, site);
            conditions.push(Expr::binary(BinaryOp::Or, zero, fits, site));
            total = Expr::binary(BinaryOp::Mul, total, radix.clone(), site);
        }
    }

    /// Whether equal numbers of both forms have equal digits.
    pub(super) fn same_places(&self, other: &Number) -> bool {
        let base = match (&self.base, &other.base) {
            (None, None) => true,
            (Some(a), Some(b)) => a.same(b),
            _ => false,
        };
        base && self.digits.len() == other.digits.len()
            && self.radices.iter().zip(&other.radices).all(|(a, b)| a.same(b))
    }

    /// Whether equal numbers of both forms have equal digits of equal owners.
    pub(super) fn same_digits(&self, other: &Number) -> bool {
        // A top digit that is the same for all has no bound, and the number may wrap.
        let same_top = match (&self.digits[0].kind, &other.digits[0].kind) {
            (Kind::Uniform(a), Kind::Uniform(b)) => a.same(b),
            _ => true,
        };
        same_top
            && self.same_places(other)
            && self.digits.iter().zip(&other.digits).all(|(a, b)| a.same(b))
    }
}
