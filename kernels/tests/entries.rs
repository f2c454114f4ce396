//! The list for registration by hand is what discovery finds.

use ringwood_base::registry::{EntryMeta, Registry};

#[test]
fn the_list_of_entries_names_every_linked_item_of_the_crate_and_no_other() {
    let place = |meta: &EntryMeta<'static>| (meta.name, meta.file, meta.line);
    let linked = Registry::global().unwrap().entries().iter().map(|entry| entry.meta());
    let mut linked: Vec<_> =
        linked.filter(|m| m.module_path.starts_with("ringwood_kernels")).collect();
    let mut listed: Vec<_> = ringwood_kernels::ENTRIES.iter().map(|entry| entry.meta()).collect();
    linked.sort_by_key(place);
    listed.sort_by_key(place);
    assert_eq!(listed, linked);
}
