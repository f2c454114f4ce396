//! Elements that travel in another form than the one they have in memory.

use super::ReduceOp;
use ringwood_base::{DType, Error, Result};

/// How the elements of a reduction travel, where it is not as they are: each rank encodes its
/// elements before the first step and decodes the complete values after the last one.
///
/// A codec changes what an element is to a schedule, not the schedule: every algorithm and transport
/// runs it. Its three kernels are registered ones, so a device encodes, merges and decodes with
/// those of its own backend. They are named in full: a kernel of the same name in another package is
/// another kernel.
///
/// ```
/// use ringwood_base::DType;
/// use ringwood_schedule::{Codec, ReduceOp};
///
/// let codec = Codec::of(ReduceOp::Sum, DType::BF16).unwrap();
/// assert_eq!((codec.bytes(), codec.roundings), (4, 1));
/// assert_eq!(Codec::of(ReduceOp::ReproducibleSum, DType::F64).unwrap().bytes(), 32);
/// assert!(Codec::of(ReduceOp::Sum, DType::F32).is_none());
/// ```
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Codec {
    /// The type of the elements in memory.
    pub dtype: DType,
    /// The type of the words that travel.
    pub wire: DType,
    /// The elements in memory that travel as one.
    pub elements: usize,
    /// The words of an element on the wire, which stay together.
    pub words: usize,
    /// The type of the sums that stay with a rank, one for each element in memory, where what
    /// travels is merged in another form than its own: then only a schedule runs whose
    /// [scratch chunks](super::Verdict::aside) hold the merges.
    pub sums: Option<DType>,
    /// The type as which `encode` reads elements, of their size.
    pub raw: DType,
    /// The type as which `decode` writes elements, of their size.
    pub decoded: DType,
    /// The type as which `encode` and `decode` take words, of the size of `wire`.
    pub bits: DType,
    /// The kernel that encodes: it reads elements and writes words.
    pub encode: &'static str,
    /// The kernel that merges the words of its first argument into those of its second, or into the
    /// sums; the operator's own merge of `wire` elements if `None`.
    pub merge: Option<&'static str>,
    /// The kernel that decodes: it reads words and writes elements, or, where there are sums, adds to
    /// zeros.
    pub decode: &'static str,
    /// How often a result is rounded to `dtype`; merges in a wider type round to that.
    pub roundings: usize,
    /// The most ranks whose elements can be merged.
    pub ranks: usize,
}

/// 16-bit floats are merged in `f32`. Other codecs are this one but for the fields that they name.
const fn wide(dtype: DType, decode: &'static str) -> Codec {
    Codec {
        dtype,
        wire: DType::F32,
        elements: 1,
        words: 1,
        sums: None,
        raw: dtype,
        decoded: dtype,
        bits: DType::F32,
        encode: "ringwood::to_f32",
        merge: None,
        decode,
        roundings: 1,
        ranks: usize::MAX,
    }
}

static WIDE: [Codec; 2] =
    [wide(DType::F16, "ringwood::to_f16"), wide(DType::BF16, "ringwood::to_bf16")];

static REPRODUCIBLE: [Codec; 2] = [
    Codec {
        wire: DType::U64,
        words: 2,
        raw: DType::U32,
        bits: DType::U64,
        encode: "ringwood::reproducible_encode_f32",
        merge: Some("ringwood::reproducible_merge_f32"),
        ranks: 1 << 19,
        ..wide(DType::F32, "ringwood::reproducible_decode_f32")
    },
    Codec {
        wire: DType::U64,
        words: 4,
        raw: DType::U64,
        bits: DType::U64,
        encode: "ringwood::reproducible_encode_f64",
        merge: Some("ringwood::reproducible_merge_f64"),
        ranks: 1 << 22,
        ..wide(DType::F64, "ringwood::reproducible_decode_f64")
    },
];

/// Blocks of 32 elements with one scale, summed in `f32`.
static INT8: [Codec; 1] = [Codec {
    wire: DType::U32,
    elements: 32,
    words: 9,
    sums: Some(DType::F32),
    raw: DType::U32,
    bits: DType::U32,
    encode: "ringwood::int8_encode",
    merge: Some("ringwood::int8_add"),
    roundings: 2,
    ..wide(DType::F32, "ringwood::int8_add")
}];

impl Codec {
    /// The codec of `op` for elements of `dtype`; `None` if they travel as they are.
    pub fn of(op: ReduceOp, dtype: DType) -> Option<&'static Codec> {
        let table = match op {
            ReduceOp::ReproducibleSum => &REPRODUCIBLE[..],
            ReduceOp::Int8Sum | ReduceOp::Int8Mean => &INT8,
            ReduceOp::Kernel(_) | ReduceOp::Ordered(_) => return None,
            _ => &WIDE,
        };
        table.iter().find(|codec| codec.dtype == dtype)
    }

    /// Refuses elements that no codec carries, for an operator that is one by its codec: a
    /// reproducible sum of floats, or a sum in 8 bits.
    pub fn check_exists(op: ReduceOp, dtype: DType) -> Result<()> {
        let (needed, what, help) = match op {
            ReduceOp::ReproducibleSum => {
                let what = "accumulator for a reproducible sum";
                (dtype.is_float(), what, "convert them to f32 or f64")
            }
            ReduceOp::Int8Sum | ReduceOp::Int8Mean => {
                (true, "codec for a sum in 8 bits", "convert them to f32")
            }
            _ => return Ok(()),
        };
        if !needed || Codec::of(op, dtype).is_some() {
            return Ok(());
        }
        Err(Error::unsupported(format!("no {what} of {dtype} elements")).help(help))
    }

    /// The bytes of an element on the wire.
    pub const fn bytes(&self) -> usize {
        self.wire.size() * self.words
    }

    /// The bytes of the sums of an element on the wire.
    pub const fn sum_bytes(&self) -> Option<usize> {
        match self.sums {
            Some(dtype) => Some(dtype.size() * self.elements),
            None => None,
        }
    }

    /// The elements on the wire that carry `count` elements in memory.
    pub const fn units(&self, count: usize) -> usize {
        count.div_ceil(self.elements)
    }

    /// Refuses more ranks than an accumulator holds values of.
    pub fn check_ranks(&self, ranks: usize) -> Result<()> {
        if ranks <= self.ranks {
            return Ok(());
        }
        let (dtype, most) = (self.dtype, self.ranks);
        let message = format!("accumulators of {dtype} hold {most} values, the group has {ranks}");
        Err(Error::unsupported(message))
    }
}
