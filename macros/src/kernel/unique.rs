//! Proves that no two work-items touch one element of an argument that the kernel writes.
//!
//! An index is read as a [`Number`] in a mixed radix. If every digit is below its radix, equal
//! indices have equal digits; if the digits, with the conditions around the access, say which
//! work-item it is, equal indices belong to one work-item. What this rests on and only a launch knows
//! (a radix is a parameter) becomes a requirement of the kernel.
//!
//! An element of a view has several indices: two of them are equal if all indices are, so that those
//! which tell the work-item are enough.
//!
//! Elements of a shared array may move between work-items at barriers; of those, only a store by every
//! work-item to one element is refused here, and the interpreter names the other races.

mod number;

use number::{Number, Owner};
use ringwood_ir::{BinaryOp, Buffer, Expr, ExprKind, Kernel, Space, Stmt, Type, Uniformity};
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
    `gid(0) * k + c` for `c` in `0..k`, or with `gid(1) * w + gid(0)`; or use an atomic operation, \
    or declare the kernel `racy`";
const GROUP_HELP: &str = "give each work-item its own elements: index with `grp(0) * 256 + lid(0)` \
    for a group of 256, with `grp(0) * n + k` for `k` in `group_range(n)`, or store in \
    `if lid(0) == 0`; or use an atomic operation, or declare the kernel `racy`";
const LOAD_HELP: &str = "read from a second slice, or only elements that this work-item writes";
const ATOMIC_HELP: &str = "use atomic operations only, or read it in another kernel";
const SHARED_HELP: &str = "index with `lid(0)`, or store in `if lid(0) == 0`";

/// The conditions under which every access to what the kernel writes is to an element of one
/// work-item only. `domain` are the declared extents, slowest first.
pub(super) fn requirements(kernel: &Kernel, domain: &[Expr]) -> Result<Vec<Expr>, Vec<Conflict>> {
    let facts = Facts::of(kernel, domain);
    let accesses = facts.accesses();
    let (mut requires, mut conflicts) = (Vec::new(), Vec::new());
    for index in 0..kernel.params.len() {
        let buffer = Buffer::Param(index as u32);
        let accesses: Vec<_> = accesses.iter().filter(|a| a.buffer == buffer).collect();
        if accesses.iter().any(|access| access.kind == Kind::Atomic) {
            mixed(&accesses, &mut conflicts);
        } else if accesses.iter().any(|access| access.kind == Kind::Store) {
            facts.check(&accesses, &mut requires, &mut conflicts);
        }
    }
    for access in accesses.iter().filter(|a| a.kind == Kind::Store && !a.selected) {
        facts.check_shared(access, &mut conflicts);
    }
    if conflicts.is_empty() { Ok(requires) } else { Err(conflicts) }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Load,
    Store,
    Atomic,
}

/// A use of an element of a buffer.
struct Access<'a> {
    buffer: Buffer,
    indices: &'a [Expr],
    site: u32,
    kind: Kind,
    guards: Vec<Guard>,
    /// Whether the control around it differs within a group.
    selected: bool,
}

/// What holds where a statement runs.
#[derive(Clone)]
enum Guard {
    /// The work-item has this index in its group along a dimension.
    Lid(u8, i128),
    /// The first expression is below the second.
    Below(Expr, Expr),
}

/// What is known of the variables of a kernel.
struct Facts<'a> {
    kernel: &'a Kernel,
    uniformity: Uniformity,
    /// The dimensions of the domain whose extent is 1.
    single: [bool; 3],
    /// The value of each variable that is never assigned.
    values: HashMap<u32, &'a Expr>,
    /// The end of the range of each loop variable.
    ends: HashMap<u32, &'a Expr>,
    /// The same of shared loops.
    shared_ends: HashMap<u32, &'a Expr>,
}

/// Each index of an access; `None` for one that does not help to tell the work-item.
type Numbers = Vec<Option<Number>>;

/// What indices say about the work-item.
fn owners(numbers: &Numbers) -> Vec<Owner> {
    numbers.iter().flatten().flat_map(Number::owners).collect()
}

/// Leaves out the indices that have another form than those before.
fn retain_common(numbers: &mut Numbers, before: &Numbers) {
    for (number, before) in numbers.iter_mut().zip(before) {
        let same = |n: &Number| before.as_ref().is_some_and(|b| n.same_digits(b));
        *number = number.take().filter(same);
    }
}

