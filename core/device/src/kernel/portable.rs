//! A kernel in its typed IR, as backends that print it keep it.

use super::{Arg, KernelSpec, Launch, Source, Sources};
use ringwood_base::Result;
use ringwood_ir::print::{self, Dialect, Facts, Options, Printed, print, print_source};
use ringwood_ir::prove::{Fact, LaunchFacts, Proof, Prover};
use ringwood_ir::{Kernel, ParamKind, Type};
use std::sync::Arc;

/// The typed IR of a kernel, and what was proved of its launches; or its source for one backend.
#[derive(Debug)]
pub struct Portable {
    ir: Kernel,
    prover: Prover,
    written: Option<Written>,
}

/// What devices run instead of the IR.
#[derive(Debug)]
struct Written {
    source: &'static Source,
    sources: &'static Sources,
    file: String,
}

impl Portable {
    /// The IR of `spec`.
    ///
    /// # Errors
    /// The body is not portable, or the text of the IR is malformed.
    pub fn new(spec: &KernelSpec<'_>) -> Result<Self> {
        Ok(Self { ir: spec.kernel()?, prover: Prover::default(), written: None })
    }

    /// What devices run whose compiler takes texts in `dialect`: the source of `spec` for the backend
    /// of that name, else its IR.
    ///
    /// # Errors
    /// There is neither, or the text of the IR is malformed.
    pub fn in_dialect(spec: &KernelSpec<'_>, dialect: &Dialect) -> Result<Self> {
        let Some((source, sources)) = spec.source(dialect.name).zip(spec.sources) else {
            return Self::new(spec);
        };
        let written = Written { source, sources, file: spec.source_file(source) };
        let (ir, prover) = (spec.declaration()?, Prover::default());
        Ok(Self { ir, prover, written: Some(written) })
    }

    /// Whether it is written by hand, and [`Portable::ir`] is its declaration.
    pub fn is_source(&self) -> bool {
        self.written.is_some()
    }

    /// The text for a compiler: of what is written by hand there is one variant.
    pub fn print(&self, dialect: &Dialect, facts: &Facts, options: &Options) -> Printed {
        match &self.written {
            None => print(&self.ir, dialect, facts, options),
            Some(Written { source, sources, file }) => {
                let source = print::Source {
                    text: source.text,
                    entry: sources.entry,
                    file,
                    line: source.line,
                    names: sources.names,
                };
                print_source(&self.ir, &source, dialect)
            }
        }
    }

    /// The typed IR.
    pub fn ir(&self) -> &Kernel {
        &self.ir
    }

    /// What can be proved of a launch with arguments of these parameters: whether it accesses no
    /// buffer outside of its bounds, and whether indices of 32 bits are enough. Takes some
    /// microseconds, and for a launch like a recent one a fraction of one.
    ///
    /// ```
    /// use ringwood_device::backend::Region;
    /// use ringwood_device::kernel::{Arg, Form, KernelSpec, Launch, Param, ParamKind, Portable};
    /// use ringwood_base::{DType, Shape};
    ///
    /// let params = [Param { name: "y", kind: ParamKind::Slice { dtype: DType::F32, mutable: true } }];
    /// let spec = KernelSpec {
    ///     ir: Some("kir2 fill 1 - 0 1 y m f32 0 0 0 0 1 st p0 1 1 gid usize:0 0 f f32:2 0 void"),
    ///     ..KernelSpec::new("fill", Form::Grid, &params)
    /// };
    /// let portable = Portable::new(&spec)?;
    /// let region = Region { memory: &(), offset: 0, bytes: 32 };
    /// let args = [Arg::Slice { region, strides: None }];
    /// let proof = |n| portable.prove(&Launch { domain: Shape::vector(n), args: &args });
    /// assert!(proof(8).unchecked() && !proof(9).unchecked());
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    pub fn prove<M>(&self, launch: &Launch<'_, M>) -> Arc<Proof> {
        let facts = facts(&self.ir, launch);
        self.prover.prove(&self.ir, &LaunchFacts { domain: &launch.domain, args: &facts })
    }
}

/// What is known of each argument of a launch.
pub(super) fn facts<'a, M>(ir: &Kernel, launch: &Launch<'a, M>) -> Vec<Fact<'a>> {
    let fact = |(param, arg): (&ringwood_ir::Param, &Arg<'a, M>)| match (arg, param.kind) {
        (Arg::Scalar(value), _) => Fact::Scalar((*value).into()),
        (Arg::Slice { region, .. }, ParamKind::Slice { ty, .. }) => {
            Fact::Len(region.bytes / size(ty))
        }
        (Arg::View { shape, .. }, ParamKind::View { .. }) => {
            Fact::View { shape: shape.extents(), strides: shape.strides() }
        }
        (Arg::Slice { .. } | Arg::View { .. }, _) => Fact::Len(0),
    };
    ir.params.iter().zip(launch.args).map(fact).collect()
}

/// The bytes of an element.
pub(super) fn size(ty: Type) -> usize {
    match ty {
        Type::U8 => 1,
        Type::F16 | Type::Bf16 => 2,
        Type::Bool | Type::I32 | Type::U32 | Type::F32 => 4,
        Type::I64 | Type::U64 | Type::Usize | Type::F64 => 8,
    }
}
