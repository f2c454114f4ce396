//! One digit of an index: what it says about the work-item, and what it stays below.

use super::facts::{Facts, Guard};
use super::number::Number;
use super::sum;
use super::{literal, part};
use crate::{BinaryOp, Expr, ExprKind, Kernel, Type};

/// What a digit says about the work-item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Gid(u8),
    Group(u8),
    Lid(u8),
    /// The variable of a shared loop: the work-items of a group have different ones.
    Lane,
    /// A quotient or a remainder of one of those, without sites.
    Part(Expr),
}

/// One digit of an index.
pub(super) struct Digit {
    pub(super) kind: Kind,
    /// Whether it is subtracted. A compound one has the signs of its own digits.
    pub(super) down: bool,
    /// What the conditions around the access say that it is below.
    pub(super) guards: Vec<Expr>,
}

pub(super) enum Kind {
    /// A part of the index of the work-item, below this.
    Own(Owner, Expr),
    /// A loop variable, below this end.
    Below(Expr),
    /// A quotient or remainder of something else, below this.
    Limited(Expr, Expr),
    /// The same value for every work-item.
    Uniform(Expr),
    /// A number of its own.
    Compound(Number),
}

impl Facts<'_> {
    pub(super) fn digit(&self, e: &Expr, guards: &[Guard]) -> Option<Digit> {
        let kind = match &e.kind {
            ExprKind::Gid(d) => Kind::Own(Owner::Gid(*d), self.bound(e)?),
            ExprKind::Group(d) => Kind::Own(Owner::Group(*d), self.bound(e)?),
            ExprKind::Lid(d) => Kind::Own(Owner::Lid(*d), self.bound(e)?),
            ExprKind::Var(var) if self.shared_ends.contains_key(var) => {
                Kind::Own(Owner::Lane, self.bound(e)?)
            }
            ExprKind::Var(_) => Kind::Below(self.bound(e)?),
            _ if Kernel::is_uniform(e) => Kind::Uniform(e.clone()),
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) if self.is_part(e) => {
                Kind::Own(Owner::Part(part::owned(e)), self.bound(e)?)
            }
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => {
                Kind::Limited(e.clone(), self.bound(e)?)
            }
            _ => return None,
        };
        let below = |guard: &Guard| match guard {
            Guard::Below(value, bound) if value.same(e) && Kernel::is_uniform(bound) => {
                Some(bound.clone())
            }
            _ => None,
        };
        Some(Digit { kind, down: false, guards: guards.iter().filter_map(below).collect() })
    }

    /// A uniform value that a position of the work-item, a loop variable, or a part of one is below.
    pub(super) fn bound(&self, e: &Expr) -> Option<Expr> {
        let extent = |d: u8| {
            if let Some(declared) = self.declared(d).filter(|e| self.named || literal(e).is_some())
            {
                return Expr { site: e.site, ..declared.clone() };
            }
            Expr { kind: ExprKind::Extent(d), ty: Type::Usize, site: e.site }
        };
        let bound = match &e.kind {
            ExprKind::Gid(d) | ExprKind::Group(d) => extent(*d),
            ExprKind::Lid(d) => {
                let size = self.kernel.group.map_or(1, |size| size[usize::from(*d)]);
                Expr::index(size as usize, e.site)
            }
            ExprKind::Var(var) => self.shared_ends.get(var).or_else(|| self.ends.get(var))?.clone(),
            ExprKind::Binary(BinaryOp::Rem, _, divisor) => (**divisor).clone(),
            ExprKind::Binary(BinaryOp::Div, value, divisor) => {
                part::rounded_up(self.bound(value)?, divisor, e.site)
            }
            _ => return None,
        };
        Kernel::is_uniform(&bound).then_some(bound)
    }

    /// Whether an expression is a quotient or a remainder of a position of the work-item, by what is the
    /// same for all.
    fn is_part(&self, e: &Expr) -> bool {
        let ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, value, divisor) = &e.kind else {
            return false;
        };
        let position = match value.kind {
            ExprKind::Gid(_) | ExprKind::Group(_) | ExprKind::Lid(_) => true,
            ExprKind::Var(var) => self.shared_ends.contains_key(&var),
            _ => self.is_part(value),
        };
        position && Kernel::is_uniform(divisor)
    }
}

