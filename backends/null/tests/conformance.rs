//! The conformance suite on this backend.

use ringwood_backend_null::Null;

ringwood_conformance::suite!(Null);
