//! The conformance suite for Ringwood backends: what a device must do, as a matrix.
