//! Sums and means. Each result is added up by one work-item, from the first element to the last:
//! its bits depend neither on the device nor on the number of threads.

use ringwood_core::{kernel, register_operator};

/// The sums over `n` elements that are `b` apart.
#[kernel(T in [f32, f64, i32, i64, u32, u64], device = [cpu, opencl, cuda])]
pub fn sum<T>(x: &[T], y: &mut [T], n: usize, b: usize) {
    let i = gid(0);
    let first = i / b * n * b + i % b;
    let mut total = 0 as T;
    for k in 0..n {
        total += x[first + k * b];
    }
    y[i] = total;
}

register_operator! {
    /// The sums along dimension `axis`, which is dropped.
    pub Sum = "sum";
    shape: "a... n b... -> a... b...",
    attributes: { axis: usize },
    gradient: |c| {
        let (g, axis) = (c.gradient()?, c.attribute::<usize>("axis")?);
        let n = c.type_of(c.operand(0))?.shape[axis];
        let to_x = c.apply_with("repeat", &[g], [("axis", axis), ("n", n)])?;
        c.add(0, to_x)
    },
}

/// The sums over `n` elements that are `b` apart.
#[kernel(T in [f32, f64, i32, i64, u32, u64], device = [cpu, opencl, cuda])]
pub fn sum_keep<T>(x: &[T], y: &mut [T], n: usize, b: usize) {
    let i = gid(0);
    let first = i / b * n * b + i % b;
    let mut total = 0 as T;
    for k in 0..n {
        total += x[first + k * b];
    }
    y[i] = total;
}

register_operator! {
    /// The sums along dimension `axis`, which stays with an extent of 1.
    pub SumKeep = "sum_keep";
    shape: "a... n b... -> a... 1 b...",
    attributes: { axis: usize },
    gradient: |c| {
        let (x, g) = (c.operand(0), c.gradient()?);
        let to_x = c.apply("expand", &[g, x])?;
        c.add(0, to_x)
    },
}

/// The sum of all elements.
#[kernel(T in [f32, f64, i32, i64, u32, u64], device = [cpu, opencl, cuda])]
pub fn sum_all<T>(x: &[T], y: &mut [T]) {
    let mut total = 0 as T;
    for k in 0..x.len() {
        total += x[k];
    }
    y[gid(0)] = total;
}

register_operator! {
    /// The sum of all elements, of rank 0.
    pub SumAll = "sum_all";
    shape: "... ->",
    gradient: |c| {
        let (x, g) = (c.operand(0), c.gradient()?);
        let to_x = c.apply("expand", &[g, x])?;
        c.add(0, to_x)
    },
}

/// The mean of all elements; NaN if there are none.
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda])]
pub fn mean_all<T>(x: &[T], y: &mut [T]) {
    let mut total = 0 as T;
    for k in 0..x.len() {
        total += x[k];
    }
    y[gid(0)] = total / (x.len() as T);
}

register_operator! {
    /// The mean of all elements, of rank 0.
    pub MeanAll = "mean_all";
    shape: "... ->",
    dtype: "F -> F",
    gradient: |c| {
        let (x, g) = (c.operand(0), c.gradient()?);
        let count = c.type_of(x)?.shape.elements();
        let count = c.constant(count as f64)?;
        let each = c.apply("div", &[g, count])?;
        let to_x = c.apply("expand", &[each, x])?;
        c.add(0, to_x)
    },
}
