//! One-sided steps: what signals order, and what they leave open.

use super::*;
use crate::Space;

/// Rank 1 writes its half to rank 0, which merges and lets rank 1 read the sum.
fn through_scratch(p: &Params, rank: Rank, s: &mut Lane, drop: usize) {
    let mut step = 0;
    let mut keep = || {
        step += 1;
        step != drop
    };
    let (own, all, scratch) = (rank.index(), p.all(), p.all().of(Space::Scratch));
    let peer = rank.next();
    if own == 1 {
        s.put(peer, all, scratch);
        if keep() {
            s.signal(peer);
        }
        if keep() {
            s.wait(peer);
        }
        s.get(peer, all, all);
        s.signal(peer);
    } else {
        let (signal, wait) = (keep(), keep());
        if signal {
            s.wait(peer);
        }
        s.reduce(scratch, all);
        if wait {
            s.signal(peer);
        }
        s.wait(peer);
    }
}

#[test]
fn puts_and_gets_that_signals_order_are_proved() {
    let verdict = verdict(2, |p, rank, s| through_scratch(p, rank, s, 0));
    assert!(verdict.ok(), "{verdict}");
    assert_eq!((verdict.races, verdict.signals), (Races::NoneBySignals, 3));
    assert!(verdict.needs.put && verdict.needs.peer_load);
    assert_eq!(verdict.scratch_extent, 2);
}

#[test]
fn a_pair_of_signal_and_wait_that_is_dropped_is_found() {
    for drop in 1..=2 {
        let verdict = verdict(2, |p, rank, s| through_scratch(p, rank, s, drop));
        let conflict = matches!(
            verdict.findings[..],
            [Finding::Conflict { owner: 0, .. } | Finding::Uninitialised { .. }]
        );
        assert!(conflict, "{drop}: {verdict}");
    }
}

/// Everyone reads its predecessor's input; `end` says what follows. The ring itself orders only the
/// reads of successors.
fn neighbours(end: fn(Rank, &mut Lane)) -> (Finding, String) {
    finding(3, move |p, rank, s| {
        s.get(rank.prev(), p.all(), p.all().of(Space::Scratch));
        end(rank, s);
        Ring.schedule(p, rank, s);
    })
}

#[test]
fn a_write_that_a_peer_may_still_read_names_both_accesses() {
    let (finding, text) = neighbours(|_, _| {});
    assert!(matches!(finding, Finding::Conflict { .. }), "{text}");
    assert!(text.contains("race on chunk"), "{text}");
    assert!(text.contains("get(from"), "{text}");
    let (finding, text) = neighbours(|rank, s| s.signal(rank.next()));
    assert!(matches!(finding, Finding::Leftover { .. }));
    assert!(text.contains("never waits for a signal"), "{text}");
}

#[test]
fn a_rank_that_ends_while_a_peer_reads_its_memory_is_incomplete() {
    let (finding, text) = finding(2, |p, rank, s| {
        s.copy(p.all(), p.all().of(Space::Scratch));
        s.barrier();
        s.get_reduce(rank.next(), p.all().of(Space::Scratch), p.all());
    });
    assert!(matches!(finding, Finding::Incomplete { owner: 0, .. }), "{text}");
    assert!(text.contains("rank 0 can end before rank 1 at step 2 get_reduce("), "{text}");
    let complete = verdict(2, |p, rank, s| {
        s.copy(p.all(), p.all().of(Space::Scratch));
        s.barrier();
        s.get_reduce(rank.next(), p.all().of(Space::Scratch), p.all());
        s.barrier();
    });
    assert!(complete.ok(), "{complete}");
}

#[test]
fn ranks_that_miss_a_barrier_are_named() {
    let (finding, text) = finding(3, |_, rank, s| {
        if rank.index() != 1 {
            s.barrier();
        }
    });
    assert!(finding.is_deadlock());
    for expected in ["rank 0 at step 0 barrier() at ", " waits for rank 1, which has finished"] {
        assert!(text.contains(expected), "{text}");
    }
}

#[test]
fn messages_of_different_channels_do_not_wait_for_each_other() {
    let crossed = |channels: [u16; 2]| {
        verdict(2, move |p, rank, s| {
            let (half, order) = (|c: usize| p.span(c, 1), rank.index());
            for (i, channel) in channels.into_iter().enumerate() {
                s.set_channel(channel);
                s.send(rank.next(), half(i));
            }
            for i in if order == 0 { [0, 1] } else { [1, 0] } {
                s.set_channel(channels[i]);
                s.recv_reduce(rank.next(), half(i));
            }
        })
    };
    assert!(crossed([0, 1]).ok());
    assert!(!crossed([0, 0]).ok());
}

#[test]
fn operands_are_in_order_where_the_lower_ranks_come_from_the_left() {
    let doubling = |left: bool| {
        verdict(8, move |p, rank, s| {
            let mut distance = 1;
            while distance < p.ranks() {
                let peer = p.rank(rank.index() ^ distance);
                s.set_left(left && peer.index() < rank.index());
                s.send(peer, p.all());
                s.recv_reduce(peer, p.all());
                distance *= 2;
            }
        })
    };
    let (ordered, plain) = (doubling(true), doubling(false));
    assert!(ordered.in_order && !plain.in_order);
    assert_eq!((ordered.order, plain.order), (Some(Order::XorTree), Some(Order::XorTree)));
    assert!(!ring(4).in_order);
}
