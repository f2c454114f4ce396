mod bits;
mod impure;
mod in_place;
mod operations;
mod signals;

use super::*;
use crate::{ChunkRange, Chunks, Collective, Descriptor, Lane, Space};
use ringwood_base::ErrorKind;

pub(crate) struct Ring;

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring").any_ranks().chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
        for step in 0..n - 1 {
            s.send(next, p.chunk(rank - step));
            s.recv_reduce(prev, p.chunk(rank - step - 1));
        }
        for step in 0..n - 1 {
            s.send(next, p.chunk(rank - step + 1));
            s.recv(prev, p.chunk(rank - step));
        }
    }
}

/// A collective of its description and of a function that writes the lanes.
pub(crate) struct Described(pub(crate) Descriptor, pub(crate) fn(&Params, Rank, &mut Lane));

impl Collective for Described {
    fn describe(&self) -> Descriptor {
        self.0.clone()
    }

    fn schedule(&self, p: &Params, rank: Rank, lane: &mut Lane) {
        (self.1)(p, rank, lane);
    }
}

/// A collective written as a closure, one chunk for each rank.
struct Written<F>(F);

impl<F: Fn(&Params, Rank, &mut Lane) + Send + Sync> Collective for Written<F> {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("written").chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, lane: &mut Lane) {
        (self.0)(p, rank, lane);
    }
}

fn verdict(ranks: usize, schedule: impl Fn(&Params, Rank, &mut Lane) + Send + Sync) -> Verdict {
    let collective = Written(schedule);
    verify(&collective, &Params::new(&collective.describe(), ranks).unwrap()).unwrap()
}

fn ring(ranks: usize) -> Verdict {
    verify(&Ring, &Params::new(&Ring.describe(), ranks).unwrap()).unwrap()
}

/// The exchange of whole buffers in pairs, log2 n times.
fn recursive_doubling(p: &Params, rank: Rank, s: &mut Lane) {
    let mut distance = 1;
    while distance < p.ranks() {
        let peer = p.rank(rank.index() ^ distance);
        s.send(peer, p.all());
        s.recv_reduce(peer, p.all());
        distance *= 2;
    }
}

#[test]
fn the_ring_is_proved_for_every_size_to_64() {
    for n in 1..=64 {
        let verdict = ring(n);
        assert!(verdict.ok(), "{verdict}");
        assert_eq!((verdict.depth, verdict.scratch, verdict.staged), (1, 0, 0));
        assert_eq!(verdict.messages as usize, 2 * n * (n - 1));
        assert_eq!(verdict.order, Some(if n < 3 { Order::Linear } else { Order::Ring }));
    }
}

#[test]
fn a_proof_prints_as_one_line() {
    let verdict = ring(8);
    let proved = "ring  8 ranks  values ok  order ring  races none  deadlock none (depth 1)  \
                  scratch none";
    assert_eq!(verdict.to_string(), proved);
    let timed = Verdict { seconds: Some(0.0123), ..verdict };
    assert_eq!(timed.to_string(), format!("{proved}  12.3 ms"));
}

#[test]
fn recursive_doubling_needs_a_copy_for_each_exchange_and_merges_a_tree() {
    let verdict = verdict(8, recursive_doubling);
    assert!(verdict.ok(), "{verdict}");
    assert_eq!((verdict.order, verdict.staged), (Some(Order::XorTree), 3));
}

#[test]
fn a_contribution_counted_twice_is_named_with_its_first_wrong_step() {
    let line = line!() + 5;
    let verdict = verdict(4, |p, rank, s| {
        let all = p.all();
        for _ in 0..4 {
            s.send(rank.next(), all);
            s.recv_reduce(rank.prev(), all);
        }
    });
    let text = verdict.to_string();
    assert!(text.contains("WRONG: rank 0 chunk 0 holds rank 0 twice, rank 1 4 times"), "{text}");
    assert!(text.contains("recv_reduce(from"), "{text}");
    assert!(text.contains(&format!("verify/tests.rs:{line}")), "{text}");
}

