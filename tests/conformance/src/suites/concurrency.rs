//! Any thread may call anything at any time.

use super::suite;
use crate::bench::{Bench, Raw, WAIT, all, part};
use crate::case::{Case, Check, Power, Stop, ensure_holds};
use ringwood_base::Result;

pub(super) const CASES: &[Case] = &suite(
    "concurrency",
    &[Power::Streams],
    [
        ("many_threads_on_one_stream", many_threads_on_one_stream),
        ("many_streams", many_streams),
        ("many_threads_block_on_one_event", many_threads_block_on_one_event),
        ("allocations_of_many_threads", allocations_of_many_threads),
        ("streams_come_and_go", streams_come_and_go),
    ],
);

/// Runs `work` on `n` threads and returns the first failure.
fn on_threads(n: usize, work: impl Fn(usize) -> Check + Sync) -> Check {
    std::thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..n).map(|i| scope.spawn(move || work(i))).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Check>| {
            thread.join().unwrap_or_else(|_| Err(Stop::Failed("a thread panicked".into())))
        };
        threads.into_iter().map(join).fold(Ok(()), Result::and)
    })
}

/// Fills, copies and reads in regions of its own.
fn exercise(raw: &Raw, stream: &ringwood_device::backend::Handle, i: usize) -> Check {
    let (a, b) = (raw.memory(1000)?, raw.memory(1000)?);
    for round in 0..20 {
        let byte = (i * 20 + round) as u8;
        raw.backend.fill(stream, all(&a, 1000), byte)?;
        raw.backend.copy(stream, part(&a, 10, 500), part(&b, 20, 500))?;
        let got = raw.read(stream, part(&b, 20, 500))?;
        ensure_holds!(got.iter().all(|&b| b == byte), "thread {i}, round {round}: {}", got[0]);
    }
    Ok(())
}

fn many_threads_on_one_stream(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let stream = raw.stream()?;
    on_threads(8, |i| exercise(&raw, &stream, i))
}

fn many_streams(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    on_threads(16, |i| exercise(&raw, &raw.stream()?, i))
}

fn many_threads_block_on_one_event(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(1 << 20)?);
    for i in 0..20 {
        raw.backend.fill(&stream, all(&memory, 1 << 20), i)?;
    }
    let event = raw.backend.record(&stream)?;
    on_threads(8, |_| Ok(raw.backend.block(&event, WAIT)?))
}

fn allocations_of_many_threads(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    on_threads(8, |i| {
        for round in 0..50 {
            let memories =
                (0..8).map(|m| raw.memory(1 + i * 100 + round * m)).collect::<Result<Vec<_>>>()?;
            drop(memories);
        }
        Ok(())
    })
}

fn streams_come_and_go(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    for i in 0..200 {
        let (stream, memory) = (raw.stream()?, raw.memory(64)?);
        raw.backend.fill(&stream, all(&memory, 64), i)?;
        let event = raw.backend.record(&stream)?;
        if i % 2 == 0 {
            raw.backend.block(&event, WAIT)?;
        }
        drop(stream);
        raw.backend.block(&event, WAIT)?;
    }
    Ok(())
}
