//! Single sequences of changes, and what the table says to each.

use super::super::*;
use super::{GROUP, World, id, submitted};
use ringwood_base::ErrorKind;

#[test]
fn late_instances_name_who_is_missing_and_what_they_wait_for() {
    let mut table = World::new(3, &[]).table;
    let waits = [After::Launched(id(7))];
    table.submit(id(1), 0, submitted(&waits)).unwrap();
    table.submit(id(1), 2, submitted(&[])).unwrap();
    let day = Instant::now() + Duration::from_secs(86_400);
    let error = table.late(day).unwrap();
    assert_eq!(error.message(), "rank 1 did not come to instance 1 of group 1 in time");
    assert_eq!(error.get("waits"), Some("rank 0 for instance 7 of group 1"));
    assert_eq!(table.late(Instant::now()).map(|e| e.to_string()), None);
}

#[test]
fn of_several_instances_that_are_late_the_one_that_is_late_for_longest_is_named() {
    let mut table = World::new(2, &[]).table;
    let by = |seconds| {
        let arrival = Instant::now() + Duration::from_secs(seconds);
        Submitted { arrival, ..submitted(&[]) }
    };
    for (key, seconds) in [(1, 30), (2, 10), (3, 20)] {
        table.submit(id(key), 0, by(seconds)).unwrap();
    }
    let late = |table: &Table| table.late(Instant::now() + Duration::from_secs(60)).unwrap();
    assert_eq!(late(&table).message(), "rank 1 did not come to instance 2 of group 1 in time");
    table.submit(id(2), 1, by(5)).unwrap();
    assert_eq!(late(&table).message(), "rank 1 did not come to instance 3 of group 1 in time");
    assert!(table.next_deadline().unwrap() > Instant::now() + Duration::from_secs(15));
}

#[test]
fn a_key_is_used_once_until_its_step_is_retired() {
    let mut table = World::new(1, &[]).table;
    table.submit(id(1), 0, submitted(&[])).unwrap();
    table.begin(id(1), 0);
    let again = |table: &mut Table| table.submit(id(1), 0, submitted(&[])).err();
    assert_eq!(again(&mut table).unwrap().message(), "rank 0 submits instance 1 of group 1 again");
    table.end(id(1), 0, None);
    assert_eq!(again(&mut table).unwrap().kind(), ErrorKind::Duplicate);
    table.retire(0);
    assert!(again(&mut table).is_none());
    assert!(table.seat(GROUP, (0, 1), false).is_err());
    assert!(table.seat(GROUP, (1, 2), false).is_err());
}

#[test]
fn groups_that_agree_on_an_order_start_what_has_its_turn() {
    let mut table = Table::default();
    table.seat(GROUP, (1, 2), true).unwrap();
    for key in [8, 3] {
        table.submit(id(key), 1, submitted(&[])).unwrap();
        let effects = std::mem::take(&mut table.effects);
        assert!(matches!(effects[..], [Effect::Ask(asked, 1, _)] if asked == id(key)));
        assert!(!table.cancel(id(key), 1), "others count on it");
    }
    table.turn(id(8), 1);
    assert!(table.effects.is_empty());
    table.turn(id(3), 0);
    let launched = &table.effects[..];
    assert!(
        matches!(*launched, [Effect::Launch(a), Effect::Launch(b)] if a == id(3) && b == id(8))
    );
}

#[test]
fn a_group_whose_ranks_have_left_stays_until_the_last_one_is_over() {
    let mut table = World::new(2, &[]).table;
    for rank in 0..2 {
        table.submit(id(1), rank, submitted(&[])).unwrap();
        table.begin(id(1), rank);
        table.leave(GROUP, rank);
    }
    table.end(id(1), 0, None);
    table.unseat(GROUP, 0);
    let error = table.seat(GROUP, (1, 2), false).unwrap_err();
    assert_eq!(error.message(), "rank 1 joins group 1 that it is in already");
    table.end(id(1), 1, None);
    table.unseat(GROUP, 1);
    (0..2).for_each(|rank| table.seat(GROUP, (rank, 2), false).unwrap());
}

