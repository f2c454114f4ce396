//! Reductions whose elements travel in another form: the same bits from every algorithm.

use crate::algorithms;
use ringwood::DType::{BF16, F16, F32, F64};
use ringwood::collective::{Codec, Group, Operation, ReduceOp, spmd};
use ringwood::registry::Registry;
use ringwood::{Element, ErrorKind};

/// The sizes of the groups.
const GROUPS: [usize; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 16];

/// xorshift64 (Marsaglia, 2003).
fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// Numbers of both signs whose exponents spread over `2 * spread`.
fn numbers(count: usize, seed: u64, spread: i32) -> Vec<f64> {
    let mut next = random(seed);
    let mut number = || {
        let exponent = (next() % (2 * spread as u64)) as i32 - spread;
        ((next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0) * 2_f64.powi(exponent)
    };
    (0..count).map(|_| number()).collect()
}

/// All-reduces the parts of each rank with every algorithm and several orders of the ranks; the
/// results must be equal bit by bit, and are returned.
fn everywhere<T: Element>(parts: &[Vec<T>], op: ReduceOp) -> Vec<u8> {
    let n = parts.len();
    let mut results = Vec::new();
    let rotations = if n < 3 { 0..n } else { n - 3..n };
    for rotation in rotations {
        let of_rank = spmd(n, |comm| {
            let part = &parts[(comm.rank() * (n - 1) + rotation) % n];
            let run = |name: &std::borrow::Cow<'static, str>| {
                let mut data = part.clone();
                comm.with(name).all_reduce(&mut data, op)?;
                Ok(bytemuck::cast_slice::<T, u8>(&data).to_vec())
            };
            algorithms(Operation::AllReduce, n)
                .iter()
                .map(run)
                .collect::<ringwood::Result<Vec<_>>>()
        });
        results.extend(of_rank.unwrap().into_iter().flatten());
    }
    assert!(!results.is_empty(), "no algorithm for {n} ranks");
    assert!(results.iter().all(|result| *result == results[0]), "{op} of {n} ranks");
    results.swap_remove(0)
}

fn reproducible<T: Element>(number: impl Fn(f64) -> T, spread: i32) {
    let row = |r: usize| numbers(67, r as u64 + 1, spread).into_iter().map(&number).collect();
    let rows: Vec<Vec<T>> = (0..16).map(row).collect();
    for n in GROUPS {
        let sums = everywhere(&rows[..n], ReduceOp::ReproducibleSum);
        // Ranks that add nothing make a larger group of other trees.
        let mut padded = rows[..n].to_vec();
        padded.resize(n + 1 + n % 3, vec![number(0.0); 67]);
        assert_eq!(everywhere(&padded, ReduceOp::ReproducibleSum), sums, "{n} of {}", T::DTYPE);
    }
}

#[test]
fn reproducible_sums_have_the_same_bits_for_every_algorithm_order_and_group_size() {
    reproducible(|v| v as f32, 60);
    reproducible(|v| v, 400);
}

#[test]
fn plain_sums_of_the_same_numbers_depend_on_the_order() {
    let row = |r: usize| numbers(67, r as u64 + 1, 10).into_iter().map(|v| v as f32).collect();
    let rows: Vec<Vec<f32>> = (0..5).map(row).collect();
    let sum = |order: [usize; 5]| {
        let all = |c: usize| order.iter().map(|&r| rows[r][c]).sum::<f32>();
        (0..67).map(all).collect::<Vec<_>>()
    };
    assert_ne!(sum([0, 1, 2, 3, 4]), sum([2, 0, 4, 1, 3]));
}

#[test]
fn special_values_have_their_reproducible_sums() {
    let (inf, nan, tiny) = (f32::INFINITY, f32::NAN, f32::from_bits(1));
    let parts = [
        vec![1.0, inf, inf, nan, -0.0, -0.0, 1e8, tiny, f32::MAX],
        vec![1.0 / 1048576.0, 2.0, -inf, 1.0, -0.0, 0.0, 1.0, tiny, f32::MAX],
        vec![-1.0, 3.0, 1.0, 1.0, -0.0, -0.0, -1e8, tiny, -f32::MAX],
    ];
    let sums = everywhere(&parts, ReduceOp::ReproducibleSum);
    let sums = sums.chunks(4).map(|bytes| f32::from_ne_bytes(bytes.try_into().unwrap()));
    let want = [1.0 / 1048576.0, inf, nan, nan, -0.0, 0.0, 1.0, f32::from_bits(3), f32::MAX];
    for (i, (sum, want)) in sums.zip(want).enumerate() {
        let same = sum.to_bits() == want.to_bits() || sum.is_nan() && want.is_nan();
        assert!(same, "{i}: {sum}, not {want}");
    }
}

/// Sums of 16-bit numbers: exact in `f32`, then rounded once.
fn half<T: Element + Into<f64>>(number: impl Fn(f64) -> T) {
    let count = 33;
    let value = |r: usize, i: usize| ((r * 37 + i * 11) % 127) as f64 / 16.0 - 3.0;
    for n in GROUPS {
        let row = |r: usize| (0..count).map(|i| number(value(r, i))).collect::<Vec<T>>();
        let rows: Vec<Vec<T>> = (0..n).map(row).collect();
        let fold = |f: fn(f64, f64) -> f64| {
            let all = |i: usize| rows.iter().map(|row| row[i].into()).reduce(f).unwrap();
            (0..count).map(all).collect::<Vec<f64>>()
        };
        let want = [
            (ReduceOp::Sum, fold(|a, b| a + b)),
            (ReduceOp::Min, fold(f64::min)),
            (ReduceOp::Max, fold(f64::max)),
            (
                ReduceOp::Mean,
                fold(|a, b| a + b).iter().map(|s| f64::from((s / n as f64) as f32)).collect(),
            ),
        ];
        for (op, want) in want {
            let want: Vec<T> = want.into_iter().map(&number).collect();
            let got = everywhere(&rows, op);
            assert_eq!(got, bytemuck::cast_slice::<T, u8>(&want), "{op} of {n} {}", T::DTYPE);
        }
    }
}

