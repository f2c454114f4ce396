//! How often the algorithms round an element if what travels is encoded with loss.

use ringwood_base::ErrorKind;
use ringwood_base::registry::Registry;
use ringwood_collectives as _;
use ringwood_schedule::{
    Collective, Finding, Operation, Params, count_roundings, verify, verify_roundings,
};

fn collective(name: &str) -> &'static dyn Collective {
    &*Registry::global().unwrap().find::<ringwood_schedule::CollectiveDef>(name).unwrap().collective
}

fn roundings(name: &str, ranks: usize) -> usize {
    let collective = collective(name);
    count_roundings(collective, &Params::new(&collective.describe(), ranks).unwrap()).unwrap()
}

#[test]
fn rings_round_as_often_as_there_are_ranks_and_shots_do_not() {
    for n in 2..=17 {
        assert_eq!(roundings("ring", n), n);
        assert_eq!(roundings("two_shot", n), 2, "{n} ranks");
        assert_eq!(roundings("two_shot_aside", n), 2, "{n} ranks");
        assert_eq!(roundings("one_shot", n), 1, "{n} ranks");
    }
    for bits in 1..=6 {
        assert_eq!(roundings("rabenseifner", 1 << bits), bits + 1);
        assert_eq!(roundings("recursive_doubling", 1 << bits), bits);
    }
    assert_eq!(roundings("ring", 1), 0);
}

#[test]
fn what_is_only_passed_on_is_rounded_once() {
    let registry = Registry::global().unwrap();
    let mut seen = 0;
    for (_, def) in registry.of::<ringwood_schedule::CollectiveDef>() {
        let collective = &*def.collective;
        let descriptor = collective.describe();
        let moves = matches!(descriptor.operation, Operation::AllGather | Operation::AllToAll);
        for ranks in (2..=9).filter(|_| moves) {
            let Ok(params) = Params::new(&descriptor, ranks) else { continue };
            let times = count_roundings(collective, &params).unwrap();
            assert_eq!(times, 1, "{} among {ranks}", descriptor.name);
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} schedules");
}

#[test]
fn only_merges_in_scratch_chunks_that_stay_are_aside() {
    for n in [1, 2, 3, 8, 300] {
        let aside = |name: &str| {
            let collective = collective(name);
            verify(collective, &Params::new(&collective.describe(), n).unwrap()).unwrap().aside
        };
        assert!(aside("two_shot_aside"), "{n} ranks");
        assert_eq!(aside("two_shot"), n == 1, "{n} ranks");
        assert_eq!(aside("ring"), n == 1, "{n} ranks");
    }
}

#[test]
fn more_roundings_than_allowed_are_a_finding() {
    let ring = collective("ring");
    let params = Params::new(&ring.describe(), 5).unwrap();
    let verdict = verify_roundings(ring, &params, 5).unwrap();
    assert!(verdict.ok(), "{verdict}");
    assert_eq!(verdict.roundings, Some(5));
    assert!(verdict.to_string().contains("  roundings 5"), "{verdict}");
    let verdict = verify_roundings(ring, &params, 4).unwrap();
    assert_eq!(verdict.findings, [Finding::Roundings { times: 5, most: 4 }]);
    let error = verdict.into_result().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotVerified);
    assert!(error.message().contains("rounded 5 times, 4 are allowed"), "{error}");
}
