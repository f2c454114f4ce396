//! Indices in ranges that do not meet: the halves of a row or of a butterfly, the two ends of a slice.
//!
//! Two numbers of one form whose digits above some place count in one direction are equal only if what
//! is below that place is: that lies in two ranges, one behind the other, which together are no longer
//! than the weight of the place.

use super::digit::{Digit, Kind, Owner, at_most, clear};
use super::facts::Facts;
use super::number::{Number, product, product_fits};
use super::{literal, sum};
use crate::{BinaryOp, Expr, ExprKind, Type};
use std::cmp::Reverse;

/// The values of the digits from some place on: as many as `len`, from `from` on, where the conditions hold.
struct Range {
    from: Expr,
    len: Expr,
    conditions: Vec<Expr>,
}

impl Facts<'_> {
    /// Whether two indices are never equal, or only if what is above some place is, which tells the work-item;
    /// adds what that rests on.
    pub(super) fn apart(
        &self,
        a: &Number,
        b: &Number,
        told: &dyn Fn(Vec<Owner>) -> bool,
        site: u32,
        conditions: &mut Vec<Expr>,
    ) -> bool {
        let base = |number: &Number| number.base.clone().unwrap_or_else(|| Expr::index(0, site));
        let Some(shift) = sum::of(BinaryOp::Sub, &base(b), &base(a), site) else { return false };
        let mut ways = Vec::new();
        let told = |place: usize| {
            let (above, other) = (&a.digits[..place], &b.digits[..place]);
            above.iter().zip(other).all(|(a, b)| a.same(b))
                && told(above.iter().flat_map(Digit::owners).collect())
        };
        ways_apart((a, b), &shift, &told, 0, site, &mut ways);
        // What only a launch knows of the domain says nothing about the parameters.
        ways.retain(|(_, way)| !way.iter().any(names_extent));
        let best = ways.into_iter().max_by_key(|(ahead, way)| {
            let forward = at_most_half(ahead, site);
            (self.samples.held(way), Reverse(way.len()), self.samples.held(&[forward]))
        });
        let found = best.is_some();
        conditions.extend(best.into_iter().flat_map(|(_, way)| way));
        found
    }
}

/// That a difference is not a negative one that wraps.
fn at_most_half(ahead: &Expr, site: u32) -> Expr {
    let half = Expr { kind: ExprKind::Int(i64::MAX.into()), ty: Type::Usize, site };
    Expr::binary(BinaryOp::Le, ahead.clone(), half, site)
}

fn names_extent(e: &Expr) -> bool {
    e.any(&|e| matches!(e.kind, ExprKind::Extent(_)))
}

/// Adds the ways to tell two numbers apart, the second of which is shifted, by their digits from some place on:
/// how far one range is ahead of the other, and what it rests on. What is above a place may tell enough.
fn ways_apart(
    (a, b): (&Number, &Number),
    shift: &Expr,
    told: &dyn Fn(usize) -> bool,
    first: usize,
    site: u32,
    ways: &mut Vec<(Expr, Vec<Expr>)>,
) {
    let alike = if a.same_radices(b) {
        a.digits.iter().zip(&b.digits).take_while(|(a, b)| a.same_sign(b)).count()
    } else {
        0
    };
    for place in first..a.digits.len().min(alike + 1) {
        let weight = place.checked_sub(1).map(|above| a.weight(above, site));
        let window = weight.as_ref().map(|weight| (weight, told(place)));
        let ranges = |number: &Number| number.ranges(place, site);
        let all = ranges(a);
        for (x, y) in all.iter().flat_map(|x| ranges(b).into_iter().map(move |y| (x, y))) {
            let ahead = sum::of(BinaryOp::Add, shift, &y.from, site)
                .and_then(|to| sum::of(BinaryOp::Sub, &to, &x.from, site));
            let behind = ahead
                .as_ref()
                .and_then(|ahead| sum::of(BinaryOp::Sub, &Expr::index(0, site), ahead, site));
            let both = [(x, ahead, &y), (&y, behind, x)];
            ways.extend(both.into_iter().filter_map(|(one, ahead, other)| {
                let ahead = ahead?;
                let way = one_behind_the_other(one, &ahead, other, window, site)?;
                Some((ahead, way))
            }));
        }
    }
    if alike + 1 >= a.digits.len()
        && let (Some(radix), Some(Kind::Compound(low)), Some(Kind::Compound(other))) =
            (a.radices.last(), a.digits.last().map(|d| &d.kind), b.digits.last().map(|d| &d.kind))
    {
        // A condition may have kept the compound digits below the radix, but not once they are shifted.
        let mut below = Vec::new();
        let fits = |number: &Number, below: &mut Vec<Expr>| {
            number.bound(site).is_some_and(|bound| at_most(vec![bound], radix, site, below))
        };
        if fits(low, &mut below) && fits(other, &mut below) {
            let mut inner = Vec::new();
            ways_apart((low, other), shift, &|_| false, 1, site, &mut inner);
            let all = inner.into_iter().map(|(ahead, way)| (ahead, [&below[..], &way].concat()));
            ways.extend(all);
        }
    }
}

