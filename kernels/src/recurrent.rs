//! Recurrent networks: the nodes of each step of the sequences.

use crate::composed::composed;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, select, unrolled, v};
use ringwood_graph::graph::{Attribute, Attributes, Loop, Value};
use std::ops::Range;

composed! {
    /// Gated units: sequences, weights of inputs and of states, biases, lengths, the first state. ONNX's `GRU`.
    Gru "gru" {
        activations: [str], activation_alpha: [f32], activation_beta: [f32], clip: f32, direction: str,
        layout: bool, linear_before_reset: bool
    } = |c| recurrent(c, 3, &["sigmoid", "tanh"], gated_step);
    /// Long short-term memories: as `gru`, with the first memory and weights of peepholes behind. ONNX's `LSTM`.
    Lstm "lstm" {
        activations: [str], activation_alpha: [f32], activation_beta: [f32], clip: f32, direction: str,
        input_forget: bool, layout: bool
    } = |c| recurrent(c, 4, &["sigmoid", "tanh", "tanh"], memory_step);
    /// A network without gates: as `gru`. ONNX's `RNN`.
    Rnn "rnn" {
        activations: [str], activation_alpha: [f32], activation_beta: [f32], clip: f32, direction: str, layout: bool
    } = |c| recurrent(c, 1, &["tanh"], plain_step);
}

/// What the steps of one direction share.
struct Cell {
    /// Weights and biases of the state before: `[gates · size, size]`, `[gates · size]`.
    weights: Value,
    bias: Option<Value>,
    /// Weights of the memory, for the gates of input, output and forgetting.
    peepholes: [Option<Value>; 3],
    activations: Vec<Activation>,
    size: usize,
}

