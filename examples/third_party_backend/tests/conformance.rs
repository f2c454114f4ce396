//! The simulated accelerator does what Ringwood asks of a device. The processor, which `ringwood` brings, is
//! the other one of the cases that need two.

ringwood_conformance::suite!(third_party_backend::Abacus);
