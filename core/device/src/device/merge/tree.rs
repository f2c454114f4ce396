//! Merging a node of many contexts in one fixed order.

use crate::device::{
    Bindings, Completion, Context, LaunchProgram, NodeId, Routine, StepArg, Target, Tensor,
};
use ringwood_base::{Error, Result};

/// Merges parts of one value, which lie in contexts on any devices, into the first part; ready to
/// submit as often as wanted. A part that others are merged into, on the way as well, holds what it was
/// merged with.
///
/// The order of the merges depends on the number of parts alone, not on which contexts hold them.
/// Gradients of the same twelve pieces of a batch therefore have the same bits, whether one shard
/// holds all pieces or six shards hold two each.
///
/// ```no_run
/// use ringwood_device::device::{Context, MergeTree, NodeId, PATIENCE, Target};
///
/// # fn example(shards: &[Context]) -> ringwood_base::Result<()> {
/// let gradient = NodeId(7);
/// let parts: Vec<_> = shards.iter().map(|shard| (shard.clone(), gradient)).collect();
/// let tree = MergeTree::link(&parts, "add", Target::MergeSlot)?;
/// // … every shard computes its gradient, then:
/// tree.submit()?.wait(PATIENCE)?;
/// println!("{:?}", tree.result().to_vec::<f32>()?);
/// # Ok(()) }
/// ```
pub struct MergeTree {
    /// A transfer into a merge slot, and the routine that merges.
    merges: Vec<(Routine, Routine)>,
    root: Context,
    result: Tensor,
}

/// The merges of a balanced tree over `parts` parts, in an order that respects it: the second part
/// of a pair is merged into the first, as its right operand.
///
/// ```
/// use ringwood_device::device::merge_pairs;
///
/// assert_eq!(merge_pairs(5), [(0, 1), (2, 3), (0, 2), (0, 4)]);
/// ```
pub fn merge_pairs(parts: usize) -> Vec<(usize, usize)> {
    let mut pairs = Vec::with_capacity(parts.saturating_sub(1));
    let mut step = 1;
    while step < parts {
        pairs.extend((0..parts - step).step_by(2 * step).map(|into| (into, into + step)));
        step *= 2;
    }
    pairs
}

impl MergeTree {
    /// Links the merges of `parts` by the kernel `operator`: a map of two operands and a result.
    /// `target` says whether peers are copied or streamed.
    ///
    /// # Errors
    /// There is no part; a context lacks its node; parts differ in shape or type; there is no such
    /// kernel for the device that holds a part; otherwise as [`Context::transfer_from`] and
    /// [`Context::link`].
    pub fn link(parts: &[(Context, NodeId)], operator: &str, target: Target) -> Result<Self> {
        let Some((root, node)) = parts.first() else {
            return Err(Error::invalid("there are no parts to merge"));
        };
        if target == Target::Node {
            return Err(Error::invalid("a merge goes through the merge slot, not into a node")
                .help("give `Target::MergeSlot` or `Target::Streamed`"));
        }
        let mut merges = Vec::with_capacity(parts.len() - 1);
        for (into, from) in merge_pairs(parts.len()) {
            let ((own, own_node), (peer, peer_node)) = (&parts[into], &parts[from]);
            let program = program(own, *own_node, (peer, *peer_node), operator)?;
            let transfer = own
                .transfer_from(peer, *peer_node, target)?
                .ok_or_else(|| Error::not_found("a part is in no context"))?;
            let merge = transfer.context().link(&own.device().compile(program)?)?;
            merges.push((transfer, merge));
        }
        Ok(Self { merges, root: root.clone(), result: root.tensor(*node)? })
    }

    /// Submits all merges; the end of the last one.
    ///
    /// # Errors
    /// As [`Routine::submit`].
    pub fn submit(&self) -> Result<Completion> {
        let bindings = Bindings::new();
        for (transfer, merge) in &self.merges {
            transfer.submit(&bindings)?;
            merge.submit(&bindings)?;
        }
        Ok(self.root.stream().record())
    }

    /// The first part, which holds the result after the merges.
    pub fn result(&self) -> &Tensor {
        &self.result
    }
}

/// `own = operator(own, peer)`.
fn program(
    context: &Context,
    own: NodeId,
    (peer_context, peer): (&Context, NodeId),
    operator: &str,
) -> Result<LaunchProgram> {
    let (tensor, other) = (context.tensor(own)?, peer_context.tensor(peer)?);
    if (tensor.shape(), tensor.dtype()) != (other.shape(), other.dtype()) {
        let message = format!("part {own} is {tensor:?} and part {peer} is {other:?}");
        return Err(Error::shape(message).help("merge parts of one shape and one type"));
    }
    let (shape, dtype) = (tensor.shape(), tensor.dtype());
    let program = LaunchProgram::new(format!("{operator} {peer} to {own}"));
    let mut program = program.given(own, own.to_string(), shape, dtype);
    if peer != own {
        program = program.given(peer, peer.to_string(), shape, dtype);
    }
    Ok(program.launch(operator, (own, StepArg::Merge(peer), own)))
}
