//! What the gradient function of an operator is given.

use crate::compose::Call;
use crate::graph::{Attributes, TensorType, Value, ValueId};
use ringwood_base::{Error, Result};
use std::ops::{Deref, DerefMut};

/// What a gradient function gets: the [`Call`] whose gradient is built, and the gradients of its results.
///
/// ```
/// use ringwood_base::Result;
/// use ringwood_graph::graph::GradientContext;
///
/// /// The gradient of `a * b`.
/// fn mul(c: &mut GradientContext<'_>) -> Result<()> {
///     let (a, b, g) = (c.operand(0), c.operand(1), c.gradient()?);
///     let (to_a, to_b) = (c.apply("mul", &[g, b])?, c.apply("mul", &[g, a])?);
///     c.add(0, to_a)?;
///     c.add(1, to_b)
/// }
/// ```
pub struct GradientContext<'a> {
    /// The application; its operands are those of the node, or computed again.
    pub(super) call: Call<'a>,
    /// The node of the results: the application, or where it is computed again.
    pub(super) result: u32,
    /// The gradients of the results.
    pub(super) results: Vec<Option<Value>>,
    pub(super) wanted: Vec<bool>,
    pub(super) sums: Vec<Option<Value>>,
}

impl<'a> Deref for GradientContext<'a> {
    type Target = Call<'a>;

    fn deref(&self) -> &Call<'a> {
        &self.call
    }
}

impl<'a> DerefMut for GradientContext<'a> {
    fn deref_mut(&mut self) -> &mut Call<'a> {
        &mut self.call
    }
}

impl GradientContext<'_> {
    /// Operand `i` of the application.
    ///
    /// # Panics
    /// The operator has no operand `i`.
    pub fn operand(&self, i: usize) -> Value {
        self.maybe(i).unwrap_or_else(|| panic!("{} has no operand {i}", self.operator))
    }

    /// The first result of the application.
    pub fn result(&self) -> Value {
        Value { graph: self.graph.id, id: ValueId { node: self.result, result: 0 } }
    }

    /// The gradient of the loss with respect to the first result.
    ///
    /// # Errors
    /// The loss depends on other results only.
    pub fn gradient(&self) -> Result<Value> {
        self.gradient_of(0).ok_or_else(|| Error::invalid("the loss does not depend on result 0"))
    }

    /// The gradient of the loss with respect to result `i`, if the loss depends on it.
    pub fn gradient_of(&self, i: usize) -> Option<Value> {
        self.results.get(i).copied().flatten()
    }

    /// Whether the gradient of operand `i` is needed.
    pub fn wants(&self, i: usize) -> bool {
        self.wanted.get(i).copied().unwrap_or(false)
    }

    /// Applies an operator; see [`Call::apply`].
    ///
    /// # Errors
    /// As [`Graph::apply`](crate::graph::Graph::apply).
    pub fn apply(&mut self, operator: &str, operands: &[Value]) -> Result<Value> {
        self.call.apply(operator, operands)
    }

    /// Applies an operator with attributes; see [`Call::apply_with`].
    ///
    /// # Errors
    /// As [`Graph::apply_with`](crate::graph::Graph::apply_with).
    pub fn apply_with(
        &mut self,
        operator: &str,
        operands: &[Value],
        attributes: impl Into<Attributes>,
    ) -> Result<Value> {
        self.call.apply_with(operator, operands, attributes)
    }

    /// A rank-0 constant of the first result's dtype.
    ///
    /// # Errors
    /// The dtype is no float.
    pub fn constant(&mut self, value: f64) -> Result<Value> {
        let dtype = self.type_of(self.result())?.dtype;
        self.graph.float_constant(dtype, &[], value)
    }

    /// Adds `gradient` to the gradient of operand `i`, summed over the dimensions along which the
    /// operand was broadcast. Nothing if it is not wanted.
    ///
    /// # Errors
    /// The operator has no operand `i`, or the shape of `gradient` is not one that it broadcasts to.
    pub fn add(&mut self, i: usize, gradient: Value) -> Result<()> {
        if i >= self.wanted.len() {
            let message = format!("a gradient for operand {i}, of {}", self.wanted.len());
            return Err(Error::invalid(message).help("operands are counted from 0"));
        }
        if !self.wanted[i] {
            return Ok(());
        }
        let gradient = self.sum_to(gradient, self.type_of(self.operand(i))?)?;
        self.sums[i] = match self.sums[i] {
            Some(sum) => Some(self.apply("ringwood::add", &[sum, gradient])?),
            None => Some(gradient),
        };
        Ok(())
    }

    fn sum_to(&mut self, mut value: Value, target: TensorType) -> Result<Value> {
        let ty = self.type_of(value)?;
        if ty.dtype != target.dtype || ty.shape.broadcast(&target.shape).ok() != Some(ty.shape) {
            let message = format!("a gradient of type {ty} for an operand of type {target}");
            return Err(Error::shape(message));
        }
        for _ in target.shape.len()..ty.shape.len() {
            value = self.apply_with("ringwood::sum", &[value], [("axis", 0_usize)])?;
        }
        for axis in 0..target.shape.len() {
            if target.shape[axis] == 1 && self.type_of(value)?.shape[axis] != 1 {
                value = self.apply_with("ringwood::sum_keep", &[value], [("axis", axis)])?;
            }
        }
        Ok(value)
    }
}
