//! Kernels of groups on a device: what they compute, and what the device cannot run.

mod support;

use ringwood_backend_opencl::OpenCl;
use ringwood_base::{DType, ErrorKind, Result, Shape};
use ringwood_device::backend::{Backend, Region};
use ringwood_device::kernel::{Arg, Code, Form, KernelSpec, Param, ParamKind};
use std::time::Duration;

const WAIT: Duration = Duration::from_secs(30);

/// `y[grp(0)] = group_sum(x[grp(0) * 8 + 7 - lid(0)])`, through a shared array: the sum of each group.
const SUMS: &str = "kir2 sums 1 - 3 8 1 1 2 x c f32 y m f32 1 t g f32 1 8 1 s f32 0 0 4 \
    st a0 1 1 lid usize:0 0 ld f32:2 p0 1 + usize:0 * usize:0 grp usize:0 0 i usize:0 8 lid usize:0 0 \
    barrier 3 \
    sum 0 5 ld f32:4 a0 1 - usize:0 i usize:0 7 lid usize:0 0 \
    if == bool:0 lid usize:0 0 i usize:0 0 1 st p1 6 1 grp usize:0 0 v f32:0 0 0 void";

const PARAMS: [Param; 2] = [
    Param { name: "x", kind: ParamKind::Slice { dtype: DType::F32, mutable: false } },
    Param { name: "y", kind: ParamKind::Slice { dtype: DType::F32, mutable: true } },
];

fn spec(ir: &str) -> KernelSpec<'_> {
    KernelSpec { ir: Some(ir), ..KernelSpec::new("sums", Form::Group, &PARAMS) }
}

/// The sums of groups of eight of `x`, by a launch of `groups` groups.
fn sums(opencl: &OpenCl, x: &[f32], groups: usize) -> Result<Vec<f32>> {
    let device = &opencl.devices()?[0];
    let code = Code::compile(opencl, device, &spec(SUMS))?;
    let stream = opencl.stream(device, "queue")?;
    let bytes = [x.len() * 4, groups * 4];
    let memories = [opencl.allocate(device, bytes[0])?, opencl.allocate(device, bytes[1])?];
    let region = |i: usize| Region { memory: &memories[i], offset: 0, bytes: bytes[i] };
    let from: Vec<u8> = x.iter().flat_map(|v| v.to_ne_bytes()).collect();
    opencl.write(&stream, from.into(), region(0))?;
    let args = [0, 1].map(|i| Arg::Slice { region: region(i), strides: None });
    opencl.launch(&stream, &code.launch(Shape::vector(groups), args)?)?;
    let (sender, receiver) = std::sync::mpsc::channel();
    let sink = move |read: Result<&[u8]>| sender.send(read.map(<[u8]>::to_vec)).unwrap();
    opencl.read(&stream, region(1), Box::new(sink))?;
    let to = receiver.recv_timeout(WAIT).unwrap()?;
    Ok(to.chunks_exact(4).map(|b| f32::from_ne_bytes(b.try_into().unwrap())).collect())
}

/// By the pinned tree: the first half and the second half, down to one.
fn tree(x: &[f32]) -> f32 {
    match x.len() {
        1 => x[0],
        n => tree(&(0..n / 2).map(|i| x[i] + x[i + n / 2]).collect::<Vec<_>>()),
    }
}

#[test]
fn every_group_reduces_by_the_pinned_tree() {
    let Some(opencl) = support::opencl() else { return };
    let x: Vec<f32> = (0..40).map(|i| 0.1 * i as f32 + 1e7 * (i % 3) as f32).collect();
    let reversed = |group: &[f32]| group.iter().rev().copied().collect::<Vec<_>>();
    let expected: Vec<f32> = x.chunks_exact(8).map(|group| tree(&reversed(group))).collect();
    assert_eq!(sums(&opencl, &x, 5).unwrap(), expected);
}

#[test]
fn a_group_that_reads_outside_reports_the_access() {
    let Some(opencl) = support::opencl() else { return };
    let error = sums(&opencl, &[1.0; 12], 2).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    let text = error.to_string();
    assert!(text.contains("out of bounds for length 12 of `x`"), "{text}");
}

#[test]
fn a_group_that_the_device_cannot_run_is_refused_with_its_limit() {
    let Some(opencl) = support::opencl() else { return };
    let device = &opencl.devices().unwrap()[0];
    let huge = SUMS.replace("t g f32 1 8", "t g f32 1 1000000000");
    let error = opencl.compile(device, &[spec(&huge)]).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains("a group shares 4000000032 bytes"), "{error}");
}
