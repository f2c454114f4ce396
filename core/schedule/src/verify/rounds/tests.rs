use super::super::lanes::Written;
use super::super::{Verdict, examine_each, prove_lanes, tests::Described, verify_schedule};
use super::*;
use crate::{Action, ChunkRange, Chunks, Descriptor, Lane, Rank, Schedule, Space};

fn in_rounds(source: Source<'_>) -> Option<Proof> {
    let mut proof = Proof::of(Verdict::new(&source.name(), source.params));
    examine(source, &mut proof).ok()?.then_some(proof)
}

fn held<'a>(collective: &'a Written<'a>, params: &'a Params) -> Source<'a> {
    Source { collective, params, all: true }
}

/// Merges a chunk of all inputs in the order of the ranks.
fn fold(p: &Params, rank: Rank, input: ChunkRange, own: ChunkRange, s: &mut Lane) {
    let (me, scratch) = (rank.index(), own.of(Space::Scratch));
    for from in 0..me {
        match from {
            0 => s.recv(p.rank(0), scratch),
            _ => s.recv_reduce(p.rank(from), scratch),
        }
    }
    if input != own {
        s.copy(input, own);
    }
    if me > 0 {
        s.set_left(true);
        s.reduce(scratch, own);
        s.set_left(false);
    }
    for from in me + 1..p.ranks() {
        s.recv_reduce(p.rank(from), own);
    }
}

fn reduce_scatter(p: &Params, rank: Rank, s: &mut Lane) {
    for distance in 1..p.ranks() {
        s.send(rank + distance, p.of_input(p.chunk(rank + distance)));
    }
    fold(p, rank, p.of_input(p.chunk(rank)), p.chunk(rank), s);
}

fn two_shot(p: &Params, rank: Rank, s: &mut Lane) {
    reduce_scatter(p, rank, s);
    for distance in 1..p.ranks() {
        s.send(rank + distance, p.chunk(rank));
    }
    for distance in 1..p.ranks() {
        s.recv(rank + distance, p.chunk(rank + distance));
    }
}

fn one_shot(p: &Params, rank: Rank, s: &mut Lane) {
    for distance in 1..p.ranks() {
        s.send(rank + distance, p.input(0_usize));
    }
    fold(p, rank, p.input(0_usize), p.all(), s);
}

fn all_to_all(p: &Params, rank: Rank, s: &mut Lane) {
    s.copy(p.input(rank), p.chunk(rank));
    for distance in 1..p.ranks() {
        s.send(rank + distance, p.input(rank + distance));
    }
    for distance in 1..p.ranks() {
        s.recv(rank + distance, p.chunk(rank + distance));
    }
}

/// Twice over: a channel has two messages at a time.
fn deep(p: &Params, rank: Rank, s: &mut Lane) {
    for _ in 0..2 {
        for distance in 1..p.ranks() {
            s.send(rank + distance, p.input(0_usize));
        }
    }
    for distance in 1..p.ranks() {
        s.recv(rank + distance, p.scratch(0_usize));
    }
    fold(p, rank, p.input(0_usize), p.all(), s);
}

fn written() -> Vec<Described> {
    let two_shot_of = Descriptor::all_reduce("two_shot").chunks(Chunks::PerRank);
    vec![
        Described(two_shot_of.clone(), two_shot),
        Described(two_shot_of.out_of_place(), two_shot),
        Described(Descriptor::reduce_scatter("direct").out_of_place(), reduce_scatter),
        Described(Descriptor::all_reduce("one_shot").out_of_place(), one_shot),
        Described(Descriptor::all_reduce("deep").out_of_place(), deep),
        Described(Descriptor::all_to_all("direct").out_of_place(), all_to_all),
    ]
}

