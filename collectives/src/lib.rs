//! The collective algorithms of Ringwood, each one registered item.
