//! Windows of images, as nodes of ONNX.

use super::call::{Call, integer, integers, text};
use crate::file::malformed;
use crate::onnx::proto::AttributeProto;
use ringwood_base::Result;

/// The windows along a dimension of images.
#[derive(Clone, Copy)]
struct Axis {
    /// The numbers of the image.
    extent: usize,
    count: i64,
    window: i64,
    stride: i64,
    padding: i64,
    dilation: i64,
    spread: i64,
}

impl Axis {
    /// What to add after the image, so that there are as many windows; less than 0 to cut it off.
    fn after(&self) -> i64 {
        let reach = (self.count - 1) * self.stride + (self.window - 1) * self.dilation + 1;
        let after = reach - self.extent as i64 - self.padding;
        if after > -self.stride { after.max(0) } else { after }
    }

    /// Whether a window has its numbers in reverse; one of a single number never has.
    fn goes_back(&self) -> bool {
        self.dilation < 0 && self.window > 1
    }
}

/// The windows along the last three dimensions of images, of so many numbers along each.
fn axes(c: &Call<'_>, extents: &[usize], windows: [i64; 3]) -> Result<[Axis; 3]> {
    let axis = |d: usize, [count, stride, padding, dilation]: [&str; 4]| {
        Ok(Axis {
            extent: extents[d],
            count: c.integer(count)?,
            window: windows[d],
            stride: c.integer(stride)?,
            padding: c.integer(padding)?,
            dilation: c.integer(dilation)?,
            spread: 1,
        })
    };
    Ok([
        axis(0, ["p", "stride_p", "padding_d", "dilation_i"])?,
        axis(1, ["q", "stride_q", "padding_h", "dilation_j"])?,
        axis(2, ["r", "stride_r", "padding_w", "dilation_k"])?,
    ])
}

/// Windows of images: the groups of a batch are those of its channels.
pub(super) fn convolution(c: &mut Call<'_>) -> Result<()> {
    let (x, weights) = (c.shape(0)?, c.shape(1)?);
    let (&[b, e, d, h, w], &[g, f, _, i, j, k]) = (&x[..], &weights[..]) else {
        return Err(malformed("images have 5 dimensions, and filters 6"));
    };
    let mut axes = axes(c, &[d, h, w], [i, j, k].map(|n| n as i64))?;
    for (axis, name) in axes.iter_mut().zip(["spread_d", "spread_h", "spread_w"]) {
        axis.spread = c.integer(name)?;
    }
    let [images, filters] = c.operands();
    let images = c.reshaped(&images, &[b / g, g * e, d, h, w])?;
    let whole = if axes.iter().any(Axis::goes_back) {
        let order = vec![integers("perm", vec![0, 2, 1, 3, 4, 5])];
        let filters = c.part("Transpose", &[&filters], order);
        let filters = c.reshaped(&filters, &[g * e, f, i, j, k])?;
        transposed(c, &images, &filters, &axes, g)?
    } else {
        let filters = c.reshaped(&filters, &[g * f, e, i, j, k])?;
        let images = spread(c, images, &[b / g, g * e], &mut axes)?;
        let (images, mut attributes) = windows(c, images, &axes)?;
        attributes.push(integer("group", g as i64));
        c.part("Conv", &[&images, &filters], attributes)
    };
    c.end_reshaped(&whole)
}

/// Windows that go back over images whose numbers lie apart, without the places that no window is at, and with zeros
/// where none reaches.
fn transposed(
    c: &mut Call<'_>,
    images: &str,
    filters: &str,
    axes: &[Axis; 3],
    groups: usize,
) -> Result<String> {
    if axes.iter().any(|axis| axis.stride != 1 || axis.dilation > 0 && axis.window > 1) {
        let message = "windows that go back along one dimension, and forward or by strides along another, are not written";
        return Err(malformed(message));
    }
    let cut = |axis: &Axis| {
        let reach = (axis.extent as i64 - 1) * axis.spread - (axis.window - 1) * axis.dilation + 1;
        (-axis.padding, reach + axis.padding - axis.count)
    };
    let pads: Vec<_> = [(0, 0); 2].into_iter().chain(axes.iter().map(cut)).collect();
    let (before, after): (Vec<_>, Vec<_>) =
        pads[2..].iter().map(|&(before, after)| (before.max(0), after.max(0))).unzip();
    let attributes = vec![
        integer("group", groups as i64),
        integers("strides", axes.map(|axis| axis.spread).into()),
        integers("dilations", axes.map(|axis| axis.dilation.abs()).into()),
        integers("pads", [before, after].concat()),
    ];
    let y = c.part("ConvTranspose", &[images, filters], attributes);
    let more = pads.iter().map(|&(before, after)| ((-before).max(0), (-after).max(0)));
    padded(c, &y, &more.collect::<Vec<_>>())
}

