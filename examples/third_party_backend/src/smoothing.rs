//! A kernel for two devices, one of them this crate's own.

use ringwood::kernel;

/// Each element becomes the mean of itself and its two neighbours; the ends stay.
#[kernel(device = [cpu, abacus])]
pub fn smooth(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    if i == 0 || i + 1 >= x.len() {
        y[i] = x[i];
    } else {
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3.0;
    }
}
