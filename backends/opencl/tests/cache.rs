//! Compiled kernels are kept between runs, and what happened to them on the disk does no harm.
#![cfg(unix)]

mod support;

use ringwood_backend_opencl::OpenCl;
use ringwood_base::registry::Registry;
use ringwood_device::backend::Registered;
use ringwood_device::device::Runtime;
use ringwood_device::kernel;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

#[kernel(map, device = opencl)]
fn twice(x: f32) -> f32 {
    x + x
}

fn run() {
    let registry = Registry::builder().register(OpenCl::ENTRY).register(twice::ENTRY);
    let device = Runtime::new(registry.build().unwrap()).device("opencl:0").unwrap();
    let x = device.tensor(&[1.0_f32, -0.5, 3.0]).unwrap();
    let y = twice::launch(&x).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [2.0, -1.0, 6.0]);
}

/// The entries in a cache folder: the kernel, and those that probe the device.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> =
        fs::read_dir(folder.join("kernels")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    files
}

#[test]
fn kernels_are_kept_and_damaged_ones_compiled_anew() {
    if support::opencl().is_none() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("ringwood-opencl-{}", std::process::id()));
    let folder = folder.to_str().expect("a temporary folder has a plain name");
    let test = "kernels_are_kept_and_damaged_ones_compiled_anew";
    let again = || {
        let output = support::again_with(test, &[("RINGWOOD_CACHE_DIR", folder)])?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(())
    };
    let Some(()) = again() else { return run() };
    let folder = Path::new(folder);
    let files = entries(folder);
    let inodes = || files.iter().map(|file| fs::metadata(file).unwrap().ino()).collect::<Vec<_>>();
    let first = inodes();
    again();
    assert_eq!(inodes(), first, "they were used, and not written again");
    let damage = |file: &PathBuf| {
        let mut bytes = fs::read(file).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        fs::write(file, &bytes).unwrap();
        bytes
    };
    let damaged: Vec<_> = files.iter().map(damage).collect();
    again();
    assert_eq!(entries(folder), files);
    let whole = files.iter().zip(damaged).all(|(file, bytes)| fs::read(file).unwrap() != bytes);
    assert!(whole, "each was compiled anew");
    fs::remove_dir_all(folder).unwrap();
}
