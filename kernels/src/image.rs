//! Images: `n` of `c` channels with `h` rows of `w` numbers.
//!
//! Windows of `window` by `window` numbers start every `stride` rows and columns. The extents of a
//! result are asked for, `p` rows of `q` windows: usually `(h + 2 padding - window) / stride + 1` and
//! the same for `w`.

use ringwood_core::device::Tensor;
use ringwood_core::{Error, ErrorKind, Result, Shape, kernel, register_operator};

/// The largest number of each window, of which only the part inside of the image counts; a window
/// outside is −∞. PyTorch's `max_pool2d`.
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda])]
pub fn max_pool<T>(
    x: &[T],
    y: &mut [T],
    h: usize,
    w: usize,
    p: usize,
    q: usize,
    window: usize,
    stride: usize,
) {
    let i = gid(0);
    let image = i / (p * q) * (h * w);
    let top = i / q % p * stride;
    let left = i % q * stride;
    let mut result = T::NEG_INFINITY;
    for row in top..top + window {
        for column in left..left + window {
            if row < h && column < w {
                result = result.max(x[image + row * w + column]);
            }
        }
    }
    y[i] = result;
}

register_operator! {
    /// The largest number of each window of images.
    pub MaxPool = "max_pool";
    shape: "n c h w -> n c p q",
    dtype: "F -> F",
    attributes: { p: usize, q: usize, window: usize, stride: usize },
}

/// The mean of each window, of which only the part inside of the image counts; a window outside is
/// NaN. PyTorch's `avg_pool2d(count_include_pad=False)`.
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda])]
pub fn mean_pool<T>(
    x: &[T],
    y: &mut [T],
    h: usize,
    w: usize,
    p: usize,
    q: usize,
    window: usize,
    stride: usize,
) {
    let i = gid(0);
    let image = i / (p * q) * (h * w);
    let top = i / q % p * stride;
    let left = i % q * stride;
    let mut total = 0 as T;
    let mut count = 0_usize;
    for row in top..top + window {
        for column in left..left + window {
            if row < h && column < w {
                total += x[image + row * w + column];
                count += 1;
            }
        }
    }
    y[i] = total / count as T;
}

register_operator! {
    /// The mean of each window of images.
    pub MeanPool = "mean_pool";
    shape: "n c h w -> n c p q",
    dtype: "F -> F",
    attributes: { p: usize, q: usize, window: usize, stride: usize },
}

/// The windows of images as rows: `n p q` of `c window window` numbers, 0 outside of the image.
/// PyTorch's `unfold`, transposed.
#[kernel(T in [f32, f64], device = [cpu, opencl, cuda])]
pub fn windows<T>(
    x: &[T],
    y: &mut [T],
    c: usize,
    h: usize,
    w: usize,
    p: usize,
    q: usize,
    window: usize,
    stride: usize,
    padding: usize,
) {
    let i = gid(0);
    let area = window * window;
    let place = i / (c * area);
    let channel = i / area % c;
    // Wraps above the image and to the left of it.
    let row = place / q % p * stride + i / window % window - padding;
    let column = place % q * stride + i % window - padding;
    let inside = row < h && column < w;
    let at = if inside { ((place / (p * q) * c + channel) * h + row) * w + column } else { 0 };
    y[i] = if inside { x[at] } else { 0 as T };
}

/// The convolution of images `[n, c, h, w]` with `weights` `[k, c, window, window]`: a tensor
/// `[n, p, q, k]`, channels last. PyTorch's `conv2d`, permuted.
///
/// The windows of the images are written out as rows, and multiplied with the weights as a matrix.
///
/// ```
/// use ringwood_backend_cpu as _;
/// use ringwood_core::{Shape, device::Device};
///
/// let cpu = Device::named("cpu:0")?;
/// let image = cpu.tensor_with(&[1.0_f32; 9], Shape::new(&[1, 1, 3, 3])?)?;
/// let edge = cpu.tensor_with(&[1.0_f32, -1.0, 1.0, -1.0], Shape::new(&[1, 1, 2, 2])?)?;
/// let y = ringwood_kernels::image::convolve(&image, &edge, 1, 0)?;
/// assert_eq!(y.shape(), Shape::new(&[1, 2, 2, 1])?);
/// assert_eq!(y.to_vec::<f32>()?, [0.0; 4]);
/// # Ok::<(), ringwood_core::Error>(())
/// ```
///
/// # Errors
/// Shapes that do not fit, a stride of 0, or a window larger than the padded image; those of a launch.
pub fn convolve(x: &Tensor, weights: &Tensor, stride: usize, padding: usize) -> Result<Tensor> {
    let (image, filter) = (x.shape(), weights.shape());
    let wrong = |why: &str| {
        let what = format!("convolve: images {image}, weights {filter}: {why}");
        Err(Error::new(ErrorKind::Shape, what))
    };
    let (&[n, c, h, w], &[k, channels, window, across]) = (&image[..], &filter[..]) else {
        return wrong("images have dimensions n c h w, weights k c window window");
    };
    if channels != c || window != across {
        return wrong("weights have the channels of the images, and square windows");
    }
    let count = |extent: usize| (extent + 2 * padding).checked_sub(window)?.checked_div(stride);
    let (Some(p), Some(q)) = (count(h), count(w)) else {
        return wrong("the stride is at least 1, and a window fits into the padded image");
    };
    let (p, q, area) = (p + 1, q + 1, c * window * window);
    let device = x.device();
    let mut rows = device.empty(Shape::new(&[n * p * q, area])?, x.dtype())?;
    windows::launch(x, &mut rows, c, h, w, p, q, window, stride, padding)?;
    let mut y = device.empty(Shape::new(&[n, p, q, k])?, x.dtype())?;
    crate::matmul::matmul_nt::launch(&rows, weights, &mut y, n * p * q, area, k)?;
    Ok(y)
}
