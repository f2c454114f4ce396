//! What a program that depends on the facade alone finds in its registry.

use ringwood::registry::Registry;

#[test]
fn the_items_of_every_crate_of_the_facade_arrive() {
    let registry = Registry::global().unwrap();
    let crates = [
        "ringwood_backend_cpu",
        "ringwood_backend_null",
        "ringwood_collectives",
        "ringwood_kernels",
    ];
    for name in crates {
        let of_crate = registry.entries().iter().filter(|entry| {
            entry.meta().module_path.split("::").next().is_some_and(|root| root == name)
        });
        assert!(of_crate.count() > 0, "nothing of `{name}` arrived; registered:\n{registry}");
    }
}

#[test]
fn every_registered_collective_describes_itself_by_its_name() {
    let registry = Registry::global().unwrap();
    for (entry, def) in registry.of::<ringwood::collective::CollectiveDef>() {
        assert_eq!(def.collective.describe().name, entry.meta().name, "{entry}");
    }
}
