//! Bytes arrive where they should, unchanged, and nowhere else.

use super::suite;
use crate::bench::{Bench, all, difference, part, pattern};
use crate::case::{Case, Check, Power, Stop, ensure, ensure_holds};
use ringwood_base::{DType, ErrorKind, Shape};
use std::sync::Arc;

pub(super) const CASES: &[Case] = {
    const COMMON: [Case; 9] = suite(
        "data",
        &[Power::Streams],
        [
            ("bytes_come_back_for_every_size", bytes_come_back_for_every_size),
            ("offsets_touch_nothing_else", offsets_touch_nothing_else),
            ("copies_keep_bytes", copies_keep_bytes),
            ("copies_inside_one_memory", copies_inside_one_memory),
            ("fills_set_every_byte", fills_set_every_byte),
            ("zero_bytes_are_legal", zero_bytes_are_legal),
            ("many_megabytes", many_megabytes),
            ("every_element_type", every_element_type),
            ("the_source_of_a_write_may_go_away", the_source_of_a_write_may_go_away),
        ],
    );
    const PEER: [Case; 1] =
        suite("data", &[Power::Streams, Power::PeerCopy], [("peer_copy", peer_copy)]);
    const HOST: [Case; 1] =
        suite("data", &[Power::Streams, Power::HostMemory], [("host_address", host_address)]);
    let [a, b, c, d, e, f, g, h, i] = COMMON;
    &[a, b, c, d, e, f, g, h, i, PEER[0], HOST[0]]
};

const SIZES: [usize; 8] = [1, 63, 64, 65, 1000, 4096, 65_537, (1 << 20) + 3];

fn bytes_come_back_for_every_size(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let stream = raw.stream()?;
    for bytes in SIZES {
        let (memory, wrote) = (raw.memory(bytes)?, pattern(bytes, 1));
        raw.write(&stream, all(&memory, bytes), &wrote)?;
        came_back(&raw.read(&stream, all(&memory, bytes))?, &wrote)?;
    }
    Ok(())
}

fn came_back(got: &[u8], wrote: &[u8]) -> Check {
    let wrong = difference(got, wrote);
    let bytes = wrote.len();
    ensure_holds!(wrong.is_none(), "{bytes} bytes came back with {}", wrong.unwrap_or_default());
    Ok(())
}

fn offsets_touch_nothing_else(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(300)?);
    let mut wants = pattern(300, 2).to_vec();
    raw.write(&stream, all(&memory, 300), &wants)?;
    for (offset, bytes) in [(0, 1), (1, 7), (64, 64), (129, 3), (299, 1)] {
        let patch = pattern(bytes, 3);
        raw.write(&stream, part(&memory, offset, bytes), &patch)?;
        wants[offset..offset + bytes].copy_from_slice(&patch);
        let got = raw.read(&stream, part(&memory, offset, bytes))?;
        ensure_holds!(got[..] == patch[..], "{bytes} bytes at {offset} read back as {got:?}");
    }
    ensure_holds!(
        raw.read(&stream, all(&memory, 300))? == wants,
        "bytes beside the regions changed"
    );
    Ok(())
}

fn copies_keep_bytes(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let stream = raw.stream()?;
    for bytes in SIZES {
        let (source, target) = (raw.memory(bytes + 5)?, raw.memory(bytes + 9)?);
        let wrote = pattern(bytes, 4);
        raw.backend.fill(&stream, all(&target, bytes + 9), 0xee)?;
        raw.write(&stream, part(&source, 5, bytes), &wrote)?;
        raw.backend.copy(&stream, part(&source, 5, bytes), part(&target, 3, bytes))?;
        let got = raw.read(&stream, all(&target, bytes + 9))?;
        ensure_holds!(got.len() == bytes + 9, "{} bytes came back, not {}", got.len(), bytes + 9);
        came_back(&got[3..3 + bytes], &wrote)?;
        let rest = got[..3].iter().chain(&got[3 + bytes..]);
        ensure_holds!(rest.into_iter().all(|&b| b == 0xee), "bytes beside the {bytes} changed");
    }
    Ok(())
}

fn copies_inside_one_memory(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(200)?);
    let wrote = pattern(100, 5);
    raw.write(&stream, all(&memory, 100), &wrote)?;
    raw.backend.copy(&stream, all(&memory, 100), part(&memory, 100, 100))?;
    let got = raw.read(&stream, all(&memory, 200))?;
    ensure_holds!(got[..100] == wrote[..] && got[100..] == wrote[..], "the halves differ");
    for (from, to) in [(0, 50), (50, 0), (0, 0)] {
        let copied = raw.backend.copy(&stream, part(&memory, from, 100), part(&memory, to, 100));
        let kind = copied.err().map(|e| e.kind());
        ensure!(kind == Some(ErrorKind::InvalidArgument), "overlap {from} to {to}: {kind:?}");
    }
    raw.finish(&stream)?;
    Ok(())
}

