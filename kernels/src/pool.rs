//! Pools of images of one to three dimensions, and what undoes them.

use crate::composed::{composed, widened};
use crate::convolution::convolve::{FARTHEST, numbers};
use crate::standardize::norms;
use ringwood_base::{Error, Result};
use ringwood_graph::compose::{Call, Formula, fits, line, v};
use ringwood_graph::graph::{Attribute, Attributes, Value};

composed! {
    /// Columns of windows added where these lie: operands are columns, extents of images, of windows. PyTorch's `fold`.
    Fold "fold" { strides: [i64], pads: [i64], dilations: [i64] } = col2im;
    /// The largest number of each window; as a second result where it was, among all. ONNX's `MaxPool`.
    PoolLargest "pool_largest" {
        kernel_shape: [i64], strides: [i64], pads: [i64], dilations: [i64], auto_pad: str, ceil_mode: bool,
        storage_order: bool
    } = max_pool;
    /// The mean of each window. ONNX's `AveragePool`.
    PoolMean "pool_mean" {
        kernel_shape: [i64], strides: [i64], pads: [i64], dilations: [i64], auto_pad: str, ceil_mode: bool,
        count_include_pad: bool
    } = average_pool;
    /// The norm of degree `p` of each window. ONNX's `LpPool`.
    PoolNorm "pool_norm" {
        kernel_shape: [i64], strides: [i64], pads: [i64], dilations: [i64], auto_pad: str, ceil_mode: bool, p: i64
    } = |c| norms(c, |c, powers| over(c, "window_sum", powers, &pooled(c, powers)?, &[]));
    /// Zeros, with the numbers of a pool where they were the largest, as the second operand says. ONNX's `MaxUnpool`.
    Unpool "unpool" { kernel_shape: [i64], strides: [i64], pads: [i64] } = max_unpool;
}

/// Who says how many zeros are around an image: `pads`, or the number of windows.
pub(crate) const AUTO_PAD: [&str; 4] = ["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"];

/// Windows of images of one to three dimensions: a number for each of them.
pub(crate) struct Windows {
    pub(crate) extents: Vec<i64>,
    pub(crate) sizes: Vec<i64>,
    pub(crate) strides: Vec<i64>,
    pub(crate) dilations: Vec<i64>,
    /// Before each dimension, then after each.
    pub(crate) pads: Vec<i64>,
    pub(crate) counts: Vec<i64>,
}

impl Windows {
    /// The windows that the attributes say, of these sizes, over an image of these extents.
    pub(crate) fn new(c: &Call<'_>, image: &[usize], sizes: Vec<i64>) -> Result<Self> {
        let places = image.get(2..).filter(|places| (1..=3).contains(&places.len()));
        let none = || Error::shape(format!("{image:?} are no images of one to three dimensions"));
        let extents: Vec<_> = places.ok_or_else(none)?.iter().map(|&n| n as i64).collect();
        let rank = extents.len();
        let each = |name| numbers(c, name, rank, 1, 1);
        let (strides, dilations) = (each("strides")?, each("dilations")?);
        let pads = numbers(c, "pads", 2 * rank, 0, 0)?;
        if sizes.len() != rank || sizes.iter().any(|n| !(1..=FARTHEST).contains(n)) {
            return Err(Error::invalid(format!(
                "a window of {sizes:?} has not {rank} sizes of at least 1 and at most {FARTHEST}"
            )));
        }
        let counts = Vec::with_capacity(rank);
        let mut windows = Self { extents, sizes, strides, dilations, pads, counts };
        let (auto, ceil) = (c.choice("auto_pad", &AUTO_PAD)?, c.flag("ceil_mode", false)?);
        (0..rank).try_for_each(|d| windows.place(d, auto, ceil))?;
        Ok(windows)
    }

    /// From the first number of a window to after its last one.
    pub(crate) fn reach(&self, d: usize) -> i64 {
        (self.sizes[d] - 1) * self.dilations[d] + 1
    }

    fn place(&mut self, d: usize, auto: &str, ceil: bool) -> Result<()> {
        let (rank, extent, stride) = (self.extents.len(), self.extents[d], self.strides[d]);
        if auto.starts_with("SAME") {
            let count = (extent + stride - 1) / stride;
            let total = ((count - 1) * stride + self.reach(d) - extent).max(0);
            let less = total / 2;
            let before = if auto == "SAME_LOWER" { total - less } else { less };
            (self.pads[d], self.pads[d + rank]) = (before, total - before);
        } else if auto == "VALID" {
            (self.pads[d], self.pads[d + rank]) = (0, 0);
        }
        let before = extent + self.pads[d];
        let rest = before + self.pads[d + rank] - self.reach(d);
        if rest < 0 {
            let (reach, all) = (self.reach(d), rest + self.reach(d));
            let message = format!("a window of {reach} does not fit into dimension {}", d + 2);
            return Err(Error::shape(format!("{message}, of {all} with pads")));
        }
        // A window that would begin after the image is left out.
        let more = ceil && rest % stride != 0 && (rest / stride + 1) * stride < before;
        self.counts.push(rest / stride + 1 + i64::from(more));
        Ok(())
    }
}

