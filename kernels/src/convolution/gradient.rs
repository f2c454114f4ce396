//! Gradients of convolutions, which are convolutions themselves: products by the same rule, in a fixed order.

use super::convolve::{NAMES, attributes};
use ringwood_base::{Error, Result};
use ringwood_graph::graph::{GradientContext, Value};

/// Strides, paddings, dilations and spreads of three dimensions.
type Axes = [[i64; 3]; 4];

/// The gradients of `convolution` with respect to its images and filters.
///
/// With `x` for an image, `w` for a filter and `z = p stride + i dilation - padding`, a result is
/// `y[p] = Σ x[z / spread] w[i]`. Any two of `x`, `w` and `y` are convolved to the third.
pub(super) fn gradient(c: &mut GradientContext<'_>) -> Result<()> {
    let (x, weights, g) = (c.operand(0), c.operand(1), c.gradient()?);
    let (image, filter) = (c.type_of(x)?.shape, c.type_of(weights)?.shape);
    let [stride, padding, dilation, spread] = axes(c)?;
    let back = [padding, dilation].map(|numbers| numbers.map(|n| -n));
    if c.wants(0) {
        let turned = c.permute(weights, &[0, 2, 1, 3, 4, 5])?;
        let windows = attributes(extents(&image[2..]), [spread, back[0], back[1], stride]);
        let to_x = c.apply_with("convolution", &[g, turned], windows)?;
        c.add(0, to_x)?;
    }
    if c.wants(1) {
        // Windows of one number have any dilation.
        let goes = |d: usize, way: i64| filter[d + 3] == 1 || dilation[d] * way > 0;
        let along = |way: i64| std::array::from_fn(|d| (dilation[d] * way).max(1));
        let ways = [1, -1].map(|way| (0..3).all(|d| goes(d, way)));
        let groups = filter[0];
        let to_weights = match ways {
            [true, _] => {
                let axes = [along(1), padding, stride, spread];
                correlated(c, [x, g], groups, &filter[3..], axes, [1, 2, 0])?
            }
            [_, true] => {
                let axes = [along(-1), back[0], spread, stride];
                correlated(c, [g, x], groups, &filter[3..], axes, [1, 0, 2])?
            }
            _ => {
                let message = "windows that go forward along one dimension and back along another";
                return Err(Error::unsupported(message));
            }
        };
        c.add(1, to_weights)?;
    }
    Ok(())
}

fn axes(c: &GradientContext<'_>) -> Result<Axes> {
    let mut axes = [[0; 3]; 4];
    for (numbers, names) in axes.iter_mut().zip(NAMES) {
        for (number, name) in numbers.iter_mut().zip(names) {
            *number = c.value(name)?;
        }
    }
    Ok(axes)
}

/// Each channel of the first of two tensors of groups of channels, convolved with each channel of the second,
/// which counts as its filter; batches are summed over. Of the result `[channels, groups, channels, …]`, the
/// first dimensions are put in an `order`.
fn correlated(
    c: &mut GradientContext<'_>,
    [image, filters]: [Value; 2],
    groups: usize,
    window: &[usize],
    axes: Axes,
    order: [usize; 3],
) -> Result<Value> {
    let [shape, filter] = [c.type_of(image)?.shape, c.type_of(filters)?.shape];
    let (batch, channels) = ([shape[0] / groups, groups], [shape[1], groups, filter[1]]);
    let image = c.reshape(image, &[&batch[..], &shape[1..]].concat())?;
    let image = c.permute(image, &[2, 1, 0, 3, 4, 5])?;
    let images = [shape[1] * groups, batch[0]];
    let image = c.reshape(image, &[&images[..], &shape[2..]].concat())?;
    let filters = c.reshape(filters, &[&batch[..], &filter[1..]].concat())?;
    let filters = c.permute(filters, &[1, 2, 0, 3, 4, 5])?;
    let all = c.apply_with("convolution", &[image, filters], attributes(extents(window), axes))?;
    let all = c.reshape(all, &[&channels[..], window].concat())?;
    c.permute(all, &[order[0], order[1], order[2], 3, 4, 5])
}

fn extents(of: &[usize]) -> [usize; 3] {
    [of[0], of[1], of[2]]
}
