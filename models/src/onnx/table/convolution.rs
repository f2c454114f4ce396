//! Convolutions, and what is read from windows of images.

use super::Build;
use super::elementwise::one;
use super::normalize::norms;
use super::window::Windows;
use ringwood_base::{DType, Result};
use ringwood_graph::compose::{Call, line, misshapen};
use ringwood_graph::graph::{Attribute, Attributes, Value};

pub(super) const TABLE: &[(&str, Build)] = &[
    ("AveragePool", average_pool),
    ("Col2Im", col2im),
    ("Conv", conv),
    ("ConvTranspose", conv_transpose),
    ("LpPool", |c| norms(c, |c, powers| over(c, "window_sum", powers, &pooled(c, powers)?, &[]))),
    ("MaxPool", max_pool),
    ("MaxUnpool", max_unpool),
];

fn conv(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, weights) = (c.operand(0)?, c.operand(1)?);
    let attributes = strided(c, x, weights)?;
    convolved(c, "convolve", attributes)
}

/// The attributes of `convolve`, for images and filters.
pub(super) fn strided(c: &Call<'_>, x: Value, weights: Value) -> Result<Attributes> {
    let (image, filter) = (c.type_of(x)?.shape, c.type_of(weights)?.shape);
    let group = c.or("group", 1_i64)?;
    if filter.len() < 3 || filter[1] as i64 * group != image.get(1).map_or(-1, |&n| n as i64) {
        return Err(misshapen(format!(
            "images {image} and filters {filter} in {group} groups of channels"
        )));
    }
    let sizes = filter[2..].iter().map(|&n| n as i64).collect();
    let windows = Windows::new(c, &image, sizes)?;
    let attributes =
        [("strides", windows.strides), ("pads", windows.pads), ("dilations", windows.dilations)];
    Ok(attributes.into())
}

/// An operator on images and filters, computed in `f32` if the elements are smaller, and a number for each
/// channel added.
fn convolved(c: &mut Call<'_>, operator: &str, attributes: Attributes) -> Result<Vec<Value>> {
    let (x, weights) = (c.operand(0)?, c.operand(1)?);
    let dtype = c.type_of(x)?.dtype;
    let wide = if dtype == DType::F64 { dtype } else { DType::F32 };
    let operands = [c.cast(x, wide)?, c.cast(weights, wide)?];
    let y = c.apply_with(operator, &operands, attributes)?;
    let Some(bias) = c.maybe(2) else { return one(c.cast(y, dtype)) };
    let ty = c.type_of(y)?;
    let bias = c.cast(bias, ty.dtype)?;
    let bias = c.reshape(bias, &line(ty.shape.len() - 1, 0, ty.shape[1]))?;
    let y = c.apply("add", &[y, bias])?;
    one(c.cast(y, dtype))
}

fn conv_transpose(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (image, filter) = (c.type_of(c.operand(0)?)?.shape, c.type_of(c.operand(1)?)?.shape);
    let rank = image.len().saturating_sub(2);
    let strides = c.or("strides", vec![1; rank])?;
    let dilations = c.or("dilations", vec![1; rank])?;
    let more = c.or("output_padding", vec![0; rank])?;
    let mut pads = c.or("pads", vec![0; 2 * rank])?;
    let auto = c.text("auto_pad", "NOTSET")?;
    let wanted = c.attribute::<Vec<i64>>("output_shape")?;
    let lists = [&strides, &dilations, &more].iter().all(|list| list.len() == rank);
    if filter.len() != rank + 2 || !lists || wanted.as_ref().is_some_and(|w| w.len() != rank) {
        return Err(misshapen(format!(
            "images {image}, filters {filter}: a list has not {rank} numbers"
        )));
    }
    for d in 0..rank {
        let extent = image[d + 2] as i64;
        let all =
            (extent - 1) * strides[d] + (filter[d + 2] as i64 - 1) * dilations[d] + 1 + more[d];
        let wanted = match &wanted {
            Some(wanted) => wanted[d],
            None if auto.starts_with("SAME") => extent * strides[d],
            None => continue,
        };
        let total = all - wanted;
        let less = total.div_euclid(2);
        let before = if auto == "SAME_UPPER" { less } else { total - less };
        (pads[d], pads[d + rank]) = (before, total - before);
    }
    let attributes: [(_, Attribute); 5] = [
        ("strides", strides.into()),
        ("dilations", dilations.into()),
        ("output_padding", more.into()),
        ("pads", pads.into()),
        ("group", (c.or("group", 1_i64)?.max(0) as usize).into()),
    ];
    convolved(c, "convolve_transposed", attributes.into())
}

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
    let x = c.operand(0)?;
    let windows = pooled(c, x)?;
    let (rank, with_pads) = (windows.extents.len(), c.flag("count_include_pad", false)?);
    let mut counts = vec![1.0];
    for d in 0..rank {
        let extent = windows.extents[d];
        let (low, high) = match with_pads {
            true => (-windows.pads[d], extent + windows.pads[d + rank]),
            false => (0, extent),
        };
        let count = |o: i64| {
            let start = o * windows.strides[d] - windows.pads[d];
            let places = (0..windows.sizes[d]).map(|k| start + k * windows.dilations[d]);
            places.filter(|place| (low..high).contains(place)).count() as f64
        };
        let along: Vec<_> = (0..windows.counts[d]).map(count).collect();
        counts = counts.iter().flat_map(|a| along.iter().map(move |b| a * b)).collect();
    }
    let sum = over(c, "window_sum", x, &windows, &[])?;
    let shape: Vec<_> = windows.counts.iter().map(|&n| n as usize).collect();
    let counts = match counts.iter().all(|n| *n == counts[0]) {
        true => c.graph.constant(&[], &counts[..1])?,
        false => c.graph.constant(&shape, &counts)?,
    };
    let dtype = c.type_of(x)?.dtype;
    let counts = c.cast(counts, dtype)?;
    one(c.apply("div", &[sum, counts]))
}

