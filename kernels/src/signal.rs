//! Signals: windows, spectra and filters, of numbers that are known before a run.

use crate::composed::composed;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, MOST, fits, v};
use ringwood_graph::graph::Value;
use std::f64::consts::TAU;

composed! {
    /// Blackman's window of as many numbers as the operand says.
    BlackmanWindow "blackman_window" { periodic: bool, output_datatype: dtype } = |c| window(c, [0.42, -0.5, 0.08]);
    /// Hamming's window of as many numbers as the operand says.
    HammingWindow "hamming_window" { periodic: bool, output_datatype: dtype } =
        |c| window(c, [25.0 / 46.0, -21.0 / 46.0, 0.0]);
    /// Hann's window of as many numbers as the operand says.
    HannWindow "hann_window" { periodic: bool, output_datatype: dtype } = |c| window(c, [0.5, -0.5, 0.0]);
    /// Weights that make bands of the scale of hearing of a spectrum. ONNX's `MelWeightMatrix`.
    MelWeights "mel_weights" { output_datatype: dtype } = mel_weights;
    /// The Fourier transform along an axis; the number of elements and the axis may follow. ONNX's `DFT`.
    Spectrum "spectrum" { axis: i64, inverse: bool, onesided: bool } = spectrum;
    /// The Fourier transforms of frames a step apart; a window and the length of a frame may follow. ONNX's `STFT`.
    Spectrogram "spectrogram" { onesided: bool } = short_time_transform;
}

/// The spectrum along an axis, which an operand or an attribute says.
fn spectrum(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let axis = match c.maybe(2) {
        Some(axis) => integer(c, axis)?,
        None => c.or("axis", -2_i64)?,
    };
    let d = c.dimension(x, axis)?;
    let given = c.type_of(x)?.shape[d] as i64;
    let (inverse, one_sided) = (c.flag("inverse", false)?, c.flag("onesided", false)?);
    let length = match c.maybe(1) {
        Some(length) => integer(c, length)?,
        None if inverse && one_sided => 2 * (given - 1),
        None => given,
    };
    Ok(vec![transform(c, x, d, count(length)?, (inverse, one_sided))?])
}

/// An integer that is needed before a run.
fn integer(c: &mut Call<'_>, value: Value) -> Result<i64> {
    match c.graph.integers(value)?[..] {
        [number] => Ok(number),
        ref several => Err(Error::shape(format!("one number is needed, not {}", several.len()))),
    }
}

/// The first operands, each a number that is needed before a run.
pub(crate) fn numbers<const N: usize>(c: &mut Call<'_>) -> Result<[f64; N]> {
    let mut given = [0.0; N];
    for (i, number) in given.iter_mut().enumerate() {
        let operand = c.operand(i)?;
        *number = only(i, &c.numbers(operand)?)?;
    }
    Ok(given)
}

/// The only element of operand `i`.
pub(crate) fn only<T: Copy>(i: usize, elements: &[T]) -> Result<T> {
    match elements {
        [one] => Ok(*one),
        _ => Err(Error::shape(format!("operand {} is not one number", i + 1))),
    }
}

/// A number of elements, of which there is at least one.
fn count(number: i64) -> Result<usize> {
    let fits = |count: &usize| (1..=MOST).contains(count);
    let wrong = || Error::invalid(format!("{number} is no number of elements from 1 to {MOST}"));
    usize::try_from(number).ok().filter(fits).ok_or_else(wrong)
}

/// A sum of cosines of 0, 1 and 2 periods.
fn window(c: &mut Call<'_>, weights: [f64; 3]) -> Result<Vec<Value>> {
    let size = c.operand(0)?;
    let size = count(integer(c, size)?)?;
    let period = if c.flag("periodic", true)? { size } else { size - 1 } as f64;
    let wave = |i: usize, k: usize| (TAU * (k * i) as f64 / period).cos();
    let value = |i: usize| match period {
        // One number alone is the middle of its window.
        0.0 => 1.0,
        _ => (0..3).map(|k| weights[k] * wave(i, k)).sum(),
    };
    let values: Vec<f64> = (0..size).map(value).collect();
    let dtype = c.or("output_datatype", DType::F32)?;
    Ok(vec![c.constant(dtype, &[size], &values)?])
}

