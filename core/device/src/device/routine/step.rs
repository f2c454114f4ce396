//! One launch of a routine, with everything resolved that linking knows.

use crate::backend::{DynBackend, Handle};
use crate::device::code::is_written;
use crate::device::program::{Step, StepArg};
use crate::device::stream::{Use, unify};
use crate::device::{Buffer, Code, Context, Tensor, alias};
use crate::kernel::{Arg, Form, Launch, ParamKind};
use ringwood_base::{Result, Scalar, ScalarType, Shape, StridedShape};

/// A launch with everything resolved but the bindings and the merge slot.
pub(super) struct LinkedStep {
    code: Code,
    domain: Shape,
    args: Vec<LinkedArg>,
    /// Its place in the program.
    at: usize,
}

enum LinkedArg {
    Tensor { tensor: Tensor, strides: Option<Vec<usize>> },
    View { tensor: Tensor, shape: StridedShape },
    Merge { strides: Option<Vec<usize>> },
    Scalar(Scalar),
    Index { symbol: usize, scalar: ScalarType },
}

/// So many arguments of a launch are resolved without an allocation.
const INLINE_ARGS: usize = 8;

impl LinkedStep {
    /// The step at place `at` of the program called `routine`; adds what it uses.
    pub(super) fn new(
        routine: &str,
        (at, step, code): (usize, &Step, &Code),
        context: &Context,
        uses: &mut Vec<Use>,
    ) -> Result<Self> {
        let mut own = Vec::with_capacity(step.args.len());
        let args = link(routine, step, context, &mut own)?;
        unify(&mut own);
        uses.append(&mut own);
        Ok(Self { code: code.clone(), domain: step.domain, args, at })
    }

    /// Whether there is something to run.
    pub(super) fn has_work(&self) -> bool {
        self.code.form() == Form::Host || self.domain.elements() > 0
    }

    /// Whether every submission has the same arguments.
    pub(super) fn is_constant(&self) -> bool {
        let bound =
            |arg: &LinkedArg| matches!(arg, LinkedArg::Merge { .. } | LinkedArg::Index { .. });
        !self.args.iter().any(bound)
    }

    /// The arguments of a constant step.
    pub(super) fn constants(&self) -> Vec<Arg<'_, Handle>> {
        self.args.iter().map(|arg| arg.resolve(&[], None)).collect()
    }

    pub(super) fn code(&self) -> &Handle {
        self.code.handle()
    }

    pub(super) fn domain(&self) -> Shape {
        self.domain
    }

    /// Launches the step with these values of symbols, and this in the merge slot.
    pub(super) fn launch(
        &self,
        values: &[i64],
        slot: Option<&Tensor>,
        backend: &dyn DynBackend,
        stream: &Handle,
    ) -> Result<()> {
        let mut inline = [const { Arg::Scalar(Scalar::Bool(false)) }; INLINE_ARGS];
        let mut many = Vec::new();
        let args: &[Arg<'_, Handle>] = if self.args.len() <= INLINE_ARGS {
            for (place, arg) in inline.iter_mut().zip(&self.args) {
                *place = arg.resolve(values, slot);
            }
            &inline[..self.args.len()]
        } else {
            many.extend(self.args.iter().map(|arg| arg.resolve(values, slot)));
            &many
        };
        backend.launch(stream, self.code(), &Launch { domain: self.domain, args })
    }

    /// Refuses arguments that share memory with one that is written; `streamed` is in the merge slot.
    pub(super) fn check_alias(&self, streamed: Option<&Tensor>) -> Result<()> {
        let argument = |i: usize| {
            let (tensor, dense) = match &self.args[i] {
                LinkedArg::Tensor { tensor, strides } => (tensor, strides.is_none()),
                LinkedArg::View { tensor, .. } => (tensor, false),
                LinkedArg::Merge { strides } => (streamed?, strides.is_none()),
                LinkedArg::Scalar(_) | LinkedArg::Index { .. } => return None,
            };
            let written = is_written(&self.code.params()[i]);
            Some(alias::Argument { region: tensor.region(), written, dense })
        };
        alias::check(self.code.name(), self.code.form(), self.args.len(), argument)
            .map_err(|e| e.with("step", self.at))
    }
}

fn link(name: &str, step: &Step, context: &Context, uses: &mut Vec<Use>) -> Result<Vec<LinkedArg>> {
    let mut args = Vec::with_capacity(step.args.len());
    for (arg, param) in step.args.iter().zip(step.kernel.params()) {
        args.push(match arg {
            StepArg::Node { node, strides } => {
                let tensor = context.tensor(*node)?;
                uses.push(Use::new(tensor.buffer(), is_written(param)));
                match param.kind {
                    ParamKind::View { .. } => {
                        LinkedArg::View { shape: StridedShape::dense(tensor.shape()), tensor }
                    }
                    _ => LinkedArg::Tensor { tensor, strides: strides.clone() },
                }
            }
            StepArg::Merge { strides, .. } => LinkedArg::Merge { strides: strides.clone() },
            StepArg::Scalar(value) => LinkedArg::Scalar(*value),
            StepArg::Log => {
                LinkedArg::Scalar(Scalar::U64(context.stream().log(name)?.number(name)))
            }
            StepArg::Index(symbol) => match param.kind {
                ParamKind::Scalar(scalar) => LinkedArg::Index { symbol: *symbol, scalar },
                ParamKind::Slice { .. } | ParamKind::View { .. } => {
                    unreachable!("compiled programs pass indices to scalars")
                }
            },
        });
    }
    Ok(args)
}

impl LinkedArg {
    fn resolve<'a>(&'a self, values: &[i64], slot: Option<&'a Tensor>) -> Arg<'a, Handle> {
        match self {
            Self::Tensor { tensor, strides } => {
                let region = Buffer::resolve(tensor.region());
                Arg::Slice { region, strides: strides.as_deref() }
            }
            Self::View { tensor, shape } => {
                Arg::View { region: Buffer::resolve(tensor.region()), shape }
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
        ScalarType::U8 => Scalar::U8(value as u8),
        ScalarType::I32 => Scalar::I32(value as i32),
        ScalarType::U32 => Scalar::U32(value as u32),
        ScalarType::U64 => Scalar::U64(value as u64),
        ScalarType::Usize => Scalar::Usize(value as usize),
        _ => Scalar::I64(value),
    }
}
