//! One launch: checked when it is submitted, run by its stream.

use super::{Code, Kernel};
use crate::memory::{Memory, ReadGuard, Span, WriteGuard};
use crate::pool::pool;
use rayon::prelude::*;
use ringwood_base::{DType, Error, ErrorKind, MAX_RANK, Result, Scalar, Shape, StridedShape};
use ringwood_device::kernel::{
    Arg, Fault, Form, KernelSpec, Launch, NativeArg, NativeLaunch, NativeSlice, ParamKind,
    run_native,
};
use std::ops::Range;
use std::time::{Duration, Instant};

/// A loop that takes longer than this is split over the pool; waking it takes about as long.
const WORTH_SPLITTING: Duration = Duration::from_micros(10);

/// Host kernels on fewer bytes stay on the stream's thread.
const SPLIT_BYTES: usize = 128 << 10;

/// So many elements of a map are one piece: a call costs as much as some hundred of them.
const LEAST_ELEMENTS: usize = 512;

/// One launch with all it needs.
pub(crate) struct Work {
    code: Code,
    domain: Shape,
    args: Vec<Owned>,
    /// Whether it is proved that no access is out of bounds.
    in_bounds: bool,
}

/// One argument of a launch.
enum Owned {
    Slice(Slice),
    Scalar(Scalar),
}

struct Slice {
    span: Span,
    element_size: usize,
    strides: Option<Strides>,
    /// Of a view.
    shape: Option<StridedShape>,
    access: Access,
}

/// What the launch borrows of a slice.
#[derive(Clone, Copy, PartialEq)]
enum Access {
    Read,
    Write,
    /// The input of a map that is also its result: borrowed with the result.
    InPlace,
}

#[derive(Clone, Copy)]
struct Strides([usize; MAX_RANK]);

impl Work {
    /// Checks what safety rests on: kinds, alignment, bounds of maps, and that a slice that the
    /// kernel writes overlaps no other.
    pub(crate) fn new(code: &Code, launch: &Launch<'_, Memory>) -> Result<Self> {
        let kernel = code.0.spec();
        let wrong = |text: String| {
            Error::new(ErrorKind::InvalidArgument, format!("cpu: kernel `{}`: {text}", kernel.name))
        };
        if launch.args.len() != kernel.params.len() {
            let (wants, got) = (kernel.params.len(), launch.args.len());
            return Err(wrong(format!("takes {wants} arguments, got {got}")));
        }
        let mut args = Vec::with_capacity(launch.args.len());
        for (param, arg) in kernel.params.iter().zip(launch.args) {
            let own = own(kernel.form, launch.domain, param.kind, arg, param.name);
            args.push(own.map_err(|e| wrong(format!("argument `{}` {e}", param.name)))?);
        }
        check_aliases(&kernel, launch.domain, &mut args).map_err(wrong)?;
        let portable = code.0.portable.as_ref();
        let in_bounds = portable.is_some_and(|portable| portable.prove(launch).unchecked());
        Ok(Self { code: code.clone(), domain: launch.domain, args, in_bounds })
    }

    /// Runs the kernel over its whole domain.
    pub(crate) fn run(&self) -> Result<()> {
        let kernel = &*self.code.0;
        let borrowed = self.borrow()?;
        let args: Vec<_> = self.args.iter().map(|arg| arg.native(self.domain.len())).collect();
        let fault = Fault::default();
        let mut launch = NativeLaunch::new(self.domain, &args, &fault);
        if self.in_bounds {
            // SAFETY: it was proved of the kernel's IR for this domain and the scalars and lengths of
            // these arguments, of which native code without checks is compiled.
            launch = unsafe { launch.assume_in_bounds() };
        }
        let launch = Shared(launch);
        let result = match kernel.spec().form {
            Form::Map | Form::Grid | Form::Group => {
                kernel.run_domain(&launch, self.domain.elements())
            }
            _ => kernel.run_host(&launch, self.bytes()),
        };
        drop(borrowed);
        result
    }

    /// The bytes of all slices.
    fn bytes(&self) -> usize {
        self.args.iter().filter_map(Owned::slice).map(|slice| slice.span.bytes()).sum()
    }

    fn borrow(&self) -> Result<(Vec<ReadGuard<'_>>, Vec<WriteGuard<'_>>)> {
        let slices = || self.args.iter().filter_map(Owned::slice);
        let of = move |access| slices().filter(move |s| s.access == access).map(|s| &s.span);
        let writes = of(Access::Write).map(Span::write).collect::<Result<_>>()?;
        let reads = of(Access::Read).map(Span::read).collect::<Result<_>>()?;
        Ok((reads, writes))
    }
}

