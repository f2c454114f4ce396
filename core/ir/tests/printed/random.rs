//! Random kernels without races.

use crate::launch::Launch;
use crate::opencl::{in_child, open};
use crate::parallel::Parallel;
use crate::skip;
use ringwood_ir::interpret::grid;
use ringwood_ir::print::{OPENCL, Options, Program};
use ringwood_ir::{check, decode, encode};
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
    let mut wrong = Vec::new();
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
            wrong.extend(opencl.check_grid(&built, &entry, launch));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
