//! Images of other extents.

use crate::composed::composed;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, fits};
use ringwood_graph::graph::Value;

composed! {
    /// Tensors of other extents, of a region, scales or extents, which may be left out or empty. ONNX's `Resize`.
    Resize "resize" {
        mode: str, nearest_mode: str, coordinate_transformation_mode: str, antialias: bool, exclude_outside: bool,
        cubic_coeff_a: f32, axes: [i64], keep_aspect_ratio_policy: str, extrapolation_value: f32
    } = resize;
}

/// How numbers between those of an image are made.
struct Mode {
    name: &'static str,
    nearest: &'static str,
    transformation: &'static str,
    antialias: bool,
    exclude_outside: bool,
    /// The coefficient of cubic polynomials.
    a: f64,
}

/// A dimension of an image, and how large it becomes.
#[derive(Clone, Copy)]
struct Axis {
    extent: f64,
    count: usize,
    scale: f64,
    part: [f64; 2],
}

/// Which of two elements is the nearest one; the last one is `ceil` along dimensions that shrink, and `floor` along others.
const NEAREST: [&str; 5] =
    ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "ceil_to_shrink"];
/// How far from the middle of two elements a place counts as the middle, since scales are rounded: as in ONNX Runtime.
const TIE: f64 = 1e-6;
/// Where elements of the result are in the image.
const TRANSFORMATIONS: [&str; 7] = [
    "half_pixel",
    "align_corners",
    "asymmetric",
    "half_pixel_symmetric",
    "pytorch_half_pixel",
    "tf_crop_and_resize",
    "tf_half_pixel_for_nn",
];

impl Axis {
    /// Where number `i` of the result is in the image: computed in `f32`, as in ONNX Runtime and PyTorch, since the
    /// nearest element is another one where a place between two is rounded otherwise.
    fn place(&self, i: usize, transformation: &str) -> f64 {
        let [extent, scale] = [self.extent, self.scale].map(|number| number as f32);
        let [start, end] = self.part.map(|number| number as f32);
        let (i, count) = (i as f32, self.count as f32);
        let wide = (self.scale * self.extent) as f32;
        f64::from(match transformation {
            "align_corners" if wide == 1.0 => 0.0,
            "align_corners" => i * (extent - 1.0) / (wide - 1.0),
            "asymmetric" => i / scale,
            "tf_crop_and_resize" if wide == 1.0 => (start + end) * (extent - 1.0) / 2.0,
            "tf_crop_and_resize" => (start + i * (end - start) / (wide - 1.0)) * (extent - 1.0),
            "pytorch_half_pixel" if self.count == 1 => 0.0,
            "half_pixel_symmetric" => extent / 2.0 * (1.0 - count / wide) + (i + 0.5) / scale - 0.5,
            "tf_half_pixel_for_nn" => (i + 0.5) / scale,
            _ => (i + 0.5) / scale - 0.5,
        })
    }

    /// Whether the image stays as it is.
    fn is_identity(&self, mode: &Mode) -> bool {
        let whole = mode.transformation != "tf_crop_and_resize" || self.part == [0.0, 1.0];
        whole && self.scale == 1.0 && self.count as f64 == self.extent
    }
}

impl Mode {
    fn new(c: &Call<'_>) -> Result<Self> {
        Ok(Self {
            name: c.choice("mode", &["nearest", "linear", "cubic"])?,
            nearest: c.choice("nearest_mode", &NEAREST)?,
            transformation: c.choice("coordinate_transformation_mode", &TRANSFORMATIONS)?,
            antialias: c.flag("antialias", false)?,
            exclude_outside: c.flag("exclude_outside", false)?,
            a: c.or("cubic_coeff_a", -0.75_f32)?.into(),
        })
    }

    /// The weight of a number at a distance from the place that is asked for.
    fn weight(&self, distance: f64) -> f64 {
        let (x, a) = (distance.abs(), self.a);
        match self.name {
            "linear" => (1.0 - x).max(0.0),
            _ if x <= 1.0 => ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0,
            _ if x < 2.0 => ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a,
            _ => 0.0,
        }
    }

