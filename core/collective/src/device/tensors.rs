//! The tensors that a rank brings to a call.

use ringwood_base::{DType, Error, ErrorKind, Result, Shape};
use ringwood_device::device::{Device, Tensor, overlap};
use ringwood_schedule::{BufferMode, Invocation, Operation};

/// The tensors that a rank brings to a call.
pub enum Tensors<'a> {
    /// The output replaces the input.
    InPlace(&'a mut Tensor),
    /// The output has memory of its own.
    Apart {
        /// What the rank contributes.
        input: &'a Tensor,
        /// What it gets, on the same device.
        output: &'a mut Tensor,
    },
}

impl Tensors<'_> {
    /// What the rank contributes.
    pub fn input(&self) -> &Tensor {
        match self {
            Tensors::InPlace(tensor) => tensor,
            Tensors::Apart { input, .. } => input,
        }
    }

    /// What the rank gets.
    pub fn output(&self) -> &Tensor {
        match self {
            Tensors::InPlace(tensor) => tensor,
            Tensors::Apart { output, .. } => output,
        }
    }

    /// How input and output relate.
    pub fn mode(&self) -> BufferMode {
        match self {
            Tensors::InPlace(_) => BufferMode::InPlace,
            Tensors::Apart { .. } => BufferMode::OutOfPlace,
        }
    }

    /// The dimensions of the vector of an operation, or of a block: those that all ranks must have. None where the
    /// blocks have lengths of their own, which the ranks compare.
    pub(crate) fn block(&self, what: &Invocation<'_>) -> Shape {
        if what.counts.is_some() {
            return Shape::default();
        }
        let of_output = matches!(what.operation, Operation::Scatter | Operation::ReduceScatter);
        let tensor = if of_output { self.output() } else { self.input() };
        tensor.shape()
    }

    /// The device of the tensors.
    pub fn device(&self) -> &Device {
        self.output().device()
    }

    /// Refuses tensors of other elements than `dtype`, and an input and an output that are on two
    /// devices or share memory.
    pub fn check(&self, dtype: DType) -> Result<()> {
        if self.input().dtype() != dtype {
            let message = format!("the call is on {dtype} elements, not on {:?}", self.input());
            return Err(Error::dtype(message));
        }
        let Tensors::Apart { input, output } = self else { return Ok(()) };
        let (kind, why) = if input.device() != output.device() {
            (ErrorKind::Device, "are on different devices")
        } else if input.dtype() != output.dtype() {
            (ErrorKind::DType, "have different element types")
        } else if shares(input, output) {
            (ErrorKind::InvalidArgument, "share memory")
        } else {
            return Ok(());
        };
        Err(Error::new(kind, format!("the input {input:?} and the output {output:?} {why}")))
    }
}

/// Whether two tensors have an element in common.
pub(super) fn shares(a: &Tensor, b: &Tensor) -> bool {
    overlap(&a.region(), &b.region())
}
