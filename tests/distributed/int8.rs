//! All-reduce in 8 bits: within its bound, the same bits on every rank, two roundings.

use ringwood::ErrorKind;
use ringwood::collective::{Group, Order, ReduceOp, spmd};

/// Numbers of both signs, of magnitudes that differ from block to block.
fn input(rank: usize, count: usize) -> Vec<f32> {
    let mut state = (rank as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = |i: usize| {
        // xorshift64 (Marsaglia, 2003).
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let unit = (state >> 40) as f32 / (1 << 23) as f32 - 1.0;
        unit * 2_f32.powi((i / 32 * 7 + rank) as i32 % 40 - 20)
    };
    (0..count).map(&mut next).collect()
}

fn reduce(parts: &[Vec<f32>], op: ReduceOp) -> Vec<f32> {
    let reduce = |transport| {
        let group = Group::builder(parts.len()).transport(transport);
        let results = group.spmd(|comm| {
            let mut data = parts[comm.rank()].clone();
            comm.all_reduce_int8(&mut data, op)?;
            Ok(data)
        });
        results.unwrap()
    };
    let mut results = reduce("peer_memory");
    results.extend(reduce("socket"));
    let bits = |data: &[f32]| data.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert!(results.iter().all(|data| bits(data) == bits(&results[0])));
    results.swap_remove(0)
}

/// Compares with sums in `f64`, block by block, against the documented bound.
fn check(parts: &[Vec<f32>], op: ReduceOp) {
    let got = reduce(parts, op);
    let over = if op == ReduceOp::Mean { parts.len() as f64 } else { 1.0 };
    for first in (0..got.len()).step_by(32) {
        let block = first..(first + 32).min(got.len());
        let largest = |part: &Vec<f32>| {
            let largest = part[block.clone()].iter().fold(0.0, |m: f32, v| m.max(v.abs()));
            f64::from(largest.max(f32::MIN_POSITIVE))
        };
        let total: f64 = parts.iter().map(largest).sum();
        let eight_bits = total * (2.0 / 127.0 + 1.0 / (127.0 * 127.0));
        let sums_in_f32 = total * parts.len() as f64 * f64::from(f32::EPSILON);
        let bound = (eight_bits + sums_in_f32) / over;
        for i in block {
            let exact = parts.iter().map(|part| f64::from(part[i])).sum::<f64>() / over;
            let error = (exact - f64::from(got[i])).abs();
            assert!(error <= bound, "{op} of {} ranks: {error} > {bound}", parts.len());
        }
    }
}

#[test]
fn errors_stay_within_the_bound_for_every_group_and_size() {
    for n in (1..=9).chain([16]) {
        for count in [0, 1, 31, 32, 33, 32 * n - 1, 32 * n + 1, 1000] {
            let parts: Vec<_> = (0..n).map(|rank| input(rank, count)).collect();
            check(&parts, ReduceOp::Sum);
            check(&parts, ReduceOp::Mean);
        }
    }
}

/// What 8 bits leave of a block.
fn rounded(block: &[f32]) -> Vec<f32> {
    if block.iter().any(|v| !v.is_finite()) {
        return vec![f32::NAN; block.len()];
    }
    let exponent = block.iter().map(|v| v.to_bits() >> 23 & 255).max().unwrap_or(0).max(1);
    let scale = 2_f64.powi(exponent as i32 - 133);
    let round = |v: &f32| (f64::from(*v) / scale).round_ties_even().clamp(-127.0, 127.0);
    // Zeros are +0.
    block.iter().map(|v| (round(v) * scale) as f32 + 0.0).collect()
}

#[test]
fn every_bit_is_that_of_sums_in_f32_of_what_8_bits_leave_in_the_order_of_the_ranks() {
    for n in [2, 3, 5, 8] {
        for count in [1, 33, 64 * n, 1000, 40_000] {
            let parts: Vec<_> = (0..n).map(|rank| input(rank, count)).collect();
            for op in [ReduceOp::Sum, ReduceOp::Mean] {
                let blocks = (0..count).step_by(32).flat_map(|first| {
                    let mut sums = vec![0.0_f32; 32.min(count - first)];
                    for part in &parts {
                        let part = rounded(&part[first..first + sums.len()]);
                        sums.iter_mut().zip(part).for_each(|(sum, v)| *sum += v);
                    }
                    let over = if op == ReduceOp::Mean { n as f32 } else { 1.0 };
                    sums.iter_mut().for_each(|sum| *sum /= over);
                    rounded(&sums)
                });
                let expected: Vec<u32> = blocks.map(f32::to_bits).collect();
                let got: Vec<u32> = reduce(&parts, op).into_iter().map(f32::to_bits).collect();
                assert_eq!(got, expected, "{op} of {count} elements of {n} ranks");
            }
        }
    }
}

#[test]
fn it_does_round() {
    let parts = [input(0, 100), input(1, 100)];
    let exact: Vec<f32> = parts[0].iter().zip(&parts[1]).map(|(a, b)| a + b).collect();
    assert_ne!(reduce(&parts, ReduceOp::Sum), exact);
    // Small integers are exact.
    let parts = vec![(0..64).map(|i| (i % 9) as f32 - 4.0).collect::<Vec<_>>(); 3];
    let exact: Vec<f32> = parts[0].iter().map(|v| 3.0 * v).collect();
    assert_eq!(reduce(&parts, ReduceOp::Sum), exact);
}

#[test]
fn a_block_that_is_not_finite_on_any_rank_is_nan_on_all() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, f32::MAX] {
        let mut parts = vec![vec![1.0; 200]; 3];
        parts[1][70] = bad;
        parts[2][70] = bad;
        let got = reduce(&parts, ReduceOp::Sum);
        // Two of the largest numbers overflow.
        assert!(got[64..96].iter().all(|v| v.is_nan()), "{bad}");
        assert!(got[..64].iter().chain(&got[96..]).all(|v| *v == 3.0), "{bad}");
    }
}

