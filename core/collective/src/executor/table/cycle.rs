//! Instances that wait for each other.

use super::Table;
use crate::instance::{After, InstanceId};
use ringwood_base::Error;
use std::collections::HashSet;
use std::fmt::Write;

/// The error of a circle of waits through `instance`, on whichever ranks the waits are: none of them
/// would ever start.
pub(super) fn find(table: &Table, instance: InstanceId) -> Option<Error> {
    table.waiters.get(&instance)?;
    let mut seen = HashSet::new();
    let mut path = vec![(instance, waits_for(table, instance))];
    while let Some((_, next)) = path.last_mut() {
        let Some(other) = next.pop() else {
            path.pop();
            continue;
        };
        if other == instance {
            let mut message = "instances wait for each other: ".to_owned();
            for (id, _) in &path {
                let _ = write!(message, "{id} after ");
            }
            let error = Error::invalid(format!("{message}{instance}"));
            return Some(error.help("let every rank name only instances that come before"));
        }
        if seen.insert(other) {
            path.push((other, waits_for(table, other)));
        }
    }
    None
}

fn waits_for(table: &Table, instance: InstanceId) -> Vec<InstanceId> {
    let Some(open) = table.open.get(&instance).filter(|open| !open.launched) else {
        return Vec::new();
    };
    let unreached = open.afters().filter(|after| table.reached(*after).is_none());
    unreached.map(After::instance).collect()
}