#[test]
fn a_schedule_that_only_counts_too_often_is_right_for_min_and_max() {
    let dissemination = |sizes: usize| {
        verdict(sizes, |p, rank, s| {
            let mut distance = 1;
            while distance < p.ranks() {
                s.send(rank + distance, p.all());
                s.recv_reduce(rank - distance, p.all());
                distance *= 2;
            }
        })
    };
    assert!(dissemination(4).ok());
    let six = dissemination(6);
    assert!(!six.ok() && six.idempotent_only, "{six}");
    assert!(six.to_string().contains("right only for operators that ignore repetition"));
    let missing = verdict(3, |p, rank, s| {
        s.send(rank.next(), p.all());
        s.recv_reduce(rank.prev(), p.all());
    });
    assert!(!missing.ok() && !missing.idempotent_only);
}

#[test]
fn a_missing_contribution_is_named() {
    let verdict = verdict(4, |p, rank, s| {
        if rank.index() == 3 {
            return s.send(rank.next(), p.all());
        }
        if rank.index() == 0 {
            s.recv_reduce(rank.prev(), p.all());
        }
    });
    let text = verdict.to_string();
    assert!(text.contains("WRONG: rank 0 chunk 0 never holds rank 1, rank 2\n"), "{text}");
}

#[test]
fn ranks_that_wait_for_each_other_are_printed_as_a_cycle() {
    let verdict = verdict(3, |p, rank, s| {
        s.recv_reduce(rank.prev(), p.all());
        s.send(rank.next(), p.all());
    });
    let text = verdict.to_string();
    let line = line!() - 4;
    let waits = format!(
        "deadlock: rank 0 at step 0 recv_reduce(from 2, chunks 0..3) at {}:{line} waits for rank 2, rank 2",
        file!()
    );
    assert!(text.contains(&waits), "{text}");
}

#[test]
fn of_a_long_cycle_eight_ranks_are_printed() {
    let text = verdict(40, |p, rank, s| {
        s.recv_reduce(rank.prev(), p.all());
        s.send(rank.next(), p.all());
    });
    let text = text.to_string();
    assert!(
        text.contains(" waits for rank 32, and 32 more of the cycle") && text.len() < 2000,
        "{text}"
    );
}

#[test]
fn sends_and_receives_that_do_not_match_are_counted_first() {
    let (finding, text) = finding(3, |p, rank, s| {
        for turn in 0..6 {
            s.send(rank.next(), p.all());
            if (rank.index(), turn) != (2, 3) {
                s.recv_reduce(rank.prev(), p.all());
            }
        }
    });
    assert!(matches!(finding, Finding::Leftover { .. }), "{text}");
    assert!(text.contains("rank 1 sends 6 messages to rank 2, which receives 5; "), "{text}");
}

fn finding(
    ranks: usize,
    schedule: impl Fn(&Params, Rank, &mut Lane) + Send + Sync,
) -> (Finding, String) {
    let verdict = verdict(ranks, schedule);
    let text = verdict.to_string();
    (verdict.findings.into_iter().next().expect(&text), text)
}

#[test]
fn a_message_that_nobody_receives_is_a_leftover() {
    let (finding, text) = finding(2, |p, rank, s| {
        s.send(rank.next(), p.all());
        s.send(rank.next(), p.all());
        s.recv_reduce(rank.prev(), p.all());
    });
    assert!(matches!(finding, Finding::Leftover { .. }), "{text}");
    assert!(text.contains("never receives a message\n        first wrong step: rank 0 step 1"));
}

#[test]
fn a_rank_that_waits_for_a_finished_one_is_told() {
    let (finding, text) = finding(2, |p, rank, s| {
        if rank.index() == 0 {
            s.recv_reduce(rank.prev(), p.all());
        }
    });
    assert!(finding.is_deadlock());
    assert!(text.contains("waits for rank 1, which has finished"), "{text}");
}