fn fills_set_every_byte(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let stream = raw.stream()?;
    for bytes in SIZES {
        let memory = raw.memory(bytes)?;
        raw.backend.fill(&stream, all(&memory, bytes), 0x5a)?;
        raw.backend.fill(&stream, part(&memory, bytes / 2, bytes - bytes / 2), 0xff)?;
        let got = raw.read(&stream, all(&memory, bytes))?;
        let (low, high) = got.split_at(bytes / 2);
        ensure_holds!(low.iter().all(|&b| b == 0x5a), "the lower half of {bytes} bytes");
        ensure_holds!(high.iter().all(|&b| b == 0xff), "the upper half of {bytes} bytes");
    }
    Ok(())
}

fn zero_bytes_are_legal(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, empty, four) = (raw.stream()?, raw.memory(0)?, raw.memory(4)?);
    raw.write(&stream, all(&four, 4), &[1, 2, 3, 4])?;
    for region in [all(&empty, 0), part(&four, 0, 0), part(&four, 4, 0)] {
        raw.write(&stream, region, &[])?;
        raw.backend.fill(&stream, region, 9)?;
        raw.backend.copy(&stream, all(&empty, 0), region)?;
        ensure!(raw.read(&stream, region)?.is_empty(), "a read of nothing gives bytes");
    }
    ensure_holds!(raw.read(&stream, all(&four, 4))? == [1, 2, 3, 4], "nothing changed something");
    Ok(())
}

fn many_megabytes(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let block = pattern(65_537, 6);
    let wrote: Arc<[u8]> = block.repeat(800).into();
    let bytes = wrote.len();
    if bench.device().capabilities().memory_bytes.is_some_and(|limit| limit < 2 * bytes) {
        return Err(Stop::Skipped("the device has less than 100 MiB of memory".into()));
    }
    let (stream, source, target) = (raw.stream()?, raw.memory(bytes)?, raw.memory(bytes)?);
    raw.backend.write(&stream, wrote.clone(), all(&source, bytes))?;
    raw.backend.copy(&stream, all(&source, bytes), all(&target, bytes))?;
    came_back(&raw.read(&stream, all(&target, bytes))?, &wrote)
}

fn every_element_type(bench: &Bench) -> Check {
    for &dtype in DType::ALL {
        for elements in [0, 1, 7, 1000] {
            let bytes = pattern(elements * dtype.size(), 7);
            let tensor = bench.device().tensor_of_bytes(&bytes, Shape::vector(elements), dtype)?;
            ensure_holds!(tensor.to_bytes()?[..] == bytes[..], "{elements} elements of {dtype}");
            ensure!(tensor.dtype() == dtype && tensor.len() == elements, "{tensor:?}");
        }
    }
    Ok(())
}

fn the_source_of_a_write_may_go_away(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = (raw.stream()?, raw.memory(64 * 4096)?);
    for i in 0..64 {
        raw.write(&stream, part(&memory, i * 4096, 4096), &pattern(4096, i as u8))?;
    }
    let got = raw.read(&stream, all(&memory, 64 * 4096))?;
    let wrong = (0..64).find(|&i| got[i * 4096..(i + 1) * 4096] != pattern(4096, i as u8)[..]);
    ensure_holds!(wrong.is_none(), "write {wrong:?} lost its source");
    Ok(())
}

fn peer_copy(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let devices = raw.backend.devices()?;
    let Some(other) = (0..devices.len()).find(|&i| i != bench.device().ordinal()) else {
        return Err(Stop::Failed("peer copies are claimed, and there is one device".into()));
    };
    let (stream, here, wrote) = (raw.stream()?, raw.memory(1000)?, pattern(1000, 8));
    let (there, back) = (raw.backend.allocate(&devices[other], 1000)?, raw.memory(1000)?);
    raw.backend.write(&stream, wrote.clone(), all(&here, 1000))?;
    raw.backend.copy(&stream, all(&here, 1000), all(&there, 1000))?;
    raw.backend.copy(&stream, all(&there, 1000), all(&back, 1000))?;
    came_back(&raw.read(&stream, all(&back, 1000))?, &wrote)
}

fn host_address(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory, wrote) = (raw.stream()?, raw.memory(100)?, pattern(100, 9));
    raw.backend.write(&stream, wrote.clone(), all(&memory, 100))?;
    raw.finish(&stream)?;
    let address = raw.backend.host_address(&memory)?;
    ensure!(
        (address.as_ptr() as usize).is_multiple_of(16),
        "{address:?} is not aligned for every type"
    );
    // SAFETY: the backend vouches for the address while the memory lives; all work on it is done.
    let seen = unsafe { std::slice::from_raw_parts(address.as_ptr(), 100) }.to_vec();
    ensure_holds!(seen[..] == wrote[..], "the host sees other bytes");
    // SAFETY: as above.
    unsafe { address.as_ptr().write_bytes(7, 100) };
    ensure_holds!(raw.read(&stream, all(&memory, 100))? == [7; 100], "the device sees other bytes");
    Ok(())
}
