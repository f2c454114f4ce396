//! A program checked and compiled for one device.

use super::check::check;
use super::{LaunchProgram, Node, NodeId, Step, Symbol};
use crate::device::{Code, Device};
use ringwood_base::{Result, Shape};
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
    domains: Vec<Shape>,
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
    /// Checks a program, finds the kernels that it names, and compiles them.
    ///
    /// # Errors
    /// No such kernel for the device and the types of the nodes; arguments that do not fit their
    /// kernel; a node or symbol not declared, or declared twice; a constant that is written, or whose
    /// elements do not fill its shape; two merge nodes; a written node that another argument of the
    /// step overlaps; what the device's compiler refuses.
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
        let mut kernels = Vec::new();
        let checked = programs.into_iter().map(|program| {
            let Some(program) = program else { return Ok(None) };
            let (launches, access) =
                check(&program, self).map_err(|e| e.with("routine", &program.name))?;
            let (of_program, domains): (Vec<_>, Vec<_>) = launches.into_iter().unzip();
            kernels.extend(of_program);
            Ok(Some((program, domains, access)))
        });
        let checked = checked.collect::<Result<Vec<_>>>()?;
        let mut codes = self.codes(&kernels)?.into_iter();
        let compiled = checked.into_iter().map(|checked| {
            let (program, domains, access) = checked?;
            let (device, codes) = (self.clone(), codes.by_ref().take(domains.len()).collect());
            Some(Compiled(Arc::new(Inner { program, device, codes, domains, access })))
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

    /// The step at a place, with its code and domain.
    pub(crate) fn step(&self, at: usize) -> (&Step, &Code, Shape) {
        let Inner { program, codes, domains, .. } = &*self.0;
        (&program.steps[at], &codes[at], domains[at])
    }
}
