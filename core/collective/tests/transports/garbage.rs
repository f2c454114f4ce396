//! Processes that write garbage where ranks read: an error or a wrong result within the timeout, and
//! nothing worse.

use crate::group;
use ringwood_collective::Communicator;
use ringwood_schedule::ReduceOp::Sum;
use ringwood_transport::Arena;
use std::fs::{File, OpenOptions};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A generator of numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next() as u8).collect()
    }
}

/// Writes garbage all over a file until it is told to stop.
fn scribble(file: &File, random: &mut Random, stop: &AtomicBool) {
    let size = file.metadata().unwrap().len();
    while !stop.load(Ordering::Relaxed) {
        let count = 1 << (random.next() % 12);
        let at = random.next() % size;
        let bytes = random.bytes(count.min((size - at) as usize));
        file.write_all_at(&bytes, at).unwrap();
        if random.next().is_multiple_of(8) {
            thread::sleep(Duration::from_micros(random.next() % 2_000));
        }
    }
}

#[test]
fn garbage_all_over_an_arena_ends_every_call_in_time() {
    for seed in 1..=20_u64 {
        // Time to come is not what is measured.
        let of = || group(&Arena, 3).timeout(Duration::from_secs(10));
        let short = Duration::from_millis(200);
        let bootstrap = of().bootstrap().unwrap();
        let file = OpenOptions::new().write(true).open(bootstrap.address()).unwrap();
        let (start, stop) = (Instant::now(), AtomicBool::new(false));
        // All ranks have come before the garbage does.
        let come = std::sync::Barrier::new(4);
        thread::scope(|scope| {
            let ranks: Vec<_> = (0..3)
                .map(|rank| {
                    let (come, address) = (&come, bootstrap.address());
                    scope.spawn(move || {
                        let comm = of().join(rank, address).unwrap();
                        come.wait();
                        let mut data = vec![1.0_f32; 20_000];

                        let message = |comm: &Communicator| match rank {
                            0 => comm.call().timeout(short).send(&[1.0_f32; 5_000], 1),
                            1 => comm.call().timeout(short).recv(&mut [1.0_f32; 5_000], 0),
                            _ => Ok(()),
                        };
                        while comm.with("ring").timeout(short).all_reduce(&mut data, Sum).is_ok()
                            && message(&comm).is_ok()
                            && start.elapsed() < Duration::from_secs(2)
                        {}
                    })
                })
                .collect();
            come.wait();
            thread::sleep(Duration::from_millis(5));
            let writer = scope.spawn(|| scribble(&file, &mut Random::new(seed), &stop));
            ranks.into_iter().for_each(|rank| rank.join().unwrap());
            stop.store(true, Ordering::Relaxed);
            writer.join().unwrap();
        });
        assert!(start.elapsed() < Duration::from_secs(10), "seed {seed}: {:?}", start.elapsed());
    }
}
