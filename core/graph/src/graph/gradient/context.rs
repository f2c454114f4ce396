//! What the gradient function of an operator is given.

use crate::graph::{Attribute, Attributes, Graph, TensorType, Value, ValueId};
use ringwood_base::registry::RINGWOOD;
use ringwood_base::{Element, Error, Result};

/// What a gradient function gets: the application whose gradient is built, and its graph.
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
    pub(super) graph: &'a mut Graph,
    pub(super) node: u32,
    /// The package that declares the operator.
    pub(super) package: &'static str,
    /// The operands, and the node of the results: those of the application, or computed again.
    pub(super) operands: Vec<ValueId>,
    pub(super) result: u32,
    /// The gradients of the results.
    pub(super) results: Vec<Option<Value>>,
    pub(super) wanted: Vec<bool>,
    pub(super) sums: Vec<Option<Value>>,
}

impl GradientContext<'_> {
    /// Operand `i` of the application.
    ///
    /// # Panics
    /// The operator has no operand `i`.
    pub fn operand(&self, i: usize) -> Value {
        Value { graph: self.graph.id, id: self.operands[i] }
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

    /// The type of a value.
    ///
    /// # Errors
    /// The value is of another graph.
    pub fn type_of(&self, value: Value) -> Result<TensorType> {
        self.graph.type_of(value)
    }

    /// An attribute of the application.
    ///
    /// # Errors
    /// There is none of this name, or it is of another type.
    pub fn attribute<T>(&self, name: &str) -> Result<T>
    where
        T: for<'a> TryFrom<&'a Attribute, Error = Error>,
    {
        let node = &self.graph.nodes[self.node as usize];
        node.attributes.value(node.operator().unwrap_or("copy"), name)
    }

    /// The attributes of the application.
    pub fn attributes(&self) -> Attributes {
        self.graph.nodes[self.node as usize].attributes.clone()
    }

    /// Applies an operator; see [`GradientContext::apply_with`].
    ///
    /// # Errors
    /// As [`Graph::apply`].
    pub fn apply(&mut self, operator: &str, operands: &[Value]) -> Result<Value> {
        self.apply_with(operator, operands, Attributes::default())
    }

    /// Applies an operator with attributes; see [`Graph::apply_with`]. In the gradients of Ringwood's
    /// operators, a short name means another operator of Ringwood, and no other package's.
    ///
    /// # Errors
    /// As [`Graph::apply_with`].
    pub fn apply_with(
        &mut self,
        operator: &str,
        operands: &[Value],
        attributes: impl Into<Attributes>,
    ) -> Result<Value> {
        let full = format!("{RINGWOOD}::{operator}");
        let own = self.package == RINGWOOD && !operator.contains("::");
        let value =
            self.graph.apply_with(if own { &full } else { operator }, operands, attributes)?;
        let device = self.graph.nodes[self.node as usize].device.clone();
        self.graph.node_mut(value.id.node as usize).device = device;
        Ok(value)
    }

    /// A rank-0 constant of the first result's dtype.
    ///
    /// # Errors
    /// The dtype is no float.
    pub fn constant(&mut self, value: f64) -> Result<Value> {
        let dtype = self.graph.nodes[self.node as usize].results[0].dtype;
        self.graph.float_constant(dtype, &[], value)
    }

    /// A constant of any dtype: `elements` in row-major order.
    ///
    /// # Errors
    /// The shape has another number of elements.
    pub fn constant_of<T: Element>(&mut self, dims: &[usize], elements: &[T]) -> Result<Value> {
        self.graph.constant(dims, elements)
    }

    /// Adds `gradient` to the gradient of operand `i`, summed over the dimensions along which the
    /// operand was broadcast. Nothing if it is not wanted.
    ///
    /// # Errors
    /// The shape of `gradient` is not one that operand `i` broadcasts to.
    pub fn add(&mut self, i: usize, gradient: Value) -> Result<()> {
        if !self.wants(i) {
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
