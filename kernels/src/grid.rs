//! Images at grids of places that are computed.

use crate::composed::composed;
use crate::pool::Windows;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, fits, v};
use ringwood_graph::graph::{Attribute, Value};

composed! {
    /// A grid of coordinates from −1 to 1 that is transformed: matrices, extents of images. PyTorch's `affine_grid`.
    AffineGrid "affine_grid" { align_corners: bool } = affine_grid;
    /// A convolution whose windows read the image at places that the third operand moves. ONNX's `DeformConv`.
    DeformConvolve "deform_convolve" {
        strides: [i64], pads: [i64], dilations: [i64], group: i64, offset_group: i64, kernel_shape: [i64]
    } = deform_conv;
    /// Images at places of coordinates from −1 to 1. PyTorch's `grid_sample`.
    GridSample "grid_sample" { mode: str, padding_mode: str, align_corners: bool } = grid_sample;
}

/// The places of a grid of coordinates from −1 to 1 that is transformed.
fn affine_grid(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (theta, size) = (c.operand(0)?, c.operand(1)?);
    let size: Vec<_> = c.graph.integers(size)?.iter().map(|&n| n.max(0) as usize).collect();
    let [n, _, extents @ ..] = &size[..] else {
        return Err(Error::shape(format!("a batch of grids has no extents {size:?}")));
    };
    let corners = c.flag("align_corners", false)?;
    let coordinate = |i: usize, extent: usize| match corners {
        true if extent == 1 => -1.0,
        true => 2.0 * i as f64 / (extent as f64 - 1.0) - 1.0,
        false => (2.0 * i as f64 + 1.0) / extent as f64 - 1.0,
    };
    let places = extents.iter().fold(1, |places: usize, &extent| places.saturating_mul(extent));
    fits(places, extents.len() + 1)?;
    let mut grid = Vec::with_capacity((extents.len() + 1) * places);
    for d in (0..extents.len()).rev() {
        let pitch: usize = extents[d + 1..].iter().product();
        grid.extend((0..places).map(|at| coordinate(at / pitch % extents[d], extents[d])));
    }
    grid.resize(grid.len() + places, 1.0);
    let dtype = c.type_of(theta)?.dtype;
    let grid = c.constant(dtype, &[extents.len() + 1, places], &grid)?;
    let moved = c.apply("batched_matmul", &[theta, grid])?;
    let moved = c.permute(moved, &[0, 2, 1])?;
    let shape: Vec<_> =
        [*n].into_iter().chain(extents.iter().copied()).chain([extents.len()]).collect();
    Ok(vec![c.reshape(moved, &shape)?])
}

/// `x` of rank 5 at places given by values `[n, o, 1]` for layers (or none), rows and columns.
fn sampled(
    c: &mut Call<'_>,
    x: Value,
    places: &[Value],
    [layers, taps]: [usize; 2],
    padding: u32,
    edge: f32,
) -> Result<Value> {
    let mut all = places.to_vec();
    if let [row, _] = places {
        let zero = c.like(*row, 0.0)?;
        let shape = c.type_of(*row)?.shape;
        all.insert(0, c.broadcast(zero, &shape)?);
    }
    let places = c.concat(&all, 2)?;
    let how: [(_, Attribute); 4] = [
        ("layers", layers.into()),
        ("taps", taps.into()),
        ("padding", padding.into()),
        ("edge", edge.into()),
    ];
    c.apply_with("sample", &[x, places], how)
}

