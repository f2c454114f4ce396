//! Reverse-mode gradients: nodes that compute them, added to the same graph.

use super::attributes::float_bytes;
use super::{Attribute, Attributes, Graph, NodeKind, TensorType, Value, ValueId};
use crate::operator::Operator;
use ringwood_base::registry::RINGWOOD;
use ringwood_base::{DType, Error, ErrorKind, Result};
use std::collections::HashMap;

impl Graph {
    /// Adds nodes for the gradient of `loss` with respect to each of `wrt`, in order.
    ///
    /// Each gradient has the type of the value it belongs to. The gradient functions come from the
    /// operators' declarations; gradients are ordinary nodes and have gradients themselves. They
    /// ask for the devices that the differentiated nodes ask for. On an error the graph stays as it
    /// was.
    ///
    /// # Errors
    /// `loss` has not exactly one element or is no float, does not depend on one of `wrt`, or
    /// depends on it through an operator without gradient: the error names it.
    pub fn gradient(&mut self, loss: Value, wrt: &[Value]) -> Result<Vec<Value>> {
        let length = self.nodes.len();
        let result = self.add_gradient(loss, wrt);
        if result.is_err() {
            self.nodes.truncate(length);
        }
        result
    }

    fn add_gradient(&mut self, loss: Value, wrt: &[Value]) -> Result<Vec<Value>> {
        let ty = self.type_of(loss)?;
        let targets = wrt.iter().map(|&v| self.check(v)).collect::<Result<Vec<_>>>()?;
        if ty.shape.elements() != 1 {
            let message = format!("a gradient is taken of one number, not of {ty}");
            return Err(Error::new(ErrorKind::Shape, message).help("reduce it: sum_all, mean_all"));
        }
        let depends = self.depending_on(&targets);
        let one = self.float_constant(ty.dtype, &ty.shape, 1.0)?;
        let mut gradients = HashMap::from([(loss.id, one)]);
        for node in (0..=loss.id.node).rev().filter(|&n| depends[n as usize]) {
            self.visit(node, &depends, &mut gradients)?;
        }
        let found = |(id, &value): (ValueId, &Value)| {
            gradients.get(&id).copied().ok_or_else(|| self.independent(loss, value))
        };
        targets.into_iter().zip(wrt).map(found).collect()
    }

    /// Which nodes depend on one of `targets`.
    fn depending_on(&self, targets: &[ValueId]) -> Vec<bool> {
        let mut depends = vec![false; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            let target = targets.iter().any(|t| t.node as usize == i);
            depends[i] = target || node.operands.iter().any(|o| depends[o.node as usize]);
        }
        depends
    }

    /// Passes the gradients of a node's results on to its operands.
    fn visit(
        &mut self,
        index: u32,
        depends: &[bool],
        gradients: &mut HashMap<ValueId, Value>,
    ) -> Result<()> {
        let node = &self.nodes[index as usize];
        let wanted: Vec<bool> = node.operands.iter().map(|o| depends[o.node as usize]).collect();
        let results: Vec<Option<Value>> = (0..node.results.len() as u32)
            .map(|result| gradients.get(&ValueId { node: index, result }).copied())
            .collect();
        if !wanted.contains(&true) || results.iter().all(Option::is_none) {
            return Ok(());
        }
        let (operands, kind) = (node.operands.clone(), node.kind.clone());
        let contributions = match &kind {
            NodeKind::Copy => vec![results[0]],
            NodeKind::Apply(name) => {
                let registry = self.registry()?;
                let package = registry.entry::<Operator>(name)?.meta().package;
                let gradient = registry.find::<Operator>(name)?.gradient;
                let gradient = gradient.ok_or_else(|| no_gradient(name))?;
                let sums = vec![None; operands.len()];
                let mut context =
                    GradientContext { graph: self, node: index, package, results, wanted, sums };
                gradient(&mut context)
                    .map_err(|e| Error::new(e.kind(), format!("gradient of `{name}`: {e}")))?;
                context.sums
            }
            NodeKind::Fused(_) | NodeKind::View(_) => {
                let message = "what a plan made of a graph, fused nodes and views, has no gradient";
                return Err(Error::new(ErrorKind::Unsupported, message)
                    .help("take the gradient of the graph before it is planned"));
            }
            _ => return Ok(()),
        };
        for (operand, contribution) in operands.into_iter().zip(contributions) {
            let Some(contribution) = contribution else { continue };
            let sum = match gradients.get(&operand) {
                Some(&earlier) => {
                    let sum = self.apply("ringwood::add", &[earlier, contribution])?;
                    let device = self.nodes[operand.node as usize].device.clone();
                    self.node_mut(sum.id.node as usize).device = device;
                    sum
                }
                None => contribution,
            };
            gradients.insert(operand, sum);
        }
        Ok(())
    }

    fn float_constant(&mut self, dtype: DType, dims: &[usize], value: f64) -> Result<Value> {
        let element = float_bytes(dtype, value)?;
        let elements: usize = dims.iter().product();
        self.constant_bytes(dtype, dims, &element.repeat(elements))
    }

    fn independent(&self, loss: Value, value: Value) -> Error {
        let node = &self.nodes[value.id.node as usize];
        let message = format!("{} does not depend on {}: `{node}`", loss.id, value.id);
        Error::new(ErrorKind::InvalidArgument, message)
            .help("a gradient flows only through operands for which each operator has one")
    }
}

fn no_gradient(operator: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("operator `{operator}` has no gradient"))
        .help("add `gradient:` to its register_operator!, or take the gradient elsewhere")
}

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
    graph: &'a mut Graph,
    node: u32,
    /// The package that declares the operator.
    package: &'static str,
    results: Vec<Option<Value>>,
    wanted: Vec<bool>,
    sums: Vec<Option<Value>>,
}

impl GradientContext<'_> {
    /// Operand `i` of the application.
    ///
    /// # Panics
    /// The operator has no operand `i`.
    pub fn operand(&self, i: usize) -> Value {
        let id = self.graph.nodes[self.node as usize].operands[i];
        Value { graph: self.graph.id, id }
    }

    /// The first result of the application.
    pub fn result(&self) -> Value {
        Value { graph: self.graph.id, id: ValueId { node: self.node, result: 0 } }
    }

    /// The gradient of the loss with respect to the first result.
    ///
    /// # Errors
    /// The loss depends on other results only.
    pub fn gradient(&self) -> Result<Value> {
        self.gradient_of(0).ok_or_else(|| {
            Error::new(ErrorKind::InvalidArgument, "the loss does not depend on result 0")
        })
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
            return Err(Error::new(ErrorKind::Shape, message));
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
