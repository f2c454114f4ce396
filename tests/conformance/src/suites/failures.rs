//! A mistake is an error that names it; a failure sticks and reaches everyone who waits.

use super::{native, suite};
use crate::bench::{Bench, Raw, WAIT, all, part};
use crate::case::{Case, Check, Power, Stop, ensure, ensure_holds};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_device::backend::{Handle, Region, Status};
use ringwood_device::kernel::{Arg, KernelSpec};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};

pub(super) const CASES: &[Case] = {
    const STREAMS: [Case; 5] = suite(
        "failures",
        &[Power::Streams],
        [
            ("regions_out_of_range_are_refused", regions_out_of_range_are_refused),
            ("sizes_that_differ_are_refused", sizes_that_differ_are_refused),
            ("out_of_memory_is_an_error", out_of_memory_is_an_error),
            ("a_sink_is_called_exactly_once", a_sink_is_called_exactly_once),
            ("a_panicking_sink_fails_the_stream", a_panicking_sink_fails_the_stream),
        ],
    );
    const KERNELS: [Case; 6] = suite(
        "failures",
        &[Power::Streams, Power::Kernels],
        [
            ("a_kernel_panic_sticks", a_kernel_panic_sticks),
            ("an_access_out_of_bounds_is_an_error", an_access_out_of_bounds_is_an_error),
            ("a_failed_kernel_sticks", a_failed_kernel_sticks),
            ("a_failure_wakes_blocked_waiters", a_failure_wakes_blocked_waiters),
            ("a_failed_event_fails_the_waiting_stream", a_failed_event_fails_the_waiting_stream),
            ("a_failure_stays_in_its_stream", a_failure_stays_in_its_stream),
        ],
    );
    let ([a, b, c, d, e], [f, g, h, i, j, k]) = (STREAMS, KERNELS);
    &[a, b, c, d, e, f, g, h, i, j, k]
};

fn refused(what: &str, result: Result<()>) -> Check {
    let kind = result.err().map(|e| e.kind());
    ensure!(kind == Some(ErrorKind::InvalidArgument), "{what}: {kind:?}");
    Ok(())
}

fn regions_out_of_range_are_refused(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, other) = (raw.stream()?, raw.memory(64)?);
    // A backend may keep more than was asked for: one of the sizes is no multiple of a word.
    for size in [13, 16] {
        let memory = raw.memory(size)?;
        let beyond = [(0, size + 1), (size, 1), (size - 7, 8), (usize::MAX, 1), (usize::MAX, 0)];
        for (offset, bytes) in beyond {
            let (bad, good) = (part(&memory, offset, bytes), all(&other, bytes));
            refused("write", raw.write(&stream, bad, &vec![0; bytes]))?;
            refused("fill", raw.backend.fill(&stream, bad, 0))?;
            refused("copy from", raw.backend.copy(&stream, bad, good))?;
            refused("copy to", raw.backend.copy(&stream, good, bad))?;
            refused("read", raw.backend.read(&stream, bad, Box::new(|_| ())))?;
        }
    }
    raw.finish(&stream)?;
    Ok(())
}

fn sizes_that_differ_are_refused(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, a, b) = (raw.stream()?, raw.memory(16)?, raw.memory(16)?);
    refused("write", raw.write(&stream, all(&a, 16), &[0; 15]))?;
    refused("copy", raw.backend.copy(&stream, all(&a, 8), all(&b, 9)))?;
    raw.finish(&stream)?;
    Ok(())
}

fn out_of_memory_is_an_error(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let limit = bench.device().capabilities().memory_bytes;
    let too_much = limit.map_or(isize::MAX as usize, |limit| limit.saturating_add(1));
    for bytes in [too_much, isize::MAX as usize, usize::MAX] {
        match raw.memory(bytes) {
            Ok(_) => return Err(Stop::Failed(format!("{bytes} bytes were allocated"))),
            Err(e) => ensure!(e.kind() == ErrorKind::OutOfMemory, "{bytes} bytes: {e:?}"),
        }
    }
    raw.memory(64)?;
    Ok(())
}

fn count_calls(raw: &Raw, stream: &Handle, source: Region<'_, Handle>) -> Result<Arc<AtomicUsize>> {
    let calls = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&calls);
    let sink = move |_: Result<&[u8]>| {
        counter.fetch_add(1, Ordering::SeqCst);
    };
    // Whether the call is refused is not the question.
    let _ = raw.backend.read(stream, source, Box::new(sink));
    match raw.finish(stream) {
        Err(error) if error.kind() == ErrorKind::Timeout => Err(error),
        _ => Ok(calls),
    }
}

fn a_sink_is_called_exactly_once(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(8)?);
    let good = count_calls(&raw, &stream, all(&memory, 8))?;
    let out_of_range = count_calls(&raw, &stream, all(&memory, 9))?;
    let wrong_handle = count_calls(&raw, &stream, all(&raw.device, 8))?;
    fail_by_sink(&raw, &stream, &memory);
    raw.failure(&stream)?;
    let failed = count_calls(&raw, &stream, all(&memory, 8))?;
    let calls = [
        ("good", good),
        ("out of range", out_of_range),
        ("of a wrong handle", wrong_handle),
        ("after a failure", failed),
    ];
    for (what, calls) in calls {
        let calls = calls.load(Ordering::SeqCst);
        ensure!(calls == 1, "the sink of a read {what} was called {calls} times");
    }
    Ok(())
}

/// Without the panic hook's message, which would be taken for a failure of the suite.
fn fail_by_sink(raw: &Raw, stream: &Handle, memory: &Handle) {
    let sink = |_: Result<&[u8]>| std::panic::resume_unwind(Box::new("asked to"));
    let _ = raw.backend.read(stream, all(memory, 8), Box::new(sink));
}

