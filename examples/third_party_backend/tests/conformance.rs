//! The simulated accelerator does what Ringwood asks of a device.

ringwood_conformance::suite!(third_party_backend::Abacus);
