//! What a program must obey before it is compiled.

use super::compiled::Access;
use super::{LaunchProgram, Node, NodeId, Role, Step, StepArg, Symbol};
use crate::kernel::{Form, Param, ParamKind};
use ringwood_base::{Error, ErrorKind, Result, ScalarType};
use std::collections::HashMap;

/// Checks a program and finds out what it does to its nodes.
pub(super) fn check(program: &LaunchProgram) -> Result<Access> {
    check_symbols(&program.symbols)?;
    let mut nodes = HashMap::with_capacity(program.nodes.len());
    for (i, node) in program.nodes.iter().enumerate() {
        if nodes.insert(node.id, i).is_some() {
            return Err(invalid(format!("node `{}` ({}) is declared twice", node.name, node.id)));
        }
    }
    let (access, seen) = (Access::default(), vec![Seen::default(); program.nodes.len()]);
    let mut check = Check { program, nodes, access, seen };
    for (i, step) in program.steps.iter().enumerate() {
        check.step(step).map_err(|e| e.with("step", i).with("kernel", step.kernel.name()))?;
    }
    let own = check.seen.iter().enumerate().filter(|(_, seen)| seen.own);
    check.access.own = own.map(|(i, _)| i).collect();
    Ok(check.access)
}

fn invalid(message: String) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
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

