//! Memory: limits, deferred freeing, identities.

use super::suite;
use crate::bench::{Bench, WAIT};
use crate::case::{Case, Check, Power, Stop, ensure, ensure_holds};
use ringwood_base::{DType, ErrorKind, Result, Shape};
use ringwood_device::device::{BufferId, Context, Device, NodeId, Runtime};

pub(super) const CASES: &[Case] = &suite(
    "memory",
    &[Power::Streams],
    [
        ("a_limit_holds_and_is_given_back", a_limit_holds_and_is_given_back),
        ("an_error_beyond_the_limit_tells_the_sizes", an_error_beyond_the_limit_tells_the_sizes),
        ("memory_under_way_is_waited_for", memory_under_way_is_waited_for),
        ("a_fresh_run_time_gives_the_same_identities", a_fresh_run_time_gives_the_same_identities),
        ("contexts_streams_and_buffers_leave_nothing", contexts_streams_and_buffers_leave_nothing),
        ("empty_buffers_are_legal", empty_buffers_are_legal),
    ],
);

/// Runs `check` on a device of a run time of its own, so that limits and counts are its own.
fn alone(bench: &Bench, check: impl Fn(&Device) -> Check) -> Check {
    let runtime = Runtime::new(bench.runtime().registry().clone());
    check(&runtime.device(bench.device().name())?)
}

fn a_limit_holds_and_is_given_back(bench: &Bench) -> Check {
    alone(bench, |device| {
        device.set_memory_limit(Some(1 << 20));
        for round in 0..20 {
            let large = device.buffer(1 << 20)?;
            match device.buffer(1 << 16) {
                Ok(_) => return Err(Stop::Failed("the limit was exceeded".into())),
                Err(e) => ensure!(e.kind() == ErrorKind::OutOfMemory, "round {round}: {e:?}"),
            }
            device.new_stream(bench.kind())?.fill(large.region(), round)?;
        }
        Ok(())
    })
}

fn an_error_beyond_the_limit_tells_the_sizes(bench: &Bench) -> Check {
    alone(bench, |device| {
        device.set_memory_limit(Some(5000));
        let kept = device.buffer(3000)?;
        let error = device.zeros(Shape::vector(777), DType::F32).err();
        let text = error.map(|e| e.to_string()).unwrap_or_default();
        for part in ["3108", "5000", "3000", device.name()] {
            ensure!(text.contains(part), "`{part}` is not in: {text}");
        }
        drop(kept);
        device.zeros(Shape::vector(777), DType::F32)?;
        device.set_memory_limit(None);
        Ok(())
    })
}

/// Memory that work still uses is counted; asking for it waits for that work.
fn memory_under_way_is_waited_for(bench: &Bench) -> Check {
    alone(bench, |device| {
        let bytes = 1 << 20;
        device.set_memory_limit(Some(2 * bytes));
        let stream = device.new_stream(bench.kind())?;
        for round in 0..50 {
            let (a, b) = (device.buffer(bytes)?, device.buffer(bytes)?);
            stream.fill(a.region(), round)?;
            stream.copy(a.region(), b.region())?;
            drop(a);
            let seen = stream.fetch(b.region(), WAIT)?;
            ensure_holds!(seen.iter().all(|byte| *byte == round), "round {round}: {}", seen[0]);
        }
        Ok(())
    })
}

fn a_fresh_run_time_gives_the_same_identities(bench: &Bench) -> Check {
    let identities = || -> Result<Vec<BufferId>> {
        let runtime = Runtime::new(bench.runtime().registry().clone());
        let device = runtime.device(bench.device().name())?;
        let mut ids = Vec::new();
        for bytes in [64, 4096, 64, 1 << 16] {
            let (a, b) = (device.buffer(bytes)?, device.buffer(bytes)?);
            ids.extend([a.id(), b.id()]);
            device.new_stream(bench.kind())?.copy(a.region(), b.region())?;
            device.synchronize(WAIT)?;
        }
        Ok(ids)
    };
    let (first, second) = (identities()?, identities()?);
    ensure!(first == second, "{first:?}, then {second:?}");
    Ok(())
}

fn contexts_streams_and_buffers_leave_nothing(bench: &Bench) -> Check {
    alone(bench, |device| {
        let before = device.memory_in_use();
        let mut ends = Vec::new();
        for round in 0..100 {
            let stream = device.new_stream(bench.kind())?;
            let tensor = device.tensor(&[round as f32; 100])?;
            let context = Context::new(&stream).with(NodeId(0), &tensor)?;
            stream.fill(context.tensor(NodeId(0))?.region(), round)?;
            ends.push(stream.record());
        }
        ends.iter().try_for_each(|end| end.wait(WAIT))?;
        let after = device.memory_in_use();
        ensure!(after == before, "{before} bytes were in use before, {after} after");
        Ok(())
    })
}

fn empty_buffers_are_legal(bench: &Bench) -> Check {
    let device = bench.device();
    let (a, b) = (device.buffer(0)?, device.buffer(0)?);
    let stream = device.new_stream(bench.kind())?;
    stream.fill(a.region(), 1)?;
    stream.copy(a.region(), b.region())?;
    ensure!(stream.fetch(b.region(), WAIT)?.is_empty(), "no bytes came back as some");
    let tensor = device.zeros(Shape::vector(0), DType::F32)?;
    ensure!(tensor.to_vec::<f32>()?.is_empty(), "no elements came back as some");
    Ok(())
}
