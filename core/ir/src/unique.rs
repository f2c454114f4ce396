//! Proves that no two work-items touch one element of an argument that the kernel writes.
//!
//! An index is read as a number in a mixed radix. If every digit is below its radix, equal
//! indices have equal digits; if the digits, with the conditions around the access, say which
//! work-item it is, equal indices belong to one work-item. What this rests on and only a launch knows
//! (a radix is a parameter) becomes a requirement of the kernel.
//!
//! An element of a view has several indices: two of them are equal if all indices are, so that those
//! which tell the work-item are enough.
//!
//! Two accesses are of elements of one work-item if their numbers have equal digits wherever they are equal,
//! or if they are never equal: one lies in a range that the other does not reach.
//!
//! Elements of a shared array may move between work-items at barriers; of those, only a store by every
//! work-item to one element is refused here, and the interpreter names the other races.

mod digit;
mod facts;
mod grid;
mod number;
mod part;
mod range;
mod sum;

use crate::{Buffer, Expr, ExprKind, Kernel, Space};
use digit::Owner;
use facts::{Access, Facts, Guard, Kind};
pub use grid::{Along, along, has_own_elements};
use number::{Number, Reading};

/// An access that two work-items may have in common.
pub struct Conflict {
    /// The access.
    pub site: u32,
    /// What is wrong, after the access.
    pub what: String,
    /// Why it could not be shown.
    pub note: String,
    /// What the note is about, before it.
    pub term: Option<u32>,
    /// What to do about it.
    pub help: &'static str,
}

const STORE_HELP: &str = "give each work-item its own elements: index with `gid(0)`, with \
    `gid(0) * k + c` for `c` in `0..k`, or with `gid(1) * w + gid(0)`; or declare the kernel `unique` if \
    you know that no two work-items meet (debug builds check it); or use an atomic operation, or \
    declare the kernel `racy`";
const GROUP_HELP: &str = "give each work-item its own elements: index with `grp(0) * 256 + lid(0)` \
    for a group of 256, with `grp(0) * n + k` for `k` in `group_range(n)`, or store in \
    `if lid(0) == 0`; or declare the kernel `unique` if you know that no two work-items meet (debug \
    builds check it); or use an atomic operation, or declare the kernel `racy`";
const LOAD_HELP: &str = "read from a second slice, or only elements that this work-item writes; if they \
    are its own, declare the kernel `unique`: debug builds check it";
const PAIR_HELP: &str = "use one index into it, or keep the two apart by a condition or the declared \
    domain: `y[i]` and `y[i + half]` in `if i < half`, `y[i]` and `y[n - 1 - i]` in `if i < n / 2`; \
    or use another slice; or declare the kernel `unique` if you know that no two work-items meet \
    (debug builds check it)";
const PAIR_NOTE: &str = "is the other index: each alone is of one work-item, but as far as the proof sees the two may meet";
const ATOMIC_HELP: &str = "use atomic operations only, or read it in another kernel";
const SHARED_HELP: &str = "index with `lid(0)`, or store in `if lid(0) == 0`";

/// The conditions under which every access to what the kernel writes is to an element of one
/// work-item only, but for what the kernel asserts. `domain` are the declared extents, slowest first.
///
/// # Errors
/// The accesses of which that could not be shown.
pub fn requirements(kernel: &Kernel, domain: &[Expr]) -> Result<Vec<Expr>, Vec<Conflict>> {
    let facts = Facts::of(kernel, domain);
    let accesses = &facts.accesses;
    let (mut requires, mut conflicts) = (Vec::new(), Vec::new());
    for index in 0..kernel.params.len() {
        let buffer = Buffer::Param(index as u32);
        let accesses: Vec<_> = accesses.iter().filter(|a| a.buffer == buffer).collect();
        if accesses.iter().any(|access| access.kind == Kind::Atomic) {
            mixed(&accesses, &mut conflicts);
        } else if accesses.iter().any(|access| access.kind == Kind::Store) {
            match facts.fewest(&accesses) {
                Ok(all) => all.into_iter().for_each(|condition| add(&mut requires, condition)),
                Err(_) if kernel.modes.unique => {}
                Err(all) => conflicts.extend(all),
            }
        }
    }
    for access in accesses.iter().filter(|a| a.kind == Kind::Store && !a.selected) {
        facts.check_shared(access, &mut conflicts);
    }
    if conflicts.is_empty() { Ok(requires) } else { Err(conflicts) }
}

