//! A source that does not compute what the body of its kernel says fails the conformance suite.

mod support;

use ringwood_backend_opencl::OpenCl;
use ringwood_base::registry::Registry;
use ringwood_conformance::{Options, run};
use ringwood_device::backend::Registered;
use ringwood_device::device::Runtime;
use ringwood_device::kernel;

/// Every element but the fourth.
#[kernel(
    requires(x.len() == y.len()),
    opencl = "__kernel void doubled(__global const float* x, ulong x_len,
                                    __global float* y, ulong y_len, ulong items) {
        size_t i = get_global_id(0);
        if (i < items) y[i] = i == 3 ? x[i] : 2 * x[i];
    }"
)]
fn doubled(x: &[f32], y: &mut [f32]) {
    y[gid(0)] = 2.0 * x[gid(0)];
}

#[test]
fn a_source_that_differs_from_its_body_is_noticed() {
    if support::opencl().is_none() {
        return;
    }
    let registry = Registry::builder().register(OpenCl::ENTRY).build().unwrap();
    let report = run(&Runtime::new(registry), &Options::default().case("sources"));
    assert!(!report.passed(), "{report}");
    let text = report.to_string();
    assert!(text.contains("`doubled` over") && text.contains("at 3:"), "{text}");
}