impl Kernel {
    /// Runs a host kernel, of much data in the pool: what it calls may split its work over that.
    fn run_host(&self, launch: &Shared<'_>, bytes: usize) -> Result<()> {
        match bytes < SPLIT_BYTES {
            true => self.run_range(launch, 0..1),
            false => pool()?.install(|| self.run_range(launch, 0..1)),
        }
    }

    /// Runs the items of the domain: inline, or split over the pool if the first of them show that
    /// it is worth it. Every call has a fixed cost, so the first pieces grow until one of them takes
    /// long enough to tell what an item takes, and no later one is smaller.
    fn run_domain(&self, launch: &Shared<'_>, items: usize) -> Result<()> {
        let least = if self.spec().form == Form::Map { LEAST_ELEMENTS } else { 1 };
        let piece = (items / 64).clamp(least, 16_384);
        let (mut done, mut next) = (0, piece.min(items));
        loop {
            let start = Instant::now();
            self.run_range(launch, done..done + next)?;
            let took = start.elapsed();
            done += next;
            let left = items - done;
            let worth = WORTH_SPLITTING.as_nanos() * next as u128;
            if left == 0 || took.as_nanos() * (left as u128) < worth {
                return self.run_range(launch, done..items);
            }
            if took > WORTH_SPLITTING / 4 {
                break;
            }
            next = (2 * next).min(left);
        }
        let pool = pool()?;
        if pool.current_num_threads() == 1 {
            return self.run_range(launch, done..items);
        }
        let piece = piece.max(next);
        let run = |i: usize| {
            let from = done + i * piece;
            self.run_range(launch, from..(from + piece).min(items))
        };
        let pieces = (0..(items - done).div_ceil(piece)).into_par_iter();
        pool.install(|| pieces.try_for_each(run))
    }

    fn run_range(&self, launch: &Shared<'_>, range: Range<usize>) -> Result<()> {
        if range.is_empty() {
            return Ok(());
        }
        run_native(&self.spec(), &launch.0, range)
    }
}

/// A launch that several threads run pieces of.
struct Shared<'a>(NativeLaunch<'a>);

// SAFETY: calls of native code for disjoint ranges may run at the same time, and the borrows of the
// launch keep everyone else off its memory.
unsafe impl Sync for Shared<'_> {}

impl Owned {
    fn slice(&self) -> Option<&Slice> {
        match self {
            Owned::Slice(slice) => Some(slice),
            Owned::Scalar(_) => None,
        }
    }

    fn native(&self, rank: usize) -> NativeArg<'_> {
        match self {
            Owned::Scalar(value) => NativeArg::Scalar(*value),
            Owned::Slice(slice) => {
                let strides = slice.strides.as_ref().map(|s| &s.0[..rank]);
                let (data, bytes) = (slice.span.address(), slice.span.bytes());
                // SAFETY: the span is inside of its memory, which `self` keeps alive, and aligned
                // (`own`). `Work::run` borrows it for as long as the kernel runs; nothing but the
                // same elements of a map's input aliases what the kernel writes (`check_aliases`).
                let memory = unsafe { NativeSlice::new(data, bytes, strides) };
                match &slice.shape {
                    Some(shape) => NativeArg::View(memory, shape),
                    None => NativeArg::Slice(memory),
                }
            }
        }
    }
}

