//! Every order of events of small programs, and what must hold in each.

use super::*;
use ringwood_base::ErrorKind;
use std::collections::HashSet;

const GROUP: u64 = 1;

fn id(key: u64) -> InstanceId {
    InstanceId { group: GROUP, step: 0, key }
}

fn submitted(after: &[After]) -> Submitted {
    let now = Instant::now();
    let hour = Duration::from_secs(3600);
    Submitted { after: after.to_vec(), arrival: now + hour, execution: hour }
}

/// What one rank submits, in this order.
type Program = Vec<(u64, Vec<After>)>;

/// One state of the exploration: the table, and what surrounds it.
#[derive(Clone)]
struct World {
    table: Table,
    /// For each rank: how far its program is, its queue, what runs, and the ends so far.
    ranks: Vec<RankState>,
    /// The failures that may still happen.
    faults: Vec<Fault>,
    launches: Vec<u64>,
}

#[derive(Clone, Default)]
struct RankState {
    next: usize,
    queue: Vec<u64>,
    running: Option<u64>,
    begun: Vec<u64>,
    ends: Vec<(u64, Option<String>)>,
}

#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Abort,
    Cancel(usize, u64),
    Leave(usize),
}

#[derive(Clone, Copy)]
enum Event {
    Submit(usize),
    Begin(usize),
    End(usize),
    Fault(usize),
}

impl World {
    fn new(ranks: usize, faults: &[Fault]) -> Self {
        let mut table = Table::default();
        for rank in 0..ranks {
            table.seat(GROUP, (rank, ranks), false).unwrap();
        }
        let ranks = vec![RankState::default(); ranks];
        Self { table, ranks, faults: faults.to_vec(), launches: Vec::new() }
    }

    fn events(&self, programs: &[Program]) -> Vec<Event> {
        let mut events = Vec::new();
        for (rank, state) in self.ranks.iter().enumerate() {
            if state.next < programs[rank].len() {
                events.push(Event::Submit(rank));
            }
            match state.running {
                Some(_) => events.push(Event::End(rank)),
                None if !state.queue.is_empty() => events.push(Event::Begin(rank)),
                None => {}
            }
        }
        events.extend((0..self.faults.len()).map(Event::Fault));
        events
    }

    fn happen(&mut self, event: Event, programs: &[Program]) {
        match event {
            Event::Submit(rank) => {
                let (key, after) = &programs[rank][self.ranks[rank].next];
                self.ranks[rank].next += 1;
                if let Err(error) = self.table.submit(id(*key), rank, submitted(after)) {
                    self.ranks[rank].ends.push((*key, Some(error.to_string())));
                }
            }
            Event::Begin(rank) => {
                let key = self.ranks[rank].queue.remove(0);
                self.ranks[rank].running = Some(key);
                self.ranks[rank].begun.push(key);
                self.table.begin(id(key), rank);
            }
            Event::End(rank) => {
                let key = self.ranks[rank].running.take().unwrap();
                let failure = self.table.failure.clone();
                let text = failure.as_ref().map(ToString::to_string);
                self.ranks[rank].ends.push((key, text));
                self.table.end(id(key), rank, failure);
            }
            Event::Fault(i) => match self.faults.remove(i) {
                Fault::Abort => drop(self.table.abort(Error::new(ErrorKind::Aborted, "enough"))),
                Fault::Cancel(rank, key) => {
                    self.table.cancel(id(key), rank);
                }
                Fault::Leave(rank) => {
                    self.ranks[rank].next = programs[rank].len();
                    self.table.leave(GROUP, rank);
                }
            },
        }
        self.apply();
        counts::check(&self.table);
    }

