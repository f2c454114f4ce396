//! The methods of lazy tensors that the field expects, by its names.

use ringwood_base::{DType, Error, Result};
use ringwood_graph::compose::{dimension, fits};
use ringwood_graph::graph::Attribute;
use ringwood_graph::lazy::{IntoOperand, Lazy, as_caller};

/// The dimension of a tensor that an axis names; a negative one counts from the end.
fn along(x: &Lazy, axis: i64) -> Result<usize> {
    dimension(axis, x.shape()?.len())
}

/// The dimension that an operator reduces: a largest or smallest element is one of some.
fn reduced(x: &Lazy, axis: i64, operator: &str) -> Result<usize> {
    let axis = along(x, axis)?;
    let picks = ["argmax", "argmin", "largest", "smallest"].contains(&operator);
    if picks && x.shape()?[axis] == 0 {
        let message = format!("{operator}: dimension {axis} of {} has no elements", x.shape()?);
        return Err(Error::shape(message));
    }
    Ok(axis)
}

/// The value of a `Result`, or its error as a tensor that keeps it.
macro_rules! known {
    ($result:expr) => {
        match $result {
            Ok(value) => value,
            Err(error) => return Lazy::of_result(Err(error)),
        }
    };
}

macro_rules! operations {
    (
        one: { $($(#[$one_doc:meta])* $one:ident = $one_operator:literal;)* }
        two: { $($(#[$two_doc:meta])* $two:ident = $two_operator:literal;)* }
        axis: { $($(#[$axis_doc:meta])* $axis:ident = $axis_operator:literal;)* }
        other: { $($(#[$doc:meta])* fn $name:ident(&$this:ident $(, $argument:ident: $type:ty)*) -> $result:ty $body:block)* }
    ) => {
        /// Operations on [`Lazy`] tensors: what is wrong with one is kept by its result.
        ///
        /// An axis counts from the end if it is negative.
        ///
        /// ```
        /// # use {ringwood_backend_cpu as _, ringwood_kernels as _};
        /// use ringwood_graph::lazy::Lazy;
        /// use ringwood_kernels::lazy::Operations;
        ///
        /// let x = Lazy::new(&[2, 3], &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
        /// assert_eq!(x.sum(-1).to_vec::<f32>()?, [6.0, 15.0]);
        /// assert_eq!((x.relu() * 2.0).mean_all().item::<f32>()?, 7.0);
        /// # Ok::<(), ringwood_base::Error>(())
        /// ```
        pub trait Operations {
            $($(#[$one_doc])* #[must_use] fn $one(&self) -> Lazy;)*
            $($(#[$two_doc])* #[must_use] fn $two(&self, other: impl IntoOperand) -> Lazy;)*
            $($(#[$axis_doc])* #[must_use] fn $axis(&self, axis: i64) -> Lazy;)*
            $($(#[$doc])* #[must_use] fn $name(&self $(, $argument: $type)*) -> $result;)*
        }

        impl Operations for Lazy {
            $(
                #[track_caller]
                fn $one(&self) -> Lazy {
                    self.apply(concat!("ringwood::", $one_operator), &[], ())
                }
            )*
            $(
                #[track_caller]
                fn $two(&self, other: impl IntoOperand) -> Lazy {
                    self.with(concat!("ringwood::", $two_operator), other)
                }
            )*
            $(
                #[track_caller]
                fn $axis(&self, axis: i64) -> Lazy {
                    let axis = known!(reduced(self, axis, $axis_operator));
                    self.apply(concat!("ringwood::", $axis_operator), &[], [("axis", axis)])
                }
            )*
            $(
                #[track_caller]
                fn $name(&$this $(, $argument: $type)*) -> $result $body
            )*
        }
    };
}

operations! {
    one: {
        /// The larger of each element and 0.
        relu = "relu";
        /// `x Φ(x)`, with the distribution function of the normal distribution.
        gelu = "gelu";
        /// [`Operations::gelu`] by its approximation with `tanh`.
        gelu_tanh = "gelu_tanh";
        /// `x / (1 + exp(−x))`.
        silu = "silu";
        /// `1 / (1 + exp(−x))`.
        sigmoid = "sigmoid";
        /// The hyperbolic tangent.
        tanh = "tanh";
        /// e to the power of each element.
        exp = "exp";
        /// The natural logarithm.
        log = "ln";
        /// `log(1 + x)`.
        log1p = "ln_1p";
        /// `exp(x) − 1`.
        expm1 = "exp_m1";
        /// The square root.
        sqrt = "sqrt";
        /// One over the square root.
        rsqrt = "rsqrt";
        /// One over each element.
        reciprocal = "recip";
        /// The sine.
        sin = "sin";
        /// The cosine.
        cos = "cos";
        /// The error function.
        erf = "erf";
        /// The absolute value; its slope at 0 is 0.
        abs = "abs";
        /// −1, 0 or 1; of a NaN a NaN.
        sign = "sign";
        /// Rounded down.
        floor = "floor";
        /// Rounded up.
        ceil = "ceil";
        /// Rounded, ties to even.
        round = "round_ties_even";
        /// The other truth.
        logical_not = "not";
        /// `exp(x)` over its sum along the last dimension.
        softmax = "softmax";
        /// The logarithm of [`Operations::softmax`].
        log_softmax = "log_softmax";
        /// The logarithm of the sum of `exp(x)` along the last dimension, which is dropped.
        logsumexp = "log_sum_exp";
        /// The sum of all elements, of rank 0.
        sum_all = "sum_all";
        /// The mean of all elements, of rank 0.
        mean_all = "mean_all";
    }
    two: {
        /// Each element to the power of one of the other tensor.
        pow = "powf";
        /// The larger of two elements; a NaN loses against a number.
        maximum = "max";
        /// The smaller of two elements; a NaN loses against a number.
        minimum = "min";
        /// The remainder.
        rem = "rem";
        /// The angle of the point with `self` above and `other` to the right.
        atan2 = "atan2";
        /// Whether elements are equal.
        eq = "equal";
        /// Whether elements differ.
        ne = "not_equal";
        /// Whether elements are less than those of the other tensor.
        lt = "less";
        /// Whether elements are at most those of the other tensor.
        le = "less_equal";
        /// Whether elements are greater than those of the other tensor.
        gt = "greater";
        /// Whether elements are at least those of the other tensor.
        ge = "greater_equal";
        /// Both truths.
        logical_and = "and";
        /// One truth or both.
        logical_or = "or";
        /// One truth and not both.
        logical_xor = "xor";
        /// The rows of this table that the indices (`i32`) name; one that names none is an out-of-bounds error of the run.
        embedding = "gather";
        /// What each row of scores misses of the class (`i32`) that it should name.
        cross_entropy = "cross_entropy";
    }
    axis: {
        /// The sums along a dimension, which is dropped.
        sum = "sum";
        /// The sums along a dimension, which stays with an extent of 1.
        sum_keep = "sum_keep";
        /// The means along a dimension, which is dropped.
        mean = "mean";
        /// The products along a dimension, which is dropped.
        product = "product";
        /// The largest elements along a dimension, which is dropped; a NaN loses against a number.
        max = "largest";
        /// The smallest elements along a dimension, which is dropped; a NaN loses against a number.
        min = "smallest";
        /// The positions of the largest elements along a dimension, which is dropped; a NaN loses against a number.
        argmax = "argmax";
        /// The positions of the smallest elements along a dimension, which is dropped; a NaN loses against a number.
        argmin = "argmin";
    }
    other: {
        /// Each element times itself.
        fn square(&self) -> Lazy {
            self * self
        }

        /// The product of matrices, or of batches of them, which broadcast: NumPy's `matmul`.
        fn matmul(&self, other: &Lazy) -> Lazy {
            // The kernels of batches take integers and short floats, too.
            let wide = matches!(known!(self.dtype()), DType::F32 | DType::F64);
            let flat = wide && known!(self.shape()).len() == 2 && known!(other.shape()).len() == 2;
            self.apply(if flat { "ringwood::matmul" } else { "ringwood::batched_matmul" }, &[other], ())
        }

        /// The elements in another shape; one extent may be −1.
        fn reshape(&self, shape: &[i64]) -> Lazy {
            self.apply("ringwood::reshape", &[], [("shape", shape)])
        }

        /// The dimensions in another order: that of the result's dimension `d` is `axes[d]`.
        fn permute(&self, axes: &[usize]) -> Lazy {
            self.apply("ringwood::permute", &[], [("axes", axes)])
        }

        /// Two dimensions exchanged.
        fn transpose(&self, first: i64, second: i64) -> Lazy {
            let (first, second) = (known!(along(self, first)), known!(along(self, second)));
            let mut axes: Vec<_> = (0..known!(self.shape()).len()).collect();
            axes.swap(first, second);
            self.permute(&axes)
        }

        /// The elements repeated to other extents, as operands of element-wise operations are.
        fn expand(&self, shape: &[usize]) -> Lazy {
            self.apply("ringwood::broadcast_to", &[], [("shape", shape)])
        }

        /// Without a dimension of extent 1.
        fn squeeze(&self, axis: i64) -> Lazy {
            self.apply("ringwood::squeeze", &[], [("axes", vec![axis])])
        }

        /// With another dimension of extent 1, which is `axis` of the result.
        fn unsqueeze(&self, axis: i64) -> Lazy {
            self.apply("ringwood::unsqueeze", &[], [("axes", vec![axis])])
        }

        /// The elements with indices from `start` to before `end` along a dimension.
        fn slice(&self, axis: i64, start: usize, end: usize) -> Lazy {
            let axis = known!(along(self, axis));
            let part = [("axis", axis), ("start", start), ("end", end), ("step", 1)];
            self.apply("ringwood::slice", &[], part)
        }

        /// This tensor, and others after it along a dimension.
        fn concat(&self, others: &[&Lazy], axis: i64) -> Lazy {
            self.apply("ringwood::concat", others, [("axis", axis)])
        }

        /// This tensor and others of its shape, side by side along a new dimension.
        fn stack(&self, others: &[&Lazy], axis: i64) -> Lazy {
            let others: Vec<_> = others.iter().map(|other| other.unsqueeze(axis)).collect();
            self.unsqueeze(axis).concat(&others.iter().collect::<Vec<_>>(), axis)
        }

        /// The elements, with `before` and `after` copies of `value` around them along a dimension.
        fn pad(&self, axis: i64, before: usize, after: usize, value: f64) -> Lazy {
            let (d, ty) = (known!(along(self, axis)), known!(self.tensor_type()));
            let around = |extent: usize| {
                let mut dims = ty.shape.to_vec();
                dims[d] = extent;
                (value.operand(self, std::panic::Location::caller())).expand(&dims)
            };
            as_caller(|| around(before).concat(&[self, &around(after)], axis))
        }

        /// The nearest elements from `least` to `most`.
        fn clip(&self, least: f64, most: f64) -> Lazy {
            let line = std::panic::Location::caller();
            let (least, most) = (least.operand(self, line), most.operand(self, line));
            self.apply("ringwood::clamp", &[&least, &most], ())
        }

        /// The elements of `yes` where this tensor (`bool`) is true, else those of `no`.
        fn where_(&self, yes: &Lazy, no: &Lazy) -> Lazy {
            self.apply("ringwood::select", &[yes, no], ())
        }

        /// The elements with these positions (`i64`) along a dimension, at each place of the other dimensions, whose
        /// extents they have, or 1 for all. A negative one counts from the end; one outside is an out-of-bounds error of
        /// the run.
        fn gather(&self, axis: i64, positions: &Lazy) -> Lazy {
            let axis = known!(along(self, axis));
            self.apply("ringwood::take_along", &[positions], [("axis", axis)])
        }

        /// The elements as another type: floats are truncated to integers and saturate, integers lose the bits that do not fit.
        fn cast(&self, dtype: DType) -> Lazy {
            match known!(self.dtype()) == dtype {
                true => self.clone(),
                false => self.apply(&format!("ringwood::to_{dtype}"), &[], ()),
            }
        }

        /// 1 at the place of each class (integers), 0 elsewhere, along a new last dimension of `classes`.
        fn one_hot(&self, classes: usize, dtype: DType) -> Lazy {
            known!(fits(classes, 1));
            let places = Lazy::new(&[classes], &(0..classes as i64).collect::<Vec<_>>());
            let places = places.to_device(&known!(self.device()));
            self.cast(DType::I64).unsqueeze(-1).eq(&places).cast(dtype)
        }

        /// Images `[n, c, h, w]` with filters `[m, c, i, j]`, `stride` apart, `padding` zeros around them; for groups of
        /// channels, `apply("convolve", …)` has an attribute.
        fn conv2d(&self, filters: &Lazy, stride: usize, padding: usize) -> Lazy {
            let both = |value: usize| Attribute::from(vec![value as i64; 2]);
            let pads = Attribute::from(vec![padding as i64; 4]);
            let group = Attribute::from(1_usize);
            let given =
                [("strides", both(stride)), ("pads", pads), ("dilations", both(1)), ("group", group)];
            self.apply("ringwood::convolve", &[filters], given)
        }

        /// The largest number of each window of images; a NaN loses against a number.
        fn max_pool2d(&self, window: usize, stride: usize) -> Lazy {
            let given = known!(windows(self, window, stride));
            self.apply("ringwood::max_pool", &[], given)
        }

        /// The mean of each window of images.
        fn average_pool2d(&self, window: usize, stride: usize) -> Lazy {
            let given = known!(windows(self, window, stride));
            self.apply("ringwood::mean_pool", &[], given)
        }

        /// Each row less its mean and over its deviation, times `weight` plus `bias`.
        fn layer_norm(&self, weight: &Lazy, bias: &Lazy, epsilon: f32) -> Lazy {
            self.apply("ringwood::layer_norm", &[weight, bias], [("epsilon", epsilon)])
        }

        /// Each row over its root mean square, times `weight`.
        fn rms_norm(&self, weight: &Lazy, epsilon: f32) -> Lazy {
            self.apply("ringwood::rms_norm", &[weight], [("epsilon", epsilon)])
        }

        /// Equal parts, one after the other along a dimension.
        fn split(&self, parts: usize, axis: i64) -> Vec<Lazy> {
            let part = along(self, axis).and_then(|d| {
                let extent = self.shape()?[d];
                if parts == 0 || !extent.is_multiple_of(parts) {
                    return Err(Error::shape(format!("{extent} is not divided into {parts} equal parts")));
                }
                Ok(extent / parts)
            });
            match part {
                Ok(part) => (0..parts).map(|i| self.slice(axis, i * part, (i + 1) * part)).collect(),
                Err(error) => vec![Lazy::of_result(Err(error)); parts.max(1)],
            }
        }
    }
}

/// The attributes of a pooling of whole windows.
fn windows(x: &Lazy, window: usize, stride: usize) -> Result<[(&'static str, usize); 4]> {
    let count = |extent: usize| match extent.checked_sub(window) {
        Some(rest) if stride > 0 && window > 0 => Ok(rest / stride + 1),
        _ => Err(Error::shape(format!(
            "windows of {window} with a stride of {stride} do not fit {extent}"
        ))),
    };
    let [.., h, w] = x.shape()?[..] else {
        return Err(Error::shape(format!(
            "images have the shape [n, c, h, w], not {}",
            x.shape()?
        )));
    };
    Ok([("p", count(h)?), ("q", count(w)?), ("window", window), ("stride", stride)])
}
