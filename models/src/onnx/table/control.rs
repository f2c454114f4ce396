//! Branches and loops: what decides them is known before a run, so that nodes are added for each step.

use super::Build;
use super::arrange::padded;
use crate::onnx::call::{Call, dimension, invalid, misshapen, unsupported};
use crate::onnx::part::Part;
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_graph::graph::{Loop, TensorType, Value};
use std::ops::Range;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("If", |c| {
        let condition = c.operand(0)?;
        let (other, then) = (part(c, "else_branch")?, part(c, "then_branch")?);
        let own = c.or("own", 1_usize)?;
        let middle = own + other.inputs();
        match truth(c, condition)? {
            true => then.add(c.graph, &operands(c, middle..middle + then.inputs())),
            false => other.add(c.graph, &operands(c, own..middle)),
        }
    }),
    ("Loop", repeated),
    ("Scan", scan),
];

/// The graph of an attribute.
pub(super) fn part(c: &Call<'_>, name: &str) -> Result<Part> {
    let (_, bytes) =
        c.tensor(name).ok_or_else(|| invalid(format!("there is no graph `{name}`")))?;
    Part::of(bytes)
}

/// The operands in some places.
fn operands(c: &Call<'_>, places: Range<usize>) -> Vec<Option<Value>> {
    places.map(|place| c.maybe(place)).collect()
}

/// A truth value that is needed before a run.
fn truth(c: &mut Call<'_>, value: Value) -> Result<bool> {
    let ty = c.type_of(value)?;
    match c.graph.require(value)? {
        [byte] if ty.dtype == DType::Bool => Ok(*byte != 0),
        _ => Err(Error::new(ErrorKind::DType, format!("a condition is one truth value, not {ty}"))),
    }
}

/// Checks that a sequence is not too long to add nodes for each of its steps.
pub(super) fn unrolled(length: usize) -> Result<()> {
    const MOST: usize = 10_000;
    if length <= MOST {
        return Ok(());
    }
    Err(unsupported(format!(
        "a sequence of {length} steps, of which nodes are added for {MOST} at most"
    ))
    .help("give the sequence in parts"))
}

