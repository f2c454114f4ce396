//! The run time above the backend: tensors and completions.

use super::suite;
use crate::bench::{Bench, WAIT, pattern};
use crate::case::{Case, Check, Power, Stop, ensure, ensure_holds};
use ringwood_base::{DType, Result, Shape};
use ringwood_device::device::{Stream, Tensor};
use std::sync::Arc;

pub(super) const CASES: &[Case] = &suite(
    "runtime",
    &[Power::Streams],
    [
        ("tensors_keep_their_elements", tensors_keep_their_elements),
        ("tensors_move_between_devices", tensors_move_between_devices),
        ("a_completion_ends_with_its_work", a_completion_ends_with_its_work),
    ],
);

fn stream(bench: &Bench) -> Result<Stream> {
    bench.device().new_stream(bench.kind())
}

fn tensor(bench: &Bench, elements: usize, salt: u8) -> Result<(Tensor, Arc<[u8]>)> {
    let bytes = pattern(elements * 4, salt);
    let tensor = bench.device().tensor_of_bytes(&bytes, Shape::vector(elements), DType::U32)?;
    Ok((tensor, bytes))
}

fn tensors_keep_their_elements(bench: &Bench) -> Check {
    let (mut tensor, bytes) = tensor(bench, 1000, 1)?;
    ensure_holds!(tensor.to_bytes()?[..] == bytes[..], "an upload changed");
    let copy = tensor.duplicate()?;
    let (other, wrote) = self::tensor(bench, 1000, 2)?;
    tensor.copy_from(&other)?;
    ensure_holds!(tensor.to_bytes()?[..] == wrote[..], "a copy between tensors changed");
    ensure_holds!(copy.to_bytes()?[..] == bytes[..], "a duplicate changed with its original");
    let rows = tensor.rows(10..20)?;
    ensure_holds!(rows.to_bytes()?[..] == wrote[40..80], "rows are others");
    Ok(())
}

fn tensors_move_between_devices(bench: &Bench) -> Check {
    let devices = bench.runtime().devices()?;
    let others = devices
        .iter()
        .filter(|d| *d != bench.device() && Power::Streams.is_claimed(d.capabilities()));
    let mut moved = 0;
    for other in others {
        let (tensor, bytes) = tensor(bench, 1000, 3)?;
        let there = tensor.to_device(other)?;
        drop(tensor);
        let back = there.to_device(bench.device())?;
        ensure_holds!(
            back.to_bytes()?[..] == bytes[..],
            "the way to {other} and back changed bytes"
        );
        moved += 1;
    }
    if moved == 0 {
        return Err(Stop::Skipped("there is no other device with memory".into()));
    }
    Ok(())
}

fn a_completion_ends_with_its_work(bench: &Bench) -> Check {
    let (stream, buffer) = (stream(bench)?, bench.device().buffer(1 << 16)?);
    for byte in 0..20 {
        stream.fill(buffer.region(), byte)?;
        let completion = stream.record();
        completion.wait(WAIT)?;
        ensure!(completion.is_done(), "a completion that was waited for is not done");
    }
    stream.synchronize(WAIT)?;
    ensure!(stream.is_idle() && buffer.is_idle(), "all is done and something is not idle");
    Ok(())
}
