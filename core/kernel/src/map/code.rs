//! The loops of a map.

use crate::NativeLaunch;
use crate::version::is_fast;
use ringwood_base::{DType, Element};
use std::mem::MaybeUninit;
use std::ptr::fn_addr_eq;

/// The body of a map, as its expansion gives it.
pub trait MapBody: 'static {
    /// The text of [`MapBody::element`], if the expansion keeps it.
    const TEXT: Option<&'static str> = None;
    /// Whether there is a loop for newer processors: not where nothing of it would be faster.
    const FAST: bool = true;
    /// Whether there are loops for a result that replaces the first or the second of two inputs: not where the function
    /// costs much more than a copy of its results.
    const REPLACE: bool = true;
    /// A tuple of elements.
    type Inputs: Inputs<Self::Out>;
    /// The result.
    type Out: Element;

    /// The function. With `INLINE`, that of mathematics in it are copies of its own; the results are
    /// the same. Accesses outside of its arrays are recorded in the launch.
    fn element<const INLINE: bool>(launch: &NativeLaunch<'_>, inputs: Self::Inputs) -> Self::Out;
}

/// Computes dense elements: the first element of each input, and all bytes of the result, which no
/// input overlaps, but the one that the result replaces.
pub(super) type Compute =
    unsafe fn(&NativeLaunch<'_>, inputs: &[*const u8], out: &mut [MaybeUninit<u8>]);

/// Native code of a map.
#[derive(Debug)]
pub(crate) struct MapCode {
    /// The types of the arguments, the result last.
    pub(super) stored: &'static [DType],
    /// The types with which the loops compute them.
    pub(super) computed: &'static [DType],
    plain: Compute,
    fast: Option<Compute>,
    /// For a result that replaces the first input, and for one that replaces the second.
    replacing: [Option<Compute>; 2],
}

/// Whether both are the same loops for the same types.
impl PartialEq for MapCode {
    fn eq(&self, other: &Self) -> bool {
        fn_addr_eq(self.plain, other.plain)
            && (self.stored, self.computed) == (other.stored, other.computed)
    }
}

impl MapCode {
    /// The loops of a body.
    pub(crate) const fn of<B: MapBody>() -> Self {
        Self::stored::<B>(<B::Inputs as Inputs<B::Out>>::DTYPES)
    }

    /// As [`MapCode::of`], for arguments of these types, the result last: a 16-bit float may stand
    /// where the body has an `f32`.
    pub(crate) const fn stored<B: MapBody>(stored: &'static [DType]) -> Self {
        let (plain, fast, replacing) = loops::<B>();
        Self { stored, computed: <B::Inputs as Inputs<B::Out>>::DTYPES, plain, fast, replacing }
    }

    /// The number of inputs.
    pub(super) fn inputs(&self) -> usize {
        self.stored.len() - 1
    }

    /// Whether arguments are widened or rounded.
    pub(super) fn converts(&self) -> bool {
        self.stored.iter().zip(self.computed).any(|(stored, computed)| stored != computed)
    }

    /// The loop for a result that no input overlaps.
    pub(super) fn apart(&self) -> Compute {
        self.fast.filter(|_| is_fast()).unwrap_or(self.plain)
    }

    /// The loop for a result that replaces this input, which no other one overlaps.
    pub(super) fn replacing(&self, input: usize) -> Option<Compute> {
        self.replacing.get(input)?.filter(|_| is_fast())
    }
}

/// The loops of a map: one for any processor, and those of [`is_fast`] for results that no input
/// overlaps, and for results that replace an input. On x86-64 that for any processor shares the
/// functions of mathematics.
const fn loops<B: MapBody>() -> (Compute, Option<Compute>, [Option<Compute>; 2]) {
    let apart: Option<Compute> = if B::FAST { Some(fast::<B, NONE>) } else { None };
    let types = <B::Inputs as Inputs<B::Out>>::DTYPES;
    let replaces = B::FAST && B::REPLACE;
    let first: Option<Compute> = match replaces && types[0].size() == size_of::<B::Out>() {
        true => Some(fast::<B, 0>),
        false => None,
    };
    let second: Option<Compute> =
        match replaces && types.len() == 3 && types[1].size() == size_of::<B::Out>() {
            true => Some(fast::<B, 1>),
            false => None,
        };
    (plain::<B>, apart, [first, second])
}

/// The result replaces no input.
const NONE: usize = usize::MAX;

/// # Safety
/// As [`Compute`].
unsafe fn plain<B: MapBody>(
    launch: &NativeLaunch<'_>,
    inputs: &[*const u8],
    out: &mut [MaybeUninit<u8>],
) {
    const INLINE: bool = !cfg!(target_arch = "x86_64");
    // SAFETY: the caller's promise.
    unsafe { compute::<B, NONE, INLINE>(launch, inputs, out) }
}

/// # Safety
/// As [`Compute`], and [`is_fast`].
#[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,fma"))]
unsafe fn fast<B: MapBody, const REPLACE: usize>(
    launch: &NativeLaunch<'_>,
    inputs: &[*const u8],
    out: &mut [MaybeUninit<u8>],
) {
    // SAFETY: the caller's promise.
    unsafe { compute::<B, REPLACE, true>(launch, inputs, out) }
}

/// The inputs of a map whose result is an `O`: a tuple of elements.
pub trait Inputs<O>: Sized {
    /// The types of the inputs and of the result.
    const DTYPES: &'static [DType];
    /// The first element of each.
    type Data: Copy;

    /// The inputs that begin there.
    fn data(inputs: &[*const u8]) -> Self::Data;

    /// Element number `at` of each; that of input `REPLACE`, if there is one, is what `replaced` holds.
    ///
    /// # Safety
    /// The elements are valid for reads, and what `replaced` holds is one of input `REPLACE`.
    unsafe fn read<const REPLACE: usize>(data: Self::Data, at: usize, replaced: *const u8) -> Self;
}

/// Computes all of `out`.
///
/// # Safety
/// As [`Compute`]; `out` is aligned for the result, and input `REPLACE`, if there is one, begins there.
#[inline(always)]
unsafe fn compute<B: MapBody, const REPLACE: usize, const INLINE: bool>(
    launch: &NativeLaunch<'_>,
    inputs: &[*const u8],
    out: &mut [MaybeUninit<u8>],
) {
    let data = <B::Inputs as Inputs<B::Out>>::data(inputs);
    let count = out.len() / size_of::<B::Out>();
    let out = out.as_mut_ptr().cast::<B::Out>();
    for at in 0..count {
        // SAFETY: the caller's promise.
        unsafe {
            let slot = out.add(at);
            let input = <B::Inputs as Inputs<B::Out>>::read::<REPLACE>(data, at, slot.cast());
            slot.write(B::element::<INLINE>(launch, input));
        }
    }
}

macro_rules! inputs {
    ($($T:ident $index:tt),*) => {
        impl<$($T: Element,)* OUT: Element> Inputs<OUT> for ($($T,)*) {
            const DTYPES: &'static [DType] = &[$($T::DTYPE,)* OUT::DTYPE];
            type Data = ($(*const $T,)*);

            #[inline(always)]
            fn data(inputs: &[*const u8]) -> Self::Data {
                ($(inputs[$index].cast::<$T>(),)*)
            }

            #[inline(always)]
            unsafe fn read<const REPLACE: usize>(
                data: Self::Data,
                at: usize,
                replaced: *const u8,
            ) -> Self {
                // SAFETY: the caller's promise.
                unsafe {
                    ($($T::from_memory(if REPLACE == $index {
                        replaced.cast::<$T::Bits>().read()
                    } else {
                        data.$index.add(at).cast::<$T::Bits>().read()
                    }),)*)
                }
            }
        }
    };
}

inputs!(A 0);
inputs!(A 0, B 1);
inputs!(A 0, B 1, C 2);
inputs!(A 0, B 1, C 2, D 3);
inputs!(A 0, B 1, C 2, D 3, E 4);
inputs!(A 0, B 1, C 2, D 3, E 4, F 5);
inputs!(A 0, B 1, C 2, D 3, E 4, F 5, G 6);
inputs!(A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