fn a_panicking_sink_fails_the_stream(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(8)?);
    fail_by_sink(&raw, &stream, &memory);
    let error = raw.failure(&stream)?;
    ensure!(error.kind() == ErrorKind::Panic, "{error:?}");
    ensure!(error.to_string().contains("asked to"), "the panic's text is lost: {error}");
    Ok(())
}

/// Launches a kernel that fails; on a stream that runs work in the call, the launch may say so.
fn launch(raw: &Raw, stream: &Handle, spec: KernelSpec<'_>, y: &Handle) -> Check {
    let code = raw.compile_native(spec)?;
    let args = [Arg::Slice { region: all(y, 16), strides: None }];
    let _ = raw.launch(stream, &code, &[4], &args);
    Ok(())
}

/// Fails the stream after about 20 ms of work, by a panic where native code runs, else by an access
/// out of bounds; returns the text that the failure has.
fn fail_late(raw: &Raw, stream: &Handle, memory: &Handle) -> Check<&'static str> {
    if let Err(Stop::Skipped(_)) = raw.compile_native(native::PANIC) {
        let large = raw.memory(8 << 20)?;
        for byte in 0..20 {
            raw.backend.fill(stream, all(&large, 8 << 20), byte)?;
        }
        launch(raw, stream, native::FAULT, memory)?;
        return Ok("faults");
    }
    for _ in 0..20 {
        launch(raw, stream, native::SLEEP, memory)?;
    }
    launch(raw, stream, native::PANIC, memory)?;
    Ok("asked to")
}

fn a_kernel_panic_sticks(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(16)?);
    let before = raw.backend.record(&stream)?;
    launch(&raw, &stream, native::PANIC, &memory)?;
    let first = raw.failure(&stream)?;
    ensure!(first.kind() == ErrorKind::Panic, "{first:?}");
    for part in ["panics", "asked to"] {
        ensure!(first.to_string().contains(part), "`{part}` is not in: {first}");
    }
    sticks(&raw, &stream, &memory, &first, &before)
}

fn a_failed_kernel_sticks(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(16)?);
    let before = raw.backend.record(&stream)?;
    launch(&raw, &stream, native::FAULT, &memory)?;
    let first = raw.failure(&stream)?;
    sticks(&raw, &stream, &memory, &first, &before)
}

/// Every later call on the stream reports its first failure; what was before it is done.
fn sticks(raw: &Raw, stream: &Handle, memory: &Handle, first: &Error, before: &Handle) -> Check {
    for round in 0..3 {
        let same = |what: &str, error: Option<Error>| match error {
            Some(error) if error.to_string() == first.to_string() => Ok(()),
            other => Err(Stop::Failed(format!("{what} in round {round}: {other:?}"))),
        };
        same("fill", raw.backend.fill(stream, all(memory, 16), 0).err())?;
        same("read", raw.read(stream, all(memory, 16)).err())?;
        same("finish", raw.finish(stream).err())?;
        same("wait", raw.backend.wait(stream, before).err())?;
    }
    raw.backend.block(before, WAIT)?;
    Ok(())
}

fn an_access_out_of_bounds_is_an_error(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(16)?);
    launch(&raw, &stream, native::FAULT, &memory)?;
    let error = raw.failure(&stream)?;
    ensure!(error.kind() == ErrorKind::OutOfBounds, "{error:?}");
    for part in ["faults", "17", "4"] {
        ensure!(error.to_string().contains(part), "`{part}` is not in: {error}");
    }
    Ok(())
}

fn a_failure_wakes_blocked_waiters(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(16)?);
    let text = fail_late(&raw, &stream, &memory)?;
    let Ok(event) = raw.backend.record(&stream) else {
        return Err(Stop::Skipped(
            "the stream runs work in the call: no one can be blocked".into(),
        ));
    };
    let (send, receive) = mpsc::channel();
    for _ in 0..4 {
        let (raw, event, send) = (raw.clone(), event.clone(), send.clone());
        std::thread::spawn(move || send.send(raw.backend.block(&event, WAIT)));
    }
    for _ in 0..4 {
        let woken = receive.recv_timeout(WAIT).map_err(|e| Stop::Failed(e.to_string()))?;
        let told = woken.as_ref().is_err_and(|e| e.to_string().contains(text));
        ensure!(told, "a waiter got {woken:?}");
    }
    for _ in 0..10 {
        let status = raw.backend.poll(&event);
        let failed = matches!(&status, Status::Failed(e) if e.to_string().contains(text));
        ensure!(failed, "poll says {status:?}");
    }
    Ok(())
}

fn a_failed_event_fails_the_waiting_stream(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (a, b, memory) = (raw.stream()?, raw.stream()?, raw.memory(16)?);
    let text = fail_late(&raw, &a, &memory)?;
    let Ok(event) = raw.backend.record(&a) else {
        return Err(Stop::Skipped(
            "the stream runs work in the call: there is no event of the failure".into(),
        ));
    };
    // A stream that waits in the call may say so at once.
    let _ = raw.backend.wait(&b, &event);
    let error = raw.failure(&b)?;
    ensure!(error.to_string().contains(text), "the cause is lost: {error}");
    Ok(())
}

fn a_failure_stays_in_its_stream(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (a, b, memory) = (raw.stream()?, raw.stream()?, raw.memory(16)?);
    launch(&raw, &a, native::FAULT, &memory)?;
    raw.failure(&a)?;
    raw.backend.fill(&b, all(&memory, 16), 3)?;
    ensure_holds!(raw.read(&b, all(&memory, 16))? == [3; 16], "another stream is affected");
    let c = raw.stream()?;
    raw.finish(&c)?;
    Ok(())
}
