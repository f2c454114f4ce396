//! Products of matrices.

use super::Build;
use super::elementwise::one;
use ringwood_base::{DType, Result};
use ringwood_graph::compose::Call;
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[
    ("Det", |c| {
        let x = c.operand(0)?;
        let both = c.graph.apply_all(
            "ringwood::determinant",
            &[x],
            ringwood_graph::graph::Attributes::default(),
        )?;
        Ok(vec![both[0]])
    }),
    ("Einsum", |c| {
        let equation = c.text("equation", "")?;
        let operands = c.operands();
        one(c.apply_with("einsum", &operands, [("equation", equation)]))
    }),
    ("Gemm", gemm),
    ("MatMul", matmul),
];

/// `alpha · A B + beta · C`, of `A` and `B` or their transposes.
fn gemm(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (mut a, mut b) = (c.operand(0)?, c.operand(1)?);
    if c.flag("transA", false)? {
        a = c.permute(a, &[1, 0])?;
    }
    let mut operator = "batched_matmul";
    if c.flag("transB", false)? {
        match c.type_of(b)?.dtype {
            DType::F32 | DType::F64 => operator = "matmul_nt",
            _ => b = c.permute(b, &[1, 0])?,
        }
    }
    let mut y = c.apply(operator, &[a, b])?;
    y = scaled(c, y, "alpha")?;
    match c.maybe(2) {
        Some(bias) => {
            let bias = scaled(c, bias, "beta")?;
            one(c.apply("add", &[y, bias]))
        }
        None => Ok(vec![y]),
    }
}

/// A value times an attribute, which is 1 where it is left out.
fn scaled(c: &mut Call<'_>, value: Value, name: &str) -> Result<Value> {
    let factor = c.or(name, 1.0_f32)?;
    if factor == 1.0 {
        return Ok(value);
    }
    let dtype = c.type_of(value)?.dtype;
    let factor = c.number(dtype, f64::from(factor))?;
    c.apply("mul", &[value, factor])
}

/// NumPy's `matmul`.
fn matmul(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let operands = [c.operand(0)?, c.operand(1)?];
    one(c.apply("batched_matmul", &operands))
}
