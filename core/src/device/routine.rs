//! A program, or a transfer, linked to a context and ready to submit.

use super::alias;
use super::code::is_written;
use super::completion::Completion;
use super::merge::{self, Held};
use super::program::{Bindings, Compiled, Node, NodeId, Step, StepArg, Symbol};
use super::stream::{Use, unify};
use super::transfer::Transfer;
use super::{Buffer, Code, Context, Stream, Tensor, lock};
use crate::backend::{DynBackend, Handle};
use crate::kernel::{Arg, Form, Launch, ParamKind};
use crate::{Error, ErrorKind, Result, Scalar, ScalarType, Shape};
use std::fmt;
use std::sync::Arc;

/// Work on the tensors of a context, ready to submit as often as wanted; cheap to clone.
///
/// Everything that can be known before is checked when it is linked; a submission only checks its
/// bindings and the merge slot.
#[derive(Clone)]
pub struct Routine(Arc<Inner>);

struct Inner {
    name: String,
    context: Context,
    inputs: Vec<NodeId>,
    outputs: Vec<NodeId>,
    merge: Option<Node>,
    symbols: Vec<Symbol>,
    work: Work,
}

enum Work {
    Launches { steps: Vec<Prepared>, uses: Vec<Use> },
    Transfer(Transfer),
}

/// A launch with everything resolved but the bindings and the merge slot.
struct Prepared {
    code: Code,
    domain: Shape,
    args: Vec<PreparedArg>,
    /// Its place in the program.
    at: usize,
}

enum PreparedArg {
    Tensor { tensor: Tensor, strides: Option<Vec<usize>> },
    Merge { strides: Option<Vec<usize>> },
    Scalar(Scalar),
    Index { symbol: usize, scalar: ScalarType },
}

/// So many arguments of a launch are resolved without an allocation.
const INLINE_ARGS: usize = 8;

impl Routine {
    /// The routine of `compiled` on the tensors of `context`; it takes the memory of `taken`.
    pub(crate) fn of(compiled: &Compiled, context: &Context, taken: &[Tensor]) -> Result<Routine> {
        let program = compiled.program();
        let streamed = context.expected().and_then(|merge| merge.streamed.as_ref());
        let mut uses = Vec::new();
        let mut steps = Vec::with_capacity(program.steps.len());
        for (at, (step, code)) in program.steps.iter().zip(compiled.codes()).enumerate() {
            let args = prepare(&program.name, step, context, &mut uses)?;
            let step = Prepared { code: code.clone(), domain: step.domain, args, at };
            step.check_alias(streamed).map_err(|e| e.with("routine", &program.name))?;
            if code.form() == Form::Host || step.domain.elements() > 0 {
                steps.push(step);
            }
        }
        let name: Arc<str> = Arc::from(program.name.as_str());
        uses.extend(
            taken
                .iter()
                .map(|tensor| Use { taker: Some(name.clone()), ..Use::new(tensor.buffer(), true) }),
        );
        unify(&mut uses);
        Ok(Self(Arc::new(Inner {
            name: program.name.clone(),
            context: context.clone(),
            inputs: compiled.inputs().to_vec(),
            outputs: compiled.outputs().to_vec(),
            merge: compiled.merge_node().cloned(),
            symbols: program.symbols.clone(),
            work: Work::Launches { steps, uses },
        })))
    }