#[test]
fn sixteen_bit_numbers_are_merged_in_f32_and_rounded_once() {
    half(half::f16::from_f64);
    half(half::bf16::from_f64);
    // Rounded at every merge, 256 ones would stay 256 in bf16.
    let mut parts = vec![vec![half::bf16::ONE]; 8];
    parts[0] = vec![half::bf16::from_f64(256.0)];
    let sum = everywhere(&parts, ReduceOp::Sum);
    assert_eq!(sum, half::bf16::from_f64(264.0).to_ne_bytes());
}

#[test]
fn a_codec_says_what_travels() {
    let bytes = |op, dtype| Codec::of(op, dtype).map(|codec| (codec.bytes(), codec.roundings));
    assert_eq!(bytes(ReduceOp::Mean, F16), Some((4, 1)));
    assert_eq!(bytes(ReduceOp::ReproducibleSum, F32), Some((16, 1)));
    assert_eq!(bytes(ReduceOp::ReproducibleSum, F64), Some((32, 1)));
    assert_eq!(bytes(ReduceOp::Sum, F64), None);
    assert_eq!(bytes(ReduceOp::Kernel("add"), BF16), None);
}

#[test]
fn a_type_without_accumulator_is_refused_on_every_rank_and_the_group_stays_usable() {
    let errors = spmd(3, |comm| {
        let mut data = [half::f16::ONE; 5];
        let error = comm.all_reduce(&mut data, ReduceOp::ReproducibleSum).unwrap_err();
        assert_eq!(data, [half::f16::ONE; 5]);
        comm.all_reduce(&mut data, ReduceOp::Sum)?;
        assert_eq!(data, [half::f16::from_f64(3.0); 5]);
        Ok(error)
    });
    for error in errors.unwrap() {
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
        assert!(error.message().contains("reproducible sum of f16 elements"), "{error}");
    }
}

#[test]
fn every_transport_carries_encoded_elements() {
    let registry = Registry::global().unwrap();
    let row = |r: usize| numbers(1009, r as u64 + 1, 60).into_iter().map(|v| v as f32).collect();
    let rows: Vec<Vec<f32>> = (0..3).map(row).collect();
    let mut results = Vec::new();
    for (entry, _) in registry.of::<ringwood::collective::transport::TransportDef>() {
        let group = Group::builder(3).transport(entry.meta().name);
        let of_rank = group.spmd(|comm| {
            let mut sums = rows[comm.rank()].clone();
            comm.all_reduce(&mut sums, ReduceOp::ReproducibleSum)?;
            let mut parts = vec![0.0_f32; 3];
            comm.reduce_scatter_into(&sums[..9], &mut parts, ReduceOp::ReproducibleSum)?;
            let mut halves: Vec<_> = sums.iter().map(|v| half::bf16::from_f32(*v)).collect();
            comm.all_reduce(&mut halves, ReduceOp::Mean)?;
            let halves = halves.iter().map(|v| u32::from(v.to_bits()));
            let bits = sums.iter().map(|v| v.to_bits()).chain(halves).collect::<Vec<_>>();
            Ok((bits, parts[0].to_bits(), comm.rank()))
        });
        let of_rank = match of_rank {
            // The processes of its ranks are started by a launcher; its own tests start some.
            Err(error) if error.kind() == ErrorKind::Unavailable => continue,
            of_rank => of_rank.unwrap(),
        };
        assert!(of_rank.iter().all(|(bits, ..)| *bits == of_rank[0].0), "{}", entry.meta().name);
        results.push(of_rank);
    }
    assert!(results.len() >= 3, "{} transports", results.len());
    assert!(results.iter().all(|result| *result == results[0]));
}

#[test]
fn encoded_calls_of_all_sizes_reuse_their_memory() {
    let sizes = [0, 1, 5, 4096, 100_003, 3, 65_536];
    let ranks = Group::builder(3).spmd(|comm| {
        for size in sizes {
            let mut data = vec![half::bf16::ONE; size];
            comm.all_reduce(&mut data, ReduceOp::Sum)?;
            assert!(data.iter().all(|v| v.to_f32() == 3.0), "{size}");
            let mut data = vec![0.5_f32; size];
            comm.all_reduce(&mut data, ReduceOp::ReproducibleSum)?;
            assert!(data.iter().all(|v| *v == 1.5), "{size}");
        }
        Ok(())
    });
    ranks.unwrap();
}

#[test]
fn truth_values_are_moved_and_never_merged() {
    let results = spmd(3, |comm| {
        let rank = comm.rank();
        let mut data = [rank == 1, false, true];
        comm.broadcast(&mut data, 1)?;
        let mut all = [true; 3];
        comm.all_gather_into(&[rank == 2], &mut all)?;
        let mut handed = [false];
        match rank {
            0 => comm.send(&[true], 2)?,
            2 => comm.recv(&mut handed, 0)?,
            _ => {}
        }
        Ok((data, all, handed, comm.all_reduce(&mut data, ReduceOp::Sum).unwrap_err()))
    });
    for (rank, (data, all, handed, refused)) in results.unwrap().into_iter().enumerate() {
        assert_eq!((data, all), ([true, false, true], [false, false, true]));
        assert_eq!(handed, [rank == 2]);
        assert_eq!(refused.kind(), ErrorKind::Unsupported, "{refused}");
        assert!(refused.to_string().contains("merges bool elements"), "{refused}");
    }
}
