//! Libraries of NVIDIA, the driver and cuBLAS, that load and cannot be used: real shared objects, each in
//! a process of its own.
#![cfg(target_os = "linux")]

#[path = "support/products.rs"]
mod products;

use ringwood_backend_cuda::Cuda;
use ringwood_base::registry::{Entry, Registry};
use ringwood_base::{Error, ErrorKind};
use ringwood_device::backend::{Backend, Registered};
use ringwood_device::device::Runtime;
use ringwood_device::kernel;
use ringwood_device::kernel::{KernelDef, KernelSpec};
use ringwood_kernels as _;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Set in the processes that this test starts.
const CHILD: &str = "RINGWOOD_TEST_WITH_A_DRIVER";

/// The functions that the backend calls, as its own list has them: of cuBLAS, or of the driver.
fn functions(of_library: bool) -> BTreeSet<&'static str> {
    let of_c = |name: &&str| {
        let ours = name.starts_with("cu") && name.starts_with("cublas") == of_library;
        ours && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    include_str!("../src/sys.rs").split(char::is_whitespace).filter(of_c).collect()
}

/// A driver without the function `missing`, which answers `init` to `cuInit` and counts no devices.
fn source(missing: &str, init: i32) -> String {
    let mut text = String::from("int cuInit(unsigned flags) { return INIT; }\n")
        .replace("INIT", &init.to_string());
    text.push_str("int cuDeviceGetCount(int* count) { *count = 0; return 0; }\n");
    let others = functions(false)
        .into_iter()
        .filter(|f| !["cuInit", "cuDeviceGetCount", missing].contains(f));
    others.for_each(|function| text.push_str(&format!("int {function}(void) {{ return 999; }}\n")));
    text
}

/// Compiles a library, `libcuda.so` or another, into a folder of its own, where the loader finds it.
fn build(folder: &Path, name: &str, source: &str) -> PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    let (file, library) = (folder.join("library.c"), folder.join(name));
    std::fs::write(&file, source).unwrap();
    let mut compiler = Command::new("cc");
    let compiled =
        compiler.args(["-shared", "-fPIC", "-w", "-o"]).arg(&library).arg(&file).output();
    let compiled = compiled.expect("the linker of Rust programs, cc, compiles C too");
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    library
}

/// What a test prints as a process of its own, which finds the libraries of a folder first.
fn again(test: &str, folder: &Path) -> String {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, "1")
        .env("LD_LIBRARY_PATH", folder)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text
}

#[test]
fn a_driver_that_cannot_be_used_is_unavailable_with_the_reason() {
    if std::env::var_os(CHILD).is_some() {
        return ask();
    }
    assert!(functions(false).len() > 30 && functions(false).contains("cuMemAllocAsync"));
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
        // The bindings look for this name first.
        build(&folder, "libcuda.so", &source(missing, init));
        let test = "a_driver_that_cannot_be_used_is_unavailable_with_the_reason";
        let text = again(test, &folder);
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

#[test]
fn a_product_without_a_usable_cublas_is_the_body_for_a_reason() {
    if std::env::var_os(CHILD).is_some() {
        let spec = specs("any_order").next().unwrap();
        let choice = ringwood_backend_cuda::library(&spec).unwrap().unwrap();
        assert_eq!(
            choice.absent().map(Error::kind),
            choice.absent().map(|_| ErrorKind::Unavailable)
        );
        println!("{choice}");
        return;
    }
    assert!(functions(true).len() > 5 && functions(true).contains("cublasSgemm_v2"));
    let folder = std::env::temp_dir().join(format!("ringwood-cublas-{}", std::process::id()));
    let body = "any_order: the body, not `gemm`: ";
    let cases = [
        (Some("cublasSgemm_v2"), format!("{body}cuBLAS has no `cublasSgemm_v2`: it is too old")),
        (
            Some("cublasSetWorkspace_v2"),
            format!("{body}cuBLAS has no `cublasSetWorkspace_v2`: it is too old"),
        ),
        (
            Some(""),
            "any_order: `gemm` of cuBLAS, whose additions have an order of their own".into(),
        ),
        // Another cuBLAS may be installed.
        (None, "any_order: ".into()),
    ];
    for (i, (missing, expected)) in cases.into_iter().enumerate() {
        let folder = folder.join(i.to_string());
        std::fs::create_dir_all(&folder).unwrap();
        if let Some(missing) = missing {
            let functions = functions(true).into_iter().filter(|name| *name != missing);
            let source = functions.map(|name| format!("int {name}(void) {{ return 1; }}\n"));
            build(&folder, "libcublas.so", &source.collect::<String>());
        }
        let test = "a_product_without_a_usable_cublas_is_the_body_for_a_reason";
        let text = again(test, &folder);
        assert!(text.contains(&expected), "{expected}: {text}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[kernel(device = cuda, domain = x.len(), library(cuda = gemmm))]
fn misspelled(x: &mut [f32]) {
    x[gid(0)] = 1.0;
}

#[kernel(device = cuda, domain = x.len(), library(cuda = gemm))]
fn no_product(x: &mut [f32]) {
    x[gid(0)] = 1.0;
}

#[test]
fn a_routine_that_is_unknown_or_takes_other_parameters_is_refused() {
    let refused = |item: &Entry| {
        let error = ringwood_backend_cuda::library(&spec(item)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        error.to_string()
    };
    let text = refused(&misspelled::ENTRY);
    assert!(text.contains("`gemmm`") && text.contains("gemm, gemm_tn, gemm_nt"), "{text}");
    let text = refused(&no_product::ENTRY);
    assert!(text.contains("`no_product` do not fit `gemm`"), "{text}");
    for kernel in ["any_order", "any_order_tn", "any_order_nt"] {
        assert_eq!(specs(kernel).count(), 2);
        let mut choices = specs(kernel).map(|spec| ringwood_backend_cuda::library(&spec).unwrap());
        assert!(choices.all(|choice| choice.is_some()));
    }
}

/// The instances of a kernel for `cuda`.
fn specs(kernel: &str) -> impl Iterator<Item = KernelSpec<'static>> {
    let declared = kernel::declarations(Registry::global().unwrap(), kernel).unwrap();
    let (_, def) = declared.into_iter().find(|(_, def)| def.devices.contains(&"cuda")).unwrap();
    def.instances.iter().map(|instance| def.spec(instance))
}

fn spec(entry: &Entry) -> KernelSpec<'static> {
    let def = entry.declared::<KernelDef>().unwrap();
    def.spec(&def.instances[0])
}
