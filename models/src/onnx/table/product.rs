//! Products of matrices.

use super::Build;
use super::elementwise::one;
use crate::onnx::call::Call;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_graph::graph::Value;

pub(super) const TABLE: &[(&str, Build)] = &[("Gemm", gemm), ("MatMul", matmul)];

/// `alpha · A B + beta · C`, of `A` and `B` or their transposes.
fn gemm(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (mut a, mut b) = (c.operand(0)?, c.operand(1)?);
    let operator = match (c.flag("transA", false)?, c.flag("transB", false)?) {
        (false, false) => "matmul",
        (false, true) => "matmul_nt",
        (true, false) => "matmul_tn",
        (true, true) => {
            (a, b) = (b, a);
            "matmul"
        }
    };
    let mut y = c.apply(operator, &[a, b])?;
    if c.flag("transA", false)? && c.flag("transB", false)? {
        y = c.permute(y, &[1, 0])?;
    }
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

/// A product of matrices, of a matrix and vectors, or of rows of any number of dimensions and a matrix.
fn matmul(c: &mut Call<'_>) -> Result<Vec<Value>> {
    let (a, b) = (c.operand(0)?, c.operand(1)?);
    let (left, right) = (c.type_of(a)?.shape, c.type_of(b)?.shape);
    let columns = match right[..] {
        [_] => c.reshape(b, &[right[0], 1])?,
        [_, _] => b,
        _ => {
            let message = format!("products of {left} and {right} are not computed");
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
    };
    let Some((k, rows)) = left.split_last() else {
        return Err(Error::new(ErrorKind::Shape, "a number is no matrix"));
    };
    let matrix = c.reshape(a, &[rows.iter().product(), *k])?;
    let y = c.apply("matmul", &[matrix, columns])?;
    let mut shape = rows.to_vec();
    shape.extend(right.get(1));
    one(c.reshape(y, &shape))
}
