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
//! or if they are never equal: below some digit, one lies in a range that the other does not reach.
//!
//! Where weights are parameters, a sum can be read as several numbers. Each is sound under its requirements;
//! the one is taken whose requirements hold for most launches of a sample.
//!
//! Elements of a shared array may move between work-items at barriers; of those, only a store by every
//! work-item to one element is refused here, and the interpreter names the other races.

mod conflict;
mod digit;
mod facts;
mod grid;
mod number;
mod part;
mod range;
mod samples;
mod sum;
mod way;

use crate::{Buffer, Expr, ExprKind, Kernel, Type};
pub use conflict::Conflict;
use conflict::{LOAD_NOTE, PAIR_NOTE, mixed, refused};
use digit::Owner;
use facts::{Access, Facts, Guard, Kind};
pub use grid::{Along, along, has_own_elements};
use number::{Number, Reading};

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
        } else if !kernel.modes.unique && accesses.iter().any(|access| access.kind == Kind::Store) {
            match facts.proved(buffer, |_| true) {
                Ok(all) => all.into_iter().for_each(|condition| add(&mut requires, condition)),
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
            let what = match covered {
                true => {
                    "can be an element of another work-item, by the other index into this slice"
                }
                false => refused(store),
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
            let help = self.help(store, other.is_some());
            let written = accesses.iter().find(|other| other.kind == Kind::Store);
            let (note, term) = match (other, self.reason(access), written) {
                (Some(other), ..) => (PAIR_NOTE.into(), Some(other.site)),
                (None, (_, None), Some(written)) if !store => {
                    (LOAD_NOTE.into(), Some(written.site))
                }
                (None, reason, _) => reason,
            };
            conflicts.push(Conflict { site: access.site, what: what.into(), note, term, help });
        }
        if conflicts.is_empty() { Ok(requires) } else { Err(conflicts) }
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

    /// Whether the owners say what a position of the work-item is.
    fn tells(&self, owners: &[Owner], owner: Owner, kind: ExprKind) -> bool {
        owners.contains(&owner) || part::tells(owners, &Expr { kind, ty: Type::Usize, site: 0 })
    }

    /// Whether an element of both accesses is of one work-item.
    fn same_owner(&self, at: (&Access, &Numbers), other: (&Access, &Numbers)) -> bool {
        let common = pairs(at.1, other.1).filter(|(a, b)| a.same_digits(b));
        let owners = owners(common.map(|(a, _)| a));
        self.covers(&owners, &at.0.guards) && self.same_lanes(&owners, at.0, other.0)
    }

    /// Whether no element is one of both accesses, or only of one work-item, as what is above some place of an
    /// index tells; adds what that rests on.
    fn differ(
        &self,
        (at, numbers): (&Access, &Numbers),
        (other, others): (&Access, &Numbers),
        conditions: &mut Vec<Expr>,
    ) -> bool {
        let told = |owners: Vec<Owner>| {
            self.covers(&owners, &at.guards) && self.same_lanes(&owners, at, other)
        };
        let mut pairs = pairs(numbers, others);
        pairs.any(|(a, b)| self.apart(a, b, &told, at.site, conditions))
    }

    /// Whether owners and guards say which work-item it is.
    fn covers(&self, owners: &[Owner], guards: &[Guard]) -> bool {
        self.untold(owners, guards).is_none()
    }

    /// A position of the work-item that owners and guards do not say.
    fn untold(&self, owners: &[Owner], guards: &[Guard]) -> Option<String> {
        let one = |d: u8| self.declared(d).and_then(literal) == Some(1);
        let domain = |name: &str, owner: fn(u8) -> Owner, kind: fn(u8) -> ExprKind| {
            let untold = |d: &u8| !one(*d) && !self.tells(owners, owner(*d), kind(*d));
            (0..self.kernel.rank).find(untold).map(|d| format!("{name}({d})"))
        };
        match self.kernel.group {
            None => domain("gid", Owner::Gid, ExprKind::Gid),
            Some(_) => domain("grp", Owner::Group, ExprKind::Group)
                .or_else(|| self.lane(owners, guards).map(|d| format!("lid({d})"))),
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

fn literal(e: &Expr) -> Option<i128> {
    match e.kind {
        ExprKind::Int(value) => Some(value),
        _ => None,
    }
}
