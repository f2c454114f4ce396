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
    /// What the conditions around the access say that the number without it is below, or its negative if
    /// all digits count down.
    pub(super) limits: Vec<Expr>,
}

/// What becomes of the uniform terms of an index.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Reading {
    /// They are added to the number: accesses with other uniform terms have other numbers.
    Apart,
    /// A literal number of times a weight becomes a digit, where there is room below the radix.
    Literal,
    /// As [`Reading::Literal`]; indices of other numbers lie in ranges that do not meet.
    Ranges,
}

impl Reading {
    pub(super) const ALL: [Self; 3] = [Self::Apart, Self::Literal, Self::Ranges];
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
        let mut terms = sum::terms(index)?;
        if let Some(first) = &self.first {
            terms.sort_by_key(|term| !term.weight.iter().any(|factor| factor.same(first)));
        }
        let (varying, uniform): (Vec<_>, Vec<_>) = terms
            .into_iter()
            .filter(|term| !term.value.as_ref().is_some_and(zero))
            .partition(|term| term.value.is_some());
        if varying.is_empty() {
            let value = sum::total(&uniform, index.site);
            let digits = vec![Digit::uniform(value.unwrap_or_else(|| Expr::index(0, index.site)))];
            let (radices, limits) = (Vec::new(), Vec::new());
            return Some(Number { digits, radices, base: None, limits });
        }
        let mut number = self.places(&varying, guards, reading, index.site)?;
        let mut apart = Vec::new();
        for term in uniform {
            match reading != Reading::Apart && number.absorb(&term) {
                true => number.limits.clear(),
                false => apart.push(term),
            }
        }
        number.base = sum::total(&apart, index.site);
        Some(number)
    }

    /// The digits of terms that vary, those with the largest weights first.
    fn places(
        &self,
        terms: &[Term],
        guards: &[Guard],
        reading: Reading,
        site: u32,
    ) -> Option<Number> {
        let digit = |term: &Term| {
            let digit = self.digit(term.value.as_ref()?, guards)?;
            Some(Digit { down: term.times < 0, ..digit })
        };
        let top = terms.first()?;
        let (digits, limits) = (vec![digit(top)?], limits(terms, guards));
        let mut number = Number { digits, radices: Vec::new(), base: None, limits };
        let mut above = top.size();
        for (k, term) in terms.iter().enumerate().skip(1) {
            let rest = &terms[k..];
            let ratio = above.per(&term.size());
            if above.is_one() || ratio.as_ref().is_some_and(Term::is_one) {
                return None;
            }
            let limits = if rest.len() > 1 { self::limits(rest, guards) } else { Vec::new() };
            let clear = limits.iter().any(|limit| above.is(limit));
            let Some(ratio) = ratio.filter(|_| !clear) else {
                // All that follows is one digit below the weight of the term before.
                let kind = Kind::Compound(self.places(rest, guards, reading, site)?);
                number.push(Digit { kind, down: false, guards: limits }, &above, reading, site);
                return Some(number);
            };
            number.push(digit(term)?, &ratio, reading, site);
            above = term.size();
        }
        if !above.is_one() {
            number.push(Digit::uniform(Expr::index(0, site)), &above, reading, site);
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

/// What the conditions around an access say that a sum is below, or its negative if all is subtracted. Of a
/// sum of both they say nothing: without the condition it may be negative.
fn limits(terms: &[Term], guards: &[Guard]) -> Vec<Expr> {
    if terms.iter().any(|term| (term.times < 0) != (terms[0].times < 0)) {
        return Vec::new();
    }
    let turned = |term: &Term| Term { times: term.times.abs(), ..term.clone() };
    let terms: Vec<_> = terms.iter().map(turned).collect();
    let limit = |guard: &Guard| match guard {
        Guard::Below(value, bound) if Kernel::is_uniform(bound) => {
            sum::terms(value).filter(|value| sum::same(value, &terms)).map(|_| bound.clone())
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

/// That a product fits in an index, unless that is clear.
pub(super) fn product_fits(a: &Expr, b: &Expr, site: u32) -> Option<Expr> {
    let int = |value: i128| Expr { kind: ExprKind::Int(value), ty: Type::Usize, site };
    let limit = i128::from(u64::MAX);
    let clear = match (literal(a), literal(b)) {
        (Some(a), Some(b)) => a.checked_mul(b).is_some_and(|n| n <= limit),
        (_, Some(b)) => b == 1,
        _ => false,
    };
    let zero = Expr::binary(BinaryOp::Eq, a.clone(), int(0), site);
    let most = Expr::binary(BinaryOp::Div, int(limit), a.clone(), site);
    let fits = Expr::binary(BinaryOp::Le, b.clone(), most, site);
    (!clear).then(|| Expr::binary(BinaryOp::Or, zero, fits, site))
}

impl Number {
    /// Adds a digit below the others, and a digit 0 above it if it leaves room below the radix.
    fn push(&mut self, digit: Digit, radix: &Term, reading: Reading, site: u32) {
        // Accesses under other conditions keep one form where none needs the room.
        let bounds = if reading == Reading::Apart { Vec::new() } else { digit.guards.clone() };
        let mut bounds = digit.bound(site).into_iter().chain(bounds);
        let room = bounds.find_map(|bound| {
            let bound = sum::factor(&bound)?;
            Some((radix.per(&bound)?, bound))
        });
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
    fn absorb(&mut self, term: &Term) -> bool {
        if let Some(Digit { kind: Kind::Compound(number), guards, .. }) = self.digits.last_mut()
            && number.absorb(term)
        {
            // What is known of the sum was known without the term.
            guards.clear();
            number.limits.clear();
            return true;
        }
        for k in 1..self.digits.len() {
            let Kind::Uniform(value) = &mut self.digits[k].kind else { continue };
            let mut below = self.radices[k..].iter().map(sum::factor);
            let weight = below.try_fold(Term::one(), |all, radix| all.scaled(&radix?));
            let times = weight.and_then(|weight| term.per(&weight)).filter(|t| t.weight.is_empty());
            let new = literal(value).and_then(|old| Some(old + times?.times));
            let radix = literal(&self.radices[k - 1]);
            if let Some(new) = new.filter(|new| *new >= 0 && radix.is_none_or(|r| *new < r)) {
                value.kind = ExprKind::Int(new);
                return true;
            }
        }
        false
    }

    /// A value that the number without its base stays below.
    pub(super) fn bound(&self, site: u32) -> Option<Expr> {
        let first = self.digits.first()?.bound(site)?;
        Some(self.radices.iter().fold(first, |p, radix| product(p, radix, site)))
    }

    /// The value after the greatest number, where all bounds are literals: the last digit need not come to
    /// its radix.
    pub(super) fn end(&self, site: u32) -> Option<Expr> {
        let mut greatest = literal(&self.digits[0].bound(site)?)? - 1;
        for (digit, radix) in self.digits[1..].iter().zip(&self.radices) {
            let digit = match &digit.kind {
                Kind::Uniform(value) => literal(value)?,
                _ => literal(&digit.bound(site)?)? - 1,
            };
            let radix = literal(radix)?;
            greatest = greatest.checked_mul(radix)?.checked_add(digit.min(radix - 1))?;
        }
        Some(Expr::index(usize::try_from(greatest + 1).ok()?, site))
    }

    /// Whether all digits that vary count down; `None` if only some do.
    pub(super) fn sign(&self) -> Option<bool> {
        let varying = self.digits.iter().filter(|d| !matches!(d.kind, Kind::Uniform(_)));
        let mut signs = varying.map(Digit::sign);
        let first = signs.next().unwrap_or(Some(false));
        first.filter(|_| signs.all(|sign| sign == first))
    }

    /// What the digits say about the work-item.
    pub(super) fn owners(&self) -> Vec<Owner> {
        self.digits.iter().flat_map(Digit::owners).collect()
    }

    /// Adds what must hold so that each digit is below its radix and the number does not overflow.
    /// Returns false where that can never be.
    pub(super) fn conditions(&self, site: u32, conditions: &mut Vec<Expr>) -> bool {
        if !self.digits.iter().all(|digit| digit.conditions(site, conditions)) {
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
            conditions.extend(product_fits(&total, radix, site));
            total = product(total, radix, site);
        }
    }

    /// Whether both have as many digits of the same radices.
    pub(super) fn same_radices(&self, other: &Number) -> bool {
        self.digits.len() == other.digits.len()
            && self.radices.iter().zip(&other.radices).all(|(a, b)| a.same(b))
    }

    /// Whether equal numbers of both forms have equal digits of equal owners.
    pub(super) fn same_digits(&self, other: &Number) -> bool {
        let same_base = match (&self.base, &other.base) {
            (None, None) => true,
            (Some(a), Some(b)) => a.same(b),
            _ => false,
        };
        // A top digit that is the same for all has no bound, and the number may wrap.
        let same_top = match (&self.digits[0].kind, &other.digits[0].kind) {
            (Kind::Uniform(a), Kind::Uniform(b)) => a.same(b),
            _ => true,
        };
        same_base
            && same_top
            && self.same_radices(other)
            && self.digits.iter().zip(&other.digits).all(|(a, b)| a.same(b))
    }
}