/// Images with zeros between and after their numbers, where these are apart.
fn spread(
    c: &mut Call<'_>,
    images: String,
    batch: &[usize],
    axes: &mut [Axis; 3],
) -> Result<String> {
    if axes.iter().all(|axis| axis.spread == 1) {
        return Ok(images);
    }
    let mut apart = batch.to_vec();
    let mut pads = vec![(0, 0); batch.len()];
    let mut whole = batch.to_vec();
    for axis in axes {
        apart.extend([axis.extent, 1]);
        pads.extend([(0, 0), (0, axis.spread - 1)]);
        axis.extent *= axis.spread as usize;
        whole.push(axis.extent);
    }
    let images = c.reshaped(&images, &apart)?;
    let images = padded(c, &images, &pads)?;
    c.reshaped(&images, &whole)
}

/// Images without what no window has, and the attributes of the windows.
fn windows(
    c: &mut Call<'_>,
    images: String,
    axes: &[Axis],
) -> Result<(String, Vec<AttributeProto>)> {
    let pads: Vec<_> = axes.iter().map(|axis| (axis.padding, axis.after())).collect();
    let cut = pads.iter().map(|&(before, after)| (before.min(0), after.min(0)));
    let cut: Vec<_> = [(0, 0); 2].into_iter().chain(cut).collect();
    let images = padded(c, &images, &cut)?;
    let (before, after): (Vec<_>, Vec<_>) =
        pads.iter().map(|&(before, after)| (before.max(0), after.max(0))).unzip();
    let each = |of: fn(&Axis) -> i64| axes.iter().map(of).collect();
    let attributes = vec![
        integers("kernel_shape", each(|axis| axis.window)),
        integers("strides", each(|axis| axis.stride)),
        integers("dilations", each(|axis| axis.dilation.abs())),
        integers("pads", [before, after].concat()),
    ];
    Ok((images, attributes))
}

/// A value with so many zeros before and after each dimension; numbers below 0 cut off what is there.
pub(super) fn padded(c: &mut Call<'_>, value: &str, pads: &[(i64, i64)]) -> Result<String> {
    if pads.iter().all(|pads| *pads == (0, 0)) {
        return Ok(value.to_owned());
    }
    let (before, after): (Vec<_>, Vec<_>) = pads.iter().copied().unzip();
    let pads = c.list(&[before, after].concat())?;
    Ok(c.part("Pad", &[value, &pads], Vec::new()))
}

/// The windows of a pooling of images of these extents.
fn pooling(c: &Call<'_>, extents: [usize; 2], counts: [i64; 2]) -> Result<[Axis; 2]> {
    let (window, stride) = (c.index("window")?, c.index("stride")?);
    let axis = |d: usize| Axis {
        extent: extents[d],
        count: counts[d],
        window,
        stride,
        padding: 0,
        dilation: 1,
        spread: 1,
    };
    Ok([axis(0), axis(1)])
}

pub(super) fn pool(c: &mut Call<'_>, op_type: &str) -> Result<()> {
    let shape = c.shape(0)?;
    let axes = pooling(c, [shape[2], shape[3]], [c.index("p")?, c.index("q")?])?;
    let [images] = c.operands();
    let (images, attributes) = windows(c, images, &axes)?;
    c.end_with(op_type, &[&images], attributes)
}

/// The images and the attributes of windows of three dimensions.
fn volumes(c: &mut Call<'_>) -> Result<(String, Vec<AttributeProto>)> {
    let sizes = [c.index("i")?, c.index("j")?, c.index("k")?];
    let axes = axes(c, &c.shape(0)?[2..], sizes)?;
    let [images] = c.operands();
    windows(c, images, &axes)
}

pub(super) fn window_max(c: &mut Call<'_>) -> Result<()> {
    let (images, attributes) = volumes(c)?;
    c.end_with("MaxPool", &[&images], attributes)
}

