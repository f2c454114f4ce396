//! Random kernels without races.

use crate::launch::Launch;
use crate::opencl::{OpenCl, in_child, open};
use crate::parallel::Parallel;
use crate::shrink::shrink;
use crate::skip;
use ringwood_ir::interpret::{Argument, grid};
use ringwood_ir::print::{OPENCL, Options, Program};
use ringwood_ir::{ParamKind, Stmt, check, decode, encode};
use std::ops::Range;

/// The number of kernels that run on a device; another one by the variable `RINGWOOD_RANDOM_KERNELS`.
const KERNELS: u64 = 60;

/// The kernels that a process runs, and those that it compiles together.
const PROCESS: usize = 50;
const PROGRAM: usize = 5;

/// Names the first seed and the one after the last to a process.
const SEEDS: &str = "RINGWOOD_RANDOM_SEEDS";

/// What the generator promises, the interpreter sees: no races, no divergence, an end.
#[test]
fn random_kernels_without_races_run_to_their_end() {
    let (mut groups, mut faults, mut proved, mut narrow) = (0, 0, 0, 0);
    let (mut ranks, mut written, mut view_faults, mut proved_views) = ([0; 7], 0, 0, 0);
    for seed in 0..1500 {
        let launch = Parallel::new(seed).launch(seed);
        let kernel = &launch.kernel;
        check(kernel).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{kernel}"));
        let text = encode(kernel);
        assert_eq!(decode(&text).as_ref(), Ok(kernel), "{text}");
        let fault = grid(kernel, &launch.domain, &mut launch.args.clone(), 10_000_000)
            .unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}\n{kernel}"));
        let proof = launch.prove();
        assert!(
            fault.is_none() || !proof.unchecked(),
            "seed {seed}: {fault:?} was proved away\n{kernel}"
        );
        for param in &kernel.params {
            if let ParamKind::View { rank, mutable, .. } = param.kind {
                ranks[usize::from(rank)] += 1;
                written += usize::from(mutable);
                proved_views += usize::from(proof.unchecked());
            }
        }
        let failing = fault.and_then(|fault| launch.accessed(fault.site));
        view_faults += usize::from(failing.is_some_and(|buffer| launch.is_view(buffer)));
        groups += usize::from(kernel.group.is_some());
        faults += usize::from(fault.is_some());
        proved += usize::from(proof.unchecked());
        narrow += usize::from(proof.unchecked() && proof.narrow);
    }
    assert!(
        groups > 700 && faults > 150 && proved > 300 && narrow > 300,
        "{groups} groups, {faults} faults, {proved} proved, {narrow} of them narrow"
    );
    assert!(
        ranks.iter().all(|n| *n > 40) && written > 300 && view_faults > 50 && proved_views > 200,
        "views of ranks {ranks:?}, {written} written, {view_faults} faults, {proved_views} proved"
    );
}

#[test]
fn random_kernels_give_the_bits_of_the_interpreter_on_opencl() {
    if let Err(why) = open() {
        return skip("opencl", &why);
    }
    let count = std::env::var("RINGWOOD_RANDOM_KERNELS").ok();
    let count = count.map_or(KERNELS, |n| n.parse().expect("a number of kernels"));
    let ranges: Vec<Range<u64>> =
        (0..count).step_by(PROCESS).map(|at| at..(at + PROCESS as u64).min(count)).collect();
    std::thread::scope(|scope| {
        for half in 0..2 {
            let ranges = &ranges;
            scope.spawn(move || {
                for seeds in ranges.iter().skip(half).step_by(2) {
                    let seeds = format!("{} {}", seeds.start, seeds.end);
                    in_child("random::some_random_kernels", &[(SEEDS, seeds)]);
                }
            });
        }
    });
}

#[test]
#[ignore = "started by another test"]
fn some_random_kernels() {
    let seeds = std::env::var(SEEDS).unwrap();
    let (first, end) = seeds.split_once(' ').unwrap();
    let seeds: Vec<u64> = (first.parse().unwrap()..end.parse().unwrap()).collect();
    let mut opencl = open().unwrap();
    let (mut wrong, mut small) = (Vec::new(), None);
    for seeds in seeds.chunks(PROGRAM) {
        let launches: Vec<_> = seeds.iter().map(|s| Parallel::new(*s).launch(*s)).collect();
        opencl.facts.item_per_point = seeds[0] / PROGRAM as u64 % 2 == 1;
        let mut program = Program::new(&OPENCL, &opencl.facts);
        let mut entries = Vec::new();
        for launch in &launches {
            for options in variants(launch) {
                entries.push((program.add(&launch.kernel, &options), launch));
            }
        }
        let built = opencl.build(&program.source());
        for (entry, launch) in entries {
            let differs = opencl.check_grid(&built, &entry, launch);
            if !differs.is_empty() && small.is_none() {
                small = Some(shrink(launch, |launch| differs_for(&opencl, launch)));
            }
            wrong.extend(differs);
        }
    }
    let small = small.map(|launch| format!("as small as this:\n{launch}"));
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), small.unwrap_or_default());
}

/// Whether a launch gives another result than the interpreter.
fn differs_for(opencl: &OpenCl, launch: &Launch) -> bool {
    let kernel = &launch.kernel;
    if grid(kernel, &launch.domain, &mut launch.args.clone(), 10_000_000).is_err() {
        return false;
    }
    let mut program = Program::new(&OPENCL, &opencl.facts);
    let entries: Vec<_> =
        variants(launch).iter().map(|options| program.add(kernel, options)).collect();
    let built = opencl.build(&program.source());
    entries.iter().any(|entry| !opencl.check_grid(&built, entry, launch).is_empty())
}

#[test]
fn a_kernel_that_fails_is_made_small() {
    fn rank(arg: &Argument) -> usize {
        if let Argument::View { shape, .. } = arg { shape.len() } else { 0 }
    }
    fn statements(body: &[Stmt]) -> usize {
        let inner = |stmt: &Stmt| stmt.bodies().into_iter().map(statements).sum::<usize>();
        body.iter().map(|stmt| 1 + inner(stmt)).sum()
    }
    let fails = |launch: &Launch| {
        let mut args = launch.args.clone();
        matches!(grid(&launch.kernel, &launch.domain, &mut args, 100_000), Ok(Some(_)))
    };
    let dims = |launch: &Launch| launch.args.iter().map(rank).sum::<usize>();
    let (mut shrunk, mut flat) = (0, 0);
    for launch in (0..200).map(|seed| Parallel::new(seed).launch(seed)) {
        let size = statements(&launch.kernel.body);
        if size < 10 || !fails(&launch) {
            continue;
        }
        let small = shrink(&launch, fails);
        assert!(fails(&small) && check(&small.kernel).is_ok(), "{small}");
        assert!(statements(&small.kernel.body) <= 4, "{size} statements became\n{small}");
        // A store of a group needs an index for each position of the work-item.
        let most = 2.max(dims(&launch) / 2);
        assert!(dims(&small) <= most, "views of {} dimensions became\n{small}", dims(&launch));
        shrunk += 1;
        flat += usize::from(dims(&launch) > 1);
    }
    assert!(shrunk >= 5 && flat >= 5, "{shrunk} kernels failed, {flat} of them with views");
}

/// The checked variant, and those that a proof allows.
pub(crate) fn variants(launch: &Launch) -> Vec<Options> {
    let proof = launch.prove();
    let mut variants = vec![Options::default()];
    if proof.unchecked() {
        variants.push(Options { checked: false, narrow: proof.narrow, ..Options::default() });
    }
    variants
}
