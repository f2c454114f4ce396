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
//! Elements of a shared array may move between work-items at barriers; of those, only a store by every
//! work-item to one element is refused here, and the interpreter names the other races.

mod facts;
mod number;

use crate::{Buffer, Expr, ExprKind, Kernel, Space};
use facts::{Access, Facts, Guard, Kind};
use number::{Number, Owner};

/// An access that two work-items may have in common.
pub struct Conflict {
    /// The access.
    pub site: u32,
    /// What is wrong, after the access.
    pub what: String,
    /// What to do about it.
    pub help: &'static str,
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
///
/// # Errors
/// The accesses of which that could not be shown.
pub fn requirements(kernel: &Kernel, domain: &[Expr]) -> Result<Vec<Expr>, Vec<Conflict>> {
    let facts = Facts::of(kernel, domain);
    let accesses = facts.accesses();
    let (mut requires, mut conflicts) = (Vec::new(), Vec::new());
    for index in 0..kernel.params.len() {
        let buffer = Buffer::Param(index as u32);
        let accesses: Vec<_> = accesses.iter().filter(|a| a.buffer == buffer).collect();
        if accesses.iter().any(|access| access.kind == Kind::Atomic) {
            mixed(&accesses, &mut conflicts);
        } else if accesses.iter().any(|access| access.kind == Kind::Store) {
            match facts.fewest(&accesses) {
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

/// Whether each work-item changes elements of its own only, if it changes any of the buffer.
pub fn has_own_elements(kernel: &Kernel, buffer: Buffer) -> bool {
    let facts = Facts::of(kernel, &[]);
    let accesses = facts.accesses();
    let changes = |a: &&Access<'_>| a.buffer == buffer && a.kind != Kind::Load;
    let changes: Vec<_> = accesses.iter().filter(changes).collect();
    facts.fewest(&changes).is_ok()
}

/// Each index of an access; `None` for one that does not help to tell the work-item.
type Numbers = Vec<Option<Number>>;

/// Adds a condition that is not there yet.
fn add(conditions: &mut Vec<Expr>, condition: Expr) {
    if !conditions.iter().any(|known| known.same(&condition)) {
        conditions.push(condition);
    }
}

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

impl Facts<'_> {
    /// The requirements of the accesses to a buffer, without those of indices that need not tell the
    /// work-item as others do.
    fn fewest(&self, accesses: &[&Access<'_>]) -> Result<Vec<Expr>, Vec<Conflict>> {
        let rank = accesses.first().map_or(0, |access| access.indices.len());
        let mut used = vec![true; rank];
        let mut best = self.check(accesses, &used)?;
        for d in 0..rank {
            used[d] = false;
            match self.check(accesses, &used) {
                Ok(fewer) if fewer.len() < best.len() => best = fewer,
                _ => used[d] = true,
            }
        }
        Ok(best)
    }

    /// The requirements of the accesses to a buffer, of whose indices some are used.
    fn check(&self, accesses: &[&Access<'_>], used: &[bool]) -> Result<Vec<Expr>, Vec<Conflict>> {
        let (mut requires, mut conflicts) = (Vec::new(), Vec::new());
        // What the accesses so far have in common, and one of them.
        let mut known: Option<(Numbers, &Access<'_>)> = None;
        for access in accesses {
            let store = access.kind == Kind::Store;
            let mut conditions = Vec::new();
            let mut numbers = self.numbers(access, used, &mut conditions);
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
                conditions.into_iter().for_each(|condition| add(&mut requires, condition));
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
        if conflicts.is_empty() { Ok(requires) } else { Err(conflicts) }
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
    fn numbers(&self, access: &Access<'_>, used: &[bool], conditions: &mut Vec<Expr>) -> Numbers {
        let alone = access.indices.len() == 1;
        let number = |(index, used): (&Expr, &bool)| {
            if !used {
                return None;
            }
            let mut own = Vec::new();
            let number = self
                .number(index, &access.guards)
                .filter(|n| alone || !n.owners().is_empty())
                .filter(|n| n.conditions(access.site, &mut own))?;
            conditions.extend(own);
            Some(number)
        };
        access.indices.iter().zip(used).map(number).collect()
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
