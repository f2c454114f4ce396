//! Random kernels as Rust source, which a test of the workspace compiles and runs.

#[path = "random/parallel.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod parallel;
#[path = "random/rust.rs"]
mod rust;

use parallel::Parallel;
use std::path::Path;

const HEAD: &str = "\
// Random kernels, written by the test `source` of `ringwood-ir` (with RINGWOOD_BLESS=1).

use ringwood::{device_fn, kernel};
";

/// The number of kernels; another one by the variable `RINGWOOD_RANDOM_KERNELS` with `RINGWOOD_BLESS`.
const KERNELS: u64 = 40;

#[test]
fn the_source_of_random_kernels_is_the_generated_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/support/random_kernels.rs");
    let bless = std::env::var_os("RINGWOOD_BLESS").is_some();
    let count = std::env::var("RINGWOOD_RANDOM_KERNELS").ok().filter(|_| bless);
    let count = count.map_or(KERNELS, |n| n.parse().expect("a number of kernels"));
    let mut text = HEAD.to_owned();
    for kernel in (0..count).map(Parallel::plain) {
        text.push('\n');
        text.push_str(&rust::item(&kernel.kernel, &kernel.domain));
    }
    if bless {
        std::fs::write(&path, &text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap();
    assert!(
        text == written,
        "{}: run with RINGWOOD_BLESS=1 if the change is meant",
        path.display()
    );
}
