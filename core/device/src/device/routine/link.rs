//! Compiled programs, linked to a context.

use super::Routine;
use crate::device::donation::Donation;
use crate::device::{Compiled, Context, Node, NodeId, Role, Tensor, lock, merge};
use ringwood_base::{DType, Error, Result, Shape};
use std::collections::BTreeMap;

impl Context {
    /// The routine of a program on the tensors of this context, in a child that also holds what the
    /// program adds.
    ///
    /// # Errors
    /// The program is compiled for another device; a given node is missing; a tensor does not have
    /// its node's shape and type; the merge slot holds another node than the program merges, or one
    /// of another shape or type; a tensor was given to another routine; [`ErrorKind::OutOfMemory`](ringwood_base::ErrorKind::OutOfMemory).
    pub fn link(&self, compiled: &Compiled) -> Result<Routine> {
        let (_, mut routines) = self.link_batch(&[Some(compiled)])?;
        Ok(routines.remove(0).expect("a program was given, so a routine came back"))
    }

    /// The routines of several programs, in order, and one child that holds what all of them add.
    /// A node that two programs add is one tensor.
    ///
    /// # Errors
    /// As [`Context::link`].
    pub fn link_batch(
        &self,
        batch: &[Option<&Compiled>],
    ) -> Result<(Context, Vec<Option<Routine>>)> {
        let added = self.added(batch)?;
        let placed = self.place(&added)?;
        await_writes(batch, &added, &placed);
        let child = self.with_all(placed.iter().map(|(id, tensor)| (*id, tensor)))?;
        let link = |compiled: &Option<&Compiled>| {
            compiled.map(|compiled| Routine::of(compiled, &child, &[])).transpose()
        };
        let routines = batch.iter().map(link).collect::<Result<_>>()?;
        Ok((child, routines))
    }

    /// As [`Context::link`]; the routine takes the memory of the `donated` nodes for its results.
    ///
    /// A donated node that the program writes is updated in place: the routine's context holds the
    /// result. Else its memory becomes that of the first new [`Role::Scratch`] node that fits: no
    /// larger, and not used before the last step that reads the donated one. (A map may read and
    /// write the same elements.)
    ///
    /// Nothing is taken before the routine is submitted. From then on every handle of a donated
    /// buffer is refused wherever it is used, and so is the routine, which runs once. Results that
    /// lie in donated memory are refused before.
    ///
    /// Equivalent to PJRT's buffer donation.
    ///
    /// # Errors
    /// A node that no step uses, that the context does not hold, that is named twice, or that shares
    /// a buffer with another node; otherwise as [`Context::link`].
    pub fn link_donating(&self, compiled: &Compiled, donated: &[NodeId]) -> Result<Routine> {
        let mut added = self.added(&[Some(compiled)])?;
        let donations = Donation::check(self, compiled, donated)?;
        let successors = Donation::successors(compiled, &donations, &added)?;
        added.retain(|node| !successors.iter().any(|(id, _)| *id == node.id));
        let mut tensors = self.place(&added)?;
        await_writes(&[Some(compiled)], &added, &tensors);
        tensors.extend(successors);
        let child = self.with_all(tensors.iter().map(|(id, tensor)| (*id, tensor)))?;
        let taken: Vec<_> = donations.into_iter().map(|donation| donation.tensor).collect();
        Routine::of(compiled, &child, &taken)
    }

    /// The nodes that the context must add for these programs, once each.
    fn added<'a>(&self, batch: &[Option<&'a Compiled>]) -> Result<Vec<&'a Node>> {
        let mut added: Vec<&Node> = Vec::new();
        for compiled in batch.iter().flatten() {
            self.check(compiled)?;
            for node in compiled.owned_nodes() {
                let name = &compiled.program().name;
                if let Some(tensor) = self.find(node.id) {
                    tensor.buffer().check_taken().map_err(|e| e.with("node", node.id))?;
                    check_fits(name, node, (tensor.shape(), tensor.dtype()))?;
                } else if let Some(other) = added.iter().find(|other| other.id == node.id) {
                    check_fits(name, node, (other.shape, other.dtype))?;
                } else if node.role == Role::Given {
                    return Err(Error::not_found(format!(
                        "routine `{name}` needs node `{}` ({}), which the context lacks",
                        node.name, node.id
                    ))
                    .help("add it with `with`, or link what computes it first"));
                } else {
                    added.push(node);
                }
            }
        }
        Ok(added)
    }

    fn check(&self, compiled: &Compiled) -> Result<()> {
        let name = &compiled.program().name;
        if compiled.device() != self.device() {
            let want = self.device();
            let has = compiled.device().told_from(want);
            let message =
                format!("routine `{name}` is compiled for {has}, the context is on {want}");
            return Err(Error::device(message));
        }
        match compiled.merge_node() {
            None => Ok(()),
            Some(node) => merge::check(name, node, self.expected())
                .map_err(|e| e.help("link it to the context of the transfer into the merge slot")),
        }
    }

    /// Memory for new nodes.
    fn place(&self, nodes: &[&Node]) -> Result<Vec<(NodeId, Tensor)>> {
        let place = |node: &&Node| {
            let mut tensor = self.device().empty(node.shape, node.dtype)?;
            match &node.role {
                Role::Working if tensor.bytes() > 0 => self.stream().fill(tensor.region(), 0)?,
                Role::Constant(elements) => tensor.write_bytes(elements)?,
                _ => {}
            }
            Ok((node.id, tensor))
        };
        nodes.iter().map(place).collect()
    }
}

/// Refuses to let anyone read what a routine of `batch` computes before that was submitted.
fn await_writes(batch: &[Option<&Compiled>], nodes: &[&Node], placed: &[(NodeId, Tensor)]) {
    let mut writers = BTreeMap::new();
    for compiled in batch.iter().flatten() {
        for node in compiled.outputs() {
            writers.entry(*node).or_insert(&compiled.program().name);
        }
    }
    for (node, (_, tensor)) in nodes.iter().zip(placed) {
        if node.role == Role::Scratch
            && let Some(routine) = writers.get(&node.id)
        {
            let why = format!(
                "node `{}` ({}) holds nothing yet: routine `{routine}` computes it",
                node.name, node.id
            );
            lock(tensor.buffer().record()).await_write(why);
        }
    }
}

fn check_fits(routine: &str, node: &Node, has: (Shape, DType)) -> Result<()> {
    if has == (node.shape, node.dtype) {
        return Ok(());
    }
    Err(Error::shape(format!(
        "routine `{routine}` takes node `{}` as {} {}, the context has {} {}",
        node.name, node.dtype, node.shape, has.1, has.0
    )))
}
