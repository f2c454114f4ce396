//! What a program must obey before it is compiled.

use super::compiled::Access;
use super::{LaunchProgram, Node, NodeId, Role, Step, StepArg, StepKernel, Symbol};
use crate::backend;
use crate::device::{Device, Tensor};
use crate::kernel::{Form, Kernel, Operand, Param, ParamKind};
use ringwood_base::{DType, Error, Result, Scalar, ScalarType, Shape};
use std::collections::HashMap;

/// Checks a program for a device: the kernel and the domain of each step, and what the program does to
/// its nodes.
pub(super) fn check(
    program: &LaunchProgram,
    device: &Device,
) -> Result<(Vec<(Kernel, Shape)>, Access)> {
    check_symbols(&program.symbols)?;
    let mut nodes = HashMap::with_capacity(program.nodes.len());
    for (i, node) in program.nodes.iter().enumerate() {
        if nodes.insert(node.id, i).is_some() {
            let other = program.nodes.iter().find(|other| other.id == node.id);
            let first = other.map_or("", |other| other.name.as_str());
            let message =
                format!("node {} is declared twice, as `{first}` and `{}`", node.id, node.name);
            return Err(
                invalid(message).help("declare each node once, with an identity of its own")
            );
        }
        check_constant(node)?;
    }
    let (access, seen) = (Access::default(), vec![Seen::default(); program.nodes.len()]);
    let mut check = Check { program, device, nodes, access, seen };
    let mut launches = Vec::with_capacity(program.steps.len());
    for (i, step) in program.steps.iter().enumerate() {
        let launch = check.step(step).map_err(|e| match e.get("kernel") {
            Some(_) => e.with("step", i),
            None => e.with("step", i).with("kernel", &step.kernel),
        })?;
        launches.push(launch);
    }
    let own = check.seen.iter().enumerate().filter(|(_, seen)| seen.own);
    check.access.own = own.map(|(i, _)| i).collect();
    Ok((launches, check.access))
}

fn invalid(message: String) -> Error {
    Error::invalid(message)
}

fn check_symbols(symbols: &[Symbol]) -> Result<()> {
    for (i, symbol) in symbols.iter().enumerate() {
        if symbols[..i].iter().any(|s| s.name == symbol.name) {
            return Err(invalid(format!("symbol `{}` is declared twice", symbol.name)));
        }
        if symbol.range.is_empty() {
            return Err(invalid(format!("symbol `{}` has an empty range", symbol.name)));
        }
    }
    Ok(())
}

/// Refuses a constant whose elements do not fill its shape.
fn check_constant(node: &Node) -> Result<()> {
    let Role::Constant(elements) = &node.role else { return Ok(()) };
    let (got, want) = (elements.len() / node.dtype.size(), node.shape.elements());
    if elements.len() == Tensor::size(node.shape, node.dtype)? {
        return Ok(());
    }
    let (name, shape) = (&node.name, node.shape);
    let message = format!("constant `{name}` of shape {shape} takes {want} elements, got {got}");
    Err(Error::shape(message))
}

struct Check<'a> {
    program: &'a LaunchProgram,
    device: &'a Device,
    nodes: HashMap<NodeId, usize>,
    access: Access,
    /// What the steps so far do to each node.
    seen: Vec<Seen>,
}

/// Whether a node is in the lists of [`Access`].
#[derive(Clone, Copy, Default)]
struct Seen {
    input: bool,
    output: bool,
    own: bool,
}