/// Each index of an access; `None` for one that does not help to tell the work-item.
type Numbers = Vec<Option<Number>>;

/// Adds a condition that is not there yet.
fn add(conditions: &mut Vec<Expr>, condition: Expr) {
    if !conditions.iter().any(|known| known.same(&condition)) {
        conditions.push(condition);
    }
}

/// The indices of two accesses along each dimension where both help to tell the work-item.
fn pairs<'a>(a: &'a Numbers, b: &'a Numbers) -> impl Iterator<Item = (&'a Number, &'a Number)> {
    a.iter().zip(b).filter_map(|(a, b)| Some((a.as_ref()?, b.as_ref()?)))
}

/// What indices say about the work-item.
fn owners<'a>(numbers: impl IntoIterator<Item = &'a Number>) -> Vec<Owner> {
    numbers.into_iter().flat_map(Number::owners).collect()
}

impl Facts<'_> {
    /// The requirements of the accesses to a buffer, without those of indices that need not tell the
    /// work-item as others do.
    fn fewest(&self, accesses: &[&Access]) -> Result<Vec<Expr>, Vec<Conflict>> {
        let rank = accesses.first().map_or(0, |access| access.indices.len());
        let mut used = vec![true; rank];
        let proved = |reading| self.check(accesses, &used, reading).map(|all| (all, reading));
        let [apart, others @ ..] = Reading::ALL;
        let (mut best, reading) = others.into_iter().fold(proved(apart), |found, reading| {
            found.or_else(|conflicts| proved(reading).map_err(|_| conflicts))
        })?;
        for d in 0..rank {
            used[d] = false;
            match self.check(accesses, &used, reading) {
                Ok(fewer) if fewer.len() < best.len() => best = fewer,
                _ => used[d] = true,
            }
        }
        Ok(best)
    }

    /// The requirements of the accesses to a buffer, of whose indices some are used.
    fn check(
        &self,
        accesses: &[&Access],
        used: &[bool],
        reading: Reading,
    ) -> Result<Vec<Expr>, Vec<Conflict>> {
        let (mut requires, mut conflicts) = (Vec::new(), Vec::new());
        let mut before: Vec<(&Access, Numbers)> = Vec::new();
        for access in accesses {
            let store = access.kind == Kind::Store;
            let mut conditions = Vec::new();
            let numbers = self.numbers(access, used, reading, &mut conditions);
            let covered = self.covers(&owners(numbers.iter().flatten()), &access.guards);
            // Loads do not disturb each other.
            let mut settled = |(other, earlier): &(&Access, Numbers)| {
                let (at, before) = ((*access, &numbers), (*other, earlier));
                !store && other.kind == Kind::Load
                    || self.same_owner(at, before)
                    || reading == Reading::Ranges && self.differ(at, before, &mut conditions)
            };
            let other =
                before.iter().find(|pair| covered && !settled(pair)).map(|(other, _)| *other);
            if covered && other.is_none() {
                conditions.into_iter().for_each(|condition| add(&mut requires, condition));
                before.push((access, numbers));
                continue;
            }
            let what = match (covered, store) {
                (true, _) => {
                    "can be an element of another work-item, by the other index into this slice"
                }
                (false, true) => "can be written by several work-items",
                (false, false) => "can be read while another work-item writes it",
            };
            let reported = |c: &Conflict| {
                let same = |(a, b): (&Expr, &Expr)| a.same(b);
                accesses.iter().any(|other| {
                    other.site == c.site && other.indices.iter().zip(&access.indices).all(same)
                })
            };
            if conflicts.iter().any(reported) {
                continue;
            }
            let help = match (other.is_some(), store, self.kernel.group) {
                (_, false, _) => LOAD_HELP,
                (true, true, _) => PAIR_HELP,
                (false, true, None) => STORE_HELP,
                (false, true, Some(_)) => GROUP_HELP,
            };
            let (note, term) = match other {
                Some(other) => (PAIR_NOTE.into(), Some(other.site)),
                None => self.reason(access),
            };
            conflicts.push(Conflict { site: access.site, what: what.into(), note, term, help });
        }
        if conflicts.is_empty() { Ok(requires) } else { Err(conflicts) }
    }

    /// Refuses a store of every work-item of a group to one element of a shared array.
    fn check_shared(&self, access: &Access, conflicts: &mut Vec<Conflict>) {
        let Buffer::Array(array) = access.buffer else { return };
        let shared = self.kernel.arrays[array as usize].space == Space::Shared;
        if shared
            && self.kernel.group_size() > 1
            && access.indices.iter().all(|index| self.uniformity.expr(index))
        {
            let what = "is written by every work-item of the group".into();
            let note = "no part of the index differs between its work-items".into();
            let (site, help) = (access.site, SHARED_HELP);
            conflicts.push(Conflict { site, what, note, term: None, help });
        }
    }

    /// The indices of an access as numbers, and what must hold of them. Of several indices, those
    /// that say nothing of the work-item are left out.
    fn numbers(
        &self,
        access: &Access,
        used: &[bool],
        reading: Reading,
        conditions: &mut Vec<Expr>,
    ) -> Numbers {
        let alone = access.indices.len() == 1;
        let number = |(index, used): (&Expr, &bool)| {
            if !used {
                return None;
            }
            let mut own = Vec::new();
            let number = self
                .number(index, &access.guards, reading)
                .filter(|n| alone || !n.owners().is_empty())
                .filter(|n| n.conditions(access.site, &mut own))?;
            conditions.extend(own);
            Some(number)
        };
        access.indices.iter().zip(used).map(number).collect()
    }

    /// Why an access could not be shown to be one work-item's: what it is about, if that is a term of
    /// an index, and what is the matter with it.
    fn reason(&self, access: &Access) -> (String, Option<u32>) {
        let lost = access.indices.iter().find_map(|index| self.lost(index, &access.guards));
        if lost.is_some() {
            let note = "is the term that the proof could not follow: several work-items may have the \
                        same value there";
            return (note.into(), lost);
        }
        let used = vec![true; access.indices.len()];
        let numbers = self.numbers(access, &used, Reading::Within, &mut Vec::new());
        let owners = owners(numbers.iter().flatten());
        let missing = |name: &str, owner: fn(u8) -> Owner, kind: fn(u8) -> ExprKind| {
            let told = |d: u8| {
                self.extents[usize::from(d)] == Some(1) || self.tells(&owners, owner(d), kind(d))
            };
            (0..self.kernel.rank).find(|d| !told(*d)).map(|d| format!("{name}({d})"))
        };
        let missing = match self.kernel.group {
            None => missing("gid", Owner::Gid, ExprKind::Gid),
            Some(_) => missing("grp", Owner::Group, ExprKind::Group)
                .or_else(|| self.lane(&owners, &access.guards).map(|d| format!("lid({d})"))),
        };
        let note = match missing {
            Some(missing) => format!(
                "the index is the same for work-items that differ in `{missing}` alone, as far as the \
                 proof sees"
            ),
            None => "as far as the proof sees, another work-item may have the same element".into(),
        };
        (note, None)
    }

    /// Whether the owners say what a position of the work-item is.
    fn tells(&self, owners: &[Owner], owner: Owner, kind: ExprKind) -> bool {
        owners.contains(&owner)
            || part::tells(owners, &Expr { kind, ty: crate::Type::Usize, site: 0 })
    }

    /// Whether an element of both accesses is of one work-item.
    fn same_owner(&self, at: (&Access, &Numbers), other: (&Access, &Numbers)) -> bool {
        let common = pairs(at.1, other.1).filter(|(a, b)| a.same_digits(b));
        let owners = owners(common.map(|(a, _)| a));
        self.covers(&owners, &at.0.guards) && self.same_lanes(&owners, at.0, other.0)
    }

    /// Whether no element is one of both accesses; adds what that rests on.
    fn differ(
        &self,
        (at, numbers): (&Access, &Numbers),
        (_, others): (&Access, &Numbers),
        conditions: &mut Vec<Expr>,
    ) -> bool {
        let mut pairs = pairs(numbers, others);
        pairs.any(|(a, b)| self.apart(a, b, at.site, conditions))
    }

    /// Whether owners and guards say which work-item it is.
    fn covers(&self, owners: &[Owner], guards: &[Guard]) -> bool {
        let domain = |owner: fn(u8) -> Owner, kind: fn(u8) -> ExprKind| {
            (0..self.kernel.rank).all(|d| {
                self.extents[usize::from(d)] == Some(1) || self.tells(owners, owner(d), kind(d))
            })
        };
        match self.kernel.group {
            None => domain(Owner::Gid, ExprKind::Gid),
            Some(_) => domain(Owner::Group, ExprKind::Group) && self.lane(owners, guards).is_none(),
        }
    }

    /// A dimension of the group along which the owners and guards do not say which work-item it is.
    fn lane(&self, owners: &[Owner], guards: &[Guard]) -> Option<u8> {
        let size = self.kernel.group.unwrap_or([1; 3]);
        let told = |d: u8| {
            size[usize::from(d)] == 1
                || guards.iter().any(|g| matches!(g, Guard::Lid(of, _) if *of == d))
                || self.tells(owners, Owner::Lid(d), ExprKind::Lid(d))
        };
        let turn = |turn: &u32| self.tells(owners, Owner::Lane, ExprKind::Var(*turn));
        let all = self.shared_ends.keys().any(turn);
        (0..3).find(|d| !all && !told(*d))
    }

    /// Whether two accesses whose indices are equal are of one lane, as far as their conditions must
    /// say so.
    fn same_lanes(&self, owners: &[Owner], at: &Access, other: &Access) -> bool {
        let lane = |access: &Access, d: u8| {
            access.guards.iter().find_map(|guard| match guard {
                Guard::Lid(of, value) if *of == d => Some(*value),
                _ => None,
            })
        };
        let mut turns = self.shared_ends.keys();
        let shared = turns.any(|turn| self.tells(owners, Owner::Lane, ExprKind::Var(*turn)));
        let free = |d: &u8| !shared && !self.tells(owners, Owner::Lid(*d), ExprKind::Lid(*d));
        (0..3).filter(free).all(|d| lane(at, d) == lane(other, d))
    }
}

/// Reports plain uses of a buffer that has atomic operations.
fn mixed(accesses: &[&Access], conflicts: &mut Vec<Conflict>) {
    for access in accesses.iter().filter(|access| access.kind != Kind::Atomic) {
        let verb = if access.kind == Kind::Store { "written" } else { "read" };
        let what = format!("can be {verb} while another work-item changes it atomically");
        let note = "atomic and plain accesses of one slice do not wait for each other".into();
        let (site, help) = (access.site, ATOMIC_HELP);
        conflicts.push(Conflict { site, what, note, term: None, help });
    }
}

fn literal(e: &Expr) -> Option<i128> {
    match e.kind {
        ExprKind::Int(value) => Some(value),
        _ => None,
    }
}
