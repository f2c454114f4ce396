//! The standard kernels and operators of Ringwood, written with its own macros.
