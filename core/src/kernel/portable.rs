//! A kernel in its typed IR, as backends that print it keep it.

use super::{Arg, KernelSpec, Launch};
use crate::{Result, Scalar};
use ringwood_ir::prove::{Fact, LaunchFacts, Proof, Prover};
use ringwood_ir::{Kernel, ParamKind, Type, Value};
use std::sync::Arc;

/// The typed IR of a kernel, and what was proved of its launches.
#[derive(Debug)]
pub struct Portable {
    ir: Kernel,
    prover: Prover,
}

impl Portable {
    /// The IR of `spec`.
    ///
    /// # Errors
    /// The body is not portable, or the text of the IR is malformed.
    pub fn new(spec: &KernelSpec<'_>) -> Result<Self> {
        Ok(Self { ir: spec.kernel()?, prover: Prover::default() })
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
    /// use ringwood_core::backend::Region;
    /// use ringwood_core::kernel::{Arg, Form, KernelSpec, Launch, Param, ParamKind, Portable};
    /// use ringwood_core::{DType, Shape};
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
    /// # Ok::<(), ringwood_core::Error>(())
    /// ```
    pub fn prove<M>(&self, launch: &Launch<'_, M>) -> Arc<Proof> {
        let facts = facts(&self.ir, launch);
        self.prover.prove(&self.ir, &LaunchFacts { domain: &launch.domain, args: &facts })
    }
}

/// What is known of each argument of a launch.
pub(super) fn facts<M>(ir: &Kernel, launch: &Launch<'_, M>) -> Vec<Fact<'static>> {
    let fact = |(param, arg): (&ringwood_ir::Param, &Arg<'_, M>)| match (arg, param.kind) {
        (Arg::Scalar(value), _) => Fact::Scalar(value_of(*value)),
        (Arg::Slice { region, .. }, ParamKind::Slice { ty, .. }) => {
            Fact::Len(region.bytes / size(ty))
        }
        (Arg::Slice { .. }, _) => Fact::Len(0),
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

fn value_of(value: Scalar) -> Value {
    match value {
        Scalar::Bool(v) => v.into(),
        Scalar::I32(v) => v.into(),
        Scalar::U32(v) => v.into(),
        Scalar::I64(v) => v.into(),
        Scalar::U64(v) => v.into(),
        Scalar::Usize(v) => v.into(),
        Scalar::F32(v) => v.into(),
        Scalar::F64(v) => v.into(),
    }
}
