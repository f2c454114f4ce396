//! Proves that no two work-items touch one element of a slice that the kernel writes.
//!
//! An index is read as a number in a mixed radix, `(top * W + digit) * V + digit …`, whose digits
//! are dimensions of the work-item, loop variables and values that are the same for all. If every
//! digit is below its radix, equal indices have equal digits; if every dimension of the domain is a
//! digit, they belong to one work-item. What this rests on and only a launch knows (a radix is a
//! parameter) becomes a requirement of the kernel.

use ringwood_ir::{BinaryOp, Buffer, Expr, ExprKind, Kernel, Stmt, Type};
use std::collections::{HashMap, HashSet};

/// An access that two work-items may have in common.
pub(super) struct Conflict {
    /// The access.
    pub(super) site: u32,
    /// What is wrong, after the access.
    pub(super) what: String,
    pub(super) help: &'static str,
}

const STORE_HELP: &str = "give each work-item its own elements: index with `gid(0)`, with \
    `gid(0) * k + c` for `c` in `0..k`, or with `gid(1) * w + gid(0)`";
const LOAD_HELP: &str = "read from a second slice, or only elements that this work-item writes";

/// The conditions under which every access is to an element of one work-item only.
pub(super) fn requirements(kernel: &Kernel) -> Result<Vec<Expr>, Vec<Conflict>> {
    let facts = Facts::of(kernel);
    let (mut requires, mut conflicts) = (Vec::new(), Vec::new());
    for index in 0..kernel.params.len() {
        let accesses = accesses(kernel, Buffer::Param(index as u32));
        if accesses.iter().any(|access| access.store) {
            facts.check(&accesses, &mut requires, &mut conflicts);
        }
    }
    if conflicts.is_empty() { Ok(requires) } else { Err(conflicts) }
}

/// A load from or a store to one buffer.
struct Access<'a> {
    index: &'a Expr,
    site: u32,
    store: bool,
}

fn accesses(kernel: &Kernel, wanted: Buffer) -> Vec<Access<'_>> {
    fn stores<'a>(body: &'a [Stmt], wanted: Buffer, found: &mut Vec<Access<'a>>) {
        for stmt in body {
            if let Stmt::Store { buffer, indices, site, .. } = stmt
                && *buffer == wanted
            {
                found.push(Access { index: &indices[0], site: *site, store: true });
            }
            stmt.bodies().into_iter().for_each(|body| stores(body, wanted, found));
        }
    }
    let mut found = Vec::new();
    stores(&kernel.body, wanted, &mut found);
    kernel.walk(&mut |e| match &e.kind {
        ExprKind::Load(buffer, indices) if *buffer == wanted => {
            found.push(Access { index: &indices[0], site: e.site, store: false });
        }
        _ => {}
    });
    found
}

/// What is known of the variables of a kernel.
struct Facts<'a> {
    rank: u8,
    /// The value of each variable that is never assigned.
    values: HashMap<u32, &'a Expr>,
    /// The end of the range of each loop variable.
    ends: HashMap<u32, &'a Expr>,
}

/// One digit of an index.
#[derive(Clone)]
enum Digit {
    Gid(u8),
    /// A loop variable: below this end.
    Below(Expr),
    /// The same value for every work-item.
    Uniform(Expr),
}

/// An index as digits, the most significant first, and the radix of each but the first.
struct Number {
    digits: Vec<Digit>,
    radices: Vec<Expr>,
    /// A uniform value added to all.
    base: Option<Expr>,
}

/// Substituted expressions are given up above this many nodes.
const LARGE: usize = 200;

impl<'a> Facts<'a> {
    fn of(kernel: &'a Kernel) -> Self {
        let mut facts = Facts { rank: kernel.rank, values: HashMap::new(), ends: HashMap::new() };
        let mut assigned = HashSet::new();
        facts.collect(&kernel.body, &mut assigned);
        facts.values.retain(|var, _| !assigned.contains(var));
        facts
    }

