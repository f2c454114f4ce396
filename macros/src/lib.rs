//! The declarations of Ringwood: backend, kernel, collective and global function.
