//! Branches and loops: what decides them is known before a run, so that nodes are added for each step.

use super::Build;
use super::opset;
use crate::onnx::body::FUNCTIONS;
use crate::onnx::function::Functions;
use crate::onnx::part::Part;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, dimension, unrolled};
use ringwood_graph::graph::{Attribute, TensorType, Value};
use std::ops::Range;
use std::sync::Arc;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("If", |c| {
        let condition = c.operand(0)?;
        let (other, then) = (part(c, "else_branch")?, part(c, "then_branch")?);
        let own = c.or("own", 1_usize)?;
        let middle = own + other.inputs();
        match truth(c, condition)? {
            true => then.add(c.graph, &operands(c, middle..middle + then.inputs()), None),
            false => other.add(c.graph, &operands(c, own..middle), None),
        }
    }),
    ("Loop", super::loops::repeated),
    ("Scan", scan),
];

/// The graph of an attribute.
pub(super) fn part(c: &mut Call<'_>, name: &str) -> Result<Part> {
    let functions = match c.attributes().find(FUNCTIONS).cloned() {
        Some(Attribute::Tensor(_, bytes)) => Functions::of(&bytes, c.graph)?,
        _ => Arc::default(),
    };
    let absent = || Error::invalid(format!("there is no graph `{name}`"));
    let (_, bytes) = c.tensor(name).ok_or_else(absent)?;
    Part::of(bytes, functions, c.text("node", "")?)
}

/// The operands in some places.
pub(super) fn operands(c: &Call<'_>, places: Range<usize>) -> Vec<Option<Value>> {
    places.map(|place| c.maybe(place)).collect()
}

/// A truth value that is needed before a run.
pub(super) fn truth(c: &mut Call<'_>, value: Value) -> Result<bool> {
    let ty = c.type_of(value)?;
    match c.graph.require(value)? {
        [byte] if ty.dtype == DType::Bool => Ok(*byte != 0),
        _ => Err(Error::dtype(format!("a condition is one truth value, not {ty}"))),
    }
}

/// The results of all steps, one after the other along a new dimension; `ty` is the type of each.
pub(super) fn stacked(
    c: &mut Call<'_>,
    values: &[Value],
    ty: TensorType,
    axis: i64,
) -> Result<Value> {
    let axis = dimension(axis, ty.shape.len() + 1)?;
    let mut shape = ty.shape.to_vec();
    shape.insert(axis, 1);
    if values.is_empty() {
        shape[axis] = 0;
        return c.graph.constant_bytes(ty.dtype, &shape, &[]);
    }
    let slices = values.iter().map(|value| c.reshape(*value, &shape));
    let slices = slices.collect::<Result<Vec<_>>>()?;
    c.concat(&slices, axis)
}

/// A list of numbers, one for each of `count` operands or results.
fn each(c: &Call<'_>, name: &str, count: usize) -> Result<Vec<i64>> {
    let given = c.or(name, vec![0_i64; count])?;
    if given.len() == count {
        return Ok(given);
    }
    Err(Error::invalid(format!("`{name}` has {} numbers, not {count}", given.len())))
}

/// A graph for each slice of operands.
fn scan(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let body = part(c, "body")?;
    let own = c.or("own", 0_usize)?;
    let batches = opset(c)? < 9;
    let first = usize::from(batches);
    let captured = operands(c, own..own + (body.inputs() + first).saturating_sub(own));
    let scanned = c.or("num_scan_inputs", 1_i64)?.max(0) as usize;
    let values = operands(c, first..own).into_iter().collect::<Option<Vec<_>>>();
    let values = values
        .filter(|values| values.len() >= scanned)
        .ok_or_else(|| Error::invalid("a state or an operand to scan is missing"))?;
    let states = values.len() - scanned;
    match batches {
        true => scanned_each(c, &body, &captured, &values, states),
        false => scanned_by(c, &body, &captured, values, states),
    }
}

