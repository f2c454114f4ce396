//! The simulated accelerator does what Ringwood asks of a device.

ringwood_conformance::suite!(ringwood_extension::Abacus);