#[test]
fn an_uninitialised_scratch_chunk_is_found_where_it_is_read() {
    let (finding, text) = finding(2, |p, rank, s| {
        s.reduce(p.scratch(rank), p.chunk(rank));
    });
    assert!(matches!(finding, Finding::Uninitialised { chunk: 0, .. }), "{text}");
    assert!(text.contains("reduce(scratch chunk 0 into chunk 0)"), "{text}");
}

#[test]
fn chunks_and_ranks_that_do_not_exist_are_found_at_their_step() {
    let (_, text) = finding(2, |p, rank, s| s.send(rank.next(), p.chunk(2_usize)));
    assert!(text.contains("chunk 2 is not among the 2 chunks of the schedule"), "{text}");
    let (_, text) = finding(2, |p, rank, s| s.send(rank.next(), p.chunk(usize::MAX)));
    assert!(text.contains("not among the 2 chunks"), "{text}");
    let (_, text) = finding(2, |p, rank, s| s.send(Rank::new(rank.index() + 6, 9), p.all()));
    assert!(text.contains("rank 6 is not in a group of 2"), "{text}");
    let (_, text) = finding(2, |p, rank, s| s.send(rank, p.all()));
    assert!(text.contains("rank 0 exchanges a message with itself"), "{text}");
    let (_, text) = finding(2, |p, rank, s| {
        s.copy(p.chunk(rank), p.chunk(rank).of(Space::Input));
    });
    assert!(text.contains("the input is read only"), "{text}");
}

#[test]
fn a_copy_that_overlaps_its_source_is_found() {
    let (finding, text) = finding(3, |p, _, s| s.copy(p.span(1_usize, 2), p.span(0_usize, 2)));
    assert!(matches!(finding, Finding::OutOfRange { .. }), "{text}");
    assert!(text.contains("overlap"), "{text}");
}

/// Chunk by chunk, each of these steps would take seconds.
#[test]
fn copies_of_more_chunks_than_exist_are_found_at_once() {
    let (_, text) = finding(4, |_, rank, s| {
        for step in 0..1000 {
            let chunks = |first| ChunkRange { space: Space::Output, first, count: u32::MAX - 8000 };
            let (source, target) = (chunks(100 + step % 7), chunks(u32::MAX - 100 - step % 5));
            if rank.index() == 0 {
                s.copy(source, target);
            }
        }
    });
    assert!(text.contains("first wrong step: rank 0 step 0"), "{text}");
}

#[test]
fn a_receive_into_a_chunk_of_another_size_is_found() {
    let (finding, text) = finding(2, |p, rank, s| {
        s.send(rank.next(), p.chunk(rank));
        s.recv_reduce(rank.prev(), p.all());
    });
    assert!(matches!(finding, Finding::Chunks { .. }), "{text}");
    assert!(text.contains("chunks 0..2 takes the values of chunk 0: sizes differ"), "{text}");
}

#[test]
fn a_schedule_that_changes_is_impure() {
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let (finding, _) = finding(2, |p, rank, s| {
        if calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed).is_multiple_of(2) {
            s.send(rank.next(), p.all());
        }
    });
    assert_eq!(finding, Finding::Impure { rank: 0 });
}

#[test]
fn an_endless_schedule_ends_with_an_error() {
    let endless = Written(|p: &Params, rank: Rank, s: &mut Lane| {
        loop {
            s.send(rank.next(), p.all());
        }
    });
    let params = Params::new(&endless.describe(), 2).unwrap();
    let error = verify(&endless, &params).unwrap_err();
    assert!(error.message().contains("an endless loop?"), "{error}");
}

#[test]
fn the_smallest_depth_of_a_channel_is_found() {
    let verdict = verdict(2, |p, rank, s| {
        for chunk in 0..p.chunks() {
            s.send(rank.next(), p.chunk(chunk));
        }
        for chunk in 0..p.chunks() {
            s.recv_reduce(rank.prev(), p.chunk(chunk));
        }
    });
    assert!(verdict.ok(), "{verdict}");
    // In place a rank may not overwrite what its peer has yet to read: both send copies.
    assert_eq!((verdict.depth, verdict.staged), (2, 2), "{verdict}");
}

