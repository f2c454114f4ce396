//! Convolutions of images of one to three dimensions.

use crate::matmul::product::BLOCK;
use crate::shapes::{exactly, permute, reshape};
use ringwood_base::{Error, ErrorKind, Result, Shape};
use ringwood_graph::graph::{Attribute, Attributes, Graph, Value};
use ringwood_graph::register_operator;

register_operator! {
    /// Images `[n, c, …]` with filters `[m, c / groups, …]`, of one to three dimensions: `[n, m, …]`. `pads` are
    /// the zeros before each dimension, then those after each. PyTorch's `conv1d` to `conv3d`.
    pub Convolve = "convolve";
    decompose: |graph, operands, attributes| {
        let [x, weights] = exactly(operands)?;
        let (image, filter) = (graph.type_of(x)?.shape, graph.type_of(weights)?.shape);
        let rank = dimensions(image, filter)?;
        if !divides(filter[1], image[1]) || !divides(image[1] / filter[1], filter[0]) {
            let message = format!(
                "images {image} and filters {filter}: filters have the channels of a group, and groups \
                 equally many filters"
            );
            return Err(Error::new(ErrorKind::Shape, message));
        }
        let given = |name, count, least| numbers("convolve", attributes, name, count, least);
        let (strides, dilations) = (given("strides", rank, 1)?, given("dilations", rank, 1)?);
        let pads = given("pads", 2 * rank, 0)?;
        let count = |d: usize| {
            let padded = image[d + 2] as i64 + pads[d] + pads[d + rank];
            let window = (filter[d + 2] as i64 - 1) * dilations[d] + 1;
            let last = padded - window;
            let message = format!("a window of {window} does not fit into dimension {}", d + 2);
            let fits = last >= 0 && window > 0;
            let error = || Error::new(ErrorKind::Shape, format!("{message}, of {padded} with pads"));
            if fits { Ok(last / strides[d] + 1) } else { Err(error()) }
        };
        let counts = (0..rank).map(count).collect::<Result<Vec<_>>>()?;
        let axes = [&strides, &pads[..rank], &dilations, &[1; 3]];
        convolution(graph, x, weights, &counts, axes).map(|y| vec![y])
    },
    attributes: { strides: [i64], pads: [i64], dilations: [i64] },
}

register_operator! {
    /// Each number of images `[n, c, …]` times the filters `[c, m / group, …]` of its group, added up where
    /// they overlap: `[n, m, …]`. `pads` are cut off, `output_padding` is more after each dimension. PyTorch's
    /// `conv_transpose1d` to `conv_transpose3d`.
    pub ConvolveTransposed = "convolve_transposed";
    decompose: |graph, operands, attributes| {
        let [x, weights] = exactly(operands)?;
        let (image, filter) = (graph.type_of(x)?.shape, graph.type_of(weights)?.shape);
        let rank = dimensions(image, filter)?;
        let name = "convolve_transposed";
        let group: usize = attributes.value(name, "group")?;
        if filter[0] != image[1] || !divides(group, image[1]) {
            let message = format!(
                "images {image} and filters {filter} in {group} groups: filters have the channels of the \
                 image, and groups equally many"
            );
            return Err(Error::new(ErrorKind::Shape, message));
        }
        let given = |what, count, least| numbers(name, attributes, what, count, least);
        let (strides, dilations) = (given("strides", rank, 1)?, given("dilations", rank, 1)?);
        let (pads, more) = (given("pads", 2 * rank, i64::MIN)?, given("output_padding", rank, 0)?);
        let count = |d: usize| {
            let (extent, window) = (image[d + 2] as i64, filter[d + 2] as i64);
            let all = (extent - 1) * strides[d] + (window - 1) * dilations[d] + 1 + more[d];
            let count = all - pads[d] - pads[d + rank];
            let message = format!("dimension {} has {count} elements: {all} without pads", d + 2);
            if count > 0 { Ok(count) } else { Err(Error::new(ErrorKind::Shape, message)) }
        };
        let counts = (0..rank).map(count).collect::<Result<Vec<_>>>()?;
        let side_by_side = filter[2..].iter().zip(&strides).all(|(window, by)| *window as i64 == *by)
            && dilations.iter().all(|n| *n == 1)
            && pads.iter().chain(&more).all(|n| *n == 0);
        let taps: usize = filter[2..].iter().product();
        if side_by_side && taps.is_power_of_two() && taps <= BLOCK {
            return apart(graph, x, weights, group).map(|y| vec![y]);
        }
        // As each element of the result sees it: windows go backwards over elements that lie apart.
        let back = |numbers: &[i64]| numbers.iter().map(|n| -n).collect::<Vec<_>>();
        let weights = filters_first(graph, weights, group)?;
        let axes = [&[1; 3], &back(&pads[..rank])[..], &back(&dilations), &strides];
        convolution(graph, x, weights, &counts, axes).map(|y| vec![y])
    },
    attributes: {
        strides: [i64], pads: [i64], dilations: [i64], output_padding: [i64], group: usize,
    },
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
    Err(Error::new(ErrorKind::Shape, message))
}

fn divides(a: usize, b: usize) -> bool {
    b.checked_rem(a) == Some(0) && b > 0
}

