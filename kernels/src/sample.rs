//! Numbers of images between their places.

use ringwood_device::{device_fn, kernel};
use ringwood_graph::register_operator;

/// `x` reflected at `low` and `high` until it is between them.
#[device_fn]
fn reflected(x: f32, low: f32, high: f32) -> f32 {
    let range = high - low;
    let far = if x < low { low - x } else { x - high };
    let times = (far / range).trunc();
    let rest = far - times * range;
    let from_low = (x < low) == (times % 2.0 == 0.0);
    let outside = x < low || x > high;
    let moved = if from_low { low + rest } else { high - rest };
    if outside && range > 0.0 { moved } else { x }
}

/// A place along a dimension of so many numbers, for a padding of zeros, of the number at the edge, or of the
/// image reflected; `edge` is how far the image reaches beyond its first and last number.
#[device_fn]
fn placed(x: f32, extent: f32, padding: u32, edge: f32) -> f32 {
    let last = extent - 1.0;
    if padding == 0 {
        x
    } else if padding == 1 {
        x.max(0.0).min(last)
    } else {
        reflected(x, 0.0 - edge, last + edge)
    }
}

/// The number at a place that is whole, or −1 for zero.
#[device_fn]
fn number(at: f32, extent: f32, padding: u32, edge: f32) -> i64 {
    let place = placed(at, extent, padding, edge);
    let inside = place >= 0.0 && place <= extent - 1.0;
    let near = place.max(0.0).min(extent - 1.0) as i64;
    if inside || padding != 0 { near } else { -1 }
}

/// The weight of a number at a distance, if so many count: 1, 2 (linear) or 4 (cubic).
#[device_fn]
fn weight(distance: f32, taps: usize) -> f32 {
    let x = distance.abs();
    let near = (1.25 * x - 2.25) * x * x + 1.0;
    let far = ((-0.75 * x + 3.75) * x - 6.0) * x + 3.0;
    if taps == 1 {
        1.0
    } else if taps == 2 {
        1.0 - x
    } else if x <= 1.0 {
        near
    } else {
        far
    }
}

/// The image at `o` places, each a layer, a row and a column that need not be whole: from `taps` numbers along
/// rows and columns, from `layers` along the layers.
#[kernel(device = [cpu, opencl, cuda], domain = (y.len() / o, o))]
pub fn sample(
    x: &[f32],
    places: &[f32],
    y: &mut [f32],
    c: usize,
    d: usize,
    h: usize,
    w: usize,
    o: usize,
    layers: usize,
    taps: usize,
    padding: u32,
    edge: f32,
) {
    let point = (gid(1) / c * o + gid(0)) * 3;
    let (deep, high, wide) = (d as f32, h as f32, w as f32);
    let mut z = places[point];
    let mut v = places[point + 1];
    let mut u = places[point + 2];
    if taps == 1 {
        z = z.round_ties_even();
        v = v.round_ties_even();
        u = u.round_ties_even();
    }
    // Cubic weights are those of the place that was asked for: each number is kept inside of the image alone.
    if taps < 4 || padding != 1 {
        z = placed(z, deep, padding, edge);
        v = placed(v, high, padding, edge);
        u = placed(u, wide, padding, edge);
    }
    let back = ((taps - 1) / 2) as f32;
    let first_z = z.floor() - ((layers - 1) / 2) as f32;
    let first_v = v.floor() - back;
    let first_u = u.floor() - back;
    let mut total = 0.0;
    for layer in 0..layers {
        let at_z = first_z + layer as f32;
        let from_z: i64 = number(at_z, deep, padding, edge);
        let weight_z = weight(at_z - z, layers);
        for row in 0..taps {
            let at_v = first_v + row as f32;
            let from_v: i64 = number(at_v, high, padding, edge);
            let weight_v = weight_z * weight(at_v - v, taps);
            for column in 0..taps {
                let at_u = first_u + column as f32;
                let from_u: i64 = number(at_u, wide, padding, edge);
                let inside = from_z >= 0 && from_v >= 0 && from_u >= 0;
                let row_of_x = (gid(1) * d + from_z as usize) * h + from_v as usize;
                let at = row_of_x * w + from_u as usize;
                let value = if inside { x[at] } else { 0.0 };
                total += weight_v * weight(at_u - u, taps) * value;
            }
        }
    }
    y[gid(1) * o + gid(0)] = total;
}

