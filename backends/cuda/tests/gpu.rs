//! What needs a GPU, beside the conformance suite: all of it runs where there is one, with nothing but
//! `cargo test -p ringwood-backend-cuda`. `RINGWOOD_REQUIRE=cuda` makes the absence of one a failure.

#[path = "support/products.rs"]
mod products;

use ringwood_backend_cuda::Cuda;
use ringwood_base::registry::Registry;
use ringwood_base::{ErrorKind, Result, Scalar, Shape};
use ringwood_device::backend::{Backend, Region, Registered, Status};
use ringwood_device::device::{Device, Runtime, Strictness};
use ringwood_device::kernel;
use ringwood_device::kernel::{Arg, Code, KernelDef};
use ringwood_kernels as _;
use std::io::Write;
use std::sync::{Arc, mpsc};
use std::time::Duration;

const WAIT: Duration = Duration::from_secs(30);

#[kernel(device = [cpu, cuda])]
fn shifted(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = x[i + 1];
}

fn skipped(reason: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: {reason}");
}

/// The backend, or `None` with a line that says why the test is skipped.
fn cuda() -> Option<Cuda> {
    let error = match Cuda::open() {
        Ok(cuda) => return Some(cuda),
        Err(error) => error,
    };
    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|name| name.trim() == "cuda"), "{error}");
    skipped(&error.to_string());
    None
}

/// The first device, in a run time of its own.
fn device() -> Device {
    let registry = Registry::builder().register(Cuda::ENTRY);
    Runtime::new(registry.build().unwrap()).device("cuda:0").unwrap()
}

/// The bytes of a region, once the stream has come there.
fn read(
    cuda: &Cuda,
    stream: &<Cuda as Backend>::Stream,
    region: Region<'_, <Cuda as Backend>::Memory>,
) -> Result<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    let sink = move |bytes: Result<&[u8]>| send.send(bytes.map(<[u8]>::to_vec)).unwrap();
    cuda.read(stream, region, Box::new(sink))?;
    receive.recv_timeout(WAIT).unwrap()
}

#[test]
fn floating_point_numbers_are_strict() {
    if cuda().is_some() {
        assert_eq!(device().strictness().unwrap(), Strictness::Strict);
    }
}

#[test]
fn bytes_of_every_size_come_back_through_pinned_memory_and_past_it() {
    let Some(cuda) = cuda() else { return };
    let device = &cuda.devices().unwrap()[0];
    let stream = cuda.stream(device, "stream").unwrap();
    for bytes in [0, 1, 255, 256, 257, 1 << 20, (1 << 20) + 1, 9 << 20] {
        let source: Arc<[u8]> = (0..bytes).map(|i| (i % 251) as u8).collect();
        let memory = cuda.allocate(device, bytes).unwrap();
        let region = Region { memory: &memory, offset: 0, bytes };
        cuda.write(&stream, source.clone(), region).unwrap();
        assert!(read(&cuda, &stream, region).unwrap()[..] == source[..], "{bytes} bytes");
    }
}

#[test]
fn a_stream_waits_for_another() {
    let Some(cuda) = cuda() else { return };
    let device = &cuda.devices().unwrap()[0];
    let [a, b] = [0, 1].map(|_| cuda.stream(device, "stream").unwrap());
    let bytes = 64 << 20;
    let [x, y] = [0, 1].map(|_| cuda.allocate(device, bytes).unwrap());
    let whole = |memory| Region { memory, offset: 0, bytes };
    for round in 0..20 {
        cuda.fill(&a, whole(&x), round).unwrap();
        cuda.wait(&b, &cuda.record(&a).unwrap()).unwrap();
        cuda.copy(&b, whole(&x), whole(&y)).unwrap();
        cuda.wait(&a, &cuda.record(&b).unwrap()).unwrap();
        let last = Region { memory: &y, offset: bytes - 4, bytes: 4 };
        assert_eq!(read(&cuda, &b, last).unwrap(), [round; 4]);
    }
}

#[test]
fn an_access_out_of_bounds_is_an_error_at_its_place_and_sticks() {
    let Some(cuda) = cuda() else { return };
    let device = &cuda.devices().unwrap()[0];
    let def = shifted::ENTRY.declared::<KernelDef>().unwrap();
    let spec = def.spec(&def.instances[0]);
    let code = Code::compile(&cuda, device, &spec).unwrap();
    let stream = cuda.stream(device, "stream").unwrap();
    let [x, y] = [0, 1].map(|_| cuda.allocate(device, 64).unwrap());
    let slice =
        |memory, bytes| Arg::Slice { region: Region { memory, offset: 0, bytes }, strides: None };
    let args = [slice(&x, 16), slice(&y, 16)];
    cuda.launch(&stream, &code.launch(Shape::vector(4), args).unwrap()).unwrap();
    let event = cuda.record(&stream).unwrap();
    let error = cuda.block(&event, WAIT).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    assert_eq!(error.message(), "kernel `shifted`: index 4 out of bounds for length 4 of `x`");
    let place = format!("gpu.rs:{}:12", def.meta.line + 3);
    assert!(error.get("at").unwrap().ends_with(&place), "{error}");
    assert!(matches!(cuda.poll(&event), Status::Failed(_)));
    assert!(cuda.record(&stream).is_err(), "the failure sticks");
}

