//! The CPU backend of Ringwood: sync, threaded and chaos streams.
