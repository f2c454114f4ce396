//! Products of matrices in the order of additions of docs/numerics.md.
//!
//! The result is cut into parts, one for a thread at a time. A part takes the terms in blocks: it packs
//! its rows of the first factor, and computes tile after tile with panels of columns of the second one.
//! Panels that several parts need are packed before, for all of them.

mod lines;
mod tile;

pub(crate) use lines::{Lines, Windows};
use ringwood_device::pool;
use std::cell::RefCell;
use std::ops::{Add, Range};
use std::thread::LocalKey;
use tile::Version;

/// The terms that are summed before they are added to an element: the results depend on it.
pub(crate) const BLOCK: usize = 256;
/// The terms of panels that are packed for several parts.
const DEPTH: usize = 16 * BLOCK;
/// The elements of these panels, or one panel.
const PACKED: usize = 1 << 20;
/// The most rows of a part: a block of them stays in the second-level cache.
const ROWS: usize = 192;
/// The bytes of a cache line.
const LINE: usize = 64;
/// The bytes of memory between operands and results that a thread keeps, of each type: the panels of a product.
const KEPT: usize = 32 << 20;
/// Products of fewer terms in all are computed on one thread.
const SMALL: usize = 1 << 18;

/// The element types of products.
pub trait Float: Copy + PartialOrd + Send + Sync + Add<Output = Self> + 'static {
    /// 0.
    const ZERO: Self;

    /// `self * a + b`, rounded once.
    #[must_use]
    fn mul_add(self, a: Self, b: Self) -> Self;

    /// The transpose.
    fn turn(rows: [[Self; 4]; 4]) -> [[Self; 4]; 4] {
        std::array::from_fn(|l| rows.map(|row| row[l]))
    }

    /// What computes products of so many columns on this processor.
    fn version(columns: usize) -> Version<Self>;

    /// Memory that products of the thread have used.
    fn spare() -> &'static LocalKey<RefCell<Vec<Vec<Self>>>>;
}

macro_rules! float {
    ($($ty:ident $version:path $(, $turn:path)?;)*) => {$(
        impl Float for $ty {
            const ZERO: Self = 0.0;

            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                self.mul_add(a, b)
            }

            $(
                #[cfg(target_arch = "x86_64")]
                #[inline(always)]
                fn turn(rows: [[Self; 4]; 4]) -> [[Self; 4]; 4] {
                    $turn(rows)
                }
            )?

            fn version(columns: usize) -> Version<Self> {
                $version(columns)
            }

            fn spare() -> &'static LocalKey<RefCell<Vec<Vec<Self>>>> {
                thread_local!(static SPARE: RefCell<Vec<Vec<$ty>>> = const { RefCell::new(vec![]) });
                &SPARE
            }
        }
    )*};
}

float! {
    f32 tile::of_f32, tile::turn_f32;
    f64 tile::of_f64;
}

/// What the parts of a product have in common: terms of `depth`, for some columns.
pub(super) struct Job<'a, T> {
    a: Lines<'a, T>,
    b: Lines<'a, T>,
    depth: Range<usize>,
    columns: Range<usize>,
    /// The panels of `b` for these columns, if they are packed.
    panels: Option<&'a [T]>,
    finish: Finish<'a, T>,
}

/// Some rows of the result from `row` on, of each the elements from `column` on.
pub(super) struct Part<'c, T> {
    row: usize,
    column: usize,
    rows: Vec<&'c mut [T]>,
}

impl<T> Job<'_, T> {
    /// The terms in blocks.
    fn blocks(&self) -> impl Iterator<Item = Range<usize>> {
        let end = self.depth.end;
        self.depth.clone().step_by(BLOCK).map(move |at| at..end.min(at + BLOCK))
    }
}

/// What is made of the elements of the result once they are complete.
#[derive(Clone, Copy)]
pub(crate) struct Finish<'a, T> {
    /// What is added to each row.
    pub(super) bias: Option<&'a [T]>,
    /// Whether what is negative then becomes 0.
    pub(super) relu: bool,
}

