//! Two linked items of one name: whoever asks for the global registry is told both places.
#![cfg(feature = "inventory")]

use ringwood_core::collective::{Collective, Descriptor, Lane, Params, Rank};
use ringwood_core::registry::Registry;
use ringwood_core::{ErrorKind, register_collective};

struct Ring;

impl Collective for Ring {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("ring")
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
}

register_collective!(ring, Ring);

mod other {
    ringwood_core::register_collective!(ring, super::Ring);
}

#[test]
fn the_global_registry_names_both_places_every_time() {
    for _ in 0..2 {
        let error = Registry::global().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Duplicate);
        let text = error.to_string();
        for entry in [ring::ENTRY, other::ring::ENTRY] {
            let place = format!("{}:{}", entry.meta().file, entry.meta().line);
            assert!(text.contains(&place), "{text} does not name {place}");
        }
        assert_ne!(ring::ENTRY.meta().line, other::ring::ENTRY.meta().line);
    }
}
