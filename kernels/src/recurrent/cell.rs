//! The gates of recurrent networks.

use ringwood_base::{Error, Result};
use ringwood_graph::compose::{Call, v};
use ringwood_graph::graph::{Attribute, Attributes, Value};
use std::ops::Range;

/// What the steps of one direction share.
pub(super) struct Cell {
    /// Weights and biases of the state before: `[gates · size, size]`, `[gates · size]`.
    pub(super) weights: Value,
    pub(super) bias: Option<Value>,
    /// Weights of the memory, for the gates of input, output and forgetting.
    pub(super) peepholes: [Option<Value>; 3],
    pub(super) activations: Vec<Activation>,
    pub(super) size: usize,
}

/// The operator that an activation is, and its attributes.
pub(super) type Activation = (&'static str, Attributes);

/// The hidden state and the memory.
pub(super) type State = [Value; 2];

/// Adds a step: of the projected inputs of all gates and the state before it. Returns that after it.
pub(super) type Step = fn(&mut Call<'_>, &Cell, Value, State) -> Result<State>;

/// A product with a transposed matrix.
pub(super) fn project(c: &mut Call<'_>, x: Value, weights: Value) -> Result<Value> {
    c.apply("matmul_nt", &[x, weights])
}

fn add(c: &mut Call<'_>, a: Value, b: Option<Value>) -> Result<Value> {
    match b {
        Some(b) => c.eval(v(a) + b),
        None => Ok(a),
    }
}

/// The numbers of some gates, beside each other along the last dimension.
pub(super) fn gates(c: &mut Call<'_>, x: Value, cell: &Cell, range: Range<usize>) -> Result<Value> {
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

pub(super) fn plain_step(
    c: &mut Call<'_>,
    cell: &Cell,
    x: Value,
    [h, memory]: State,
) -> Result<State> {
    let before = project(c, h, cell.weights)?;
    let before = add(c, before, cell.bias)?;
    let sum = c.eval(v(x) + before)?;
    Ok([activated(c, cell, 0, sum)?, memory])
}

pub(super) fn gated_step(
    c: &mut Call<'_>,
    cell: &Cell,
    x: Value,
    [h, memory]: State,
) -> Result<State> {
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

pub(super) fn memory_step(
    c: &mut Call<'_>,
    cell: &Cell,
    x: Value,
    [h, memory]: State,
) -> Result<State> {
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
pub(super) fn activations(c: &Call<'_>, d: usize, defaults: &[&str]) -> Result<Vec<Activation>> {
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
