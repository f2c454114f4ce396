//! Collectives between threads: the engine, agreement and failures, with algorithms and merge
//! kernels registered by hand.

#[path = "collectives/support.rs"]
mod support;

#[path = "collectives/schedules.rs"]
mod schedules;

#[path = "collectives/executor.rs"]
mod executor;
#[path = "collectives/failures.rs"]
mod failures;
#[path = "collectives/operations.rs"]
mod operations;
#[path = "collectives/rendezvous.rs"]
mod rendezvous;
#[path = "collectives/results.rs"]
mod results;
