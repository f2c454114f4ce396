//! What the run time refuses before it reaches the backend: each error says what is wrong, and the
//! streams stay usable.

use super::programs::{LEN, X, Y, Z, add, append, context, program, root, sum, tensor};
use super::{native, suite};
use crate::bench::{Bench, WAIT};
use crate::case::{Case, Check, Power, Stop, ensure};
use ringwood_base::{DType, ErrorKind, Result, Shape};
use ringwood_device::backend::Region;
use ringwood_device::device::{Device, Kernel, Role, StepArg};
use ringwood_device::kernel::Arg;

pub(super) const CASES: &[Case] = {
    const STREAMS: [Case; 3] = suite(
        "refusals",
        &[Power::Streams],
        [
            ("wrong_regions_leave_the_stream_usable", wrong_regions_leave_the_stream_usable),
            ("what_is_on_another_device_is_refused", what_is_on_another_device_is_refused),
            ("a_dropped_stream_keeps_its_completions", a_dropped_stream_keeps_its_completions),
        ],
    );
    const KERNELS: [Case; 4] = suite(
        "refusals",
        &[Power::Streams, Power::Kernels],
        [
            ("a_missing_node_is_refused_at_link", a_missing_node_is_refused_at_link),
            (
                "a_node_of_another_type_is_refused_at_link",
                a_node_of_another_type_is_refused_at_link,
            ),
            ("two_merge_nodes_are_refused_at_compile", two_merge_nodes_are_refused_at_compile),
            ("a_broken_requirement_is_refused", a_broken_requirement_is_refused),
        ],
    );
    let ([a, b, c], [d, e, f, g]) = (STREAMS, KERNELS);
    &[a, b, c, d, e, f, g]
};

fn refused<T>(what: &str, result: Result<T>, kind: ErrorKind, parts: &[&str]) -> Check {
    let Err(error) = result else { return Err(Stop::Failed(format!("{what} is taken"))) };
    ensure!(error.kind() == kind, "{what}: {error:?}");
    for part in parts {
        ensure!(error.to_string().contains(part), "{what}: `{part}` is not in: {error}");
    }
    Ok(())
}

fn wrong_regions_leave_the_stream_usable(bench: &Bench) -> Check {
    let (stream, buffer) = (bench.device().new_stream(bench.kind())?, bench.device().buffer(16)?);
    let mut region = buffer.region();
    region.bytes = 17;
    refused("a fill beyond the buffer", stream.fill(region, 1), ErrorKind::OutOfBounds, &["17"])?;
    let short = stream.write([0_u8; 15].as_slice().into(), buffer.region());
    refused("a short write", short, ErrorKind::Shape, &["15", "16"])?;
    let overlap = stream.copy(buffer.region(), buffer.region());
    refused("a copy onto itself", overlap, ErrorKind::InvalidArgument, &["overlap"])?;
    ensure!(stream.failure().is_none(), "a refusal became a failure: {:?}", stream.failure());
    stream.fill(buffer.region(), 2)?;
    stream.synchronize(WAIT)?;
    Ok(())
}

fn what_is_on_another_device_is_refused(bench: &Bench) -> Check {
    let (device, devices) = (bench.device(), bench.runtime().devices()?);
    let is_other = |d: &&Device| *d != device && Power::Streams.is_claimed(d.capabilities());
    let Some(other) = devices.iter().find(is_other) else {
        return Err(Stop::Skipped("there is no other device with memory".into()));
    };
    let (own, names) = (root(bench)?, [device.name(), other.name()]);
    let (buffer, foreign) = (other.buffer(4 * LEN)?, tensor(other, 1)?);
    let filled = own.stream().fill(buffer.region(), 1);
    refused("a fill of another device's buffer", filled, ErrorKind::Device, &names)?;
    refused("a tensor of another device", own.with(X, &foreign), ErrorKind::Device, &names)?;
    let stream = other.new_stream("")?;
    refused("its stream", device.set_stream(&stream), ErrorKind::Device, &names)?;
    if Power::Kernels.is_claimed(device.capabilities()) {
        let there = ringwood_device::device::Context::new(&stream);
        let compiled = device.compile(append(X))?;
        refused("a program of this device", there.link(&compiled), ErrorKind::Device, &names)?;
    }
    own.stream().synchronize(WAIT)?;
    Ok(())
}