    fn collect(&mut self, body: &'a [Stmt], assigned: &mut HashSet<u32>) {
        for stmt in body {
            match stmt {
                Stmt::Let(var, value) => {
                    self.values.insert(*var, value);
                }
                Stmt::Assign(var, _) => {
                    assigned.insert(*var);
                }
                Stmt::For(var, _, end, _) => {
                    self.ends.insert(*var, end);
                }
                _ => {}
            }
            stmt.bodies().into_iter().for_each(|body| self.collect(body, assigned));
        }
    }

    fn check(
        &self,
        accesses: &[Access<'_>],
        requires: &mut Vec<Expr>,
        conflicts: &mut Vec<Conflict>,
    ) {
        let mut first: Option<Number> = None;
        for access in accesses {
            let number = self.number(access.index).filter(|n| self.covers(n));
            let mut conditions = Vec::new();
            let number = number.filter(|n| n.conditions(access.site, &mut conditions));
            let what = match (&number, &first) {
                (None, _) if access.store => "can be written by several work-items",
                (None, _) => "can be read while another work-item writes it",
                (Some(n), Some(first)) if !n.same_owner(first) => {
                    "can be an element of another work-item, by the other index into this slice"
                }
                _ => {
                    for condition in conditions {
                        if !requires.iter().any(|known: &Expr| known.same(&condition)) {
                            requires.push(condition);
                        }
                    }
                    first = first.or(number);
                    continue;
                }
            };
            let reported = |c: &Conflict| {
                accesses.iter().any(|other| other.site == c.site && other.index.same(access.index))
            };
            if conflicts.iter().any(reported) {
                continue;
            }
            let help = if access.store { STORE_HELP } else { LOAD_HELP };
            conflicts.push(Conflict { site: access.site, what: what.into(), help });
        }
    }

    /// Whether every dimension of the domain is a digit.
    fn covers(&self, number: &Number) -> bool {
        (0..self.rank).all(|dim| {
            number.digits.iter().any(|digit| matches!(digit, Digit::Gid(d) if *d == dim))
        })
    }

    /// The expression with variables replaced by their values.
    fn expand(&self, e: &Expr, budget: &mut usize) -> Option<Expr> {
        *budget = budget.checked_sub(1)?;
        if let ExprKind::Var(var) = e.kind
            && let Some(value) = self.values.get(&var)
        {
            return self.expand(value, budget);
        }
        let mut expanded = e.clone();
        for operand in expanded.operands_mut() {
            *operand = self.expand(operand, budget)?;
        }
        Some(expanded)
    }

    fn number(&self, index: &Expr) -> Option<Number> {
        let index = self.expand(index, &mut { LARGE })?;
        if let ExprKind::Binary(BinaryOp::Add, a, b) = &index.kind
            && !is_product(a)
            && !is_product(b)
        {
            let (number, base) = if Kernel::is_uniform(b) { (a, b) } else { (b, a) };
            if !Kernel::is_uniform(base) {
                return None;
            }
            let number = self.parse(number)?;
            return Some(Number { base: Some((**base).clone()), ..number });
        }
        self.parse(&index)
    }

    fn parse(&self, e: &Expr) -> Option<Number> {
        match &e.kind {
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                let parsed = |high: &Expr, low: &Expr| self.append(high, self.digit(low)?);
                parsed(a, b).or_else(|| parsed(b, a))
            }
            ExprKind::Binary(BinaryOp::Mul, ..) => {
                self.append(e, Digit::Uniform(Expr::index(0, e.site)))
            }
            _ => {
                let digits = vec![self.digit(e)?];
                Some(Number { digits, radices: Vec::new(), base: None })
            }
        }
    }

    /// `high * W + low`, where `high` is written as a product.
    fn append(&self, product: &Expr, low: Digit) -> Option<Number> {
        let ExprKind::Binary(BinaryOp::Mul, a, b) = &product.kind else { return None };
        let (high, radix) = if Kernel::is_uniform(b) { (a, b) } else { (b, a) };
        if !Kernel::is_uniform(radix) {
            return None;
        }
        let mut number = self.parse(high)?;
        number.digits.push(low);
        number.radices.push((**radix).clone());
        Some(number)
    }

