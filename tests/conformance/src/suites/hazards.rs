//! The run time orders what streams share, whatever their speeds.

use super::suite;
use crate::bench::{Bench, WAIT};
use crate::case::{Case, Check, Power, ensure_holds};
use ringwood_base::{DType, Result, Shape};
use ringwood_device::backend::Region;
use ringwood_device::device::{Buffer, Stream, Tensor};
use std::sync::mpsc;

pub(super) const CASES: &[Case] = &suite(
    "hazards",
    &[Power::Streams],
    [
        ("read_after_write", read_after_write),
        ("write_after_read", write_after_read),
        ("write_after_write", write_after_write),
        ("freed_after_the_last_use", freed_after_the_last_use),
        ("a_ring_of_streams", a_ring_of_streams),
        ("the_host_reads_after_writes", the_host_reads_after_writes),
        ("the_host_writes_after_reads", the_host_writes_after_reads),
        ("the_host_writes_after_writes", the_host_writes_after_writes),
    ],
);

const BYTES: usize = 4096;

fn all(buffer: &Buffer) -> Region<'_, Buffer> {
    buffer.region()
}

/// Two streams and two buffers for each kind that chance decides on.
fn each(bench: &Bench, check: impl Fn(&[Stream; 2], &[Buffer; 2]) -> Check) -> Check {
    let device = bench.device();
    for kind in bench.seeded_kinds() {
        let streams = [device.new_stream(&kind)?, device.new_stream(&kind)?];
        let buffers = [device.buffer(BYTES)?, device.buffer(BYTES)?];
        for _ in 0..5 {
            check(&streams, &buffers)?;
        }
    }
    Ok(())
}

fn read(stream: &Stream, buffer: &Buffer) -> Result<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    let sink = move |bytes: Result<&[u8]>| drop(send.send(bytes.map(<[u8]>::to_vec)));
    stream.read(all(buffer), Box::new(sink))?;
    receive.recv_timeout(WAIT).unwrap_or_else(|_| stream.synchronize(WAIT).map(|()| Vec::new()))
}

fn holds(what: &str, bytes: &[u8], byte: u8) -> Check {
    let wrong = bytes.iter().find(|&&b| b != byte);
    ensure_holds!(bytes.len() == BYTES && wrong.is_none(), "{what} holds {wrong:?}, not {byte}");
    Ok(())
}

fn read_after_write(bench: &Bench) -> Check {
    each(bench, |[a, b], [x, y]| {
        for byte in [1, 2, 3] {
            a.fill(all(x), byte)?;
        }
        b.copy(all(x), all(y))?;
        holds("the copy of the last write", &read(b, y)?, 3)
    })
}

fn write_after_read(bench: &Bench) -> Check {
    each(bench, |[a, b], [x, y]| {
        a.fill(all(x), 1)?;
        a.fill(all(y), 9)?;
        a.copy(all(x), all(y))?;
        b.fill(all(x), 2)?;
        holds("the copy of what was before", &read(a, y)?, 1)?;
        holds("the overwritten buffer", &read(b, x)?, 2)
    })
}

fn write_after_write(bench: &Bench) -> Check {
    each(bench, |[a, b], [x, _]| {
        for byte in [1, 2, 3] {
            a.fill(all(x), byte)?;
        }
        b.fill(all(x), 4)?;
        holds("the buffer", &read(b, x)?, 4)
    })
}

fn freed_after_the_last_use(bench: &Bench) -> Check {
    each(bench, |[a, b], [x, _]| {
        let short = bench.device().buffer(BYTES)?;
        a.fill(all(&short), 5)?;
        a.synchronize(WAIT)?;
        for _ in 0..3 {
            a.copy(all(&short), all(x))?;
        }
        drop(short);
        let next = bench.device().buffer(BYTES)?;
        b.fill(all(&next), 6)?;
        holds("the copy of a freed buffer", &read(a, x)?, 5)?;
        holds("the buffer in its place", &read(b, &next)?, 6)
    })
}

fn a_ring_of_streams(bench: &Bench) -> Check {
    let device = bench.device();
    for kind in bench.seeded_kinds() {
        let streams = (0..4).map(|_| device.new_stream(&kind)).collect::<Result<Vec<_>>>()?;
        let buffers = (0..4).map(|_| device.buffer(BYTES)).collect::<Result<Vec<_>>>()?;
        streams[0].fill(all(&buffers[0]), 7)?;
        for step in 0..20 {
            let (from, to) = (&buffers[step % 4], &buffers[(step + 1) % 4]);
            streams[step % 4].copy(all(from), all(to))?;
            streams[(step + 2) % 4].fill(all(from), step as u8)?;
        }
        holds("what went round", &read(&streams[1], &buffers[0])?, 7)?;
    }
    Ok(())
}

fn tensor(buffer: &Buffer) -> Result<Tensor> {
    Tensor::new(buffer.clone(), 0, Shape::vector(BYTES), DType::U8)
}

fn the_host_reads_after_writes(bench: &Bench) -> Check {
    each(bench, |[a, _], [x, _]| {
        for byte in [1, 2, 3] {
            a.fill(all(x), byte)?;
        }
        let seen = tensor(x)?.host_ref(WAIT, <[u8]>::to_vec)?;
        holds("what the host sees", &seen, 3)
    })
}

fn the_host_writes_after_reads(bench: &Bench) -> Check {
    each(bench, |[a, b], [x, y]| {
        a.fill(all(x), 3)?;
        a.synchronize(WAIT)?;
        for _ in 0..3 {
            a.copy(all(x), all(y))?;
        }
        tensor(x)?.host_mut(WAIT, |bytes| bytes.fill(4))?;
        holds("the copy of what was before", &read(b, y)?, 3)?;
        holds("what the host wrote", &read(b, x)?, 4)
    })
}

fn the_host_writes_after_writes(bench: &Bench) -> Check {
    each(bench, |[a, b], [x, _]| {
        for byte in [1, 2, 3] {
            a.fill(all(x), byte)?;
        }
        tensor(x)?.host_mut(WAIT, |bytes| bytes.fill(4))?;
        holds("what the host wrote", &read(b, x)?, 4)
    })
}
