//! Every registered kernel, and some written for this test, by the interpreter of the kernel IR and
//! in every other way: the same bits and the same faults, also for odd values, shapes and scalars.
#![cfg(feature = "inventory")]

mod case;
mod device;
#[path = "../support/given.rs"]
mod given;
mod native;
mod odd_groups;
mod odd_kernels;
#[allow(non_snake_case, reason = "names of C")]
mod odd_rules;
mod odd_types;
mod odd_views;
#[path = "../support/on_native.rs"]
mod on_native;
#[path = "../support/on_opencl.rs"]
mod on_opencl;
mod random;

use case::Subject;
use ringwood::registry::Registry;

/// The kernels with a portable body.
fn subjects() -> Vec<Subject> {
    let registry = Registry::global().unwrap();
    let defs = registry.of::<ringwood::kernel::KernelDef>().map(|(_, def)| def);
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
