//! What all-reduce computes.

use crate::group;
use ringwood_base::{Element, Result};
use ringwood_collective::Communicator;
use ringwood_schedule::ReduceOp;
use ringwood_schedule::ReduceOp::{Max, Mean, Min, Prod, Sum};

const ALGORITHMS: [&str; 3] = ["ring", "doubling", "one_shot"];

fn fits(algorithm: &str, n: usize) -> bool {
    algorithm != "doubling" || n.is_power_of_two()
}

/// A small value that depends on rank and position.
fn value(rank: usize, i: usize) -> u8 {
    ((rank * 7 + i * 3) % 5 + 1) as u8
}

/// What `value` says of so many elements: it comes again after five.
fn values<T: Element + From<u8>>(count: usize, value: impl Fn(usize) -> u8) -> Vec<T> {
    let mut values = [0, 1, 2, 3, 4].map(|i| T::from(value(i))).repeat(count.div_ceil(5));
    values.truncate(count);
    values
}

fn all_reduce<T: Element + From<u8>>(
    comm: &Communicator,
    algorithm: &str,
    count: usize,
    op: ReduceOp,
) -> Result<Vec<T>> {
    let mut data = values::<T>(count, |i| value(comm.rank(), i));
    comm.with(algorithm).all_reduce(&mut data, op)?;
    Ok(data)
}

fn check<T: Element + From<u8>>(n: usize, count: usize, op: ReduceOp, fold: fn(u64, u64) -> u64) {
    for algorithm in ALGORITHMS.into_iter().filter(|a| fits(a, n)) {
        let results = group(n).spmd(|comm| all_reduce::<T>(comm, algorithm, count, op)).unwrap();
        let want = values::<T>(count, |i| {
            let values = (0..n).map(|r| u64::from(value(r, i)));
            u8::try_from(values.reduce(fold).unwrap()).unwrap()
        });
        for (rank, got) in results.iter().enumerate() {
            // Bytes are compared faster than elements.
            if bytemuck::cast_slice::<T, u8>(got) != bytemuck::cast_slice::<T, u8>(&want) {
                let i = got.iter().zip(&want).position(|(got, want)| got != want);
                panic!("{algorithm} {op} of {n} ranks, rank {rank}: element {i:?} of {count}");
            }
        }
    }
}

#[test]
fn every_count_is_right_in_every_group() {
    for n in 1..=9 {
        for count in [0, 1, n - 1, n, n + 1, 127, 1009] {
            check::<f32>(n, count, Sum, |a, b| a + b);
        }
    }
}

#[test]
fn every_operator_is_right_for_every_type() {
    for count in [1, 61] {
        check::<f64>(3, count, Prod, |a, b| a * b);
        check::<i32>(3, count, Min, u64::min);
        check::<u64>(3, count, Max, u64::max);
        check::<u8>(3, count, Sum, |a, b| a + b);
    }
}

#[test]
fn a_mean_divides_the_sum_once_and_truncates_integers() {
    for n in [1, 2, 4, 5] {
        for algorithm in ALGORITHMS.into_iter().filter(|a| fits(a, n)) {
            let body = |comm: &Communicator| {
                let mut data = vec![(comm.rank() * comm.rank()) as f32; 10];
                let mut whole = vec![comm.rank() as i32; 10];
                comm.with(algorithm).all_reduce(&mut data, Mean)?;
                comm.with(algorithm).all_reduce(&mut whole, Mean)?;
                Ok((data, whole))
            };
            let sum: usize = (0..n).map(|r| r * r).sum();
            let whole = (0..n).sum::<usize>() / n;
            for (data, integers) in group(n).spmd(body).unwrap() {
                assert_eq!(data, vec![sum as f32 / n as f32; 10], "{algorithm} {n}");
                assert_eq!(integers, vec![whole as i32; 10], "{algorithm} {n}");
            }
        }
    }
}

#[test]
fn more_ranks_than_cores_and_a_large_buffer_work() {
    check::<f32>(16, 1 << 15, Sum, |a, b| a + b);
    check::<f32>(4, 1 << 18, Sum, |a, b| a + b);
    check::<u64>(40, 1000, Max, u64::max);
}

#[test]
fn ten_thousand_calls_give_the_same_bits_every_time() {
    let results = group(4).spmd(|comm| {
        let input: Vec<f32> = (0..37).map(|i| 0.1 + (comm.rank() * 37 + i) as f32).collect();
        let mut first = None;
        for _ in 0..10_000 {
            let mut data = input.clone();
            comm.with("ring").all_reduce(&mut data, Sum)?;
            assert_eq!(*first.get_or_insert_with(|| data.clone()), data);
        }
        Ok((first, comm.counters()))
    });
    let results = results.unwrap();
    assert!(results.iter().all(|r| r.0 == results[0].0));
    let counters = results[0].1;
    assert_eq!((counters.calls, counters.bytes_moved > 0), (10_000, true));
}

#[test]
fn calls_of_changing_sizes_and_random_delays_stay_in_step() {
    group(3)
        .spmd(|comm| {
            let mut seed = comm.rank() as u64 + 1;
            for call in 0..2_000_usize {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                match seed >> 60 {
                    0 => std::thread::yield_now(),
                    1 => std::thread::sleep(std::time::Duration::from_micros(seed >> 55 & 63)),
                    _ => {}
                }
                let algorithm = ["ring", "one_shot"][call / 7 % 2];
                let mut data = vec![comm.rank() as u64 + call as u64; call * 13 % 97];
                comm.with(algorithm).all_reduce(&mut data, Sum)?;
                assert!(data.iter().all(|&v| v == 3 + 3 * call as u64), "call {call}");
            }
            Ok(())
        })
        .unwrap();
}
