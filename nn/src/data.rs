//! Data to learn from: columns of equally many rows, and batches of them.

use bytes::Bytes;
use ringwood_base::{Element, Error, Result, Shape};
use ringwood_graph::graph::TensorType;
use ringwood_graph::lazy::{Lazy, default_device};
use ringwood_models::npy;
use std::ops::Range;
use std::path::Path;

/// Rows of `N` columns, in memory or mapped; a row is an element along the first dimension.
///
/// ```
/// # use ringwood_backend_cpu as _;
/// use ringwood_nn::{Column, Data};
///
/// let images = Column::new(&[5, 2], &[0.0_f32, 0.1, 1.0, 1.1, 2.0, 2.1, 3.0, 3.1, 4.0, 4.1])?;
/// let labels = Column::new(&[5], &[0, 1, 2, 3, 4])?;
/// let data = Data::new([images, labels])?;
/// let (train, test) = data.split(1, 7)?;
/// assert_eq!((train.rows(), test.rows()), (4, 1));
/// for batch in train.batches(2, 1) {
///     let [images, labels] = batch?;
///     assert_eq!(images.to_vec::<f32>()?[0] as i32, labels.to_vec::<i32>()?[0]);
/// }
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Data<const N: usize> {
    columns: [Column; N],
    /// The rows, in order.
    order: Vec<u32>,
}

/// One value for each row.
#[derive(Clone, Debug)]
pub struct Column {
    ty: TensorType,
    bytes: Bytes,
}

impl Column {
    /// Elements in row-major order.
    ///
    /// # Errors
    /// The shape has no dimension, or another number of elements.
    pub fn new<T: Element>(dims: &[usize], elements: &[T]) -> Result<Self> {
        let bytes = Bytes::copy_from_slice(bytemuck::cast_slice(elements));
        Self::of(TensorType::new(T::DTYPE, dims)?, bytes)
    }

    /// A file of NumPy, mapped.
    ///
    /// # Errors
    /// The file cannot be read, or holds one number.
    pub fn npy(path: impl AsRef<Path>) -> Result<Self> {
        let (ty, bytes) = npy::load(path)?;
        Self::of(ty, bytes)
    }

    fn of(ty: TensorType, bytes: Bytes) -> Result<Self> {
        if ty.shape.is_empty() || ty.bytes() != bytes.len() {
            return Err(Error::shape(format!("{} bytes are no column of type {ty}", bytes.len()))
                .help("give a shape of rows, as [rows] or [rows, 64]"));
        }
        Ok(Self { ty, bytes })
    }

    /// These rows as a tensor on the default device.
    fn gather(&self, rows: &[u32]) -> Result<Lazy> {
        let size = self.bytes.len() / self.ty.shape[0].max(1);
        let mut bytes = Vec::with_capacity(rows.len() * size);
        for &row in rows {
            bytes.extend_from_slice(&self.bytes[row as usize * size..][..size]);
        }
        let shape = Shape::new(&[&[rows.len()], &self.ty.shape[1..]].concat())?;
        Ok(Lazy::of(default_device()?.tensor_of_bytes(&bytes, shape, self.ty.dtype)?))
    }
}