/// What `Scan` of operator set 8 gives: a scan for each entry of a batch, of as many steps as its length says;
/// zeros stand for the results of steps after those.
fn scanned_each(
    c: &mut Call<'_>,
    body: &Part,
    captured: &[Option<Value>],
    values: &[Value],
    states: usize,
) -> Result<Vec<Value>> {
    let extent = |place: Option<&Value>, d: usize, c: &Call<'_>| -> Result<usize> {
        place.map_or(Ok(0), |v| Ok(c.type_of(*v)?.shape.get(d).copied().unwrap_or(0)))
    };
    let (count, most) = (extent(values.first(), 0, c)?, extent(values.get(states), 1, c)? as i64);
    unrolled(count)?;
    let lengths = c.maybe(0).map_or_else(|| Ok(vec![most; count]), |v| c.graph.integers(v))?;
    if lengths.len() != count || lengths.iter().any(|length| !(0..=most).contains(length)) {
        return Err(Error::shape(format!(
            "{count} sequences of {most} steps have the lengths {lengths:?}"
        )));
    }
    let mut batch: Vec<Vec<Value>> = Vec::with_capacity(count);
    for (i, &length) in lengths.iter().enumerate() {
        let slices = values.iter().map(|&value| c.at(value, 0, i));
        let mut slices = slices.collect::<Result<Vec<_>>>()?;
        slices[states..].iter_mut().try_for_each(|slice| resized(c, slice, length))?;
        let mut results = scanned_by(c, body, captured, slices, states)?;
        results[states..].iter_mut().try_for_each(|result| resized(c, result, most))?;
        batch.push(results);
    }
    let results = batch.first().cloned().unwrap_or_default();
    let together = results.iter().enumerate().map(|(i, result)| {
        let values: Vec<_> = batch.iter().map(|results| results[i]).collect();
        let ty = c.type_of(*result)?;
        stacked(c, &values, ty, 0)
    });
    together.collect()
}

/// Cuts a sequence to a length, or fills it up with zeros.
fn resized(c: &mut Call<'_>, sequence: &mut Value, length: i64) -> Result<()> {
    let shape = c.type_of(*sequence)?.shape;
    let mut pads = vec![0; 2 * shape.len()];
    pads[shape.len()] = length - shape[0] as i64;
    *sequence = c.apply_with("pad", &[*sequence], [("pads", pads)])?;
    Ok(())
}

/// The states after all steps, and the results of each step together.
fn scanned_by(
    c: &mut Call<'_>,
    body: &Part,
    captured: &[Option<Value>],
    mut values: Vec<Value>,
    states: usize,
) -> Result<Vec<Value>> {
    let inputs = values.split_off(states);
    let axes = each(c, "scan_input_axes", inputs.len())?;
    let name = if opset(c)? < 9 { "directions" } else { "scan_input_directions" };
    let backwards = each(c, name, inputs.len())?;
    let axes = inputs.iter().zip(axes).map(|(&input, axis)| c.dimension(input, axis));
    let axes = axes.collect::<Result<Vec<_>>>()?;
    let lengths = inputs.iter().zip(&axes).map(|(&input, &d)| Ok(c.type_of(input)?.shape[d]));
    let lengths = lengths.collect::<Result<Vec<_>>>()?;
    let length = lengths.first().copied().unwrap_or(0);
    unrolled(length)?;
    if lengths.iter().any(|other| *other != length) {
        return Err(Error::shape(format!("operands of {lengths:?} steps are scanned together")));
    }
    let mut steps: Vec<Vec<Value>> = Vec::with_capacity(length);
    let mut results = Vec::new();
    // Where there are no steps, the body says of what types its results would be.
    for step in 0..length.max(1) {
        let mut given: Vec<_> = values.iter().copied().map(Some).collect();
        for (i, &input) in inputs.iter().enumerate() {
            let place = if backwards[i] == 1 { length.max(1) - 1 - step } else { step };
            let mut shape = c.type_of(input)?.shape.to_vec();
            given.push(Some(if length == 0 {
                shape.remove(axes[i]);
                c.filled(input, 0.0, &shape)?
            } else {
                c.at(input, axes[i], place)?
            }));
        }
        given.extend(captured);
        let number = body.draws.then(|| c.graph.constant(&[], &[step as i64])).transpose()?;
        results = body.add(c.graph, &given, number)?;
        if results.len() < states {
            return Err(Error::invalid(format!(
                "the body has {} outputs for {states} states",
                results.len()
            )));
        }
        if length > 0 {
            values = results[..states].to_vec();
            steps.push(results[states..].to_vec());
        }
    }
    let axes = each(c, "scan_output_axes", results.len() - states)?;
    let backwards = each(c, "scan_output_directions", results.len() - states)?;
    for (i, result) in results[states..].iter().enumerate() {
        let mut parts: Vec<_> = steps.iter().map(|step| step[i]).collect();
        if backwards[i] == 1 {
            parts.reverse();
        }
        let ty = c.type_of(*result)?;
        values.push(stacked(c, &parts, ty, axes[i])?);
    }
    Ok(values)
}
