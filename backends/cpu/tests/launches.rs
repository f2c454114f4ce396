//! Launches on the CPU backend: what is refused, and that splitting changes nothing.

use ringwood_backend_cpu::{self as cpu, Cpu, Memory};
use ringwood_base::{DType, ErrorKind, Result, Shape};
use ringwood_device::backend::{Backend, Region};
use ringwood_device::kernel::{
    Arg, Code, Form, KernelSpec, Native, NativeFn, NativeLaunch, Param, ParamKind,
};
use std::ops::Range;
use std::sync::Mutex;

const Y: Param = Param { name: "y", kind: ParamKind::Slice { dtype: DType::U32, mutable: true } };

/// Records the ranges that it is called with, in the order of their starts.
static RANGES: Mutex<Vec<Range<usize>>> = Mutex::new(Vec::new());

fn slow(_: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    std::thread::sleep(std::time::Duration::from_micros(50));
    RANGES.lock().unwrap().push(range);
    Ok(())
}

struct Bench {
    cpu: Cpu,
    device: <Cpu as Backend>::Device,
    memory: Memory,
}

impl Bench {
    fn new(elements: usize) -> Self {
        let cpu = Cpu::open().unwrap();
        let device = cpu.devices().unwrap().remove(0);
        let memory = cpu.allocate(&device, elements * 4).unwrap();
        Self { cpu, device, memory }
    }

    fn code(&self, native: Option<NativeFn>) -> Result<Code<cpu::Code>> {
        let spec = KernelSpec {
            native: native.map(Native::new),
            ..KernelSpec::new("probe", Form::Grid, &[Y])
        };
        Code::compile(&self.cpu, &self.device, &spec)
    }
}

#[test]
fn a_kernel_without_native_code_is_refused_by_name() {
    let error = Bench::new(1).code(None).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("kernel `probe` has no native code"), "{error}");
    assert!(error.to_string().contains("device = cpu"), "{error}");
}

#[test]
fn every_item_runs_exactly_once_whatever_the_size() {
    let bench = Bench::new(100_000);
    for items in [0, 1, 2, 63, 64, 65, 1000, 99_999] {
        RANGES.lock().unwrap().clear();
        let code = bench.code(Some(slow)).unwrap();
        let stream = bench.cpu.stream(&bench.device, "sync").unwrap();
        let region = Region { memory: &bench.memory, offset: 0, bytes: items * 4 };
        let y = Arg::Slice { region, strides: None };
        let launch = code.launch(Shape::vector(items), [y]).unwrap();
        bench.cpu.launch(&stream, &launch).unwrap();
        let mut ranges = RANGES.lock().unwrap().clone();
        ranges.sort_by_key(|r| r.start);
        let mut next = 0;
        for range in &ranges {
            assert_eq!(range.start, next, "{items} items: {ranges:?}");
            next = range.end;
        }
        assert_eq!(next, items);
    }
}

#[test]
fn a_slice_beyond_its_memory_is_refused() {
    let bench = Bench::new(8);
    let (code, stream) = (bench.code(Some(slow)).unwrap(), bench.cpu.stream(&bench.device, "sync"));
    let region = Region { memory: &bench.memory, offset: 20, bytes: 16 };
    let y = Arg::Slice { region, strides: None };
    let launch = code.launch(Shape::vector(4), [y]).unwrap();
    let error = bench.cpu.launch(&stream.unwrap(), &launch).unwrap_err();
    assert!(error.to_string().contains("a memory of 32 bytes"), "{error}");
}
