//! An index as a sum of products, which has one form however it is written.
//!
//! Indices wrap, and sums and products of numbers that wrap may be reordered and multiplied out.

use super::literal;
use super::number::product;
use crate::{BinaryOp, Expr, ExprKind, Kernel, Type};

/// `times * weight * value`
#[derive(Clone)]
pub(super) struct Term {
    pub(super) times: i128,
    /// Uniform factors that are no literals, in one order.
    pub(super) weight: Vec<Expr>,
    /// What differs between work-items or turns; `None` if nothing does.
    pub(super) value: Option<Expr>,
}

/// Sums of more terms are given up.
const MOST: usize = 16;

/// The terms of an index, those with the largest weights first; `None` if there are too many.
pub(super) fn terms(e: &Expr) -> Option<Vec<Term>> {
    let mut found = merged(summands(e)?)?;
    if found.iter().any(|term| term.times < 0 && term.value.is_some()) {
        found = merged(divided(found)?)?;
    }
    found.sort_by_cached_key(|term| {
        let order = (std::cmp::Reverse(term.weight.len()), std::cmp::Reverse(term.times.abs()));
        (order, key(&term.weight), term.value.as_ref().map(|value| key([value])))
    });
    Some(found)
}

/// The factors of the weights of which neither is a multiple of the other: which term counts for more is open.
pub(super) fn rivals(e: &Expr) -> Vec<Expr> {
    let terms = terms(e).unwrap_or_default();
    let varying: Vec<_> = terms.iter().filter(|t| t.value.is_some()).map(Term::size).collect();
    let open = |a: &Term| varying.iter().any(|b| a.per(b).is_none() && b.per(a).is_none());
    varying.iter().filter(|term| open(term)).flat_map(|term| term.weight.clone()).collect()
}

/// Whether two values are the same sum.
pub(super) fn same(a: &[Term], b: &[Term]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.times == b.times && a.like(b))
}

impl Term {
    pub(super) fn one() -> Self {
        Term::literal(1)
    }

    fn literal(times: i128) -> Self {
        Term { times, weight: Vec::new(), value: None }
    }

    /// Whether two terms differ in their literal factors only.
    fn like(&self, other: &Term) -> bool {
        let value = match (&self.value, &other.value) {
            (Some(a), Some(b)) => a.same(b),
            (a, b) => a.is_none() && b.is_none(),
        };
        value && key(&self.weight) == key(&other.weight)
    }

    /// The product with a uniform term.
    pub(super) fn scaled(mut self, by: &Term) -> Option<Self> {
        self.times = bounded(self.times.checked_mul(by.times)?)?;
        self.weight.extend(by.weight.iter().cloned());
        self.weight.sort_by_cached_key(|factor| key([factor]));
        Some(self)
    }

    /// The weight without its sign.
    pub(super) fn size(&self) -> Self {
        Term { times: self.times.abs(), weight: self.weight.clone(), value: None }
    }

    /// The weight of this term divided by that of another; `None` if it is no multiple.
    pub(super) fn per(&self, other: &Term) -> Option<Term> {
        if other.times < 1 || self.times % other.times != 0 {
            return None;
        }
        let mut weight = self.weight.clone();
        for factor in &other.weight {
            weight.remove(weight.iter().position(|f| f.same(factor))?);
        }
        Some(Term { times: self.times / other.times, weight, value: None })
    }

    /// The literal times the weight.
    pub(super) fn scale(&self, site: u32) -> Expr {
        let times = Expr { kind: ExprKind::Int(self.times), ty: Type::Usize, site };
        let all = self.weight.iter().cloned().reduce(|a, b| product(a, &b, site));
        match all {
            None => times,
            Some(weight) if self.times == 1 => weight,
            Some(weight) => product(weight, &times, site),
        }
    }

    /// Whether the weight with its literal is this value.
    pub(super) fn is(&self, e: &Expr) -> bool {
        factor(e).is_some_and(|e| e.times == self.times && key(&e.weight) == key(&self.weight))
    }

    pub(super) fn is_one(&self) -> bool {
        self.times == 1 && self.weight.is_empty()
    }
}

fn key<'a>(factors: impl IntoIterator<Item = &'a Expr>) -> Vec<String> {
    factors.into_iter().map(|factor| format!("{:?}", factor.without_sites())).collect()
}

/// A literal factor that is far from the limits of an index.
fn bounded(times: i128) -> Option<i128> {
    (times.unsigned_abs() < 1 << 62).then_some(times)
}

/// A uniform sum or difference in the one form of sums; `None` if it has too many terms.
pub(super) fn of(op: BinaryOp, a: &Expr, b: &Expr, site: u32) -> Option<Expr> {
    let terms = terms(&Expr::binary(op, a.clone(), b.clone(), site))?;
    Some(total(&terms, site).unwrap_or_else(|| Expr::index(0, site)))
}