    fn apply(&mut self) {
        for effect in std::mem::take(&mut self.table.effects) {
            match effect {
                Effect::Launch(instance) => {
                    self.launches.push(instance.key);
                    for state in &mut self.ranks {
                        state.queue.push(instance.key);
                    }
                }
                Effect::Refuse(instance, rank, error) => {
                    let state = &mut self.ranks[rank];
                    state.queue.retain(|key| *key != instance.key);
                    state.ends.push((instance.key, Some(error.to_string())));
                }
                Effect::Fail(_) => {}
                Effect::Ask(..) => unreachable!("every rank is here"),
            }
        }
    }

    /// What tells states apart.
    fn summary(&self) -> String {
        let ranks = self.ranks.iter().map(|r| {
            format!("{} {:?} {:?} {:?} {:?}", r.next, r.queue, r.running, r.begun, r.ends)
        });
        let ranks: Vec<_> = ranks.collect();
        format!("{ranks:?} {} {:?}", self.faults.len(), self.launches)
    }
}

/// Walks every order of events; returns the final states.
fn explore(programs: &[Program], faults: &[Fault]) -> Vec<World> {
    let mut seen = HashSet::new();
    let mut open = vec![World::new(programs.len(), faults)];
    let mut finals = Vec::new();
    while let Some(world) = open.pop() {
        if !seen.insert(world.summary()) {
            continue;
        }
        let events = world.events(programs);
        if events.is_empty() {
            finals.push(world);
            continue;
        }
        for event in events {
            let mut next = world.clone();
            next.happen(event, programs);
            open.push(next);
        }
    }
    assert!(!finals.is_empty());
    finals
}

/// Every submission has ended once; ranks began the same instances in one order; what failed on one
/// rank before it began failed on all with the same error.
fn check(world: &World, programs: &[Program]) {
    for (rank, state) in world.ranks.iter().enumerate() {
        let mut ended: Vec<_> = state.ends.iter().map(|(key, _)| *key).collect();
        ended.sort_unstable();
        let mut wanted: Vec<_> = programs[rank].iter().map(|(key, _)| *key).collect();
        wanted.sort_unstable();
        if world.table.failure.is_none() {
            assert_eq!(ended, wanted, "rank {rank}: {}", world.summary());
        }
        ended.dedup();
        assert_eq!(ended.len(), state.ends.len(), "ends twice: {}", world.summary());
        let order: Vec<_> = world.launches.iter().filter(|k| state.begun.contains(k)).collect();
        assert_eq!(order, state.begun.iter().collect::<Vec<_>>());
    }
    assert!(world.table.open.is_empty(), "left open: {}", world.summary());
}

fn plain(keys: &[u64]) -> Program {
    keys.iter().map(|key| (*key, Vec::new())).collect()
}

#[test]
fn ranks_that_submit_in_different_orders_always_run_everything_in_one_order() {
    let programs = [plain(&[1, 2, 3]), plain(&[3, 1, 2])];
    for world in explore(&programs, &[]) {
        check(&world, &programs);
        let fine = |state: &RankState| state.ends.iter().all(|(_, error)| error.is_none());
        assert!(world.ranks.iter().all(fine), "{}", world.summary());
    }
    let programs = [plain(&[1, 2]), plain(&[2, 1]), plain(&[1, 2])];
    for world in explore(&programs, &[]) {
        check(&world, &programs);
        assert_eq!(world.ranks[0].begun, world.ranks[2].begun);
    }
}

#[test]
fn an_abort_at_every_point_ends_every_submission_once_with_the_same_error() {
    let after = |key| vec![After::Launched(id(key))];
    let programs = [vec![(2, after(1)), (1, vec![])], vec![(1, vec![]), (2, vec![])]];
    let finals = explore(&programs, &[Fault::Abort]);
    for world in &finals {
        check(world, &programs);
        let errors = world.ranks.iter().flat_map(|s| s.ends.iter().filter_map(|e| e.1.as_ref()));
        assert!(errors.into_iter().all(|text| text == "enough"), "{}", world.summary());
    }
    let untouched = |w: &World| w.ranks.iter().all(|s| s.ends.iter().all(|e| e.1.is_none()));
    assert!(finals.iter().any(untouched) && finals.iter().any(|w| !untouched(w)));
}