/// An attribute of so many numbers, none below `least`.
pub(crate) fn numbers(
    operator: &str,
    attributes: &Attributes,
    name: &str,
    count: usize,
    least: i64,
) -> Result<Vec<i64>> {
    let numbers: Vec<i64> = attributes.value(operator, name)?;
    if numbers.len() == count && numbers.iter().all(|n| *n >= least) {
        return Ok(numbers);
    }
    let bound = if least > i64::MIN { format!(" of at least {least}") } else { String::new() };
    let message = format!("`{name}` is {numbers:?}, not {count} numbers{bound}");
    Err(Error::new(ErrorKind::InvalidArgument, message))
}

/// The transposed convolution whose windows lie side by side: an element is of one place of each channel. The terms
/// between those are zeros, which blocks of terms count, so that a block has fewer channels.
fn apart(graph: &mut Graph, x: Value, weights: Value, group: usize) -> Result<Value> {
    let (image, filter) = (graph.type_of(x)?.shape, graph.type_of(weights)?.shape);
    let (channels, window, places) = (filter[0] / group, &filter[2..], &image[2..]);
    let (taps, m): (usize, _) = (window.iter().product(), group * filter[1]);
    let rows = reshape(graph, weights, &[group, channels, filter[1] * taps])?;
    let rows = permute(graph, rows, &[0, 2, 1])?;
    let columns = [image[0], group, channels, places.iter().product()];
    let columns = reshape(graph, x, &columns)?;
    let mut y: Option<Value> = None;
    for start in (0..channels).step_by(BLOCK / taps) {
        let part = [("axis", 2), ("start", start), ("end", channels.min(start + BLOCK / taps))];
        let part = part.into_iter().chain([("step", 1_usize)]);
        let part: Attributes = part.map(|(name, n)| (name, Attribute::from(n))).collect();
        let a = graph.apply_with("ringwood::slice", &[rows], part.clone())?;
        let b = graph.apply_with("ringwood::slice", &[columns], part)?;
        let product = graph.apply("ringwood::batched_matmul", &[a, b])?;
        y = Some(match y {
            Some(y) => graph.apply("ringwood::add", &[y, product])?,
            None => product,
        });
    }
    let y = y.ok_or_else(|| Error::new(ErrorKind::Shape, "filters have no channels"))?;
    let split = [&[image[0], m][..], window, places].concat();
    let y = reshape(graph, y, &split)?;
    let rank = window.len();
    let order: Vec<_> = (2..2 + rank).flat_map(|d| [d + rank, d]).collect();
    let y = permute(graph, y, &[&[0, 1], &order[..]].concat())?;
    let counts = window.iter().zip(places).map(|(window, places)| window * places);
    reshape(graph, y, &[image[0], m].into_iter().chain(counts).collect::<Vec<_>>())
}

/// Filters `[c, m / group, …]` as `[m, c / group, …]`.
fn filters_first(graph: &mut Graph, weights: Value, group: usize) -> Result<Value> {
    let shape = graph.type_of(weights)?.shape;
    let (c, m, window) = (shape[0] / group, shape[1], shape[2..].iter().product());
    let split = reshape(graph, weights, &[group, c, m, window])?;
    let turned = permute(graph, split, &[0, 2, 1, 3])?;
    let extents: Vec<_> = [group * m, c].into_iter().chain(shape[2..].iter().copied()).collect();
    reshape(graph, turned, &extents)
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
    graph: &mut Graph,
    x: Value,
    weights: Value,
    counts: &[i64],
    axes: [&[i64]; 4],
) -> Result<Value> {
    let shape = |value, graph: &Graph| graph.type_of(value).map(|ty| ty.shape);
    let (n, m) = (shape(x, graph)?[0], shape(weights, graph)?[0]);
    let missing = 3 - counts.len();
    let whole = |numbers: &[i64], default: i64| -> [i64; 3] {
        std::array::from_fn(|d| d.checked_sub(missing).map_or(default, |d| numbers[d]))
    };
    let [strides, paddings, dilations, spreads] = axes;
    let axes = [whole(strides, 1), whole(paddings, 0), whole(dilations, 1), whole(spreads, 1)];
    let attributes = attributes(whole(counts, 1).map(|count| count as usize), axes);
    let groups = shape(x, graph)?[1] / shape(weights, graph)?[1];
    let x = volumes(graph, x, |n, c| vec![n * groups, c / groups])?;
    let weights = volumes(graph, weights, |m, e| vec![groups, m / groups, e])?;
    let y = graph.apply_with("ringwood::convolution", &[x, weights], attributes)?;
    let counts = counts.iter().map(|&count| count as usize);
    reshape(graph, y, &[n, m].into_iter().chain(counts).collect::<Vec<_>>())
}

/// Images or filters of three dimensions, the first ones of extent 1, and what becomes of those before them.
fn volumes(
    graph: &mut Graph,
    x: Value,
    first: impl Fn(usize, usize) -> Vec<usize>,
) -> Result<Value> {
    let shape = graph.type_of(x)?.shape;
    let mut extents = first(shape[0], shape[1]);
    extents.extend(std::iter::repeat_n(1, 5 - shape.len()).chain(shape[2..].iter().copied()));
    reshape(graph, x, &extents)
}
