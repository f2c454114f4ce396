//! Indices as numbers in a mixed radix, `(top * W + digit) * V + digit …`.

use super::facts::{Facts, Guard, LARGE};
use super::literal;
use crate::{BinaryOp, Expr, ExprKind, Kernel, Type};

/// What a digit says about the work-item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Gid(u8),
    Group(u8),
    Lid(u8),
    /// The variable of a shared loop: the work-items of a group have different ones.
    Lane,
}

/// One digit of an index.
struct Digit {
    kind: Kind,
    /// What the conditions around the access say that it is below.
    guards: Vec<Expr>,
}

enum Kind {
    /// A part of the index of the work-item, below this.
    Own(Owner, Expr),
    /// A loop variable, below this end.
    Below(Expr),
    /// The same value for every work-item.
    Uniform(Expr),
    /// A number of its own.
    Compound(Number),
}

/// An index as digits, the most significant first, and the radix of each but the first.
pub(super) struct Number {
    digits: Vec<Digit>,
    radices: Vec<Expr>,
    /// A uniform value added to all.
    base: Option<Expr>,
}

impl Facts<'_> {
    pub(super) fn number(&self, index: &Expr, guards: &[Guard]) -> Option<Number> {
        let index = self.expand(index, &mut { LARGE })?;
        if let ExprKind::Binary(BinaryOp::Add, a, b) = &index.kind
            && !is_product(a)
            && !is_product(b)
        {
            let (number, base) = if Kernel::is_uniform(b) { (a, b) } else { (b, a) };
            if Kernel::is_uniform(base) {
                let number = self.parse(number, guards)?;
                return match number.base {
                    None => Some(Number { base: Some((**base).clone()), ..number }),
                    Some(_) => None,
                };
            }
        }
        self.parse(&index, guards)
    }

    fn parse(&self, e: &Expr, guards: &[Guard]) -> Option<Number> {
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
        let ExprKind::Binary(BinaryOp::Mul, a, b) = &product.kind else { return None };
        let (high, radix) = if Kernel::is_uniform(b) { (a, b) } else { (b, a) };
        if !Kernel::is_uniform(radix) {
            return None;
        }
        let mut number = self.parse(high, guards).filter(|n| n.base.is_none())?;
        number.digits.push(low);
        number.radices.push((**radix).clone());
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

    fn digit(&self, e: &Expr, guards: &[Guard]) -> Option<Digit> {
        let extent = |d| Expr { kind: ExprKind::Extent(d), ty: Type::Usize, site: e.site };
        let kind = match &e.kind {
            ExprKind::Gid(d) => Kind::Own(Owner::Gid(*d), extent(*d)),
            ExprKind::Group(d) => Kind::Own(Owner::Group(*d), extent(*d)),
            ExprKind::Lid(d) => {
                let size = self.kernel.group.map_or(1, |size| size[usize::from(*d)]);
                Kind::Own(Owner::Lid(*d), Expr::index(size as usize, e.site))
            }
            ExprKind::Var(var) => {
                let shared = self.shared_ends.get(var);
                let end = shared.or_else(|| self.ends.get(var))?;
                let end = self.expand(end, &mut { LARGE })?;
                match (shared, Kernel::is_uniform(&end)) {
                    (Some(_), true) => Kind::Own(Owner::Lane, end),
                    (None, true) => Kind::Below(end),
                    (_, false) => return None,
                }
            }
            _ if Kernel::is_uniform(e) => Kind::Uniform(e.clone()),
            ExprKind::Binary(BinaryOp::Add, ..) => {
                Kind::Compound(self.parse(e, guards).filter(|n| n.base.is_none())?)
            }
            _ => return None,
        };
        let below = |guard: &Guard| match guard {
            Guard::Below(value, bound) if value.same(e) && Kernel::is_uniform(bound) => {
                Some(bound.clone())
            }
            _ => None,
        };
        Some(Digit { kind, guards: guards.iter().filter_map(below).collect() })
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

fn is_product(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Binary(BinaryOp::Mul, ..))
}

/// The product, a literal if both are.
fn product(a: Expr, b: &Expr, site: u32) -> Expr {
    match (literal(&a), literal(b)) {
        (Some(x), Some(y)) => {
            let kind = ExprKind::Int(x.saturating_mul(y));
            Expr { kind, ty: Type::Usize, site }
        }
        _ => Expr::binary(BinaryOp::Mul, a, b.clone(), site),
    }
}

impl Digit {
    fn uniform(value: Expr) -> Self {
        Digit { kind: Kind::Uniform(value), guards: Vec::new() }
    }

    /// A value that the digit stays below, whatever the conditions around it.
    fn bound(&self, site: u32) -> Option<Expr> {
        match &self.kind {
            Kind::Own(_, bound) | Kind::Below(bound) => Some(bound.clone()),
            Kind::Uniform(_) => None,
            Kind::Compound(number) => {
                let first = number.digits.first()?.bound(site)?;
                Some(number.radices.iter().fold(first, |p, radix| product(p, radix, site)))
            }
        }
    }

    fn owner(&self) -> Option<Owner> {
        match self.kind {
            Kind::Own(owner, _) => Some(owner),
            _ => None,
        }
    }
}

impl Number {
    /// What the digits say about the work-item.
    pub(super) fn owners(&self) -> Vec<Owner> {
        self.digits
            .iter()
            .flat_map(|digit| match &digit.kind {
                Kind::Compound(number) => number.owners(),
                _ => digit.owner().into_iter().collect(),
            })
            .collect()
    }

    /// Adds what must hold so that each digit is below its radix and the number does not overflow.
    /// Returns false where that can never be.
    pub(super) fn conditions(&self, site: u32, conditions: &mut Vec<Expr>) -> bool {
        for digit in &self.digits {
            if let Kind::Compound(number) = &digit.kind
                && !number.conditions(site, conditions)
            {
                return false;
            }
        }
        for (digit, radix) in self.digits[1..].iter().zip(&self.radices) {
            let (op, left) = match &digit.kind {
                Kind::Uniform(value) => (BinaryOp::Lt, vec![value.clone()]),
                _ => {
                    let bounds = digit.guards.iter().cloned().chain(digit.bound(site));
                    (BinaryOp::Le, bounds.collect())
                }
            };
            let (Some(first), false) = (left.first(), literal(radix) == Some(0)) else {
                return false;
            };
            let below = |bound: &Expr| match (literal(bound), literal(radix)) {
                (Some(a), Some(b)) => a < b || a == b && op == BinaryOp::Le,
                _ => op == BinaryOp::Le && bound.same(radix),
            };
            if left.iter().any(below) {
                continue;
            }
            if literal(first).is_some() && literal(radix).is_some() {
                return false;
            }
            conditions.push(Expr::binary(op, first.clone(), radix.clone(), site));
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
        let digit = |(a, b): (&Digit, &Digit)| match (&a.kind, &b.kind) {
            (Kind::Compound(a), Kind::Compound(b)) => a.same_digits(b),
            (Kind::Compound(_), _) | (_, Kind::Compound(_)) => false,
            _ => a.owner() == b.owner(),
        };
        base && same_top
            && self.digits.len() == other.digits.len()
            && self.radices.iter().zip(&other.radices).all(|(a, b)| a.same(b))
            && self.digits.iter().zip(&other.digits).all(digit)
    }
}
