//! Every registered collective is proved, so that nobody has to remember.

use ringwood_collectives as _;
use ringwood_core::collective::{Request, verify};
use ringwood_core::registry::{Item, Kind, Registry};
use ringwood_core::{DType, ErrorKind};

#[test]
fn every_registered_collective_is_proved_for_every_size_that_it_allows_to_64() {
    let registry = Registry::global().unwrap();
    let mut proved = 0;
    for entry in registry.of_kind(Kind::Collective) {
        let Item::Collective(collective) = entry.item else { unreachable!("asked for by kind") };
        let descriptor = collective.describe();
        assert_eq!(descriptor.name, entry.meta.name);
        for ranks in 1..=64 {
            let params = match collective.resolve(&Request::new(ranks, 1 << 20, DType::F32)) {
                Ok(params) => params,
                Err(error) => {
                    assert!(!descriptor.constraint.allows(ranks), "{error}");
                    assert_eq!(error.kind(), ErrorKind::Unsupported);
                    continue;
                }
            };
            let verdict = verify(collective, &params).unwrap();
            assert!(verdict.ok() && verdict.races_checked, "{verdict}");
            proved += 1;
        }
    }
    assert!(proved >= 64, "the ring is registered and works for every size");
}
