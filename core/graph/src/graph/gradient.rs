//! Reverse-mode gradients: nodes that compute them, added to the same graph.

mod context;

pub use context::GradientContext;

use super::attributes::float_bytes;
use super::{Graph, Node, NodeKind, Value, ValueId};
use crate::compose::Call;
use crate::operator::Operator;
use ringwood_base::{DType, Error, Result};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

impl Graph {
    /// Adds nodes for the gradient of `loss` with respect to each of `wrt`, in order.
    ///
    /// Each gradient has the type of the value it belongs to. The gradient functions come from the
    /// operators' declarations; gradients are ordinary nodes and have gradients themselves. They
    /// ask for the devices that the differentiated nodes ask for. A gradient flows through values of
    /// floating-point dtypes, and ends at others; where each path there has the slope 0, as that of `floor`, it is zeros. On an
    /// error the graph stays as it was.
    ///
    /// # Errors
    /// `loss` has not exactly one element or is no float, one of `wrt` is no float, `loss` does not depend on
    /// it, or depends on it through an operator without gradient: the error names it and the node.
    pub fn gradient(&mut self, loss: Value, wrt: &[Value]) -> Result<Vec<Value>> {
        self.gradient_with(loss, wrt, &[])
    }

    /// As [`Graph::gradient`], with blocks of nodes whose values are not kept for the gradients of the same
    /// block, but computed again when the first of those is.
    ///
    /// A block is a range of positions in [`Graph::nodes`], as what a function added: a value of it that others read is
    /// kept for them. Bits do not change, but for gradients of these gradients; a plan takes less memory and more time. A
    /// node in several blocks is of the first.
    ///
    /// ```
    /// use ringwood_base::DType;
    /// use ringwood_graph::graph::Graph;
    /// # use ringwood_base::registry::Registry;
    /// # use ringwood_graph::register_operator;
    /// # register_operator! { pub Square = "doc_square"; shape: "... -> ...", gradient: |c| {
    /// #     let (x, g) = (c.operand(0), c.gradient()?);
    /// #     let to_x = c.apply("doc_times", &[x, g])?;
    /// #     c.add(0, to_x)
    /// # } }
    /// # register_operator! { pub Times = "doc_times"; shape: "..., ... -> ..." }
    /// # let registry = Registry::builder().register(Square::ENTRY).register(Times::ENTRY).build()?;
    ///
    /// let mut graph = Graph::with_registry(registry);
    /// let x = graph.parameter("x", DType::F32, &[])?;
    /// let first = graph.nodes().len();
    /// let y = graph.apply("doc_square", &[x])?;
    /// let loss = graph.apply("doc_square", &[y])?;
    /// let block = first..graph.nodes().len();
    /// let gradient = graph.gradient_with(loss, &[x], &[block])?[0];
    /// // The first square again, then the gradients.
    /// assert_eq!(graph.nodes()[4].to_string(), "doc_square(%0): f32[]");
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Graph::gradient`]; a block reaches beyond the nodes.
    pub fn gradient_with(
        &mut self,
        loss: Value,
        wrt: &[Value],
        recompute: &[Range<usize>],
    ) -> Result<Vec<Value>> {
        let length = self.nodes.len();
        let result = self.add_gradient(loss, wrt, recompute);
        if result.is_err() {
            self.nodes.truncate(length);
        }
        (length..self.nodes.len()).for_each(|added| self.node_mut(added).gradient = true);
        result
    }

    fn add_gradient(
        &mut self,
        loss: Value,
        wrt: &[Value],
        recompute: &[Range<usize>],
    ) -> Result<Vec<Value>> {
        let (ty, length) = (self.type_of(loss)?, self.nodes.len());
        let targets = wrt.iter().map(|&v| self.target(v)).collect::<Result<Vec<_>>>()?;
        if ty.shape.elements() != 1 {
            let message = format!("a gradient is taken of one number, not of {ty}");
            return Err(Error::shape(message).help("reduce it: sum_all, mean_all"));
        }
        if let Some(block) = recompute.iter().find(|block| block.end > length) {
            return Err(Error::invalid(format!(
                "a block of the nodes {block:?} of a graph of {length}"
            )));
        }
        let depends = self.depending_on(&targets);
        let blocks = recompute.iter().map(|nodes| (nodes.clone(), HashMap::new())).collect();
        let one = self.float_constant(ty.dtype, &ty.shape, 1.0)?;
        let gradients = HashMap::from([(loss.id, one)]);
        let mut flow = Flow { depends, gradients, blocks };
        for node in (0..=loss.id.node).rev() {
            self.visit(node, &mut flow)?;
        }
        let found = |(id, &value): (ValueId, &Value)| match flow.gradients.get(&id) {
            Some(&gradient) => Ok(gradient),
            None => self.zeros(loss, value),
        };
        targets.into_iter().zip(wrt).map(found).collect()
    }

    /// The gradient of a value from which the loss depends through slopes of 0 alone.
    ///
    /// # Errors
    /// The loss does not depend on the value.
    fn zeros(&mut self, loss: Value, value: Value) -> Result<Value> {
        let (ty, length) = (self.type_of(value)?, self.nodes.len());
        let mut depends = HashSet::from([value.id]);
        for (i, node) in self.nodes.iter().enumerate() {
            if node.operands.iter().any(|operand| depends.contains(operand)) {
                let results = node.results.iter().enumerate().filter(|(_, ty)| ty.dtype.is_float());
                depends.extend(results.map(|(k, _)| ValueId { node: i as u32, result: k as u32 }));
            }
        }
        let node = &self.nodes[value.id.node as usize];
        if !depends.contains(&loss.id) {
            let message = format!("{} does not depend on {}: `{node}`", loss.id, value.id);
            return Err(Error::invalid(message).help("a gradient flows only through floats"));
        }
        let device = node.device.clone();
        let zero = self.float_constant(ty.dtype, &[], 0.0)?;
        let shape = [("shape", &ty.shape[..])];
        let zeros = self.apply_with("ringwood::broadcast_to", &[zero], shape)?;
        self.place_added(length, device.as_ref());
        Ok(zeros)
    }

    fn target(&self, value: Value) -> Result<ValueId> {
        let (id, ty) = (self.check(value)?, self.type_of(value)?);
        if ty.dtype.is_float() {
            return Ok(id);
        }
        let node = &self.nodes[id.node as usize];
        Err(Error::dtype(format!("a gradient with respect to {id}, which is no float: `{node}`")))
    }

    /// Which nodes depend on one of `targets` through floats.
    fn depending_on(&self, targets: &[ValueId]) -> Vec<bool> {
        let mut depends = vec![false; self.nodes.len()];
        for (i, node) in self.nodes.iter().enumerate() {
            let float = node.results.iter().any(|ty| ty.dtype.is_float());
            let target = targets.iter().any(|t| t.node as usize == i);
            let mut operands = node.operands.iter();
            depends[i] = target || float && operands.any(|o| depends[o.node as usize]);
        }
        depends
    }

    /// Passes the gradients of a node's results on to its operands.
    fn visit(&mut self, index: u32, flow: &mut Flow) -> Result<()> {
        let node = Arc::clone(&self.nodes[index as usize]);
        let float = |o: &ValueId| self.value_type(*o).dtype.is_float();
        let wanted = node.operands.iter().map(|o| flow.depends[o.node as usize] && float(o));
        let wanted: Vec<bool> = wanted.collect();
        let results: Vec<Option<Value>> = (0..node.results.len() as u32)
            .map(|result| flow.gradients.get(&ValueId { node: index, result }).copied())
            .collect();
        if !wanted.contains(&true) || results.iter().all(Option::is_none) {
            return Ok(());
        }
        let contributions = match &node.kind {
            NodeKind::Copy => {
                // Back to where the operand is.
                let own = self.nodes[node.operands[0].node as usize].device.clone();
                let own = own.filter(|own| node.device.as_ref() != Some(own));
                vec![match (results[0], own) {
                    (Some(gradient), Some(device)) => Some(self.copy(gradient, &device)?),
                    (gradient, _) => gradient,
                }]
            }
            NodeKind::Collective(call) => {
                let length = self.nodes.len();
                let operand = self.value_type(node.operands[0]);
                let back = results[0].map(|gradient| self.transpose(call, operand, gradient));
                let back = back.transpose();
                self.place_added(length, node.device.as_ref());
                vec![back.map_err(|e| e.with("node", format!("%{index} = {node}")))?]
            }
            NodeKind::Apply(name) => self.differentiate(index, name, flow, results, wanted)?,
            NodeKind::Fused(_) | NodeKind::View(_) => {
                let message = "what a plan made of a graph, fused nodes and views, has no gradient";
                return Err(Error::unsupported(message)
                    .help("take the gradient of the graph before it is planned"));
            }
            _ => return Ok(()),
        };
        for (&operand, contribution) in node.operands.iter().zip(contributions) {
            let Some(contribution) = contribution else { continue };
            let sum = match flow.gradients.get(&operand) {
                Some(&earlier) => {
                    let sum = self.apply("ringwood::add", &[earlier, contribution])?;
                    let device = self.nodes[operand.node as usize].device.clone();
                    self.node_mut(sum.id.node as usize).device = device;
                    sum
                }
                None => contribution,
            };
            flow.gradients.insert(operand, sum);
        }
        Ok(())
    }

    /// What an application adds to the gradients of its operands.
    fn differentiate(
        &mut self,
        index: u32,
        operator: &str,
        flow: &mut Flow,
        results: Vec<Option<Value>>,
        wanted: Vec<bool>,
    ) -> Result<Vec<Option<Value>>> {
        let node = Arc::clone(&self.nodes[index as usize]);
        let here = |e: Error| e.with("node", format!("%{index} = {node}"));
        let registry = self.registry()?;
        let package = registry.entry::<Operator>(operator)?.meta().package;
        let gradient = registry.find::<Operator>(operator)?.gradient;
        let gradient = gradient.ok_or_else(|| here(no_gradient(operator)))?;
        let block = flow.again(self, index);
        let again = |node: u32| block.and_then(|made| made.get(&node)).copied().unwrap_or(node);
        let operand = |o: &ValueId| ValueId { node: again(o.node), ..*o };
        let operands = node.operands.iter().map(operand);
        let operands = operands.map(|id| Some(Value { graph: self.id, id })).collect();
        let (result, length) = (again(index), self.nodes.len());
        let attributes = &node.attributes;
        let mut context = GradientContext {
            call: Call { graph: self, package, operator, operands, attributes },
            result,
            results,
            wanted,
            sums: vec![None; node.operands.len()],
        };
        gradient(&mut context)
            .map_err(|e| here(Error::new(e.kind(), format!("gradient of `{operator}`: {e}"))))?;
        let sums = context.sums;
        self.place_added(length, node.device.as_ref());
        Ok(sums)
    }

    /// Places the nodes from `first` on that compute something, and name no device.
    fn place_added(&mut self, first: usize, device: Option<&String>) {
        for added in first..self.nodes.len() {
            let added = self.node_mut(added);
            if added.device.is_none() && !added.is_source() {
                added.device = device.cloned();
            }
        }
    }

    pub(super) fn float_constant(
        &mut self,
        dtype: DType,
        dims: &[usize],
        value: f64,
    ) -> Result<Value> {
        let element = float_bytes(dtype, value)?;
        let elements: usize = dims.iter().product();
        self.constant_bytes(dtype, dims, &element.repeat(elements))
    }
}

/// Gradients on their way from the loss to its operands.
struct Flow {
    /// Which nodes depend on the targets.
    depends: Vec<bool>,
    gradients: HashMap<ValueId, Value>,
    /// Blocks that are computed again, and where the nodes of each are then.
    blocks: Vec<(Range<usize>, HashMap<u32, u32>)>,
}

impl Flow {
    /// Where the nodes of the block of a node are computed again; the first time, this adds them all, and a plan
    /// leaves out what nothing reads.
    fn again(&mut self, graph: &mut Graph, node: u32) -> Option<&HashMap<u32, u32>> {
        let mut blocks = self.blocks.iter_mut();
        let (nodes, made) = blocks.find(|(nodes, _)| nodes.contains(&(node as usize)))?;
        for i in if made.is_empty() { nodes.clone() } else { 0..0 } {
            let mut node = Node::clone(&graph.nodes[i]);
            if !node.is_source() {
                for operand in &mut node.operands {
                    operand.node = made.get(&operand.node).copied().unwrap_or(operand.node);
                }
                made.insert(i as u32, graph.push(node).id.node);
            }
        }
        Some(made)
    }
}

fn no_gradient(operator: &str) -> Error {
    Error::unsupported(format!("operator `{operator}` has no gradient"))
        .help("add `gradient:` to its register_operator!, or take the gradient elsewhere")
}
