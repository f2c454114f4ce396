//! Encoding and decoding on the calling thread.

use ringwood_base::Result;
use ringwood_base::registry::Registry;
use ringwood_schedule::Codec;
use ringwood_transport::{Buffers, Endpoint, NativeKernel, Region};

/// A codec with its native kernels.
#[derive(Clone, Copy)]
pub(super) struct Coder {
    codec: &'static Codec,
    encode: NativeKernel,
    decode: NativeKernel,
}

/// Memory for encoded elements, kept from call to call.
#[derive(Default)]
pub(super) struct Wire(Option<Region>);

impl Coder {
    /// # Errors
    /// A kernel of the codec is not registered or has no native code.
    pub(super) fn find(registry: &Registry, codec: &'static Codec) -> Result<Self> {
        let Codec { dtype, raw, decoded, bits, .. } = *codec;
        let find = |name, from, to| {
            let what = format!("carries {dtype} elements from {from} to {to}");
            NativeKernel::find(registry, name, &[from, to], &what)
        };
        let encode = find(codec.encode, raw, bits)?;
        let decode = find(codec.decode, bits, decoded)?;
        Ok(Self { codec, encode, decode })
    }

    /// The elements of `buffers` as they travel, in memory that `endpoint` reaches without a copy.
    pub(super) fn encode<'w>(
        &self,
        buffers: &mut Buffers<'_>,
        wire: &'w mut Wire,
        endpoint: &mut dyn Endpoint,
    ) -> Result<Buffers<'w>> {
        let apart = matches!(buffers, Buffers::Apart { .. });
        let (input, output) = (self.words(buffers.input()), self.words(buffers.output()));
        let bytes = input + if apart { output } else { 0 };
        let Wire(words) = wire;
        if words.as_ref().is_none_or(|words| words.bytes().len() < bytes) {
            *words = None;
            *words = Some(endpoint.allocate(bytes)?);
        }
        let words = words.as_mut().map_or(&mut [][..], |words| &mut words.bytes_mut()[..bytes]);
        let (encoded, rest) = words.split_at_mut(input);
        let data = buffers.input();
        let count = data.len() / self.codec.dtype.size();
        self.encode.apply(self.codec.units(count), data, encoded)?;
        Ok(if apart {
            Buffers::Apart { input: encoded, output: rest }
        } else {
            Buffers::InPlace(encoded)
        })
    }

    /// Puts the elements that have travelled into the output.
    pub(super) fn decode(&self, wire: &mut Wire, buffers: &mut Buffers<'_>) -> Result<()> {
        let first = match buffers {
            Buffers::InPlace(_) => 0,
            Buffers::Apart { input, .. } => self.words(input),
        };
        let data = buffers.output();
        let (count, bytes) = (data.len() / self.codec.dtype.size(), self.words(data));
        let Wire(Some(words)) = wire else { return Ok(()) };
        if self.codec.sums.is_some() {
            data.fill(0);
        }
        self.decode.apply(count, &words.bytes()[first..first + bytes], data)
    }

    /// The bytes of these elements as they travel.
    fn words(&self, data: &[u8]) -> usize {
        self.codec.units(data.len() / self.codec.dtype.size()) * self.codec.bytes()
    }
}
