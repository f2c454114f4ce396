//! Registered algorithms survive MSCCL XML, or are refused by name.

use ringwood_base::ErrorKind;
use ringwood_base::registry::Registry;
use ringwood_collectives as _;
use ringwood_formats::{Imported, msccl, read};
use ringwood_schedule::{Operation, Params, Schedule, verify_schedule};

#[test]
fn every_registered_algorithm_round_trips_or_is_refused_by_name() {
    let (mut written, mut refused) = (0, 0);
    for (_, def) in Registry::global().unwrap().of::<ringwood_schedule::CollectiveDef>() {
        let collective = &*def.collective;
        let descriptor = collective.describe();
        for ranks in [2, 3, 4, 5, 8] {
            let Ok(params) = Params::new(&descriptor, ranks) else { continue };
            let schedule = Schedule::of(collective, &params).unwrap();
            match msccl::write(&schedule, &params) {
                Ok(text) => {
                    round_trip(&schedule, &params, &text);
                    written += 1;
                }
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
                    assert!(!expressible(descriptor.operation), "{}: {error}", descriptor.name);
                    refused += 1;
                }
            }
        }
    }
    println!("{written} schedules written and read, {refused} refused");
    assert!(written > 0);
}

fn expressible(operation: Operation) -> bool {
    use Operation::{AllGather, AllReduce, AllToAll, ReduceScatter};
    matches!(operation, AllReduce | AllGather | ReduceScatter | AllToAll)
}

fn round_trip(schedule: &Schedule, params: &Params, text: &str) {
    let plan = read(text.as_bytes()).unwrap();
    let imported = Imported::new(&plan).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let before = verify_schedule(schedule, params).unwrap();
    let after = imported.verdicts().next().unwrap();
    assert!(before.ok() && after.ok());
    assert_eq!((before.order, before.messages), (after.order, after.messages), "{text}");
}
