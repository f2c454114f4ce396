//! Every registered collective is proved, so that nobody has to remember.

use ringwood_base::registry::{Entry, Registry};
use ringwood_base::{DType, ErrorKind};
use ringwood_collectives as _;
use ringwood_schedule::{
    Arrangement, BufferMode, Collective, CollectiveDef, Params, Request, cases, verify,
};
use std::sync::atomic::{AtomicUsize, Ordering};

fn registered() -> Vec<&'static dyn Collective> {
    let registry = Registry::global().unwrap();
    let collective = |(entry, def): (&Entry, &'static CollectiveDef)| {
        let collective = &*def.collective;
        assert_eq!(collective.describe().name, entry.meta().name);
        collective
    };
    registry.of::<CollectiveDef>().map(collective).collect()
}

/// Proves a collective for one size of a group; the number of proofs. Of the cases of a large group
/// an unoptimised verifier takes about five.
fn prove(collective: &dyn Collective, ranks: usize, elements: usize) -> usize {
    let request = Request::new(collective.describe().operation, ranks, elements, DType::F32);
    let params = match cases(collective, &request) {
        Ok(params) => params,
        Err(error) => {
            assert!(!collective.describe().constraint.allows(ranks), "{error}");
            assert_eq!(error.kind(), ErrorKind::Unsupported);
            return 0;
        }
    };
    let some = cfg!(debug_assertions) && ranks > 16;
    for params in params.iter().step_by(if some { params.len().div_ceil(5) } else { 1 }) {
        let verdict = verify(collective, params).unwrap();
        assert!(verdict.ok(), "{params:?}: {verdict}");
    }
    params.len()
}

/// Calls `body` for every registered collective, on a thread for each processor.
fn for_each(body: impl Fn(&'static dyn Collective) + Sync) {
    let collectives = registered();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(collective) = collectives.get(next.fetch_add(1, Ordering::Relaxed)) {
            body(*collective);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
}

#[test]
fn every_registered_collective_is_proved_for_every_size_that_it_allows_to_64() {
    for_each(|collective| {
        let proved: usize = (1..=64).map(|ranks| prove(collective, ranks, 1)).sum();
        assert!(proved >= 7, "{} works for hardly any size", collective.describe().name);
    });
}

/// Those with at most 64 steps on each of 64 ranks, whose proofs stay short.
#[test]
fn collectives_of_few_steps_are_proved_for_large_groups() {
    let large: &[usize] =
        if cfg!(debug_assertions) { &[255, 256] } else { &[255, 256, 1000, 1024, 4096] };
    let proved = AtomicUsize::new(0);
    for_each(|collective| {
        let few = |params: &Params| verify(collective, params).unwrap().steps <= 64 * 64;
        let request = Request::new(collective.describe().operation, 64, 1, DType::F32);
        if cases(collective, &request).is_ok_and(|cases| few(&cases[0])) {
            let proofs: usize = large.iter().map(|&ranks| prove(collective, ranks, 1)).sum();
            proved.fetch_add(proofs, Ordering::Relaxed);
        }
    });
    assert!(proved.into_inner() >= 20, "few collectives have few steps");
}

#[test]
fn large_groups_that_exchange_with_all_others_are_proved_in_rounds() {
    let names = [
        "two_shot",
        "two_shot_aside",
        "one_shot",
        "direct_all_gather",
        "direct_reduce_scatter",
        "direct_all_to_all",
    ];
    // An unoptimised verifier takes its time.
    let ranks = if cfg!(debug_assertions) { 260 } else { 1024 };
    for collective in registered() {
        let name = collective.describe().name;
        if !names.contains(&&*name) {
            continue;
        }
        for mode in [BufferMode::InPlace, BufferMode::OutOfPlace] {
            let request = Request::new(collective.describe().operation, ranks, ranks, DType::F32);
            let Ok(params) = collective.resolve(&request.mode(mode)) else { continue };
            let verdict = verify(collective, &params).unwrap();
            // An exchange in place leaves copies, which the machine finds.
            let copies = (&*name, mode) == ("direct_all_to_all", BufferMode::InPlace);
            assert!(verdict.ok() && verdict.by_symmetry != copies, "{mode:?}: {verdict}");
        }
    }
}

#[test]
fn segmented_schedules_are_proved() {
    for_each(|collective| {
        for ranks in [1, 2, 3, 4, 5, 8, 13] {
            prove(collective, ranks, 5 << 18);
        }
    });
}

/// Tasks of these sizes in turn, and two rings.
fn arrangement(ranks: usize, sizes: &[usize]) -> Arrangement {
    let mut left = ranks;
    let mut tasks = Vec::new();
    for &size in sizes.iter().cycle() {
        tasks.push(size.min(left));
        left -= size.min(left);
        if left == 0 {
            break;
        }
    }
    let rings = [(0..ranks).rev().collect(), (0..ranks).map(|r| (r + 2) % ranks).collect()];
    Arrangement::of_tasks(&tasks).unwrap().rings(&rings).unwrap()
}

#[test]
fn every_registered_collective_is_proved_in_arranged_groups() {
    for_each(|collective| {
        for ranks in (1..=12).chain([16, 24]) {
            for sizes in [&[1][..], &[3], &[4], &[1, 5, 2]] {
                let request =
                    Request::new(collective.describe().operation, ranks, 1 << 10, DType::F32);
                let request = request.root(ranks / 2).arrangement(arrangement(ranks, sizes));
                let Ok(params) = collective.resolve(&request) else { continue };
                let verdict = verify(collective, &params).unwrap();
                assert!(verdict.ok(), "{params:?}: {verdict}");
            }
        }
    });
}
