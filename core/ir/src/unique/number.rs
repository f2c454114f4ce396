//! Indices as numbers in a mixed radix, `(top * W + digit) * V + digit …`.

use super::digit::{Digit, Kind, Owner, at_most, mirrored};
use super::facts::{Facts, Guard};
use super::{literal, part};
use crate::{BinaryOp, Expr, ExprKind, Kernel, Type};

/// An index as digits, the most significant first, and the radix of each but the first.
pub(super) struct Number {
    pub(super) digits: Vec<Digit>,
    pub(super) radices: Vec<Expr>,
    /// A uniform value added to all.
    pub(super) base: Option<Expr>,
}

impl Facts<'_> {
    pub(super) fn number(&self, index: &Expr, guards: &[Guard]) -> Option<Number> {
        if let ExprKind::Binary(BinaryOp::Sub, a, b) = &index.kind
            && Kernel::is_uniform(b)
            && mirrored(index).is_none()
        {
            let number = self.parse(a, guards).filter(|n| n.base.is_none())?;
            let zero = Expr::index(0, b.site);
            let base = Expr::binary(BinaryOp::Sub, zero, (**b).clone(), b.site);
            return Some(Number { base: Some(base), ..number });
        }
        if let ExprKind::Binary(BinaryOp::Add, a, b) = &index.kind {
            let (number, base) = if Kernel::is_uniform(b) { (a, b) } else { (b, a) };
            if Kernel::is_uniform(base) && !is_product(number) {
                let mut number = self.parse(number, guards)?;
                if !number.absorb(base) {
                    number.base = match number.base.take() {
                        None => Some((**base).clone()),
                        Some(_) => return None,
                    };
                }
                return Some(number);
            }
        }
        self.parse(index, guards)
    }

    pub(super) fn parse(&self, e: &Expr, guards: &[Guard]) -> Option<Number> {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                let parsed =
                    |high: &Expr, low: &Expr| self.append(high, self.digit(low, guards)?, guards);
                parsed(a, b).or_else(|| parsed(b, a)).or_else(|| self.sum(e, guards))
            }
            ExprKind::Binary(BinaryOp::Mul, ..) => {
                self.append(e, Digit::uniform(Expr::index(0, e.site)), guards)
            }
            _ => {
                let digits = vec![self.digit(e, guards)?];
                Some(Number { digits, radices: Vec::new(), base: None })
            }
        }
    }

    /// `high * W + low`, where `high` is written as a product.
    fn append(&self, product: &Expr, low: Digit, guards: &[Guard]) -> Option<Number> {
        let (mut high, mut radices) = (product, Vec::new());
        while let ExprKind::Binary(BinaryOp::Mul, a, b) = &high.kind {
            let (rest, radix) = if Kernel::is_uniform(b) { (a, b) } else { (b, a) };
            if !Kernel::is_uniform(radix) {
                break;
            }
            radices.push((**radix).clone());
            high = rest;
        }
        // The factor that the digit stays below is the last radix.
        let bound = low.bound(product.site);
        let fits = |radix: &Expr| bound.as_ref().is_some_and(|bound| bound.same(radix));
        if !radices.iter().any(fits) {
            let mut split = Vec::new();
            radices.iter().for_each(|radix| factors(radix, &mut split));
            radices = if split.iter().any(fits) { split } else { radices };
        }
        let last = radices.iter().position(fits).unwrap_or(0);
        if radices.is_empty() {
            return None;
        }
        let last = radices.remove(last);
        let mut number = self.parse(high, guards).filter(|n| n.base.is_none())?;
        for radix in radices.into_iter().rev() {
            number.push(Digit::uniform(Expr::index(0, product.site)), radix);
        }
        number.push(low, last);
        Some(number)
    }

    /// `a * 256 + b * 32 + c`: each factor a literal that divides those above it; what is uniform is
    /// the base.
    fn sum(&self, e: &Expr, guards: &[Guard]) -> Option<Number> {
        let (mut terms, mut base) = (Vec::new(), None);
        flatten(e, &mut terms, &mut base);
        terms.sort_by_key(|(factor, _)| std::cmp::Reverse(*factor));
        let (mut digits, mut radices) = (Vec::new(), Vec::new());
        let mut above = None;
        for (factor, term) in terms {
            if let Some(above) = above {
                if factor < 1 || above % factor != 0 || above == factor {
                    return None;
                }
                radices.push(Expr::index((above / factor) as usize, e.site));
            }
            digits.push(self.digit(term, guards)?);
            above = Some(factor);
        }
        if let Some(last) = above.filter(|last| *last > 1) {
            digits.push(Digit::uniform(Expr::index(0, e.site)));
            radices.push(Expr::index(last as usize, e.site));
        }
        (!digits.is_empty()).then_some(Number { digits, radices, base })
    }

    /// The smallest term of an index that could not be followed.
    pub(super) fn lost(&self, e: &Expr, guards: &[Guard]) -> Option<u32> {
        if self.number(e, guards).is_some() {
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

/// The terms of a sum with their literal factors, and the sum of the others that are uniform.
fn flatten<'a>(e: &'a Expr, terms: &mut Vec<(i128, &'a Expr)>, base: &mut Option<Expr>) {
    match &e.kind {
        ExprKind::Binary(BinaryOp::Add, a, b) => {
            flatten(a, terms, base);
            flatten(b, terms, base);
        }
        _ if Kernel::is_uniform(e) && literal(e).is_none() => {
            let sum = |old: Expr| Expr::binary(BinaryOp::Add, old, e.clone(), e.site);
            *base = Some(base.take().map_or_else(|| e.clone(), sum));
        }
        ExprKind::Binary(BinaryOp::Mul, a, b) => match (literal(a), literal(b)) {
            (_, Some(factor)) => terms.push((factor, a)),
            (Some(factor), _) => terms.push((factor, b)),
            _ => terms.push((1, e)),
        },
        _ => terms.push((1, e)),
    }
}

pub(super) fn is_product(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Binary(BinaryOp::Mul, ..))
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
    /// Adds a digit below the others.
    fn push(&mut self, digit: Digit, radix: Expr) {
        self.digits.push(digit);
        self.radices.push(radix);
    }

    /// Takes a uniform value into a digit that is 0, if it is a literal number of times its weight.
    fn absorb(&mut self, base: &Expr) -> bool {
        let [.., digit, _] = &mut *self.digits else { return false };
        let (Kind::Uniform(value), Some(weight)) = (&digit.kind, self.radices.last()) else {
            return false;
        };
        let times = match &base.kind {
            _ if base.same(weight) => Some(1),
            ExprKind::Binary(BinaryOp::Mul, a, b) if a.same(weight) => literal(b),
            ExprKind::Binary(BinaryOp::Mul, a, b) if b.same(weight) => literal(a),
            _ => None,
        };
        match times.and_then(|times| usize::try_from(times).ok()) {
            Some(times) if literal(value) == Some(0) => {
                digit.kind = Kind::Uniform(Expr::index(times, base.site));
                true
            }
            _ => false,
        }
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
        for radix in &self.radices[first..] {
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

    /// Whether equal numbers of both forms have equal digits of equal owners.
    pub(super) fn same_digits(&self, other: &Number) -> bool {
        let base = match (&self.base, &other.base) {
            (None, None) => true,
            (Some(a), Some(b)) => a.same(b),
            _ => false,
        };
        // A top digit that is the same for all has no bound, and the number may wrap.
        let same_top = match (&self.digits[0].kind, &other.digits[0].kind) {
            (Kind::Uniform(a), Kind::Uniform(b)) => a.same(b),
            _ => true,
        };
        base && same_top
            && self.digits.len() == other.digits.len()
            && self.radices.iter().zip(&other.radices).all(|(a, b)| a.same(b))
            && self.digits.iter().zip(&other.digits).all(|(a, b)| a.same(b))
    }
}
