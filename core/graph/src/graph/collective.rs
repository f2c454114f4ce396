//! Collectives as nodes: what all ranks of a group compute together.

use super::{Graph, Node, NodeKind, TensorType, Value};
use ringwood_base::{Error, ErrorKind, Result, Shape, counted, is_permutation};
use ringwood_schedule::{Invocation, Operation, Order, ReduceOp, Request};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The ranks that take part in a collective, and how they run it.
///
/// ```
/// use ringwood_graph::graph::Ranks;
/// use ringwood_schedule::Order;
///
/// let tensor_parallel = Ranks::in_group().order(Order::XorTree);
/// assert_eq!(tensor_parallel.to_string(), "in the group, in the order xor_tree");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[must_use]
pub struct Ranks {
    /// Those of the caller's group alone; of all, where there is one group.
    pub group: bool,
    /// The algorithm, if it is not to be chosen.
    pub algorithm: Option<String>,
    /// The order of the merges, if the bits are not to depend on the algorithm.
    pub order: Option<Order>,
}

impl Ranks {
    /// All ranks.
    pub fn all() -> Self {
        Self::default()
    }

    /// The ranks of the caller's group; all, where there is one group.
    pub fn in_group() -> Self {
        Self { group: true, ..Self::default() }
    }

    /// The same by the algorithm of this name.
    pub fn with(self, algorithm: &str) -> Self {
        Self { algorithm: Some(algorithm.to_owned()), ..self }
    }

    /// The same with merges in this order: the bits do not depend on algorithm, size or transport.
    pub fn order(self, order: Order) -> Self {
        Self { order: Some(order), ..self }
    }
}

impl fmt::Display for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.group { "in the group" } else { "of all" })?;
        self.algorithm.as_ref().map_or(Ok(()), |name| write!(f, ", with {name}"))?;
        self.order.map_or(Ok(()), |order| write!(f, ", in the order {order}"))
    }
}

/// One call of a group, as a node has it: every rank has the same node, and runs it at the same place of its program.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Collective {
    /// What the ranks call, how many they are, and the elements of the vector or of each block.
    pub request: Request,
    /// Which ranks they are, and how they run it.
    pub ranks: Ranks,
}

impl Collective {
    /// A call to which each of `size` ranks brings a tensor of this type.
    ///
    /// # Errors
    /// The operation has a root or no elements, has no merge or one too many, or no such permutation; or the first extent is
    /// none that the ranks can share.
    pub fn new(
        what: Invocation<'static>,
        ranks: Ranks,
        size: usize,
        operand: TensorType,
    ) -> Result<Self> {
        let blocks = match what.operation {
            Operation::ReduceScatter | Operation::AllToAll => size.max(1),
            _ => 1,
        };
        let elements = operand.shape.elements() / blocks;
        let request = Request::new(what.operation, size, elements, operand.dtype);
        let what = Invocation { dtype: operand.dtype, ..what };
        let call = Self { request: Request { what, ..request }, ranks };
        call.result(operand).map(|_| call)
    }

    /// What each rank gets for an operand of this type.
    ///
    /// # Errors
    /// As [`Collective::new`]; the request is for another operand.
    pub fn result(&self, operand: TensorType) -> Result<TensorType> {
        let Request { what, ranks, elements, .. } = &self.request;
        let (operation, size) = (what.operation, *ranks);
        let wrong = |kind, why: String| Err(Error::new(kind, format!("{operation}: {why}")));
        let mut dims = operand.shape.to_vec();
        let rows = dims.first().copied().unwrap_or(1);
        match operation {
            Operation::AllReduce | Operation::Permute => {}
            Operation::AllGather if dims.is_empty() => dims.push(size),
            Operation::AllGather => dims[0] = rows.saturating_mul(size),
            Operation::ReduceScatter | Operation::AllToAll => {
                if dims.is_empty() || size == 0 || rows % size != 0 {
                    let why = format!("{size} ranks cannot share the first extent of {operand}");
                    return wrong(ErrorKind::Shape, why);
                }
                dims[0] = if operation == Operation::AllToAll { rows } else { rows / size };
            }
            _ => return wrong(ErrorKind::Unsupported, "is no node of a graph".into()),
        }
        what.check()?;
        let to = what.permutation.as_deref().unwrap_or_default();
        if operation == Operation::Permute && !is_permutation(to, size) {
            return wrong(
                ErrorKind::InvalidArgument,
                format!("{to:?} is not a permutation of {}", counted(size, "rank")),
            );
        }
        let result = TensorType { shape: Shape::new(&dims)?, ..operand };
        let block = if operation == Operation::AllToAll { elements * size } else { *elements };
        let brought = if operation == Operation::ReduceScatter { result } else { operand };
        if what.dtype == operand.dtype && block == brought.shape.elements() {
            return Ok(result);
        }
        wrong(ErrorKind::Shape, format!("was made for another operand than {operand}"))
    }

