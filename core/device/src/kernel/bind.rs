//! A launch of a printed kernel: which variant it needs, and what its parameters are set to.

use super::{Arg, Launch, Portable};
use crate::region::Region;
use ringwood_base::{DType, Scalar, StridedShape};
use ringwood_ir::print::{Collapsed, Options, Slot};

/// A launch of a printed kernel.
///
/// A backend that compiles [printed](ringwood_ir::print) kernels makes one for each launch, prints
/// and compiles the variant [`BoundLaunch::options`] unless it did before, sets the parameters to
/// what [`BoundLaunch::value`] says, and runs about [`BoundLaunch::items`] work-items, with
/// [`Facts::item_per_point`](ringwood_ir::print::Facts::item_per_point) at least as many.
pub struct BoundLaunch<'a, C, M> {
    portable: &'a Portable,
    launch: &'a Launch<'a, C, M>,
    /// Of a map.
    collapsed: Option<Collapsed>,
}

/// What one parameter of a printed kernel is set to.
pub enum Bound<'a, M> {
    /// The pointer to a buffer.
    Memory(&'a M),
    /// The pointer to the first byte of a part of a buffer.
    Start(Region<'a, M>),
    /// The pointer to the fault cell of the launch.
    Fault,
    /// A value of 4 bytes.
    Word(u32),
    /// A value of 8 bytes.
    DoubleWord(u64),
}

impl<'a, C, M> BoundLaunch<'a, C, M> {
    /// A launch of the kernel.
    pub fn new(portable: &'a Portable, launch: &'a Launch<'a, C, M>) -> Self {
        let collapsed = portable.ir().result.is_some().then(|| {
            let domain = launch.domain();
            let dense = domain.strides();
            let strides = launch.args().iter().map(|arg| match arg {
                Arg::Slice { strides: Some(strides), .. } => *strides,
                _ => &dense,
            });
            Collapsed::new(&domain, &strides.collect::<Vec<_>>())
        });
        Self { portable, launch, collapsed }
    }

    /// The variant to print: with the layout of the arguments, and with checks of bounds unless it is
    /// proved that this launch needs none; then also with indices of 32 bits, if they are proved to be
    /// enough.
    pub fn options(&self) -> Options {
        let (options, launch) = (Options::default(), self.launch);
        match &self.collapsed {
            Some(collapsed) => Options { layout: collapsed.layout(), ..options },
            None if self.portable.is_source() || !launch.in_bounds() => options,
            None => Options { checked: false, narrow: launch.narrow(), ..options },
        }
    }

    /// The points of the domain along each dimension, the contiguous one first: elements of a map,
    /// work-items of a grid kernel, groups of a group kernel. With a 0 among them there is nothing to
    /// launch.
    pub fn items(&self) -> [usize; 3] {
        let mut items = [1; 3];
        match &self.collapsed {
            Some(collapsed) => items[0] = collapsed.elements(),
            None => {
                let domain = self.launch.domain();
                items
                    .iter_mut()
                    .zip(domain.iter().rev())
                    .for_each(|(item, extent)| *item = *extent);
            }
        }
        items
    }

    /// What a parameter is set to.
    pub fn value(&self, slot: Slot) -> Bound<'a, M> {
        let wide = |count: usize| Bound::DoubleWord(count as u64);
        match slot {
            Slot::Fault => Bound::Fault,
            Slot::Scalar { param, .. } => match self.launch.args()[param] {
                Arg::Scalar(value) => scalar(value),
                Arg::Slice { .. } | Arg::View { .. } => wide(0),
            },
            Slot::Data { param, .. } => match self.launch.args()[param].region() {
                Some(region) => Bound::Memory(region.memory),
                None => wide(0),
            },
            Slot::Start { param, .. } => match self.launch.args()[param].region() {
                Some(region) => Bound::Start(region),
                None => wide(0),
            },
            Slot::Offset { param } => wide(self.elements(param).0),
            Slot::Len { param } => wide(self.elements(param).1),
            Slot::Dim { param, dim } => wide(self.shape(param).map_or(0, |s| s.extents()[dim])),
            Slot::Stride { param, dim } => wide(self.shape(param).map_or(0, |s| s.strides()[dim])),
            Slot::Step { param, dim } => {
                wide(self.collapsed.as_ref().map_or(0, |c| c.step(param, dim)))
            }
            Slot::Extent { dim } => wide(match &self.collapsed {
                Some(collapsed) => collapsed.extent(dim),
                None => self.items()[dim],
            }),
        }
    }

    /// The first element of a slice in its buffer, and their number.
    fn elements(&self, param: usize) -> (usize, usize) {
        let size = self.launch.kernel().params()[param].kind.dtype().map_or(1, DType::size);
        let region = self.launch.args()[param].region();
        region.map_or((0, 0), |region| (region.offset / size, region.bytes / size))
    }

    /// The extents and steps of a view.
    fn shape(&self, param: usize) -> Option<&'a StridedShape> {
        match self.launch.args()[param] {
            Arg::View { shape, .. } => Some(shape),
            _ => None,
        }
    }
}

fn scalar<'a, M>(value: Scalar) -> Bound<'a, M> {
    match value {
        // The values of both are held as `f32`.
        Scalar::F16(v) => Bound::Word(v.to_f32().to_bits()),
        Scalar::BF16(v) => Bound::Word(v.to_f32().to_bits()),
        Scalar::I8(v) => Bound::Word(v as u32),
        Scalar::I16(v) => Bound::Word(v as u32),
        other if other.ty().size() == 8 => Bound::DoubleWord(other.to_bits()),
        other => Bound::Word(other.to_bits() as u32),
    }
}

#[cfg(test)]
mod tests;