/// The uniform sum of terms; `None` if there are none.
pub(super) fn total(terms: &[Term], site: u32) -> Option<Expr> {
    let zero = || Expr::index(0, site);
    let join = |sum: Option<Expr>, term: &Term| {
        let of = |op, times: i128| {
            let scale = Term { times, ..term.clone() }.scale(site);
            Expr::binary(op, sum.clone().unwrap_or_else(zero), scale, site)
        };
        Some(match (&sum, term.times < 0) {
            (_, true) => of(BinaryOp::Sub, -term.times),
            (None, false) => term.scale(site),
            (Some(_), false) => of(BinaryOp::Add, term.times),
        })
    };
    // What is subtracted comes last: fewer values wrap, and the text reads better.
    let (down, up): (Vec<_>, Vec<_>) = terms.iter().partition(|term| term.times < 0);
    up.into_iter().chain(down).fold(None, join)
}

fn summands(e: &Expr) -> Option<Vec<Term>> {
    let whole = || {
        let uniform = Kernel::is_uniform(e);
        let (weight, value) =
            if uniform { (vec![e.clone()], None) } else { (Vec::new(), Some(e.clone())) };
        vec![Term { times: 1, weight, value }]
    };
    if e.ty != Type::Usize {
        return Some(whole());
    }
    let found = match &e.kind {
        ExprKind::Int(times) => vec![Term::literal(bounded(*times)?)],
        ExprKind::Binary(BinaryOp::Add, a, b) => {
            let mut all = summands(a)?;
            all.extend(summands(b)?);
            all
        }
        ExprKind::Binary(BinaryOp::Sub, a, b) => {
            let mut all = summands(a)?;
            all.extend(summands(b)?.into_iter().map(|t| Term { times: -t.times, ..t }));
            all
        }
        ExprKind::Binary(BinaryOp::Mul, a, b) => {
            let (of, by) = if Kernel::is_uniform(b) { (a, b) } else { (b, a) };
            if !Kernel::is_uniform(by) {
                return Some(whole());
            }
            let by = factor(by)?;
            let of = if Kernel::is_uniform(of) { vec![factor(of)?] } else { summands(of)? };
            of.into_iter().map(|term| term.scaled(&by)).collect::<Option<_>>()?
        }
        _ => whole(),
    };
    (found.len() <= MOST).then_some(found)
}

/// A uniform value as one term: a sum is one factor, whose terms have one order.
pub(super) fn factor(e: &Expr) -> Option<Term> {
    match &e.kind {
        ExprKind::Int(times) => Some(Term::literal(bounded(*times)?)),
        ExprKind::Binary(BinaryOp::Mul, a, b) => factor(a)?.scaled(&factor(b)?),
        ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) if e.ty == Type::Usize => {
            let sum = total(&terms(e)?, e.site);
            Some(sum.map_or(Term::literal(0), |sum| Term { weight: vec![sum], ..Term::one() }))
        }
        _ => Some(Term { weight: vec![e.clone()], ..Term::one() }),
    }
}

fn merged(terms: Vec<Term>) -> Option<Vec<Term>> {
    let mut all: Vec<Term> = Vec::new();
    for term in terms {
        match all.iter_mut().find(|other| other.like(&term)) {
            Some(other) => other.times = bounded(other.times + term.times)?,
            None => all.push(term),
        }
    }
    all.retain(|term| term.times != 0);
    Some(all)
}

/// Each `x` of which an `x % w` is subtracted as `x / w * w + x % w`. A `w` of 0 is refused with the
/// quotient, which nothing else may cancel.
fn divided(terms: Vec<Term>) -> Option<Vec<Term>> {
    let remainder = |term: &Term, x: &Expr| {
        let like = |other: &&Term| other.times < 0 && key(&other.weight) == key(&term.weight);
        let mut values = terms.iter().filter(like).filter_map(|other| other.value.as_ref());
        values.find_map(|value| match &value.kind {
            ExprKind::Binary(BinaryOp::Rem, of, by) if of.same(x) && Kernel::is_uniform(by) => {
                Some((value.clone(), (**by).clone()))
            }
            _ => None,
        })
    };
    let mut all = Vec::new();
    for term in &terms {
        let found = term.value.as_ref().and_then(|x| Some((x, remainder(term, x)?)));
        let Some((x, (rest, by))) = found else {
            all.push(term.clone());
            continue;
        };
        let quotient = Expr::binary(BinaryOp::Div, x.clone(), by.clone(), x.site);
        let is_other = |term: &Term| term.value.as_ref().is_some_and(|value| value.same(&quotient));
        if literal(&by).map_or_else(|| terms.iter().any(is_other), |by| by == 0) {
            all.push(term.clone());
            continue;
        }
        let quotient = Term { value: Some(quotient), ..term.clone() };
        all.push(quotient.scaled(&factor(&by)?)?);
        all.push(Term { value: Some(rest), ..term.clone() });
    }
    Some(all)
}