#[test]
fn a_linear_order_is_told_from_a_ring_and_a_rank_with_other_bits_is_noticed() {
    let chain = verdict(4, |p, rank, s| {
        if rank.index() > 0 {
            s.recv_reduce(rank.prev(), p.all());
        }
        if rank.index() < 3 {
            s.send(rank.next(), p.all());
            s.recv(rank.prev(), p.all());
        }
        if rank.index() != 2 {
            s.send(rank.next(), p.all());
        }
    });
    assert!(chain.ok(), "{chain}");
    assert_eq!(chain.order, Some(Order::Linear));
    // Everyone folds from its own rank on.
    let gather = verdict(4, |p, rank, s| {
        let own = p.all();
        for distance in 1..p.ranks() {
            s.send(rank + distance, own);
        }
        for distance in 1..p.ranks() {
            s.recv_reduce(rank - distance, own);
        }
    });
    assert!(gather.ok(), "{gather}");
    assert_eq!(gather.order, Some(Order::Differs));
}

/// Each wait of the programs that run is needed: without it there is a race.
#[test]
fn every_wait_that_is_dropped_from_a_lowered_program_is_a_race() {
    let collectives: [&dyn Collective; 2] = [&Ring, &Written(recursive_doubling)];
    for (collective, sizes) in collectives.into_iter().zip([vec![2, 3, 4, 7], vec![2, 4, 8]]) {
        for n in sizes {
            let params = Params::new(&collective.describe(), n).unwrap();
            let source = Source::new(collective, &params);
            let Proof { verdict, staged, .. } = prove_lanes(source).unwrap();
            assert!(verdict.ok(), "{verdict}");
            let lanes = Schedule::of(collective, &params).unwrap().lanes;
            let lane = |rank: Rank| Ok(Cow::Borrowed(lanes[rank.index()].as_slice()));
            let places = Places::abstracted(&params, verdict.scratch_extent).unwrap();
            let links = Links { places: &places, staged: &staged, lane: &lane, one_sided: false };
            let lower = |r| links.lower(params.rank(r), &[], usize::MAX).unwrap();
            let programs: Vec<_> = (0..n).map(lower).collect();
            assert_eq!(find_race(&programs), None);
            for rank in 0..n {
                for i in 0..programs[rank].ops.len() {
                    if matches!(programs[rank].ops[i], crate::lower::Op::Await { .. }) {
                        let mut mutant = programs.clone();
                        let wait = mutant[rank].ops.remove(i);
                        let name = collective.describe().name;
                        assert!(
                            find_race(&mutant).is_some(),
                            "{name} {n}: {wait:?} of rank {rank}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn scratch_chunks_of_all_ranks_that_a_proof_does_not_hold_are_refused() {
    let last = |rank: Rank| ChunkRange {
        space: Space::Scratch,
        first: (1 << 24) - 8 + rank.index() as u32,
        count: 1,
    };
    let far = Written(|p: &Params, rank: Rank, s: &mut Lane| {
        s.copy(p.chunk(rank), last(rank));
        Ring.schedule(p, rank, s);
    });
    let error = verify(&far, &Params::new(&far.describe(), 8).unwrap()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains("67108864 chunks of all ranks together"), "{error}");
}

#[test]
fn a_group_too_large_to_prove_is_refused_before_memory_is_taken() {
    let refused = |collective: &dyn Collective, ranks| {
        let params = Params::new(&collective.describe(), ranks).unwrap();
        verify(collective, &params).unwrap_err()
    };
    for ranks in [1 << 17, u32::MAX as usize] {
        let error = refused(&Ring, ranks);
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let named = format!("`ring` with {ranks} chunks is not proved for {ranks} ranks");
        assert!(error.message().contains(&named), "{error}");
    }
    struct Silent;
    impl Collective for Silent {
        fn describe(&self) -> Descriptor {
            Descriptor::all_reduce("silent")
        }
        fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
    }
    assert_eq!(refused(&Silent, 1 << 21).kind(), ErrorKind::Unsupported);
}
