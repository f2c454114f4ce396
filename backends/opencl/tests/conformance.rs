//! The conformance suite on this backend.

#[path = "support/written.rs"]
mod written;

use ringwood_backend_opencl::OpenCl;

ringwood_conformance::suite!(OpenCl);
