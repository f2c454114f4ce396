//! Convolutions of images of one to three dimensions.

use crate::composed::composed;
use crate::matmul::product::BLOCK;
use crate::pool::{AUTO_PAD, Windows};
use ringwood_base::{DType, Error, Result, Shape};
use ringwood_graph::compose::{Call, line, unrolled};
use ringwood_graph::graph::{Attribute, Attributes, Value};

composed! {
    /// Images `[n, c, …]` with filters `[m, c / group, …]`, of one to three dimensions: `[n, m, …]`; a number to add for
    /// each filter may follow. `pads` are the zeros before each dimension, then those after each; `auto_pad` is ONNX's.
    /// PyTorch's `conv1d` to `conv3d`.
    Convolve "convolve" { strides: [i64], pads: [i64], dilations: [i64], auto_pad: str, group: usize } = convolve;
    /// Each number of images `[n, c, …]` times the filters `[c, m / group, …]` of its group, added up where they overlap:
    /// `[n, m, …]`; a number to add for each filter may follow. `pads` are cut off, `output_padding` is more after each
    /// dimension; `auto_pad` and `output_shape` are ONNX's. PyTorch's `conv_transpose1d` to `conv_transpose3d`.
    ConvolveTransposed "convolve_transposed" {
        strides: [i64], pads: [i64], dilations: [i64], output_padding: [i64], group: usize, auto_pad: str,
        output_shape: [i64]
    } = convolve_transposed;
}

fn convolve(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, weights) = (c.operand(0)?, c.operand(1)?);
    let (image, filter) = (c.type_of(x)?.shape, c.type_of(weights)?.shape);
    let rank = dimensions(image, filter)?;
    let groups = image[1].checked_div(filter[1]).unwrap_or(0);
    let group = c.or("group", groups.max(1))?;
    if !divides(filter[1], image[1]) || !divides(groups, filter[0]) || group != groups {
        return Err(Error::shape(format!(
            "images {image} and filters {filter} in {group} groups: filters have the channels of a group, and groups \
             equally many filters"
        )));
    }
    let sizes = filter[2..].iter().map(|&n| n as i64).collect();
    let Windows { counts, strides, pads, dilations, .. } = Windows::new(c, &image, sizes)?;
    let axes = [&strides, &pads[..rank], &dilations, &[1; 3]];
    let is_whole = image[1..] == filter[1..] && pads.iter().all(|n| *n == 0);
    finished(c, |c, [x, weights]| match is_whole {
        true => whole(c, x, weights),
        false => convolution(c, x, weights, &counts, axes),
    })
}

/// The convolution whose only window is the image: a product, whose terms are those of the filter in its order.
fn whole(c: &mut Call<'_>, x: Value, weights: Value) -> Result<Value> {
    let (image, filter) = (c.type_of(x)?.shape, c.type_of(weights)?.shape);
    let terms = filter[1..].iter().product();
    let (rows, weights) =
        (c.reshape(x, &[image[0], terms])?, c.reshape(weights, &[filter[0], terms])?);
    let y = c.apply("matmul_nt", &[rows, weights])?;
    let ones = std::iter::repeat_n(1, image.len() - 2);
    c.reshape(y, &[image[0], filter[0]].into_iter().chain(ones).collect::<Vec<_>>())
}

