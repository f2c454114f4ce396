//! The verifier against wrong schedules: mutants of every registered algorithm, each of which an
//! oracle judges that shares nothing with the verifier.

#[path = "mutation/mutants.rs"]
mod mutants;
#[path = "mutation/one_sided.rs"]
mod one_sided;
#[path = "mutation/oracle.rs"]
mod oracle;

use mutants::Mutant;
use ringwood_base::DType;
use ringwood_base::registry::Registry;
use ringwood_collectives as _;
use ringwood_schedule::{Collective, Params, Request, Schedule, cases, verify_schedule};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// For each operator: all mutants, those killed, those that the oracle proves equivalent.
type Score = BTreeMap<&'static str, [usize; 3]>;

/// The steps of a group up to which all its mutants are tried; of a larger one, as many of each
/// operator, spread over its steps.
const STEPS: usize = 60;

/// One schedule of each collective and size: its last case, so that roots are not all rank 0.
fn schedules() -> Vec<(Schedule, Params)> {
    let of = |collective: &'static dyn Collective, ranks| {
        let request = Request::new(collective.describe().operation, ranks, 1, DType::F32);
        let params = cases(collective, &request).ok()?.pop()?;
        Some((Schedule::of(collective, &params).unwrap(), params))
    };
    let registry = Registry::global().unwrap();
    let collectives =
        registry.of::<ringwood_schedule::CollectiveDef>().map(|(_, def)| &*def.collective);
    let one_sided: [&'static dyn Collective; 3] =
        [&one_sided::Barriers, &one_sided::Signals, &one_sided::Scratch];
    let collectives = collectives.chain(one_sided);
    collectives.flat_map(|c| [2, 3, 4, 5].map(|ranks| of(c, ranks))).flatten().collect()
}

fn judge(schedule: &Schedule, params: &Params, score: &mut Score) {
    let name = &schedule.collective;
    let correct = verify_schedule(schedule, params).unwrap();
    assert!(correct.ok(), "false alarm: {correct}");
    assert!(oracle::correct(schedule, params), "the oracle refuses {name}:\n{schedule}");
    for Mutant { operator, schedule } in mutants::of(schedule, STEPS) {
        let verdict = verify_schedule(&schedule, params).unwrap();
        let equivalent = oracle::correct(&schedule, params);
        assert_eq!(verdict.ok(), equivalent, "{operator}: {verdict}\n{schedule}\n{params:?}");
        let [all, killed, proved] = score.entry(operator).or_default();
        *all += 1;
        *(if equivalent { proved } else { killed }) += 1;
    }
}

#[test]
fn every_mutant_that_computes_something_else_is_killed_and_no_other() {
    let (schedules, next) = (schedules(), AtomicUsize::new(0));
    let total = Mutex::new(Score::new());
    let work = || {
        let mut score = Score::new();
        while let Some((schedule, params)) = schedules.get(next.fetch_add(1, Ordering::Relaxed)) {
            judge(schedule, params, &mut score);
        }
        let mut total = total.lock().unwrap();
        for (operator, counts) in score {
            let sums = total.entry(operator).or_default();
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    println!("{:<28}{:>8}{:>8}{:>12}", "operator", "mutants", "killed", "equivalent");
    for (operator, [all, killed, equivalent]) in total.into_inner().unwrap() {
        println!("{operator:<28}{all:>8}{killed:>8}{equivalent:>12}");
        assert!(killed > 0, "{operator} kills nothing");
    }
}
