//! The conformance suite on this backend.

use ringwood_backend_cuda::Cuda;

ringwood_conformance::suite!(Cuda);