impl Check<'_> {
    fn step(&mut self, step: &Step) -> Result<(Kernel, Shape)> {
        let kernel = self.kernel(step)?;
        check_count(kernel.params(), step)?;
        let mut operands = Vec::with_capacity(step.args.len());
        for (param, arg) in kernel.params().iter().zip(&step.args) {
            let operand = self.argument(kernel.form(), param, arg);
            operands.push(operand.map_err(|e| e.with("parameter", param.name))?);
        }
        let domain = kernel.domain(&operands).map_err(|e| match symbol_of(step) {
            Some(symbol) => e.help(format!(
                "a domain depends on no symbol: `{symbol}` has a value only when it is submitted"
            )),
            None => e,
        })?;
        check_aliasing(&kernel, step)?;
        self.note(&kernel, step)?;
        Ok((kernel, domain))
    }

    /// The kernel of a step; one that is named, for the device and the types of the nodes.
    fn kernel(&self, step: &Step) -> Result<Kernel> {
        let name = match &step.kernel {
            StepKernel::Known(kernel) => return Ok(kernel.clone()),
            StepKernel::Named(name) => name,
        };
        let def = backend::find(self.device.registry(), name, self.device.backend_name())?;
        if let Some(instance) = def.instances.first() {
            check_count(instance.params, step)?;
            // The types of the elements choose the instance, but a number has none.
            let given = instance.params.iter().zip(&step.args);
            let number = |(param, arg): &(&Param, &StepArg)| {
                param.kind.dtype().is_some() && matches!(arg, StepArg::Scalar(_))
            };
            if let Some((param, arg)) = given.into_iter().find(number) {
                return Err(unfit(param.kind, arg).with("parameter", param.name));
            }
        }
        let mut dtypes = Vec::with_capacity(step.args.len());
        for arg in &step.args {
            let merged = if let StepArg::Merge(id) = arg { Some(*id) } else { None };
            if let Some(id) = arg.own_node().or(merged) {
                dtypes.push(self.node(id)?.1.dtype);
            }
        }
        Kernel::of(&def, &dtypes)
    }

    /// What is known of an argument that fits its parameter.
    fn argument(&mut self, form: Form, param: &Param, arg: &StepArg) -> Result<Operand> {
        let mutable = param.kind.is_written();
        match (param.kind, arg) {
            (ParamKind::Scalar(t), StepArg::Scalar(value)) if value.ty() == t => {
                Ok(Operand::Scalar(*value))
            }
            (ParamKind::Scalar(ScalarType::U64), StepArg::Log) => {
                Ok(Operand::Scalar(Scalar::U64(0)))
            }
            (ParamKind::Scalar(t), StepArg::Log) => {
                Err(invalid(format!("the number of a log is u64, not {}", t.name())))
            }
            (ParamKind::Scalar(t), StepArg::Symbol(symbol)) => {
                self.symbol(t, symbol)?;
                // What no domain takes for a number.
                Ok(Operand::Scalar(Scalar::Bool(false)))
            }
            (ParamKind::Slice { dtype, .. } | ParamKind::View { dtype, .. }, StepArg::Node(id)) => {
                let (i, node) = self.node(*id)?;
                check_dtype(node, dtype)?;
                check_rank(node, param.kind)?;
                if let (Role::Constant(_), true) = (&node.role, mutable) {
                    let message = format!("constant `{}` is written", node.name);
                    return Err(invalid(message).help("declare it with `working` or `given`"));
                }
                let operand = Operand::Tensor { dtype, shape: node.shape, mutable };
                self.seen[i].own = true;
                Ok(operand)
            }
            (ParamKind::Slice { dtype, .. } | ParamKind::View { dtype, .. }, StepArg::View(..))
                if !mutable =>
            {
                self.view(form, param.kind, dtype, arg)
            }
            (ParamKind::Slice { dtype, .. }, StepArg::Merge(id)) => {
                if mutable {
                    return Err(invalid("the merge slot is only read".into()));
                }
                let (_, node) = self.node(*id)?;
                check_dtype(node, dtype)?;
                let operand = Operand::Tensor { dtype, shape: node.shape, mutable };
                match self.access.merge.replace(*id) {
                    Some(other) if other != *id => Err(invalid(format!(
                        "a routine merges one node, this one merges {other} and {id}"
                    ))),
                    _ => Ok(operand),
                }
            }
            (kind, arg) => Err(unfit(kind, arg)),
        }
    }

    /// Elements of a node at steps, which are read.
    fn view(
        &mut self,
        form: Form,
        kind: ParamKind,
        dtype: DType,
        arg: &StepArg,
    ) -> Result<Operand> {
        let StepArg::View(id, layout) = arg else { unreachable!("the caller matched a view") };
        let (i, node) = self.node(*id)?;
        check_dtype(node, dtype)?;
        let (rank, name) = (layout.shape().len() as u8, &node.name);
        let misfit = match kind {
            ParamKind::View { rank, .. } => layout.misfit(rank, false, node.shape.elements()),
            _ if form == Form::Map => layout.misfit(rank, false, node.shape.elements()),
            _ => Some(format!("is read at steps, {layout:?}, by a parameter that takes none")),
        };
        if let Some(why) = misfit {
            return Err(Error::shape(format!("node `{name}` {why}")));
        }
        self.seen[i].own = true;
        Ok(Operand::Tensor { dtype, shape: layout.shape(), mutable: false })
    }

    fn node(&self, id: NodeId) -> Result<(usize, &Node)> {
        let found = self.nodes.get(&id).map(|&i| (i, &self.program.nodes[i]));
        found.ok_or_else(|| {
            invalid(format!("node {id} is not declared"))
                .help("declare it with `given`, `working`, `scratch` or `constant`")
        })
    }

    /// Refuses a symbol that is not declared, or some of whose values a parameter does not hold.
    fn symbol(&self, wanted: ScalarType, name: &str) -> Result<()> {
        let Some(symbol) = self.program.symbols.iter().find(|symbol| symbol.name == name) else {
            let message = format!("symbol `{name}` is not declared");
            return Err(
                invalid(message).help("declare it with `symbol`, with the range of its values")
            );
        };
        let Some((low, high)) = wanted.integer_range() else {
            return Err(invalid(format!("{} takes no symbol", wanted.name())));
        };
        if i128::from(symbol.range.start) < low || i128::from(symbol.range.end) > high + 1 {
            let (name, range) = (&symbol.name, &symbol.range);
            return Err(invalid(format!("{} does not hold `{name}` in {range:?}", wanted.name())));
        }
        Ok(())
    }

    /// Records what the step reads and writes, reads first.
    fn note(&mut self, kernel: &Kernel, step: &Step) -> Result<()> {
        let params = kernel.params().iter();
        let nodes = || {
            let pairs = params.clone().zip(&step.args);
            pairs.filter_map(|(param, arg)| Some((arg.own_node()?, param.kind.is_written())))
        };
        for (id, written) in nodes() {
            // What a map writes it does not read; other kernels may read what they write.
            let read = !written || kernel.form() != Form::Map;
            let (i, node) = self.node(id)?;
            let first = !self.seen[i].output && !self.seen[i].input;
            match (read && first, &node.role) {
                (true, Role::Scratch) if !written => {
                    let message =
                        format!("scratch node `{}` is read before it is written", node.name);
                    return Err(invalid(message));
                }
                (true, Role::Given | Role::Working | Role::Constant(_)) => {
                    self.seen[i].input = true;
                    self.access.inputs.push(id);
                }
                _ => {}
            }
        }
        for (id, _) in nodes().filter(|(_, written)| *written) {
            let (i, _) = self.node(id)?;
            if !std::mem::replace(&mut self.seen[i].output, true) {
                self.access.outputs.push(id);
            }
        }
        Ok(())
    }
}