#[test]
fn a_cancel_at_every_point_ends_one_instance_everywhere_or_changes_nothing() {
    let programs = [plain(&[1, 2]), plain(&[2, 1])];
    for world in explore(&programs, &[Fault::Cancel(0, 1)]) {
        check(&world, &programs);
        let of = |key: u64| -> Vec<_> {
            let ends = world.ranks.iter().flat_map(|s| s.ends.iter());
            ends.filter(|(k, _)| *k == key).map(|(_, error)| error.clone()).collect()
        };
        assert_eq!(of(2), [None, None]);
        assert!(of(1)[0] == of(1)[1], "{}", world.summary());
        assert!(of(1)[0].as_ref().is_none_or(|e| e == "rank 0 cancelled instance 1 of group 1"));
    }
}

#[test]
fn a_rank_that_leaves_at_every_point_leaves_nobody_waiting() {
    let programs = [plain(&[1, 2]), plain(&[2, 1])];
    for world in explore(&programs, &[Fault::Leave(1)]) {
        check(&world, &programs);
        let errors = world.ranks.iter().flat_map(|s| s.ends.iter().filter_map(|e| e.1.as_ref()));
        for text in errors {
            assert!(text.starts_with("rank 1 of 2 left the group before instance"), "{text}");
        }
    }
}

#[test]
fn what_comes_after_starts_after_in_every_order() {
    for after in [After::Launched(id(9)), After::Completed(id(9))] {
        let programs = [vec![(1, vec![after]), (9, vec![])], vec![(1, vec![]), (9, vec![])]];
        for world in explore(&programs, &[]) {
            check(&world, &programs);
            assert_eq!(world.launches, [9, 1]);
        }
    }
}

#[test]
fn what_comes_after_a_cancelled_instance_fails_with_the_same_error() {
    let programs = [
        vec![(1, vec![]), (2, vec![After::Launched(id(1))]), (3, vec![After::Completed(id(2))])],
        plain(&[2, 3]),
    ];
    for world in explore(&programs, &[Fault::Cancel(0, 1)]) {
        let failed = world.ranks[1].ends.iter().filter_map(|(_, error)| error.as_deref());
        for text in failed {
            assert_eq!(text, "rank 0 cancelled instance 1 of group 1");
        }
    }
}

#[test]
fn instances_that_wait_for_each_other_are_refused_at_once_even_across_ranks() {
    let after = |key| vec![After::Completed(id(key))];
    let programs = [vec![(1, after(2)), (2, vec![])], vec![(2, after(1)), (1, vec![])]];
    for world in explore(&programs, &[]) {
        check(&world, &programs);
        let errors: Vec<_> =
            world.ranks.iter().flat_map(|s| s.ends.iter().filter_map(|e| e.1.clone())).collect();
        assert_eq!(errors.len(), 4, "{errors:?}");
        assert!(errors.iter().any(|e| e.starts_with("instances wait for each other: ")));
    }
    let mut table = World::new(1, &[]).table;
    table.submit(id(5), 0, submitted(&after(5))).unwrap();
    let [Effect::Refuse(_, 0, error)] = &table.effects[..] else { panic!("{:?}", table.effects) };
    assert!(error.message().ends_with("instance 5 of group 1 after instance 5 of group 1"));
}

#[test]
fn a_long_chain_of_waits_is_walked_without_recursion() {
    let mut table = World::new(1, &[]).table;
    let last = 20_000;
    for key in (1..=last).rev() {
        let after = [After::Launched(id(key - 1))];
        table.submit(id(key), 0, submitted(&after)).unwrap();
        assert!(table.effects.is_empty());
    }
    table.submit(id(0), 0, submitted(&[After::Launched(id(last + 9))])).unwrap();
    assert!(table.cancel(id(0), 0));
    assert_eq!(table.effects.len(), last as usize + 1);
}

mod counts;
mod single;
