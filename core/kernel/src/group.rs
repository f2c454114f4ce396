//! The memory of the work-items of a group, which one thread runs, and how their values combine.

use super::Fault;
use std::cell::Cell;
use std::ops::{BitAnd, BitOr, BitXor};

/// An array of a kernel: `N` elements, of one work-item, of a group, or of all lanes.
pub struct Array<T, const N: usize>([Cell<T>; N]);

/// An [`Array`] whose accesses are compared with its length if `CHECKED`.
#[derive(Clone, Copy)]
pub struct Elements<'a, T, const CHECKED: bool>(&'a [Cell<T>]);

impl<T: Copy + Default, const N: usize> Array<T, N> {
    /// An array of zeros.
    #[inline(always)]
    #[expect(clippy::new_without_default, reason = "only expansions make one")]
    pub fn new() -> Self {
        Self(std::array::from_fn(|_| Cell::default()))
    }

    /// The elements.
    #[inline(always)]
    pub fn checked<const CHECKED: bool>(&self) -> Elements<'_, T, CHECKED> {
        Elements(&self.0)
    }
}

/// An [`Array`] that is too large for a stack.
pub struct LargeArray<T>(Box<[Cell<T>]>);

impl<T: Copy + Default> LargeArray<T> {
    /// An array of `len` zeros.
    pub fn new(len: usize) -> Self {
        Self((0..len).map(|_| Cell::default()).collect())
    }

    /// The elements.
    #[inline(always)]
    pub fn checked<const CHECKED: bool>(&self) -> Elements<'_, T, CHECKED> {
        Elements(&self.0)
    }
}

/// What [`position`] gives for an index outside of the array.
pub(super) const OUTSIDE: usize = usize::MAX;

/// The number of an element of an array of these extents, slowest dimension first.
#[inline(always)]
pub fn position<const CHECKED: bool, const RANK: usize>(
    fault: &Fault,
    index: [usize; RANK],
    dims: [usize; RANK],
    site: u32,
) -> usize {
    if CHECKED {
        for (index, len) in index.into_iter().zip(dims) {
            if index >= len {
                fault.record(site, index, len);
                return OUTSIDE;
            }
        }
    }
    index.into_iter().zip(dims).fold(0, |at: usize, (index, len)| {
        debug_assert!(index < len, "the proof of a launch missed site {site}");
        at.wrapping_mul(len).wrapping_add(index)
    })
}

/// The number of an element of a lane in an array that holds each element for all `LANES`.
#[inline(always)]
pub fn of_lane<const CHECKED: bool, const LANES: usize>(position: usize, lane: usize) -> usize {
    if CHECKED && position == OUTSIDE { OUTSIDE } else { position * LANES + lane }
}

impl<T: Copy + Default, const CHECKED: bool> Elements<'_, T, CHECKED> {
    #[inline(always)]
    fn at(&self, position: usize) -> Option<&Cell<T>> {
        if CHECKED {
            return self.0.get(position);
        }
        // SAFETY: unchecked code runs only for a launch whose accesses to arrays were all proved to
        // be in bounds (`NativeLaunch::assume_in_bounds`).
        Some(unsafe { self.0.get_unchecked(position) })
    }

    /// Gives every element this value.
    #[inline(always)]
    pub fn fill(&self, value: T) {
        self.0.iter().for_each(|element| element.set(value));
    }

    /// Gives every element of one lane of `LANES` this value.
    #[inline(always)]
    pub fn fill_lane<const LANES: usize>(&self, lane: usize, value: T) {
        self.0.iter().skip(lane).step_by(LANES).for_each(|element| element.set(value));
    }

    /// The element; 0 outside of the array.
    #[inline(always)]
    pub fn load(&self, position: usize) -> T {
        self.at(position).map(Cell::get).unwrap_or_default()
    }

    /// Writes the element; nothing outside of the array.
    #[inline(always)]
    pub fn store(&self, position: usize, value: T) {
        if let Some(element) = self.at(position) {
            element.set(value);
        }
    }

    /// Replaces the element by what `change` makes of it, and returns the old one.
    #[inline(always)]
    fn update(&self, position: usize, change: impl FnOnce(T) -> T) -> T {
        let Some(element) = self.at(position) else { return T::default() };
        element.replace(change(element.get()))
    }
}

/// Methods of [`Elements`] that combine the element with a value.
macro_rules! updates {
    ($ty:ident: $($name:ident $combine:expr,)*) => {$(
        #[inline(always)]
        pub fn $name(&self, position: usize, value: $ty) -> $ty {
            self.update(position, |old| $combine(old, value))
        }
    )*};
}

/// The atomic operations of kernels on an array, whose work-items one thread runs.
macro_rules! atomics {
    ($($ty:ident)*) => {$(
        #[allow(missing_docs, reason = "the names say it")]
        impl<const CHECKED: bool> Elements<'_, $ty, CHECKED> {
            updates! {
                $ty:
                add <$ty>::wrapping_add,
                min Ord::min,
                max Ord::max,
                and BitAnd::bitand,
                or BitOr::bitor,
                xor BitXor::bitxor,
                exchange |_, value| value,
            }
            #[inline(always)]
            pub fn compare_exchange(&self, position: usize, expected: $ty, new: $ty) -> $ty {
                self.update(position, |old| if old == expected { new } else { old })
            }
        }
    )*};
}

atomics! { i32 u32 i64 u64 }

#[allow(missing_docs, reason = "the name says it")]
impl<const CHECKED: bool> Elements<'_, f32, CHECKED> {
    #[inline(always)]
    pub fn add(&self, position: usize, value: f32) -> f32 {
        self.update(position, |old| old + value)
    }
}

/// `count`, hidden from the optimiser, which else repeats the body of a loop for each row of lanes: 168 KB of code for a
/// transposition.
#[inline(always)]
pub fn rows(count: usize) -> usize {
    std::hint::black_box(count).min(count)
}

/// The values of all lanes combined, in the order that every device keeps: the upper half onto the
/// lower one, until one is left.
#[inline(always)]
pub fn tree<T: Copy, const COLUMNS: usize, const ROWS: usize>(
    lanes: &mut [[T; COLUMNS]; ROWS],
    combine: impl Fn(T, T) -> T,
) -> T {
    let lanes = lanes.as_flattened_mut();
    let mut half = lanes.len() / 2;
    while half > 0 {
        let (lower, upper) = lanes.split_at_mut(half);
        for (a, b) in lower.iter_mut().zip(upper) {
            *a = combine(*a, *b);
        }
        half /= 2;
    }
    lanes[0]
}

#[cfg(test)]
mod tests;
