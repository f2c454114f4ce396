//! Formulas: what is computed of values, as it is written.

use super::Call;
use crate::graph::Value;
use ringwood_base::{DType, Error, Result};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Values, numbers, and operators over them. `V` is a value of a graph, or its name in a program that is written.
#[derive(Clone)]
pub enum Formula<V = Value> {
    /// A value.
    Value(V),
    /// A number of the element type of the operand beside it.
    Number(f64),
    /// An operator of formulas.
    Apply(&'static str, Vec<Self>),
    /// A formula as another type.
    Cast(Box<Self>, DType),
}

use Formula::{Apply, Cast, Number};

/// A value in a formula.
pub fn v<V>(value: V) -> Formula<V> {
    Formula::Value(value)
}

/// `yes` where `a` is less than `b`, else `no`.
pub fn if_less(
    a: impl Into<Formula>,
    b: impl Into<Formula>,
    yes: impl Into<Formula>,
    no: impl Into<Formula>,
) -> Formula {
    Apply("if_less", vec![a.into(), b.into(), yes.into(), no.into()])
}

/// `x` between `low` and `high`.
pub fn clamp(x: impl Into<Formula>, low: impl Into<f64>, high: impl Into<f64>) -> Formula {
    Apply("clamp", vec![x.into(), Number(low.into()), Number(high.into())])
}

/// `yes` where `condition` is true, else `no`.
pub fn select(
    condition: impl Into<Formula>,
    yes: impl Into<Formula>,
    no: impl Into<Formula>,
) -> Formula {
    Apply("select", vec![condition.into(), yes.into(), no.into()])
}

impl<V> Formula<V> {
    /// An operator of one operand.
    pub fn of(self, operator: &'static str) -> Self {
        Apply(operator, vec![self])
    }

    /// The same as another type.
    pub fn to(self, dtype: DType) -> Self {
        Cast(self.into(), dtype)
    }

    /// An operator of two operands.
    pub fn with(self, operator: &'static str, other: impl Into<Self>) -> Self {
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
        Number(number.into())
    }
}

impl<V> From<f64> for Formula<V> {
    fn from(number: f64) -> Self {
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
                Formula::from(self).with($operator, other)
            }
        }

        impl<V> $name<Formula<V>> for f64 {
            type Output = Formula<V>;

            fn $method(self, other: Formula<V>) -> Formula<V> {
                Number(self).with($operator, other)
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
    ///
    /// # Errors
    /// An operator does not fit its operands, or has numbers alone.
    pub fn eval(&mut self, formula: impl Into<Formula>) -> Result<Value> {
        let (operator, operands) = match formula.into() {
            Formula::Value(value) => return Ok(value),
            Cast(formula, dtype) => {
                let value = self.eval(*formula)?;
                return self.cast(value, dtype);
            }
            Apply("mul", mut operands) if matches!(operands[1], Number(1.0)) => {
                return self.eval(operands.swap_remove(0));
            }
            Apply(operator, operands) => (operator, operands),
            Number(number) => {
                return Err(Error::invalid(format!(
                    "the number {number} has no element type by itself"
                )));
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
            let alone =
                || Error::invalid(format!("{operator} of numbers alone has no element type"));
            let dtype = dtype.ok_or_else(alone)?;
            let number = self.number(dtype, number)?;
            values.insert(place, number);
        }
        self.apply(operator, &values)
    }
}