struct Check<'a> {
    program: &'a LaunchProgram,
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
    fn step(&mut self, step: &Step) -> Result<()> {
        let params = step.kernel.params();
        if params.len() != step.args.len() {
            let (want, got) = (params.len(), step.args.len());
            return Err(invalid(format!("the kernel takes {want} arguments, the step has {got}")));
        }
        for (param, arg) in params.iter().zip(&step.args) {
            self.argument(step, param, arg).map_err(|e| e.with("parameter", param.name))?;
        }
        check_aliasing(step)?;
        self.note(step)
    }

    fn argument(&mut self, step: &Step, param: &Param, arg: &StepArg) -> Result<()> {
        match (param.kind, arg) {
            (ParamKind::Scalar(t), StepArg::Scalar(value)) if value.scalar_type() == t => Ok(()),
            (ParamKind::Scalar(ScalarType::U64), StepArg::Log) => Ok(()),
            (ParamKind::Scalar(t), StepArg::Log) => {
                Err(invalid(format!("the number of a log is u64, not {}", t.name())))
            }
            (ParamKind::Scalar(t), StepArg::Index(symbol)) => self.index(t, *symbol),
            (ParamKind::Slice { dtype, mutable }, StepArg::Node { node, strides }) => {
                let (i, node) = self.node(*node)?;
                check_slice(step, node, dtype, mutable, strides.as_deref())?;
                self.seen[i].own = true;
                Ok(())
            }
            (ParamKind::View { dtype, rank, .. }, StepArg::Node { node, strides: None }) => {
                let (i, node) = self.node(*node)?;
                check_view(node, dtype, rank)?;
                self.seen[i].own = true;
                Ok(())
            }
            (ParamKind::Slice { dtype, mutable }, StepArg::Merge { node, strides }) => {
                if mutable {
                    return Err(invalid("the merge slot is only read".into()));
                }
                let (_, node) = self.node(*node)?;
                check_slice(step, node, dtype, mutable, strides.as_deref())?;
                let id = node.id;
                match self.access.merge.replace(id) {
                    Some(other) if other != id => Err(invalid(format!(
                        "a routine merges one node, this one merges {other} and {id}"
                    ))),
                    _ => Ok(()),
                }
            }
            (kind, arg) => Err(invalid(format!("{arg:?} is no argument for {kind:?}"))),
        }
    }

    fn node(&self, id: NodeId) -> Result<(usize, &Node)> {
        let found = self.nodes.get(&id).map(|&i| (i, &self.program.nodes[i]));
        found.ok_or_else(|| invalid(format!("node {id} is not declared")))
    }

    fn index(&self, wanted: ScalarType, symbol: usize) -> Result<()> {
        let Some(symbol) = self.program.symbols.get(symbol) else {
            return Err(invalid(format!("symbol {symbol} is not declared")));
        };
        let (low, high) = match wanted {
            ScalarType::I32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
            ScalarType::U32 => (0, i64::from(u32::MAX)),
            ScalarType::I64 => (i64::MIN, i64::MAX),
            ScalarType::U64 | ScalarType::Usize => (0, i64::MAX),
            ScalarType::U8 => (0, i64::from(u8::MAX)),
            ScalarType::I8 => (i64::from(i8::MIN), i64::from(i8::MAX)),
            ScalarType::I16 => (i64::from(i16::MIN), i64::from(i16::MAX)),
            ScalarType::U16 => (0, i64::from(u16::MAX)),
            ScalarType::Bool
            | ScalarType::F16
            | ScalarType::BF16
            | ScalarType::F32
            | ScalarType::F64 => {
                return Err(invalid(format!("{} takes no index", wanted.name())));
            }
        };
        if symbol.range.start < low || symbol.range.end - 1 > high {
            let (name, range) = (&symbol.name, &symbol.range);
            return Err(invalid(format!("{} does not hold `{name}` in {range:?}", wanted.name())));
        }
        Ok(())
    }

    /// Records what the step reads and writes, reads first.
    fn note(&mut self, step: &Step) -> Result<()> {
        let params = step.kernel.params().iter();
        let nodes = || {
            params.clone().zip(&step.args).filter_map(|(param, arg)| match arg {
                StepArg::Node { node, .. } => Some((*node, param.kind.is_written())),
                _ => None,
            })
        };
        for (id, written) in nodes() {
            // What a map writes it does not read; other kernels may read what they write.
            let read = !written || step.kernel.form() != Form::Map;
            let (i, node) = self.node(id)?;
            let first = !self.seen[i].output && !self.seen[i].input;
            match (read && first, node.role) {
                (true, Role::Scratch) if !written => {
                    let message =
                        format!("scratch node `{}` is read before it is written", node.name);
                    return Err(invalid(message));
                }
                (true, Role::Given | Role::Working) => {
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

fn check_dtype(node: &Node, dtype: ringwood_base::DType) -> Result<()> {
    if node.dtype == dtype {
        return Ok(());
    }
    let message = format!("node `{}` is {}, the parameter {dtype}", node.name, node.dtype);
    Err(Error::new(ErrorKind::DType, message))
}

fn check_view(node: &Node, dtype: ringwood_base::DType, rank: u8) -> Result<()> {
    check_dtype(node, dtype)?;
    if node.shape.len() == usize::from(rank) {
        return Ok(());
    }
    let message = format!("node `{}` of shape {} is no view of rank {rank}", node.name, node.shape);
    Err(Error::new(ErrorKind::Shape, message))
}

fn check_slice(
    step: &Step,
    node: &Node,
    dtype: ringwood_base::DType,
    mutable: bool,
    strides: Option<&[usize]>,
) -> Result<()> {
    let name = &node.name;
    check_dtype(node, dtype)?;
    if step.kernel.form() != Form::Map {
        return if strides.is_none() {
            Ok(())
        } else {
            Err(invalid(format!("node `{name}` has strides, which only a map takes")))
        };
    }
    let (domain, elements) = (step.domain, node.shape.elements());
    let Some(strides) = strides else {
        if elements == domain.elements() {
            return Ok(());
        }
        let message =
            format!("node `{name}` of shape {} does not fill domain {domain}", node.shape);
        return Err(Error::new(ErrorKind::Shape, message));
    };
    if mutable {
        return Err(invalid(format!("the result, node `{name}`, has strides")));
    }
    let last = domain.iter().zip(strides).map(|(d, s)| d.saturating_sub(1).saturating_mul(*s));
    let last = last.fold(0_usize, usize::saturating_add);
    if strides.len() != domain.len() || (domain.elements() > 0 && last >= elements) {
        let message =
            format!("strides {strides:?} over domain {domain} leave node `{name}` of {elements}");
        return Err(Error::new(ErrorKind::Shape, message));
    }
    Ok(())
}

/// Refuses a written node that is another argument too; a map's dense input is its result's equal.
fn check_aliasing(step: &Step) -> Result<()> {
    let params = step.kernel.params();
    for (i, (param, arg)) in params.iter().zip(&step.args).enumerate() {
        let StepArg::Node { node, .. } = arg else { continue };
        if !param.kind.is_written() {
            continue;
        }
        for (j, other) in step.args.iter().enumerate() {
            let same = matches!(other, StepArg::Node { node: n, .. } if n == node);
            let in_place =
                step.kernel.form() == Form::Map && other == arg && !params[j].kind.is_written();
            if i != j && same && !in_place {
                return Err(invalid(format!("node {node} is written and is argument {j} too")));
            }
        }
    }
    Ok(())
}
