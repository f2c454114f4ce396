//! The standard kernels and operators of Ringwood, written with its own macros: nothing here is
//! privileged.
//!
//! | module | what |
//! |---|---|
//! | [`arithmetic`] | `add sub mul div min max neg`, the merge operators of collectives among them |
//! | [`pointwise`] | `relu exp ln tanh sqrt equal if_less sgd`, element by element |
//! | [`matmul`] | products of matrices, also transposed |
//! | [`layout`] | `transpose expand repeat` |
//! | [`reduce`] | `sum sum_keep sum_all mean_all`, in a fixed order |
//! | [`classify`] | `softmax log_sum_exp cross_entropy argmax` |
//!
//! Each kernel stands beside the operator that gives it a meaning in graphs: its shapes, dtypes and
//! gradient. Operators are named like their kernels; their types are in upper camel case.
//!
//! A binary finds the items if it links the crate: `use ringwood_kernels as _;`.
#![deny(unsafe_code)]

pub mod arithmetic;
pub mod classify;
pub mod layout;
pub mod matmul;
pub mod pointwise;
pub mod reduce;

use ringwood_core::registry::Entry;

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
    classify::argmax::ENTRY,
    classify::Argmax::ENTRY,
    classify::cross_entropy::ENTRY,
    classify::CrossEntropy::ENTRY,
    classify::cross_entropy_grad::ENTRY,
    classify::CrossEntropyGrad::ENTRY,
    classify::log_sum_exp::ENTRY,
    classify::LogSumExp::ENTRY,
    classify::softmax::ENTRY,
    classify::Softmax::ENTRY,
    layout::expand::ENTRY,
    layout::Expand::ENTRY,
    layout::repeat::ENTRY,
    layout::Repeat::ENTRY,
    layout::transpose::ENTRY,
    layout::Transpose::ENTRY,
    matmul::matmul::ENTRY,
    matmul::Matmul::ENTRY,
    matmul::matmul_nt::ENTRY,
    matmul::MatmulNt::ENTRY,
    matmul::matmul_tn::ENTRY,
    matmul::MatmulTn::ENTRY,
    pointwise::equal::ENTRY,
    pointwise::Equal::ENTRY,
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
    reduce::mean_all::ENTRY,
    reduce::MeanAll::ENTRY,
    reduce::sum::ENTRY,
    reduce::Sum::ENTRY,
    reduce::sum_all::ENTRY,
    reduce::SumAll::ENTRY,
    reduce::sum_keep::ENTRY,
    reduce::SumKeep::ENTRY,
];
