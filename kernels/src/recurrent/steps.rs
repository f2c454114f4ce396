//! The steps of recurrent networks: nodes for each, or a body that a model runs again and again.

use super::cell::{Cell, State, Step};
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, select, unrolled};
use ringwood_graph::graph::{Loop, Value};

/// The most steps that become nodes where a model can run them one by one: planning more takes longer than that.
const MOST_UNROLLED: usize = 512;

/// The hidden states of all steps, `[length, batch, size]`; `state` becomes that after the last of them.
pub(super) fn steps(
    c: &mut Call<'_>,
    cell: &Cell,
    projected: Value,
    state: &mut State,
    backwards: bool,
    step: Step,
) -> Result<Value> {
    let [length, batch, _] = c.extents(projected)?;
    check_lengths(c, length)?;
    let lengths = c.maybe_as(4, DType::I64)?;
    let lengths = lengths.map(|lengths| c.reshape(lengths, &[batch, 1])).transpose()?;
    if length > MOST_UNROLLED && c.graph.repeats() {
        return run_again(c, cell, (projected, lengths), state, backwards, step);
    }
    unrolled(length)?;
    let mut shown = Vec::with_capacity(length);
    for i in 0..length {
        let place = if backwards { length - 1 - i } else { i };
        let x = c.at(projected, 0, place)?;
        let place = c.graph.constant(&[], &[place as i64])?;
        let output = one_step(c, cell, x, state, lengths.map(|lengths| (place, lengths)), step)?;
        shown.push(c.reshape(output, &[1, batch, cell.size])?);
    }
    if backwards {
        shown.reverse();
    }
    match shown.is_empty() {
        true => c.filled(projected, 0.0, &[0, batch, cell.size]),
        false => c.concat(&shown, 0),
    }
}

/// Checks the lengths of the sequences, if they are known before a run.
fn check_lengths(c: &mut Call<'_>, most: usize) -> Result<()> {
    let Some(lengths) = c.maybe(4) else { return Ok(()) };
    let dtype = c.type_of(lengths)?.dtype;
    if !matches!(dtype, DType::I32 | DType::I64) || c.graph.known(lengths)?.is_none() {
        return Ok(());
    }
    let lengths = c.graph.integers(lengths)?;
    match lengths.iter().position(|length| !(0..=most as i64).contains(length)) {
        None => Ok(()),
        Some(i) => Err(Error::invalid(format!(
            "sequence {i} has the length {}, which is not from 0 to {most}",
            lengths[i]
        ))),
    }
}

/// A step, of the inputs in a place; `over` is this place and the lengths of the sequences, of which those that are
/// over keep their state and show zeros.
fn one_step(
    c: &mut Call<'_>,
    cell: &Cell,
    x: Value,
    state: &mut State,
    over: Option<(Value, Value)>,
    step: Step,
) -> Result<Value> {
    let mut next = step(c, cell, x, *state)?;
    let mut output = next[0];
    if let Some((place, lengths)) = over {
        let goes_on = c.apply("less", &[place, lengths])?;
        output = c.eval(select(goes_on, output, 0.0))?;
        for (next, before) in next.iter_mut().zip(*state) {
            *next = c.eval(select(goes_on, *next, before))?;
        }
    }
    *state = next;
    Ok(output)
}

/// As [`steps`], by a body that a model runs again and again, for the projected inputs and the lengths.
fn run_again(
    c: &mut Call<'_>,
    cell: &Cell,
    (projected, lengths): (Value, Option<Value>),
    state: &mut State,
    backwards: bool,
    step: Step,
) -> Result<Value> {
    let [length, ..] = c.extents::<3>(projected)?;
    let [input, output, kept] = cell.peepholes;
    let outer = [Some(projected), lengths, Some(cell.weights), cell.bias, input, output, kept];
    let start = Loop {
        steps: 0..length as u64,
        carried: &*state,
        keeps_shapes: true,
        captured: &outer.into_iter().flatten().collect::<Vec<_>>(),
        collected: &[c.type_of(state[0])?],
        ..Loop::default()
    };
    let results = c.repeat(&start, |c, number, carried, captured| {
        let mut inner = outer;
        inner.iter_mut().flatten().zip(captured).for_each(|(value, own)| *value = *own);
        let [Some(projected), lengths, Some(weights), bias, peepholes @ ..] = inner else {
            unreachable!("the projected inputs and the weights are captured");
        };
        let activations = cell.activations.clone();
        let cell = Cell { weights, bias, peepholes, activations, size: cell.size };
        let last = c.graph.constant(&[], &[length as i64 - 1])?;
        let place = if backwards { c.apply("sub", &[last, number])? } else { number };
        let x = c.apply_with("take", &[projected, place], [("axis", 0_i64)])?;
        let mut state = [carried[0], carried[1]];
        let over = lengths.map(|lengths| (place, lengths));
        let shown = one_step(c, &cell, x, &mut state, over, step)?;
        let goes_on = c.graph.constant_bytes(DType::Bool, &[], &[1])?;
        Ok(vec![goes_on, state[0], state[1], shown])
    })?;
    *state = [results[0], results[1]];
    if !backwards {
        return Ok(results[2]);
    }
    let places: Vec<_> = (0..length as i64).rev().collect();
    let places = c.graph.constant(&[length], &places)?;
    c.apply_with("take", &[results[2], places], [("axis", 0_i64)])
}