    /// Which numbers of the image make one at a place, and their weights.
    fn taps(&self, place: f64, axis: &Axis) -> Vec<(i32, f64)> {
        let last = axis.extent - 1.0;
        let index = |at: f64| at.clamp(0.0, last) as i32;
        let below = place.floor();
        if self.name == "nearest" {
            let fraction = place - below;
            let up = match self.nearest {
                "round_prefer_ceil" => fraction > 0.5 - TIE,
                "ceil_to_shrink" if axis.scale < 1.0 => fraction > 0.0,
                "floor" | "ceil_to_shrink" => false,
                "ceil" => fraction > 0.0,
                _ => fraction >= 0.5 + TIE,
            };
            return vec![(index(below + f64::from(u8::from(up))), 1.0)];
        }
        let scale = if self.antialias { axis.scale.min(1.0) } else { 1.0 };
        let support = if self.name == "linear" { 1.0 } else { 2.0 };
        let first = (-support / scale).floor() + 1.0;
        let below = if below == place { below - 1.0 } else { below };
        let count = (2.0 - 2.0 * first) as usize;
        let ats = (0..count).map(|i| below + first + i as f64);
        let weighted = ats.map(|at| {
            let outside = self.exclude_outside && !(0.0..=last).contains(&at);
            (index(at), if outside { 0.0 } else { self.weight((at - place) * scale) })
        });
        let mut taps: Vec<_> = weighted.collect();
        let sum: f64 = taps.iter().map(|(_, weight)| weight).sum();
        if (self.antialias || self.exclude_outside) && sum != 0.0 {
            taps.iter_mut().for_each(|(_, weight)| *weight /= sum);
        }
        taps
    }
}

/// The numbers of an operand, if there are any.
fn numbers(c: &mut Call<'_>, operand: usize) -> Result<Option<Vec<f64>>> {
    match c.maybe(operand) {
        Some(value) if c.type_of(value)?.shape.elements() > 0 => c.numbers(value).map(Some),
        _ => Ok(None),
    }
}

/// The dimensions that change, with what they become.
fn axes(c: &mut Call<'_>, x: Value) -> Result<Vec<(usize, Axis)>> {
    let shape = c.type_of(x)?.shape;
    let given = c.or("axes", (0..shape.len() as i64).collect::<Vec<_>>())?;
    let dimensions = given.iter().map(|axis| c.dimension(x, *axis)).collect::<Result<Vec<_>>>()?;
    let [roi, scales, sizes] = [numbers(c, 1)?, numbers(c, 2)?, numbers(c, 3)?];
    let wrong = |what: &str| {
        Error::invalid(format!("{what} of {} dimensions of {shape}", dimensions.len()))
    };
    let extents = dimensions.iter().map(|d| shape[*d] as f64);
    let (scales, counts): (Vec<f64>, Vec<f64>) = match (scales, sizes) {
        (_, Some(sizes)) if sizes.len() == dimensions.len() => {
            // What is empty stays so.
            let scale = |(size, n): (&f64, f64)| if n == 0.0 { 1.0 } else { size / n };
            let scales: Vec<_> = sizes.iter().zip(extents).map(scale).collect();
            let words = ["stretch", "not_larger", "not_smaller"];
            let policy = match c.choice("keep_aspect_ratio_policy", &words)? {
                "not_larger" => scales.iter().copied().reduce(f64::min),
                "not_smaller" => scales.iter().copied().reduce(f64::max),
                _ => None,
            };
            let extents = dimensions.iter().map(|d| shape[*d] as f64);
            match policy {
                Some(scale) => extents.map(|n| (scale, (scale * n + 0.5).floor())).unzip(),
                None => (scales, sizes),
            }
        }
        (Some(scales), None) if scales.len() == dimensions.len() => {
            // Scales are `f32`: their products with extents are rounded as those of ONNX Runtime are.
            let count = |(scale, n): (&f64, f64)| f64::from((*scale as f32 * n as f32).floor());
            let counts = scales.iter().zip(extents).map(count).collect();
            (scales, counts)
        }
        _ => return Err(wrong("there are neither scales nor sizes")),
    };
    if dimensions.iter().zip(&counts).any(|(d, count)| shape[*d] == 0 && *count > 0.0) {
        return Err(Error::shape(format!("{counts:?} places of {shape}, which has no elements")));
    }
    let count = dimensions.len();
    if roi.as_ref().is_some_and(|roi| roi.len() != 2 * count) {
        return Err(wrong("the region has no start and end"));
    }
    if scales.iter().chain(&counts).any(|number| !number.is_finite() || *number < 0.0) {
        return Err(Error::invalid(format!("an image is not resized by {scales:?} to {counts:?}")));
    }
    let antialias = c.flag("antialias", false)?;
    let axis = |i: usize| {
        let part = roi.as_ref().map_or([0.0, 1.0], |roi| [roi[i], roi[i + count]]);
        let (d, count, scale) = (dimensions[i], counts[i].max(0.0) as usize, scales[i]);
        // Each place of the result is a sum of so many elements, at most.
        let taps = if antialias { 4.0 / scale.min(1.0) } else { 4.0 };
        fits(count, taps as usize)?;
        Ok((d, Axis { extent: shape[d] as f64, count, scale, part }))
    };
    (0..count).map(axis).collect()
}

