//! Buffers in the memory of a transport, and others, over every transport.

use crate::{ALL, group};
use ringwood_schedule::ReduceOp::Sum;
use ringwood_transport::Transport;

fn value(rank: usize, i: usize) -> f32 {
    ((rank * 7 + i * 3) % 5 + 1) as f32
}

/// What `value` says of so many elements: it comes again after five.
fn values(count: usize, value: impl Fn(usize) -> f32) -> Vec<f32> {
    let mut values = [0, 1, 2, 3, 4].map(value).repeat(count.div_ceil(5));
    values.truncate(count);
    values
}

fn check(transport: &'static dyn Transport, name: &str, n: usize, count: usize, algorithm: &str) {
    let results = group(transport, n).spmd(|comm| {
        let mut data = values(count, |i| value(comm.rank(), i));
        comm.with(algorithm).all_reduce(&mut data, Sum)?;
        let mut shared = comm.alloc::<f32>(count)?;
        shared.copy_from_slice(&values(count, |i| value(comm.rank(), i)));
        comm.with(algorithm).all_reduce(&mut shared, Sum)?;
        assert!(
            bytes(&shared) == bytes(&data),
            "{name}: memory of the transport gives other results"
        );
        Ok(data)
    });
    let want = values(count, |i| (0..n).map(|r| value(r, i)).sum());
    for (rank, got) in results.unwrap().iter().enumerate() {
        if bytes(got) != bytes(&want) {
            let i = got.iter().zip(&want).position(|(got, want)| got != want);
            panic!("{name} {algorithm}: rank {rank} of {n}, element {i:?} of {count}");
        }
    }
}

/// Bytes are compared faster than elements.
fn bytes(values: &[f32]) -> &[u8] {
    bytemuck::cast_slice(values)
}

#[test]
fn every_count_is_right_in_every_group() {
    for (name, transport) in ALL {
        for n in 1..=6_usize {
            for count in [0, 1, n - 1, n, n + 1, 127, 5_003] {
                for algorithm in ["ring", "one_shot", "doubling"] {
                    if algorithm != "doubling" || n.is_power_of_two() {
                        check(transport, name, n, count, algorithm);
                    }
                }
            }
        }
    }
}

#[test]
fn large_buffers_are_right() {
    for (name, transport) in ALL {
        check(transport, name, 3, (9 << 20) / 4 + 1, "ring");
        check(transport, name, 2, (5 << 20) / 4, "one_shot");
    }
}

#[test]
fn buffers_of_a_transport_outlive_their_group() {
    for (name, transport) in ALL {
        let mut buffers = group(transport, 2).spmd(|comm| comm.alloc::<u32>(100_000)).unwrap();
        buffers[0][99_999] = 7;
        assert_eq!((buffers[0][99_999], buffers[1][99_999]), (7, 0), "{name}");
    }
}
