//! Algorithms with one order of merges give the same bits, those with another order do not.

use ringwood_base::DType;
use ringwood_base::registry::Registry;
use ringwood_collective::spmd;
use ringwood_collectives as _;
use ringwood_kernels as _;
use ringwood_schedule::{Collective, Operation, Order, ReduceOp, Request, verify};
use std::collections::BTreeMap;

const COUNT: usize = 1_003;

/// Numbers whose sums are rounded: SplitMix64 (Steele, Lea and Flood, 2014).
fn input(rank: usize) -> Vec<f32> {
    let number = |i: usize| {
        let z = ((rank << 32 | i) as u64).wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z >> 40) as f32 / 1e3 - 8e3
    };
    (0..COUNT).map(number).collect()
}

fn all_reduces(n: usize) -> Vec<&'static dyn Collective> {
    let registry = Registry::global().unwrap();
    let collectives =
        registry.of::<ringwood_schedule::CollectiveDef>().map(|(_, def)| &*def.collective);
    let fits = |c: &&dyn Collective| {
        let descriptor = c.describe();
        descriptor.operation == Operation::AllReduce && descriptor.constraint.allows(n)
    };
    collectives.filter(fits).collect()
}

/// The order that the verifier has proved.
fn order(collective: &dyn Collective, n: usize) -> Order {
    let request = Request::new(Operation::AllReduce, n, COUNT, DType::F32);
    let verdict = verify(collective, &collective.resolve(&request).unwrap()).unwrap();
    verdict.order.unwrap()
}

/// The bits of the sums that an algorithm leaves, which are the same on all ranks.
fn sums(name: &str, n: usize) -> Vec<u32> {
    let results = spmd(n, |comm| {
        let mut data = input(comm.rank());
        comm.with(name).all_reduce(&mut data, ReduceOp::Sum)?;
        Ok(data.into_iter().map(f32::to_bits).collect::<Vec<_>>())
    });
    let results = results.unwrap();
    assert!(results.iter().all(|bits| *bits == results[0]), "{name}: ranks differ");
    results.into_iter().next().unwrap()
}

/// The sums in the order of the ranks.
fn linear(n: usize) -> Vec<u32> {
    let inputs: Vec<_> = (0..n).map(input).collect();
    let sum = |i: usize| inputs[1..].iter().fold(inputs[0][i], |sum, of_rank| sum + of_rank[i]);
    (0..COUNT).map(|i| sum(i).to_bits()).collect()
}

/// The sums of pairs, pairs of pairs and so on.
fn xor_tree(n: usize) -> Vec<u32> {
    let inputs: Vec<_> = (0..n).map(input).collect();
    let pairs = n - (1 << n.ilog2());
    let sum = |i: usize| {
        let (paired, single) = inputs.split_at(2 * pairs);
        let paired = paired.chunks(2).map(|pair| pair[0][i] + pair[1][i]);
        let mut level: Vec<f32> = paired.chain(single.iter().map(|of_rank| of_rank[i])).collect();
        while level.len() > 1 {
            level = level.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        }
        level[0]
    };
    (0..COUNT).map(|i| sum(i).to_bits()).collect()
}

#[test]
fn the_bits_are_those_of_the_order_that_is_proved() {
    for n in (2..=9).chain([16]) {
        let mut of_order: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for collective in all_reduces(n) {
            let (name, order) = (collective.describe().name, order(collective, n));
            let bits = sums(&name, n);
            match order {
                Order::Linear => assert_eq!(bits, linear(n), "{name}, {n} ranks"),
                Order::XorTree => assert_eq!(bits, xor_tree(n), "{name}, {n} ranks"),
                Order::Ring => {}
                _ => assert_eq!(bits, sums(&name, n), "{name} differs between runs"),
            }
            of_order.insert(order.to_string(), bits);
        }
        // In groups of two and three all orders are one, or nearly.
        let all: Vec<_> = of_order.values().collect();
        let differ = |i: usize| all[i + 1..].iter().all(|bits| *bits != all[i]);
        assert!(n < 4 || (0..all.len()).all(differ), "orders of {n} ranks have the same bits");
        assert!(n < 5 || all.len() == 4, "{:?}", of_order.keys());
    }
}