    pub(crate) fn of_transfer(
        name: String,
        context: Context,
        (inputs, outputs): (Vec<NodeId>, Vec<NodeId>),
        transfer: Transfer,
    ) -> Routine {
        let (merge, symbols, work) = (None, Vec::new(), Work::Transfer(transfer));
        Self(Arc::new(Inner { name, context, inputs, outputs, merge, symbols, work }))
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The context with everything that the routine added.
    pub fn context(&self) -> &Context {
        &self.0.context
    }

    /// The stream on which it runs.
    pub fn stream(&self) -> &Stream {
        self.0.context.stream()
    }

    /// The nodes whose elements are read before they are written.
    pub fn inputs(&self) -> &[NodeId] {
        &self.0.inputs
    }

    /// The nodes that it writes.
    pub fn outputs(&self) -> &[NodeId] {
        &self.0.outputs
    }

    /// The node that the merge slot must hold.
    pub fn merge_input(&self) -> Option<NodeId> {
        self.0.merge.as_ref().map(|node| node.id)
    }

    /// The integers that each submission binds.
    pub fn symbols(&self) -> &[Symbol] {
        &self.0.symbols
    }

    /// Submits the work with these bindings, which are captured by value; asynchronous, except
    /// that a transfer which has to go through the host waits for its source.
    ///
    /// Bindings of other symbols are ignored, so that routines can share them.
    ///
    /// # Errors
    /// A symbol is not bound, or out of its range; the merge slot holds another node than it should,
    /// or one that was overwritten since it was streamed; a buffer was given to another routine by
    /// donation, or to this one, which then has run; the stream's failure.
    pub fn submit(&self, bindings: &Bindings) -> Result<Completion> {
        let lane = self.stream().lane();
        let at = match &self.0.work {
            Work::Transfer(transfer) => transfer.submit(&self.0.context)?,
            Work::Launches { steps, uses } => {
                let values = self.values(bindings)?;
                match &self.0.merge {
                    None => lane.submit(uses, |b, s| launch_all(steps, &values, None, b, s))?,
                    Some(node) => self.submit_merging(node, steps, uses, &values)?,
                }
            }
        };
        Ok(Completion::new(lane.clone(), at))
    }

    fn submit_merging(
        &self,
        node: &Node,
        steps: &[Prepared],
        uses: &[Use],
        values: &[i64],
    ) -> Result<u64> {
        let slot = lock(self.0.context.slot());
        let expected = slot.holds.as_ref().map(Held::expected);
        merge::check(self.name(), node, expected.as_ref())
            .map_err(|e| e.help("submit the transfer just before it"))?;
        let held = slot.holds.as_ref().expect("the slot holds what was expected");
        if held.writes.is_some() {
            let check = |step: &Prepared| step.check_alias(Some(&held.tensor));
            steps.iter().try_for_each(check).map_err(|e| e.with("routine", self.name()))?;
        }
        let mut uses = uses.to_vec();
        uses.push(Use { writes: held.writes, ..Use::new(held.tensor.buffer(), false) });
        unify(&mut uses);
        let slot = Some(&held.tensor);
        self.stream().lane().submit(&uses, |b, s| launch_all(steps, values, slot, b, s))
    }

    /// The value of each symbol, checked.
    fn values(&self, bindings: &Bindings) -> Result<Vec<i64>> {
        let value = |symbol: &Symbol| {
            let (name, range) = (&symbol.name, &symbol.range);
            let error = |message| Error::new(ErrorKind::InvalidArgument, message);
            let Some(value) = bindings.value(name) else {
                let message = format!("symbol `{name}` of routine `{}` is not bound", self.name());
                return Err(error(message));
            };
            if range.contains(&value) {
                return Ok(value);
            }
            let message = format!("symbol `{name}` is bound to {value}, outside of {range:?}");
            Err(error(message).with("routine", self.name()))
        };
        self.0.symbols.iter().map(value).collect()
    }
}

impl Prepared {
    /// Refuses arguments that share memory with one that is written; `streamed` is in the merge slot.
    fn check_alias(&self, streamed: Option<&Tensor>) -> Result<()> {
        let argument = |i: usize| {
            let (tensor, strides) = match &self.args[i] {
                PreparedArg::Tensor { tensor, strides } => (tensor, strides),
                PreparedArg::Merge { strides } => (streamed?, strides),
                PreparedArg::Scalar(_) | PreparedArg::Index { .. } => return None,
            };
            let written = is_written(&self.code.params()[i]);
            Some(alias::Argument { region: tensor.region(), written, dense: strides.is_none() })
        };
        alias::check(self.code.name(), self.code.form(), self.args.len(), argument)
            .map_err(|e| e.with("step", self.at))
    }
}

fn prepare(
    name: &str,
    step: &Step,
    context: &Context,
    uses: &mut Vec<Use>,
) -> Result<Vec<PreparedArg>> {
    let mut args = Vec::with_capacity(step.args.len());
    for (arg, param) in step.args.iter().zip(step.kernel.params()) {
        args.push(match arg {
            StepArg::Node { node, strides } => {
                let tensor = context.tensor(*node)?;
                uses.push(Use::new(tensor.buffer(), is_written(param)));
                PreparedArg::Tensor { tensor, strides: strides.clone() }
            }
            StepArg::Merge { strides, .. } => PreparedArg::Merge { strides: strides.clone() },
            StepArg::Scalar(value) => PreparedArg::Scalar(*value),
            StepArg::Log => {
                PreparedArg::Scalar(Scalar::U64(context.stream().log(name)?.number(name)))
            }
            StepArg::Index(symbol) => match param.kind {
                ParamKind::Scalar(scalar) => PreparedArg::Index { symbol: *symbol, scalar },
                ParamKind::Slice { .. } => {
                    unreachable!("compiled programs pass indices to scalars")
                }
            },
        });
    }
    Ok(args)
}

fn launch_all(
    steps: &[Prepared],
    values: &[i64],
    slot: Option<&Tensor>,
    backend: &dyn DynBackend,
    stream: &Handle,
) -> Result<()> {
    for step in steps {
        let mut inline = [const { Arg::Scalar(Scalar::Bool(false)) }; INLINE_ARGS];
        let mut many = Vec::new();
        let args: &[Arg<'_, Handle>] = if step.args.len() <= INLINE_ARGS {
            for (place, arg) in inline.iter_mut().zip(&step.args) {
                *place = arg.resolve(values, slot);
            }
            &inline[..step.args.len()]
        } else {
            many.extend(step.args.iter().map(|arg| arg.resolve(values, slot)));
            &many
        };
        backend.launch(stream, step.code.handle(), &Launch { domain: step.domain, args })?;
    }
    Ok(())
}

impl PreparedArg {
    fn resolve<'a>(&'a self, values: &[i64], slot: Option<&'a Tensor>) -> Arg<'a, Handle> {
        match self {
            Self::Tensor { tensor, strides } => {
                let region = Buffer::resolve(tensor.region());
                Arg::Slice { region, strides: strides.as_deref() }
            }
            Self::Merge { strides } => {
                let slot = slot.expect("a routine that merges is submitted with the slot");
                let region = Buffer::resolve(slot.region());
                Arg::Slice { region, strides: strides.as_deref() }
            }
            Self::Scalar(value) => Arg::Scalar(*value),
            Self::Index { symbol, scalar } => Arg::Scalar(index(values[*symbol], *scalar)),
        }
    }
}

/// A bound value as the parameter takes it; the program's check made sure that it fits.
fn index(value: i64, scalar: ScalarType) -> Scalar {
    match scalar {
        ScalarType::I32 => Scalar::I32(value as i32),
        ScalarType::U32 => Scalar::U32(value as u32),
        ScalarType::U64 => Scalar::U64(value as u64),
        ScalarType::Usize => Scalar::Usize(value as usize),
        _ => Scalar::I64(value),
    }
}

impl fmt::Debug for Routine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, inputs, outputs) = (self.name(), self.inputs(), self.outputs());
        write!(f, "Routine({name}: {inputs:?} -> {outputs:?} on {})", self.stream().device())
    }
}
