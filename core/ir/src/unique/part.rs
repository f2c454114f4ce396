//! Quotients and remainders, which together tell what was divided.

use super::digit::Owner;
use super::literal;
use super::number::{factors, product};
use crate::{BinaryOp, Expr, ExprKind, Kernel, Type};

/// Whether the owners say what this value is: one of them is it, or they say what its remainder and its
/// quotient by one divisor are.
pub(super) fn tells(owners: &[Owner], value: &Expr) -> bool {
    let value = &value.without_sites();
    let mut told = false;
    for owner in owners {
        let Owner::Part(part) = owner else { continue };
        part.walk(&mut |e| {
            told = told
                || e == value && std::ptr::eq(e, part)
                || match &e.kind {
                    ExprKind::Binary(BinaryOp::Rem, divided, divisor) if **divided == *value => {
                        tells(owners, e) && tells(owners, &quotient(value, divisor))
                    }
                    _ => false,
                };
        });
    }
    told
}

/// The quotient of a value that is perhaps one.
fn quotient(value: &Expr, divisor: &Expr) -> Expr {
    let (value, divisor) = match &value.kind {
        ExprKind::Binary(BinaryOp::Div, value, inner) => {
            (&**value, product((**inner).clone(), divisor, 0))
        }
        _ => (value, divisor.clone()),
    };
    owned(&Expr::binary(BinaryOp::Div, value.clone(), divisor, 0))
}

/// A quotient or remainder as owners have it: without sites, the factors of each divisor in one order.
pub(super) fn owned(e: &Expr) -> Expr {
    match &e.kind {
        ExprKind::Binary(op @ (BinaryOp::Div | BinaryOp::Rem), value, divisor) => {
            let mut all = Vec::new();
            factors(&divisor.without_sites(), &mut all);
            all.sort_by_cached_key(|factor| format!("{factor:?}"));
            let divisor = all.into_iter().reduce(|a, b| product(a, &b, 0));
            let divisor = divisor.unwrap_or_else(|| Expr::index(1, 0));
            Expr::binary(*op, owned(value), divisor, 0)
        }
        _ => e.without_sites(),
    }
}

/// The quotient, rounded up.
pub(super) fn rounded_up(value: Expr, divisor: &Expr, site: u32) -> Expr {
    if let (Some(value), Some(divisor)) = (literal(&value), literal(divisor))
        && divisor > 0
    {
        return Expr::index(usize::try_from((value + divisor - 1) / divisor).unwrap_or(0), site);
    }
    let of = |op, a: Expr, b: Expr| Expr::binary(op, a, b, site);
    let rest = of(BinaryOp::Rem, value.clone(), divisor.clone());
    let any = of(BinaryOp::Ne, rest, Expr::index(0, site));
    let one = Expr { kind: ExprKind::Cast(Box::new(any)), ty: Type::Usize, site };
    of(BinaryOp::Add, of(BinaryOp::Div, value, divisor.clone()), one)
}

/// Adds that no divisor is 0, and that the product of two that were written apart fits in an index.
pub(super) fn conditions(e: &Expr, site: u32, conditions: &mut Vec<Expr>) -> bool {
    let ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, value, divisor) = &e.kind else {
        return true;
    };
    if !Kernel::is_uniform(divisor) {
        // It is within a remainder, which is bounded whatever it is of.
        return true;
    }
    positive(divisor, site, conditions) && self::conditions(value, site, conditions)
}

/// Adds that a divisor is not 0, and none of its factors, and that it is their product.
pub(super) fn positive(divisor: &Expr, site: u32, conditions: &mut Vec<Expr>) -> bool {
    if let ExprKind::Binary(BinaryOp::Mul, a, b) = &divisor.kind {
        let limit = Expr { kind: ExprKind::Int(u64::MAX.into()), ty: Type::Usize, site };
        let most = Expr::binary(BinaryOp::Div, limit, (**a).clone(), site);
        let fits = Expr::binary(BinaryOp::Le, (**b).clone(), most, site);
        let all = positive(a, site, conditions) && positive(b, site, conditions);
        conditions.push(fits);
        return all;
    }
    below(&Expr::index(0, site), divisor, site, conditions)
}

/// Adds that one value is below another, unless that is clear. Returns false where it can never be.
pub(super) fn below(value: &Expr, limit: &Expr, site: u32, conditions: &mut Vec<Expr>) -> bool {
    match (literal(value), literal(limit)) {
        (_, Some(0)) => return false,
        (Some(value), Some(limit)) => return value < limit,
        _ => {}
    }
    conditions.push(Expr::binary(BinaryOp::Lt, value.clone(), limit.clone(), site));
    true
}
