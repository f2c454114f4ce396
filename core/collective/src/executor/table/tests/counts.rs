//! What the table keeps beside the open instances.

use super::super::*;
use super::GROUP;

/// It is what a walk over them finds.
pub(super) fn check(table: &Table) {
    let (mut deadlines, mut pending) = (BTreeSet::new(), BTreeMap::<_, usize>::new());
    let mut waiters = HashMap::<_, BTreeSet<_>>::new();
    for (id, open) in &table.open {
        deadlines.extend(open.deadline.map(|at| (at, *id)));
        for (rank, stage) in &open.ranks {
            *pending.entry(*rank).or_default() += usize::from(*stage != Stage::Ended);
        }
        let firsts = open.afters().filter(|_| !open.launched).map(After::instance);
        for first in firsts.filter(|first| !table.ended.contains_key(first)) {
            waiters.entry(first).or_default().insert(*id);
        }
    }
    assert_eq!((&table.deadlines, &table.waiters), (&deadlines, &waiters));
    let mut seats = table.groups[&GROUP].clone();
    for rank in 0..3 {
        assert_eq!(*seats.pending(rank), pending.get(&rank).copied().unwrap_or_default());
    }
}
