//! The standard kernels and operators of Ringwood, written with its own macros: nothing here is
//! privileged.
//!
//! | module | what |
//! |---|---|
//! | [`arithmetic`] | `add sub mul div min max neg`, the merge operators of collectives among them |
//! | [`pointwise`] | `relu exp ln tanh sqrt if_less sgd`, element by element |
//! | [`function`] | the other functions of one element, comparisons, `and or xor not`, choices |
//! | [`activation`] | `sigmoid silu gelu gelu_tanh` |
//! | [`bits`] | `bit_and bit_or bit_xor bit_not shift_left shift_right`, the bits of floats |
//! | [`cast`] | a cast to each element type, `copy fill` |
//! | [`matmul`] | products of matrices, also transposed, and of batches of them |
//! | [`determinant`] | of square matrices |
//! | [`einsum`] | sums of products in Einstein's notation: made of others |
//! | [`layout`] | `transpose expand` |
//! | `lazy` | the methods of lazy tensors |
//! | [`shapes`] | `concat squeeze unsqueeze shape_of reshape_to`: made of others, by shape |
//! | [`views`] | `reshape permute slice broadcast_to`: no data moves |
//! | [`along`] | `take_along put_along flat_index`: elements by positions along a dimension |
//! | [`gather`] | `gather scatter_add index_order index_starts sum_picked`: rows by index |
//! | [`reduce`] | `sum mean largest smallest argmax argmin product`, along a dimension, in a fixed order |
//! | [`scan`] | `cumsum cumprod top`: running totals and the largest in order |
//! | [`normalize`] | `layer_norm rms_norm` |
//! | [`convolution`] | `convolve convolve_transposed`, of one to three dimensions |
//! | [`image`] | `max_pool mean_pool`: windows of images |
//! | [`random`] | `random_uniform random_normal permutation dropout …`: numbers that follow from a key |
//! | [`window`] | `window_max window_argmax window_sum`: reductions of windows of images |
//! | [`interpolate`] | `interpolate`: weighted sums of slices |
//! | [`sample`] | `sample roi_align`: images between their numbers |
//! | [`int8`] | blocks of 8-bit integers with a common scale |
//! | [`reproducible`] | sums with the same bits in every order |
//! | [`curves`] | `elu hard_sigmoid softplus clip is_nan power …`: made of others, element by element |
//! | [`arrange`] [`positions`] | `pad tile split take one_hot …`, `gather_nd scatter_nd top_k …`: made of others |
//! | [`found`] | `non_zero unique compress non_max_suppression`: sizes that depend on data |
//! | [`axes`] | `reduce_sum softmax_along …`: reductions along several axes, functions along one |
//! | [`standardize`] | `batch_norm group_norm lp_normalize …` |
//! | [`pool`] | `pool_largest pool_mean pool_norm unpool fold`: windows with pads of images of one to three dimensions |
//! | [`resize`] [`grid`] | images of other extents, or at places that are computed |
//! | [`attention`] [`recurrent`] | `attention rotary_embedding …`, `lstm gru rnn` |
//! | [`quantize`] | `quantize dequantize quantized_matmul …`: integers with scales and zero points |
//! | [`signal`] | `spectrum spectrogram hann_window mel_weights …` |
//! | [`loss`] [`descend`] | `nll_loss softmax_cross_entropy`, `adam adagrad momentum` |
//! | [`classify`] | `softmax log_softmax log_sum_exp cross_entropy` |
//!
//! Each kernel stands beside the operator that gives it a meaning in graphs: its shapes, dtypes and
//! gradient. An operator that one kernel computes has its name; others name several kernels, such as `softmax_rows`, a
//! group of work-items for each long row, or are made of other operators. Their types are in upper camel case.
//!
//! A binary finds the items if it links the crate: `use ringwood_kernels as _;`. A step of training:
//!
//! ```
//! # use {ringwood_backend_cpu as _, ringwood_kernels as _};
//! use ringwood_device::device::Device;
//! use ringwood_graph::graph::Graph;
//! use ringwood_base::DType::{F32, I32};
//! use ringwood_base::Shape;
//!
//! let mut g = Graph::new();
//! let x = g.input("x", F32, &[32, 64])?;
//! let labels = g.input("labels", I32, &[32])?;
//! let w = g.parameter("w", F32, &[64, 10])?;
//! let b = g.parameter("b", F32, &[10])?;
//! let scores = g.apply("matmul", &[x, w])?;
//! let scores = g.apply("add", &[scores, b])?;
//! let losses = g.apply("cross_entropy", &[scores, labels])?;
//! let loss = g.apply("mean_all", &[losses])?;
//! g.output("loss", loss)?;
//! let rate = g.constant(&[], &[0.1_f32])?;
//! let gradients = g.gradient(loss, &[w, b])?;
//! for (name, parameter, gradient) in [("w", w, gradients[0]), ("b", b, gradients[1])] {
//!     let next = g.apply("sgd", &[parameter, gradient, rate])?;
//!     g.output(name, next)?;
//! }
//!
//! let cpu = Device::named("cpu:0")?;
//! let mut plan = g.plan(&[cpu.clone()])?;
//! plan.set_input("x", &cpu.tensor_with(&[0.5_f32; 2048], Shape::new(&[32, 64])?)?)?;
//! plan.set_input("labels", &cpu.tensor(&[7_i32; 32])?)?;
//! plan.set_input("w", &cpu.zeros(Shape::new(&[64, 10])?, F32)?)?;
//! plan.set_input("b", &cpu.zeros(Shape::vector(10), F32)?)?;
//! let first = plan.run(&[])?;
//! let second = plan.run(&[("w", &first[1]), ("b", &first[2])])?;
//! assert!(second[0].item::<f32>()? < first[0].item::<f32>()?);
//! # Ok::<(), ringwood_base::Error>(())
//! ```
#![deny(unsafe_code)]

