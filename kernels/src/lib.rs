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
//! | [`layout`] | `transpose expand repeat` |
//! | `lazy` | the methods of lazy tensors |
//! | [`shapes`] | `concat squeeze unsqueeze shape_of reshape_to expand_to`: made of others, by shape |
//! | [`views`] | `reshape permute slice broadcast_to`: no data moves |
//! | [`along`] | `take_along put_along flat_index`: elements by positions along a dimension |
//! | [`gather`] | `gather scatter_add index_order index_starts sum_picked`: rows by index |
//! | [`reduce`] | `sum mean largest smallest argmax argmin product`, along a dimension, in a fixed order |
//! | [`scan`] | `cumsum cumprod top`: running totals and the largest in order |
//! | [`normalize`] | `layer_norm rms_norm` |
//! | [`convolution`] | `convolve convolve_transposed`, of one to three dimensions |
//! | [`image`] | `max_pool mean_pool windows`, and a convolution |
//! | [`random`] | `random_uniform random_normal permutation dropout …`: numbers that follow from a key |
//! | [`window`] | `window_max window_argmax window_sum`: reductions of windows of images |
//! | [`interpolate`] | `interpolate`: weighted sums of slices |
//! | [`sample`] | `sample roi_align`: images between their numbers |
//! | [`half`] | conversions between `f32` and the 16-bit types |
//! | [`int8`] | blocks of 8-bit integers with a common scale |
//! | [`reproducible`] | sums with the same bits in every order |
//! | [`classify`] | `softmax log_softmax log_sum_exp cross_entropy` |
//!
//! Each kernel stands beside the operator that gives it a meaning in graphs: its shapes, dtypes and
//! gradient. Operators are named like their kernels; their types are in upper camel case. Long rows
//! are taken by other kernels, `softmax_rows` and the like: a group of work-items for each.
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
pub mod bits;
pub mod cast;
pub mod classify;
pub mod convolution;
pub mod determinant;
pub mod einsum;
pub mod function;
pub mod gather;
pub mod half;
pub mod image;
pub mod int8;
pub mod interpolate;
pub mod layout;
#[cfg(feature = "lazy")]
pub mod lazy;
pub mod matmul;
pub mod normalize;
pub mod pointwise;
pub mod random;
mod rates;
pub mod reduce;
pub mod reproducible;
mod rows;
pub mod sample;
pub mod scan;
pub mod shapes;
pub mod views;
pub mod window;

pub use rates::rates;

use ringwood_base::registry::Entry;