    fn digit(&self, e: &Expr) -> Option<Digit> {
        match &e.kind {
            ExprKind::Gid(d) => Some(Digit::Gid(*d)),
            ExprKind::Var(var) => {
                let end = self.expand(self.ends.get(var)?, &mut { LARGE })?;
                Kernel::is_uniform(&end).then_some(Digit::Below(end))
            }
            _ => Kernel::is_uniform(e).then(|| Digit::Uniform(e.clone())),
        }
    }
}

fn is_product(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Binary(BinaryOp::Mul, ..))
}

fn literal(e: &Expr) -> Option<i128> {
    match e.kind {
        ExprKind::Int(value) => Some(value),
        _ => None,
    }
}

impl Digit {
    /// A value that the digit stays below.
    fn bound(&self, site: u32) -> Option<Expr> {
        match self {
            Digit::Gid(d) => Some(Expr { kind: ExprKind::Extent(*d), ty: Type::Usize, site }),
            Digit::Below(end) => Some(end.clone()),
            Digit::Uniform(_) => None,
        }
    }
}

impl Number {
    /// Adds what must hold so that each digit is below its radix and the number does not overflow.
    /// Returns false where that can never be.
    fn conditions(&self, site: u32, conditions: &mut Vec<Expr>) -> bool {
        for (digit, radix) in self.digits[1..].iter().zip(&self.radices) {
            let (op, left) = match digit {
                Digit::Uniform(value) => (BinaryOp::Lt, value.clone()),
                other => match other.bound(site) {
                    Some(bound) if bound.same(radix) => continue,
                    Some(bound) => (BinaryOp::Le, bound),
                    None => return false,
                },
            };
            match (literal(&left), literal(radix)) {
                (Some(a), Some(b)) if a < b || a == b && op == BinaryOp::Le => {}
                (Some(_), Some(_)) => return false,
                _ => conditions.push(Expr::binary(op, left, radix.clone(), site)),
            }
        }
        self.fits(site, conditions);
        true
    }

    /// The product of the first varying digit's bound and the radices below it fits in an index.
    fn fits(&self, site: u32, conditions: &mut Vec<Expr>) {
        let bounds = self.digits.iter().map(|digit| digit.bound(site));
        let Some((first, Some(mut product))) = bounds.enumerate().find(|(_, b)| b.is_some()) else {
            return;
        };
        let int = |value: i128| Expr { kind: ExprKind::Int(value), ty: Type::Usize, site };
        for radix in &self.radices[first..] {
            let zero = Expr::binary(BinaryOp::Eq, product.clone(), int(0), site);
            let quotient =
                Expr::binary(BinaryOp::Div, int(i128::from(u64::MAX)), product.clone(), site);
            let fits = Expr::binary(BinaryOp::Le, radix.clone(), quotient, site);
            conditions.push(Expr::binary(BinaryOp::Or, zero, fits, site));
            product = Expr::binary(BinaryOp::Mul, product, radix.clone(), site);
        }
    }

    /// Whether equal indices of both belong to the same work-item.
    fn same_owner(&self, other: &Number) -> bool {
        let base = match (&self.base, &other.base) {
            (None, None) => true,
            (Some(a), Some(b)) => a.same(b),
            _ => false,
        };
        let dim = |digit: &Digit| match digit {
            Digit::Gid(d) => Some(*d),
            _ => None,
        };
        // A top digit that is the same for all has no bound, and the number may wrap.
        let same_top = match (&self.digits[0], &other.digits[0]) {
            (Digit::Uniform(a), Digit::Uniform(b)) => a.same(b),
            _ => true,
        };
        base && same_top
            && self.radices.len() == other.radices.len()
            && self.radices.iter().zip(&other.radices).all(|(a, b)| a.same(b))
            && self.digits.iter().map(dim).eq(other.digits.iter().map(dim))
    }
}
