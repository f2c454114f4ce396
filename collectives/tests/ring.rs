//! The ring: proved for every group size, and equal to a naive oracle.

use ringwood_collectives::RingReducer;
use ringwood_core::collective::ReduceOp::{self, Max, Mean, Min, Prod, Sum};
use ringwood_core::collective::{Collective, Order, Params, Races, spmd, verify};
use ringwood_core::{Element, kernel};

mod kernels {
    #![allow(missing_docs)]
    use super::kernel;

    #[kernel(map, device = cpu, T in [f32, f64, i32, i64, u32, u64])]
    pub(super) fn add<T>(a: T, b: T) -> T {
        a + b
    }

    #[kernel(map, device = cpu, T in [f32, f64, i32, i64, u32, u64])]
    pub(super) fn mul<T>(a: T, b: T) -> T {
        a * b
    }

    #[kernel(map, device = cpu, T in [f32, f64, i32, i64, u32, u64])]
    pub(super) fn div<T>(a: T, b: T) -> T {
        a / b
    }

    #[kernel(map, device = cpu, T in [f32, f64, i32, i64, u32, u64])]
    pub(super) fn min<T>(a: T, b: T) -> T {
        if a < b { a } else { b }
    }

    #[kernel(map, device = cpu, T in [f32, f64, i32, i64, u32, u64])]
    pub(super) fn max<T>(a: T, b: T) -> T {
        if a > b { a } else { b }
    }
}

/// The elements of the tests' types.
trait Number: Element {
    fn small(n: usize) -> Self;
    fn fold(self, other: Self, op: ReduceOp) -> Self;
    fn over(self, ranks: usize) -> Self;
}

macro_rules! numbers {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            fn small(n: usize) -> Self {
                n as $ty
            }
            fn fold(self, other: Self, op: ReduceOp) -> Self {
                match op {
                    Prod => self * other,
                    Min => if other < self { other } else { self },
                    Max => if other > self { other } else { self },
                    _ => self + other,
                }
            }
            fn over(self, ranks: usize) -> Self {
                self / ranks as $ty
            }
        }
    )*};
}

numbers!(f32, f64, i32, i64, u32, u64);

fn input<T: Number>(rank: usize, count: usize) -> Vec<T> {
    (0..count).map(|i| T::small((rank * 5 + i * 3) % 4 + 1)).collect()
}

/// The order of merges is the ring's, so that floats compare by their bits.
fn oracle<T: Number>(n: usize, count: usize, op: ReduceOp) -> Vec<T> {
    let inputs: Vec<Vec<T>> = (0..n).map(|r| input(r, count)).collect();
    let merge = |i: usize| {
        let merged = (1..n).fold(inputs[0][i], |merged, r| merged.fold(inputs[r][i], op));
        if op == Mean { merged.over(n) } else { merged }
    };
    (0..count).map(merge).collect()
}

fn compare<T: Number>(n: usize, counts: &[usize]) {
    let calls: Vec<(usize, ReduceOp)> =
        counts.iter().flat_map(|&c| [Sum, Prod, Min, Max, Mean].map(|op| (c, op))).collect();
    let results = spmd(n, |comm| {
        let run = |&(count, op): &(usize, ReduceOp)| {
            let mut data = input::<T>(comm.rank(), count);
            comm.with("ring").all_reduce(&mut data, op).map(|()| data)
        };
        calls.iter().map(run).collect::<ringwood_core::Result<Vec<_>>>()
    });
    let results = results.unwrap();
    for (i, &(count, op)) in calls.iter().enumerate() {
        let want = oracle::<T>(n, count, op);
        for (rank, result) in results.iter().enumerate() {
            assert_eq!(result[i], want, "rank {rank} of {n}: {op} of {count} {}", T::DTYPE);
        }
    }
}

#[test]
fn every_type_operator_and_count_equals_the_oracle() {
    for n in (1..=9).chain([16]) {
        let counts = [0, 1, n - 1, n, n + 1, 31, 127, 257];
        compare::<f32>(n, &counts);
        compare::<f64>(n, &counts);
        compare::<i32>(n, &counts);
        compare::<i64>(n, &counts);
        compare::<u32>(n, &counts);
        compare::<u64>(n, &counts);
    }
}

#[test]
fn a_mebibyte_equals_the_oracle() {
    for n in [2, 3, 4, 7] {
        compare::<f32>(n, &[1 << 18]);
        compare::<f64>(n, &[(1 << 17) - 1]);
    }
}

#[test]
fn floats_have_the_same_bits_on_every_rank_and_in_every_run() {
    let run = || {
        spmd(5, |comm| {
            let value = |i: usize| ((comm.rank() * 1009 + i) as f32 * 0.618).sin() * 1e3;
            let mut data: Vec<f32> = (0..10_007).map(value).collect();
            comm.with("ring").all_reduce(&mut data, Sum)?;
            Ok(data.into_iter().map(f32::to_bits).collect::<Vec<_>>())
        })
        .unwrap()
    };
    let first = run();
    assert!(first.iter().all(|bits| *bits == first[0]));
    for _ in 0..5 {
        assert_eq!(run(), first);
    }
}

#[test]
fn ten_thousand_calls_stay_right() {
    let calls = spmd(3, |comm| {
        for call in 0..10_000_u64 {
            let mut data = [call + comm.rank() as u64; 5];
            comm.all_reduce(&mut data, Sum)?;
            assert_eq!(data, [3 * call + 3; 5]);
        }
        Ok(comm.counters().calls)
    });
    assert_eq!(calls.unwrap(), [10_000; 3]);
}

#[test]
fn it_is_proved_for_every_size_to_64_and_some_to_1024() {
    // An unoptimised verifier takes its time over the largest.
    let large = if cfg!(debug_assertions) { [97, 128, 129] } else { [256, 512, 1024] };
    for n in (1..=64).chain(large) {
        let verdict = verify(&RingReducer, &Params::new(&RingReducer.describe(), n).unwrap());
        let verdict = verdict.unwrap();
        assert!(verdict.ok(), "{verdict}");
        assert_eq!((verdict.depth, verdict.scratch, verdict.staged), (1, 0, 0), "{verdict}");
        assert_eq!(verdict.order, Some(if n < 3 { Order::Linear } else { Order::Ring }));
        assert_eq!(verdict.messages as usize, 2 * n * (n - 1));
        assert_ne!(verdict.races, Races::NotChecked);
    }
}

#[test]
fn segments_keep_the_order() {
    let params = Params::new(&RingReducer.describe(), 5).unwrap().segmented(3).unwrap();
    let verdict = verify(&RingReducer, &params).unwrap();
    assert!(verdict.ok(), "{verdict}");
    assert_eq!((verdict.chunks, verdict.order), (15, Some(Order::Ring)));
}
