//! Random numbers, which follow from the name of the node, its seed, and the steps of the loops around it: they are the
//! same in every run and on every device.

use super::own::one;
use super::{Build, tensor};
use crate::onnx::proto::NodeProto;
use crate::onnx::read::is_standard;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{Call, select, v};
use ringwood_graph::graph::{Attributes, Value};

pub(super) const TABLE: &[(&str, Build)] = &[
    ("Bernoulli", bernoulli),
    ("Multinomial", multinomial),
    ("RandomNormal", |c| normal(c, None)),
    ("RandomNormalLike", |c| c.operand(0).and_then(|x| normal(c, Some(x)))),
    ("RandomUniform", |c| uniform(c, None)),
    ("RandomUniformLike", |c| c.operand(0).and_then(|x| uniform(c, Some(x)))),
];

/// The operand that is the key of the steps of the loops around, where there are any: no file gives that many.
pub(in crate::onnx) const KEY_PLACE: usize = 3;

/// Whether a node draws random numbers.
pub(in crate::onnx) fn is_drawn(node: &NodeProto) -> bool {
    let names = TABLE.iter().map(|(op_type, _)| *op_type).chain(["Dropout"]);
    is_standard(&node.domain) && names.into_iter().any(|op_type| op_type == node.op_type)
}

/// Ones, each as often as the operand says.
fn bernoulli(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let ty = c.type_of(x)?;
    let drawn = drawn(c, "random_uniform", &ty.shape, DType::F32)?;
    let x = c.cast(x, DType::F32)?;
    let hits = c.eval(v(drawn).with("less", x))?;
    let dtype = asked(c)?.unwrap_or(ty.dtype);
    one(c.cast(hits, dtype))
}

/// Classes, each as often as the logarithms say: the largest of these with noise, after Gumbel, "Statistical theory
/// of extreme values and some practical applications", 1954.
fn multinomial(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let x = c.operand(0)?;
    let [batch, classes] = c.extents(x)?;
    let samples = c.or("sample_size", 1_i64)?;
    let samples = usize::try_from(samples)
        .map_err(|_| Error::shape(format!("`sample_size` is {samples}")))?;
    let drawn = drawn(c, "random_uniform", &[batch, samples, classes], DType::F32)?;
    let logarithms = c.cast(x, DType::F32)?;
    let logarithms = c.reshape(logarithms, &[batch, 1, classes])?;
    let noisy = c.eval(v(logarithms) - (v(drawn).of("ln") * -1.0).of("ln"))?;
    let attributes = Attributes::from_iter([("axis", 2_i64.into()), ("keepdims", false.into())]);
    let largest = c.apply_with("arg_largest", &[noisy], attributes)?;
    let dtype = asked(c)?.unwrap_or(DType::I32);
    one(c.cast(largest, dtype))
}

/// A value without elements that are as often as a ratio says; the others are as much larger. And which those are.
pub(super) fn dropped(c: &mut Call<'_>, x: Value, ratio: f64) -> Result<Vec<Value>> {
    if !(0.0..1.0).contains(&ratio) {
        return Err(Error::invalid(format!("`ratio` is {ratio}, which is not from 0 to before 1")));
    }
    let ty = c.type_of(x)?;
    let drawn = drawn(c, "random_uniform", &ty.shape, DType::F32)?;
    let lost = c.eval(v(drawn).with("less", ratio as f32))?;
    let larger = c.number(ty.dtype, 1.0 / (1.0 - ratio))?;
    let results = [select(lost, 0.0, v(x) * larger), v(lost).of("not")];
    results[..c.results()?.clamp(1, 2)].iter().map(|result| c.eval(result.clone())).collect()
}

fn normal(c: &mut Call<'_>, like: Option<Value>) -> Result<Vec<Value>> {
    let (mean, scale) = (c.or("mean", 0.0_f32)?, c.or("scale", 1.0_f32)?);
    scaled(c, "random_normal", like, scale, mean)
}

fn uniform(c: &mut Call<'_>, like: Option<Value>) -> Result<Vec<Value>> {
    let (low, high) = (c.or("low", 0.0_f32)?, c.or("high", 1.0_f32)?);
    scaled(c, "random_uniform", like, high - low, low)
}

/// Numbers of the shape of a value, or that the node says, times a factor, and a shift.
fn scaled(
    c: &mut Call<'_>,
    operator: &str,
    like: Option<Value>,
    factor: f32,
    shift: f32,
) -> Result<Vec<Value>> {
    let ty = like.map(|x| c.type_of(x)).transpose()?;
    let shape = match ty {
        Some(ty) => ty.shape.to_vec(),
        None => {
            let shape: Vec<i64> = c.value("shape")?;
            let extent = |&n: &i64| {
                usize::try_from(n).map_err(|_| Error::shape(format!("`shape` is {shape:?}")))
            };
            shape.iter().map(extent).collect::<Result<_>>()?
        }
    };
    let dtype = asked(c)?.or(ty.map(|ty| ty.dtype)).unwrap_or(DType::F32);
    let drawn_as = if dtype == DType::F64 { DType::F64 } else { DType::F32 };
    let drawn = drawn(c, operator, &shape, drawn_as)?;
    let scaled = c.eval(v(drawn) * factor + shift)?;
    one(c.cast(scaled, dtype))
}

/// The type that the node says, if it says one.
fn asked(c: &Call<'_>) -> Result<Option<DType>> {
    c.attribute::<i64>("dtype")?.map(tensor::dtype).transpose()
}

/// Numbers of a shape, by a key that the node has alone in this step.
fn drawn(c: &mut Call<'_>, operator: &str, shape: &[usize], dtype: DType) -> Result<Value> {
    // A number of one type or another.
    let seed = c.attributes().find("seed").map(ToString::to_string).unwrap_or_default();
    let words = [seed, c.text("node", "")?].map(|text| word(&text));
    let key = match c.maybe(KEY_PLACE) {
        Some(around) => {
            let own = c.graph.constant(&[], &[u64::from(words[0]) << 32 | u64::from(words[1])])?;
            c.apply("key_fold", &[around, own])?
        }
        None => c.graph.constant(&[2], &words)?,
    };
    let attributes = Attributes::from_iter([("shape", shape.into()), ("dtype", dtype.into())]);
    c.apply_with(operator, &[key], attributes)
}

/// A word that a text has, by FNV-1a.
fn word(text: &str) -> u32 {
    let next = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, next)
}
