//! The package that an item belongs to, computed when the item is compiled.

use super::RINGWOOD;

/// The packages of Ringwood itself: their items belong to `ringwood`.
const OWN: &[&str] = &[
    "ringwood_ir",
    "ringwood_base",
    "ringwood_schedule",
    "ringwood_kernel",
    "ringwood_device",
    "ringwood_transport",
    "ringwood_collective",
    "ringwood_graph",
    "ringwood_session",
    "ringwood_core",
    "ringwood_cli",
    "ringwood_collectives",
    "ringwood_formats",
    "ringwood_models",
    "ringwood_kernels",
    "ringwood_macros",
    "ringwood_mpi",
    "ringwood_nccl",
    "ringwood_nn",
    "ringwood_conformance",
    "ringwood_backend_cpu",
    "ringwood_backend_null",
    "ringwood_backend_opencl",
    "ringwood_backend_cuda",
];

/// The bytes of a package's name, as it stands in paths.
#[must_use]
pub const fn underscored<const N: usize>(name: &str) -> [u8; N] {
    let bytes = name.as_bytes();
    let mut path = [0; N];
    let mut i = 0;
    while i < N {
        path[i] = if bytes[i] == b'-' { b'_' } else { bytes[i] };
        i += 1;
    }
    path
}

/// The package that items of the crate with that name belong to.
#[must_use]
pub const fn package(name: &'static [u8]) -> &'static str {
    let Ok(name) = std::str::from_utf8(name) else { return "" };
    let mut i = 0;
    while i < OWN.len() {
        if equal(OWN[i].as_bytes(), name.as_bytes()) {
            return RINGWOOD;
        }
        i += 1;
    }
    name
}

const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    a.len() == b.len() && i == a.len()
}

#[cfg(test)]
mod tests;