impl<T: Float> Finish<'_, T> {
    /// Elements of a row from a column on.
    #[inline(always)]
    fn apply(&self, column: usize, row: &mut [T]) {
        let Some(bias) = self.bias else { return };
        for (element, bias) in row.iter_mut().zip(&bias[column..]) {
            let x = *element + *bias;
            *element = if self.relu && x < T::ZERO { T::ZERO } else { x };
        }
    }
}

/// `c = a b` for the rows `a` of the first factor, the columns `b` of the second one, and `c` stored by rows.
///
/// # Panics
/// Lines are longer than their elements, or `c` has another length than there are lines.
pub(crate) fn product<T: Float>(a: Lines<'_, T>, b: Lines<'_, T>, c: &mut [T]) {
    product_then(a, b, c, Finish { bias: None, relu: false });
}

/// As [`product`], and then what `finish` makes of the elements.
///
/// # Panics
/// As [`product`].
pub(crate) fn product_then<T: Float>(
    a: Lines<'_, T>,
    b: Lines<'_, T>,
    c: &mut [T],
    finish: Finish<'_, T>,
) {
    let (m, k, n) = (a.count, a.depth, b.count);
    assert!(
        a.are_there() && b.are_there() && m.checked_mul(n) == Some(c.len()) && b.depth == k,
        "a product of {m}×{k} and {}×{n} got slices of {}, {} and {} elements",
        b.depth,
        a.elements.len(),
        b.elements.len(),
        c.len()
    );
    if k == 0 || c.is_empty() {
        c.fill(T::ZERO);
    } else if n > 1 || a.unit.is_some() {
        return multiply(a, b, c, finish);
    } else {
        // A single column is the single row of the transposed product.
        multiply(b, a, c, Finish { bias: None, relu: false });
    }
    c.chunks_mut(n.max(1)).for_each(|row| finish.apply(0, row));
}

/// The product of the lines of `a` and those of `b`, row by row.
fn multiply<T: Float>(a: Lines<'_, T>, b: Lines<'_, T>, c: &mut [T], finish: Finish<'_, T>) {
    let (m, k, n) = (a.count, a.depth, b.count);
    let version = T::version(n);
    let threads = threads(m, k, n);
    let sizes = grid([m, n], [a.unit.unwrap_or(4), version.width], threads);
    if m <= sizes[0] || b.panels.is_some() {
        let job = Job { a, b, depth: 0..k, panels: None, columns: 0..n, finish };
        return job.run(&version, c, sizes, threads);
    }
    let width = version.width;
    for start in (0..k).step_by(DEPTH) {
        let depth = start..k.min(start + DEPTH);
        let most = (PACKED / depth.len() / width).max(1) * width;
        for start in (0..n).step_by(most) {
            let columns = start..n.min(start + most);
            let panel = width * depth.len();
            scratch(columns.len().div_ceil(width) * panel, |panels| {
                let pack = |(i, panel): (usize, &mut [T])| {
                    (version.pack)(&b, start + i * width, depth.clone(), panel);
                };
                each(panels.chunks_mut(panel).enumerate(), threads, pack);
                let job = Job { a, b, depth: depth.clone(), panels: Some(panels), columns, finish };
                job.run(&version, c, sizes, threads);
            });
        }
    }
}

impl<T: Float> Job<'_, T> {
    /// Computes the columns of the job in parts of at most so many rows and columns.
    fn run(&self, version: &Version<T>, c: &mut [T], sizes: [usize; 2], threads: usize) {
        let [rows, columns] = sizes;
        let n = self.b.count;
        let depth = BLOCK.min(self.depth.len());
        let left = (rows * depth).next_multiple_of(LINE);
        let parts = c.chunks_mut(n.saturating_mul(rows)).enumerate();
        let parts = parts.flat_map(|(i, c)| self.parts(i * rows, columns, c)).collect::<Vec<_>>();
        each(parts, threads, |part| {
            scratch(left + version.width * depth, |memory| {
                (version.compute)(self, part, memory.split_at_mut(left).into());
            });
        });
    }

    /// Rows from `row` on, in parts of at most so many columns.
    fn parts<'c>(&self, row: usize, columns: usize, c: &'c mut [T]) -> Vec<Part<'c, T>> {
        let n = self.b.count;
        let part = |column| Part { row, column, rows: Vec::with_capacity(c.len() / n) };
        let mut parts: Vec<_> = self.columns.clone().step_by(columns).map(part).collect();
        for row in c.chunks_mut(n) {
            let pieces = row[self.columns.clone()].chunks_mut(columns);
            parts.iter_mut().zip(pieces).for_each(|(part, piece)| part.rows.push(piece));
        }
        parts
    }
}

