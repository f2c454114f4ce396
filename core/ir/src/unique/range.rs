//! Indices in ranges that do not meet: the halves of a butterfly, the two ends of a slice.

use super::digit::{Digit, Kind, at_most};
use super::facts::Facts;
use super::number::Number;
use super::{literal, sum};
use crate::{BinaryOp, Expr, ExprKind, Type};

/// The values from `low` to below `high`, where the conditions hold.
#[derive(Clone)]
struct Range {
    low: Expr,
    high: Expr,
    conditions: Vec<Expr>,
}

impl Facts<'_> {
    /// Whether two indices are never equal; adds what that rests on.
    pub(super) fn apart(
        &self,
        a: &Number,
        b: &Number,
        site: u32,
        conditions: &mut Vec<Expr>,
    ) -> bool {
        let mut ranges = vec![(self.ranges(a, site), self.ranges(b, site))];
        // Equal numbers of one form have equal digits.
        if a.digits.len() > 1 && a.same_places(b) {
            let digits = a.digits.iter().zip(&b.digits);
            ranges.extend(digits.map(|(a, b)| (self.places_of(a, site), self.places_of(b, site))));
        }
        let either = |a: &Range, b: &Range| [below(a, b, site), below(b, a, site)];
        let all = |(a, b): &(Vec<Range>, Vec<Range>)| -> Vec<Vec<Expr>> {
            a.iter().flat_map(|a| b.iter().flat_map(|b| either(a, b))).flatten().collect()
        };
        let fewest = ranges.iter().flat_map(all).min_by_key(Vec::len);
        let found = fewest.is_some();
        conditions.extend(fewest.into_iter().flatten());
        found
    }

    /// The ranges that a number lies in, as far as conditions around it and the declared domain say.
    fn ranges(&self, number: &Number, site: u32) -> Vec<Range> {
        let whole = match &number.digits[..] {
            [digit] => self.places_of(digit, site),
            _ => {
                let guarded = number.limits.iter().map(|limit| Range::up_to(limit.clone()));
                guarded.chain(number.bound(site).and_then(|e| self.declared(e))).collect()
            }
        };
        let Some(base) = &number.base else { return whole };
        whole.into_iter().filter_map(|range| range.moved(base, site)).collect()
    }

    /// The ranges that a digit lies in.
    fn places_of(&self, digit: &Digit, site: u32) -> Vec<Range> {
        let inner = match &digit.kind {
            Kind::Uniform(value) => {
                let range = Range::up_to(Expr::index(1, site));
                return range.moved(value, site).into_iter().collect();
            }
            Kind::Mirror(_, inner) => inner,
            _ => digit,
        };
        let guarded = inner.guards.iter().map(|limit| Range::up_to(limit.clone()));
        let ranges = guarded.chain(inner.bound(site).and_then(|e| self.declared(e)));
        match &digit.kind {
            Kind::Mirror(end, _) => ranges.filter_map(|r| r.mirrored(end, site)).collect(),
            _ => ranges.collect(),
        }
    }

    /// The range up to a bound, in the terms of the declared domain.
    fn declared(&self, bound: Expr) -> Option<Range> {
        let mut range = Range::up_to(bound);
        let (mut known, conditions) = (true, &mut range.conditions);
        range.high.walk_mut(&mut |e| {
            let ExprKind::Extent(d) = e.kind else { return };
            let Some(declared) = self.domain.iter().rev().nth(usize::from(d)) else {
                known = false;
                return;
            };
            conditions.push(Expr::binary(BinaryOp::Eq, e.clone(), declared.clone(), e.site));
            *e = declared.clone();
        });
        known.then_some(range)
    }
}

impl Range {
    fn up_to(high: Expr) -> Self {
        Range { low: Expr::index(0, high.site), high, conditions: Vec::new() }
    }

    /// The range up to as far, further up.
    fn moved(mut self, by: &Expr, site: u32) -> Option<Self> {
        let most = Expr { kind: ExprKind::Int(u64::MAX.into()), ty: Type::Usize, site };
        let room = Expr::binary(BinaryOp::Sub, most, self.high.clone(), site);
        let high = total(BinaryOp::Add, by, &self.high, site)?;
        let known = literal(by).is_some() && literal(&self.high).is_some();
        let fits = known || at_most(vec![by.clone()], &room, site, &mut self.conditions);
        fits.then(|| Range { low: by.clone(), high, ..self })
    }

    /// The range from 0, down from an end.
    fn mirrored(mut self, end: &Expr, site: u32) -> Option<Self> {
        let low = total(BinaryOp::Sub, end, &self.high, site)?;
        let fits = at_most(vec![self.high.clone()], end, site, &mut self.conditions);
        fits.then(|| Range { low, high: end.clone(), ..self })
    }
}

/// What it rests on that one range ends before the other starts; `None` where it cannot.
fn below(a: &Range, b: &Range, site: u32) -> Option<Vec<Expr>> {
    // Ranges that start a few elements apart meet, unless they are known to be as short.
    let difference = |a, b| sum::constant(&Expr::binary(BinaryOp::Sub, a, b, site));
    if let Some(apart) = difference(b.low.clone(), a.low.clone())
        && difference(a.high.clone(), a.low.clone()).is_none_or(|length| length > apart)
    {
        return None;
    }
    let mut conditions = [&a.conditions[..], &b.conditions].concat();
    at_most(vec![a.high.clone()], &b.low, site, &mut conditions).then_some(conditions)
}

/// A sum or difference in the one form of sums.
fn total(op: BinaryOp, a: &Expr, b: &Expr, site: u32) -> Option<Expr> {
    let terms = sum::terms(&Expr::binary(op, a.clone(), b.clone(), site))?;
    Some(sum::total(&terms, site).unwrap_or_else(|| Expr::index(0, site)))
}