fn a_dropped_stream_keeps_its_completions(bench: &Bench) -> Check {
    let buffer = bench.device().buffer(1 << 16)?;
    for byte in 0..20 {
        let stream = bench.device().new_stream(bench.kind())?;
        stream.fill(buffer.region(), byte)?;
        let completion = stream.record();
        drop(stream);
        completion.wait(WAIT)?;
        ensure!(completion.is_done(), "a completion of a dropped stream is not done");
    }
    Ok(())
}

fn a_missing_node_is_refused_at_link(bench: &Bench) -> Check {
    let compiled = bench.device().compile(sum())?;
    let lacks = context(bench, &[(X, 1)])?;
    refused("a missing node", lacks.link(&compiled), ErrorKind::NotFound, &["`sum`", "`y`"])?;
    let missing = lacks.tensor(Y);
    refused("a node that is not there", missing, ErrorKind::NotFound, &["n1"])
}

fn a_node_of_another_type_is_refused_at_link(bench: &Bench) -> Check {
    let compiled = bench.device().compile(sum())?;
    let other =
        |shape, dtype| context(bench, &[(Y, 1)])?.with(X, &bench.device().zeros(shape, dtype)?);
    let float = other(Shape::vector(LEN), DType::F32)?.link(&compiled);
    refused("a node of floats", float, ErrorKind::Shape, &["`sum`", "`x`", "u32", "f32"])?;
    let short = other(Shape::vector(LEN - 1), DType::U32)?.link(&compiled);
    refused("a shorter node", short, ErrorKind::Shape, &["`sum`", "`x`", "[64]", "[63]"])
}

fn two_merge_nodes_are_refused_at_compile(bench: &Bench) -> Check {
    let nodes = [(X, Role::Given), (Y, Role::Given), (Z, Role::Scratch)];
    let two = program("two", &nodes);
    let two = two.launch(add(), (StepArg::Merge(X), StepArg::Merge(Y), Z));
    let compiled = bench.device().compile(two);
    refused("two merge nodes", compiled, ErrorKind::InvalidArgument, &["routine: two", "n0", "n1"])
}

fn a_broken_requirement_is_refused(bench: &Bench) -> Check {
    let (device, stream) = (bench.device(), bench.device().new_stream(bench.kind())?);
    let code = match device.code(&Kernel::from(&native::PAIRED)) {
        Err(error) if error.kind() == ErrorKind::Unsupported => {
            return Err(Stop::Skipped("the device takes no native code".into()));
        }
        code => code?,
    };
    let (x, y) = (tensor(device, 7)?, tensor(device, 0)?);
    let run = |elements: usize| {
        let part = Region { bytes: 4 * elements, ..x.region() };
        let [x, y] = [part, y.region()].map(|region| Arg::Slice { region, strides: None });
        stream.launch(&code, Shape::vector(LEN), &[x, y])
    };
    let place = format!("{}:{}", native::PAIRED.file, native::PAIRED.line);
    let parts = ["`paired` requires x.len() == y.len()", &format!("3 and {LEN}"), &place];
    refused("a launch", run(3), ErrorKind::InvalidArgument, &parts)?;
    ensure!(stream.failure().is_none(), "a refusal became a failure: {:?}", stream.failure());
    run(LEN)?;
    stream.synchronize(WAIT)?;
    let got = y.to_vec::<u32>()?;
    ensure!(got == [7; LEN], "the stream goes on, and computes {got:?}");
    Ok(())
}