/// The operator that an activation is, and its attributes.
type Activation = (&'static str, Attributes);

/// The hidden state and the memory.
type State = [Value; 2];

/// Adds a step: of the projected inputs of all gates and the state before it. Returns that after it.
type Step = fn(&mut Call<'_>, &Cell, Value, State) -> Result<State>;

/// A product with a transposed matrix.
fn project(c: &mut Call<'_>, x: Value, weights: Value) -> Result<Value> {
    c.apply("matmul_nt", &[x, weights])
}

fn add(c: &mut Call<'_>, a: Value, b: Option<Value>) -> Result<Value> {
    match b {
        Some(b) => c.eval(v(a) + b),
        None => Ok(a),
    }
}

/// The numbers of some gates, beside each other along the last dimension.
fn gates(c: &mut Call<'_>, x: Value, cell: &Cell, range: Range<usize>) -> Result<Value> {
    let axis = c.rank(x)? - 1;
    c.slice(x, axis, range.start * cell.size..range.end * cell.size, 1)
}

/// Activation `i`, of numbers that are clipped where the application says so.
fn activated(c: &mut Call<'_>, cell: &Cell, i: usize, mut x: Value) -> Result<Value> {
    if let Some(bound) = c.attribute::<f32>("clip")? {
        x = c.eval(v(x).with("max", -bound).with("min", bound))?;
    }
    activation(c, cell, i, x)
}

fn activation(c: &mut Call<'_>, cell: &Cell, i: usize, x: Value) -> Result<Value> {
    let (operator, attributes) = &cell.activations[i];
    c.apply_with(operator, &[x], attributes.clone())
}

fn plain_step(c: &mut Call<'_>, cell: &Cell, x: Value, [h, memory]: State) -> Result<State> {
    let before = project(c, h, cell.weights)?;
    let before = add(c, before, cell.bias)?;
    let sum = c.eval(v(x) + before)?;
    Ok([activated(c, cell, 0, sum)?, memory])
}

fn gated_step(c: &mut Call<'_>, cell: &Cell, x: Value, [h, memory]: State) -> Result<State> {
    let linear = c.flag("linear_before_reset", false)?;
    let n = cell.size;
    let rows = c.slice(cell.weights, 0, 0..if linear { 3 * n } else { 2 * n }, 1)?;
    let bias = match cell.bias {
        Some(bias) => Some([gates(c, bias, cell, 0..2)?, gates(c, bias, cell, 2..3)?]),
        None => None,
    };
    let before = project(c, h, rows)?;
    let (own, past) = (gates(c, x, cell, 0..2)?, gates(c, before, cell, 0..2)?);
    let past = add(c, past, bias.map(|[gates, _]| gates))?;
    let sum = c.eval(v(own) + past)?;
    let sum = activated(c, cell, 0, sum)?;
    let (update, reset) = (gates(c, sum, cell, 0..1)?, gates(c, sum, cell, 1..2)?);
    let bias = bias.map(|[_, hidden]| hidden);
    let mut past = if linear {
        gates(c, before, cell, 2..3)?
    } else {
        let kept = c.eval(v(reset) * h)?;
        let rows = c.slice(cell.weights, 0, 2 * n..3 * n, 1)?;
        project(c, kept, rows)?
    };
    past = add(c, past, bias)?;
    if linear {
        past = c.eval(v(reset) * past)?;
    }
    let own = gates(c, x, cell, 2..3)?;
    let sum = c.eval(v(own) + past)?;
    let new = activated(c, cell, 1, sum)?;
    Ok([c.eval((1.0 - v(update)) * new + v(update) * h)?, memory])
}

fn memory_step(c: &mut Call<'_>, cell: &Cell, x: Value, [h, memory]: State) -> Result<State> {
    let before = project(c, h, cell.weights)?;
    let before = add(c, before, cell.bias)?;
    let sum = c.eval(v(x) + before)?;
    let gate = |c: &mut Call<'_>, i: usize, memory: Value| {
        let sum = gates(c, sum, cell, i..i + 1)?;
        let seen = match cell.peepholes.get(i).copied().flatten() {
            Some(weights) => Some(c.eval(v(weights) * memory)?),
            None => None,
        };
        let sum = add(c, sum, seen)?;
        activated(c, cell, usize::from(i == 3), sum)
    };
    let (input, new) = (gate(c, 0, memory)?, gate(c, 3, memory)?);
    let kept = match c.flag("input_forget", false)? {
        true => c.eval(1.0 - v(input))?,
        false => gate(c, 2, memory)?,
    };
    let memory = c.eval(v(kept) * memory + v(input) * new)?;
    let output = gate(c, 1, memory)?;
    let shown = activation(c, cell, 2, memory)?;
    Ok([c.eval(v(output) * shown)?, memory])
}

/// The activations that there are.
const ACTIVATIONS: [&str; 11] = [
    "affine",
    "elu",
    "hard_sigmoid",
    "leaky_relu",
    "relu",
    "scaled_tanh",
    "sigmoid",
    "softplus",
    "softsign",
    "tanh",
    "thresholded_relu",
];

/// Those with a number `alpha`, and with a number `beta`.
const ALPHA: [&str; 6] =
    ["affine", "elu", "hard_sigmoid", "leaky_relu", "scaled_tanh", "thresholded_relu"];
const BETA: [&str; 3] = ["affine", "hard_sigmoid", "scaled_tanh"];

/// The activations of direction `d`: those of the attributes, as `hard_sigmoid` or `HardSigmoid`, or `defaults`.
fn activations(c: &Call<'_>, d: usize, defaults: &[&str]) -> Result<Vec<Activation>> {
    let names = match c.attribute::<Vec<String>>("activations")? {
        Some(names) => names,
        None => defaults.iter().cycle().take(2 * defaults.len()).map(|&n| n.to_owned()).collect(),
    };
    let numbers = |name| c.or(name, Vec::<f32>::new()).map(Vec::into_iter);
    let (mut alphas, mut betas) = (numbers("activation_alpha")?, numbers("activation_beta")?);
    let mut all = Vec::with_capacity(names.len());
    for name in &names {
        let plain = |name: &str| name.replace('_', "").to_lowercase();
        let known = ACTIVATIONS.into_iter().find(|known| plain(known) == plain(name));
        let known =
            known.ok_or_else(|| Error::unsupported(format!("there is no activation `{name}`")))?;
        let alpha = ALPHA.contains(&known).then(|| alphas.next()).flatten();
        let beta = BETA.contains(&known).then(|| betas.next()).flatten();
        let given = [("alpha", alpha), ("beta", beta)].into_iter();
        let given = given.filter_map(|(name, number)| Some((name, Attribute::from(number?))));
        all.push((known, given.collect()));
    }
    let own = all.get(d * defaults.len()..(d + 1) * defaults.len());
    own.map(<[Activation]>::to_vec).ok_or_else(|| {
        Error::invalid(format!(
            "{} activations, {} for each direction",
            names.len(),
            defaults.len()
        ))
    })
}

/// A network of some gates, in one direction or both.
fn recurrent(c: &mut Call<'_>, count: usize, defaults: &[&str], step: Step) -> Result<Vec<Value>> {
    let batch_first = c.flag("layout", false)?;
    let axis = usize::from(batch_first);
    let own = c.type_of(c.operand(0)?)?.dtype;
    let dtype = if own == DType::F64 { own } else { DType::F32 };
    let mut x = c.cast(c.operand(0)?, dtype)?;
    if batch_first {
        x = c.permute(x, &[1, 0, 2])?;
    }
    let [length, batch, inputs] = c.extents(x)?;
    let (w, r) = (c.cast(c.operand(1)?, dtype)?, c.cast(c.operand(2)?, dtype)?);
    let [directions, _, size] = c.extents(r)?;
    let (bias, peepholes) = (c.maybe_as(3, dtype)?, c.maybe_as(7, dtype)?);
    let states = [c.maybe_as(5, dtype)?, c.maybe_as(6, dtype)?.filter(|_| count == 4)];
    let rows = c.reshape(x, &[length * batch, inputs])?;
    let (mut all, mut ends) = (Vec::new(), [Vec::new(), Vec::new()]);
    for d in 0..directions {
        let w = c.at(w, 0, d)?;
        let mut projected = project(c, rows, w)?;
        let mut cell = Cell {
            weights: c.at(r, 0, d)?,
            bias: None,
            peepholes: [None; 3],
            activations: activations(c, d, defaults)?,
            size,
        };
        if let Some(bias) = bias {
            let both = c.at(bias, 0, d)?;
            let of_inputs = gates(c, both, &cell, 0..count)?;
            projected = c.eval(v(projected) + of_inputs)?;
            cell.bias = Some(gates(c, both, &cell, count..2 * count)?);
        }
        if let Some(peepholes) = peepholes.filter(|_| count == 4) {
            let own = c.at(peepholes, 0, d)?;
            for i in 0..3 {
                cell.peepholes[i] = Some(gates(c, own, &cell, i..i + 1)?);
            }
        }
        let projected = c.reshape(projected, &[length, batch, count * size])?;
        let mut state = [x; 2];
        for (value, given) in state.iter_mut().zip(states) {
            *value = match given {
                Some(given) => c.at(given, axis, d)?,
                None => c.filled(x, 0.0, &[batch, size])?,
            };
        }
        let way = c.choice("direction", &["forward", "reverse", "bidirectional"])?;
        let backwards = d == 1 || way == "reverse";
        all.push(steps(c, &cell, projected, &mut state, backwards, step)?);
        for (ends, state) in ends.iter_mut().zip(state) {
            ends.push(c.unsqueeze(state, axis as i64)?);
        }
    }
    // Of `[length, batch, size]` for each direction.
    for value in &mut all {
        if batch_first {
            *value = c.permute(*value, &[1, 0, 2])?;
        }
        *value = c.unsqueeze(*value, 1 + axis as i64)?;
    }
    let mut results = vec![c.concat(&all, 1 + axis)?];
    for ends in &ends[..if count == 4 { 2 } else { 1 }] {
        results.push(c.concat(ends, axis)?);
    }
    results.into_iter().map(|result| c.cast(result, own)).collect()
}

/// The most steps that become nodes where a model can run them one by one: planning more takes longer than that.
const MOST_UNROLLED: usize = 512;

/// The hidden states of all steps, `[length, batch, size]`; `state` becomes that after the last of them.
fn steps(
    c: &mut Call<'_>,
    cell: &Cell,
    projected: Value,
    state: &mut State,
    backwards: bool,
    step: Step,
) -> Result<Value> {
    let [length, batch, _] = c.extents(projected)?;
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