/// What it rests on that one range ends before the other starts, which is `ahead`, and that both lie within a
/// weight, which may be enough; `None` where it cannot.
fn one_behind_the_other(
    one: &Range,
    ahead: &Expr,
    other: &Range,
    window: Option<(&Expr, bool)>,
    site: u32,
) -> Option<Vec<Expr>> {
    let mut conditions = [&one.conditions[..], &other.conditions].concat();
    let (len, other) = (&one.len, &other.len);
    let limit = window.filter(|(_, enough)| *enough).map_or(ahead, |(weight, _)| weight);
    // Ranges that start a few elements apart meet, unless they are known to be as short.
    if literal(limit).is_some() && literal(len).is_none() {
        return None;
    }
    let mut holds = |value: &Expr, limit: &Expr| {
        at_most(vec![value.clone()], limit, site, &mut conditions).then_some(())
    };
    holds(len, limit)?;
    let end = sum::of(BinaryOp::Add, ahead, other, site)?;
    let known = literal(ahead).is_some() && literal(other).is_some();
    if !known && !clear(other, &end) {
        let most = Expr { kind: ExprKind::Int(u64::MAX.into()), ty: Type::Usize, site };
        holds(ahead, &Expr::binary(BinaryOp::Sub, most, other.clone(), site))?;
    }
    window.map_or(Some(()), |(weight, _)| holds(&end, weight))?;
    Some(conditions)
}

impl Number {
    /// The weight of a digit.
    fn weight(&self, place: usize, site: u32) -> Expr {
        let below = self.radices[place..].iter().cloned();
        below
            .reduce(|all, radix| product(all, &radix, site))
            .unwrap_or_else(|| Expr::index(1, site))
    }

    /// The ranges that the digits from some place on lie in, as far as the conditions around the access and
    /// the declared domain say.
    fn ranges(&self, place: usize, site: u32) -> Vec<Range> {
        let limits = self.limits.iter().filter(|_| place == 0).cloned();
        let down = self.sign() == Some(true);
        let limited = limits.filter_map(|len| Range::of(len, down, site));
        let of = |value: &Expr, by: &Expr| {
            let value = Expr::binary(BinaryOp::Mul, value.clone(), by.clone(), site);
            sum::of(BinaryOp::Add, &value, &Expr::index(0, site), site)
        };
        let weight = self.weight(place, site);
        let drop = self.drop_below(place, site);
        let scaled = |mut range: Range| {
            // The product of the declared bound fits, and so does that of the radix.
            let bound = match place.checked_sub(1) {
                Some(above) => Some(self.radices[above].clone()),
                None => self.digits[0].bound(site),
            };
            if !bound.is_some_and(|bound| clear(&range.len, &bound)) {
                range.conditions.extend(product_fits(&range.len, &weight, site));
            }
            let from = sum::of(BinaryOp::Sub, &of(&range.from, &weight)?, drop.as_ref()?, site)?;
            Some(Range { from, len: of(&range.len, &weight)?, ..range })
        };
        let whole = self.digits[place].ranges(site).into_iter().filter_map(scaled);
        limited.chain(whole).collect()
    }

    /// The most that the digits after a place subtract; `None` if that is not known.
    fn drop_below(&self, place: usize, site: u32) -> Option<Expr> {
        let mut drop = Expr::index(0, site);
        for (k, radix) in self.radices.iter().enumerate().skip(place) {
            if self.digits[k + 1].sign()? {
                let weight = self.weight(k + 1, site);
                let most = Expr::binary(BinaryOp::Sub, radix.clone(), Expr::index(1, site), site);
                let most = Expr::binary(BinaryOp::Mul, most, weight, site);
                drop = sum::of(BinaryOp::Add, &drop, &most, site)?;
            }
        }
        Some(drop)
    }
}

impl Digit {
    /// The ranges that a digit lies in.
    fn ranges(&self, site: u32) -> Vec<Range> {
        match &self.kind {
            Kind::Uniform(value) => {
                let (from, len) = (value.clone(), Expr::index(1, site));
                vec![Range { from, len, conditions: Vec::new() }]
            }
            Kind::Compound(number) => number.ranges(0, site),
            _ => {
                let lens = self.bounds(site).into_iter();
                lens.filter_map(|len| Range::of(len, self.down, site)).collect()
            }
        }
    }
}

impl Range {
    /// As many values, up from 0 or down from it.
    fn of(len: Expr, down: bool, site: u32) -> Option<Self> {
        let zero = Expr::index(0, site);
        let from = match down {
            true => sum::of(BinaryOp::Sub, &Expr::index(1, site), &len, site)?,
            false => zero,
        };
        Some(Range { from, len, conditions: Vec::new() })
    }
}
