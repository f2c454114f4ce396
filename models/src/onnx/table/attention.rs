//! Attention that graphs of a file change.

use super::control::part;
use super::own::one;
use crate::onnx::part::Part;
use crate::onnx::tensor::dtype;
use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::Call;
use ringwood_graph::graph::{Attributes, Value};

/// Attention whose scores and shares graphs of the file change.
pub(super) fn flex_attention(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (q, k, values) = (c.operand(0)?, c.operand(1)?, c.operand(2)?);
    let own = c.type_of(values)?.dtype;
    let precision = c.attribute("softmax_precision")?.map(dtype).transpose()?;
    let wide = [Some(c.type_of(q)?.dtype), precision].contains(&Some(DType::F64));
    let dtype = if wide { DType::F64 } else { DType::F32 };
    let (q, k, values) = (c.cast(q, dtype)?, c.cast(k, dtype)?, c.cast(values, dtype)?);
    let scale = c.attribute::<f32>("scale")?.map(|scale| ("scale", scale.into()));
    let x = c.apply_with("attention_scores", &[q, k], Attributes::from_iter(scale))?;
    let mut captured = c.or("own", 3_usize)?;
    // The operands of the second of them in the order of names come first.
    let mut changes = [None, None];
    for (change, name) in changes.iter_mut().zip(["prob_mod", "score_mod"]) {
        if c.tensor(name).is_some() {
            let part = part(c, name)?;
            let end = captured + part.inputs().saturating_sub(1);
            let around: Vec<_> = (captured..end).map(|place| c.maybe(place)).collect();
            captured = end;
            *change = Some((part, around));
        }
    }
    let [prob_mod, score_mod] = changes;
    let changed = |c: &mut Call<'_>, change: Option<(Part, _)>, x| {
        let Some((part, around)) = change else { return Ok(x) };
        let given: Vec<_> = std::iter::once(Some(x)).chain::<Vec<_>>(around).collect();
        let results = part.add(c.graph, &given, None)?;
        results
            .first()
            .copied()
            .ok_or_else(|| Error::invalid("a graph of the attention has no output"))
    };
    let x = changed(c, score_mod, x)?;
    let shares = c.apply("softmax", &[x])?;
    let shares = changed(c, prob_mod, shares)?;
    let y = c.apply("attention_sums", &[shares, values])?;
    one(c.cast(y, own))
}
