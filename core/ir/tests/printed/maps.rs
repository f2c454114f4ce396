//! Maps over dense, single and strided arguments.

use crate::build::*;
use crate::values;
use ringwood_ir::print::Collapsed;
use ringwood_ir::{BinaryOp, Kernel, MathFn, ParamKind, Stmt, Type, Value, interpret};

/// A launch of a map.
pub(crate) struct MapCase {
    pub(crate) kernel: Kernel,
    pub(crate) domain: Vec<usize>,
    /// Of each input and the result.
    pub(crate) strides: Vec<Vec<usize>>,
    pub(crate) inputs: Vec<Vec<Value>>,
}

impl MapCase {
    pub(crate) fn collapsed(&self) -> Collapsed {
        let strides: Vec<&[usize]> = self.strides.iter().map(Vec::as_slice).collect();
        Collapsed::new(&self.domain, &strides)
    }

    /// For each element of the domain, in row-major order, its place in each argument.
    pub(crate) fn places(&self) -> Vec<Vec<usize>> {
        let place = |mut at: usize| {
            let mut places = vec![0; self.strides.len()];
            for d in (0..self.domain.len()).rev() {
                for (place, strides) in places.iter_mut().zip(&self.strides) {
                    *place += at % self.domain[d] * strides[d];
                }
                at /= self.domain[d];
            }
            places
        };
        (0..self.domain.iter().product()).map(place).collect()
    }

    /// The elements of the result, by the interpreter.
    pub(crate) fn expected(&self) -> Vec<Value> {
        let places = self.places();
        let mut expected = vec![Value::zero(self.kernel.result.as_ref().unwrap().ty); places.len()];
        for place in &places {
            let inputs: Vec<_> = self.inputs.iter().zip(place).map(|(v, at)| v[*at]).collect();
            let value = interpret::map(&self.kernel, &inputs, u64::MAX);
            expected[place[inputs.len()]] = value.unwrap();
        }
        expected
    }
}

pub(crate) fn all() -> Vec<MapCase> {
    let mut cases = Vec::new();
    for function in [MathFn::Exp, MathFn::Ln, MathFn::Tanh, MathFn::Sin, MathFn::Cos] {
        cases.extend([dense(function, Type::F32), dense(function, Type::F64)]);
    }
    let domains: [(&[usize], [&[usize]; 3]); 6] = [
        (&[4, 5], [&[5, 1], &[5, 1], &[5, 1]]),
        (&[4, 5], [&[5, 1], &[0, 0], &[5, 1]]),
        (&[4, 5], [&[1, 0], &[0, 1], &[5, 1]]),
        (&[3, 4, 5], [&[1, 3, 12], &[0, 5, 1], &[20, 5, 1]]),
        (&[2, 3, 2, 3, 2], [&[1, 2, 6, 12, 36], &[0, 6, 0, 2, 1], &[36, 12, 6, 2, 1]]),
        (&[7], [&[2], &[1], &[1]]),
    ];
    cases.extend(domains.map(|(domain, strides)| broadcast(domain, strides)));
    cases
}

/// A function of values with any bits, and of values where it is not trivial.
fn dense(function: MathFn, ty: Type) -> MapCase {
    let near = |i: i32| Value::F64(f64::from(i - 3000) / 250.0).cast(ty);
    let input = [values::special(ty), values::random(ty, 4000), (0..6000).map(near).collect()];
    let input = input.concat();
    MapCase {
        kernel: kernel(
            &format!("{}_{ty}", function.name()),
            0,
            &[ParamKind::Scalar(ty)],
            &[],
            vec![],
            Some(math(function, &[&param(0, ty)])),
        ),
        domain: vec![input.len()],
        strides: vec![vec![1]; 2],
        inputs: vec![input],
    }
}

/// `if a > b { (a - b) as i32 } else { -1 }` over broadcast arguments.
fn broadcast(domain: &[usize], strides: [&[usize]; 3]) -> MapCase {
    let (a, b) = (|| param(0, Type::F32), || param(1, Type::F32));
    let body = vec![
        Stmt::Let(0, int(-1, Type::I32)),
        Stmt::If(
            op(BinaryOp::Gt, a(), b()),
            vec![Stmt::Assign(0, cast(op(BinaryOp::Sub, a(), b()), Type::I32))],
            vec![],
        ),
    ];
    let input = |from: f32| (0..80).map(|i| Value::F32(from + (i * 37 % 80) as f32)).collect();
    MapCase {
        kernel: kernel(
            "apart",
            0,
            &[ParamKind::Scalar(Type::F32), ParamKind::Scalar(Type::F32)],
            &[Type::I32],
            body,
            Some(var(0, Type::I32)),
        ),
        domain: domain.to_vec(),
        strides: strides.map(<[usize]>::to_vec).to_vec(),
        inputs: vec![input(0.5), input(11.0)],
    }
}
