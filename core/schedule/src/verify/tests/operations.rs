//! Every operation by direct moves, two-sided and one-sided, against what it must leave.

use super::*;
use crate::{BufferMode, Moves, Operation, Request};
use ringwood_base::DType;

/// Every rank sends what others need straight to them, and merges in the order of the ranks.
struct Direct(Operation);

impl Collective for Direct {
    fn describe(&self) -> Descriptor {
        Descriptor::new("direct", self.0).out_of_place()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let one = |c: usize| p.span(c, 1);
        for to in (0..p.ranks()).filter(|&to| to != rank.index()) {
            for chunk in 0..p.chunks() {
                let Some(from) = p.result(to, chunk) else { continue };
                if from.ranks.contains(&rank.index()) {
                    s.send(p.rank(to), p.of_input(one(from.chunk)));
                }
            }
        }
        for chunk in 0..p.chunks() {
            let Some(from) = p.result(rank.index(), chunk) else { continue };
            let target = one(chunk);
            for peer in from.ranks.clone() {
                let source = p.of_input(one(from.chunk));
                match (peer == rank.index(), peer == from.ranks.start) {
                    (true, true) => s.copy(source, target),
                    (true, false) => s.reduce(source, target),
                    (false, true) => s.recv(p.rank(peer), target),
                    (false, false) => s.recv_reduce(p.rank(peer), target),
                }
            }
        }
    }
}

/// The same by reads of the peers' inputs; a barrier keeps inputs alive until all are read.
struct Reading(Operation);

impl Collective for Reading {
    fn describe(&self) -> Descriptor {
        Descriptor::new("reading", self.0).out_of_place().needs_peer_load()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for chunk in 0..p.chunks() {
            let Some(from) = p.result(rank.index(), chunk) else { continue };
            let (source, target) = (p.of_input(p.span(from.chunk, 1)), p.span(chunk, 1));
            for peer in from.ranks.clone() {
                match (peer == rank.index(), peer == from.ranks.start) {
                    (true, true) => s.copy(source, target),
                    (true, false) => s.reduce(source, target),
                    (false, true) => s.get(p.rank(peer), source, target),
                    (false, false) => s.get_reduce(p.rank(peer), source, target),
                }
            }
        }
        s.barrier();
    }
}

fn operations() -> impl Iterator<Item = Operation> {
    Operation::ALL.into_iter().filter(|o| *o != Operation::Barrier)
}

fn proved(collective: &dyn Collective, n: usize, root: usize) -> Verdict {
    let turn: Vec<usize> = (0..n).map(|r| (r + 1) % n).collect();
    let request = Request::new(collective.describe().operation, n, 1, DType::F32).root(root);
    let request = if root == 0 { request } else { request.permutation(turn) };
    let verdict = verify(collective, &collective.resolve(&request).unwrap()).unwrap();
    assert!(verdict.ok(), "{} {verdict}", collective.describe().operation);
    verdict
}

/// A broadcast that merges into a place which is overwritten before it matters.
struct Merging;

impl Collective for Merging {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("merging")
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        if rank != p.root() {
            return s.recv(p.root(), p.all());
        }
        s.copy(p.all(), p.scratch(0_usize));
        s.reduce(p.all(), p.scratch(0_usize));
        (1..p.ranks()).for_each(|distance| s.send(rank + distance, p.all()));
    }
}

#[test]
fn a_merge_in_an_operation_that_does_not_reduce_is_refused_at_its_step() {
    // A large group is not followed rank by rank where it need not be.
    for n in [3, 300] {
        let params = Params::new(&Merging.describe(), n).unwrap();
        let schedule = Schedule::of(&Merging, &params).unwrap();
        for verdict in [verify(&Merging, &params), verify_schedule(&schedule, &params)] {
            let text = verdict.unwrap().to_string();
            assert!(text.contains("broadcast does not reduce, and the step merges"), "{text}");
            assert!(text.contains("rank 0 step 1"), "{text}");
        }
    }
}

