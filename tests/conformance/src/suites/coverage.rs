//! What a failure covers: the table in `docs/devices.md`, row by row.

use super::programs::{LEN, X, Y, Z, fault, holding, holds, root, sum, tensor};
use super::suite;
use crate::bench::{Bench, WAIT};
use crate::case::{Case, Check, Power, Stop, ensure, ensure_holds};
use ringwood_base::{DType, Error, ErrorKind, Result, Shape};
use ringwood_device::device::{Bindings, Completion, Context, Stream, Tensor};

pub(super) const CASES: &[Case] = &suite(
    "coverage",
    &[Power::Streams, Power::Kernels],
    [
        ("work_before_a_failure_stays_done", work_before_a_failure_stays_done),
        ("a_reader_fails_only_with_its_writer", a_reader_fails_only_with_its_writer),
        ("a_failure_is_told_of_the_device_once", a_failure_is_told_of_the_device_once),
        ("a_failed_default_stream_is_replaced", a_failed_default_stream_is_replaced),
        ("what_a_failure_did_not_touch_is_read", what_a_failure_did_not_touch_is_read),
        ("an_empty_tensor_tells_the_failure", an_empty_tensor_tells_the_failure),
        ("what_was_not_computed_is_not_read", what_was_not_computed_is_not_read),
    ],
);

/// A stream that computed `good`, and then failed at `bad`.
struct Failed {
    stream: Stream,
    /// 8 everywhere.
    good: Tensor,
    bad: Tensor,
    /// Taken between the two.
    before: Completion,
    /// Whether the submission that failed told it.
    told: bool,
}

fn fails_on(stream: &Stream) -> Check<Failed> {
    let device = stream.device();
    let adds = holding(stream, &[(X, 3), (Y, 5)])?.link(&device.compile(sum())?)?;
    let bad = device.tensor(&[1_u32; 4])?;
    let faults = Context::new(stream).with(X, &bad)?.link(&device.compile(fault(4))?)?;
    device.synchronize(WAIT)?;
    adds.submit(&Bindings::new())?;
    let before = stream.record();
    let told = faults.submit(&Bindings::new()).is_err();
    Ok(Failed { stream: stream.clone(), good: adds.context().tensor(Z)?, bad, before, told })
}

fn failed(bench: &Bench) -> Check<Failed> {
    fails_on(&bench.device().new_stream(bench.kind())?)
}

/// The failure that `failed` has, as `result` tells it.
fn tells<T>(what: &str, result: Result<T>) -> Check<Error> {
    match result {
        Err(error) if error.kind() == ErrorKind::OutOfBounds => Ok(error),
        Err(error) => Err(Stop::Failed(format!("{what}: {error:?}"))),
        Ok(_) => Err(Stop::Failed(format!("{what} tells no failure"))),
    }
}

fn is_eight(good: &Tensor) -> Check {
    let got = good.to_vec::<u32>()?;
    ensure_holds!(got == [8; LEN], "what was computed before the failure is {:?}", &got[..4]);
    Ok(())
}

fn work_before_a_failure_stays_done(bench: &Bench) -> Check {
    for _ in bench.seeded_kinds() {
        let Failed { stream, good, bad, before, .. } = failed(bench)?;
        before.wait(WAIT)?;
        let error = tells("its stream", stream.synchronize(WAIT))?;
        ensure!(error.to_string().contains("`Device::stream`"), "no way to go on in: {error}");
        for _ in 0..2 {
            before.wait(WAIT)?;
            is_eight(&good)?;
            tells("what it wrote", bad.to_vec::<u32>())?;
            tells("the next submission", stream.fill(good.region(), 0))?;
        }
        drop((stream, before));
        is_eight(&good)?;
        tells("what it wrote, without its stream", bad.to_vec::<u32>())?;
    }
    Ok(())
}

fn a_reader_fails_only_with_its_writer(bench: &Bench) -> Check {
    let device = bench.device();
    let compiled = device.compile(sum())?;
    for _ in bench.seeded_kinds() {
        let Failed { good, bad, .. } = failed(bench)?;
        // As soon as it was submitted, and after everybody knows.
        for _ in 0..2 {
            let own = root(bench)?.with(X, &good)?.with(Y, &good)?;
            let adds = own.link(&compiled)?;
            adds.submit(&Bindings::new())?.wait(WAIT)?;
            holds(adds.context(), Z, 16)?;
            let reader = device.new_stream(bench.kind())?;
            let copy = device.zeros(Shape::vector(4), DType::U32)?;
            device.stream()?.synchronize(WAIT)?;
            let copied = reader.copy(bad.region(), copy.region());
            tells("a reader of the failed result", copied.and_then(|()| reader.synchronize(WAIT)))?;
            tells("its next submission", reader.fill(copy.region(), 0))?;
        }
    }
    Ok(())
}

