//! Inputs of fused maps as dense blocks.

use super::scratch::{BLOCK, Scratch};
use crate::map::copy;
use crate::{NativeArg, NativeLaunch, NativeSlice};
use ringwood_base::{Error, MAX_RANK, Result, Shape};
use ringwood_ir::print::Collapsed;
use std::ops::Range;
use std::ptr::NonNull;

/// The arguments of a launch of fused maps: what they read, and where the result is.
pub(super) struct Inputs<'a> {
    args: &'a [NativeArg<'a>],
    sizes: &'a [usize],
    out: NonNull<u8>,
    /// The bytes of an element of the result.
    result: usize,
    /// The number of points of the domain.
    points: usize,
    /// Of a launch with an input that is neither dense nor one element for all.
    domain: Option<Collapsed>,
}

/// Where the elements of an input are, one after the other, for the block at hand.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) data: NonNull<u8>,
    /// The bytes of an element.
    pub(super) size: usize,
    walk: Walk,
}

/// How an argument steps through the domain.
#[derive(Clone, Copy, PartialEq)]
enum Walk {
    /// One element after the other: used where they are.
    Dense,
    /// One element for all: copied once.
    Single,
    /// Copied for each block, unless they are dense there.
    Strided,
}

impl Walk {
    /// How these strides step through a domain; those of dimensions without a second point do not
    /// matter.
    fn of(strides: Option<&[usize]>, domain: &[usize]) -> Walk {
        let Some(strides) = strides else { return Walk::Dense };
        let mut dense = 1;
        let (mut is_dense, mut is_single) = (true, true);
        for (step, extent) in strides.iter().zip(domain).rev().filter(|(_, extent)| **extent != 1) {
            is_dense &= *step == dense;
            is_single &= *step == 0;
            dense *= extent;
        }
        match (is_dense, is_single) {
            (true, _) => Walk::Dense,
            (false, true) => Walk::Single,
            (false, false) => Walk::Strided,
        }
    }
}

fn invalid(message: impl Into<String>) -> Error {
    Error::invalid(message.into())
}

fn slice<'a>(arg: &'a NativeArg<'a>) -> Result<&'a NativeSlice<'a>> {
    match arg {
        NativeArg::Slice(slice) => Ok(slice),
        _ => Err(invalid("fused maps take slices")),
    }
}

impl<'a> Inputs<'a> {
    /// # Errors
    /// The arguments are not slices of elements of these sizes, or are too short for the domain; the
    /// result is not dense.
    pub(super) fn new(
        launch: &'a NativeLaunch<'a>,
        sizes: &'a [usize],
        result: usize,
    ) -> Result<Self> {
        let (args, domain) = (launch.args(), launch.domain());
        if args.len() != sizes.len() + 1 {
            return Err(invalid(format!("fused maps take {} arguments", sizes.len() + 1)));
        }
        for (arg, size) in args.iter().zip(sizes.iter().chain([&result])) {
            check(slice(arg)?, *size, &domain)?;
        }
        let walk = |arg| slice(arg).map(|slice| Walk::of(slice.strides(), &domain));
        if walk(&args[sizes.len()])? != Walk::Dense {
            return Err(invalid("the result of fused maps is dense"));
        }
        let strided = args.iter().any(|arg| matches!(walk(arg), Ok(Walk::Strided)));
        let collapsed = || {
            let dense = domain.strides();
            let strides = args.iter().filter_map(|arg| slice(arg).ok());
            let strides: Vec<_> = strides.map(|s| s.strides().unwrap_or(&dense)).collect();
            Collapsed::new(&domain, &strides)
        };
        let (out, points) = (slice(&args[sizes.len()])?.data(), domain.elements());
        Ok(Inputs { args, sizes, out, result, points, domain: strided.then(collapsed) })
    }

    /// The first byte of an input.
    fn data(&self, param: usize) -> NonNull<u8> {
        match &self.args[param] {
            NativeArg::Slice(slice) => slice.data(),
            _ => unreachable!("`new` found a slice"),
        }
    }

    /// The places of the inputs, of a domain with points; `scratch` has a block for each. Those that
    /// are one element for all are there already.
    pub(super) fn places(&self, domain: &[usize], scratch: Scratch) -> Vec<Place> {
        let place = |(param, &size): (usize, &usize)| {
            let strides = match &self.args[param] {
                NativeArg::Slice(slice) => slice.strides(),
                _ => None,
            };
            let walk = Walk::of(strides, domain);
            if walk == Walk::Single {
                let block = scratch.block(param);
                // SAFETY: `new` found at least one aligned element of this size; the block is large
                // enough for so many of the widest type.
                unsafe { fill(size, self.data(param), BLOCK.min(self.points), block) };
                return Place { data: block, size, walk };
            }
            Place { data: self.data(param), size, walk }
        };
        self.sizes.iter().enumerate().map(place).collect()
    }

