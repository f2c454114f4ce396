//! The typed kernel IR of Ringwood: built by its macros, printed and interpreted by its core.
