//! One launch of a routine, with everything resolved that linking knows.

use crate::backend::Handle;
use crate::device::program::{Compiled, StepArg};
use crate::device::stream::{Use, unify};
use crate::device::{Buffer, Context, Tensor, broadcast_strides};
use crate::kernel::{Arg, Code, Form, Launch, Param, ParamKind, Proven};
use ringwood_base::{Result, Scalar, ScalarType, Shape, StridedShape};

/// A launch with everything resolved but the bindings and the merge slot.
pub(super) struct LinkedStep {
    code: Code,
    domain: Shape,
    args: Vec<LinkedArg>,
    /// Its place in the program.
    at: usize,
    /// What was proved of a step that is the same in every submission.
    proven: Option<Proven>,
}

enum LinkedArg {
    Tensor { tensor: Tensor, strides: Option<Vec<usize>> },
    View { tensor: Tensor, shape: Box<StridedShape> },
    Merge { strides: Option<Vec<usize>> },
    Scalar(Scalar),
    Symbol { symbol: usize, scalar: ScalarType },
}

impl LinkedStep {
    /// The step at place `at` of a program; adds what it uses. `streamed` is in the merge slot.
    pub(super) fn new(
        compiled: &Compiled,
        at: usize,
        context: &Context,
        streamed: Option<&Tensor>,
        uses: &mut Vec<Use>,
    ) -> Result<Self> {
        let mut own = Vec::new();
        let args = link(compiled, at, context, &mut own)?;
        unify(&mut own);
        uses.append(&mut own);
        let (_, code, domain) = compiled.step(at);
        let code = code.clone();
        let mut linked = Self { code, domain, args, at, proven: None };
        if linked.is_constant() {
            let proven = linked.code.check(domain, &linked.args(&[], None));
            linked.proven = Some(linked.placed(proven)?);
        } else {
            linked.check_known(streamed)?;
        }
        Ok(linked)
    }

    /// Whether there is something to run.
    pub(super) fn has_work(&self) -> bool {
        self.code.form() == Form::Host || self.domain.elements() > 0
    }

    /// Whether every submission has the same arguments.
    pub(super) fn is_constant(&self) -> bool {
        let bound =
            |arg: &LinkedArg| matches!(arg, LinkedArg::Merge { .. } | LinkedArg::Symbol { .. });
        !self.args.iter().any(bound)
    }

    /// Whether it may be that a submission does not fit the kernel, for what it binds, or for what is in
    /// the merge slot if that is memory of another context.
    pub(super) fn may_be_refused(&self, streamed: bool) -> bool {
        self.proven.is_none() && (streamed || self.code.requires())
    }

    /// The launch with these values of symbols, and this in the merge slot.
    ///
    /// # Errors
    /// What is in the slot shares memory that is written, or a requirement does not hold for the values.
    // Inlined, as a result that is handed up is copied each time.
    #[inline(always)]
    pub(super) fn launch<'a>(
        &'a self,
        values: &[i64],
        slot: Option<&'a Tensor>,
    ) -> Result<Launch<'a, Handle, Handle>> {
        let args = self.args(values, slot);
        let proven = match self.proven {
            Some(proven) => proven,
            None if slot.is_none() => self.placed(self.code.prove(self.domain, &args))?,
            None => self.placed(self.code.check(self.domain, &args))?,
        };
        Ok(self.code.checked(self.domain, args, proven))
    }

    #[inline]
    fn args<'a>(&'a self, values: &[i64], slot: Option<&'a Tensor>) -> Vec<Arg<'a, Handle>> {
        let mut args = Vec::with_capacity(self.args.len());
        args.extend(self.args.iter().map(|arg| arg.resolve(values, slot)));
        args
    }

    /// Checks what is known of the arguments before a submission; `streamed` is in the merge slot.
    fn check_known(&self, streamed: Option<&Tensor>) -> Result<()> {
        let merges = self.args.iter().any(|arg| matches!(arg, LinkedArg::Merge { .. }));
        let known = |arg| match arg {
            &LinkedArg::Symbol { scalar, .. } => Arg::Scalar(Scalar::zero(scalar)),
            LinkedArg::Merge { .. } if streamed.is_none() => Arg::Scalar(Scalar::Bool(false)),
            arg => arg.resolve(&[], streamed),
        };
        let known: Vec<_> = self.args.iter().map(known).collect();
        self.placed(match merges {
            true => self.code.check_aliases(&known),
            false => self.code.check_fit(self.domain, &known),
        })
    }

    /// A failure of the step, with its place.
    fn placed<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|e| e.with("step", self.at))
    }
}

fn link(
    compiled: &Compiled,
    at: usize,
    context: &Context,
    uses: &mut Vec<Use>,
) -> Result<Vec<LinkedArg>> {
    let (step, code, domain) = compiled.step(at);
    let name = &compiled.program().name;
    // The inputs of a map broadcast.
    let strides = |shape: Shape, param: &Param| match code.form() {
        Form::Map if !param.kind.is_written() => broadcast_strides(shape, domain),
        _ => Ok(None),
    };
    let mut args = Vec::with_capacity(step.args.len());
    for (arg, param) in step.args.iter().zip(code.params()) {
        args.push(match (arg, param.kind) {
            (StepArg::Node(node), kind) => {
                let tensor = context.tensor(*node)?;
                uses.push(Use::new(tensor.buffer(), kind.is_written()));
                match kind {
                    ParamKind::View { .. } => {
                        let shape = Box::new(StridedShape::dense(tensor.shape()));
                        LinkedArg::View { tensor, shape }
                    }
                    _ => LinkedArg::Tensor { strides: strides(tensor.shape(), param)?, tensor },
                }
            }
            (StepArg::View(node, layout), kind) => {
                let tensor = context.tensor(*node)?;
                uses.push(Use::new(tensor.buffer(), false));
                match kind {
                    ParamKind::View { .. } => LinkedArg::View { tensor, shape: layout.clone() },
                    _ => {
                        let strides = layout.broadcast(domain)?.strides().to_vec();
                        LinkedArg::Tensor { tensor, strides: Some(strides) }
                    }
                }
            }
            (StepArg::Merge(_), _) => {
                let node =
                    compiled.merge_node().expect("compiled programs declare what they merge");
                LinkedArg::Merge { strides: strides(node.shape, param)? }
            }
            (StepArg::Scalar(value), _) => LinkedArg::Scalar(*value),
            (StepArg::Log, _) => {
                LinkedArg::Scalar(Scalar::U64(context.stream().log(name)?.number(name)))
            }
            (StepArg::Symbol(symbol), ParamKind::Scalar(scalar)) => {
                let place = compiled.symbols().iter().position(|known| known.name == *symbol);
                let symbol = place.expect("compiled programs declare their symbols");
                LinkedArg::Symbol { symbol, scalar }
            }
            (StepArg::Symbol(_), ParamKind::Slice { .. } | ParamKind::View { .. }) => {
                unreachable!("compiled programs pass symbols to scalars")
            }
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
            // The program's check made sure that the value fits.
            Self::Symbol { symbol, scalar } => {
                Arg::Scalar(Scalar::I64(values[*symbol]).cast(*scalar))
            }
        }
    }
}