#[test]
fn lanes_by_themselves_give_the_verdict_of_all_together() {
    for collective in &written() {
        for n in 3..9 {
            let params = Params::new(&collective.0, n).unwrap();
            let source = Source::new(collective, &params);
            let name = format!("{} of {n}", collective.0.name);
            let of_one = in_rounds(source).expect(&name);
            let mut of_all = Proof::of(Verdict::new(&collective.0.name, &params));
            assert!(examine_each(source, &mut of_all).is_ok(), "{name}");
            let (one, all) = (of_one.verdict, of_all.verdict);
            let races = one.races;
            let same = Verdict { races: all.races, by_symmetry: false, ..one };
            assert_eq!((same, races), (all, Races::NoneByMessages), "{name}");
            assert_eq!(of_one.completing, of_all.completing, "{name}");
            assert_eq!(of_one.staged, of_all.staged, "{name}");
            for rank in 0..n {
                assert_eq!(of_one.digests.of(rank), of_all.digests.of(rank), "{name}");
            }
        }
    }
}

/// A schedule with something wrong, or at least something else, on one rank or on all.
fn mutants(right: &Schedule) -> Vec<Schedule> {
    let (n, mut all) = (right.lanes.len(), Vec::new());
    let places = (0..n).flat_map(|rank| (0..right.lanes[rank].len()).map(move |at| (rank, at)));
    for (rank, at) in places {
        let mut change = |change: &dyn Fn(&mut Vec<crate::Step>)| {
            let mut wrong = right.clone();
            change(&mut wrong.lanes[rank]);
            all.push(wrong);
            if rank == 0 {
                let mut everywhere = right.clone();
                everywhere.lanes.iter_mut().filter(|lane| lane.len() > at + 1).for_each(change);
                all.push(everywhere);
            }
        };
        change(&|lane| _ = lane.remove(at));
        change(&|lane| lane.insert(at, lane[at]));
        change(&|lane| lane.swap(at, at.max(1) - 1));
        change(&|lane| lane[at].left ^= true);
        change(&|lane| lane[at].channel ^= 1);
        change(&|lane| lane[at].peer = (lane[at].peer + 1) % n as u32);
        change(&|lane| lane[at].chunks.first ^= 1);
        change(&|lane| lane[at].source.first ^= 1);
        let spaces = [Space::Input, Space::Output, Space::Scratch];
        for space in spaces {
            change(&|lane| lane[at].chunks.space = space);
        }
        for action in [Action::Recv, Action::RecvReduce, Action::Copy, Action::Reduce] {
            change(&|lane| lane[at].action = action);
        }
    }
    all
}

#[test]
fn no_mutant_is_proved_that_the_machine_refuses() {
    let (mut refused, mut proved) = (0, 0);
    for collective in &written() {
        for n in [3, 4] {
            let params = Params::new(&collective.0, n).unwrap();
            for mutant in mutants(&Schedule::of(collective, &params).unwrap()) {
                let by_machine = verify_schedule(&mutant, &params).unwrap();
                match in_rounds(held(&Written(&mutant, params.operation()), &params)) {
                    Some(Proof { verdict, completing, .. }) => {
                        proved += 1;
                        assert!(by_machine.ok(), "{} of {n}: {by_machine}", collective.0.name);
                        assert_eq!(verdict.order, by_machine.order, "{}", collective.0.name);
                        assert_eq!(verdict.in_order, by_machine.in_order);
                        assert!(verdict.depth >= by_machine.depth);
                        assert_eq!(verdict.staged, by_machine.staged);
                        assert_eq!(completing.len(), n);
                    }
                    None => refused += usize::from(!by_machine.ok()),
                }
            }
        }
    }
    assert!(refused > 2_000 && proved > 50, "{refused} {proved}");
}

#[test]
fn a_large_two_shot_is_proved_in_rounds() {
    let collective = &written()[0];
    let ranks = if cfg!(debug_assertions) { 300 } else { 1024 };
    let params = Params::new(&collective.0, ranks).unwrap();
    let source = Source::new(collective, &params);
    let Proof { verdict, digests, .. } = prove_lanes(source).unwrap();
    assert!(verdict.ok() && verdict.by_symmetry && verdict.in_order, "{verdict}");
    assert_eq!((verdict.order, verdict.depth, verdict.staged), (Some(Order::Linear), 1, 0));
    assert_eq!(verdict.messages as usize, 2 * ranks * (ranks - 1));
    assert_eq!(digests.of(77), Some(source.compact(77).unwrap().digest));
}
