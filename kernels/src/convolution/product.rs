//! Convolutions on the CPU: products of the weights and the windows, which are packed where they lie.

use super::axis::Axis;
use crate::matmul::product::{Float, Lines, Windows, each, product, scratch, threads};

/// A convolution of groups of channels, of which `groups` are an image.
pub(super) struct Convolution<'a, T> {
    pub(super) x: &'a [T],
    pub(super) weights: &'a [T],
    /// Whether the filters of a group are packed, as rows of a product.
    pub(super) packed: bool,
    /// The groups of all images.
    pub(super) batch: usize,
    pub(super) groups: usize,
    /// The channels and filters of a group.
    pub(super) channels: usize,
    pub(super) filters: usize,
    pub(super) axes: [Axis; 3],
}

impl<T: Float> Convolution<'_, T> {
    /// Writes the result.
    pub(super) fn compute(&self, y: &mut [T]) {
        let [extent, window, places] = [
            self.axes.iter().map(|a| a.extent).product::<usize>(),
            self.axes.iter().map(|a| a.window).product(),
            self.axes.iter().map(|a| a.count).product(),
        ];
        let (m, k) = (self.filters, self.channels * window);
        if k == 0 || y.is_empty() {
            return y.fill(T::ZERO);
        }
        let inside = self.axes.iter().all(Axis::is_inside);
        let pitches = self.axes.map(|a| if inside { a.extent } else { a.reach() });
        let windows = self.windows(pitches);
        let image = self.channels * extent;
        let threads = threads(self.batch * m, k, places);
        each(y.chunks_mut(m * places).enumerate(), threads, |(i, y)| {
            let weights = &self.weights[i % self.groups * (m * k)..][..m * k];
            let weights = match self.packed {
                true => Lines::packed_rows(weights, m, k),
                false => Lines::rows(weights, m, k),
            };
            let x = &self.x[i * image..][..image];
            // A filter of its own for each channel: a product would pack windows for a single row. That of a
            // single row lies as it is, packed or not.
            let compute = |x: &[T], y: &mut [T]| match m == 1 && self.batch >= threads {
                true => (T::version(places).slide)(weights.elements, x, &windows, y),
                false => product(weights, Lines::windows(x, &windows), y),
            };
            if inside && window == 1 && places == extent {
                product(weights, Lines::columns(x, places, k), y);
            } else if inside {
                compute(x, y);
            } else {
                let canvas = pitches.iter().fold(self.channels, |all, n| all.saturating_mul(*n));
                scratch(canvas, |canvas| {
                    self.paint(x, canvas);
                    compute(canvas, y);
                });
            }
        });
    }

    /// Where the windows lie in an image of these extents.
    fn windows(&self, [depth, height, width]: [usize; 3]) -> Windows {
        let [a, b, c] = &self.axes;
        let at = |d, h, w| (d * height + h) * width + w;
        let row = |i| at(a.start(i / b.count), b.start(i % b.count), 0);
        let element = |l: usize| {
            let (i, j, k) = (l / (b.window * c.window), l / c.window % b.window, l % c.window);
            at(i / a.window * depth + a.element(i % a.window), b.element(j), c.element(k))
        };
        let elements = self.channels * a.window * b.window * c.window;
        Windows {
            rows: (0..a.count * b.count).map(row).collect(),
            columns: c.count,
            step: c.start(1),
            depths: (0..elements).map(element).collect(),
        }
    }

    /// Writes the channels of a group as far as windows reach, with zeros where there is no element.
    fn paint(&self, x: &[T], canvas: &mut [T]) {
        let [a, b, c] = &self.axes;
        let (skipped, left) = c.begin();
        canvas.fill(T::ZERO);
        for (i, row) in canvas.chunks_mut(c.reach()).enumerate() {
            let channel = i / (a.reach() * b.reach());
            let place = (a.element_at(i / b.reach() % a.reach()), b.element_at(i % b.reach()));
            let (Some(d), Some(h)) = place else { continue };
            let x = &x[((channel * a.extent + d) * b.extent + h) * c.extent..][..c.extent];
            let (Some(row), Some(x)) = (row.get_mut(left..), x.get(skipped..)) else { continue };
            let both = row.len().min(x.len());
            match c.spread {
                1 => row[..both].copy_from_slice(&x[..both]),
                _ => row.iter_mut().step_by(c.spread as usize).zip(x).for_each(|(y, x)| *y = *x),
            }
        }
    }
}