/// The most numbers of a window, each of which is looked at, also where it lies outside of the image.
const MOST_NUMBERS: i64 = 1 << 24;

/// An operator over the windows of images, with more attributes.
fn over(
    c: &mut Call<'_>,
    operator: &str,
    x: Value,
    windows: &Windows,
    more: &[(&str, usize)],
) -> Result<Value> {
    const NAMES: [([&str; 3], i64); 5] = [
        (["p", "q", "r"], 1),
        (["i", "j", "k"], 1),
        (["stride_p", "stride_q", "stride_r"], 1),
        (["padding_d", "padding_h", "padding_w"], 0),
        (["dilation_i", "dilation_j", "dilation_k"], 1),
    ];
    let Windows { counts, sizes, strides, pads, dilations, .. } = windows;
    let numbers = sizes.iter().fold(1, |all: i64, size| all.saturating_mul(*size));
    if numbers > MOST_NUMBERS {
        let message = format!("windows of {sizes:?} have more than {MOST_NUMBERS} numbers");
        return Err(Error::unsupported(message));
    }
    let rank = counts.len();
    let mut attributes = Vec::new();
    let lists = [&counts[..], sizes, strides, &pads[..rank], dilations];
    for ((names, default), list) in NAMES.iter().zip(lists) {
        for (d, name) in names.iter().enumerate() {
            let number = (d + rank).checked_sub(3).map_or(*default, |d| list[d]) as usize;
            attributes.push(((*name).to_owned(), Attribute::from(number)));
        }
    }
    attributes.extend(more.iter().map(|(name, number)| ((*name).to_owned(), (*number).into())));
    let shape = c.type_of(x)?.shape;
    let mut volumes = shape.to_vec();
    volumes.splice(2..2, vec![1; 3 - rank]);
    let x = c.reshape(x, &volumes)?;
    let y = c.apply_with(operator, &[x], Attributes::from_iter(attributes))?;
    let counts = counts.iter().map(|&n| n as usize);
    c.reshape(y, &shape[..2].iter().copied().chain(counts).collect::<Vec<_>>())
}

/// The windows of the attributes of a pool.
fn pooled(c: &Call<'_>, x: Value) -> Result<Windows> {
    let sizes = c.attribute("kernel_shape")?.unwrap_or_default();
    Windows::new(c, &c.type_of(x)?.shape, sizes)
}

fn max_pool(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let windows = pooled(c, x)?;
    let mut results = vec![over(c, "window_max", x, &windows, &[])?];
    if c.results()? > 1 {
        let columns_first = c.flag("storage_order", false)?;
        let places = 3 - windows.extents.len()..3;
        let mut weights = [("weight_d", 0), ("weight_h", 0), ("weight_w", 0)];
        let mut weight = 1;
        for d in if columns_first { places.collect() } else { places.rev().collect::<Vec<_>>() } {
            weights[d].1 = weight as usize;
            weight *= windows.extents[d + windows.extents.len() - 3];
        }
        results.push(over(c, "window_argmax", x, &windows, &weights)?);
    }
    Ok(results)
}

fn average_pool(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let own = c.operand(0)?;
    let x = widened(c, own)?;
    let windows = pooled(c, x)?;
    let (rank, with_pads) = (windows.extents.len(), c.flag("count_include_pad", false)?);
    let dtype = c.type_of(x)?.dtype;
    // How many numbers a window has is a product of those along each dimension, most of them alike.
    let (mut alike, mut others) = (1.0, Vec::new());
    for d in 0..rank {
        let extent = windows.extents[d];
        let (low, high) = match with_pads {
            true => (-windows.pads[d], extent + windows.pads[d + rank]),
            false => (0, extent),
        };
        let (size, dilation) = (windows.sizes[d], windows.dilations[d]);
        let count = |o: i64| {
            let start = o * windows.strides[d] - windows.pads[d];
            // How many numbers of the window lie before a place.
            let before =
                |end: i64| (end - start + dilation - 1).div_euclid(dilation).clamp(0, size);
            (before(high) - before(low)) as f64
        };
        fits(windows.counts[d] as usize, 1)?;
        let along: Vec<_> = (0..windows.counts[d]).map(count).collect();
        match along.iter().all(|n| *n == along[0]) {
            true => alike *= along[0],
            false => others.push(c.constant(dtype, &line(rank, d, along.len()), &along)?),
        }
    }
    let sum = over(c, "window_sum", x, &windows, &[])?;
    let counts = others.into_iter().fold(Formula::from(alike), |counts, along| v(along) * counts);
    let own = c.type_of(own)?.dtype;
    Ok(vec![c.eval((v(sum) / counts).to(own))?])
}

