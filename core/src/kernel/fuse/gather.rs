//! Inputs of fused maps as dense blocks.

use super::chain::{BLOCK, Block};
use crate::kernel::{NativeArg, NativeLaunch, NativeSlice};
use crate::{Error, ErrorKind, MAX_RANK, Result};
use ringwood_ir::print::Collapsed;
use std::ptr::NonNull;

/// The arguments of a launch of fused maps: what they read, and where the result is.
pub(super) struct Inputs<'a> {
    slices: Vec<&'a NativeSlice<'a>>,
    sizes: &'a [usize],
    out: NonNull<u8>,
    /// The bytes of an element of the result.
    result: usize,
    domain: Collapsed,
}

/// Where the elements of an input are, one after the other, for the block at hand.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) data: NonNull<u8>,
    /// The bytes of an element.
    pub(super) size: usize,
    walk: Walk,
}

/// How an input steps through the domain.
#[derive(Clone, Copy, PartialEq)]
enum Walk {
    /// One element after the other: used where they are.
    Dense,
    /// One element for all: copied once.
    Single,
    /// Copied for each block, unless they are dense there.
    Strided,
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
        let slice = |arg: &'a NativeArg<'a>| match arg {
            NativeArg::Slice(slice) => Some(slice),
            NativeArg::Scalar(_) => None,
        };
        let slices: Option<Vec<_>> = launch.args().iter().map(slice).collect();
        let slices = slices.filter(|slices| slices.len() == sizes.len() + 1);
        let slices = slices.ok_or_else(|| invalid("fused maps take their inputs and a result"))?;
        let dense = launch.domain().strides();
        let strides: Vec<_> = slices.iter().map(|s| s.strides().unwrap_or(&dense)).collect();
        if strides.iter().any(|s| s.len() != dense.len()) {
            let message = format!("strides of another rank than the domain {}", launch.domain());
            return Err(Error::new(ErrorKind::Shape, message));
        }
        let domain = Collapsed::new(&launch.domain(), &strides);
        for (param, (slice, size)) in slices.iter().zip(sizes.iter().chain([&result])).enumerate() {
            let aligned = slice.data().addr().get().is_multiple_of(*size);
            if !aligned || !slice.bytes().is_multiple_of(*size) {
                return Err(invalid(format!("not a slice of aligned elements of {size} bytes")));
            }
            let len = slice.bytes() / size;
            if domain.reach(param).is_none_or(|reach| reach > len) {
                let domain = launch.domain();
                let message = format!("{len} elements are too few for the domain {domain}");
                return Err(Error::new(ErrorKind::Shape, message));
            }
        }
        let out = slices[sizes.len()].data();
        let inputs = Inputs { slices, sizes, out, result, domain };
        match inputs.walk(sizes.len()) {
            Walk::Dense => Ok(inputs),
            _ => Err(invalid("the result of fused maps is dense")),
        }
    }

    /// How an argument steps through the domain.
    fn walk(&self, param: usize) -> Walk {
        let domain = &self.domain;
        let mut step = 1;
        let is_dense = (0..domain.rank()).all(|d| {
            let fits = domain.step(param, d) == step;
            step *= domain.extent(d);
            fits
        });
        match (0..domain.rank()).all(|d| domain.step(param, d) == 0) {
            _ if is_dense || domain.elements() == 0 => Walk::Dense,
            true => Walk::Single,
            false => Walk::Strided,
        }
    }

    /// The places of the inputs; `gathered` has a block for each. Those that are one element for all
    /// are there already.
    pub(super) fn places(&self, gathered: &mut [Block]) -> Vec<Place> {
        let inputs = self.sizes.iter().zip(gathered).enumerate();
        let place = |(param, (&size, block)): (usize, (&usize, &mut Block))| {
            let walk = self.walk(param);
            if walk == Walk::Single {
                self.copy(param, 0, BLOCK.min(self.domain.elements()), block);
                return Place { data: block.data(), size, walk };
            }
            Place { data: self.slices[param].data(), size, walk }
        };
        inputs.map(place).collect()
    }

    /// Moves the places to the `count` elements from linear index `at` on.
    pub(super) fn seek(
        &self,
        at: usize,
        count: usize,
        places: &mut [Place],
        gathered: &mut [Block],
    ) {
        for (param, (place, block)) in places.iter_mut().zip(gathered).enumerate() {
            let data = self.slices[param].data();
            let (offset, run) = match place.walk {
                Walk::Single => continue,
                Walk::Dense => (at, count),
                Walk::Strided => Cursor::at(&self.domain, at).run(param),
            };
            if place.walk == Walk::Strided && (run < count || self.domain.step(param, 0) != 1) {
                self.copy(param, at, count, block);
                place.data = block.data();
                continue;
            }
            // SAFETY: `new` compared what the input reaches over the whole domain with its length.
            place.data = unsafe { data.byte_add(offset * place.size) };
        }
    }

    /// The result for linear index `at`, one of the domain.
    pub(super) fn result(&self, at: usize) -> NonNull<u8> {
        // SAFETY: `new` compared the number of elements of the domain with the length of the result.
        unsafe { self.out.byte_add(at * self.result) }
    }

    /// Copies `count` elements of an input from linear index `at` on, at most a block.
    fn copy(&self, param: usize, at: usize, count: usize, block: &mut Block) {
        let (data, target) = (self.slices[param].data(), block.data());
        // SAFETY: `new` found whole, aligned elements of this size, and compared what the input
        // reaches over the whole domain with their number; a block holds `BLOCK` of the widest type.
        unsafe {
            match self.sizes[param] {
                1 => self.copy_as::<u8>(param, at, count, data.cast(), target.cast()),
                2 => self.copy_as::<u16>(param, at, count, data.cast(), target.cast()),
                4 => self.copy_as::<u32>(param, at, count, data.cast(), target.cast()),
                _ => self.copy_as::<u64>(param, at, count, data.cast(), target.cast()),
            }
        }
    }

    /// # Safety
    /// The input has elements of this size, valid for reads over the domain; the target is valid for
    /// writes of `count`, which is at most what the domain has from `at` on.
    unsafe fn copy_as<T: Copy>(
        &self,
        param: usize,
        at: usize,
        count: usize,
        data: NonNull<T>,
        target: NonNull<T>,
    ) {
        let (step, mut done) = (self.domain.step(param, 0), 0);
        let mut cursor = Cursor::at(&self.domain, at);
        while done < count {
            let (offset, run) = cursor.run(param);
            let run = run.min(count - done);
            // SAFETY: the caller's promise.
            unsafe {
                let (from, to) = (data.add(offset), target.add(done));
                if step == 1 {
                    to.copy_from_nonoverlapping(from, run);
                } else {
                    (0..run).for_each(|i| to.add(i).write(from.add(i * step).read()));
                }
            }
            done += run;
            cursor.next_row();
        }
    }
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidArgument, message.into())
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