#[test]
fn two_roundings_are_counted_and_fewer_are_refused_on_every_rank() {
    let counts = spmd(5, |comm| {
        let mut data = vec![1.0_f32; 333];
        let call = if comm.rank() == 3 { comm.call().roundings(1) } else { comm.call() };
        let error = call.all_reduce_int8(&mut data, ReduceOp::Sum).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.message().contains("rounds an element 2 times, 1 are allowed"), "{error}");
        assert_eq!(error.get("refused by"), Some("rank 3"));
        assert_eq!(data, [1.0; 333]);
        let call = comm.call().roundings(2).order(Order::Linear);
        call.all_reduce_int8(&mut data, ReduceOp::Sum)?;
        assert_eq!(data, [5.0; 333]);
        comm.call().int8_roundings(333)
    });
    assert_eq!(counts.unwrap(), [2; 5]);
    assert_eq!(spmd(1, |comm| comm.call().int8_roundings(9)).unwrap(), [0]);
}

#[test]
fn what_it_cannot_do_is_refused_by_name() {
    let errors = spmd(2, |comm| {
        let mut data = [1.0_f32; 4];
        let product = comm.all_reduce_int8(&mut data, ReduceOp::Prod).unwrap_err();
        let ring = comm.with("ring").all_reduce_int8(&mut data, ReduceOp::Sum).unwrap_err();
        let tree = comm.call().order(Order::XorTree);
        let tree = tree.all_reduce_int8(&mut data, ReduceOp::Sum).unwrap_err();
        assert_eq!(data, [1.0; 4]);
        comm.all_reduce_int8(&mut data, ReduceOp::Sum)?;
        assert_eq!(data, [2.0; 4]);
        Ok([product, ring, tree].map(|error| error.to_string()))
    });
    for [product, ring, tree] in errors.unwrap() {
        assert!(product.contains("takes a sum or a mean, not `prod`"), "{product}");
        assert!(ring.contains("`ring` merges where elements travel"), "{ring}");
        assert!(tree.contains("has the order linear, not xor_tree"), "{tree}");
    }
}

#[test]
fn ranks_that_disagree_get_one_error_and_the_group_stays_usable() {
    let errors = spmd(3, |comm| {
        // As many blocks, but not as many elements.
        let count = if comm.rank() == 1 { 40 } else { 50 };
        let mut data = vec![1.0_f32; count];
        let counts = comm.all_reduce_int8(&mut data, ReduceOp::Sum).unwrap_err();
        let op = if comm.rank() == 2 { ReduceOp::Mean } else { ReduceOp::Sum };
        let mut same = vec![1.0_f32; 50];
        let ops = comm.all_reduce_int8(&mut same, op).unwrap_err();
        assert!(data.iter().chain(&same).all(|v| *v == 1.0));
        comm.all_reduce_int8(&mut same, ReduceOp::Sum)?;
        assert_eq!(same, [3.0; 50]);
        Ok([counts, ops])
    });
    for [counts, ops] in errors.unwrap() {
        assert_eq!((counts.kind(), ops.kind()), (ErrorKind::Mismatch, ErrorKind::Mismatch));
        let text = "in count: ranks 0, 2 have 50, rank 1 has 40";
        assert!(counts.message().ends_with(text), "{counts}");
        let text = "in reduce operator: ranks 0, 1 have int8_sum, rank 2 has int8_mean";
        assert!(ops.message().ends_with(text), "{ops}");
    }
}