register_operator! {
    /// Images at `o` places each, a layer, a row and a column that need not be whole: from `taps` numbers along rows
    /// and columns and `layers` along layers, of which 1 is the nearest, 2 are linear and 4 cubic. `padding` is 0 for
    /// zeros, 1 for the numbers at the edges, 2 for the image reflected `edge` beyond its first and last numbers.
    pub Sample = sample;
    shape: "n c d h w, n o 3 -> n c o",
    dtype: "f32, f32 -> f32",
    attributes: { layers: usize, taps: usize, padding: u32, edge: f32 },
}

/// For each region of an image, `p` by `q` means or, with `largest`, largest numbers of parts of it, from
/// `ratio` by `ratio` places of each, or as many as the part has numbers if that is 0.
#[kernel(device = [cpu, opencl, cuda], domain = (y.len() / (p * q), p, q))]
pub fn roi_align(
    x: &[f32],
    regions: &[f32],
    batch: &[i32],
    y: &mut [f32],
    c: usize,
    h: usize,
    w: usize,
    p: usize,
    q: usize,
    ratio: usize,
    scale: f32,
    shift: f32,
    least: f32,
    largest: bool,
) {
    let region = gid(2) / c;
    let image = batch[region] as usize * c + gid(2) % c;
    let left = regions[region * 4] * scale - shift;
    let top = regions[region * 4 + 1] * scale - shift;
    let width = (regions[region * 4 + 2] * scale - shift - left).max(least) / q as f32;
    let height = (regions[region * 4 + 3] * scale - shift - top).max(least) / p as f32;
    let rows = if ratio > 0 { ratio as f32 } else { height.ceil().max(0.0) };
    let columns = if ratio > 0 { ratio as f32 } else { width.ceil().max(0.0) };
    let (upper, first_u) = (top + gid(1) as f32 * height, left + gid(0) as f32 * width);
    // Of a region that reaches far beyond the image, places there are 0. Places are at least half a number apart.
    let above = ((-2.0 - upper) * rows / height).floor().max(0.0);
    let before = ((-2.0 - first_u) * columns / width).floor().max(0.0);
    let above = if ratio > 0 { 0.0 } else { above };
    let before = if ratio > 0 { 0.0 } else { before };
    let most_down = if ratio > 0 { ratio } else { 2 * h + 8 };
    let most_across = if ratio > 0 { ratio } else { 2 * w + 8 };
    let down = ((rows - above).max(0.0) as usize).min(most_down);
    let across = ((columns - before).max(0.0) as usize).min(most_across);
    let mut total: f32 = 0.0;
    let mut first = rows * columns <= (down * across) as f32;
    for i in 0..down {
        for j in 0..across {
            let v = upper + (above + i as f32 + 0.5) * height / rows;
            let u = first_u + (before + j as f32 + 0.5) * width / columns;
            let inside = v >= -1.0 && v <= h as f32 && u >= -1.0 && u <= w as f32;
            let v = v.max(0.0).min((h - 1) as f32);
            let u = u.max(0.0).min((w - 1) as f32);
            let row = v as usize;
            let column = u as usize;
            let below = (row + 1).min(h - 1);
            let right = (column + 1).min(w - 1);
            let (dv, du) = (v - row as f32, u - column as f32);
            let a = (1.0 - dv) * (1.0 - du) * x[(image * h + row) * w + column];
            let b = (1.0 - dv) * du * x[(image * h + row) * w + right];
            let e = dv * (1.0 - du) * x[(image * h + below) * w + column];
            let f = dv * du * x[(image * h + below) * w + right];
            let most = a.max(b).max(e.max(f));
            let value = if largest { most } else { a + b + e + f };
            let value = if inside { value } else { 0.0 };
            let chosen = if first { value } else { total.max(value) };
            total = if largest { chosen } else { total + value };
            first = false;
        }
    }
    let count = (rows * columns).max(1.0);
    y[(gid(2) * p + gid(1)) * q + gid(0)] = if largest { total } else { total / count };
}

register_operator! {
    /// Regions of images, left, top, right and bottom times `scale` less `shift`, at least `least` wide and high,
    /// in `p` by `q` parts: the means of `ratio` by `ratio` places of each, or the largest weighted numbers there.
    pub RoiAlign = roi_align;
    shape: "n c h w, r 4, r -> r c p q",
    dtype: "f32, f32, i32 -> f32",
    attributes: {
        p: usize, q: usize, ratio: usize, scale: f32, shift: f32, least: f32, largest: bool,
    },
}
