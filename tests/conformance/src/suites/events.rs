//! Streams keep their order, and events tell the truth about it.

use super::suite;
use crate::bench::{Bench, Raw, WAIT, all, pattern};
use crate::case::{Case, Check, Power, Stop, ensure, ensure_holds};
use ringwood_base::{ErrorKind, Result};
use ringwood_device::backend::{Handle, Status};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

pub(super) const CASES: &[Case] = &suite(
    "events",
    &[Power::Streams],
    [
        ("work_runs_in_submission_order", work_runs_in_submission_order),
        ("writes_wait_for_the_work_before_them", writes_wait_for_the_work_before_them),
        ("an_event_covers_the_work_before_it", an_event_covers_the_work_before_it),
        ("a_final_event_stays_final", a_final_event_stays_final),
        ("blocking_ends_at_the_timeout", blocking_ends_at_the_timeout),
        ("a_wait_orders_two_streams", a_wait_orders_two_streams),
        ("a_chain_of_waits", a_chain_of_waits),
        ("waits_for_finished_and_own_events", waits_for_finished_and_own_events),
        ("a_thousand_events_complete_in_order", a_thousand_events_complete_in_order),
        ("a_dropped_stream_finishes_its_work", a_dropped_stream_finishes_its_work),
    ],
);

fn work_runs_in_submission_order(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, a, b) = (raw.stream()?, raw.memory(64)?, raw.memory(64)?);
    for i in 0..500_u32 {
        raw.backend.fill(&stream, all(&a, 64), i as u8)?;
        raw.backend.copy(&stream, all(&a, 64), all(&b, 64))?;
    }
    raw.backend.fill(&stream, all(&a, 64), 0)?;
    ensure_holds!(raw.read(&stream, all(&b, 64))? == [243; 64], "the last copy is not the last");
    Ok(())
}

/// A sink holds the stream up, and fills of much memory keep devices that do not wait for sinks busy.
fn writes_wait_for_the_work_before_them(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let bytes = 1 << 18;
    let (stream, a, b) = (raw.stream()?, raw.memory(bytes)?, raw.memory(bytes)?);
    let hold = |_: Result<&[u8]>| std::thread::sleep(Duration::from_millis(50));
    raw.backend.read(&stream, all(&a, 8), Box::new(hold))?;
    for byte in 0..50 {
        raw.backend.fill(&stream, all(&a, bytes), byte)?;
    }
    raw.backend.copy(&stream, all(&a, bytes), all(&b, bytes))?;
    raw.backend.write(&stream, pattern(bytes, 1), all(&a, bytes))?;
    let copied = raw.read(&stream, all(&b, bytes))?;
    ensure_holds!(copied == vec![49; bytes], "a write overtook the copy that was submitted before");
    let written = raw.read(&stream, all(&a, bytes))?;
    ensure_holds!(written == pattern(bytes, 1)[..], "a write was lost to work from before it");
    Ok(())
}

fn an_event_covers_the_work_before_it(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(1 << 16)?);
    for _ in 0..20 {
        let seen = Arc::new(AtomicBool::new(false));
        let sink = Arc::clone(&seen);
        let sink = move |bytes: Result<&[u8]>| sink.store(bytes.is_ok(), Ordering::SeqCst);
        raw.backend.read(&stream, all(&memory, 1 << 16), Box::new(sink))?;
        raw.finish(&stream)?;
        ensure!(seen.load(Ordering::SeqCst), "the event is done and the sink was not called");
    }
    Ok(())
}

fn a_final_event_stays_final(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(8)?);
    raw.backend.fill(&stream, all(&memory, 8), 1)?;
    let event = raw.backend.record(&stream)?;
    raw.backend.block(&event, WAIT)?;
    for round in 0..100 {
        if round == 50 {
            raw.backend.fill(&stream, all(&memory, 8), 2)?;
        }
        ensure!(is_done(&raw, &event), "poll {round} says {:?}", raw.backend.poll(&event));
        raw.backend.block(&event, Duration::ZERO)?;
    }
    drop(stream);
    ensure!(is_done(&raw, &event), "without its stream it is {:?}", raw.backend.poll(&event));
    Ok(())
}

