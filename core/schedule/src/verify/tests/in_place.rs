//! In place the input is the output's memory, under whichever name a step reads it.

use super::*;
use crate::{ChunkRange, Space};

fn as_input(chunks: ChunkRange) -> ChunkRange {
    chunks.of(Space::Input)
}

fn whole(ranks: usize, lanes: fn(&Params, Rank, &mut Lane)) -> Verdict {
    let collective = Described(Descriptor::all_reduce("whole"), lanes);
    verify(&collective, &Params::new(&collective.0, ranks).unwrap()).unwrap()
}

#[test]
fn a_peer_reads_what_is_written_meanwhile() {
    let verdict = whole(2, |p, rank, s| {
        let peer = rank.next();
        match rank.index() {
            0 => s.get_reduce(peer, as_input(p.all()), p.all()),
            _ => s.get(peer, as_input(p.all()), p.all()),
        }
        s.signal(peer);
        s.wait(peer);
    });
    assert!(matches!(verdict.findings[..], [Finding::Conflict { .. }]), "{verdict}");
}

/// The ring, with every send a step too early: it sends what the receive overwrites.
fn hasty_ring(p: &Params, rank: Rank, s: &mut Lane) {
    let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
    s.send(next, as_input(p.chunk(rank)));
    for step in 0..2 * n - 2 {
        if step + 1 < 2 * n - 2 {
            s.send(next, as_input(p.chunk(rank - step - 1)));
        }
        let chunk = p.chunk(rank - step - 1);
        if step < n - 1 { s.recv_reduce(prev, chunk) } else { s.recv(prev, chunk) }
    }
}

#[test]
fn a_message_carries_what_its_chunk_held() {
    for ranks in [3, 5, 300] {
        let verdict = verdict(ranks, hasty_ring);
        assert!(matches!(verdict.findings[..], [Finding::WrongValue { .. }]), "{verdict}");
    }
}

#[test]
fn an_exchange_is_proved() {
    let verdict = whole(2, |p, rank, s| {
        s.send(rank.next(), as_input(p.all()));
        s.recv_reduce(rank.next(), p.all());
    });
    assert!(verdict.ok(), "{verdict}");
    assert_eq!(verdict.staged, 1);
}

#[test]
fn moves_within_a_rank_do_not_overlap() {
    for merges in [false, true] {
        let verdict = verdict(3, |p, _, s| {
            let (from, to) = (as_input(p.span(0_usize, 2)), p.span(1_usize, 2));
            if merges { s.reduce(from, to) } else { s.copy(from, to) }
        });
        assert!(verdict.to_string().contains("overlap"), "{verdict}");
    }
}

/// Twelve moves in a row: the first and the last are apart, two in the middle are not.
#[test]
fn moves_that_cross_in_a_stretch_are_seen() {
    let descriptor = Descriptor::all_reduce("crossing").chunks(Chunks::Fixed(13));
    let collective = Described(descriptor, |p, _, s| {
        s.copy(p.all(), p.all().of(Space::Scratch));
        for i in 0..12_usize {
            s.copy(p.span(i, 2), p.span(11 - i, 2));
        }
        s.copy(p.all().of(Space::Scratch), p.all());
    });
    let verdict = verify(&collective, &Params::new(&collective.0, 1).unwrap()).unwrap();
    assert!(verdict.to_string().contains("chunks 5..7 and chunks 6..8 overlap"), "{verdict}");
}

/// Sums of 128 bits come back to nothing.
#[test]
fn a_contribution_that_is_doubled_128_times_is_counted() {
    let verdict = whole(1, |p, _, s| {
        s.copy(p.all(), p.scratch(0_usize));
        (0..128).for_each(|_| s.reduce(p.scratch(0_usize), p.scratch(0_usize)));
        s.reduce(p.scratch(0_usize), p.all());
    });
    assert!(matches!(verdict.findings[..], [Finding::WrongValue { .. }]), "{verdict}");
}

/// Rank 2 counts itself twice where nobody looks.
#[test]
fn what_is_thrown_away_is_not_the_first_wrong_step() {
    let verdict = verdict(4, |p, rank, s| {
        if rank.index() == 2 {
            s.copy(p.chunk(0_usize), p.scratch(0_usize));
            s.reduce(p.chunk(0_usize), p.scratch(0_usize));
        }
        if rank.index() == 1 {
            s.copy(p.chunk(0_usize), p.scratch(0_usize));
        }
    });
    let [Finding::WrongValue { rank: 0, first_wrong: None, .. }] = &verdict.findings[..] else {
        panic!("{verdict}")
    };
}

/// Rank 0 takes what it should merge, and uses its result afterwards where nobody looks.
#[test]
fn the_step_that_wrote_the_wrong_chunk_is_named() {
    let verdict = verdict(2, |p, rank, s| {
        s.send(rank.next(), p.all());
        match rank.index() {
            0 => s.recv(rank.next(), p.all()),
            _ => s.recv_reduce(rank.next(), p.all()),
        }
        s.copy(p.chunk(0_usize), p.scratch(0_usize));
        s.reduce(p.chunk(0_usize), p.scratch(0_usize));
    });
    let text = verdict.to_string();
    assert!(text.contains("rank 0 chunk 0 never holds rank 0"), "{text}");
    assert!(text.contains("last written by rank 0 step 1 "), "{text}");
}

/// Rank 1 merges twice; what rank 0 counts twice is thrown away.
#[test]
fn the_step_that_counted_twice_what_a_chunk_holds_is_named() {
    let verdict = verdict(2, |p, rank, s| {
        if rank.index() == 0 {
            s.copy(p.chunk(0_usize), p.scratch(0_usize));
            s.reduce(p.chunk(0_usize), p.scratch(0_usize));
            s.send(rank.next(), p.all());
        }
        s.send(rank.next(), p.all());
        s.recv_reduce(rank.next(), p.all());
        if rank.index() == 1 {
            s.recv_reduce(rank.next(), p.all());
        }
    });
    let text = verdict.to_string();
    assert!(text.contains("rank 1 chunk 0 holds rank 0 twice"), "{text}");
    assert!(text.contains("first wrong step: rank 1 step 2 "), "{text}");
}

#[test]
fn a_wrong_schedule_of_many_ranks_is_told_without_counts() {
    let verdict = whole(1 << 14, |_, _, _| {});
    let text = "holds other contributions than it should; nothing writes it";
    assert!(verdict.to_string().contains(text), "{verdict}");
}
