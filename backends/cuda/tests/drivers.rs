//! Driver libraries that load and cannot be used: real shared objects, each in a process of its own.
#![cfg(target_os = "linux")]

use ringwood_backend_cuda::Cuda;
use ringwood_core::ErrorKind;
use ringwood_core::backend::{Backend, Registered};
use ringwood_core::device::Runtime;
use ringwood_core::registry::Registry;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set in the processes that this test starts.
const CHILD: &str = "RINGWOOD_TEST_WITH_A_DRIVER";

/// The functions that the backend calls, as its own list has them.
fn functions() -> BTreeSet<&'static str> {
    let of_c = |name: &&str| {
        name.starts_with("cu") && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    include_str!("../src/sys.rs").split('"').filter(of_c).collect()
}

/// A driver without the function `missing`, which answers `init` to `cuInit` and counts no devices.
fn source(missing: &str, init: i32) -> String {
    let mut text = String::from("int cuInit(unsigned flags) { return INIT; }\n")
        .replace("INIT", &init.to_string());
    text.push_str("int cuDeviceGetCount(int* count) { *count = 0; return 0; }\n");
    let others =
        functions().into_iter().filter(|f| !["cuInit", "cuDeviceGetCount", missing].contains(f));
    others.for_each(|function| text.push_str(&format!("int {function}(void) {{ return 999; }}\n")));
    text
}

/// Compiles a driver into a folder of its own, where the loader finds it.
fn build(folder: &Path, source: &str) -> PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    let (file, library) = (folder.join("driver.c"), folder.join("libcuda.so.1"));
    std::fs::write(&file, source).unwrap();
    let mut compiler = Command::new("cc");
    let compiled =
        compiler.args(["-shared", "-fPIC", "-w", "-o"]).arg(&library).arg(&file).output();
    let compiled = compiled.expect("the linker of Rust programs, cc, compiles C too");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    // The bindings look for this name first.
    let first = folder.join("libcuda.so");
    let _ = std::fs::remove_file(&first);
    std::os::unix::fs::symlink("libcuda.so.1", &first).unwrap();
    library
}

#[test]
fn a_driver_that_cannot_be_used_is_unavailable_with_the_reason() {
    if std::env::var_os(CHILD).is_some() {
        return ask();
    }
    assert!(functions().len() > 30 && functions().contains("cuMemAllocAsync"));
    let folder = std::env::temp_dir().join(format!("ringwood-cuda-{}", std::process::id()));
    let cases = [
        ("cuMemAllocAsync", 0, "the CUDA driver has no `cuMemAllocAsync`: it is too old"),
        ("cuLaunchKernel", 0, "the CUDA driver has no `cuLaunchKernel`: it is too old"),
        ("", 100, "CUDA_ERROR_NO_DEVICE"),
        ("", 34, "CUDA_ERROR_STUB_LIBRARY"),
        ("", 803, "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"),
        ("", 0, "the CUDA driver finds no device"),
        // Older drivers capture no graphs.
        ("cuGraphLaunch", 0, "the CUDA driver finds no device"),
    ];
    for (i, (missing, init, reason)) in cases.into_iter().enumerate() {
        let folder = folder.join(i.to_string());
        build(&folder, &source(missing, init));
        let test = "a_driver_that_cannot_be_used_is_unavailable_with_the_reason";
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--nocapture"])
            .env(CHILD, "1")
            .env("LD_LIBRARY_PATH", &folder)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(text.matches(reason).count(), 3, "{reason}: {text}");
        assert!(!text.contains("panic"), "{text}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// Asks every way in, in a process with a driver of the test.
fn ask() {
    let runtime = Runtime::new(Registry::builder().register(Cuda::ENTRY).build().unwrap());
    let state = runtime.backends().remove(0);
    let errors = [
        Cuda::open().err().unwrap(),
        state.devices.err().unwrap(),
        runtime.device("cuda:0").err().unwrap(),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
        println!("{error}");
    }
}