/// The threads for a product.
pub(crate) fn threads(m: usize, k: usize, n: usize) -> usize {
    let small = m.saturating_mul(k).saturating_mul(n) < SMALL;
    if small { 1 } else { pool::threads() }
}

/// The rows and columns of parts: two parts for a thread where there are enough rows, as threads need not be equally
/// fast. Rows are split first, in whole units: parts that share them pack them each for itself, and write beside each
/// other.
fn grid([m, n]: [usize; 2], [unit, width]: [usize; 2], threads: usize) -> [usize; 2] {
    let (least, wanted) = if threads > 1 { (threads, 2 * threads) } else { (1, 1) };
    // 24 rows are two tiles, and 8 one.
    let down = m.div_ceil(ROWS).max(wanted.min(m / 24)).max(least.min(m / 8));
    let down = down.min(m.div_ceil(unit));
    let (down, across) = match down < least {
        true => (down, wanted.div_ceil(down)),
        false => (down.next_multiple_of(threads), 1),
    };
    [m.div_ceil(down).next_multiple_of(unit), n.div_ceil(across).next_multiple_of(width)]
}

/// Does each piece of work, on the pool where there is more than one thread.
pub(crate) fn each<W: Send>(
    work: impl IntoIterator<Item = W, IntoIter: ExactSizeIterator + Send>,
    threads: usize,
    run: impl Fn(W) + Sync,
) {
    match threads {
        1 => work.into_iter().for_each(run),
        _ => pool::each(work, run),
    }
}

/// Calls `work` with memory of so many elements, which holds anything and is kept for the next call where
/// the thread then keeps no more than [`KEPT`] bytes: it begins at a cache line.
///
/// # Panics
/// There is no such memory.
pub(crate) fn scratch<T: Float>(elements: usize, work: impl FnOnce(&mut [T])) {
    let spare = || T::spare().with(|spare| spare.borrow_mut().pop());
    let mut memory = spare().unwrap_or_default();
    let needed = elements.saturating_add(LINE / size_of::<T>());
    if memory.len() < needed {
        // A failed allocation would end the process; a panic is an error of the run.
        let more = memory.try_reserve_exact(needed - memory.len());
        more.unwrap_or_else(|_| {
            panic!("no memory for {elements} elements between operands and result")
        });
        memory.resize(needed, T::ZERO);
    }
    let skip = memory.as_ptr().align_offset(LINE).min(LINE / size_of::<T>());
    work(&mut memory[skip..skip + elements]);
    T::spare().with_borrow_mut(|spare| {
        let kept = spare.iter().chain([&memory]).map(Vec::capacity).sum::<usize>();
        if kept <= KEPT / size_of::<T>() {
            spare.push(memory);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_keeps_the_memory_of_usual_calls_and_no_other() {
        let kept = || f32::spare().with_borrow(|spare| spare.iter().map(Vec::capacity).sum());
        scratch::<f32>(1 << 20, |memory| memory.fill(1.0));
        let usual: usize = kept();
        assert!((1 << 20..KEPT / 4).contains(&usual), "{usual} elements");
        scratch::<f32>(17 << 18, |_| ());
        assert!(kept() >= 17 << 18, "a large image with its border");
        let nested = || scratch::<f32>(1 << 21, |_| scratch::<f32>(1 << 21, |_| ()));
        for _ in 0..3 {
            nested();
            scratch::<f32>(KEPT, |memory| assert_eq!(memory.len(), KEPT));
            assert!(kept() <= KEPT / 4, "{} elements", kept());
        }
    }
}