/// Triangles of frequencies, evenly spread on the scale of hearing.
fn mel_weights(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let [bands, length, rate, low, high] = numbers(c)?;
    let (bands, rows) = (count(bands as i64)?, count(length as i64)? / 2 + 1);
    let mel = |hertz: f64| 2595.0 * (1.0 + hertz / 700.0).log10();
    let step = (mel(high) - mel(low)) / (bands + 2) as f64;
    let place = |i: usize| {
        let hertz = 700.0 * (10_f64.powf((mel(low) + i as f64 * step) / 2595.0) - 1.0);
        ((length + 1.0) * hertz / rate).floor()
    };
    fits(rows, bands)?;
    let mut weights = vec![0.0_f64; rows * bands];
    for (at, weight) in weights.iter_mut().enumerate() {
        let (row, i) = ((at / bands) as f64, at % bands);
        let [left, centre, right] = [place(i), place(i + 1), place(i + 2)];
        *weight = if row == centre {
            1.0
        } else if (left..centre).contains(&row) {
            (row - left) / (centre - left)
        } else if (centre..right).contains(&row) {
            (right - row) / (right - centre)
        } else {
            0.0
        };
    }
    let dtype = c.or("output_datatype", DType::F32)?;
    Ok(vec![c.constant(dtype, &[rows, bands], &weights)?])
}

/// The transform of `length` numbers along a dimension, real or complex ones, as a product with a matrix.
fn transform(
    c: &mut Call<'_>,
    x: Value,
    axis: usize,
    length: usize,
    (inverse, one_sided): (bool, bool),
) -> Result<Value> {
    let ty = c.type_of(x)?;
    let rank = ty.shape.len();
    if axis + 1 >= rank {
        return Err(Error::shape(format!("the last dimension of {ty} has the parts of numbers")));
    }
    let parts = ty.shape[rank - 1];
    let to_real = inverse && one_sided;
    let half = length / 2 + 1;
    let used = ty.shape[axis].min(if to_real { half } else { length });
    let results = if one_sided && !inverse { half } else { length };
    let kinds = if to_real { 1 } else { 2 };
    let (sign, scale) = if inverse { (1.0, 1.0 / length as f64) } else { (-1.0, 1.0) };
    if !(1..=2).contains(&parts) {
        return Err(Error::shape(format!("numbers of {parts} parts are neither real nor complex")));
    }
    fits(used * parts, results * kinds)?;
    let mut matrix = Vec::with_capacity(used * parts * results * kinds);
    for (n, part) in (0..used * parts).map(|row| (row / parts, row % parts)) {
        for (k, kind) in (0..results * kinds).map(|column| (column / kinds, column % kinds)) {
            let (sin, cos) = (sign * TAU * (n * k % length) as f64 / length as f64).sin_cos();
            // Of the half that is left out, each number is the conjugate of one that is not.
            let twice = to_real && n > 0 && 2 * n != length;
            let scale = if twice { 2.0 * scale } else { scale };
            matrix.push(scale * [[cos, sin], [-sin, cos]][part][kind]);
        }
    }
    let matrix = c.constant(ty.dtype, &[used * parts, results * kinds], &matrix)?;
    let x = c.slice(x, axis, 0..used, 1)?;
    c.turned(x, &[axis, rank - 1], |c, x| {
        let mut shape = c.type_of(x)?.shape.to_vec();
        let rows = c.reshape(x, &[shape[..rank - 2].iter().product(), used * parts])?;
        let y = c.apply("batched_matmul", &[rows, matrix])?;
        (shape[rank - 2], shape[rank - 1]) = (results, kinds);
        c.reshape(y, &shape)
    })
}

/// The transforms of frames, a step apart.
fn short_time_transform(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (mut x, step) = (c.operand(0)?, c.operand(1)?);
    // Exporters leave out the dimension of the parts of real numbers.
    if c.rank(x)? == 2 {
        x = c.unsqueeze(x, 2)?;
    }
    let step = count(integer(c, step)?)?;
    let [batch, total, parts] = c.extents(x)?;
    let length = match (c.maybe(3), c.maybe(2)) {
        (Some(length), _) => count(integer(c, length)?)?,
        (None, Some(window)) => count(c.type_of(window)?.shape.elements() as i64)?,
        (None, None) => count(total as i64)?,
    };
    let frames = total.checked_sub(length).map_or(0, |rest| 1 + rest / step);
    fits(frames, length)?;
    let place = |i: usize| (i / length * step + i % length) as i32;
    let places: Vec<_> = (0..frames * length).map(place).collect();
    let places = c.graph.constant(&[frames, length], &places)?;
    let x = c.permute(x, &[1, 0, 2])?;
    let rows = c.reshape(x, &[total, batch * parts])?;
    let x = c.apply("gather", &[rows, places])?;
    let x = c.reshape(x, &[frames, length, batch, parts])?;
    let mut x = c.permute(x, &[2, 0, 1, 3])?;
    if let Some(window) = c.maybe(2) {
        let window = c.reshape(window, &[length, 1])?;
        x = c.eval(v(x) * window)?;
    }
    let one_sided = c.flag("onesided", true)?;
    Ok(vec![transform(c, x, 2, length, (false, one_sided))?])
}
