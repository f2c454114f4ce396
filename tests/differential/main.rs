//! Every registered kernel, and some written for this test, by the interpreter of the kernel IR and
//! in every other way: the same bits and the same faults, also for odd values, shapes and scalars.
#![cfg(feature = "inventory")]

mod case;
mod device;
#[path = "../support/given.rs"]
mod given;
#[path = "../../core/ir/tests/random/launch.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod launch;
mod native;
mod odd_groups;
mod odd_kernels;
#[allow(non_snake_case, reason = "names of C")]
mod odd_rules;
mod odd_types;
mod odd_views;
#[path = "../support/on_device.rs"]
mod on_device;
#[path = "../support/on_native.rs"]
mod on_native;
#[path = "../../core/ir/tests/random/parallel.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod parallel;
mod random;
mod random_kernels;
#[path = "../support/random_kernels.rs"]
#[rustfmt::skip]
#[allow(
    unused, clippy::all, arithmetic_overflow, unconditional_panic, invalid_nan_comparisons,
    unused_comparisons,
    reason = "they are random"
)]
mod random_source;
#[path = "../../core/ir/tests/printed/values.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod values;

use case::Subject;
use ringwood::registry::Registry;

/// The kernels with a portable body, but for the random ones.
fn subjects() -> Vec<Subject> {
    let registry = Registry::global().unwrap();
    let defs = registry.of::<ringwood::kernel::KernelDef>().map(|(_, def)| def);
    let defs = defs.filter(|def| random_kernels::seed(def).is_none());
    let instances = defs.flat_map(|def| def.instances.iter().map(move |i| (def, i)));
    let subject = |(def, instance): (_, &'static ringwood::kernel::Instance)| {
        Some(Subject { def, instance, ir: ringwood_ir::decode(instance.ir?).unwrap() })
    };
    instances.filter_map(subject).collect()
}

#[test]
fn the_text_of_every_kernel_is_the_canonical_one() {
    for Subject { instance, ir, .. } in subjects() {
        assert_eq!(ringwood_ir::encode(&ir), instance.ir.unwrap());
    }
}
