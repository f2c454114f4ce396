//! The hash of a merge tree against what floating-point addition does.

use super::*;
use crate::verify::hash::mix;
use crate::{Node, Trees};

/// For each output of each rank: the hash of its merge tree, and its bits for every input.
fn outputs(schedule: fn(&Params, Rank, &mut Lane), n: usize, trials: u64) -> Vec<(u64, Vec<u32>)> {
    let written = Written(schedule);
    let params = Params::new(&written.describe(), n).unwrap();
    let source = Source::new(&written, &params);
    let Ok(lanes) = Lanes::new(source) else { panic!("steps are in bounds") };
    let mut machine = Machine::new(&lanes, Forms::new(&params));
    assert!(machine.run().is_ok() && machine.first_wrong().is_none());
    let proved = Digests::Each(lanes.digests.clone());
    let of_rank = |rank: usize| {
        let trees = Trees::of(&written, &params, rank, &proved).unwrap();
        let bits = |root| (0..trials).map(|trial| value(&trees, root, trial).to_bits()).collect();
        let orders: Vec<u64> =
            machine.outputs(rank).iter().flatten().map(|value| value.order).collect();
        let pairs = trees.outputs.iter().zip(orders);
        pairs.map(|(root, order)| (order, bits(root.unwrap()))).collect::<Vec<_>>()
    };
    (0..n).flat_map(of_rank).collect()
}

/// Every chunk has the same inputs, so that chunks are compared as well as ranks.
fn value(trees: &Trees, id: u32, trial: u64) -> f32 {
    match trees.node(id) {
        Node::Leaf { rank, .. } => {
            let random = mix(trial << 32 | u64::from(rank));
            let scale = (random % 7) as i32 - 3;
            ((random >> 40) as f32 / (1 << 24) as f32 - 0.5) * 10_f32.powi(scale)
        }
        Node::Merge { own, other } => value(trees, own, trial) + value(trees, other, trial),
    }
}

/// Ranks fold all inputs in the order of ranks, and send the result on.
fn chain(p: &Params, rank: Rank, s: &mut Lane) {
    if rank.index() > 0 {
        s.recv_reduce(rank.prev(), p.all());
    }
    if rank.index() + 1 < p.ranks() {
        s.send(rank.next(), p.all());
        s.recv(rank.prev(), p.all());
    }
    if rank.index() + 2 != p.ranks() {
        s.send(rank.next(), p.all());
    }
}

/// Pairs at the greatest distance first: another tree than recursive doubling.
fn distance_halving(p: &Params, rank: Rank, s: &mut Lane) {
    let mut distance = p.ranks() / 2;
    while distance > 0 {
        let peer = p.rank(rank.index() ^ distance);
        s.send(peer, p.all());
        s.recv_reduce(peer, p.all());
        distance /= 2;
    }
}

/// Recursive doubling with the operands of every merge exchanged: the same bits.
fn mirrored(p: &Params, rank: Rank, s: &mut Lane) {
    s.set_left(true);
    recursive_doubling(p, rank, s);
}

#[test]
fn equal_merge_trees_give_equal_bits_and_unequal_ones_are_told_apart() {
    type Schedules = [fn(&Params, Rank, &mut Lane); 5];
    let schedules: Schedules =
        [|p, r, s| Ring.schedule(p, r, s), recursive_doubling, mirrored, distance_halving, chain];
    for n in [4, 8] {
        let outputs: Vec<_> = schedules.iter().flat_map(|s| outputs(*s, n, 64)).collect();
        let mut classes: Vec<(u64, &Vec<u32>)> = Vec::new();
        for (order, bits) in &outputs {
            match classes.iter().find(|(known, _)| known == order) {
                Some((_, known)) => assert_eq!(bits, *known, "{n}: one tree, two results"),
                None => {
                    let same = classes.iter().any(|(_, known)| *known == bits);
                    assert!(!same, "{n}: two trees, one result");
                    classes.push((*order, bits));
                }
            }
        }
        // Of the ring one tree for each chunk, the first of which is also the chain's.
        assert_eq!(classes.len(), n + 2);
    }
}