fn grid_sample(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, grid) = (c.operand(0)?, c.operand(1)?);
    let dtype = c.type_of(x)?.dtype;
    if dtype == DType::F64 {
        return Err(Error::unsupported("images of f64 are not sampled: kernels compute in f32"));
    }
    let (x, grid) = (c.cast(x, DType::F32)?, c.cast(grid, DType::F32)?);
    let (image, shape) = (c.type_of(x)?.shape, c.type_of(grid)?.shape);
    let rank = image.len().saturating_sub(2);
    if !(2..=3).contains(&rank) || shape.len() != rank + 2 || shape[rank + 1] != rank {
        return Err(Error::shape(format!(
            "images {image} and grid {shape}: places have 2 or 3 coordinates"
        )));
    }
    let corners = c.flag("align_corners", false)?;
    let taps = match c.choice("mode", &["linear", "bilinear", "nearest", "cubic", "bicubic"])? {
        "nearest" => 1,
        "cubic" | "bicubic" => 4,
        _ => 2,
    };
    let padding = match c.choice("padding_mode", &["zeros", "border", "reflection"])? {
        "border" => 1,
        "reflection" => 2,
        _ => 0_u32,
    };
    let points: usize = shape[1..=rank].iter().product();
    let grid = c.reshape(grid, &[shape[0], points, rank])?;
    let mut places = Vec::new();
    for d in 0..rank {
        let at = c.slice(grid, 2, rank - 1 - d..rank - d, 1)?;
        let extent = image[d + 2] as f32;
        places.push(c.eval(match corners {
            true => (v(at) + 1.0) * (extent - 1.0) * 0.5,
            false => ((v(at) + 1.0) * extent - 1.0) * 0.5,
        })?);
    }
    let mut volumes = image.to_vec();
    volumes.splice(2..2, vec![1; 3 - rank]);
    let x = c.reshape(x, &volumes)?;
    let layers = if rank == 3 { taps } else { 1 };
    let edge = if corners { 0.0 } else { 0.5 };
    let y = sampled(c, x, &places, [layers, taps], padding, edge)?;
    let result: Vec<_> = image[..2].iter().chain(&shape[1..=rank]).copied().collect();
    let y = c.reshape(y, &result)?;
    Ok(vec![c.cast(y, dtype)?])
}

/// A convolution whose windows read the image at places that the operand in place 2 moves.
fn deform_conv(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (x, weights, offset) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let (image, filter) = (c.type_of(x)?.shape, c.type_of(weights)?.shape);
    let (&[n, channels, h, w], &[m, e, kh, kw]) = (&image[..], &filter[..]) else {
        return Err(Error::shape(format!(
            "images {image} and filters {filter} have not four dimensions"
        )));
    };
    let windows = Windows::new(c, &image, vec![kh as i64, kw as i64])?;
    let counts = [windows.counts[0] as usize, windows.counts[1] as usize];
    fits(kh.saturating_mul(kw), counts[0].saturating_mul(counts[1]))?;
    let (size, places) = (kh * kw, counts[0] * counts[1]);
    let group = c.or("group", 1_i64)?.max(1) as usize;
    let by_offset = c.or("offset_group", 1_i64)?.max(1) as usize;
    let parts = n * by_offset;
    let offset = c.reshape(offset, &[parts, size, 2, places])?;
    let mut moved = Vec::new();
    for d in 0..2 {
        let at = |i: usize| {
            let (k, o) = (i / places, i % places);
            let (k, o) = if d == 0 { (k / kw, o / counts[1]) } else { (k % kw, o % counts[1]) };
            let start = o as i64 * windows.strides[d] - windows.pads[d];
            (start + k as i64 * windows.dilations[d]) as f32
        };
        let fixed: Vec<_> = (0..size * places).map(at).collect();
        let fixed = c.graph.constant(&[size, 1, places], &fixed)?;
        let offset = c.slice(offset, 2, d..d + 1, 1)?;
        let place = c.apply("add", &[offset, fixed])?;
        moved.push(c.reshape(place, &[parts, size * places, 1])?);
    }
    let x = c.reshape(x, &[parts, channels / by_offset, 1, h, w])?;
    let mut columns = sampled(c, x, &moved, [1, 2], 0, 0.5)?;
    if let Some(mask) = c.maybe(4) {
        let mask = c.reshape(mask, &[parts, 1, size * places])?;
        columns = c.apply("mul", &[columns, mask])?;
    }
    let columns = c.reshape(columns, &[n, group, e * size, places])?;
    let weights = c.reshape(weights, &[group, m / group, e * size])?;
    let y = c.apply("batched_matmul", &[weights, columns])?;
    let y = c.reshape(y, &[n, m, counts[0], counts[1]])?;
    let Some(bias) = c.maybe(3) else { return Ok(vec![y]) };
    let bias = c.reshape(bias, &[m, 1, 1])?;
    Ok(vec![c.apply("add", &[y, bias])?])
}
