//! What a group asks of an algorithm.

use super::{Arrangement, BufferMode, Bytes, Codec, Invocation, Operation};
use ringwood_base::{DType, Error, Result, counted};

/// What a group asks of an algorithm: a call, and who makes it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[must_use]
pub struct Request {
    /// What every rank calls.
    pub what: Invocation<'static>,
    /// The size of the group.
    pub ranks: usize,
    /// The number of elements of the vector, or of each block of a blocked operation. Where blocks
    /// differ, of the largest one.
    pub elements: usize,
    /// How the caller's input and output relate; as the algorithm likes it best if `None`.
    pub mode: Option<BufferMode>,
    /// In which tasks and on which rings the ranks are.
    pub arrangement: Arrangement,
}

impl Request {
    /// A request of `ranks` ranks for `operation` on `elements` elements of `dtype`; the root is
    /// rank 0, and nothing is said of the merge.
    pub fn new(operation: Operation, ranks: usize, elements: usize, dtype: DType) -> Self {
        let (what, arrangement) = (Invocation::new(operation, dtype), Arrangement::default());
        Self { what, ranks, elements, mode: None, arrangement }
    }

    /// A request in place for `f32`, with about `bytes` in a rank's buffer.
    pub fn sized(operation: Operation, ranks: usize, bytes: Bytes) -> Self {
        let blocks = if operation.blocked() { ranks } else { 1 };
        let elements = match operation {
            Operation::Barrier => 0,
            _ => (bytes.0 as usize / DType::F32.size()).div_ceil(blocks).max(1),
        };
        Self::new(operation, ranks, elements, DType::F32).mode(BufferMode::InPlace)
    }

    /// The same from or to another root.
    pub fn root(self, root: usize) -> Self {
        Self { what: self.what.root(root), ..self }
    }

    /// The same with the input of rank `r` going to rank `permutation[r]`.
    pub fn permutation(self, permutation: impl Into<Vec<usize>>) -> Self {
        Self { what: self.what.permutation(permutation.into()), ..self }
    }

    /// The same with blocks of different sizes, as [`Invocation::counts`] has them.
    pub fn counts(self, counts: impl Into<Vec<usize>>) -> Self {
        let counts = counts.into();
        let elements = counts.iter().copied().max().unwrap_or(0);
        Self { elements, what: self.what.counts(counts), ..self }
    }

    /// The same call on no elements, in as many blocks.
    pub fn without_elements(&self) -> Self {
        let counts = self.what.counts.as_ref().map(|counts| vec![0; counts.len()].into());
        let what = Invocation { counts, ..self.what.clone() };
        Self { what, elements: 0, ..self.clone() }
    }

    /// The same in a buffer mode.
    pub fn mode(self, mode: BufferMode) -> Self {
        Self { mode: Some(mode), ..self }
    }

    /// The same among ranks that are arranged like this.
    pub fn arrangement(self, arrangement: Arrangement) -> Self {
        Self { arrangement, ..self }
    }

    /// How the elements travel, where it is not as they are.
    pub fn codec(&self) -> Option<&'static Codec> {
        let codec = Codec::of(self.what.reduce?, self.what.dtype)?;
        // A rank alone rounds nothing.
        (codec.sums.is_none() || self.ranks > 1).then_some(codec)
    }

    /// Whether the ranks are to be merged in their order: the operator does not commute.
    pub fn in_order(&self) -> bool {
        self.what.reduce.is_some_and(|op| !op.commutes())
    }

    /// The type of what travels.
    pub fn wire(&self) -> DType {
        self.codec().map_or(self.what.dtype, |codec| codec.wire)
    }

    /// The bytes of an element as it travels.
    pub fn unit(&self) -> usize {
        self.codec().map_or(self.what.dtype.size(), Codec::bytes)
    }

    /// The elements of the vector or of each block, as they travel.
    pub fn units(&self) -> usize {
        self.codec().map_or(self.elements, |codec| codec.units(self.elements))
    }

    /// The bytes of an element as it travels and of what it is merged in.
    pub(crate) fn forms(&self) -> [usize; 2] {
        [self.unit(), self.codec().and_then(Codec::sum_bytes).unwrap_or(self.unit())]
    }

    /// The bytes of the largest buffer of a rank: what the cost of an algorithm depends on.
    ///
    /// # Errors
    /// There are more than memory can hold, or the counts are not as many as the operation needs.
    pub fn bytes(&self) -> Result<usize> {
        let operation = self.what.operation;
        let blocks = if operation.blocked() { self.ranks } else { 1 };
        self.check_counts()?;
        let elements = match self.what.counts.as_deref() {
            None => self.units().checked_mul(blocks),
            Some(counts) => self.largest_buffer(counts),
        };
        let bytes = elements.and_then(|e| e.checked_mul(self.unit()));
        bytes.filter(|&b| isize::try_from(b).is_ok()).ok_or_else(|| {
            let (elements, dtype, ranks) =
                (self.elements, self.what.dtype, counted(self.ranks, "rank"));
            Error::invalid(format!(
                "{operation} of {elements} elements of {dtype} among {ranks} exceeds memory"
            ))
        })
    }

    /// The elements of the largest buffer: of a matrix of counts, its largest row or column.
    fn largest_buffer(&self, counts: &[usize]) -> Option<usize> {
        let n = self.ranks;
        let (mut rows, mut columns) = (vec![0_usize; n], vec![0_usize; n]);
        for (i, &count) in counts.iter().enumerate() {
            rows[i / n] = rows[i / n].checked_add(count)?;
            columns[i % n] = columns[i % n].checked_add(count)?;
        }
        rows.into_iter().chain(columns).max()
    }

    /// Whether the counts, if there are any, are as many as the operation needs.
    ///
    /// # Errors
    /// They are not.
    pub fn check_counts(&self) -> Result<()> {
        let operation = self.what.operation;
        let Some(counts) = &self.what.counts else { return Ok(()) };
        let needed = match operation {
            Operation::AllToAll => self.ranks.saturating_mul(self.ranks),
            _ if operation.blocked() => self.ranks,
            _ => 0,
        };
        if operation.blocked() && counts.len() == needed {
            return Ok(());
        }
        Err(Error::invalid(format!(
            "{} for {operation} among {}, which takes {needed}",
            counted(counts.len(), "count"),
            counted(self.ranks, "rank")
        )))
    }

    /// Whether the shape, if there is one, is of as many elements as the vector, a block or all blocks.
    ///
    /// # Errors
    /// It is not, or blocks differ.
    pub fn check_shape(&self) -> Result<()> {
        let Invocation { operation, shape, counts, .. } = &self.what;
        let blocks = if operation.blocked() { self.ranks } else { 1 };
        let elements = shape.iter().try_fold(1_usize, |all, &extent| all.checked_mul(extent));
        let fits = [Some(self.elements), self.elements.checked_mul(blocks)].contains(&elements);
        if shape.is_empty() || fits && counts.is_none() && *operation != Operation::Barrier {
            return Ok(());
        }
        let message = format!("{operation} of {} elements has no shape {shape:?}", self.elements);
        Err(Error::shape(message))
    }
}

#[cfg(test)]
mod tests;
