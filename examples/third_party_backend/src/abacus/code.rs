//! Kernels: this device runs the native code that `#[kernel]` compiled, on a scratchpad. A device
//! with a language of its own prints `KernelSpec::ir` in it instead.

use super::memory::{Memory, Span};
use ringwood::kernel::{Form, Kept, KernelSpec, Launch, NativeLaunch, run_native};
use ringwood::{Error, Result};
use std::ptr::NonNull;

/// A kernel: its native code is in the launch.
pub struct Code(());

impl Code {
    pub(super) fn new(spec: &KernelSpec<'_>) -> Result<Self> {
        if spec.native.is_none() {
            let message = format!("abacus: kernel `{}` has no native code", spec.name);
            return Err(Error::unsupported(message));
        }
        Ok(Self(()))
    }
}

/// A launch, owned: what it was given is captured at submission.
pub(super) struct Work(Kept<Span>);

impl Work {
    pub(super) fn new(launch: &Launch<'_, Code, Memory>) -> Result<Self> {
        Kept::new(launch, |_, region| Span::new(region)).map(Self)
    }

    /// Runs the kernel: the arguments go to the scratchpad, what it may write comes back.
    pub(super) fn run(&self) -> Result<()> {
        let mut pads: Vec<_> = self.0.memories().map(|(span, _)| load(span)).collect();
        let mut next = pads.iter_mut();
        let mut pad =
            |_: &Span| NonNull::from(next.next().expect("one for each memory").as_mut_slice());
        let run = |launch: &NativeLaunch<'_>| {
            let items = match self.0.kernel().form() {
                Form::Map | Form::Grid | Form::Group => launch.domain().elements(),
                _ => 1,
            };
            if items == 0 {
                return Ok(());
            }
            // SAFETY: `Kept` hands over a launch of its kernel.
            unsafe { run_native(&self.0.kernel().spec(), launch, 0..items) }
        };
        // SAFETY: `load` made each pad at least as long as its span, it is aligned to 8 bytes, and one
        // argument uses it alone.
        unsafe { self.0.run(|span| pad(span).cast(), run)? }
        for ((span, written), pad) in self.0.memories().zip(&pads) {
            if written {
                span.write(&bytemuck::cast_slice(pad)[..span.range.len()]);
            }
        }
        Ok(())
    }
}

/// The bytes of a slice or view, in words: aligned for every element type.
fn load(span: &Span) -> Vec<u64> {
    let mut pad = vec![0; span.range.len().div_ceil(size_of::<u64>())];
    bytemuck::cast_slice_mut(&mut pad)[..span.range.len()].copy_from_slice(&span.read());
    pad
}
