//! Registered algorithms survive MSCCL XML, or are refused by name.

use ringwood_base::ErrorKind;
use ringwood_base::registry::Registry;
use ringwood_collectives as _;
use ringwood_formats::msccl::Head;
use ringwood_formats::{Imported, msccl, read};
use ringwood_schedule::{Action, Operation, Params, Schedule, Step, verify_schedule};

#[test]
fn every_registered_algorithm_round_trips_or_is_refused_by_name() {
    let (mut written, mut refused) = (0, 0);
    for (_, def) in Registry::global().unwrap().of::<ringwood_schedule::CollectiveDef>() {
        let collective = &*def.collective;
        let descriptor = collective.describe();
        for ranks in [2, 3, 4, 5, 8] {
            let Ok(params) = Params::new(&descriptor, ranks) else { continue };
            let schedule = Schedule::of(collective, &params).unwrap();
            match msccl::write(&schedule, &params, &Head::default()) {
                Ok(written_plan) => {
                    round_trip(&schedule, &params, &written_plan.text);
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
    // A step to or from memory of a peer is written as a message, and needs no signal then.
    let carries = |step: &&Step| step.action == Action::Send || step.one_sided();
    let carried = schedule.lanes.iter().flatten().filter(carries).count() as u64;
    assert_eq!((before.order, carried), (after.order, after.messages), "{text}");
}

/// A plan with another head.
fn with_head(protocol: &str, sizes: &str) -> String {
    let head = "proto=\"Simple\"";
    let text = include_str!("../plans/all_reduce_2.xml");
    assert!(text.contains(head));
    text.replacen(head, &format!("proto=\"{protocol}\" {sizes}"), 1)
}

#[test]
fn sizes_and_protocol_are_written_again() {
    for (protocol, sizes) in [
        ("LL", "minBytes=\"1024\" maxBytes=\"65536\""),
        ("Simple", "minBytes=\"0\" maxBytes=\"0\""),
    ] {
        let plan = read(with_head(protocol, sizes).as_bytes()).unwrap();
        let imported = Imported::new(&plan).unwrap();
        let (schedule, params) = imported.schedules().next().unwrap();
        let written = msccl::write(schedule, params, imported.head()).unwrap();
        let again = read(written.text.as_bytes()).unwrap();
        assert_eq!((&again.bytes, &again.protocol), (&plan.bytes, &plan.protocol));
        assert!(written.text.contains(&format!("proto=\"{protocol}\"")), "{}", written.text);
        assert!(written.text.contains(sizes), "{}", written.text);
        assert!(written.warnings.is_empty(), "{:?}", written.warnings);
    }
}

#[test]
fn the_limits_of_rccl_and_sides_that_are_lost_are_warned_of() {
    let named = |name: &str, ranks: usize| {
        let registry = Registry::global().unwrap();
        let found = registry.find::<ringwood_schedule::CollectiveDef>(name).unwrap();
        let params = Params::new(&found.collective.describe(), ranks).unwrap();
        let schedule = Schedule::of(&*found.collective, &params).unwrap();
        msccl::write(&schedule, &params, &Head::default()).unwrap().warnings
    };
    assert_eq!(named("ring", 8), [] as [&str; 0]);
    let long = named("ring", 40);
    assert!(
        long.len() == 1 && long[0].ends_with("steps of a thread block, of which RCCL takes 64")
    );
    let wide = named("two_shot", 70);
    assert!(
        wide.iter().any(|w| w == "69 thread blocks of a GPU, of which RCCL takes 64"),
        "{wide:?}"
    );
    let sided = named("two_shot", 4);
    assert!(sided.iter().any(|w| w.starts_with("merges from the left")), "{sided:?}");
}

#[test]
fn a_plan_without_a_mode_of_its_buffers_is_refused() {
    let mut plan = read(ringwood_formats::doc::ALL_REDUCE.as_bytes()).unwrap();
    plan.modes.clear();
    let error = Imported::new(&plan).map(drop).unwrap_err().to_string();
    assert!(error.contains("has no mode of its buffers"), "{error}");
}