/// What a convolution makes of images and filters, those of 16 bits as `f32`, with the numbers of the third operand
/// added to each channel.
fn finished(
    c: &mut Call<'_>,
    convolved: impl FnOnce(&mut Call<'_>, [Value; 2]) -> Result<Value>,
) -> Result<Vec<Value>> {
    let (x, weights) = (c.operand(0)?, c.operand(1)?);
    let dtype = c.type_of(x)?.dtype;
    let wide = if dtype.size() == 2 && dtype.is_float() { DType::F32 } else { dtype };
    let operands = [c.cast(x, wide)?, c.cast(weights, wide)?];
    let mut y = convolved(c, operands)?;
    if let Some(bias) = c.maybe(2) {
        let (ty, bias) = (c.type_of(y)?, c.cast(bias, wide)?);
        let bias = c.reshape(bias, &line(ty.shape.len() - 1, 0, ty.shape[1]))?;
        y = c.apply("add", &[y, bias])?;
    }
    Ok(vec![c.cast(y, dtype)?])
}

fn convolve_transposed(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (image, filter) = (c.type_of(c.operand(0)?)?.shape, c.type_of(c.operand(1)?)?.shape);
    let (rank, group) = (dimensions(image, filter)?, c.or("group", 1_usize)?);
    if filter[0] != image[1] || !divides(group, image[1]) {
        return Err(Error::shape(format!(
            "images {image} and filters {filter} in {group} groups: filters have the channels of the image, and groups \
             equally many"
        )));
    }
    let each = |name, least| numbers(c, name, rank, least, least);
    let (strides, dilations, more) =
        (each("strides", 1)?, each("dilations", 1)?, each("output_padding", 0)?);
    let mut pads = numbers(c, "pads", 2 * rank, i64::MIN, 0)?;
    let auto = c.choice("auto_pad", &AUTO_PAD)?;
    let wanted = match c.attribute::<Vec<i64>>("output_shape")? {
        Some(_) => Some(numbers(c, "output_shape", rank, 0, 0)?),
        None => None,
    };
    let mut counts = Vec::with_capacity(rank);
    for d in 0..rank {
        let (extent, window) = (image[d + 2] as i64, filter[d + 2] as i64);
        let all = (extent - 1) * strides[d] + (window - 1) * dilations[d] + 1 + more[d];
        let wanted = match &wanted {
            Some(wanted) => Some(wanted[d]),
            None => auto.starts_with("SAME").then_some(extent * strides[d]),
        };
        if let Some(wanted) = wanted {
            let (total, less) = (all - wanted, (all - wanted).div_euclid(2));
            let before = if auto == "SAME_UPPER" { less } else { total - less };
            (pads[d], pads[d + rank]) = (before, total - before);
        }
        let count = all - pads[d] - pads[d + rank];
        if count <= 0 {
            let message = format!("dimension {} has {count} elements: {all} without pads", d + 2);
            return Err(Error::shape(message));
        }
        counts.push(count);
    }
    let side_by_side = filter[2..].iter().zip(&strides).all(|(window, by)| *window as i64 == *by)
        && dilations.iter().all(|n| *n == 1)
        && pads.iter().chain(&more).all(|n| *n == 0);
    let taps: usize = filter[2..].iter().product();
    finished(c, |c, [x, weights]| {
        if side_by_side && taps.is_power_of_two() && taps <= BLOCK {
            return apart(c, x, weights, group);
        }
        // As each element of the result sees it: windows go backwards over elements that lie apart.
        let back = |numbers: &[i64]| numbers.iter().map(|n| -n).collect::<Vec<_>>();
        let weights = filters_first(c, weights, group)?;
        let axes = [&[1; 3], &back(&pads[..rank])[..], &back(&dilations), &strides];
        convolution(c, x, weights, &counts, axes)
    })
}

/// The dimensions of images beside that of the batch and the channels.
fn dimensions(image: Shape, filter: Shape) -> Result<usize> {
    if (3..=5).contains(&image.len()) && filter.len() == image.len() {
        return Ok(image.len() - 2);
    }
    let message = format!(
        "images {image} and filters {filter}: both have a dimension of images or filters, one of channels, \
         and one to three of places"
    );
    Err(Error::shape(message))
}

fn divides(a: usize, b: usize) -> bool {
    b.checked_rem(a) == Some(0) && b > 0
}

/// The largest number of places, so that no sum of products of two such numbers overflows.
pub(crate) const FARTHEST: i64 = i32::MAX as i64;

/// An attribute of so many numbers, none below `least` or beyond [`FARTHEST`]; `default` each where it is left out.
pub(crate) fn numbers(
    c: &Call<'_>,
    name: &str,
    count: usize,
    least: i64,
    default: i64,
) -> Result<Vec<i64>> {
    let numbers = c.or(name, vec![default; count])?;
    let least = least.max(-FARTHEST);
    if numbers.len() == count && numbers.iter().all(|n| (least..=FARTHEST).contains(n)) {
        return Ok(numbers);
    }
    let message = format!("`{name}` is {numbers:?}, not {count} numbers");
    Err(Error::invalid(format!("{message} of at least {least} and at most {FARTHEST}")))
}

/// The transposed convolution whose windows lie side by side: an element is of one place of each channel. The terms
/// between those are zeros, which blocks of terms count, so that a block has fewer channels.
fn apart(c: &mut Call<'_>, x: Value, weights: Value, group: usize) -> Result<Value> {
    let (image, filter) = (c.type_of(x)?.shape, c.type_of(weights)?.shape);
    let (channels, window, places) = (filter[0] / group, &filter[2..], &image[2..]);
    let (taps, m): (usize, _) = (window.iter().product(), group * filter[1]);
    let rows = c.reshape(weights, &[group, channels, filter[1] * taps])?;
    let rows = c.permute(rows, &[0, 2, 1])?;
    let columns = [image[0], group, channels, places.iter().product()];
    let columns = c.reshape(x, &columns)?;
    unrolled(channels.div_ceil(BLOCK / taps))?;
    let mut y: Option<Value> = None;
    for start in (0..channels).step_by(BLOCK / taps) {
        let part = start..channels.min(start + BLOCK / taps);
        let factors = [c.slice(rows, 2, part.clone(), 1)?, c.slice(columns, 2, part, 1)?];
        let product = c.apply("batched_matmul", &factors)?;
        y = Some(match y {
            Some(y) => c.apply("add", &[y, product])?,
            None => product,
        });
    }
    let y = y.ok_or_else(|| Error::shape("filters have no channels"))?;
    let split = [&[image[0], m][..], window, places].concat();
    let y = c.reshape(y, &split)?;
    let rank = window.len();
    let order: Vec<_> = (2..2 + rank).flat_map(|d| [d + rank, d]).collect();
    let y = c.permute(y, &[&[0, 1], &order[..]].concat())?;
    let counts = window.iter().zip(places).map(|(window, places)| window * places);
    c.reshape(y, &[image[0], m].into_iter().chain(counts).collect::<Vec<_>>())
}

/// Filters `[e, m / group, …]` as `[m, e / group, …]`.
fn filters_first(c: &mut Call<'_>, weights: Value, group: usize) -> Result<Value> {
    let shape = c.type_of(weights)?.shape;
    let (e, m, window) = (shape[0] / group, shape[1], shape[2..].iter().product());
    let split = c.reshape(weights, &[group, e, m, window])?;
    let turned = c.permute(split, &[0, 2, 1, 3])?;
    c.reshape(turned, &[&[group * m, e], &shape[2..]].concat())
}

/// The names of the strides, paddings, dilations and spreads of `convolution`.
pub(crate) const NAMES: [[&str; 3]; 4] = [
    ["stride_p", "stride_q", "stride_r"],
    ["padding_d", "padding_h", "padding_w"],
    ["dilation_i", "dilation_j", "dilation_k"],
    ["spread_d", "spread_h", "spread_w"],
];

/// The attributes of `convolution`: numbers of windows, and their strides, paddings, dilations and spreads.
pub(crate) fn attributes(counts: [usize; 3], axes: [[i64; 3]; 4]) -> Attributes {
    let counts = ["p", "q", "r"].into_iter().zip(counts.map(Attribute::from));
    let axes = axes.into_iter().flatten().map(Attribute::from);
    counts.chain(NAMES.into_iter().flatten().zip(axes)).collect()
}

/// `convolution` with numbers of windows for up to three dimensions, and their strides, paddings, dilations
/// and spreads.
fn convolution(
    c: &mut Call<'_>,
    x: Value,
    weights: Value,
    counts: &[i64],
    axes: [&[i64]; 4],
) -> Result<Value> {
    let (image, filter) = (c.type_of(x)?.shape, c.type_of(weights)?.shape);
    let (n, m) = (image[0], filter[0]);
    let missing = 3 - counts.len();
    let whole = |numbers: &[i64], default: i64| -> [i64; 3] {
        std::array::from_fn(|d| d.checked_sub(missing).map_or(default, |d| numbers[d]))
    };
    let [strides, paddings, dilations, spreads] = axes;
    let axes = [whole(strides, 1), whole(paddings, 0), whole(dilations, 1), whole(spreads, 1)];
    let attributes = attributes(whole(counts, 1).map(|count| count as usize), axes);
    let groups = image[1] / filter[1];
    let x = volumes(c, x, |n, channels| vec![n * groups, channels / groups])?;
    let weights = volumes(c, weights, |m, e| vec![groups, m / groups, e])?;
    let y = c.apply_with("convolution", &[x, weights], attributes)?;
    let counts = counts.iter().map(|&count| count as usize);
    c.reshape(y, &[n, m].into_iter().chain(counts).collect::<Vec<_>>())
}

/// Images or filters of three dimensions, the first ones of extent 1, and what becomes of those before them.
fn volumes(
    c: &mut Call<'_>,
    x: Value,
    first: impl Fn(usize, usize) -> Vec<usize>,
) -> Result<Value> {
    let shape = c.type_of(x)?.shape;
    let mut extents = first(shape[0], shape[1]);
    extents.extend(std::iter::repeat_n(1, 5 - shape.len()).chain(shape[2..].iter().copied()));
    c.reshape(x, &extents)
}
