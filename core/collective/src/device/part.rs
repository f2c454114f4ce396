//! What a rank prepares on its device for calls of one kind.

use super::seats::{Memories, Place};
use super::tensors::Tensors;
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Error, Result};
use ringwood_device::backend::find;
use ringwood_device::device::{Buffer, Code, Device, Kernel, Tensor};
use ringwood_schedule::lower::{Op, Program};
use ringwood_schedule::{Codec, Rank, ReduceOp};
use ringwood_transport::group_size_as;
use std::sync::Arc;

/// A rank's share of a call, prepared for its device: the program and compiled kernels, and memory
/// for what the caller does not bring.
pub(crate) struct Part {
    pub(super) device: Device,
    pub(super) program: Program,
    /// Where the operation reduces.
    pub(super) kernels: Option<Kernels>,
    pub(super) coded: Option<Coded>,
    /// Memory that peers may read.
    pub(super) arena: Buffer,
    /// Where chunks lie that a merge reads and that come from another device.
    pub(super) staging: Buffer,
}

/// The kernels of a reduction on one device.
pub(super) struct Kernels {
    /// The type of the words that travel, and how many make an element.
    pub(super) wire: DType,
    pub(super) words: usize,
    pub(super) merge: Code,
    /// The kernel that completes a result, and its second operand: the group size.
    pub(super) finish: Option<(Code, Buffer)>,
}

/// The elements in the form in which they travel.
pub(super) struct Coded {
    pub(super) encode: Code,
    pub(super) decode: Code,
    /// The words of the input.
    pub(super) input: Buffer,
    /// In place the words of the input.
    pub(super) output: Option<Buffer>,
}

impl Part {
    /// Prepares `program`, the share of `rank`, for tensors like `tensors`, merged by `op`.
    pub(crate) fn new(
        registry: &Registry,
        rank: Rank,
        tensors: &Tensors<'_>,
        op: Option<ReduceOp>,
        program: Program,
    ) -> Result<Self> {
        let device = tensors.device().clone();
        let merged = |op: &Op| match op {
            Op::Merge { bytes, .. } => *bytes,
            _ => 0,
        };
        let prepare = || {
            let dtype = tensors.input().dtype();
            op.map_or(Ok(()), |op| Codec::check_exists(op, dtype))?;
            let codec = op.and_then(|op| Codec::of(op, dtype));
            codec.map_or(Ok(()), |codec| codec.check_ranks(rank.group_size()))?;
            if codec.is_some_and(|codec| codec.sums.is_some()) {
                let message = "sums in another form than what travels are kept by hosts alone";
                return Err(Error::unsupported(message)
                    .help("reduce the elements on the host, in `Tensor::host_mut`"));
            }
            let staging = device.buffer(program.ops.iter().map(merged).max().unwrap_or(0))?;
            let kernels =
                |op| Kernels::find(registry, tensors.input(), op, codec, rank.group_size());
            Ok(Self {
                kernels: op.map(kernels).transpose()?,
                coded: codec.map(|codec| Coded::find(registry, codec, tensors)).transpose()?,
                arena: device.buffer(program.arena)?,
                device: device.clone(),
                program,
                staging,
            })
        };
        prepare().map_err(|error: Error| error.with("rank", rank).with("device", &device))
    }

    /// What the rank shows its peers in a call on `tensors`.
    pub(crate) fn memories(&self, tensors: &Tensors<'_>) -> Memories {
        let [input, output] = match &self.coded {
            Some(coded) => [&coded.input, coded.output()].map(Buffer::region),
            None => [tensors.input(), tensors.output()].map(Tensor::region),
        };
        [input, output, self.arena.region()].map(Place::of)
    }
}

impl Kernels {
    pub(super) fn find(
        registry: &Registry,
        tensor: &Tensor,
        op: ReduceOp,
        codec: Option<&Codec>,
        ranks: usize,
    ) -> Result<Self> {
        let device = tensor.device();
        let (wire, words) = codec.map_or((tensor.dtype(), 1), |codec| (codec.wire, codec.words));
        let backend = device.backend_name();
        let code = |name, dtypes: &[DType]| {
            device.code(&Kernel::of(&find(registry, name, backend)?, dtypes)?)
        };
        let merge = match codec.and_then(|codec| codec.merge) {
            Some(name) => code(name, &[wire; 2])?,
            None => code(op.merge(), &[wire; 3])?,
        };
        let finish = op.finish().map(|name| {
            let bytes = group_size_as(wire, ranks)?;
            let divisor = device.buffer(wire.size())?;
            let region = divisor.region();
            device.stream()?.write(Arc::from(&bytes[..wire.size()]), region)?;
            Ok::<_, Error>((code(name, &[wire; 3])?, divisor))
        });
        Ok(Self { wire, words, merge, finish: finish.transpose()? })
    }
}

impl Coded {
    fn find(registry: &Registry, codec: &Codec, tensors: &Tensors<'_>) -> Result<Self> {
        let device = tensors.device();
        let code = |name, from, to| {
            let kernel = find(registry, name, device.backend_name())?;
            device.code(&Kernel::of(&kernel, &[from, to])?)
        };
        let words = |tensor: &Tensor| device.buffer(tensor.len() * codec.bytes());
        let output = match tensors {
            Tensors::InPlace(_) => None,
            Tensors::Apart { output, .. } => Some(words(output)?),
        };
        Ok(Self {
            encode: code(codec.encode, codec.raw, codec.bits)?,
            decode: code(codec.decode, codec.bits, codec.decoded)?,
            input: words(tensors.input())?,
            output,
        })
    }

    pub(super) fn output(&self) -> &Buffer {
        self.output.as_ref().unwrap_or(&self.input)
    }
}
