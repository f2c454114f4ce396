//! A program checked and compiled for one device.

use super::check::check;
use super::{LaunchProgram, Node, NodeId, Symbol};
use crate::device::{Code, Device, Kernel};
use ringwood_base::Result;
use std::sync::Arc;

/// A program checked and compiled for one device; cheap to clone.
///
/// It holds no memory: [`Context::link`](crate::device::Context::link) makes it a routine.
#[derive(Clone)]
pub struct Compiled(Arc<Inner>);

struct Inner {
    program: LaunchProgram,
    device: Device,
    codes: Vec<Code>,
    access: Access,
}

/// What a program does to its nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Access {
    pub(crate) inputs: Vec<NodeId>,
    pub(crate) outputs: Vec<NodeId>,
    pub(crate) merge: Option<NodeId>,
    /// Nodes that steps use as the context's own, in declaration order.
    pub(crate) own: Vec<usize>,
}

impl Device {
    /// Checks a program and compiles its kernels.
    ///
    /// # Errors
    /// Arguments that do not fit their kernel; a node or symbol not declared, or declared twice; two
    /// merge nodes; a written node that another argument of the step overlaps; what the device's
    /// compiler refuses.
    pub fn compile(&self, program: LaunchProgram) -> Result<Compiled> {
        let mut compiled = self.compile_batch(vec![Some(program)])?;
        Ok(compiled.remove(0).expect("a program was given, so it was compiled"))
    }

    /// Checks several programs and compiles the kernels of all of them in one batch. `None` stays
    /// `None`.
    ///
    /// # Errors
    /// As [`Device::compile`]; the error names the program.
    pub fn compile_batch(
        &self,
        programs: Vec<Option<LaunchProgram>>,
    ) -> Result<Vec<Option<Compiled>>> {
        let kernels: Vec<Kernel> = programs
            .iter()
            .flatten()
            .flat_map(|p| p.steps.iter().map(|s| s.kernel.clone()))
            .collect();
        let checked = programs.into_iter().map(|program| {
            let Some(program) = program else { return Ok(None) };
            let access = check(&program).map_err(|e| e.with("routine", &program.name))?;
            Ok(Some((program, access)))
        });
        let checked = checked.collect::<Result<Vec<_>>>()?;
        let mut codes = self.codes(&kernels)?.into_iter();
        let compiled = checked.into_iter().map(|checked| {
            let (program, access) = checked?;
            let codes = codes.by_ref().take(program.steps.len()).collect();
            Some(Compiled(Arc::new(Inner { program, device: self.clone(), codes, access })))
        });
        Ok(compiled.collect())
    }
}

impl Compiled {
    /// The program.
    pub fn program(&self) -> &LaunchProgram {
        &self.0.program
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.0.device
    }

    /// The nodes whose elements are read before any step writes them.
    pub fn inputs(&self) -> &[NodeId] {
        &self.0.access.inputs
    }

    /// The nodes that steps write.
    pub fn outputs(&self) -> &[NodeId] {
        &self.0.access.outputs
    }

    /// The node that the merge slot must hold.
    pub fn merge_input(&self) -> Option<NodeId> {
        self.0.access.merge
    }

    /// The declaration of [`Compiled::merge_input`].
    pub(crate) fn merge_node(&self) -> Option<&Node> {
        let id = self.merge_input()?;
        self.program().nodes.iter().find(|node| node.id == id)
    }

    /// The integers that each submission binds.
    pub fn symbols(&self) -> &[Symbol] {
        &self.0.program.symbols
    }

    /// The nodes that a context must hold, in declaration order.
    pub(crate) fn owned_nodes(&self) -> impl Iterator<Item = &Node> {
        self.0.access.own.iter().map(|&i| &self.0.program.nodes[i])
    }

    pub(crate) fn codes(&self) -> &[Code] {
        &self.0.codes
    }
}