/// An argument of the kind that the parameter wants, or what is wrong with it.
fn own(
    form: Form,
    domain: Shape,
    kind: ParamKind,
    arg: &Arg<'_, Memory>,
    name: &str,
) -> Result<Owned, String> {
    match (kind, arg) {
        (ParamKind::Scalar(wants), Arg::Scalar(value)) if value.scalar_type() == wants => {
            Ok(Owned::Scalar(*value))
        }
        (ParamKind::Slice { dtype, mutable }, Arg::Slice { region, strides }) => {
            let span = Span::new(*region, name).map_err(|e| format!("is invalid: {e}"))?;
            check_elements(&span, dtype)?;
            if form == Form::Map {
                check_map(domain, *strides, mutable, span.bytes() / dtype.size())?;
            }
            let strides = strides.map(|s| own_strides(s, domain)).transpose()?;
            let access = if mutable { Access::Write } else { Access::Read };
            Ok(Owned::Slice(Slice {
                span,
                element_size: dtype.size(),
                strides,
                shape: None,
                access,
            }))
        }
        (ParamKind::View { dtype, rank, mutable }, Arg::View { region, shape }) => {
            let span = Span::new(*region, name).map_err(|e| format!("is invalid: {e}"))?;
            check_elements(&span, dtype)?;
            let misfit = shape.misfit(rank, mutable, span.bytes() / dtype.size());
            misfit.map_or(Ok(()), Err)?;
            let access = if mutable { Access::Write } else { Access::Read };
            let element_size = dtype.size();
            Ok(Owned::Slice(Slice {
                span,
                element_size,
                strides: None,
                shape: Some(**shape),
                access,
            }))
        }
        (ParamKind::Scalar(wants), _) => Err(format!("must be a scalar of type {}", wants.name())),
        (ParamKind::Slice { dtype, .. }, _) => Err(format!("must be a slice of {dtype}")),
        (ParamKind::View { dtype, rank, .. }, _) => {
            Err(format!("must be a view of {dtype} of rank {rank}"))
        }
    }
}

fn own_strides(strides: &[usize], domain: Shape) -> Result<Strides, String> {
    let mut own = Strides([0; MAX_RANK]);
    if strides.len() != domain.len() {
        return Err(format!("has {} strides for the domain {domain}", strides.len()));
    }
    own.0[..strides.len()].copy_from_slice(strides);
    Ok(own)
}

fn check_elements(span: &Span, dtype: DType) -> Result<(), String> {
    let (address, bytes, size) = (span.address().as_ptr() as usize, span.bytes(), dtype.size());
    if bytes.is_multiple_of(size) && address.is_multiple_of(size) {
        return Ok(());
    }
    Err(format!("is not a number of whole, aligned elements of {dtype}: {bytes} bytes"))
}

/// Whether every point of the domain has an element, and its own one if the kernel writes it.
fn check_map(
    domain: Shape,
    strides: Option<&[usize]>,
    mutable: bool,
    elements: usize,
) -> Result<(), String> {
    let points = domain.elements();
    let Some(strides) = strides else {
        return if elements >= points {
            Ok(())
        } else {
            Err(format!("has {elements} elements for the {points} points of the domain {domain}"))
        };
    };
    if points == 0 {
        return Ok(());
    }
    let mut steps: Vec<_> =
        strides.iter().zip(domain.iter()).filter(|(_, n)| **n > 1).map(|(s, n)| (*s, *n)).collect();
    steps.sort_unstable();
    let mut last = 0_usize;
    for (stride, extent) in steps {
        if mutable && stride <= last {
            return Err(format!(
                "is written through strides {strides:?}, which meet in an element"
            ));
        }
        last =
            stride.checked_mul(extent - 1).and_then(|s| s.checked_add(last)).ok_or_else(|| {
                format!("has strides {strides:?} that exceed what memory can address")
            })?;
    }
    if last < elements {
        return Ok(());
    }
    Err(format!("has {elements} elements; strides {strides:?} reach element {last}"))
}

/// Whether what the kernel writes overlaps no other argument. The input of a map may be its result,
/// element by element.
fn check_aliases(kernel: &KernelSpec<'_>, domain: Shape, args: &mut [Owned]) -> Result<(), String> {
    for written in 0..args.len() {
        for other in 0..args.len() {
            let (Some(w), Some(o)) = (args[written].slice(), args[other].slice()) else { continue };
            let apart = written == other || w.access != Access::Write || !w.span.overlaps(&o.span);
            if apart {
                continue;
            }
            let in_place = kernel.form == Form::Map
                && o.access != Access::Write
                && o.span.is_same(&w.span)
                && o.element_size == w.element_size
                && o.dense_strides(domain) == w.dense_strides(domain);
            if !in_place {
                let (w, o) = (kernel.params[written].name, kernel.params[other].name);
                return Err(format!("argument `{w}`, which it writes, overlaps argument `{o}`"));
            }
            if let Owned::Slice(slice) = &mut args[other] {
                slice.access = Access::InPlace;
            }
        }
    }
    Ok(())
}

impl Slice {
    fn dense_strides(&self, domain: Shape) -> Vec<usize> {
        match &self.strides {
            Some(strides) => strides.0[..domain.len()].to_vec(),
            None => domain.strides(),
        }
    }
}
