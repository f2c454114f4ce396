//! An access that two work-items may have in common, and what is said of it.

use super::facts::{Access, Facts, Kind};
use super::number::Reading;
use super::owners;
use crate::{Buffer, Expr, Space};

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

/// Two indices of one work-item.
macro_rules! pairs {
    () => {
        "halves `y[i]` and `y[i + half]` in `if i < half`, a mirrored pair `y[i]` and `y[n - 1 - i]` in \
         `if i < n / 2`, a butterfly `y[j]` and `y[j + p]` for `j = i / p * 2 * p + i % p` and \
         `domain = y.len() / 2`, or one of them in each row, behind `row * width`"
    };
}

/// What to do where nothing else helps.
macro_rules! give_up {
    () => {
        "or declare the kernel `unique` if you know that no two work-items meet (debug builds check it)"
    };
}

const STORE_HELP: &str = concat!(
    "give each work-item its own elements: index with `gid(0)`, with `gid(0) * k + c` for `c` in `0..k`, or \
     with `gid(1) * w + gid(0)`; or use two indices for each: ",
    pairs!(),
    "; ",
    give_up!(),
    "; or use an atomic operation, or declare the kernel `racy`"
);
const GROUP_HELP: &str = concat!(
    "give each work-item its own elements: index with `grp(0) * 256 + lid(0)` for a group of 256, with \
     `grp(0) * n + k` for `k` in `group_range(n)`, or store in `if lid(0) == 0`; or use two indices for each: ",
    pairs!(),
    "; ",
    give_up!(),
    "; or use an atomic operation, or declare the kernel `racy`"
);
const LOAD_HELP: &str = "read from a second slice, or only elements that this work-item writes; if no \
    other work-item writes them, declare the kernel `unique`: debug builds check it";
const PAIR_HELP: &str = concat!(
    "use one index into it, or keep the two apart by a condition or the declared domain: ",
    pairs!(),
    "; or use another slice; ",
    give_up!()
);
pub(super) const LOAD_NOTE: &str =
    "is written: as far as the proof sees, another work-item may write there what is read here";
pub(super) const PAIR_NOTE: &str = "is the other index: each alone is of one work-item, but as far as the proof sees the two may meet";
const ATOMIC_HELP: &str = "use atomic operations only, or read it in another kernel";
const SHARED_HELP: &str = "index with `lid(0)`, or store in `if lid(0) == 0`";

impl Facts<'_> {
    /// A requirement that no launch of several work-items meets.
    pub(super) fn never(&self, conditions: &[Expr]) -> Vec<Conflict> {
        let rare = |e: &&Expr| !self.samples.possible(std::slice::from_ref(e));
        let condition = conditions.iter().find(rare).unwrap_or(&conditions[0]);
        let read = |access: &Access| access.site == condition.site && access.kind == Kind::Load;
        let store = !self.accesses.iter().any(read);
        let text = self.kernel.show(condition);
        let text = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')).unwrap_or(&text);
        let note = format!(
            "no two work-items meet only where `{text}`, and of many launches that were tried that \
             holds for none"
        );
        let (what, help) = (refused(store).into(), self.help(store, false));
        vec![Conflict { site: condition.site, what, note, term: None, help }]
    }

    /// What to do about an access that several work-items may have, each alone or by two indices.
    pub(super) fn help(&self, store: bool, pair: bool) -> &'static str {
        match (pair, store, self.kernel.group) {
            (_, false, _) => LOAD_HELP,
            (true, true, _) => PAIR_HELP,
            (false, true, None) => STORE_HELP,
            (false, true, Some(_)) => GROUP_HELP,
        }
    }

    /// Why an access could not be shown to be one work-item's: what it is about, if that is a term of
    /// an index, and what is the matter with it.
    pub(super) fn reason(&self, access: &Access) -> (String, Option<u32>) {
        let lost = access.indices.iter().find_map(|index| self.lost(index, &access.guards));
        if lost.is_some() {
            let note = "is the term that the proof could not follow: as far as it sees, several work-items \
                        may have the same value there";
            return (note.into(), lost);
        }
        let used = vec![true; access.indices.len()];
        let numbers = self.numbers(access, &used, Reading::Literal, &mut Vec::new());
        let owners = owners(numbers.iter().flatten());
        let note = match self.untold(&owners, &access.guards) {
            Some(missing) => format!(
                "work-items that differ in `{missing}` alone may have the same index, as far as the \
                 proof sees"
            ),
            None => "as far as the proof sees, another work-item may have the same element".into(),
        };
        (note, None)
    }

    /// Refuses a store of every work-item of a group to one element of a shared array.
    pub(super) fn check_shared(&self, access: &Access, conflicts: &mut Vec<Conflict>) {
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
}

pub(super) fn refused(store: bool) -> &'static str {
    if store {
        "can be written by several work-items"
    } else {
        "can be read while another work-item writes it"
    }
}

/// Reports plain uses of a buffer that has atomic operations.
pub(super) fn mixed(accesses: &[&Access], conflicts: &mut Vec<Conflict>) {
    for access in accesses.iter().filter(|access| access.kind != Kind::Atomic) {
        let verb = if access.kind == Kind::Store { "written" } else { "read" };
        let what = format!("can be {verb} while another work-item changes it atomically");
        let note = "atomic and plain accesses of one slice do not wait for each other".into();
        let (site, help) = (access.site, ATOMIC_HELP);
        conflicts.push(Conflict { site, what, note, term: None, help });
    }
}
