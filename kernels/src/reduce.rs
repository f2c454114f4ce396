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

macro_rules! extremes {
    ($($(#[$doc:meta])* $name:ident $method:ident $operator:ident = $text:literal;)*) => {$(
        $(#[$doc])*
        #[kernel(T in [f32, f64, i32, i64, u32, u64], device = [cpu, opencl, cuda])]
        pub fn $name<T>(x: &[T], y: &mut [T], n: usize, b: usize) {
            let i = gid(0);
            let first = i / b * n * b + i % b;
            let mut result = x[first];
            for k in 1..n {
                result = result.$method(x[first + k * b]);
            }
            y[i] = result;
        }

        register_operator! {
            $(#[$doc])*
            pub $operator = $text;
            shape: "a... n b... -> a... b...",
            attributes: { axis: usize },
        }
    )*};
}

extremes! {
    /// The largest elements along dimension `axis`, which is dropped; a NaN loses. PyTorch's `amax`.
    largest max Largest = "largest";
    /// The smallest elements along dimension `axis`, which is dropped; a NaN loses. PyTorch's `amin`.
    smallest min Smallest = "smallest";
}

/// The products over `n` elements that are `b` apart.
#[kernel(T in [f32, f64, i32, i64, u32, u64], device = [cpu, opencl, cuda])]
pub fn product<T>(x: &[T], y: &mut [T], n: usize, b: usize) {
    let i = gid(0);
    let first = i / b * n * b + i % b;
    let mut total = 1 as T;
    for k in 0..n {
        total = total * x[first + k * b];
    }
    y[i] = total;
}

register_operator! {
    /// The products along dimension `axis`, which is dropped; PyTorch's `prod`.
    pub Product = "product";
    shape: "a... n b... -> a... b...",
    attributes: { axis: usize },
}

/// The means over `n` elements that are `b` apart.
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda])]
pub fn mean<T>(x: &[T], y: &mut [T], n: usize, b: usize) {
    let i = gid(0);
    let first = i / b * n * b + i % b;
    let mut total = 0 as T;
    for k in 0..n {
        total += x[first + k * b];
    }
    y[i] = total / n as T;
}

register_operator! {
    /// The means along dimension `axis`, which is dropped; NaN if there is nothing along it.
    pub Mean = "mean";
    shape: "a... n b... -> a... b...",
    dtype: "F -> F",
    attributes: { axis: usize },
    gradient: |c| {
        let (g, axis) = (c.gradient()?, c.attribute::<usize>("axis")?);
        let n = c.type_of(c.operand(0))?.shape[axis];
        let g = c.apply_with("repeat", &[g], [("axis", axis), ("n", n)])?;
        let count = c.constant(n as f64)?;
        let to_x = c.apply("div", &[g, count])?;
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
