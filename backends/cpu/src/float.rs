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
mod tests;
