//! Single commands: what each leaves behind when nothing else runs.

use crate::bench::{Bench, Raw, all, difference, part, pattern};
use crate::case::{Check, Stop, ensure_holds};
use crate::suites::add;
use ringwood_base::ErrorKind;
use ringwood_device::backend::Handle;
use ringwood_device::kernel::Arg;
use std::time::Duration;

const SIZES: [usize; 5] = [1, 64, 1000, 65_537, (1 << 20) + 3];
/// The bytes before and behind those that a command is about.
const BESIDE: usize = 5;

/// What a single command leaves wrong, or that it does not end within `wait`, if one does so: the cause
/// of whatever else is found to be wrong, which accuses order, events or other streams in vain.
pub(crate) fn broken(bench: &Bench, wait: Duration) -> Option<String> {
    let mut raw = bench.raw().ok()?;
    raw.wait = wait;
    let transfers = SIZES.into_iter().try_for_each(|bytes| transfers(&raw, bytes));
    let all = transfers.and_then(|()| match bench.device().capabilities().kernels {
        true => launches(&raw),
        false => Ok(()),
    });
    match all {
        Err(Stop::Wrong(text)) => Some(format!("{text}, with nothing else under way")),
        _ => None,
    }
}

/// A write, a fill and a copy of so many bytes, each over bytes that are known.
fn transfers(raw: &Raw, bytes: usize) -> Check {
    let total = bytes + 2 * BESIDE;
    let (stream, a, b) = (raw.stream()?, raw.memory(total)?, raw.memory(total)?);
    let inside = BESIDE..BESIDE + bytes;
    let region = |memory| part(memory, BESIDE, bytes);
    let mut wants = pattern(total, 1).to_vec();
    raw.write(&stream, all(&a, total), &wants)?;
    leaves(raw, &stream, &a, &wants, &format!("a write of {total} bytes"))?;
    wants[inside.clone()].copy_from_slice(&pattern(bytes, 2));
    raw.write(&stream, region(&a), &wants[inside.clone()])?;
    leaves(raw, &stream, &a, &wants, &format!("a write of {bytes} bytes at {BESIDE}"))?;
    let written = wants[inside.clone()].to_vec();
    raw.backend.fill(&stream, all(&b, total), 0xee)?;
    wants.fill(0xee);
    leaves(raw, &stream, &b, &wants, &format!("a fill of {total} bytes"))?;
    raw.backend.fill(&stream, region(&b), 0x5a)?;
    wants[inside.clone()].fill(0x5a);
    leaves(raw, &stream, &b, &wants, &format!("a fill of {bytes} bytes at {BESIDE}"))?;
    raw.backend.copy(&stream, region(&a), region(&b))?;
    wants[inside].copy_from_slice(&written);
    leaves(raw, &stream, &b, &wants, &format!("a copy of {bytes} bytes at {BESIDE}"))
}

/// A launch of the sum of two numbers.
fn launches(raw: &Raw) -> Check {
    let (stream, code) = (raw.stream()?, raw.compile(&add())?);
    for n in [1_u32, 65, 10_000] {
        let bytes = 4 * n as usize;
        let (x, y) = (raw.memory(bytes)?, raw.memory(bytes)?);
        let numbers = |factor: u32| (0..n).flat_map(move |i| (factor * i).to_ne_bytes());
        raw.write(&stream, all(&x, bytes), &numbers(3).collect::<Vec<_>>())?;
        raw.finish(&stream)?;
        let arg = |memory| Arg::Slice { region: all(memory, bytes), strides: None };
        raw.launch(&stream, &code, &[n as usize], &[arg(&x), arg(&x), arg(&y)])?;
        let wants: Vec<u8> = numbers(6).collect();
        leaves(raw, &stream, &y, &wants, &format!("a launch of `add` over {n} elements"))?;
    }
    Ok(())
}

/// Checks what a command left in a memory, when it is done.
fn leaves(raw: &Raw, stream: &Handle, memory: &Handle, wants: &[u8], command: &str) -> Check {
    raw.finish(stream).map_err(|e| match e.kind() {
        ErrorKind::Timeout => Stop::Wrong(format!("{command} does not end within {:?}", raw.wait)),
        _ => e.into(),
    })?;
    let got = raw.read(stream, all(memory, wants.len()))?;
    let wrong = difference(&got, wants);
    ensure_holds!(wrong.is_none(), "{command} leaves {}", wrong.unwrap_or_default());
    Ok(())
}
