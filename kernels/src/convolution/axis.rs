//! One dimension of the windows of a convolution.

/// Window `o` has its element `k` at `o stride + k dilation − padding` of an image whose elements lie
/// `spread` apart.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// The elements of the image.
    pub(super) extent: usize,
    /// The elements of a window.
    pub(super) window: usize,
    /// The windows.
    pub(super) count: usize,
    pub(super) stride: i64,
    pub(super) padding: i64,
    pub(super) dilation: i64,
    pub(super) spread: i64,
}

impl Axis {
    /// # Panics
    /// Windows do not follow each other, or elements of the image do not.
    pub(super) fn new(
        [extent, window, count]: [usize; 3],
        [stride, padding, dilation, spread]: [i64; 4],
    ) -> Self {
        assert!(
            stride > 0 && spread > 0,
            "a convolution has a stride of {stride} and a spread of {spread}: both are at least 1"
        );
        Self { extent, window, count, stride, padding, dilation, spread }
    }

    /// From the first element of a window to the last one.
    fn along(&self) -> i64 {
        (self.window as i64 - 1) * self.dilation
    }

    /// The first place that a window reaches.
    pub(super) fn first(&self) -> i64 {
        self.along().min(0) - self.padding
    }

    /// The places from the first one that a window reaches to the last one.
    pub(super) fn reach(&self) -> usize {
        ((self.count as i64 - 1) * self.stride + self.along().abs() + 1) as usize
    }

    /// Where element `k` of the first window is, from the first place on.
    pub(super) fn element(&self, k: usize) -> usize {
        (k as i64 * self.dilation - self.along().min(0)) as usize
    }

    /// Where window `o` begins, from the first place on.
    pub(super) fn start(&self, o: usize) -> usize {
        o * self.stride as usize
    }

    /// Whether windows begin with the image, and stay in it.
    pub(super) fn is_inside(&self) -> bool {
        self.spread == 1 && self.first() == 0 && self.reach() <= self.extent
    }

    /// The element of the image at a place, counted from the first one.
    pub(super) fn element_at(&self, place: usize) -> Option<usize> {
        let at = place as i64 + self.first();
        let element = usize::try_from(at / self.spread).ok().filter(|e| *e < self.extent);
        element.filter(|_| at >= 0 && at % self.spread == 0)
    }

    /// The first element of the image that windows may reach, and where it is from the first place on.
    pub(super) fn begin(&self) -> (usize, usize) {
        let element = (self.first().max(0) + self.spread - 1) / self.spread;
        (element as usize, (element * self.spread - self.first()) as usize)
    }
}