    /// Moves the places to the `count` elements from linear index `at` on.
    pub(super) fn seek(&self, at: usize, count: usize, places: &mut [Place], scratch: Scratch) {
        for (param, place) in places.iter_mut().enumerate() {
            let offset = match (place.walk, &self.domain) {
                (Walk::Single, _) => continue,
                (Walk::Strided, Some(domain)) => {
                    let (offset, run) = Cursor::at(domain, at).run(param);
                    if run < count || domain.step(param, 0) != 1 {
                        place.data = scratch.block(param);
                        self.copy(domain, param, at..at + count, place.data);
                        continue;
                    }
                    offset
                }
                _ => at,
            };
            // SAFETY: `new` compared what the input reaches over the whole domain with its length.
            place.data = unsafe { self.data(param).byte_add(offset * place.size) };
        }
    }

    /// The result for linear index `at`, one of the domain.
    pub(super) fn result(&self, at: usize) -> NonNull<u8> {
        // SAFETY: `new` compared the number of elements of the domain with the length of the result.
        unsafe { self.out.byte_add(at * self.result) }
    }

    /// Copies the elements of an input for a range of linear indices, at most a block, to `target`.
    fn copy(&self, domain: &Collapsed, param: usize, range: Range<usize>, target: NonNull<u8>) {
        let (data, size, step) = (self.data(param), self.sizes[param], domain.step(param, 0));
        let (count, mut done, mut cursor) = (range.len(), 0, Cursor::at(domain, range.start));
        while done < count {
            let (offset, run) = cursor.run(param);
            let run = run.min(count - done);
            // SAFETY: `new` found whole, aligned elements of this size, and compared what the input
            // reaches over the whole domain with their number; a block holds `BLOCK` of the widest type.
            unsafe {
                let (from, to) = (data.byte_add(offset * size), target.byte_add(done * size));
                match step {
                    1 => to.copy_from_nonoverlapping(from, run * size),
                    _ => copy(size, [from.as_ptr(), to.as_ptr()], [step, 1], run),
                }
            }
            done += run;
            cursor.next_row();
        }
    }
}

/// Whether a slice has whole, aligned elements of this size, as many as its strides reach over the
/// domain.
fn check(slice: &NativeSlice<'_>, size: usize, domain: &Shape) -> Result<()> {
    let aligned = slice.data().addr().get().is_multiple_of(size);
    if !aligned || !slice.bytes().is_multiple_of(size) {
        return Err(invalid(format!("not a slice of aligned elements of {size} bytes")));
    }
    let (len, points) = (slice.bytes() / size, domain.elements());
    let needed = match slice.strides() {
        _ if points == 0 => Some(0),
        None => Some(points),
        Some(strides) if strides.len() != domain.len() => {
            return Err(Error::shape(format!("strides of another rank than the domain {domain}")));
        }
        Some(strides) => strides
            .iter()
            .zip(domain.iter())
            .try_fold(1_usize, |reach, (s, n)| reach.checked_add(s.checked_mul(n - 1)?)),
    };
    if needed.is_some_and(|needed| needed <= len) {
        return Ok(());
    }
    Err(Error::shape(format!("{len} elements are too few for the domain {domain}")))
}

/// Writes `count` copies of an element, each time as many as there are.
///
/// # Safety
/// The element is valid for reads, the target for writes of so many, apart from it.
unsafe fn fill(size: usize, data: NonNull<u8>, count: usize, target: NonNull<u8>) {
    let mut done = count.min(1);
    // SAFETY: the caller's promise.
    unsafe { target.copy_from_nonoverlapping(data, done * size) };
    while done < count {
        let more = done.min(count - done);
        // SAFETY: as above; what is copied was written, and what is written comes after it.
        unsafe { target.byte_add(done * size).copy_from_nonoverlapping(target, more * size) };
        done += more;
    }
}

/// A point of a domain.
struct Cursor<'a> {
    domain: &'a Collapsed,
    /// Its index along each dimension, of which 0 is contiguous.
    index: [usize; MAX_RANK],
}

impl<'a> Cursor<'a> {
    /// The point with this linear index.
    fn at(domain: &'a Collapsed, mut at: usize) -> Self {
        let mut index = [0; MAX_RANK];
        for (d, index) in index.iter_mut().enumerate().take(domain.rank()) {
            (*index, at) = (at % domain.extent(d), at / domain.extent(d));
        }
        Cursor { domain, index }
    }

    /// The element of an argument at the point, and how many points are left in the row.
    fn run(&self, param: usize) -> (usize, usize) {
        let dims = self.index.iter().enumerate().take(self.domain.rank());
        let offset = dims.map(|(d, index)| index * self.domain.step(param, d)).sum();
        (offset, self.domain.extent(0) - self.index[0])
    }

    /// Goes to the first point of the next row.
    fn next_row(&mut self) {
        self.index[0] = 0;
        for d in 1..self.domain.rank() {
            self.index[d] += 1;
            if self.index[d] < self.domain.extent(d) {
                break;
            }
            self.index[d] = 0;
        }
    }
}