/// Places count layers, rows and numbers first, or the other way round.
pub(super) fn window_argmax(c: &mut Call<'_>) -> Result<()> {
    let (images, mut attributes) = volumes(c)?;
    let (shape, weights) = (c.shape(0)?, ["weight_d", "weight_h", "weight_w"]);
    let weights = [c.index(weights[0])?, c.index(weights[1])?, c.index(weights[2])?];
    let [d, h, w] = [shape[2], shape[3], shape[4]].map(|extent| extent as i64);
    let is = |order: [i64; 3]| (0..3).all(|i| shape[i + 2] == 1 || weights[i] == order[i]);
    let columns_first = !is([h * w, w, 1]);
    if images != c.operands::<1>()[0] || columns_first && !is([1, d, d * h]) {
        return Err(malformed(
            "places in a part of the images, or in another order, are not written",
        ));
    }
    attributes.push(integer("storage_order", columns_first.into()));
    let places = c.second("MaxPool", &[&images], attributes);
    c.end("Identity", &[&places])
}

/// Filters of ones, one for each channel, add up the numbers of each window.
pub(super) fn window_sum(c: &mut Call<'_>) -> Result<()> {
    let channels = c.shape(0)?[1] as i64;
    let (images, mut attributes) = volumes(c)?;
    attributes.push(integer("group", channels));
    let ones = [channels, 1, c.index("i")?, c.index("j")?, c.index("k")?];
    let (one, ones) = (c.number(1.0)?, c.list(&ones)?);
    let ones = c.part("Expand", &[&one, &ones], Vec::new());
    c.end_with("Conv", &[&images, &ones], attributes)
}

/// Each gradient of a window is added to where its first largest number came from, of all images as one list.
pub(super) fn max_pool_grad(c: &mut Call<'_>) -> Result<()> {
    let (shape, counts) = (c.shape(0)?, c.shape(1)?);
    let axes = pooling(c, [shape[2], shape[3]], [counts[2] as i64, counts[3] as i64])?;
    let [x, _, g] = c.operands();
    let (cut, attributes) = windows(c, x, &axes)?;
    if cut != c.operands::<1>()[0] {
        return Err(malformed("windows that leave out a part of the images are not written"));
    }
    let places = c.second("MaxPool", &[&cut], attributes);
    let places = c.reshaped(&places, &[counts.elements()])?;
    let g = c.reshaped(&g, &[counts.elements()])?;
    let (zero, all) = (c.number(0.0)?, c.list(&[shape.elements() as i64])?);
    let zeros = c.part("Expand", &[&zero, &all], Vec::new());
    let add = vec![integer("axis", 0), text("reduction", "add")];
    let to_x = c.part("ScatterElements", &[&zeros, &places, &g], add);
    c.end_reshaped(&to_x)
}

/// The share of each number of a window in the gradient of its mean, added up where windows overlap.
pub(super) fn mean_pool_grad(c: &mut Call<'_>) -> Result<()> {
    let (windows, shape) = (c.shape(0)?, c.result_shape()?);
    let (n, p, q) = (windows[0] * windows[1], windows[2], windows[3]);
    let axes = pooling(c, [shape[2], shape[3]], [p as i64, q as i64])?;
    let inside = |axis: Axis, at: usize| {
        let start = at as i64 * axis.stride;
        (axis.extent as i64).min(start + axis.window) - start
    };
    let counts = (0..p * q).map(|at| inside(axes[0], at / q) * inside(axes[1], at % q));
    let counts = c.integers_of(&counts.collect::<Vec<_>>(), &[p, q])?;
    let (counts, [g]) = (c.like(&counts), c.operands());
    let shares = c.part("Div", &[&g, &counts], Vec::new());
    let shares = c.reshaped(&shares, &[n, 1, p, q])?;
    let [window, stride] = [axes[0].window, axes[0].stride];
    let (one, ones) = (c.number(1.0)?, c.list(&[1, 1, window, window])?);
    let ones = c.part("Expand", &[&one, &ones], Vec::new());
    let strides = vec![integers("strides", vec![stride; 2])];
    let sums = c.part("ConvTranspose", &[&shares, &ones], strides);
    let after = axes.map(|axis| (0, axis.extent as i64 - (axis.count - 1) * stride - window));
    let sums = padded(c, &sums, &[(0, 0), (0, 0), after[0], after[1]])?;
    c.end_reshaped(&sums)
}