impl<const N: usize> Data<N> {
    /// Columns of equally many rows.
    ///
    /// # Errors
    /// They have different numbers of rows, or more than `u32` counts.
    pub fn new(columns: [Column; N]) -> Result<Self> {
        let rows = columns.each_ref().map(|column| column.ty.shape[0]);
        let first = rows.first().copied().unwrap_or_default();
        match u32::try_from(first) {
            Ok(count) if rows.iter().all(|&rows| rows == first) => {
                Ok(Self { columns, order: (0..count).collect() })
            }
            _ => Err(Error::shape(format!("columns of {rows:?} rows are no data"))
                .help("give columns of equally many rows, below 2^32")),
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.order.len()
    }

    /// All rows of every column, in order, as tensors on the default device.
    ///
    /// # Errors
    /// The device's.
    pub fn all(&self) -> Result<[Lazy; N]> {
        self.gather(&self.order)
    }

    /// The rows shuffled by `seed`: all but `held_out` of them, and those.
    ///
    /// # Errors
    /// There are fewer.
    pub fn split(&self, held_out: usize, seed: u64) -> Result<(Self, Self)> {
        let order = shuffled(&self.order, seed);
        let Some(rest) = order.get(held_out..) else {
            return Err(Error::invalid(format!(
                "{held_out} of {} rows cannot be held out",
                self.rows()
            )));
        };
        Ok((self.rows_of(rest), self.rows_of(&order[..held_out])))
    }

    /// Every `ranks`th row from `rank` on: what one of several workers learns from. All have equally many, and so as many
    /// batches; what does not divide at the end is left out.
    ///
    /// # Errors
    /// There is no such rank.
    pub fn shard(&self, rank: usize, ranks: usize) -> Result<Self> {
        if rank >= ranks {
            return Err(Error::invalid(format!("there is no rank {rank} of {ranks}")));
        }
        let order = self.order.iter().skip(rank).step_by(ranks).take(self.rows() / ranks);
        let order: Vec<_> = order.copied().collect();
        Ok(self.rows_of(&order))
    }

    /// One pass over the rows in an order that follows from `seed`, in batches of `rows`; what does not fill a batch at
    /// the end is left out of this pass. Batches that are skipped are not gathered. Where all rows do not fill one batch,
    /// an error is the only item.
    ///
    /// # Panics
    /// `rows` is 0.
    #[track_caller]
    pub fn batches(
        &self,
        rows: usize,
        seed: u64,
    ) -> impl ExactSizeIterator<Item = Result<[Lazy; N]>> {
        assert!(rows > 0, "a batch has at least one row");
        let left = 0..(self.rows() / rows).max(1);
        Batches { data: self, order: shuffled(&self.order, seed), rows, left }
    }

    /// All rows in order, in batches of `rows`, of which the last one may have fewer: to evaluate on.
    ///
    /// # Panics
    /// `rows` is 0.
    #[track_caller]
    pub fn in_order(&self, rows: usize) -> impl ExactSizeIterator<Item = Result<[Lazy; N]>> {
        assert!(rows > 0, "a batch has at least one row");
        self.order.chunks(rows).map(|rows| self.gather(rows))
    }

    fn gather(&self, rows: &[u32]) -> Result<[Lazy; N]> {
        let columns = self.columns.iter().map(|column| column.gather(rows));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        Ok(columns.try_into().unwrap_or_else(|_| unreachable!("a tensor for each column")))
    }

    fn rows_of(&self, order: &[u32]) -> Self {
        Self { columns: self.columns.clone(), order: order.to_vec() }
    }
}

/// One pass over data: which batches of it are left.
struct Batches<'a, const N: usize> {
    data: &'a Data<N>,
    order: Vec<u32>,
    /// Of a batch.
    rows: usize,
    left: Range<usize>,
}

impl<const N: usize> Batches<'_, N> {
    fn batch(&self, i: usize) -> Result<[Lazy; N]> {
        match self.order.chunks_exact(self.rows).nth(i) {
            Some(rows) => self.data.gather(rows),
            None => {
                let (all, rows) = (self.order.len(), self.rows);
                Err(Error::invalid(format!("{all} rows do not fill one batch of {rows}"))
                    .help("take smaller batches, or all rows at once: `Data::all`"))
            }
        }
    }
}

impl<const N: usize> Iterator for Batches<'_, N> {
    type Item = Result<[Lazy; N]>;

    fn next(&mut self) -> Option<Self::Item> {
        self.nth(0)
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.left.nth(n).map(|i| self.batch(i))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}

impl<const N: usize> ExactSizeIterator for Batches<'_, N> {}

/// The rows in an order that follows from `seed`: Fisher and Yates' shuffle with SplitMix64 (Steele, Lea and Flood, 2014).
fn shuffled(rows: &[u32], seed: u64) -> Vec<u32> {
    let (mut rows, mut state) = (rows.to_vec(), seed);
    let mut below = |n: usize| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * n as u128) >> 64) as usize
    };
    for i in (1..rows.len()).rev() {
        rows.swap(i, below(i + 1));
    }
    rows
}

#[cfg(test)]
mod tests;