/// The sink of a read holds the stream up, for 3 s at most, and not at all where the call runs the work.
fn blocking_ends_at_the_timeout(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(8)?);
    let (open, opened) = mpsc::channel::<()>();
    let caller = std::thread::current().id();
    let hold = move |_: Result<&[u8]>| {
        let within = std::thread::current().id() == caller;
        let _ = opened.recv_timeout(Duration::from_secs(if within { 0 } else { 3 }));
    };
    raw.backend.read(&stream, all(&memory, 8), Box::new(hold))?;
    let event = raw.backend.record(&stream)?;
    if let Status::Pending = raw.backend.poll(&event) {
        for timeout in [Duration::ZERO, Duration::from_millis(10)] {
            let kind = raw.backend.block(&event, timeout).err().map(|e| e.kind());
            ensure!(kind == Some(ErrorKind::Timeout), "block for {timeout:?} gives {kind:?}");
        }
    }
    drop(open);
    raw.backend.block(&event, WAIT)?;
    Ok(())
}

fn a_wait_orders_two_streams(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let bytes = 1 << 18;
    let (a, b) = (raw.stream()?, raw.stream()?);
    let (source, target) = (raw.memory(bytes)?, raw.memory(bytes)?);
    for round in 0..30 {
        let wrote = pattern(bytes, round);
        raw.backend.write(&a, wrote.clone(), all(&source, bytes))?;
        raw.backend.wait(&b, &raw.backend.record(&a)?)?;
        raw.backend.copy(&b, all(&source, bytes), all(&target, bytes))?;
        let got = raw.read(&b, all(&target, bytes))?;
        ensure_holds!(got[..] == wrote[..], "round {round}: the copy overtook the write");
    }
    Ok(())
}

fn a_chain_of_waits(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let memories = (0..8).map(|_| raw.memory(4096)).collect::<Result<Vec<_>>>()?;
    let streams = (0..8).map(|_| raw.stream()).collect::<Result<Vec<_>>>()?;
    for round in 0..10 {
        raw.backend.fill(&streams[0], all(&memories[0], 4096), round)?;
        for i in 1..8 {
            raw.backend.wait(&streams[i], &raw.backend.record(&streams[i - 1])?)?;
            let (from, to) = (all(&memories[i - 1], 4096), all(&memories[i], 4096));
            raw.backend.copy(&streams[i], from, to)?;
        }
        let last = raw.read(&streams[7], all(&memories[7], 4096))?;
        ensure_holds!(last.iter().all(|&b| b == round), "round {round} ends with {}", last[0]);
    }
    Ok(())
}

fn waits_for_finished_and_own_events(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (a, b) = (raw.stream()?, raw.stream()?);
    let done = raw.backend.record(&a)?;
    raw.backend.block(&done, WAIT)?;
    for stream in [&a, &b] {
        raw.backend.wait(stream, &done)?;
        raw.backend.wait(stream, &raw.backend.record(stream)?)?;
        raw.finish(stream)?;
    }
    drop(a);
    raw.backend.wait(&b, &done)?;
    raw.finish(&b)?;
    Ok(())
}

fn a_thousand_events_complete_in_order(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(64)?);
    let mut events = Vec::new();
    for i in 0..1000 {
        raw.backend.fill(&stream, all(&memory, 64), i as u8)?;
        events.push(raw.backend.record(&stream)?);
    }
    loop {
        // From the last to the first: a later one that is done has earlier ones that are.
        let done: Vec<_> = events.iter().rev().map(|e| is_done(&raw, e)).collect();
        let first_done = done.iter().position(|&d| d).unwrap_or(done.len());
        let hole = done[first_done..].iter().position(|&d| !d);
        ensure!(hole.is_none(), "an event is done before an earlier one");
        if first_done == 0 {
            return Ok(());
        }
        raw.backend.block(&events[events.len() - first_done], WAIT)?;
    }
}

fn a_dropped_stream_finishes_its_work(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    for _ in 0..10 {
        let (stream, memory) = (raw.stream()?, raw.memory(4096)?);
        for i in 0..50 {
            raw.backend.fill(&stream, all(&memory, 4096), i)?;
        }
        let (send, receive) = mpsc::channel();
        let sink = move |bytes: Result<&[u8]>| drop(send.send(bytes.map(<[u8]>::to_vec)));
        raw.backend.read(&stream, all(&memory, 4096), Box::new(sink))?;
        let event = raw.backend.record(&stream)?;
        drop(stream);
        raw.backend.block(&event, WAIT)?;
        let read = receive.recv_timeout(WAIT);
        let read = read.map_err(|e| Stop::Failed(format!("the sink of the read: {e}")))??;
        ensure_holds!(read == [49; 4096], "the last work of the dropped stream is missing");
    }
    Ok(())
}

fn is_done(raw: &Raw, event: &Handle) -> bool {
    matches!(raw.backend.poll(event), Status::Done)
}
