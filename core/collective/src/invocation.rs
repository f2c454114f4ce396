//! What a rank calls, and what all ranks must call alike.

use super::agreement::Field;
use ringwood_base::DType;
use ringwood_schedule::{Arrangement, BufferMode, Operation, Order, ReduceOp};
use std::borrow::Cow;

/// What a rank calls, but for its data: an operation with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[must_use]
pub struct Invocation<'a> {
    /// The operation.
    pub operation: Operation,
    /// The merge, for an operation that reduces.
    pub reduce: Option<ReduceOp>,
    /// The element type.
    pub dtype: DType,
    /// The root, for an operation that has one; else 0.
    pub root: usize,
    /// The rank that the input of each rank goes to, for a permutation; else empty.
    pub permutation: Cow<'a, [usize]>,
    /// The elements of each block where they differ, as in
    /// [`Request::counts`](ringwood_schedule::Request::counts).
    pub counts: Cow<'a, [usize]>,
    /// The dimensions of the vector, or of each block, if the ranks bring tensors; a call on tensors
    /// takes them from those.
    pub shape: Cow<'a, [usize]>,
}

impl<'a> Invocation<'a> {
    /// An operation on elements of `dtype`, from or to rank 0.
    pub const fn new(operation: Operation, dtype: DType) -> Self {
        let none = Cow::Borrowed(&[] as &[usize]);
        let (permutation, counts) =
            (Cow::Borrowed(&[] as &[usize]), Cow::Borrowed(&[] as &[usize]));
        Self { operation, reduce: None, dtype, root: 0, permutation, counts, shape: none }
    }

    /// The same with this merge.
    pub fn reduce(self, op: ReduceOp) -> Self {
        Self { reduce: Some(op), ..self }
    }

    /// The same from or to another root.
    pub fn root(self, root: usize) -> Self {
        Self { root, ..self }
    }

    /// The same with the input of rank `r` going to rank `permutation[r]`.
    pub fn permutation(self, permutation: impl Into<Cow<'a, [usize]>>) -> Self {
        Self { permutation: permutation.into(), ..self }
    }

    /// The same with blocks of different sizes.
    pub fn counts(self, counts: impl Into<Cow<'a, [usize]>>) -> Self {
        Self { counts: counts.into(), ..self }
    }

    /// Whether another one is the same.
    #[inline]
    pub(super) fn is(&self, other: &Invocation<'_>) -> bool {
        self.operation == other.operation
            && self.dtype == other.dtype
            && self.reduce == other.reduce
            && self.root == other.root
            && same(&self.permutation, &other.permutation)
            && same(&self.counts, &other.counts)
            && same(&self.shape, &other.shape)
    }

    /// The same, which borrows nothing.
    pub(super) fn owned(&self) -> Invocation<'static> {
        let owned = |list: &Cow<'_, [usize]>| Cow::Owned(list.to_vec());
        Invocation {
            permutation: owned(&self.permutation),
            counts: owned(&self.counts),
            shape: owned(&self.shape),
            ..*self
        }
    }
}

/// Without `memcmp`, which takes long over the null of empty slices: its masked loads fault.
fn same(a: &[usize], b: &[usize]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a == b)
}

/// A call in full: what every rank of the group must make alike. Its hash is the
/// [fingerprint](CallSpec::fingerprint), by which the ranks agree.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct CallSpec {
    /// What is called.
    pub what: Invocation<'static>,
    /// The number of elements of the vector, or of each block; of the largest, where they differ.
    pub count: usize,
    /// How input and output relate.
    pub mode: BufferMode,
    /// The order of merges that is asked for.
    pub order: Option<Order>,
    /// In which tasks and on which rings the ranks are.
    pub arrangement: Arrangement,
    /// The algorithm.
    pub algorithm: Cow<'static, str>,
    /// Whether the elements are in memory of devices.
    pub on_devices: bool,
}

impl CallSpec {
    /// 64 bits; different calls have different ones but for a chance of 2^-64.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        let mut take = |word: u64| {
            hash = (hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        };
        for field in self.fields() {
            field.1.bytes().for_each(|byte| take(u64::from(byte)));
            take(u64::MAX);
        }
        hash
    }

    /// The bytes of the vector or of the largest block.
    pub fn bytes(&self) -> u64 {
        (self.count * self.what.dtype.size()) as u64
    }

    /// The fields by name, as text.
    pub fn fields(&self) -> Vec<Field> {
        let Invocation { operation, reduce, dtype, root, permutation, counts, shape } = &self.what;
        let memory = if self.on_devices { "devices" } else { "host" };
        let mode = match self.mode {
            BufferMode::InPlace => "the same memory",
            BufferMode::OutOfPlace => "separate memory",
        };
        let fields = [
            ("operation", operation.to_string()),
            ("reduce operator", reduce.map_or_else(String::new, |op| op.to_string())),
            ("dtype", dtype.to_string()),
            ("count", self.count.to_string()),
            ("memory", memory.to_owned()),
            ("shape", list(shape)),
            ("counts", list(counts)),
            ("root", root.to_string()),
            ("permutation", list(permutation)),
            ("input and output", mode.to_owned()),
            ("order", self.order.map_or_else(|| "any".to_owned(), |order| order.to_string())),
            ("arrangement", self.arrangement.to_string()),
            ("algorithm", self.algorithm.to_string()),
        ];
        fields.map(|(name, value)| (name.into(), value)).to_vec()
    }
}

fn list(numbers: &[usize]) -> String {
    if numbers.is_empty() { "none".to_owned() } else { format!("{numbers:?}") }
}