/// Every entry of the crate, for registration by hand.
pub const ENTRIES: &[Entry] = &[
    arithmetic::add::ENTRY,
    arithmetic::Add::ENTRY,
    arithmetic::sub::ENTRY,
    arithmetic::Sub::ENTRY,
    arithmetic::mul::ENTRY,
    arithmetic::Mul::ENTRY,
    arithmetic::div::ENTRY,
    arithmetic::Div::ENTRY,
    arithmetic::min::ENTRY,
    arithmetic::Min::ENTRY,
    arithmetic::max::ENTRY,
    arithmetic::Max::ENTRY,
    arithmetic::neg::ENTRY,
    arithmetic::Neg::ENTRY,
    classify::cross_entropy::ENTRY,
    classify::cross_entropy_rows::ENTRY,
    classify::CrossEntropy::ENTRY,
    classify::cross_entropy_grad::ENTRY,
    classify::CrossEntropyGrad::ENTRY,
    classify::log_softmax::ENTRY,
    classify::log_softmax_rows::ENTRY,
    classify::LogSoftmax::ENTRY,
    classify::log_sum_exp::ENTRY,
    classify::log_sum_exp_rows::ENTRY,
    classify::LogSumExp::ENTRY,
    classify::softmax::ENTRY,
    classify::softmax_rows::ENTRY,
    classify::Softmax::ENTRY,
    convolution::convolution::ENTRY,
    convolution::convolution_tiled::ENTRY,
    convolution::Convolution::ENTRY,
    convolution::Convolve::ENTRY,
    convolution::ConvolveTransposed::ENTRY,
    half::widen_bf16::ENTRY,
    half::narrow_bf16::ENTRY,
    half::widen_f16::ENTRY,
    half::narrow_f16::ENTRY,
    int8::int8_encode::ENTRY,
    int8::int8_add::ENTRY,
    layout::expand::ENTRY,
    layout::Expand::ENTRY,
    layout::repeat::ENTRY,
    layout::Repeat::ENTRY,
    views::Reshape::ENTRY,
    views::Permute::ENTRY,
    views::BroadcastTo::ENTRY,
    views::Slice::ENTRY,
    views::slice_grad::ENTRY,
    views::SliceGrad::ENTRY,
    shapes::ShapeOf::ENTRY,
    shapes::ReshapeTo::ENTRY,
    shapes::ExpandTo::ENTRY,
    shapes::Squeeze::ENTRY,
    shapes::Unsqueeze::ENTRY,
    shapes::join::ENTRY,
    shapes::Join::ENTRY,
    shapes::Concat::ENTRY,
    layout::transpose::ENTRY,
    layout::Transpose::ENTRY,
    matmul::matmul::ENTRY,
    matmul::matmul_batch::ENTRY,
    matmul::matmul_batch_tiled::ENTRY,
    matmul::MatmulBatch::ENTRY,
    matmul::matmul_integers::ENTRY,
    matmul::MatmulIntegers::ENTRY,
    matmul::BatchedMatmul::ENTRY,
    matmul::matmul_tiled::ENTRY,
    matmul::matmul_pack::ENTRY,
    matmul::MatmulPack::ENTRY,
    matmul::matmul_pack_nt::ENTRY,
    matmul::MatmulPackNt::ENTRY,
    matmul::matmul_packed::ENTRY,
    matmul::MatmulPacked::ENTRY,
    matmul::matmul_add::ENTRY,
    matmul::MatmulAdd::ENTRY,
    matmul::matmul_add_relu::ENTRY,
    matmul::MatmulAddRelu::ENTRY,
    matmul::matmul_nt_tiled::ENTRY,
    matmul::matmul_tn_tiled::ENTRY,
    matmul::Matmul::ENTRY,
    matmul::matmul_nt::ENTRY,
    matmul::MatmulNt::ENTRY,
    matmul::matmul_tn::ENTRY,
    matmul::MatmulTn::ENTRY,
    pointwise::exp::ENTRY,
    pointwise::Exp::ENTRY,
    pointwise::if_less::ENTRY,
    pointwise::IfLess::ENTRY,
    pointwise::ln::ENTRY,
    pointwise::Ln::ENTRY,
    pointwise::relu::ENTRY,
    pointwise::Relu::ENTRY,
    pointwise::sgd::ENTRY,
    pointwise::Sgd::ENTRY,
    pointwise::sqrt::ENTRY,
    pointwise::Sqrt::ENTRY,
    pointwise::tanh::ENTRY,
    pointwise::Tanh::ENTRY,
    random::philox::ENTRY,
    random::Philox::ENTRY,
    random::ranks::ENTRY,
    random::Ranks::ENTRY,
    random::KeySplit::ENTRY,
    random::KeyFold::ENTRY,
    random::RandomBits::ENTRY,
    random::RandomUniform::ENTRY,
    random::RandomNormal::ENTRY,
    random::RandomIntegers::ENTRY,
    random::Permutation::ENTRY,
    random::Dropout::ENTRY,
    reproducible::single::reproducible_encode_f32::ENTRY,
    reproducible::single::reproducible_merge_f32::ENTRY,
    reproducible::single::reproducible_decode_f32::ENTRY,
    reproducible::double::reproducible_encode_f64::ENTRY,
    reproducible::double::reproducible_merge_f64::ENTRY,
    reproducible::double::reproducible_decode_f64::ENTRY,
    function::exp2::ENTRY,
    function::Exp2::ENTRY,
    function::exp_m1::ENTRY,
    function::ExpM1::ENTRY,
    function::log2::ENTRY,
    function::Log2::ENTRY,
    function::log10::ENTRY,
    function::Log10::ENTRY,
    function::ln_1p::ENTRY,
    function::Ln1p::ENTRY,
    function::tan::ENTRY,
    function::Tan::ENTRY,
    function::sinh::ENTRY,
    function::Sinh::ENTRY,
    function::cosh::ENTRY,
    function::Cosh::ENTRY,
    function::asin::ENTRY,
    function::Asin::ENTRY,
    function::acos::ENTRY,
    function::Acos::ENTRY,
    function::atan::ENTRY,
    function::Atan::ENTRY,
    function::cbrt::ENTRY,
    function::Cbrt::ENTRY,
    function::erf::ENTRY,
    function::Erf::ENTRY,
    function::erfc::ENTRY,
    function::Erfc::ENTRY,
    function::rsqrt::ENTRY,
    function::Rsqrt::ENTRY,
    function::recip::ENTRY,
    function::Recip::ENTRY,
    function::floor::ENTRY,
    function::Floor::ENTRY,
    function::ceil::ENTRY,
    function::Ceil::ENTRY,
    function::trunc::ENTRY,
    function::Trunc::ENTRY,
    function::round::ENTRY,
    function::Round::ENTRY,
    function::sin::ENTRY,
    function::Sin::ENTRY,
    function::cos::ENTRY,
    function::Cos::ENTRY,
    function::abs::ENTRY,
    function::Abs::ENTRY,
    function::signum::ENTRY,
    function::Signum::ENTRY,
    function::powf::ENTRY,
    function::Powf::ENTRY,
    function::atan2::ENTRY,
    function::Atan2::ENTRY,
    function::rem::ENTRY,
    function::Rem::ENTRY,
    function::less::ENTRY,
    function::Less::ENTRY,
    function::less_equal::ENTRY,
    function::LessEqual::ENTRY,
    function::greater::ENTRY,
    function::Greater::ENTRY,
    function::greater_equal::ENTRY,
    function::GreaterEqual::ENTRY,
    function::equal::ENTRY,
    function::Equal::ENTRY,
    function::not_equal::ENTRY,
    function::NotEqual::ENTRY,
    function::and::ENTRY,
    function::And::ENTRY,
    function::or::ENTRY,
    function::Or::ENTRY,
    function::xor::ENTRY,
    function::Xor::ENTRY,
    function::not::ENTRY,
    function::Not::ENTRY,
    function::select::ENTRY,
    function::Select::ENTRY,
    function::clamp::ENTRY,
    function::Clamp::ENTRY,
    activation::sigmoid::ENTRY,
    activation::Sigmoid::ENTRY,
    activation::silu::ENTRY,
    activation::Silu::ENTRY,
    activation::silu_grad::ENTRY,
    activation::SiluGrad::ENTRY,
    activation::gelu::ENTRY,
    activation::Gelu::ENTRY,
    activation::gelu_grad::ENTRY,
    activation::GeluGrad::ENTRY,
    activation::gelu_tanh::ENTRY,
    activation::GeluTanh::ENTRY,
    activation::gelu_tanh_grad::ENTRY,
    activation::GeluTanhGrad::ENTRY,
    cast::to_f32::ENTRY,
    cast::ToF32::ENTRY,
    cast::to_f64::ENTRY,
    cast::ToF64::ENTRY,
    cast::to_i32::ENTRY,
    cast::ToI32::ENTRY,
    cast::to_i64::ENTRY,
    cast::ToI64::ENTRY,
    cast::to_u32::ENTRY,
    cast::ToU32::ENTRY,
    cast::to_u8::ENTRY,
    cast::ToU8::ENTRY,
    cast::to_i8::ENTRY,
    cast::ToI8::ENTRY,
    cast::to_i16::ENTRY,
    cast::ToI16::ENTRY,
    cast::to_u16::ENTRY,
    cast::ToU16::ENTRY,
    cast::to_f16::ENTRY,
    cast::ToF16::ENTRY,
    cast::to_bf16::ENTRY,
    cast::ToBf16::ENTRY,
    cast::to_u64::ENTRY,
    cast::ToU64::ENTRY,
    cast::to_bool::ENTRY,
    cast::ToBool::ENTRY,
    gather::gather::ENTRY,
    gather::Gather::ENTRY,
    gather::index_order::ENTRY,
    gather::index_order_counted::ENTRY,
    gather::IndexOrder::ENTRY,
    gather::index_starts::ENTRY,
    gather::IndexStarts::ENTRY,
    gather::sum_picked::ENTRY,
    gather::SumPicked::ENTRY,
    gather::ScatterAdd::ENTRY,
    along::take_along::ENTRY,
    along::TakeAlong::ENTRY,
    along::put_along::ENTRY,
    along::PutAlong::ENTRY,
    along::flat_index::ENTRY,
    along::FlatIndex::ENTRY,
    bits::bit_and::ENTRY,
    bits::BitAnd::ENTRY,
    bits::bit_or::ENTRY,
    bits::BitOr::ENTRY,
    bits::bit_xor::ENTRY,
    bits::BitXor::ENTRY,
    bits::shift_left::ENTRY,
    bits::ShiftLeft::ENTRY,
    bits::shift_right::ENTRY,
    bits::ShiftRight::ENTRY,
    bits::bit_not::ENTRY,
    bits::BitNot::ENTRY,
    bits::bits_of_f32::ENTRY,
    bits::BitsOfF32::ENTRY,
    bits::bits_of_f64::ENTRY,
    bits::BitsOfF64::ENTRY,
    bits::f32_of_bits::ENTRY,
    bits::F32OfBits::ENTRY,
    bits::f64_of_bits::ENTRY,
    bits::F64OfBits::ENTRY,
    scan::cumsum::ENTRY,
    scan::Cumsum::ENTRY,
    scan::cumprod::ENTRY,
    scan::Cumprod::ENTRY,
    scan::top::ENTRY,
    scan::Top::ENTRY,
    function::round_ties_even::ENTRY,
    function::RoundTiesEven::ENTRY,
    function::powi::ENTRY,
    function::Powi::ENTRY,
    determinant::determinant::ENTRY,
    determinant::Determinant::ENTRY,
    einsum::Einsum::ENTRY,
    normalize::layer_norm::ENTRY,
    normalize::layer_norm_rows::ENTRY,
    normalize::LayerNorm::ENTRY,
    normalize::layer_norm_grad::ENTRY,
    normalize::layer_norm_grad_rows::ENTRY,
    normalize::LayerNormGrad::ENTRY,
    normalize::rms_norm::ENTRY,
    normalize::rms_norm_rows::ENTRY,
    normalize::rms_norm_grad::ENTRY,
    normalize::rms_norm_grad_rows::ENTRY,
    normalize::RmsNormGrad::ENTRY,
    normalize::RmsNorm::ENTRY,
    image::max_pool::ENTRY,
    image::MaxPool::ENTRY,
    image::mean_pool::ENTRY,
    image::MeanPool::ENTRY,
    image::max_pool_grad::ENTRY,
    image::MaxPoolGrad::ENTRY,
    image::mean_pool_grad::ENTRY,
    image::MeanPoolGrad::ENTRY,
    image::windows::ENTRY,
    image::Windows::ENTRY,
    image::windows_grad::ENTRY,
    image::WindowsGrad::ENTRY,
    cast::copy::ENTRY,
    cast::Copy::ENTRY,
    cast::fill::ENTRY,
    reduce::sum::ENTRY,
    reduce::sum_rows::ENTRY,
    reduce::Sum::ENTRY,
    reduce::SumKeep::ENTRY,
    reduce::sum_all::ENTRY,
    reduce::sum_all_group::ENTRY,
    reduce::SumAll::ENTRY,
    reduce::mean::ENTRY,
    reduce::mean_rows::ENTRY,
    reduce::Mean::ENTRY,
    reduce::mean_all::ENTRY,
    reduce::mean_all_group::ENTRY,
    reduce::MeanAll::ENTRY,
    reduce::largest::ENTRY,
    reduce::largest_rows::ENTRY,
    reduce::Largest::ENTRY,
    reduce::smallest::ENTRY,
    reduce::smallest_rows::ENTRY,
    reduce::Smallest::ENTRY,
    reduce::product::ENTRY,
    reduce::Product::ENTRY,
    reduce::argmax::ENTRY,
    reduce::argmax_rows::ENTRY,
    reduce::Argmax::ENTRY,
    reduce::argmin::ENTRY,
    reduce::argmin_rows::ENTRY,
    reduce::Argmin::ENTRY,
    interpolate::interpolate::ENTRY,
    interpolate::interpolate_rows::ENTRY,
    interpolate::Interpolate::ENTRY,
    sample::sample::ENTRY,
    sample::Sample::ENTRY,
    sample::roi_align::ENTRY,
    sample::RoiAlign::ENTRY,
    window::window_max::ENTRY,
    window::WindowMax::ENTRY,
    window::window_argmax::ENTRY,
    window::WindowArgmax::ENTRY,
    window::window_sum::ENTRY,
    window::WindowSum::ENTRY,
];
