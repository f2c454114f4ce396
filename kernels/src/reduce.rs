//! Reductions along one dimension, or of all elements.
//!
//! | kernel | PyTorch |
//! |---|---|
//! | `sum mean product` | `sum mean prod` |
//! | `largest smallest` | `amax amin` |
//! | `argmax argmin` | the same names |
//! | `sum_all mean_all` | `sum()`, `mean()` |
//!
//! A result of `x[a, n, b]` along `n` is taken by a work-item, from the first element to the last.
//! Where `b` is 1 and `n` at least 128, elements lie side by side and a graph takes the kernel of rows,
//! `sum_rows`: a group of 64 work-items for each result, work-item `l` the elements `l`, `l + 64`, …,
//! and a tree combines the work-items. From 4,096 on, all elements of a tensor are added up so by one
//! group of 1024. So the order depends on the shape alone: the bits depend neither on the device nor on
//! the number of threads. 16-bit numbers are added up in `f32`, and rounded once.

use crate::formula::{Part, Term, gradient};
use crate::rows;
use ringwood_base::{DType, Result};
use ringwood_device::kernel;
use ringwood_graph::graph::{GradientContext, Value};
use ringwood_graph::register_operator;

/// Reductions along a dimension: of each the kernel of elements that are `b` apart, that of rows, and the operator.
macro_rules! reductions {
    ($(
        $(#[$doc:meta])*
        $name:ident $rows:ident in [$($ty:ident)*];
        start: |$x:ident, $first:ident| $start:expr,
        step: |$total:ident, $value:ident| $step:expr,
        group: $group:ident,
        end: |$n:ident| $end:expr;
        $(#[$of_operator:meta])*
        $operator:ident $(of $dtype:literal)?, gradient: $gradient:expr;
    )*) => {$(
        $(#[$doc])*
        #[doc = "The elements of each are `b` apart."]
        #[kernel(T in [$($ty),*], device = [cpu, opencl, cuda])]
        pub fn $name<T>($x: &[T], y: &mut [T], $n: usize, b: usize) {
            let i = gid(0);
            let $first = i / b * $n * b + i % b;
            let mut $total = $start;
            for k in 0..$n {
                let $value = $x[$first + k * b] as Acc<T>;
                $total = $step;
            }
            y[i] = $end as T;
        }

        $(#[$doc])*
        #[doc = "The elements of each lie side by side."]
        #[kernel(T in [$($ty),*], device = [cpu, opencl, cuda], group = 64, groups = y.len())]
        pub fn $rows<T>($x: &[T], y: &mut [T], $n: usize) {
            let $first = grp(0) * $n;
            let mut $total = $start;
            for k in group_range($n) {
                let $value = $x[$first + k] as Acc<T>;
                $total = $step;
            }
            let $total = $group($total);
            if lid(0) == 0 {
                y[grp(0)] = $end as T;
            }
        }

        register_operator! {
            $(#[$of_operator])*
            pub $operator = $name;
            shape: "a... n b... -> a... b...",
            $(dtype: $dtype,)?
            attributes: { axis: usize },
            kernels: [$rows, $name],
            first: rows::side_by_side,
            gradient: |c| gradient(c, $gradient),
        }
    )*};
}

reductions! {
    /// The sums of `n` elements.
    sum sum_rows in [f32 f64 f16 bf16 i32 i64 u32 u64];
    start: |x, first| 0 as Acc<T>,
    step: |total, value| total + value,
    group: group_sum,
    end: |n| total;
    /// The sums along dimension `axis`, which is dropped.
    Sum, gradient: |[x], _, g| [x.gets(along(g))];

    /// The means of `n` elements.
    mean mean_rows in [f32 f64 f16 bf16];
    start: |x, first| 0 as Acc<T>,
    step: |total, value| total + value,
    group: group_sum,
    end: |n| (total / n as Acc<T>);
    /// The means along dimension `axis`, which is dropped; NaN if there is nothing along it.
    Mean of "F -> F", gradient: |[x], _, g| {
        let share = along(g).step(&|c, g| {
            let axis = c.value::<usize>("axis")?;
            divided(c, g, c.type_of(c.operand(0))?.shape[axis])
        });
        [x.gets(share)]
    };

    /// The largest of `n` elements; a NaN loses.
    largest largest_rows in [f32 f64 f16 bf16 i32 i64 u32 u64 u8 i8 i16 u16];
    start: |x, first| x[first] as Acc<T>,
    step: |total, value| total.max(value),
    group: group_max,
    end: |n| total;
    /// The largest elements along dimension `axis`, which is dropped; a NaN loses. The gradient is
    /// shared by equals.
    Largest, gradient: |[x], y, g| [to_equals(x, y, g)];

    /// The smallest of `n` elements; a NaN loses.
    smallest smallest_rows in [f32 f64 f16 bf16 i32 i64 u32 u64 u8 i8 i16 u16];
    start: |x, first| x[first] as Acc<T>,
    step: |total, value| total.min(value),
    group: group_min,
    end: |n| total;
    /// The smallest elements along dimension `axis`, which is dropped; a NaN loses. The gradient is
    /// shared by equals.
    Smallest, gradient: |[x], y, g| [to_equals(x, y, g)];
}

register_operator! {
    /// The sums along dimension `axis`, which stays with an extent of 1.
    pub SumKeep = sum_keep;
    shape: "a... n b... -> a... 1 b...",
    attributes: { axis: usize },
    kernels: [sum_rows, sum],
    first: rows::side_by_side,
    gradient: |c| gradient(c, |[x], _, g| [x.gets(spread(g))]),
}

/// The products over `n` elements that are `b` apart; each by one work-item, from first to last.
#[kernel(T in [f32, f64, f16, bf16, i32, i64, u32, u64], device = [cpu, opencl, cuda])]
pub fn product<T>(x: &[T], y: &mut [T], n: usize, b: usize) {
    let i = gid(0);
    let first = i / b * n * b + i % b;
    let mut total = 1 as Acc<T>;
    for k in 0..n {
        total = total * x[first + k * b] as Acc<T>;
    }
    y[i] = total as T;
}

register_operator! {
    /// The products along dimension `axis`, which is dropped.
    pub Product = product;
    shape: "a... n b... -> a... b...",
    attributes: { axis: usize },
    gradient: |c| {
        let axis = c.value::<usize>("axis")?;
        // The product of the others, before and after an element, is right where one of them is 0.
        gradient(c, |[x], _, g| {
            let others = |reverse| {
                x.apply_with("cumprod", [], [("axis", axis), ("exclusive", 1), ("reverse", reverse)])
            };
            [x.gets(along(g) * others(0) * others(1))]
        })
    },
}

/// Positions of extremes along a dimension: the kernels and the operator of each, as of reductions. The last position
/// that a result holds is 2^31 - 1.
macro_rules! positions {
    ($(
        $(#[$doc:meta])*
        $name:ident $rows:ident $method:ident $group:ident;
        $(#[$of_operator:meta])*
        $operator:ident;
    )*) => {$(
        $(#[$doc])*
        #[doc = "The elements are `b` apart."]
        #[kernel(
            T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16],
            device = [cpu, opencl, cuda],
            requires(n <= 2147483648)
        )]
        pub fn $name<T>(x: &[T], y: &mut [i32], n: usize, b: usize) {
            let i = gid(0);
            let first = i / b * n * b + i % b;
            let mut extreme = x[first];
            for k in 1..n {
                extreme = extreme.$method(x[first + k * b]);
            }
            let mut at = n;
            for k in 0..n {
                if x[first + k * b] == extreme {
                    at = at.min(k);
                }
            }
            y[i] = if at < n { at as i32 } else { 0 };
        }

        $(#[$doc])*
        #[doc = "The elements lie side by side."]
        #[kernel(
            T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16],
            device = [cpu, opencl, cuda],
            group = 64,
            groups = y.len(),
            requires(n <= 2147483648)
        )]
        pub fn $rows<T>(x: &[T], y: &mut [i32], n: usize) {
            let first = grp(0) * n;
            let mut extreme = x[first];
            for k in group_range(n) {
                extreme = extreme.$method(x[first + k]);
            }
            let extreme = $group(extreme);
            let mut at = n;
            for k in group_range(n) {
                if x[first + k] == extreme {
                    at = at.min(k);
                }
            }
            let at = group_min(at);
            if lid(0) == 0 {
                y[grp(0)] = if at < n { at as i32 } else { 0 };
            }
        }

        register_operator! {
            $(#[$of_operator])*
            pub $operator = $name;
            shape: "a... n b... -> a... b...",
            dtype: "T -> i32",
            attributes: { axis: usize },
            kernels: [$rows, $name],
            first: rows::side_by_side,
        }
    )*};
}

positions! {
    /// The position of the largest of `n` elements, the first of several; a NaN loses, and the
    /// position among NaNs is 0.
    argmax argmax_rows max group_max;
    /// The positions of the largest elements along dimension `axis`, which is dropped.
    Argmax;

    /// The position of the smallest of `n` elements, the first of several; a NaN loses, and the
    /// position among NaNs is 0.
    argmin argmin_rows min group_min;
    /// The positions of the smallest elements along dimension `axis`, which is dropped.
    Argmin;
}

/// A value of the result's shape, repeated along the dimension that the reduction dropped.
fn along(value: Term<'_>) -> Term<'_> {
    value.step(&|c, value| {
        let (axis, shape) = (c.value::<usize>("axis")?, c.type_of(c.operand(0))?.shape);
        let mut kept = shape.to_vec();
        kept[axis] = 1;
        let kept = c.reshape(value, &kept)?;
        c.broadcast(kept, &shape)
    })
}

/// A value repeated to the shape of the operand.
fn spread(value: Term<'_>) -> Term<'_> {
    value.step(&|c, value| {
        let shape = c.type_of(c.operand(0))?.shape;
        c.broadcast(value, &shape)
    })
}

/// A gradient divided by a number of elements: as `f32` where its type has 16 bits, in which that number may be infinite.
fn divided(c: &mut GradientContext<'_>, g: Value, count: usize) -> Result<Value> {
    let dtype = c.type_of(g)?.dtype;
    if dtype.size() > 2 {
        let count = c.constant(count as f64)?;
        return c.apply("div", &[g, count]);
    }
    let (wide, count) = (c.cast(g, DType::F32)?, c.number(DType::F32, count as f64)?);
    let share = c.apply("div", &[wide, count])?;
    c.cast(share, dtype)
}

/// The gradient where an element equals the result, divided by how many do.
fn to_equals<'a>(x: Term<'a>, y: Term<'a>, g: Term<'a>) -> Part {
    let hits = x.apply("equal", [along(y)]);
    let (one, zero) = (g.number(1.0), g.number(0.0));
    // More equals than a type of 16 bits counts.
    let ones = hits.apply("select", [one, zero]).wide();
    let counts = ones.step(&|c, ones| c.apply_with("sum", &[ones], c.attributes().clone()));
    x.gets(hits.apply("select", [along((g.wide() / counts).cast_as(g)), zero]))
}

/// Reductions of all elements: of each the kernel of a work-item, that of a group, and the operator.
macro_rules! totals {
    ($(
        $(#[$doc:meta])*
        $name:ident $group:ident in [$($ty:ident)*]: |$total:ident, $count:ident| $end:expr;
        $(#[$of_operator:meta])*
        $operator:ident $(of $dtype:literal)?, gradient: $gradient:expr;
    )*) => {$(
        $(#[$doc])*
        #[doc = "One work-item adds them up."]
        #[kernel(T in [$($ty),*], device = [cpu, opencl, cuda])]
        pub fn $name<T>(x: &[T], y: &mut [T]) {
            let $count = x.len();
            let mut $total = 0 as Acc<T>;
            for k in 0..$count {
                $total += x[k] as Acc<T>;
            }
            y[gid(0)] = $end as T;
        }

        $(#[$doc])*
        #[doc = "A group of work-items adds them up."]
        #[kernel(T in [$($ty),*], device = [cpu, opencl, cuda], group = 1024, groups = 1)]
        pub fn $group<T>(x: &[T], y: &mut [T]) {
            let $count = x.len();
            let mut $total = 0 as Acc<T>;
            for k in group_range($count) {
                $total += x[k] as Acc<T>;
            }
            let $total = group_sum($total);
            if lid(0) == 0 {
                y[grp(0)] = $end as T;
            }
        }

        register_operator! {
            $(#[$of_operator])*
            pub $operator = $name;
            shape: "n... ->",
            $(dtype: $dtype,)?
            kernels: [$group, $name],
            first: rows::many,
            gradient: |c| gradient(c, $gradient),
        }
    )*};
}

totals! {
    /// The sum of all elements.
    sum_all sum_all_group in [f32 f64 f16 bf16 i32 i64 u32 u64]: |total, count| total;
    /// The sum of all elements, of rank 0.
    SumAll, gradient: |[x], _, g| [x.gets(spread(g))];

    /// The mean of all elements; NaN if there are none.
    mean_all mean_all_group in [f32 f64 f16 bf16]: |total, count| (total / count as Acc<T>);
    /// The mean of all elements, of rank 0.
    MeanAll of "F -> F", gradient: |[x], _, g| {
        let share = g.step(&|c, g| divided(c, g, c.type_of(c.operand(0))?.shape.elements()));
        [x.gets(spread(share))]
    };
}
