//! Random kernels without races.

use crate::launch::Launch;
use crate::opencl::{OpenCl, in_child, open};
use crate::parallel::Parallel;
use crate::shrink::shrink;
use crate::skip;
use ringwood_ir::interpret::grid;
use ringwood_ir::print::{OPENCL, Options, Program};
use ringwood_ir::{Kernel, Stmt, check, decode, encode};
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
    for seed in 0..1500 {
        let launch = Parallel::new(seed).launch(seed);
        let kernel = &launch.kernel;
        check(kernel).unwrap_or_else(|error| panic!("seed {seed}: {error}\n{kernel}"));
        let text = encode(kernel);
        assert_eq!(decode(&text).as_ref(), Ok(kernel), "{text}");
        let fault = grid(kernel, &launch.domain, &mut launch.args.clone(), 1_000_000)
            .unwrap_or_else(|refusal| panic!("seed {seed}: {refusal}\n{kernel}"));
        let proof = launch.prove();
        assert!(
            fault.is_none() || !proof.unchecked(),
            "seed {seed}: {fault:?} was proved away\n{kernel}"
        );
        groups += usize::from(kernel.group.is_some());
        faults += usize::from(fault.is_some());
        proved += usize::from(proof.unchecked());
        narrow += usize::from(proof.unchecked() && proof.narrow);
    }
    assert!(
        groups > 700 && faults > 150 && proved > 300 && narrow > 300,
        "{groups} groups, {faults} faults, {proved} proved, {narrow} of them narrow"
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
    let opencl = open().unwrap();
    let facts = opencl.facts();
    let (mut wrong, mut small) = (Vec::new(), None);
    for seeds in seeds.chunks(PROGRAM) {
        let launches: Vec<_> = seeds.iter().map(|s| Parallel::new(*s).launch(*s)).collect();
        let mut program = Program::new(&OPENCL, &facts);
        let mut entries = Vec::new();
        for launch in &launches {
            for options in variants(launch) {
                entries.push((program.add(&launch.kernel, &options), launch));
            }
        }
        let built = opencl.build(&program.source(), &facts);
        for (entry, launch) in entries {
            let differs = opencl.check_grid(&built, &entry, launch);
            if !differs.is_empty() && small.is_none() {
                small = Some(shrink(&launch.kernel, |kernel| differs_for(&opencl, launch, kernel)));
            }
            wrong.extend(differs);
        }
    }
    let small = small.map(|kernel| format!("as small as this:\n{kernel}\n{}", encode(&kernel)));
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), small.unwrap_or_default());
}

/// Whether another kernel with these arguments gives another result than the interpreter.
fn differs_for(opencl: &OpenCl, launch: &Launch, kernel: &Kernel) -> bool {
    let (args, domain) = (launch.args.clone(), launch.domain.clone());
    let launch = Launch { kernel: kernel.clone(), args, domain };
    if grid(kernel, &launch.domain, &mut launch.args.clone(), 1_000_000).is_err() {
        return false;
    }
    let facts = opencl.facts();
    let mut program = Program::new(&OPENCL, &facts);
    let entries: Vec<_> =
        variants(&launch).iter().map(|options| program.add(kernel, options)).collect();
    let built = opencl.build(&program.source(), &facts);
    entries.iter().any(|entry| !opencl.check_grid(&built, entry, &launch).is_empty())
}

#[test]
fn a_kernel_that_fails_is_made_small() {
    fn statements(body: &[Stmt]) -> usize {
        let inner = |stmt: &Stmt| stmt.bodies().into_iter().map(statements).sum::<usize>();
        body.iter().map(|stmt| 1 + inner(stmt)).sum()
    }
    let mut shrunk = 0;
    for launch in (0..200).map(|seed| Parallel::new(seed).launch(seed)) {
        let fails = |kernel: &Kernel| {
            matches!(grid(kernel, &launch.domain, &mut launch.args.clone(), 100_000), Ok(Some(_)))
        };
        let size = statements(&launch.kernel.body);
        if size < 10 || !fails(&launch.kernel) {
            continue;
        }
        let small = shrink(&launch.kernel, fails);
        assert!(fails(&small) && check(&small).is_ok(), "{small}");
        assert!(statements(&small.body) <= 4, "{size} statements became\n{small}");
        shrunk += 1;
    }
    assert!(shrunk >= 5, "{shrunk} kernels failed");
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
