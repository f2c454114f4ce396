//! What the programs share. It mentions the library of items no more than they do.

use ringwood_base::registry::Registry;

/// Prints the entries that come from the library of items.
pub fn list(registry: &Registry) {
    for entry in registry.entries() {
        if entry.meta().module_path.starts_with("linking_items") {
            println!("{entry}");
        }
    }
}
