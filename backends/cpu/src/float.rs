//! The floating-point mode that kernels run in.
//!
//! A library built with `-ffast-math` may switch the loading thread to flushing subnormals, and
//! new threads inherit that. Results would then differ between threads.

/// Keeps the calling thread in the IEEE mode (subnormals kept, round to nearest) and restores its
/// former mode in the end.
pub(crate) struct Ieee(Option<arch::Control>);

impl Ieee {
    pub(crate) fn enter() -> Self {
        let current = arch::control();
        let ieee = current & !arch::DEVIATIONS;
        if current == ieee {
            return Self(None);
        }
        arch::set_control(ieee);
        Self(Some(current))
    }
}

impl Drop for Ieee {
    fn drop(&mut self) {
        if let Some(former) = self.0 {
            arch::set_control(former);
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod arch {
    use std::arch::asm;

    pub(super) type Control = u32;
    /// Flush to zero, denormals are zero, rounding mode.
    pub(super) const DEVIATIONS: Control = 1 << 15 | 1 << 6 | 0b11 << 13;

    pub(super) fn control() -> Control {
        let mut control = 0;
        // SAFETY: stores MXCSR in a local.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut control, options(nostack)) };
        control
    }

    pub(super) fn set_control(control: Control) {
        // SAFETY: the value was read from MXCSR, at most with mode bits changed.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const control, options(nostack)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod arch {
    use std::arch::asm;

    pub(super) type Control = u64;
    /// Flush to zero, also for half precision, rounding mode.
    pub(super) const DEVIATIONS: Control = 1 << 24 | 1 << 19 | 0b11 << 22;

    pub(super) fn control() -> Control {
        let control;
        // SAFETY: reads FPCR.
        unsafe { asm!("mrs {}, fpcr", out(reg) control, options(nomem, nostack)) };
        control
    }

    pub(super) fn set_control(control: Control) {
        // SAFETY: the value was read from FPCR, at most with mode bits changed.
        unsafe { asm!("msr fpcr, {}", in(reg) control, options(nostack)) };
    }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod arch {
    pub(super) type Control = u32;
    pub(super) const DEVIATIONS: Control = 0;

    pub(super) fn control() -> Control {
        0
    }

    pub(super) fn set_control(_: Control) {}
}

#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
mod tests {
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
}