#[test]
fn what_comes_after_an_instance_that_is_over_starts_also_when_that_is_retired() {
    let mut table = World::new(2, &[]).table;
    let next = InstanceId { step: 1, ..id(1) };
    for rank in 0..2 {
        table.submit(id(1), rank, submitted(&[])).unwrap();
    }
    table.submit(next, 0, submitted(&[After::Completed(id(1))])).unwrap();
    for rank in 0..2 {
        table.begin(id(1), rank);
        table.end(id(1), rank, None);
    }
    table.retire(0);
    table.effects.clear();
    table.submit(next, 1, submitted(&[])).unwrap();
    assert!(matches!(table.effects[..], [Effect::Launch(launched)] if launched == next));
}

#[test]
fn what_ended_in_a_group_is_known_until_its_number_is_taken_again() {
    let mut table = World::new(1, &[]).table;
    let run = |table: &mut Table| {
        table.submit(id(1), 0, submitted(&[])).unwrap();
        table.begin(id(1), 0);
        table.end(id(1), 0, None);
    };
    let go = |table: &mut Table| {
        table.leave(GROUP, 0);
        assert!(table.is_over(GROUP, 0));
        table.unseat(GROUP, 0);
    };
    run(&mut table);
    table.seat(2, (0, 2), false).unwrap();
    table.seat(2, (1, 2), false).unwrap();
    let other = InstanceId { group: 2, ..id(1) };
    table.submit(other, 0, submitted(&[After::Completed(id(1))])).unwrap();
    go(&mut table);
    let late = InstanceId { key: 2, ..other };
    table.submit(late, 0, submitted(&[After::Completed(id(1))])).unwrap();
    table.seat(GROUP, (0, 1), false).unwrap();
    assert!(table.ended.is_empty() && table.waiters.is_empty());
    run(&mut table);
    go(&mut table);
    table.effects.clear();
    table.submit(late, 1, submitted(&[])).unwrap();
    assert_eq!(table.effects.len(), 1, "it came after what was over");
    table.effects.clear();
    table.submit(other, 1, submitted(&[])).unwrap();
    let [Effect::Launch(launched)] = table.effects[..] else { panic!("{:?}", table.effects) };
    assert_eq!(launched, other, "what it waits for was over before its group was gone");
}

#[test]
fn instances_that_are_cancelled_leave_nothing_at_those_they_wait_for() {
    let mut table = World::new(2, &[]).table;
    let never = [After::Launched(InstanceId { group: 9, ..id(1) }), After::Completed(id(99))];
    for key in 0..10 {
        table.submit(id(key), 0, submitted(&never)).unwrap();
        assert!(table.cancel(id(key), 0));
    }
    assert!(table.waiters.is_empty() && table.deadlines.is_empty());
    // A circle is refused too.
    table.submit(id(10), 0, submitted(&[After::Launched(id(10)), never[0]])).unwrap();
    assert!(table.waiters.is_empty() && table.deadlines.is_empty());
}

/// How long it takes to run `n` calls whose turns come when all are submitted.
fn by_turns(n: u64) -> Duration {
    let mut table = Table::default();
    table.seat(GROUP, (1, 2), true).unwrap();
    let start = Instant::now();
    (0..n).for_each(|key| table.submit(id(key), 1, submitted(&[])).unwrap());
    table.effects.clear();
    (0..n).for_each(|key| table.turn(id(key), n - 1 - key));
    assert_eq!(table.effects.len(), n as usize);
    for key in (0..n).rev() {
        table.begin(id(key), 1);
        table.end(id(key), 1, None);
    }
    start.elapsed()
}

#[test]
fn a_turn_is_found_without_a_walk_over_all_that_is_open() {
    let few: Duration = (0..10).map(|_| by_turns(2_000)).sum();
    let many = by_turns(20_000);
    assert!(many < 4 * few + Duration::from_secs(2), "{many:?}, in ten parts {few:?}");
}