fn a_failure_is_told_of_the_device_once(bench: &Bench) -> Check {
    let device = bench.device();
    let Failed { stream, told, .. } = failed(bench)?;
    let first = device.synchronize(WAIT);
    ensure!(first.is_err() != told, "it was told before: {told}; the device says {first:?}");
    device.synchronize(WAIT)?;
    tells("its stream", stream.synchronize(WAIT)).map(drop)
}

/// With a default stream of the kind, which fails.
fn by_default(bench: &Bench, check: impl Fn(&Bench) -> Check) -> Check {
    let before = bench.device().stream()?;
    bench.device().set_stream(&bench.device().new_stream(bench.kind())?)?;
    let checked = check(bench);
    bench.device().set_stream(&before)?;
    checked
}

fn a_failed_default_stream_is_replaced(bench: &Bench) -> Check {
    by_default(bench, |bench| {
        let device = bench.device();
        let Failed { stream, good, bad, .. } = fails_on(&device.stream()?)?;
        tells("it", stream.synchronize(WAIT))?;
        let (old, new) = (stream.id(), device.stream()?);
        ensure!(new.id() != old && new.kind() == stream.kind(), "after {stream:?} is {new:?}");
        let mut zeros = device.zeros(Shape::vector(LEN), DType::U32)?;
        zeros.copy_from(&good)?;
        is_eight(&zeros)?;
        tells("what it wrote", bad.to_vec::<u32>())?;
        ensure!(device.stream()?.id() == new.id(), "reading a failed result fails a stream");
        device.synchronize(WAIT)?;
        Ok(())
    })
}

fn what_a_failure_did_not_touch_is_read(bench: &Bench) -> Check {
    by_default(bench, |bench| {
        let device = bench.device();
        let untouched = tensor(device, 7)?;
        let Failed { stream, good, told, .. } = fails_on(&device.stream()?)?;
        for _ in 0..2 {
            is_eight(&good)?;
            ensure_holds!(untouched.to_vec::<u32>()? == [7; LEN], "what nobody writes has changed");
            while !stream.is_idle() {
                std::thread::yield_now();
            }
        }
        // What succeeded told nothing of the failure.
        let next = device.stream().and_then(|stream| stream.fill(good.region(), 0));
        ensure!(next.is_err() != told, "it was told before: {told}; the next work gives {next:?}");
        device.stream()?.fill(good.region(), 0)?;
        Ok(())
    })
}

fn an_empty_tensor_tells_the_failure(bench: &Bench) -> Check {
    let device = bench.device();
    let none = device.empty(Shape::vector(0), DType::U32)?;
    let stream = device.new_stream(bench.kind())?;
    let faults = Context::new(&stream).with(X, &none)?.link(&device.compile(fault(0))?)?;
    let _ = faults.submit(&Bindings::new());
    tells("an empty tensor", none.to_vec::<u32>()).map(drop)
}

fn what_was_not_computed_is_not_read(bench: &Bench) -> Check {
    let device = bench.device();
    let compiled = device.compile(sum())?;
    let own = holding(&device.new_stream(bench.kind())?, &[(X, 3), (Y, 5)])?;
    let first = own.link(&compiled)?;
    let z = first.context().tensor(Z)?;
    let second = root(bench)?.with(X, &z)?.with(Y, &z)?.link(&compiled)?;
    let early = second.submit(&Bindings::new()).map(drop);
    for (what, early) in [("a routine", early), ("the host", z.to_bytes().map(drop))] {
        let told = early.as_ref().err().map(Error::to_string).unwrap_or_default();
        let named = told.contains("`z`") && told.contains("`sum`");
        ensure!(named, "{what} reads what was not computed: {early:?}");
    }
    first.submit(&Bindings::new())?;
    second.submit(&Bindings::new())?.wait(WAIT)?;
    holds(second.context(), Z, 16)
}
