//! Sums whose bits depend neither on the order of the summands nor on how they are grouped.
//!
//! A value becomes a *binned accumulator*: the number line is cut into bins at fixed powers of two,
//! and the accumulator holds the sums of the value's slices in its highest bins as integers. Two
//! accumulators are merged by adding the sums of equal bins and dropping those that lie too far
//! below the highest one. Sums of integers associate and commute, and which bins are kept depends
//! on the largest value alone, so every order of merges ends with the same integers; they are
//! rounded once, to nearest, ties to even.
//!
//! | | `f32` | `f64` |
//! |---|---|---|
//! | bytes of an accumulator | 16 | 32 |
//! | bins kept, and their width | 2 of 36 bits | 3 of 40 bits |
//! | most values | 2^19 | 2^22 |
//! | error before the last rounding, of `n` values | below `n` 2^-36 max \|x\| | below `n` 2^-80 max \|x\| |
//!
//! Sums that fit into the kept bins are exact, and so is every sum of subnormal numbers. A NaN, or
//! infinities of both signs, give NaN; else an infinity gives itself; a sum beyond the largest
//! number gives an infinity, but intermediate sums do not overflow. Zero is −0 if every value is.
//!
//! The kernels that encode take the bits of values: an `f32` as its `u32`, an `f64` as its `u64`.
//!
//! Sources: Demmel and Nguyen, "Parallel reproducible summation", IEEE Transactions on Computers
//! 64(7), 2015; Ahrens, Demmel and Nguyen, "Algorithms for efficient reproducible floating point
//! summation", ACM Transactions on Mathematical Software 46(3), 2020. There bins are floating-point
//! numbers; integers need no rounding-mode argument and have the same bits on every device.

pub mod double;
pub mod single;