#[test]
fn direct_schedules_of_every_operation_are_proved_for_every_root() {
    for operation in operations() {
        for n in 1..=5 {
            for root in 0..n {
                let verdict = proved(&Direct(operation), n, root);
                let order = operation.reduces().then_some(Order::Linear);
                assert_eq!(verdict.order, order, "{verdict}");
                assert_eq!(verdict.moves, Moves::SameChunk, "{operation}");
                let verdict = proved(&Reading(operation), n, root);
                assert_eq!((verdict.order, verdict.moves), (order, Moves::SameChunk));
                assert_eq!(verdict.signals as usize, n);
                assert_eq!(verdict.messages, 0);
            }
        }
    }
}

#[test]
fn a_direct_schedule_of_another_operation_is_wrong() {
    for (wrong, operation) in operations().zip(operations().skip(1)) {
        if wrong.blocked() != operation.blocked() {
            continue;
        }
        let schedule = |operation| {
            let collective = Direct(operation);
            let params = Params::new(&collective.describe(), 4).unwrap();
            (Schedule::of(&collective, &params).unwrap(), params)
        };
        let verdict = verify_schedule(&schedule(wrong).0, &schedule(operation).1).unwrap();
        assert!(!verdict.ok(), "{wrong} passes as {operation}");
    }
}

#[test]
fn chunks_that_a_rank_does_not_hold_out_of_place_are_refused_by_name() {
    struct Greedy;
    impl Collective for Greedy {
        fn describe(&self) -> Descriptor {
            Descriptor::reduce_scatter("greedy").both_modes()
        }
        fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
            s.copy(p.input(rank.next()), p.chunk(rank.next()));
        }
    }
    let request = Request::new(Operation::ReduceScatter, 3, 1, DType::F32);
    let request = request.mode(BufferMode::OutOfPlace);
    let verdict = verify(&Greedy, &Greedy.resolve(&request).unwrap()).unwrap();
    let text = verdict.to_string();
    assert!(text.contains("rank 0 has no chunk 1 in reduce_scatter out of place"), "{text}");
}

#[test]
fn moves_between_chunks_are_told_from_moves_of_a_chunk() {
    let rotated = |by: usize| {
        verdict(4, move |p, rank, s| {
            let scratch = |c: usize| p.span((c + by) % 4, 1).of(Space::Scratch);
            for chunk in 0..4 {
                s.copy(p.span(chunk, 1), scratch(chunk));
            }
            for chunk in 0..4 {
                s.copy(scratch(chunk), p.span(chunk, 1));
            }
            Ring.schedule(p, rank, s);
        })
    };
    assert_eq!(rotated(0).moves, Moves::SameChunk);
    let moved = rotated(1);
    assert!(moved.ok(), "{moved}");
    assert_eq!(moved.moves, Moves::SameSegment);
}

fn barrier(ranks: usize, schedule: fn(&Params, Rank, &mut Lane)) -> Verdict {
    struct Meet(fn(&Params, Rank, &mut Lane));
    impl Collective for Meet {
        fn describe(&self) -> Descriptor {
            Descriptor::barrier("meet")
        }
        fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
            (self.0)(p, rank, s);
        }
    }
    let meet = Meet(schedule);
    verify(&meet, &Params::new(&meet.describe(), ranks).unwrap()).unwrap()
}

#[test]
fn a_barrier_is_proved_by_who_has_heard_of_whom() {
    let dissemination = |p: &Params, rank: Rank, s: &mut Lane| {
        let mut distance = 1;
        while distance < p.ranks() {
            s.signal(rank + distance);
            s.wait(rank - distance);
            distance *= 2;
        }
    };
    for ranks in 1..=17 {
        let verdict = barrier(ranks, dissemination);
        assert!(verdict.ok(), "{verdict}");
        assert!(barrier(ranks, |_, _, s| s.barrier()).ok());
    }
    let silent = barrier(3, |_, _, _| {});
    let text = silent.to_string();
    assert!(text.contains("rank 0 can leave the barrier before rank 1 has come"), "{text}");
    let neighbours = barrier(3, |_, rank, s| {
        s.signal(rank.next());
        s.wait(rank.prev());
    });
    let unheard = Finding::Unheard { rank: 0, other: 1 };
    assert_eq!(neighbours.findings, [unheard]);
}
