//! The conformance suite on this backend.

use ringwood_backend_opencl::OpenCl;

ringwood_conformance::suite!(OpenCl);
