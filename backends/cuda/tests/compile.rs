//! Every registered kernel that names `cuda`, compiled by NVRTC, which needs no device.

use ringwood_backend_cuda::compile;
use ringwood_core::kernel::emit;
use ringwood_core::registry::{Item, Kind, Registry};
use ringwood_core::{Error, ErrorKind};
use ringwood_kernels as _;
use std::io::Write;

/// The architectures that must work: A100 and H100.
const ARCHITECTURES: [u32; 2] = [80, 90];

/// Whether NVRTC is there; `RINGWOOD_REQUIRE=cuda-nvrtc` makes its absence a failure.
fn usable(error: &Error) -> bool {
    if error.kind() != ErrorKind::Unavailable {
        return true;
    }
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    assert!(!required.split(',').any(|name| name == "cuda-nvrtc"), "{error}");
    let _ = writeln!(std::io::stderr(), "skipped: {error}");
    false
}

#[test]
fn every_registered_kernel_compiles_for_every_architecture() {
    let registry = Registry::global().unwrap();
    let mut compiled = 0;
    for entry in registry.of_kind(Kind::Kernel) {
        let Item::Kernel(def) = entry.item else { unreachable!("an entry of this kind") };
        if !def.devices.contains(&"cuda") {
            continue;
        }
        for instance in def.instances {
            let source = emit(&def.spec(instance), "cuda").unwrap();
            for arch in ARCHITECTURES {
                let ptx = match compile(&source, arch) {
                    Ok(ptx) => String::from_utf8(ptx).unwrap(),
                    Err(error) if usable(&error) => panic!("{}: {error}", entry.meta.name),
                    Err(_) => return,
                };
                assert!(ptx.contains(&format!(".target sm_{arch}")), "{}", entry.meta.name);
                assert!(ptx.contains(".entry"), "{}", entry.meta.name);
                compiled += 1;
            }
        }
    }
    assert!(compiled > 100, "{compiled} compilations");
}

#[test]
fn what_does_not_compile_shows_the_compilers_log() {
    let error = compile("__global__ void f() { no_such_function(); }", 90).unwrap_err();
    if usable(&error) {
        assert_eq!(error.kind(), ErrorKind::Backend);
        assert!(error.get("log").unwrap().contains("no_such_function"), "{error}");
    }
}