/// The numbers of windows added where the windows lie: each number of a window has a filter that is 1 there.
fn col2im(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, image, block) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let (image, block) = (c.graph.integers(image)?, c.graph.integers(block)?);
    let shape = c.type_of(x)?.shape;
    let size = block.iter().fold(1, |all: usize, &n| all.saturating_mul(n.max(0) as usize));
    // There are so many filters of so many elements.
    fits(size, size)?;
    let &[n, rows, _] = &shape[..] else {
        return Err(Error::shape(format!("{shape} are no columns of windows")));
    };
    let channels = rows / size.max(1);
    let whole: Vec<_> =
        [n, channels].into_iter().chain(image.iter().map(|&n| n.max(0) as usize)).collect();
    let windows = Windows::new(c, &whole, block.clone())?;
    let (rank, counts) = (image.len(), windows.counts.iter().map(|&n| n as usize));
    let x = c.reshape(x, &[n * channels, size].into_iter().chain(counts).collect::<Vec<_>>())?;
    let one = |i: usize| f64::from(u8::from(i % size == i / size));
    let ones: Vec<_> = (0..size * size).map(one).collect();
    let filters = [size, 1].into_iter().chain(block.iter().map(|&n| n as usize));
    let dtype = c.type_of(x)?.dtype;
    let filters = c.constant(dtype, &filters.collect::<Vec<_>>(), &ones)?;
    let rest = |d: usize| {
        let reached = (windows.counts[d] - 1) * windows.strides[d] + windows.reach(d);
        image[d] + windows.pads[d] + windows.pads[d + rank] - reached
    };
    let more = (0..rank).map(rest).collect::<Vec<_>>();
    let attributes = [
        ("strides", windows.strides),
        ("pads", windows.pads),
        ("dilations", windows.dilations),
        ("output_padding", more),
    ];
    let y = c.apply_with("convolve_transposed", &[x, filters], attributes)?;
    Ok(vec![c.reshape(y, &whole)?])
}

/// Zeros, with the numbers of a pool where they were the largest.
fn max_unpool(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, at) = (c.operand(0)?, c.operand(1)?);
    let shape = c.type_of(x)?.shape;
    let rank = shape.len().saturating_sub(2);
    let sizes = numbers(c, "kernel_shape", rank, 1, 0)?;
    let (strides, pads) =
        (numbers(c, "strides", rank, 1, 1)?, numbers(c, "pads", 2 * rank, i64::MIN, 0)?);
    let mut whole = shape.to_vec();
    for d in 0..rank {
        let last = (shape[d + 2] as i64 - 1).saturating_mul(strides[d]).saturating_add(sizes[d]);
        let inside = last.saturating_sub(pads[d]).saturating_sub(pads[d + rank]);
        whole[d + 2] = inside.max(0) as usize;
    }
    let elements = whole.iter().fold(1, |all: usize, &extent| all.saturating_mul(extent));
    let count = shape.elements();
    let (flat, at) = (c.reshape(x, &[count])?, c.reshape(at, &[count])?);
    let zero = c.like(x, 0.0)?;
    let zeros = c.broadcast(zero, &[elements])?;
    let how = [("axis", 0_usize), ("how", 0)];
    let y = c.apply_with("put_along", &[zeros, at, flat], how)?;
    let mut y = c.reshape(y, &whole)?;
    let Some(wanted) = c.maybe(2) else { return Ok(vec![y]) };
    let wanted = c.graph.integers(wanted)?;
    let smaller = wanted.iter().zip(&whole).any(|(wanted, least)| *wanted < *least as i64);
    if wanted.len() != whole.len() || smaller {
        return Err(Error::shape(format!("an output of extents {wanted:?} for {shape}")));
    }
    for (d, wanted) in wanted.into_iter().enumerate() {
        let more = wanted.saturating_sub(whole[d] as i64);
        if more > 0 {
            let mut extents = c.type_of(y)?.shape.to_vec();
            extents[d] = more as usize;
            let zeros = c.broadcast(zero, &extents)?;
            y = c.concat(&[y, zeros], d)?;
        }
    }
    Ok(vec![y])
}