/// The first symbol that a step passes.
fn symbol_of(step: &Step) -> Option<&str> {
    step.args.iter().find_map(|arg| match arg {
        StepArg::Symbol(name) => Some(name.as_str()),
        _ => None,
    })
}

/// The refusal of an argument of another kind than the parameter's.
fn unfit(kind: ParamKind, arg: &StepArg) -> Error {
    invalid(format!("the parameter is `{kind}`, the step gives {arg}"))
}

/// Refuses a step with another number of arguments than the kernel has parameters.
fn check_count(params: &[Param], step: &Step) -> Result<()> {
    if params.len() == step.args.len() {
        return Ok(());
    }
    let names: Vec<_> = params.iter().map(|param| param.name).collect();
    let (want, got, names) = (params.len(), step.args.len(), names.join(", "));
    Err(invalid(format!("the kernel takes {want} arguments ({names}), the step has {got}")))
}

fn check_dtype(node: &Node, dtype: DType) -> Result<()> {
    if node.dtype == dtype {
        return Ok(());
    }
    Err(Error::dtype(format!("node `{}` is {}, the parameter {dtype}", node.name, node.dtype)))
}

fn check_rank(node: &Node, kind: ParamKind) -> Result<()> {
    match kind {
        ParamKind::View { rank, .. } if node.shape.len() != usize::from(rank) => {
            let (name, shape) = (&node.name, node.shape);
            Err(Error::shape(format!("node `{name}` of shape {shape} is no view of rank {rank}")))
        }
        _ => Ok(()),
    }
}

/// Refuses a written node that is another argument too; a map's dense input is its result's equal.
fn check_aliasing(kernel: &Kernel, step: &Step) -> Result<()> {
    let params = kernel.params();
    for (i, (param, arg)) in params.iter().zip(&step.args).enumerate() {
        let StepArg::Node(node) = arg else { continue };
        if !param.kind.is_written() {
            continue;
        }
        for (j, other) in step.args.iter().enumerate() {
            let in_place = kernel.form() == Form::Map && !params[j].kind.is_written();
            let in_place = in_place && other == arg;
            if i != j && other.own_node() == Some(*node) && !in_place {
                return Err(invalid(format!("node {node} is written and is argument {j} too")));
            }
        }
    }
    Ok(())
}
