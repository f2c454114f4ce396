use super::super::lanes::Written;
use super::super::{Verdict, examine_each, prove_lanes, tests::Described, tests::Ring};
use super::*;
use crate::{Chunks, Collective, Descriptor, Lane, Rank, Schedule};

fn by_symmetry(source: Source<'_>) -> Option<Proof> {
    let mut proof = Proof::of(Verdict::new(&source.name(), source.params));
    examine(source, &mut proof).ok()?.then_some(proof)
}

fn held<'a>(collective: &'a Written<'a>, params: &'a Params) -> Source<'a> {
    Source { collective, params, all: true }
}

/// Everyone folds all inputs, from its own on: the ranks have different bits.
fn direct(p: &Params, rank: Rank, s: &mut Lane) {
    for distance in 1..p.ranks() {
        for chunk in 0..p.ranks() {
            s.send(rank + distance, p.chunk(rank + chunk));
        }
    }
    for distance in 1..p.ranks() {
        for chunk in 0..p.ranks() {
            s.recv_reduce(rank - distance, p.chunk(rank - distance + chunk));
        }
    }
}

/// Blocks go to everyone through scratch chunks.
fn gather(p: &Params, rank: Rank, s: &mut Lane) {
    s.copy(p.chunk(rank), p.scratch(rank));
    for distance in 1..p.ranks() {
        s.send(rank + distance, p.scratch(rank));
        s.recv(rank - distance, p.chunk(rank - distance));
    }
}

#[test]
fn one_lane_gives_the_verdict_of_all() {
    let ring = Descriptor::all_reduce("ring").chunks(Chunks::PerRank);
    let written = [
        Described(ring.clone(), |p, rank, s| Ring.schedule(p, rank, s)),
        Described(ring, direct),
        Described(Descriptor::all_gather("gather"), gather),
    ];
    for collective in &written {
        for (n, segments) in [(2, 1), (3, 2), (4, 1), (5, 3), (8, 1)] {
            let params = Params::new(&collective.0, n).unwrap().segmented(segments).unwrap();
            let source = Source::new(collective, &params);
            let of_one = by_symmetry(source).expect("lanes are symmetric");
            let mut of_all = Proof::of(Verdict::new(&collective.0.name, &params));
            assert!(examine_each(source, &mut of_all).is_ok(), "{}", of_one.verdict);
            let (one, all) = (of_one.verdict, of_all.verdict);
            let (order, races) = (one.order, one.races);
            // Where two ranks make every order the same, the machine knows the better name.
            assert!(order == all.order || n < 3, "{n}: {order:?} {:?}", all.order);
            let same = Verdict { order: all.order, races: all.races, by_symmetry: false, ..one };
            assert_eq!((same, races), (all, Races::NoneByMessages), "{n}");
            assert_eq!((of_one.completing, of_one.staged), (of_all.completing, of_all.staged));
            for rank in 0..n {
                assert_eq!(of_one.digests.of(rank), of_all.digests.of(rank));
            }
        }
    }
}

#[test]
fn what_is_not_symmetric_or_not_right_is_left_to_the_machine() {
    let params = Params::new(&Ring.describe(), 5).unwrap();
    let right = Schedule::of(&Ring, &params).unwrap();
    assert!(by_symmetry(held(&Written(&right, params.operation()), &params)).is_some());
    for rank in 0..5 {
        for step in 0..right.lanes[rank].len() {
            let mut wrong = right.clone();
            wrong.lanes[rank].remove(step);
            assert!(by_symmetry(held(&Written(&wrong, params.operation()), &params)).is_none());
        }
    }
    // The same step is left out everywhere.
    for step in 0..right.lanes[0].len() {
        let mut wrong = right.clone();
        wrong.lanes.iter_mut().for_each(|lane| _ = lane.remove(step));
        assert!(by_symmetry(held(&Written(&wrong, params.operation()), &params)).is_none());
        let mut swapped = right.clone();
        swapped.lanes.iter_mut().for_each(|lane| lane.swap(step, step.max(1) - 1));
        let proved = super::super::verify_schedule(&swapped, &params).unwrap().ok();
        assert_eq!(
            by_symmetry(held(&Written(&swapped, params.operation()), &params)).is_some(),
            proved
        );
    }
}

#[test]
fn a_large_ring_is_proved_by_its_symmetry() {
    let params = Params::new(&Ring.describe(), 300).unwrap();
    let source = Source::new(&Ring, &params);
    let Proof { verdict, digests, .. } = prove_lanes(source).unwrap();
    assert!(verdict.ok() && verdict.by_symmetry, "{verdict}");
    assert_eq!((verdict.order, verdict.depth, verdict.staged), (Some(Order::Ring), 1, 0));
    assert_eq!(verdict.messages, 2 * 300 * 299);
    assert_eq!(digests.of(77), Some(source.compact(77).unwrap().digest));
}

/// The ring, of which one rank writes the last chunk to another place.
struct OneOff(usize);

impl Collective for OneOff {
    fn describe(&self) -> Descriptor {
        Ring.describe()
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let n = p.ranks();
        for k in 0..n - 1 {
            s.send(rank.next(), p.chunk(rank - k));
            s.recv_reduce(rank.prev(), p.chunk(rank - k - 1));
        }
        for k in 0..n - 1 {
            s.send(rank.next(), p.chunk(rank - k + 1));
            let wrong = usize::from(rank.index() == self.0 && k == n - 2);
            s.recv(rank.prev(), p.chunk(rank - k + wrong));
        }
    }
}

#[test]
fn one_wrong_rank_among_hundreds_is_found() {
    let params = Params::new(&Ring.describe(), 300).unwrap();
    let verdict = crate::verify(&OneOff(137), &params).unwrap();
    assert!(!verdict.ok(), "{verdict}");
    let none = crate::verify(&OneOff(300), &params).unwrap();
    assert!(none.ok() && none.by_symmetry && none.compared == 300, "{none}");
}
