//! Collectives as nodes, and their gradients.

use crate::graph::{Collective, Graph, Node, NodeKind, Ranks, Value};
use ringwood_base::Result;
use ringwood_schedule::{Invocation, ReduceOp};

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
    pub(in crate::graph) fn transpose(
        &mut self,
        call: &Collective,
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
        Ok(value)
    }
}