/// The numbers of windows added where the windows lie: each number of a window has a filter that is 1 there.
fn col2im(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, image, block) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let (image, block) = (c.graph.integers(image)?, c.graph.integers(block)?);
    let shape = c.type_of(x)?.shape;
    let size = block.iter().product::<i64>() as usize;
    let &[n, rows, _] = &shape[..] else {
        return Err(misshapen(format!("{shape} are no columns of windows")));
    };
    let channels = rows / size.max(1);
    let whole: Vec<_> =
        [n, channels].into_iter().chain(image.iter().map(|&n| n.max(0) as usize)).collect();
    let windows = Windows::new(c, &whole, block.clone())?;
    let (rank, counts) = (image.len(), windows.counts.iter().map(|&n| n as usize));
    let x = c.reshape(x, &[n * channels, size].into_iter().chain(counts).collect::<Vec<_>>())?;
    let ones: Vec<_> =
        (0..size * size).map(|i| f32::from(u8::from(i % size == i / size))).collect();
    let filters = [size, 1].into_iter().chain(block.iter().map(|&n| n as usize));
    let filters = c.graph.constant(&filters.collect::<Vec<_>>(), &ones)?;
    let dtype = c.type_of(x)?.dtype;
    let filters = c.cast(filters, dtype)?;
    let rest = |d: usize| {
        let reached = (windows.counts[d] - 1) * windows.strides[d] + windows.reach(d);
        image[d] + windows.pads[d] + windows.pads[d + rank] - reached
    };
    let more = (0..rank).map(rest).collect::<Vec<_>>();
    let attributes: [(_, Attribute); 5] = [
        ("strides", windows.strides.into()),
        ("pads", windows.pads.into()),
        ("dilations", windows.dilations.into()),
        ("output_padding", more.into()),
        ("group", 1_usize.into()),
    ];
    let y = c.apply_with("convolve_transposed", &[x, filters], attributes)?;
    one(c.reshape(y, &whole))
}

/// Zeros, with the numbers of a pool where they were the largest.
fn max_unpool(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, at) = (c.operand(0)?, c.operand(1)?);
    let shape = c.type_of(x)?.shape;
    let rank = shape.len().saturating_sub(2);
    let sizes: Vec<i64> = c.or("kernel_shape", Vec::new())?;
    let (strides, pads) = (c.or("strides", vec![1; rank])?, c.or("pads", vec![0; 2 * rank])?);
    if [sizes.len(), strides.len(), pads.len()] != [rank, rank, 2 * rank] {
        return Err(misshapen(format!(
            "windows of {sizes:?}, {strides:?} apart, padded by {pads:?}, of {shape}"
        )));
    }
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
    if wanted.len() != whole.len() {
        return Err(misshapen(format!("an output of extents {wanted:?} for {shape}")));
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
