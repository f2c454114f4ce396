//! Windows over images: how many there are, and where.

use ringwood_base::Result;
use ringwood_graph::compose::{Call, invalid, misshapen};

/// Windows of images of one to three dimensions: a number for each of them.
pub(super) struct Windows {
    pub(super) extents: Vec<i64>,
    pub(super) sizes: Vec<i64>,
    pub(super) strides: Vec<i64>,
    pub(super) dilations: Vec<i64>,
    /// Before each dimension, then after each.
    pub(super) pads: Vec<i64>,
    pub(super) counts: Vec<i64>,
}

impl Windows {
    /// The windows that the attributes say, of these sizes, over an image of these extents.
    pub(super) fn new(c: &Call<'_>, image: &[usize], sizes: Vec<i64>) -> Result<Self> {
        let Some(extents) = image.get(2..).filter(|places| (1..=3).contains(&places.len())) else {
            return Err(misshapen(format!("{image:?} are no images of one to three dimensions")));
        };
        let extents: Vec<_> = extents.iter().map(|&n| n as i64).collect();
        let rank = extents.len();
        let strides = c.or("strides", vec![1; rank])?;
        let dilations = c.or("dilations", vec![1; rank])?;
        let pads = c.or("pads", vec![0; 2 * rank])?;
        let lists = [("kernel_shape", &sizes), ("strides", &strides), ("dilations", &dilations)];
        for (name, list) in lists {
            if list.len() != rank || list.iter().any(|n| *n < 1) {
                return Err(invalid(format!(
                    "`{name}` is {list:?}, not {rank} numbers of at least 1"
                )));
            }
        }
        if pads.len() != 2 * rank || pads.iter().any(|n| *n < 0) {
            return Err(invalid(format!(
                "`pads` are {pads:?}, not {} numbers of at least 0",
                2 * rank
            )));
        }
        let counts = Vec::with_capacity(rank);
        let mut windows = Self { extents, sizes, strides, dilations, pads, counts };
        let (auto, ceil) = (c.text("auto_pad", "NOTSET")?, c.flag("ceil_mode", false)?);
        (0..rank).try_for_each(|d| windows.place(d, &auto, ceil))?;
        Ok(windows)
    }

    /// From the first number of a window to after its last one.
    pub(super) fn reach(&self, d: usize) -> i64 {
        (self.sizes[d] - 1) * self.dilations[d] + 1
    }

    fn place(&mut self, d: usize, auto: &str, ceil: bool) -> Result<()> {
        let (rank, extent, stride) = (self.extents.len(), self.extents[d], self.strides[d]);
        if auto.starts_with("SAME") {
            let count = (extent + stride - 1) / stride;
            let total = ((count - 1) * stride + self.reach(d) - extent).max(0);
            let less = total / 2;
            let before = if auto == "SAME_LOWER" { total - less } else { less };
            (self.pads[d], self.pads[d + rank]) = (before, total - before);
        } else if auto == "VALID" {
            (self.pads[d], self.pads[d + rank]) = (0, 0);
        }
        let before = extent + self.pads[d];
        let rest = before + self.pads[d + rank] - self.reach(d);
        if rest < 0 {
            let (reach, all) = (self.reach(d), rest + self.reach(d));
            return Err(misshapen(format!(
                "a window of {reach} does not fit into {all}, dimension {}",
                d + 2
            )));
        }
        // A window that would begin after the image is left out.
        let more = ceil && rest % stride != 0 && (rest / stride + 1) * stride < before;
        self.counts.push(rest / stride + 1 + i64::from(more));
        Ok(())
    }
}
