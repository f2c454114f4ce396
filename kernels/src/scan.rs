//! Running totals, and the largest elements in order, along a dimension.
//!
//! A row is taken by one work-item, from its first element to its last: bits depend on nothing else.

use crate::formula::gradient;
use ringwood_device::kernel;
use ringwood_graph::register_operator;

macro_rules! scans {
    ($(
        $(#[$doc:meta])*
        $name:ident $operator:ident $start:literal $symbol:tt
        $(, |$c:ident| $gradient:expr)?;
    )*) => {$(
        $(#[$doc])*
        #[doc = "There are `a` times `b` rows of `n` elements."]
        #[kernel(
            T in [f32, f64, f16, bf16, i32, i64, u32, u64],
            device = [cpu, opencl, cuda],
            domain = (a, b)
        )]
        pub fn $name<T>(x: &[T], y: &mut [T], a: usize, n: usize, b: usize, exclusive: usize, reverse: usize) {
            let row = n.max(1);
            let mut total = $start as Acc<T>;
            for k in 0..n {
                let i = if reverse == 1 { n - 1 - k } else { k };
                // The remainder shows the proof of stores that the element is one of this row.
                let at = (gid(1) * row + i % row) * b + gid(0);
                let next = total $symbol x[at] as Acc<T>;
                y[at] = if exclusive == 1 { total } else { next } as T;
                total = next;
            }
        }

        register_operator! {
            $(#[$doc])*
            pub $operator = $name;
            shape: "a... n b... -> a... n b...",
            attributes: { axis: usize, exclusive: usize, reverse: usize },
            $(gradient: |$c| $gradient,)?
        }
    )*};
}

scans! {
    /// The sums of the elements up to each one along dimension `axis`, without itself if `exclusive` is 1,
    /// from the last one on if `reverse` is 1. 16-bit numbers are added up in `f32`.
    cumsum Cumsum 0 +, |c| {
        let reverse = usize::from(c.value::<usize>("reverse")? != 1);
        let (axis, exclusive) = (c.value::<usize>("axis")?, c.value::<usize>("exclusive")?);
        let scan = [("axis", axis), ("exclusive", exclusive), ("reverse", reverse)];
        gradient(c, |[x], _, g| [x.gets(g.apply_with("cumsum", [], scan))])
    };
    /// The products of the elements up to each one along dimension `axis`, without itself if `exclusive`
    /// is 1, from the last one on if `reverse` is 1. 16-bit numbers are multiplied in `f32`.
    cumprod Cumprod 1 *;
}

/// The positions of the `m` largest of `n` elements, or of the smallest if `largest` is 0, in order; of
/// equals the first comes first, and a NaN is above all. There are `a` times `b` rows.
#[allow(clippy::eq_op, reason = "a NaN differs from itself")]
#[kernel(
    T in [f32, f64, f16, bf16, i32, i64, u32, u64, u8, i8, i16, u16],
    device = [cpu, opencl, cuda],
    domain = (a, b),
    requires(m <= n)
)]
pub fn top<T>(x: &[T], y: &mut [i64], a: usize, n: usize, m: usize, b: usize, largest: usize) {
    let start = gid(1) * n * b + gid(0);
    let mut last = n;
    let mut bound = 0 as T;
    for k in 0..m {
        let mut best = n;
        let mut found = 0 as T;
        for i in 0..n {
            let value = x[start + i * b];
            let low = if largest == 1 { value } else { bound };
            let high = if largest == 1 { bound } else { value };
            let less = low < high || low == low && high != high;
            let equal = low == high || low != low && high != high;
            if k == 0 || less || equal && i > last {
                let low = if largest == 1 { found } else { value };
                let high = if largest == 1 { value } else { found };
                if best == n || low < high || low == low && high != high {
                    best = i;
                    found = value;
                }
            }
        }
        y[(gid(1) * m + k) * b + gid(0)] = best as i64;
        last = best;
        bound = found;
    }
}

register_operator! {
    /// The positions of the `m` largest elements along dimension `axis`, or of the smallest if `largest` is
    /// 0, in order; of equals the first comes first, and a NaN is above all.
    pub Top = top;
    shape: "a... n b... -> a... m b...",
    dtype: "T -> i64",
    attributes: { axis: usize, m: usize, largest: usize },
}