/// The results of all steps, one after the other along a new dimension; `ty` is the type of each.
fn stacked(c: &mut Call<'_>, values: &[Value], ty: TensorType, axis: i64) -> Result<Value> {
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

/// The most nodes of the steps of a loop where a model can run them one by one: planning takes longer than that then.
const MOST_NODES: usize = 1 << 14;

/// A graph, until its condition is false or the steps are done.
fn repeated(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let body = part(c, "body")?;
    let given = c.or("own", 2_usize)?;
    let own = given.max(2);
    let captured = operands(c, given..given + body.inputs().saturating_sub(own));
    let mut carried = operands(c, 2..own);
    if carried.iter().any(Option::is_none) {
        return Err(invalid("a value that the loop starts from is missing"));
    }
    let most = c.maybe(0).map(|count| c.graph.integers(count)).transpose()?;
    let most = most.and_then(|counts| counts.first().copied());
    let mut condition = c.maybe(1).filter(|_| given > 1);
    if most.is_none() && condition.is_none() {
        return Err(invalid("a loop without a number of steps and a condition never ends"));
    }
    let fixed = c.graph.constant_bytes(DType::Bool, &[], &[1])?;
    let (before, asked) = (c.graph.nodes().len(), c.graph.asked());
    let mut steps: Vec<Vec<Value>> = Vec::new();
    let (mut results, mut rest, mut first) = (Vec::new(), None, Default::default());
    for step in 0.. {
        let more = most.is_none_or(|most| step < most);
        if step > 0 && more && c.graph.repeats() {
            let nodes = c.graph.nodes().len() - before;
            let (all, known) = match condition {
                Some(condition) => (nodes, c.graph.known(condition)?.is_some()),
                None => (nodes.saturating_mul(most.unwrap_or(1) as usize) / step as usize, true),
            };
            if !known || all > MOST_NODES || c.graph.asked() > asked {
                // The first step is nodes: what the others start from has its types.
                steps.truncate(1);
                (carried, condition, results) = first;
                let types = results[own - 1..].iter().map(|&result| c.type_of(result));
                let types = types.collect::<Result<Vec<_>>>()?;
                let start = (1..most.map_or(u64::MAX, |most| most as u64), condition);
                rest = Some(looped(c, &body, start, &carried, &captured, &types)?);
                break;
            }
        }
        let goes = more && condition.map_or(Ok(true), |condition| truth(c, condition))?;
        if !goes && step > 0 {
            break;
        }
        let number = c.graph.constant(&[], &[step])?;
        let mut given = vec![Some(number), Some(condition.unwrap_or(fixed))];
        given.extend(carried.iter().chain(&captured));
        results = body.add(c.graph, &given)?;
        if results.len() < own - 1 {
            return Err(invalid(format!(
                "the body has {} outputs, not {} or more",
                results.len(),
                own - 1
            )));
        }
        // Where no step is done, the body says of what types its results would be.
        if !goes {
            break;
        }
        condition = condition.map(|_| results[0]);
        carried = results[1..own - 1].iter().copied().map(Some).collect();
        steps.push(results[own - 1..].to_vec());
        if step == 0 {
            first = (carried.clone(), condition, results.clone());
        }
    }
    let mut all: Vec<_> = carried.into_iter().flatten().collect();
    for (i, result) in results[own - 1..].iter().enumerate() {
        let values: Vec<_> = steps.iter().map(|step| step[i]).collect();
        let ty = c.type_of(*result)?;
        all.push(stacked(c, &values, ty, 0)?);
    }
    let Some(rest) = rest else { return Ok(all) };
    let after = all.split_off(own - 2);
    let joined =
        after.into_iter().zip(&rest[own - 2..]).map(|(own, rest)| c.concat(&[own, *rest], 0));
    rest[..own - 2].iter().copied().map(Ok).chain(joined).collect()
}

/// The steps of a loop that a model runs one by one, after those that are nodes; a condition ends it, unless it is
/// left out. Exporters carry what no step changes, too: that is captured.
fn looped(
    c: &mut Call<'_>,
    body: &Part,
    (steps, condition): (Range<u64>, Option<Value>),
    carried: &[Option<Value>],
    captured: &[Option<Value>],
    collected: &[TensorType],
) -> Result<Vec<Value>> {
    let around: Vec<_> = carried.iter().chain(captured).copied().collect();
    let changes = |i: usize| i < carried.len() && !body.hands_on(2 + i, 1 + i);
    let which = |changing| (0..around.len()).filter(move |&i| changes(i) == changing);
    let values = |changing| which(changing).filter_map(|i| around[i]).collect::<Vec<_>>();
    let (states, fixed) = (values(true), values(false));
    let start = Loop { steps, condition, carried: &states, captured: &fixed, collected };
    let results = c.graph.repeat(&start, |graph, step, states, fixed| {
        let always = graph.constant_bytes(DType::Bool, &[], &[1])?;
        let mut given = vec![None; around.len()];
        which(true).zip(states).for_each(|(i, value)| given[i] = Some(*value));
        let there = which(false).filter(|&i| around[i].is_some());
        there.zip(fixed).for_each(|(i, value)| given[i] = Some(*value));
        let results = body.add(graph, &[vec![Some(step), Some(always)], given].concat())?;
        let goes_on = condition.map_or(always, |_| results[0]);
        let kept = which(true).map(|i| results[1 + i]);
        let own = results[1 + carried.len()..].iter().copied();
        Ok([goes_on].into_iter().chain(kept).chain(own).collect())
    })?;
    let mut results = results.into_iter();
    let places = 0..carried.len();
    let after = places.map(|i| if changes(i) { results.next() } else { around[i] });
    let after: Vec<_> = after.flatten().collect();
    Ok(after.into_iter().chain(results).collect())
}

/// A list of numbers, one for each of `count` operands or results.
fn each(c: &Call<'_>, name: &str, count: usize) -> Result<Vec<i64>> {
    let given = c.or(name, vec![0_i64; count])?;
    if given.len() == count {
        return Ok(given);
    }
    Err(invalid(format!("`{name}` has {} numbers, not {count}", given.len())))
}

/// A graph for each slice of operands.
fn scan(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let body = part(c, "body")?;
    let own = c.or("own", 0_usize)?;
    let batches = c.opset < 9;
    let first = usize::from(batches);
    let captured = operands(c, own..own + (body.inputs() + first).saturating_sub(own));
    let scanned = c.or("num_scan_inputs", 1_i64)?.max(0) as usize;
    let values = operands(c, first..own).into_iter().collect::<Option<Vec<_>>>();
    let values = values
        .filter(|values| values.len() >= scanned)
        .ok_or_else(|| invalid("a state or an operand to scan is missing"))?;
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
    let lengths = c.maybe(0).map_or_else(|| Ok(vec![most; count]), |v| c.graph.integers(v))?;
    if lengths.len() != count || lengths.iter().any(|length| !(0..=most).contains(length)) {
        return Err(misshapen(format!(
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
    let more = length - c.type_of(*sequence)?.shape[0] as i64;
    let zero = c.like(*sequence, 0.0)?;
    *sequence = padded(c, *sequence, 0, [0, more], zero)?;
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
    let name = if c.opset < 9 { "directions" } else { "scan_input_directions" };
    let backwards = each(c, name, inputs.len())?;
    let axes = inputs.iter().zip(axes).map(|(&input, axis)| c.dimension(input, axis));
    let axes = axes.collect::<Result<Vec<_>>>()?;
    let lengths = inputs.iter().zip(&axes).map(|(&input, &d)| Ok(c.type_of(input)?.shape[d]));
    let lengths = lengths.collect::<Result<Vec<_>>>()?;
    let length = lengths.first().copied().unwrap_or(0);
    unrolled(length)?;
    if lengths.iter().any(|other| *other != length) {
        return Err(misshapen(format!("operands of {lengths:?} steps are scanned together")));
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
        results = body.add(c.graph, &given)?;
        if results.len() < states {
            return Err(invalid(format!(
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
