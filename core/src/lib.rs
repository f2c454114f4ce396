//! The mechanism of Ringwood: its floors under one name.
//!
//! | module | floor |
//! |---|---|
//! | [`registry`] | `ringwood-base`: the annotated items of a program, sorted, located, found by name |
//! | [`mod@backend`], [`mod@kernel`], [`device`] | `ringwood-device`: what authors of devices and kernels write, and the run time |
//! | [`collective`] | `ringwood-schedule`, `ringwood-transport` and `ringwood-collective`: schedules of collectives: built, verified, run |
//! | [`operator`], [`graph`], [`engine`] | `ringwood-graph`: the program representation, its passes and its plans, who runs its collectives |
//! | [`session`] | `ringwood-session`: a controller and its workers |
//!
//! The features `collective`, `graph` and `session` (default) add those floors.
//!
//! This crate depends on no backend and on no algorithm. Programs use the facade, `ringwood`.
#![forbid(unsafe_code)]

// Expansions of our own macros name this crate by its absolute path.
extern crate self as ringwood_core;

pub use ringwood_base::{
    DType, Element, Error, ErrorKind, MAX_RANK, Result, Scalar, ScalarType, Shape, StridedShape,
    registry,
    sync::{set_threads, threads},
};
#[doc(hidden)]
pub use ringwood_base::{counted, escape_control};
#[cfg(feature = "collective")]
pub use ringwood_collective::register_collective_library;
pub use ringwood_device::{backend, device, device_fn, kernel, pool};
#[cfg(feature = "lazy")]
pub use ringwood_graph::lazy;
#[cfg(feature = "graph")]
pub use ringwood_graph::{engine, graph, operator, register_model_format, register_operator};
#[cfg(feature = "collective")]
pub use ringwood_schedule::register_collective;
#[cfg(feature = "session")]
pub use ringwood_session as session;
#[cfg(feature = "session")]
pub use ringwood_session::{global_fn, init};
#[cfg(feature = "collective")]
pub use ringwood_transport::register_transport;

/// The typed kernel IR: representation, text form, checker and interpreter.
pub use ringwood_ir as ir;

/// Collectives: what an algorithm's author writes, its proof, and the engine that runs it.
#[cfg(feature = "collective")]
pub mod collective {
    pub use ringwood_collective::{
        AbortHandle, Call, CollectiveLibrary, CollectiveLibraryDef, Communicator, Counters, Group,
        GroupBuilder, InstanceId, LibraryMember, Membership, PeerBuffer, Processes, Tensors,
        calibrate, executor, explain_libraries, resolve, spmd,
    };
    pub use ringwood_schedule::*;
    pub use ringwood_transport::{CallSpec, Field, Statement, flight, refusal};

    /// How ranks reach each other's data.
    pub use ringwood_transport as transport;
}

/// What expansions of the macros call. Not public API: it changes without notice.
#[doc(hidden)]
pub mod __private {
    pub use ringwood_device::__private::*;
    #[cfg(feature = "graph")]
    pub use ringwood_graph::__private::*;
    #[cfg(feature = "collective")]
    pub use ringwood_schedule::__private::*;
    #[cfg(feature = "session")]
    pub use ringwood_session::__private::*;
    #[cfg(feature = "collective")]
    pub use ringwood_transport::__private::*;
    #[cfg(all(feature = "collective", target_os = "linux"))]
    pub use ringwood_transport::process;
}
