//! Formulas: what is computed of values, as it is written.

use super::call::Call;
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_graph::graph::Value;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Values, numbers, and operators over them: of Ringwood where a file is read, of ONNX, too, where one is written.
#[derive(Clone)]
pub(super) enum Formula<V = Value> {
    Value(V),
    /// A number of the element type of the operand beside it.
    Number(f32),
    Apply(&'static str, Vec<Self>),
}

use Formula::{Apply, Number};

/// A value in a formula.
pub(super) fn v<V>(value: V) -> Formula<V> {
    Formula::Value(value)
}

/// `yes` where `a` is less than `b`, else `no`.
pub(super) fn if_less(
    a: impl Into<Formula>,
    b: impl Into<Formula>,
    yes: impl Into<Formula>,
    no: impl Into<Formula>,
) -> Formula {
    Apply("if_less", vec![a.into(), b.into(), yes.into(), no.into()])
}

/// `x` between `low` and `high`.
pub(super) fn clamp(x: impl Into<Formula>, low: f32, high: f32) -> Formula {
    Apply("clamp", vec![x.into(), low.into(), high.into()])
}

/// `yes` where `condition` is true, else `no`.
pub(super) fn select(
    condition: impl Into<Formula>,
    yes: impl Into<Formula>,
    no: impl Into<Formula>,
) -> Formula {
    Apply("select", vec![condition.into(), yes.into(), no.into()])
}

impl<V> Formula<V> {
    /// An operator of one operand.
    pub(super) fn of(self, operator: &'static str) -> Self {
        Apply(operator, vec![self])
    }

    /// An operator of two operands.
    pub(super) fn with(self, operator: &'static str, other: impl Into<Self>) -> Self {
        Apply(operator, vec![self, other.into()])
    }
}

impl From<Value> for Formula {
    fn from(value: Value) -> Self {
        Self::Value(value)
    }
}

impl<V> From<f32> for Formula<V> {
    fn from(number: f32) -> Self {
        Number(number)
    }
}

macro_rules! operators {
    ($($name:ident $method:ident $operator:literal;)*) => {$(
        impl<V, T: Into<Self>> $name<T> for Formula<V> {
            type Output = Self;

            fn $method(self, other: T) -> Self {
                self.with($operator, other)
            }
        }

        impl<V> $name<Formula<V>> for f32 {
            type Output = Formula<V>;

            fn $method(self, other: Formula<V>) -> Formula<V> {
                Formula::Number(self).with($operator, other)
            }
        }
    )*};
}

operators! {
    Add add "add";
    Sub sub "sub";
    Mul mul "mul";
    Div div "div";
}

impl<V> Neg for Formula<V> {
    type Output = Self;

    fn neg(self) -> Self {
        self.of("neg")
    }
}

impl Call<'_> {
    /// Adds what a formula says; nothing for a product with 1.
    pub(super) fn eval(&mut self, formula: impl Into<Formula>) -> Result<Value> {
        let (operator, operands) = match formula.into() {
            Formula::Value(value) => return Ok(value),
            Apply("mul", mut operands) if matches!(operands[1], Number(1.0)) => {
                return self.eval(operands.swap_remove(0));
            }
            Apply(operator, operands) => (operator, operands),
            Number(number) => {
                let message = format!("the number {number} has no element type by itself");
                return Err(Error::new(ErrorKind::InvalidArgument, message));
            }
        };
        let mut numbers = Vec::new();
        let mut values = Vec::with_capacity(operands.len());
        let mut dtype = None;
        for (place, operand) in operands.into_iter().enumerate() {
            if let Number(number) = operand {
                numbers.push((place, number));
                continue;
            }
            let value = self.eval(operand)?;
            dtype = Some(self.type_of(value)?.dtype);
            values.push(value);
        }
        for (place, number) in numbers {
            let dtype = dtype.ok_or_else(|| {
                let message = format!("{operator} of numbers alone has no element type");
                Error::new(ErrorKind::InvalidArgument, message)
            })?;
            let number = self.number(dtype, f64::from(number))?;
            values.insert(place, number);
        }
        self.apply(operator, &values)
    }
}
