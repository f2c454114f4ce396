//! Recurrent networks, of gates in one direction or both.

mod cell;
mod steps;

use crate::composed::composed;
use cell::{
    Activation, Cell, Step, activations, gated_step, gates, memory_step, plain_step, project,
};
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, v};
use ringwood_graph::graph::Value;
use steps::steps;

composed! {
    /// Gated units: sequences, weights of inputs and of states, biases, lengths, the first state. A length that is known before a
    /// run is in range; what depends on data counts as the nearest one that is. ONNX's `GRU`.
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

/// The operands that all directions share, of one floating-point type.
struct Operands {
    /// `[length, batch, inputs]`.
    x: Value,
    /// Weights of inputs and of states, for each direction.
    weights: [Value; 2],
    bias: Option<Value>,
    peepholes: Option<Value>,
    /// The first state and memory.
    states: [Option<Value>; 2],
    /// The dimension of the directions in states.
    axis: usize,
}

impl Operands {
    fn of(c: &mut Call<'_>, dtype: DType, has_memory: bool) -> Result<Self> {
        let batch_first = c.flag("layout", false)?;
        let mut x = c.cast(c.operand(0)?, dtype)?;
        if batch_first {
            x = c.permute(x, &[1, 0, 2])?;
        }
        Ok(Self {
            x,
            weights: [c.cast(c.operand(1)?, dtype)?, c.cast(c.operand(2)?, dtype)?],
            bias: c.maybe_as(3, dtype)?,
            states: [c.maybe_as(5, dtype)?, c.maybe_as(6, dtype)?.filter(|_| has_memory)],
            peepholes: c.maybe_as(7, dtype)?.filter(|_| has_memory),
            axis: usize::from(batch_first),
        })
    }

    /// The first hidden state and memory of direction `d`; zeros where they are left out.
    fn state(&self, c: &mut Call<'_>, d: usize, size: usize) -> Result<[Value; 2]> {
        let [_, batch, _] = c.extents(self.x)?;
        let mut first = |given: Option<Value>| match given {
            Some(given) => c.at(given, self.axis, d),
            None => c.filled(self.x, 0.0, &[batch, size]),
        };
        Ok([first(self.states[0])?, first(self.states[1])?])
    }
}

/// A network of some gates, in one direction or both.
fn recurrent(c: &mut Call<'_>, count: usize, defaults: &[&str], step: Step) -> Result<Vec<Value>> {
    let own = c.type_of(c.operand(0)?)?.dtype;
    let dtype = if own == DType::F64 { own } else { DType::F32 };
    let operands = Operands::of(c, dtype, count == 4)?;
    let (axis, [directions, _, size]) = (operands.axis, c.extents(operands.weights[1])?);
    let way = c.choice("direction", &["forward", "reverse", "bidirectional"])?;
    if directions != 1 + usize::from(way == "bidirectional") {
        return Err(Error::shape(format!("weights of {directions} directions, of `{way}`")));
    }
    let (mut all, mut ends) = (Vec::new(), [Vec::new(), Vec::new()]);
    for d in 0..directions {
        let activations = activations(c, d, defaults)?;
        let (cell, projected) = direction(c, &operands, d, count, activations)?;
        let mut state = operands.state(c, d, size)?;
        let backwards = d == 1 || way == "reverse";
        let mut shown = steps(c, &cell, projected, &mut state, backwards, step)?;
        if axis == 1 {
            shown = c.permute(shown, &[1, 0, 2])?;
        }
        all.push(c.unsqueeze(shown, 1 + axis as i64)?);
        for (ends, state) in ends.iter_mut().zip(state) {
            ends.push(c.unsqueeze(state, axis as i64)?);
        }
    }
    let mut results = vec![c.concat(&all, 1 + axis)?];
    for ends in &ends[..if count == 4 { 2 } else { 1 }] {
        results.push(c.concat(ends, axis)?);
    }
    results.into_iter().map(|result| c.cast(result, own)).collect()
}

/// What the steps of direction `d` share, and the inputs of all of its gates, `[length, batch, gates · size]`.
fn direction(
    c: &mut Call<'_>,
    operands: &Operands,
    d: usize,
    count: usize,
    activations: Vec<Activation>,
) -> Result<(Cell, Value)> {
    let ([length, batch, inputs], [w, r]) = (c.extents(operands.x)?, operands.weights);
    let [_, _, size] = c.extents(r)?;
    let rows = c.reshape(operands.x, &[length * batch, inputs])?;
    let w = c.at(w, 0, d)?;
    let mut projected = project(c, rows, w)?;
    let weights = c.at(r, 0, d)?;
    let mut cell = Cell { weights, bias: None, peepholes: [None; 3], activations, size };
    if let Some(bias) = operands.bias {
        let both = c.at(bias, 0, d)?;
        let of_inputs = gates(c, both, &cell, 0..count)?;
        projected = c.eval(v(projected) + of_inputs)?;
        cell.bias = Some(gates(c, both, &cell, count..2 * count)?);
    }
    if let Some(peepholes) = operands.peepholes {
        let own = c.at(peepholes, 0, d)?;
        for i in 0..3 {
            cell.peepholes[i] = Some(gates(c, own, &cell, i..i + 1)?);
        }
    }
    let projected = c.reshape(projected, &[length, batch, count * size])?;
    Ok((cell, projected))
}
