//! Steps of the chain rule, for functions of one element.

use ringwood_base::Result;
use ringwood_graph::graph::{GradientContext, Value};

/// The gradient of an application, as its steps build it.
pub(super) struct Chain<'a, 'g>(pub(super) &'a mut GradientContext<'g>);

impl Chain<'_, '_> {
    /// The operand.
    pub(super) fn x(&self) -> Value {
        self.0.operand(0)
    }

    /// The result.
    pub(super) fn y(&self) -> Value {
        self.0.result()
    }

    pub(super) fn of(&mut self, operator: &str, operands: &[Value]) -> Result<Value> {
        self.0.apply(operator, operands)
    }

    /// `a * factor`
    pub(super) fn scaled(&mut self, a: Value, factor: f64) -> Result<Value> {
        let factor = self.0.constant(factor)?;
        self.of("mul", &[a, factor])
    }

    /// The gradient of the result times `slope`.
    pub(super) fn times(&mut self, slope: Value) -> Result<Value> {
        let g = self.0.gradient()?;
        self.of("mul", &[g, slope])
    }

    /// The gradient of the result divided by `a`.
    pub(super) fn over(&mut self, a: Value) -> Result<Value> {
        let g = self.0.gradient()?;
        self.of("div", &[g, a])
    }

    /// `constant + sign * a * a`
    pub(super) fn square(&mut self, constant: f64, sign: f64, a: Value) -> Result<Value> {
        let square = self.of("mul", &[a, a])?;
        let square = self.scaled(square, sign)?;
        let constant = self.0.constant(constant)?;
        self.of("add", &[constant, square])
    }

    /// The gradient times `factor / sqrt(1 - x²)`.
    pub(super) fn arc(&mut self, factor: f64) -> Result<Value> {
        let rest = self.square(1.0, -1.0, self.x())?;
        let slope = self.of("rsqrt", &[rest])?;
        let slope = self.scaled(slope, factor)?;
        self.times(slope)
    }

    /// The gradient times `factor exp(-x²)`.
    pub(super) fn bell(&mut self, factor: f64) -> Result<Value> {
        let exponent = self.square(0.0, -1.0, self.x())?;
        let slope = self.of("exp", &[exponent])?;
        let slope = self.scaled(slope, factor)?;
        self.times(slope)
    }
}