/// A product by the kernel called `name` of matrices stored by rows, submitted, and prepared and then
/// submitted.
fn products(cuda: &Cuda, name: &str, [m, k, n]: [usize; 3], a: &[f32], b: &[f32]) -> [Vec<f32>; 2] {
    let device = &cuda.devices().unwrap()[0];
    let stream = cuda.stream(device, "stream").unwrap();
    let declared = kernel::declarations(Registry::global().unwrap(), name).unwrap();
    let (_, def) = declared.into_iter().find(|(_, def)| def.devices.contains(&"cuda")).unwrap();
    let instance = def.instances.iter().find(|i| i.params[0].kind.to_string() == "&[f32]");
    let code = Code::compile(cuda, device, &def.spec(instance.unwrap())).unwrap();
    let memories = [a.len(), b.len(), m * n].map(|len| cuda.allocate(device, len * 4).unwrap());
    let [a_memory, b_memory, c] = &memories;
    let whole = |memory, len: usize| Region { memory, offset: 0, bytes: len * 4 };
    for (memory, values) in [(a_memory, a), (b_memory, b)] {
        let bytes: Arc<[u8]> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        cuda.write(&stream, bytes, whole(memory, values.len())).unwrap();
    }
    let slice = |memory, len| Arg::Slice { region: whole(memory, len), strides: None };
    let slices = [slice(a_memory, a.len()), slice(b_memory, b.len()), slice(c, m * n)];
    let args: Vec<_> =
        slices.into_iter().chain([m, k, n].map(|e| Arg::Scalar(Scalar::Usize(e)))).collect();
    let domain = Shape::vector(m * n);
    let launch = || code.launch(domain, args.iter().copied()).unwrap();
    let _ = writeln!(std::io::stderr(), "{}", launch().code().library().unwrap());
    let prepared = cuda.prepare(&stream, &[launch()]).unwrap();
    [false, true].map(|prepare| {
        cuda.fill(&stream, whole(c, m * n), 0xff).unwrap();
        match prepare {
            false => cuda.launch(&stream, &launch()).unwrap(),
            true => prepared.submit(&stream).unwrap(),
        }
        let bytes = read(cuda, &stream, whole(c, m * n)).unwrap();
        bytes.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    })
}

#[test]
fn products_of_a_library_are_those_of_the_body_but_for_rounding() {
    let Some(cuda) = cuda() else { return };
    for extents @ [m, k, n] in [[1, 1, 1], [3, 5, 2], [33, 70, 17], [128, 64, 256], [4, 0, 3]] {
        let values = |count, step: usize| (0..count).map(move |i| ((i * step) % 23) as f32 / 7.0);
        let (a, b): (Vec<_>, Vec<_>) = (values(m * k, 5).collect(), values(k * n, 3).collect());
        for (name, first, second) in [
            ("any_order", false, false),
            ("any_order_tn", true, false),
            ("any_order_nt", false, true),
        ] {
            // Element `[i, l]` of the first factor, `[l, j]` of the second one.
            let left = |i, l| f64::from(a[if first { l * m + i } else { i * k + l }]);
            let right = |l, j| f64::from(b[if second { j * k + l } else { l * n + j }]);
            for c in products(&cuda, name, extents, &a, &b) {
                for (at, c) in c.into_iter().enumerate() {
                    let sum: f64 = (0..k).map(|l| left(at / n, l) * right(l, at % n)).sum();
                    let bound = sum * k as f64 * f64::from(f32::EPSILON);
                    assert!((f64::from(c) - sum).abs() <= bound, "{name} {extents:?}: {c}, {sum}");
                }
            }
        }
    }
}

#[test]
fn a_copy_goes_between_two_devices() {
    let Some(cuda) = cuda() else { return };
    let devices = cuda.devices().unwrap();
    let [a, b, ..] = &devices[..] else { return skipped("one CUDA device: no peer copy") };
    let stream = cuda.stream(a, "stream").unwrap();
    let (x, y) = (cuda.allocate(a, 4096).unwrap(), cuda.allocate(b, 4096).unwrap());
    let whole = |memory| Region { memory, offset: 0, bytes: 4096 };
    cuda.fill(&stream, whole(&x), 7).unwrap();
    cuda.copy(&stream, whole(&x), whole(&y)).unwrap();
    let there = cuda.stream(b, "stream").unwrap();
    cuda.wait(&there, &cuda.record(&stream).unwrap()).unwrap();
    assert_eq!(read(&cuda, &there, whole(&y)).unwrap(), vec![7; 4096]);
}

#[test]
fn memory_that_is_dropped_is_used_again() {
    let Some(cuda) = cuda() else { return };
    let device = &cuda.devices().unwrap()[0];
    let stream = cuda.stream(device, "stream").unwrap();
    let most = cuda.capabilities(device).memory_bytes.unwrap();
    // Ten times the memory of the device, one part after the other.
    let bytes = most / 8;
    for _ in 0..80 {
        let memory = cuda.allocate(device, bytes).unwrap();
        cuda.fill(&stream, Region { memory: &memory, offset: 0, bytes }, 1).unwrap();
        cuda.block(&cuda.record(&stream).unwrap(), WAIT).unwrap();
    }
    let error = cuda.allocate(device, most.saturating_mul(2)).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory, "{error}");
}
