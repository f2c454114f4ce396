//! Steps of training as ONNX has them: of many parameters at once.

use crate::composed::composed;
use ringwood_base::{Error, Result};
use ringwood_graph::compose::{Call, Formula, if_less, v};
use ringwood_graph::graph::Value;

composed! {
    /// Of a rate, the number of the step, parameters, gradients and their squares. ONNX's `Adagrad`.
    Adagrad "adagrad" { decay_factor: f32, epsilon: f32, norm_coefficient: f32 } = |c| each(c, 1, adagrad);
    /// As `adagrad`, with means of gradients before their squares. ONNX's `Adam`.
    Adam "adam" {
        alpha: f32, beta: f32, epsilon: f32, norm_coefficient: f32, norm_coefficient_post: f32
    } = |c| each(c, 2, adam);
    /// As `adagrad`, with means of gradients for squares. ONNX's `Momentum`.
    Momentum "momentum" { alpha: f32, beta: f32, norm_coefficient: f32, mode: str } = |c| each(c, 1, momentum);
}

/// The new value of a parameter, and of what is kept for it: of rate, step, parameter, gradient, and those.
type Update = fn(&mut Call<'_>, Value, Value, &[Value]) -> Result<Vec<Value>>;

/// The update of each parameter, of which there are as many as gradients and as each kind of states.
fn each(c: &mut Call<'_>, states: usize, update: Update) -> Result<Vec<Value>> {
    let (rate, step, kinds) = (c.operand(0)?, c.operand(1)?, 2 + states);
    let given = c.operands().split_off(2);
    let count = given.len() / kinds;
    if count * kinds != given.len() {
        return Err(Error::invalid(format!(
            "{} operands are no parameters of {kinds} operands each",
            given.len()
        )));
    }
    let mut results = vec![Vec::new(); kinds - 1];
    for i in 0..count {
        let own: Vec<_> = given.iter().skip(i).step_by(count).copied().collect();
        let dtype = c.type_of(own[0])?.dtype;
        let (rate, step) = (c.cast(rate, dtype)?, c.cast(step, dtype)?);
        for (all, new) in results.iter_mut().zip(update(c, rate, step, &own)?) {
            all.push(new);
        }
    }
    Ok(results.concat())
}

/// An attribute that is 0 where it is left out.
fn number(c: &Call<'_>, name: &str) -> Result<f32> {
    c.or(name, 0.0_f32)
}

/// The gradient, with that of the parameter's size.
fn regularised(c: &mut Call<'_>, x: Value, g: Value) -> Result<Value> {
    let size = number(c, "norm_coefficient")?;
    c.eval(v(x) * size + g)
}

fn adagrad(c: &mut Call<'_>, rate: Value, step: Value, own: &[Value]) -> Result<Vec<Value>> {
    let (x, squares) = (own[0], own[2]);
    let g = regularised(c, x, own[1])?;
    let squares = c.eval(v(squares) + v(g) * g)?;
    let rate = v(rate) / (v(step) * number(c, "decay_factor")? + 1.0);
    let root = v(squares).of("sqrt") + number(c, "epsilon")?;
    Ok(vec![c.eval(v(x) - rate * g / root)?, squares])
}

fn adam(c: &mut Call<'_>, rate: Value, step: Value, own: &[Value]) -> Result<Vec<Value>> {
    let x = own[0];
    let (alpha, beta) = (c.or("alpha", 0.9_f32)?, c.or("beta", 0.999_f32)?);
    let g = regularised(c, x, own[1])?;
    let mean = c.eval(v(own[2]) * alpha + v(g) * (1.0 - alpha))?;
    let squares = c.eval(v(own[3]) * beta + v(g) * g * (1.0 - beta))?;
    let power = |base: f32| 1.0_f64 - Formula::from(base).with("powf", step);
    let rate = if_less(0.0, step, v(rate) * power(beta).of("sqrt") / power(alpha), rate);
    let root = v(squares).of("sqrt") + number(c, "epsilon")?;
    let rest = 1.0 - number(c, "norm_coefficient_post")?;
    Ok(vec![c.eval((v(x) - rate * (v(mean) / root)) * rest)?, mean, squares])
}

fn momentum(c: &mut Call<'_>, rate: Value, step: Value, own: &[Value]) -> Result<Vec<Value>> {
    let (x, alpha, beta) = (own[0], number(c, "alpha")?, number(c, "beta")?);
    let g = regularised(c, x, own[1])?;
    let mean = c.eval(v(own[2]) * alpha + v(g) * if_less(0.0, step, beta, 1.0))?;
    let ahead = c.choice("mode", &["standard", "nesterov"])? == "nesterov";
    let way = if ahead { v(mean) * alpha + g } else { v(mean) };
    Ok(vec![c.eval(v(x) - v(rate) * way)?, mean])
}
