use super::*;
use crate::collective::{Chunks, Collective, Descriptor, Lane};

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
    let text = ring(8).to_string();
    let proved = "ring  8 ranks  values ok  order ring  races none  deadlock none (depth 1)  \
                  scratch none  ";
    assert!(text.starts_with(proved) && text.ends_with(" ms"), "{text}");
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
    assert!(text.contains("WRONG: rank 0 chunk 0 holds rank 0 twice and rank 1 4 times"), "{text}");
    assert!(text.contains("recv_reduce(from"), "{text}");
    assert!(text.contains(&format!("verify/tests.rs:{line}")), "{text}");
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
    assert!(
        text.contains(
            "deadlock: rank 0 at step 0 recv_reduce(from 2, chunks 0..3) waits for rank 2, rank 2"
        ),
        "{text}"
    );
}
