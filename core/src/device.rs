//! Devices, streams, buffers, contexts and routines.
