//! Kernels: this device runs the native code that `#[kernel]` compiled, on a scratchpad. A device
//! with a language of its own prints `KernelSpec::ir` in it instead.

use super::invalid;
use super::memory::{Memory, Span};
use ringwood::kernel::{
    Arg, Fault, Form, KernelSpec, Launch, NativeArg, NativeLaunch, NativeSlice, OwnedSpec,
    ParamKind, run_native,
};
use ringwood::{Error, ErrorKind, Result, Scalar, Shape, StridedShape};
use std::ptr::NonNull;
use std::sync::Arc;

/// A kernel, owned.
#[derive(Clone)]
pub struct Code(Arc<OwnedSpec>);

impl Code {
    pub(super) fn new(spec: &KernelSpec<'_>) -> Result<Self> {
        if spec.native.is_none() {
            let message = format!("abacus: kernel `{}` has no native code", spec.name);
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        Ok(Self(Arc::new(OwnedSpec::from(spec))))
    }
}

/// A launch, owned: what it was given is captured at submission.
pub(super) struct Work {
    code: Code,
    domain: Shape,
    args: Vec<Owned>,
}

enum Owned {
    Scalar(Scalar),
    Slice { span: Span, mutable: bool, strides: Option<Vec<usize>> },
    View { span: Span, mutable: bool, shape: StridedShape },
}

impl Work {
    pub(super) fn new(code: &Code, launch: &Launch<'_, Memory>) -> Result<Self> {
        let spec = code.0.spec();
        let params = spec.params.iter().map(|param| param.kind);
        let args = params.zip(launch.args).map(|(param, arg)| match (param, arg) {
            (ParamKind::Slice { mutable, .. }, Arg::Slice { region, strides }) => {
                let strides = strides.map(<[usize]>::to_vec);
                Ok(Owned::Slice { span: Span::new(*region)?, mutable, strides })
            }
            (ParamKind::View { dtype, rank, mutable }, Arg::View { region, shape }) => {
                if let Some(why) = shape.misfit(rank, mutable, region.bytes / dtype.size()) {
                    return Err(invalid(format!("kernel `{}`: an argument {why}", spec.name)));
                }
                Ok(Owned::View { span: Span::new(*region)?, mutable, shape: **shape })
            }
            (ParamKind::Scalar(_), Arg::Scalar(value)) => Ok(Owned::Scalar(*value)),
            _ => Err(invalid(format!("kernel `{}`: an argument of another kind", spec.name))),
        });
        Ok(Self { code: code.clone(), domain: launch.domain, args: args.collect::<Result<_>>()? })
    }

    /// Runs the kernel: the arguments go to the scratchpad, what it may write comes back.
    pub(super) fn run(&self) -> Result<()> {
        let mut pads: Vec<_> = self.args.iter().map(Owned::load).collect();
        let args = self.args.iter().zip(&mut pads).map(|(arg, pad)| arg.native(pad));
        let args: Vec<_> = args.collect();
        let fault = Fault::default();
        let launch = NativeLaunch::new(self.domain, &args, &fault);
        let items = match self.code.0.spec().form {
            Form::Map | Form::Grid | Form::Group => self.domain.elements(),
            _ => 1,
        };
        if items > 0 {
            run_native(&self.code.0.spec(), &launch, 0..items)?;
        }
        self.args.iter().zip(&pads).for_each(|(arg, pad)| arg.store(pad));
        Ok(())
    }
}

impl Owned {
    /// The memory of a slice or view, and whether the kernel may write it.
    fn span(&self) -> Option<(&Span, bool)> {
        match self {
            Owned::Scalar(_) => None,
            Owned::Slice { span, mutable, .. } | Owned::View { span, mutable, .. } => {
                Some((span, *mutable))
            }
        }
    }

    /// The bytes of a slice or view, in words: aligned for every element type.
    fn load(&self) -> Vec<u64> {
        let Some((span, _)) = self.span() else { return Vec::new() };
        let mut pad = vec![0; span.range.len().div_ceil(size_of::<u64>())];
        bytemuck::cast_slice_mut(&mut pad)[..span.range.len()].copy_from_slice(&span.read());
        pad
    }

    fn native<'a>(&'a self, pad: &'a mut [u64]) -> NativeArg<'a> {
        let memory = |span: &Span, strides| {
            let (data, bytes) = (NonNull::from(pad).cast(), span.range.len());
            // SAFETY: `load` made the pad at least that long, it is aligned to 8 bytes, and this
            // argument borrows it alone.
            unsafe { NativeSlice::new(data, bytes, strides) }
        };
        match self {
            Owned::Scalar(value) => NativeArg::Scalar(*value),
            Owned::Slice { span, strides, .. } => {
                NativeArg::Slice(memory(span, strides.as_deref()))
            }
            Owned::View { span, shape, .. } => NativeArg::View(memory(span, None), shape),
        }
    }

    fn store(&self, pad: &[u64]) {
        if let Some((span, true)) = self.span() {
            span.write(&bytemuck::cast_slice(pad)[..span.range.len()]);
        }
    }
}