/// Substituted expressions are given up above this many nodes.
const LARGE: usize = 200;

impl<'a> Facts<'a> {
    fn of(kernel: &'a Kernel, domain: &[Expr]) -> Self {
        let mut single = [false; 3];
        for (single, extent) in single.iter_mut().zip(domain.iter().rev()) {
            *single = literal(extent) == Some(1);
        }
        let mut facts = Facts {
            kernel,
            uniformity: Uniformity::of(kernel),
            single,
            values: HashMap::new(),
            ends: HashMap::new(),
            shared_ends: HashMap::new(),
        };
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
                Stmt::ForGroup(var, end, _) => {
                    self.shared_ends.insert(*var, end);
                }
                _ => {}
            }
            stmt.bodies().into_iter().for_each(|body| self.collect(body, assigned));
        }
    }

    /// Every use of a buffer, with what holds there.
    fn accesses(&self) -> Vec<Access<'a>> {
        let mut found = Vec::new();
        self.uses(&self.kernel.body, &[], false, &mut found);
        // A load that fits no store is what is reported, not the store.
        found.sort_by_key(|access| access.kind == Kind::Load);
        found
    }

    fn uses(
        &self,
        body: &'a [Stmt],
        guards: &[Guard],
        selected: bool,
        found: &mut Vec<Access<'a>>,
    ) {
        for stmt in body {
            let mut add = |buffer, indices, site, kind| {
                let guards = guards.to_vec();
                found.push(Access { buffer, indices, site, kind, guards, selected });
            };
            for e in stmt.exprs() {
                e.walk(&mut |e| {
                    if let ExprKind::Load(buffer, indices) = &e.kind {
                        add(*buffer, indices, e.site, Kind::Load);
                    }
                });
            }
            match stmt {
                Stmt::Store { buffer, indices, site, .. } => {
                    add(*buffer, indices, *site, Kind::Store);
                }
                Stmt::Atomic(a) => add(a.buffer, &a.indices, a.site, Kind::Atomic),
                Stmt::If(condition, then, otherwise) => {
                    let selected = selected || !self.uniformity.expr(condition);
                    let mut inner = guards.to_vec();
                    self.guards(condition, &mut inner);
                    self.uses(then, &inner, selected, found);
                    self.uses(otherwise, guards, selected, found);
                }
                other => {
                    let differs = matches!(other, Stmt::ForGroup(..))
                        || other.exprs().into_iter().any(|e| !self.uniformity.expr(e));
                    for body in other.bodies() {
                        self.uses(body, guards, selected || differs, found);
                    }
                }
            }
        }
    }

    /// Adds what a condition says.
    fn guards(&self, condition: &Expr, guards: &mut Vec<Guard>) {
        let Some(condition) = self.expand(condition, &mut { LARGE }) else { return };
        let ExprKind::Binary(op, a, b) = &condition.kind else { return };
        match (op, &a.kind, &b.kind) {
            (BinaryOp::And, ..) if a.ty == Type::Bool => {
                self.guards(a, guards);
                self.guards(b, guards);
            }
            (BinaryOp::Eq, ExprKind::Lid(d), ExprKind::Int(value))
            | (BinaryOp::Eq, ExprKind::Int(value), ExprKind::Lid(d)) => {
                guards.push(Guard::Lid(*d, *value));
            }
            (BinaryOp::Lt, ..) => guards.push(Guard::Below((**a).clone(), (**b).clone())),
            (BinaryOp::Gt, ..) => guards.push(Guard::Below((**b).clone(), (**a).clone())),
            _ => {}
        }
    }

    fn check(
        &self,
        accesses: &[&Access<'_>],
        requires: &mut Vec<Expr>,
        conflicts: &mut Vec<Conflict>,
    ) {
        // What the accesses so far have in common, and one of them.
        let mut known: Option<(Numbers, &Access<'_>)> = None;
        for access in accesses {
            let store = access.kind == Kind::Store;
            let mut conditions = Vec::new();
            let mut numbers = self.numbers(access, &mut conditions);
            let mut covered = self.covers(&numbers, &access.guards);
            let what = if covered {
                if let Some((before, other)) = &known {
                    retain_common(&mut numbers, before);
                    covered = self.covers(&numbers, &access.guards)
                        && self.same_lanes(&numbers, access, other);
                }
                "can be an element of another work-item, by the other index into this slice"
            } else if store {
                "can be written by several work-items"
            } else {
                "can be read while another work-item writes it"
            };
            if covered {
                for condition in conditions {
                    if !requires.iter().any(|known: &Expr| known.same(&condition)) {
                        requires.push(condition);
                    }
                }
                known = Some((numbers, known.map_or(*access, |(_, other)| other)));
                continue;
            }
            let reported = |c: &Conflict| {
                let same = |(a, b): (&Expr, &Expr)| a.same(b);
                accesses.iter().any(|other| {
                    other.site == c.site && other.indices.iter().zip(access.indices).all(same)
                })
            };
            if conflicts.iter().any(reported) {
                continue;
            }
            let help = match (store, self.kernel.group) {
                (false, _) => LOAD_HELP,
                (true, None) => STORE_HELP,
                (true, Some(_)) => GROUP_HELP,
            };
            conflicts.push(Conflict { site: access.site, what: what.into(), help });
        }
    }

    /// Refuses a store of every work-item of a group to one element of a shared array.
    fn check_shared(&self, access: &Access<'_>, conflicts: &mut Vec<Conflict>) {
        let Buffer::Array(array) = access.buffer else { return };
        let shared = self.kernel.arrays[array as usize].space == Space::Shared;
        if shared
            && self.kernel.group_size() > 1
            && access.indices.iter().all(|index| self.uniformity.expr(index))
        {
            let what = "is written by every work-item of the group".into();
            conflicts.push(Conflict { site: access.site, what, help: SHARED_HELP });
        }
    }

    /// The indices of an access as numbers, and what must hold of them. Of several indices, those
    /// that say nothing of the work-item are left out.
    fn numbers(&self, access: &Access<'_>, conditions: &mut Vec<Expr>) -> Numbers {
        let alone = access.indices.len() == 1;
        let number = |index: &Expr| {
            let mut own = Vec::new();
            let number = self
                .number(index, &access.guards)
                .filter(|n| alone || !n.owners().is_empty())
                .filter(|n| n.conditions(access.site, &mut own))?;
            conditions.extend(own);
            Some(number)
        };
        access.indices.iter().map(number).collect()
    }

    /// Whether digits and guards say which work-item it is.
    fn covers(&self, numbers: &Numbers, guards: &[Guard]) -> bool {
        let owners = owners(numbers);
        let domain = |owner: fn(u8) -> Owner| {
            (0..self.kernel.rank).all(|d| self.single[usize::from(d)] || owners.contains(&owner(d)))
        };
        let Some(size) = self.kernel.group else { return domain(Owner::Gid) };
        let lane = |d: u8| {
            let guarded = guards.iter().any(|g| matches!(g, Guard::Lid(of, _) if *of == d));
            size[usize::from(d)] == 1 || guarded || owners.contains(&Owner::Lid(d))
        };
        domain(Owner::Group) && (owners.contains(&Owner::Lane) || (0..3).all(lane))
    }

    /// Whether two accesses whose indices are equal are of one lane, as far as their conditions must
    /// say so.
    fn same_lanes(&self, numbers: &Numbers, at: &Access<'_>, other: &Access<'_>) -> bool {
        let lane = |access: &Access<'_>, d: u8| {
            access.guards.iter().find_map(|guard| match guard {
                Guard::Lid(of, value) if *of == d => Some(*value),
                _ => None,
            })
        };
        let owners = owners(numbers);
        let free = |d: &u8| !owners.contains(&Owner::Lane) && !owners.contains(&Owner::Lid(*d));
        (0..3).filter(free).all(|d| lane(at, d) == lane(other, d))
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
}

/// Reports plain uses of a buffer that has atomic operations.
fn mixed(accesses: &[&Access<'_>], conflicts: &mut Vec<Conflict>) {
    for access in accesses.iter().filter(|access| access.kind != Kind::Atomic) {
        let verb = if access.kind == Kind::Store { "written" } else { "read" };
        let what = format!("can be {verb} while another work-item changes it atomically");
        conflicts.push(Conflict { site: access.site, what, help: ATOMIC_HELP });
    }
}

fn literal(e: &Expr) -> Option<i128> {
    match e.kind {
        ExprKind::Int(value) => Some(value),
        _ => None,
    }
}
