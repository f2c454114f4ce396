//! A launch of native code that outlives the call that submits it.

use super::{Arg, Fault, Kernel, Launch, NativeArg, NativeLaunch, NativeSlice, OfArgs, Param};
use crate::region::Region;
use ringwood_base::{Result, Scalar, Shape, StridedShape};
use std::ptr::NonNull;

/// A launch as a stream that runs native code keeps it: `S` is where the elements of an argument are.
pub struct Kept<S> {
    kernel: Kernel,
    domain: Shape,
    args: Vec<KeptArg<S>>,
    in_bounds: bool,
}

enum KeptArg<S> {
    Scalar(Scalar),
    Elements { memory: S, bytes: usize, written: bool, layout: Layout },
}

/// Boxed, as most are dense, and a queue holds many of them.
enum Layout {
    Dense,
    /// The step along each dimension of the domain.
    Steps(Box<[usize]>),
    View(Box<StridedShape>),
}

impl<S> Kept<S> {
    /// Keeps a launch; `keep` says where the elements of the argument for a parameter are.
    ///
    /// # Errors
    /// Those of `keep`.
    pub fn new<C, M>(
        launch: &Launch<'_, C, M>,
        mut keep: impl FnMut(&Param, Region<'_, M>) -> Result<S>,
    ) -> Result<Self> {
        let mut args = Vec::with_capacity(launch.args().len());
        for (param, arg) in launch.kernel().params().iter().zip(launch.args()) {
            let (region, layout) = match arg {
                Arg::Scalar(value) => {
                    args.push(KeptArg::Scalar(*value));
                    continue;
                }
                Arg::View { region, shape } => (region, Layout::View(Box::new(**shape))),
                Arg::Slice { region, strides: None } => (region, Layout::Dense),
                Arg::Slice { region, strides: Some(strides) } => {
                    (region, Layout::Steps(Box::from(*strides)))
                }
            };
            let (memory, bytes) = (keep(param, *region)?, region.bytes);
            let written = param.kind.is_written();
            args.push(KeptArg::Elements { memory, bytes, written, layout });
        }
        let (kernel, domain) = (launch.kernel().clone(), launch.domain());
        Ok(Self { kernel, domain, args, in_bounds: launch.in_bounds() })
    }

    /// The kernel.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The domain, slowest dimension first.
    pub fn domain(&self) -> Shape {
        self.domain
    }

    /// Where the elements of slices and views are, in the order of the parameters, and whether the
    /// kernel writes them.
    pub fn memories(&self) -> impl Iterator<Item = (&S, bool)> + Clone {
        self.args.iter().filter_map(|arg| match arg {
            KeptArg::Scalar(_) => None,
            KeptArg::Elements { memory, written, .. } => Some((memory, *written)),
        })
    }

    /// Hands the launch to `run`, as native code takes it; `address` is called for each of
    /// [`Kept::memories`], in order.
    ///
    /// # Safety
    /// What `address` returns is the first byte of a copy of the elements, or of the elements, as
    /// [`NativeSlice::new`] wants them, until `run` returns. `run` runs no other native code than that
    /// of [`Kept::kernel`], or code that checks what it accesses.
    pub unsafe fn run<R>(
        &self,
        mut address: impl FnMut(&S) -> NonNull<u8>,
        run: impl FnOnce(&NativeLaunch<'_>) -> R,
    ) -> R {
        let native = self.args.iter().map(|arg| match arg {
            KeptArg::Scalar(value) => NativeArg::Scalar(*value),
            KeptArg::Elements { memory, bytes, layout, .. } => {
                let data = address(memory);
                // SAFETY: the caller's promise; the launch was checked.
                let slice = |strides| unsafe { NativeSlice::new(data, *bytes, strides) };
                match layout {
                    Layout::Dense => NativeArg::Slice(slice(None)),
                    Layout::Steps(steps) => NativeArg::Slice(slice(Some(steps))),
                    Layout::View(shape) => NativeArg::View(slice(None), shape),
                }
            }
        });
        let mut args = OfArgs::new();
        args.extend(native);
        let fault = Fault::default();
        let launch = NativeLaunch::new(self.domain, &args, &fault);
        if !self.in_bounds {
            return run(&launch);
        }
        // SAFETY: it was proved of the kernel's IR for this domain and the scalars and lengths of these
        // arguments; native code without checks was written from it, as `Code` checked.
        run(&unsafe { launch.assume_in_bounds() })
    }
}