    /// Whether the result replaces the elements of the operand, so that it may lie in its memory.
    pub fn is_in_place(&self) -> bool {
        matches!(self.request.what.operation, Operation::AllReduce | Operation::Permute)
    }

    /// The call that takes the gradient of the result to that of the operand: of the sum of what all ranks compute.
    ///
    /// # Errors
    /// The merge is not linear.
    pub(super) fn transposed(&self) -> Result<Invocation<'static>> {
        let what = &self.request.what;
        let (dtype, op) = (what.dtype, what.reduce);
        if op.is_some_and(|op| !is_linear(op)) {
            let message =
                format!("{} of {} has no gradient", what.operation, op.unwrap_or(ReduceOp::Max));
            return Err(Error::unsupported(message)
                .help("merge by `Sum` or `Mean`, or take the gradient elsewhere"));
        }
        Ok(match what.operation {
            Operation::AllGather => {
                Invocation::new(Operation::ReduceScatter, dtype).reduce(ReduceOp::Sum)
            }
            Operation::ReduceScatter => Invocation::new(Operation::AllGather, dtype),
            Operation::Permute => {
                let to = what.permutation.as_deref().unwrap_or_default();
                let mut inverse = vec![0; to.len()];
                to.iter().enumerate().for_each(|(from, &to)| inverse[to] = from);
                what.clone().permutation(inverse)
            }
            _ => what.clone(),
        })
    }
}

fn is_linear(op: ReduceOp) -> bool {
    matches!(
        op,
        ReduceOp::Sum
            | ReduceOp::Mean
            | ReduceOp::ReproducibleSum
            | ReduceOp::Int8Sum
            | ReduceOp::Int8Mean
    )
}

/// `all_reduce sum among 4, of all`.
impl fmt::Display for Collective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Request { what, ranks, .. } = &self.request;
        f.write_str(what.operation.name())?;
        what.reduce.map_or(Ok(()), |op| write!(f, " {op}"))?;
        what.permutation.as_ref().map_or(Ok(()), |to| write!(f, " to {to:?}"))?;
        write!(f, " among {ranks}, {}", self.ranks)
    }
}

impl Graph {
    /// Adds a collective: each of `size` ranks brings its value to it, and gets a result.
    ///
    /// All-gather puts the rows of all ranks below each other, reduce-scatter and all-to-all cut rows in a block for each rank.
    /// Programs that contain collectives are run where there is an [`Engine`](crate::engine::Engine) for them.
    ///
    /// ```
    /// use ringwood_base::{DType, registry::Registry};
    /// use ringwood_graph::graph::{Graph, Ranks};
    /// use ringwood_schedule::{Invocation, Operation};
    ///
    /// let mut graph = Graph::with_registry(Registry::default());
    /// let x = graph.input("x", DType::F32, &[2, 3])?;
    /// let what = Invocation::new(Operation::AllGather, DType::F32);
    /// let all = graph.collective(x, what, &Ranks::all(), 4)?;
    /// assert_eq!(graph.nodes()[1].to_string(), "all_gather among 4, of all(%0): f32[8, 3]");
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Collective::new`]; the value is of another graph, or its type is not known yet.
    pub fn collective(
        &mut self,
        value: Value,
        what: Invocation<'static>,
        ranks: &Ranks,
        size: usize,
    ) -> Result<Value> {
        let (id, operand) = (self.check(value)?, self.type_of(value)?);
        let call = Collective::new(what, ranks.clone(), size, operand)?;
        let result = call.result(operand)?;
        let kind = NodeKind::Collective(Box::new(call));
        Ok(self.push(Node { operands: vec![id], ..Node::new(kind, vec![result]) }))
    }

    /// The gradient of a collective's operand, from that of its result.
    pub(super) fn transpose(
        &mut self,
        call: &Collective,
        operand: TensorType,
        gradient: Value,
    ) -> Result<Value> {
        let (what, size) = (call.transposed()?, call.request.ranks);
        let own = &call.request.what;
        // The algorithm of another operation is another one.
        let same = what.operation == own.operation;
        let algorithm = call.ranks.algorithm.clone().filter(|_| same);
        let ranks = Ranks { algorithm, ..call.ranks.clone() };
        let mut value = self.collective(gradient, what, &ranks, size)?;
        if !same && matches!(own.reduce, Some(ReduceOp::Mean | ReduceOp::Int8Mean)) {
            let size = self.float_constant(own.dtype, &[], size as f64)?;
            value = self.apply("ringwood::div", &[value, size])?;
        }
        // Of a number, ranks gather a row of one.
        if self.type_of(value)?.shape != operand.shape {
            let shape = [("shape", &operand.shape[..])];
            value = self.apply_with("ringwood::reshape", &[value], shape)?;
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests;