impl Digit {
    pub(super) fn uniform(value: Expr) -> Self {
        Digit { kind: Kind::Uniform(value), down: false, guards: Vec::new() }
    }

    /// A value that the digit stays below, whatever the conditions around it.
    pub(super) fn bound(&self, site: u32) -> Option<Expr> {
        match &self.kind {
            Kind::Own(_, bound) | Kind::Below(bound) | Kind::Limited(_, bound) => {
                Some(bound.clone())
            }
            Kind::Uniform(_) => None,
            Kind::Compound(number) => number.end(site).or_else(|| number.bound(site)),
        }
    }

    /// What it says about the work-item.
    pub(super) fn owners(&self) -> Vec<Owner> {
        match &self.kind {
            Kind::Own(owner, _) => vec![owner.clone()],
            Kind::Compound(number) => number.owners(),
            Kind::Below(_) | Kind::Limited(..) | Kind::Uniform(_) => Vec::new(),
        }
    }

    /// Values that the digit stays below: by itself, and by the conditions around it.
    pub(super) fn bounds(&self, site: u32) -> Vec<Expr> {
        self.guards.iter().cloned().chain(self.bound(site)).collect()
    }

    /// Adds what must hold for the digit to be what it seems. Returns false where that can never be.
    pub(super) fn conditions(&self, site: u32, conditions: &mut Vec<Expr>) -> bool {
        match &self.kind {
            Kind::Compound(number) => number.conditions(site, conditions),
            Kind::Own(Owner::Part(e), _) | Kind::Limited(e, _) => {
                part::conditions(e, site, conditions)
            }
            Kind::Own(..) | Kind::Below(_) | Kind::Uniform(_) => true,
        }
    }

    /// Whether it counts down; `None` if it is a number of which some digits do.
    pub(super) fn sign(&self) -> Option<bool> {
        match &self.kind {
            Kind::Compound(number) => number.sign(),
            _ => Some(self.down),
        }
    }

    /// Whether two digits count in one direction, so that they differ by less than what both are below.
    pub(super) fn same_sign(&self, other: &Digit) -> bool {
        self.sign().is_some() && self.sign() == other.sign()
    }

    /// Whether equal numbers of one form with these digits have equal owners here.
    pub(super) fn same(&self, other: &Digit) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Compound(a), Kind::Compound(b)) if a.same_digits(b) => true,
            _ if !self.same_sign(other) => false,
            _ if self.owners().is_empty() && other.owners().is_empty() => true,
            (Kind::Compound(_), _) | (_, Kind::Compound(_)) => false,
            _ => self.owners() == other.owners(),
        }
    }
}

/// Adds the condition that one of the values is at most the limit, unless that is clear. Returns false
/// where it can never be.
pub(super) fn at_most(
    values: Vec<Expr>,
    limit: &Expr,
    site: u32,
    conditions: &mut Vec<Expr>,
) -> bool {
    if literal(limit) == Some(0) {
        return false;
    }
    if values.iter().any(|value| clear(value, limit)) {
        return true;
    }
    let may = |value: &&Expr| literal(value).is_none() || literal(limit).is_none();
    let Some(first) = values.iter().find(may) else { return false };
    conditions.push(Expr::binary(BinaryOp::Le, first.clone(), limit.clone(), site));
    true
}

/// Whether a value is at most the limit in every launch.
pub(super) fn clear(value: &Expr, limit: &Expr) -> bool {
    match (literal(value), literal(limit)) {
        (Some(a), Some(b)) => a <= b,
        _ => {
            value.same(limit)
                || sum::factor(limit).is_some_and(|limit| limit.is(value))
                || is_share(value, limit)
        }
    }
}

/// Whether a value is a share of the limit, as `n / 2` is, or no more than what that leaves.
fn is_share(value: &Expr, limit: &Expr) -> bool {
    let ExprKind::Binary(BinaryOp::Div, whole, by) = &value.kind else { return false };
    if literal(by).is_none_or(|by| by < 2) {
        return false;
    }
    let rest = Expr::binary(BinaryOp::Sub, (**whole).clone(), value.clone(), value.site);
    let same = || Some(sum::same(&sum::terms(&rest)?, &sum::terms(limit)?));
    limit.same(whole) || same() == Some(true)
}
