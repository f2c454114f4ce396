use super::*;
use crate::Cpu;
use ringwood_base::{Result, Shape};
use ringwood_device::backend::Backend;
use ringwood_device::kernel::{Code, Form, KernelSpec, Native, NativeLaunch};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

static ITEMS: AtomicUsize = AtomicUsize::new(0);
static FLUSHED: AtomicUsize = AtomicUsize::new(0);

fn flushes() -> bool {
    std::hint::black_box(1e-40_f32) * std::hint::black_box(1.0) == 0.0
}

#[test]
fn the_ieee_mode_keeps_subnormals_and_ends_with_the_scope() {
    let former = arch::control();
    arch::set_control(former | arch::DEVIATIONS);
    let before = flushes();
    let inside = {
        let _mode = Ieee::enter();
        flushes()
    };
    let after = flushes();
    arch::set_control(former);
    assert_eq!((before, inside, after), (true, false, true));
}

/// Long enough for the pool to take a share.
fn subnormals(_: &NativeLaunch<'_>, range: Range<usize>) -> Result<()> {
    std::thread::sleep(Duration::from_micros(100));
    ITEMS.fetch_add(range.len(), Ordering::Relaxed);
    FLUSHED.fetch_add(usize::from(flushes()), Ordering::Relaxed);
    Ok(())
}

fn launch_on(kind: &str) -> Result<()> {
    let cpu = Cpu::open()?;
    let device = cpu.devices()?.remove(0);
    let spec = KernelSpec {
        native: Some(Native::new(subnormals)),
        file: file!(),
        line: line!(),
        ..KernelSpec::new("subnormals", Form::Grid, &[])
    };
    let code = Code::compile(&cpu, &device, &spec)?;
    let stream = cpu.stream(&device, kind)?;
    cpu.launch(&stream, &code.launch(Shape::vector(64), [])?)?;
    cpu.block(&cpu.record(&stream)?, Duration::from_secs(20))
}

#[test]
fn kernels_keep_subnormals_on_every_kind_of_stream_and_in_the_pool() {
    let former = arch::control();
    arch::set_control(former | arch::DEVIATIONS);
    let ran = ["sync", "threaded", "chaos"].map(launch_on);
    arch::set_control(former);
    assert!(ran.iter().all(Result::is_ok), "{ran:?}");
    assert_eq!(ITEMS.load(Ordering::Relaxed), 3 * 64);
    assert_eq!(FLUSHED.load(Ordering::Relaxed), 0);
}
