//! Launches on the CPU backend: what is refused, and that splitting changes nothing.

use ringwood_backend_cpu::{Code, Cpu, Memory};
use ringwood_base::{DType, ErrorKind, Result, Scalar, Shape};
use ringwood_device::backend::{Backend, Region};
use ringwood_device::kernel::{
    Arg, Form, KernelSpec, Launch, Native, NativeArg, NativeFn, NativeLaunch, Param, ParamKind,
};
use std::ops::Range;
use std::sync::Mutex;

const X: Param = Param { name: "x", kind: ParamKind::Slice { dtype: DType::U32, mutable: false } };
const Y: Param = Param { name: "y", kind: ParamKind::Slice { dtype: DType::U32, mutable: true } };

/// Records the ranges that it is called with, in the order of their starts.
static RANGES: Mutex<Vec<Range<usize>>> = Mutex::new(Vec::new());

fn slow(_: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    std::thread::sleep(std::time::Duration::from_micros(50));
    RANGES.lock().unwrap().push(range);
    Ok(())
}

fn counts_arguments(launch: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    assert!(launch.args().iter().all(|a| matches!(a, NativeArg::Slice(_))));
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

    fn code(&self, form: Form, params: &[Param], native: Option<NativeFn>) -> Result<Code> {
        let spec = KernelSpec {
            native: native.map(Native::new),
            ..KernelSpec::new("probe", form, params)
        };
        Ok(self.cpu.compile(&self.device, &[spec])?.remove(0))
    }

    fn slice(&self, offset: usize, elements: usize) -> Arg<'_, Memory> {
        self.strided(offset, elements, None)
    }

    fn strided<'a>(
        &'a self,
        offset: usize,
        elements: usize,
        strides: Option<&'a [usize]>,
    ) -> Arg<'a, Memory> {
        let region = Region { memory: &self.memory, offset: offset * 4, bytes: elements * 4 };
        Arg::Slice { region, strides }
    }

    fn launch(
        &self,
        form: Form,
        params: &[Param],
        args: &[Arg<'_, Memory>],
        domain: &[usize],
    ) -> Result<()> {
        let code = self.code(form, params, Some(counts_arguments))?;
        let stream = self.cpu.stream(&self.device, "sync")?;
        let domain = Shape::new(domain)?;
        self.cpu.launch(&stream, &code, &Launch { domain, args })
    }
}

#[test]
fn a_kernel_without_native_code_is_refused_by_name() {
    let error = Bench::new(1).code(Form::Grid, &[Y], None).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.to_string().contains("kernel `probe` has no native code"), "{error}");
    assert!(error.to_string().contains("device = cpu"), "{error}");
}

#[test]
fn every_item_runs_exactly_once_whatever_the_size() {
    let bench = Bench::new(100_000);
    for items in [0, 1, 2, 63, 64, 65, 1000, 99_999] {
        RANGES.lock().unwrap().clear();
        let code = bench.code(Form::Grid, &[Y], Some(slow)).unwrap();
        let stream = bench.cpu.stream(&bench.device, "sync").unwrap();
        let args = [bench.slice(0, items)];
        let launch = Launch { domain: Shape::vector(items), args: &args };
        bench.cpu.launch(&stream, &code, &launch).unwrap();
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
fn arguments_of_the_wrong_number_or_kind_are_refused() {
    let b = Bench::new(8);
    let refused = |params: &[Param], args: &[Arg<'_, Memory>]| {
        b.launch(Form::Grid, params, args, &[4]).unwrap_err().to_string()
    };
    assert!(refused(&[X, Y], &[b.slice(0, 4)]).contains("takes 2 arguments, got 1"));
    assert!(refused(&[Y], &[Arg::Scalar(Scalar::F32(1.0))]).contains("`y` must be a slice of u32"));
    let misaligned = Region { memory: &b.memory, offset: 2, bytes: 4 };
    let error = refused(&[Y], &[Arg::Slice { region: misaligned, strides: None }]);
    assert!(error.contains("whole, aligned elements of u32"), "{error}");
    assert!(refused(&[Y], &[b.slice(5, 4)]).contains("a memory of 32 bytes"));
}

#[test]
fn what_a_kernel_writes_overlaps_nothing_else() {
    let b = Bench::new(16);
    for form in [Form::Grid, Form::Map] {
        let error = b.launch(form, &[X, Y], &[b.slice(0, 8), b.slice(4, 8)], &[8]).unwrap_err();
        assert!(error.message().contains("`y`, which it writes, overlaps"), "{error}");
    }
    let same = [b.slice(0, 8), b.slice(0, 8)];
    assert!(b.launch(Form::Map, &[X, Y], &same, &[8]).is_ok(), "in place, element by element");
    assert!(b.launch(Form::Map, &[Y, Y], &same, &[8]).is_err(), "two results in one place");
    assert!(b.launch(Form::Grid, &[X, Y], &same, &[8]).is_err(), "a grid is not element-wise");
    assert!(b.launch(Form::Grid, &[X, X], &same, &[8]).is_ok(), "two readers");
    let broadcast = [b.strided(0, 8, Some(&[0])), b.slice(0, 8)];
    assert!(b.launch(Form::Map, &[X, Y], &broadcast, &[8]).is_err(), "other elements in place");
}

#[test]
fn the_strides_of_a_map_stay_inside_and_apart() {
    let b = Bench::new(16);
    let map = |x: &[usize], y: &[usize]| {
        b.launch(Form::Map, &[X, Y], &[b.strided(0, 4, Some(x)), b.strided(4, 6, Some(y))], &[2, 3])
    };
    assert!(map(&[0, 1], &[3, 1]).is_ok(), "a broadcast row");
    assert!(map(&[1, 0], &[1, 2]).is_ok(), "a transposed result");
    assert!(map(&[3, 1], &[3, 1]).unwrap_err().message().contains("reach element 5"));
    assert!(map(&[0, 0], &[0, 1]).unwrap_err().message().contains("meet in an element"));
    assert!(map(&[0, 0], &[2, 1]).unwrap_err().message().contains("meet in an element"));
    assert!(map(&[0, usize::MAX], &[3, 1]).is_err());
    assert!(map(&[1], &[3, 1]).unwrap_err().message().contains("1 strides for the domain [2, 3]"));
    let short = [b.slice(0, 5), b.slice(8, 6)];
    assert!(b.launch(Form::Map, &[X, Y], &short, &[2, 3]).is_err(), "fewer elements than points");
}
