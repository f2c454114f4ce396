//! The calling convention of printed kernels, as data.

use super::{Layout, Options};
use crate::interpret::OutOfBounds;
use crate::{Kernel, ParamKind, Type};

/// What one parameter of an entry point takes.
///
/// `param` counts the parameters of the launch; the result of a map is the last one. `ty` is the type of
/// an element or a scalar; `mutable`, elements are written. `dim` counts the dimensions of a domain from
/// the contiguous one, like `gid`. Offsets, lengths, steps and extents count elements and
/// have 64 bits.
///
/// | kernel | parameters in order |
/// |---|---|
/// | grid, group | for each parameter `Scalar`, or `Data`, `Offset` and for a slice `Len`, for a view each `Dim`, each `Stride`; each `Extent`; `Fault` if checked |
/// | map, dense | for each parameter `Data`, `Offset`; `Extent` of the collapsed domain |
/// | map, strided | for each parameter `Data`, `Offset`, each `Step`; each `Extent` |
///
/// The work-items share the domain among them, whatever their number is along each dimension: as
/// many as the domain has points are best, up to some multiple of what the device runs at once. With
/// [`Facts::item_per_point`](super::Facts::item_per_point) they are at least as many as the points along each
/// dimension.
/// A kernel of rank 1 and a map use dimension 0 only. A group kernel needs exactly one group of its
/// size for each point of the domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the fields are those that the enum tells of")]
pub enum Slot {
    /// The value of a scalar; a `bool` (0 or 1) and an integer of 8 or 16 bits as a `u32`, an `f16` and a `bf16` as an
    /// `f32`, a `usize` in 64 bits.
    Scalar { param: usize, ty: Type },
    /// The pointer to a buffer.
    Data { param: usize, ty: Type, mutable: bool },
    /// The pointer to the first element of the parameter.
    Start { param: usize, ty: Type, mutable: bool },
    /// The index in the buffer of the first element of the parameter.
    Offset { param: usize },
    /// The number of elements of the parameter.
    Len { param: usize },
    /// The step of the parameter along a dimension.
    Step { param: usize, dim: usize },
    /// The extent of a view along a dimension, of which 0 is the slowest.
    Dim { param: usize, dim: usize },
    /// The step in elements of a view along a dimension, of which 0 is the slowest.
    Stride { param: usize, dim: usize },
    /// The extent of the domain along a dimension.
    Extent { dim: usize },
    /// The pointer to [`FAULT_WORDS`] `u32`, 0 before the launch.
    Fault,
}

/// The parameters of the entry point of a variant of a kernel.
pub fn slots(kernel: &Kernel, options: &Options) -> Vec<Slot> {
    let mut slots = Vec::new();
    for (param, kind) in kernel.params.iter().map(|p| p.kind).enumerate() {
        match kind {
            ParamKind::Scalar(ty) if kernel.rank > 0 => slots.push(Slot::Scalar { param, ty }),
            ParamKind::Scalar(ty) => element(&mut slots, param, ty, false, options),
            ParamKind::Slice { ty, mutable } => {
                slots.push(Slot::Data { param, ty, mutable });
                slots.extend([Slot::Offset { param }, Slot::Len { param }]);
            }
            ParamKind::View { ty, rank, mutable } => {
                slots.extend([Slot::Data { param, ty, mutable }, Slot::Offset { param }]);
                slots.extend((0..rank.into()).map(|dim| Slot::Dim { param, dim }));
                slots.extend((0..rank.into()).map(|dim| Slot::Stride { param, dim }));
            }
        }
    }
    let dims = match (&kernel.result, options.layout) {
        (None, _) => usize::from(kernel.rank),
        (Some(result), layout) => {
            element(&mut slots, kernel.params.len(), result.ty, true, options);
            if let Layout::Strided { rank } = layout { rank } else { 1 }
        }
    };
    slots.extend((0..dims).map(|dim| Slot::Extent { dim }));
    if kernel.rank > 0 && options.checked {
        slots.push(Slot::Fault);
    }
    slots
}

/// The parameters for one argument of a map.
fn element(slots: &mut Vec<Slot>, param: usize, ty: Type, mutable: bool, options: &Options) {
    slots.extend([Slot::Data { param, ty, mutable }, Slot::Offset { param }]);
    if let Layout::Strided { rank } = options.layout {
        slots.extend((0..rank).map(|dim| Slot::Step { param, dim }));
    }
}

/// The number of `u32` in the fault cell.
///
/// Word 0 is 0, or the site of the access plus 1; words 2 and 3 hold the index, 4 and 5 the length,
/// lower half first. The work-item that changes word 0 from 0 writes the others.
pub const FAULT_WORDS: usize = 6;

/// The access out of bounds that a fault cell tells of, read after the launch.
///
/// With several, it is the one that came first to the cell, which may differ from run to run.
pub fn fault(cell: &[u32; FAULT_WORDS]) -> Option<OutOfBounds> {
    let wide = |low: u32, high: u32| (u64::from(high) << 32 | u64::from(low)) as usize;
    let site = cell[0].checked_sub(1)?;
    Some(OutOfBounds { site, index: wide(cell[2], cell[3]), len: wide(cell[4], cell[5]) })
}
