//! The conformance suite on this backend.

use ringwood_backend_cpu::Cpu;

ringwood_conformance::suite!(Cpu, unsupported = { "peer_copy": "one device only" });