pub mod activation;
pub mod along;
pub mod arithmetic;
pub mod arrange;
pub mod attention;
pub mod axes;
pub mod bits;
pub mod cast;
pub mod classify;
mod composed;
pub mod convolution;
pub mod curves;
pub mod descend;
pub mod determinant;
pub mod einsum;
mod formula;
pub mod found;
pub mod function;
pub mod gather;
pub mod grid;
pub mod image;
pub mod int8;
pub mod interpolate;
pub mod layout;
#[cfg(feature = "lazy")]
pub mod lazy;
pub mod loss;
pub mod matmul;
pub mod normalize;
pub mod pointwise;
pub mod pool;
pub mod positions;
pub mod quantize;
pub mod random;
mod rates;
pub mod recurrent;
pub mod reduce;
pub mod reproducible;
pub mod resize;
mod rows;
pub mod sample;
pub mod scan;
pub mod shapes;
pub mod signal;
pub mod standardize;
pub mod views;
pub mod window;

pub use rates::rates;

use reproducible::{double, single};
use ringwood_base::registry::Entry;

/// The list of [`ENTRIES`]: kernels and operators by module.
macro_rules! entries {
    ($($module:ident { $($item:ident)* })*) => {
        /// Every entry of the crate, for registration by hand.
        pub static ENTRIES: &[Entry] = &[$($($module::$item::ENTRY,)*)*];
    };
}