fn resize(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let mode = Mode::new(c)?;
    let dtype = c.type_of(x)?.dtype;
    let mut y = x;
    for (d, axis) in axes(c, x)?.iter().filter(|(_, axis)| !axis.is_identity(&mode)) {
        y = along(c, y, *d, axis, &mode)?;
    }
    Ok(vec![c.cast(y, dtype)?])
}

/// A value with a dimension resized, in floating point unless slices are only repeated.
fn along(c: &mut Call<'_>, x: Value, d: usize, axis: &Axis, mode: &Mode) -> Result<Value> {
    let places: Vec<_> = (0..axis.count).map(|i| axis.place(i, mode.transformation)).collect();
    let taps: Vec<_> = places.iter().map(|place| mode.taps(*place, axis)).collect();
    let shape = c.type_of(x)?.shape;
    let times = axis.count / shape[d].max(1);
    let repeated = |(i, taps): (usize, &Vec<(i32, f64)>)| taps[0].0 as usize == i / times;
    let crop = mode.transformation == "tf_crop_and_resize";
    if mode.name == "nearest"
        && !crop
        && times * shape[d] == axis.count
        && times > 0
        && taps.iter().enumerate().all(repeated)
    {
        return c.repeated(x, d, times);
    }
    let dtype = match c.type_of(x)?.dtype {
        DType::F64 | DType::I32 | DType::I64 | DType::U32 | DType::U64 => DType::F64,
        _ => DType::F32,
    };
    let outside = |place: &f64| crop && !(0.0..=axis.extent - 1.0).contains(place);
    let inside = |i: usize| f64::from(u8::from(!outside(&places[i])));
    let width = taps.first().map_or(1, Vec::len);
    let indices: Vec<_> = taps.iter().flatten().map(|tap| tap.0).collect();
    let weighted = |(i, taps): (usize, &Vec<(i32, f64)>)| -> Vec<_> {
        taps.iter().map(|tap| tap.1 * inside(i)).collect()
    };
    let weights: Vec<_> = taps.iter().enumerate().flat_map(weighted).collect();
    let indices = c.graph.constant(&[axis.count, width], &indices)?;
    let (x, weights) = (c.cast(x, dtype)?, c.constant(dtype, &[axis.count, width], &weights)?);
    let y = c.apply_with("interpolate", &[x, indices, weights], [("axis", d)])?;
    let value = f64::from(c.or("extrapolation_value", 0.0_f32)?);
    if value == 0.0 || !places.iter().any(outside) {
        return Ok(y);
    }
    let mut shape = vec![1; c.rank(y)? - d];
    shape[0] = axis.count;
    let more: Vec<_> = (0..axis.count).map(|i| value * (1.0 - inside(i))).collect();
    let more = c.constant(dtype, &shape, &more)?;
    c.apply("add", &[y, more])
}