entries! {
    arithmetic { add Add sub Sub mul Mul div Div min Min max Max neg Neg }
    classify {
        cross_entropy cross_entropy_rows CrossEntropy cross_entropy_grad CrossEntropyGrad log_softmax
        log_softmax_rows LogSoftmax log_sum_exp log_sum_exp_rows LogSumExp softmax softmax_rows Softmax
    }
    convolution {
        convolution convolution_tiled Convolution convolution_pack ConvolutionPack convolution_packed
        ConvolutionPacked Convolve ConvolveTransposed
    }
    int8 { int8_encode int8_add }
    layout { expand Expand transpose Transpose }
    views { Reshape Permute BroadcastTo Slice slice_grad SliceGrad }
    shapes { ShapeOf SizeOf ReshapeTo Squeeze Unsqueeze join Join Concat }
    arrange {
        CenterCropPad DepthToSpace EyeLike Flatten OneHot Pad Range SpaceToDepth Split StridedSlice Take Tile Trilu
    }
    attention { Attention AttentionScores AttentionSums CausalConvolution LinearAttention RotaryEmbedding }
    axes {
        ArgLargest ArgSmallest HardmaxAlong LogSoftmaxAlong ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax
        ReduceMean ReduceMin ReduceProd ReduceSum ReduceSumSquare SoftmaxAlong
    }
    curves {
        Affine BitCast Celu Clip Elu HardSigmoid HardSwish IsInf IsNan LeakyRelu Magnitude MaxOf
        MeanOf MinOf Mish Modulo PRelu Power ScaledTanh Selu Shift Shrink Sign Softplus Softsign SumOf Swish
        ThresholdedRelu
    }
    descend { Adagrad Adam Momentum }
    found { Compress NonMaxSuppression NonZero Unique }
    grid { AffineGrid DeformConvolve GridSample }
    loss { NllLoss SoftmaxCrossEntropy }
    pool { Fold PoolLargest PoolMean PoolNorm Unpool }
    positions {
        RunningSum RunningProduct GatherElements GatherNd ReverseSequence ScatterElements ScatterNd WriteCache TopK
    }
    quantize {
        ConvolveIntegers Dequantize DynamicQuantize ShiftedMatmul Quantize QuantizedConvolve QuantizedMatmul
    }
    recurrent { Gru Lstm Rnn }
    resize { Resize }
    signal { BlackmanWindow HammingWindow HannWindow MelWeights Spectrum Spectrogram }
    standardize {
        BatchNorm GroupNorm InstanceNorm ImageLargest ImageMean ImageNorm LayerNormFrom LocalResponseNorm LpNormalize
        MeanVarianceNorm RmsNormFrom
    }
    matmul {
        matmul matmul_batch matmul_batch_tiled MatmulBatch matmul_integers MatmulIntegers BatchedMatmul matmul_tiled
        matmul_pack MatmulPack matmul_pack_nt MatmulPackNt matmul_packed MatmulPacked matmul_add MatmulAdd
        matmul_add_relu MatmulAddRelu Gemm matmul_nt_tiled matmul_tn_tiled Matmul matmul_nt MatmulNt matmul_tn MatmulTn
    }
    pointwise { exp Exp if_less IfLess ln Ln relu Relu sgd Sgd sqrt Sqrt tanh Tanh }
    random {
        philox Philox ranks ranks_counted Ranks KeySplit KeyFold RandomBits RandomUniform RandomNormal RandomIntegers
        Permutation Dropout
    }
    single { reproducible_encode_f32 reproducible_merge_f32 reproducible_decode_f32 }
    double { reproducible_encode_f64 reproducible_merge_f64 reproducible_decode_f64 }
    function {
        exp2 Exp2 exp_m1 ExpM1 log2 Log2 log10 Log10 ln_1p Ln1p tan Tan sinh Sinh cosh Cosh asin Asin acos Acos atan
        Atan asinh Asinh acosh Acosh atanh Atanh cbrt Cbrt erf Erf erfc Erfc rsqrt Rsqrt recip Recip floor Floor ceil Ceil trunc Trunc round Round sin
        Sin cos Cos abs Abs signum Signum powf Powf atan2 Atan2 rem Rem less Less less_equal LessEqual greater
        Greater greater_equal GreaterEqual equal Equal not_equal NotEqual and And or Or xor Xor not Not select
        Select clamp Clamp round_ties_even RoundTiesEven powi Powi
    }
    activation {
        sigmoid Sigmoid silu Silu silu_grad SiluGrad gelu Gelu gelu_grad GeluGrad gelu_tanh GeluTanh gelu_tanh_grad
        GeluTanhGrad
    }
    cast {
        to_f32 ToF32 to_f64 ToF64 to_i32 ToI32 to_i64 ToI64 to_u32 ToU32 to_u8 ToU8 to_i8 ToI8 to_i16 ToI16 to_u16
        ToU16 to_f16 ToF16 to_bf16 ToBf16 to_u64 ToU64 to_bool ToBool copy Copy fill
    }
    gather {
        gather Gather index_order index_order_counted IndexOrder index_starts IndexStarts sum_picked SumPicked
        ScatterAdd
    }
    along { take_along TakeAlong put_along PutAlong flat_index FlatIndex }
    bits {
        bit_and BitAnd bit_or BitOr bit_xor BitXor shift_left ShiftLeft shift_right ShiftRight bit_not BitNot
        bits_of_f32 BitsOfF32 bits_of_f64 BitsOfF64 f32_of_bits F32OfBits f64_of_bits F64OfBits
    }
    scan { cumsum Cumsum cumprod Cumprod top Top }
    determinant { determinant Determinant }
    einsum { Einsum }
    normalize {
        layer_norm layer_norm_rows LayerNorm layer_norm_grad layer_norm_grad_rows LayerNormGrad rms_norm
        rms_norm_rows rms_norm_grad rms_norm_grad_rows RmsNormGrad RmsNorm
    }
    image {
        max_pool MaxPool mean_pool MeanPool max_pool_grad MaxPoolGrad mean_pool_grad MeanPoolGrad
    }
    reduce {
        sum sum_rows Sum SumKeep sum_all sum_all_group SumAll mean mean_rows Mean mean_all mean_all_group MeanAll
        largest largest_rows Largest smallest smallest_rows Smallest product Product argmax argmax_rows Argmax
        argmin argmin_rows Argmin
    }
    interpolate { interpolate interpolate_rows Interpolate }
    sample { sample Sample roi_align RoiAlign }
    window { window_max WindowMax window_argmax WindowArgmax window_sum WindowSum }
}
