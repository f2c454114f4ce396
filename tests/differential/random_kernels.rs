//! Random kernels, compiled from Rust source: native code with checks and without gives the bits and
//! the faults of the interpreter.

use crate::given::{self, Given, difference, slices};
use crate::launch::Launch;
use crate::on_device::OnDevice;
use crate::parallel::Parallel;
use ringwood::kernel::KernelDef;
use ringwood::registry::Registry;
use ringwood::{Error, ErrorKind, Shape};
use ringwood_backend_cuda::Cuda;
use ringwood_backend_opencl::OpenCl;
use ringwood_core::backend::Registered;
use ringwood_ir::interpret::{Argument, OutOfBounds, grid};
use ringwood_ir::{Param, ParamKind};

/// The kernels that run on a device; another number by the variable `RINGWOOD_RANDOM_KERNELS`.
const ON_A_DEVICE: usize = 15;

/// The statements after which a run is given up.
const STEPS: u64 = 2_000_000;

/// The seed of a random kernel.
pub(crate) fn seed(def: &KernelDef) -> Option<u64> {
    def.meta.name.strip_prefix("random")?.parse().ok()
}

/// The random kernels, with their seeds.
fn kernels() -> Vec<(u64, &'static KernelDef)> {
    let entries = Registry::global().unwrap().of::<KernelDef>();
    let kernel = entries.filter_map(|(_, def)| Some((seed(def)?, def)));
    let mut all: Vec<_> = kernel.collect();
    all.sort_by_key(|(seed, _)| *seed);
    all
}

/// A launch of a random kernel, and how it must end.
struct Case {
    launch: Launch,
    domain: Shape,
    args: Vec<Given>,
    expected: given::Slices,
    outcome: Option<OutOfBounds>,
}

impl Case {
    fn new(seed: u64, def: &'static KernelDef, turn: u64) -> Self {
        let kernel = def.spec(&def.instances[0]).kernel().unwrap();
        let launch = Launch { kernel, ..Parallel::plain(seed).launch(seed + 1000 * turn) };
        let mut after = launch.args.clone();
        let outcome = grid(&launch.kernel, &launch.domain, &mut after, STEPS)
            .unwrap_or_else(|refusal| panic!("{}: {refusal}\n{launch}", def.meta.name));
        let given = |(arg, param): (&Argument, &Param)| match (arg, param.kind) {
            (Argument::Scalar(value), _) => Given::scalar(*value),
            (Argument::Slice(values), ParamKind::Slice { ty, .. }) => {
                Given::slice(values.clone(), ty)
            }
            (Argument::View { .. }, ParamKind::View { ty, .. }) => Given::view(arg.clone(), ty),
            (other, _) => panic!("{other:?} is no argument of a random kernel"),
        };
        let args = launch.args.iter().zip(&launch.kernel.params).map(given).collect();
        let domain = Shape::new(&launch.domain).unwrap();
        Case { domain, args, expected: slices(&after), outcome, launch }
    }

    /// Whether a fault is one that the launch can have.
    fn has(&self, fault: Option<(u32, usize, usize)>) -> bool {
        match fault.map(|(site, index, len)| OutOfBounds { site, index, len }) {
            Some(fault) => self.outcome.is_some() && self.launch.can_fail(fault),
            None => self.outcome.is_none(),
        }
    }
}

#[test]
fn native_random_kernels_give_the_bits_of_the_interpreter() {
    let (mut wrong, mut groups, mut faults) = (Vec::new(), 0, 0);
    let kernels = kernels();
    for (seed, def) in &kernels {
        for turn in 0..4 {
            let case = Case::new(*seed, def, turn);
            groups += usize::from(case.launch.kernel.group.is_some());
            faults += usize::from(case.outcome.is_some());
            let (all, half) = (case.domain.elements(), case.domain.elements() / 2);
            let ranges = [half..all, 0..half];
            for in_bounds in [false, true].into_iter().filter(|u| !u || case.outcome.is_none()) {
                let what = format!("{}, turn {turn}, in bounds: {in_bounds}", def.meta.name);
                let spec = def.spec(&def.instances[0]);
                // SAFETY: the interpreter ran a launch that is in bounds, and saw no access that is
                // not.
                let run = unsafe {
                    crate::on_native::run(&spec, case.domain, &case.args, &ranges, in_bounds)
                };
                let errors = run.results.iter().filter_map(|r| r.as_ref().err());
                assert!({ errors }.all(|e| e.kind() == ErrorKind::OutOfBounds), "{what}");
                if !case.has(run.fault) {
                    wrong.push(format!("{what}: {:?}, expected {:?}", run.fault, case.outcome));
                }
                wrong.extend(difference(&run.slices, &case.expected).map(|d| what + ", " + &d));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(kernels.len() >= 40 && groups > 80 && faults > 3, "{groups} groups, {faults} faults");
}

/// Through a backend: the proof of each launch chooses the variant.
fn check_on<B: Registered>() {
    let Some(mut device) = OnDevice::<B>::open() else { return };
    let count = std::env::var("RINGWOOD_RANDOM_KERNELS").ok();
    let count = count.map_or(ON_A_DEVICE, |n| n.parse().expect("a number of kernels"));
    let (mut wrong, mut faults) = (Vec::new(), 0);
    for (seed, def) in kernels().iter().skip(ON_A_DEVICE).take(count) {
        let code = device.compile(def.spec(&def.instances[0]));
        let code = code.unwrap_or_else(|error| panic!("{error}"));
        for turn in 0..2 {
            let case = Case::new(*seed, def, turn);
            let what = format!("{}, turn {turn}", def.meta.name);
            let run = device.run(&code, case.domain, &case.args);
            let (got, outside) = run.unwrap_or_else(|error: Error| panic!("{what}: {error}"));
            if outside != case.outcome.is_some() {
                wrong.push(format!("{what}: fault {outside}, expected {:?}", case.outcome));
            }
            faults += usize::from(outside);
            wrong.extend(difference(&got, &case.expected).map(|d| what + ", " + &d));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(faults > 0, "no launch was out of bounds");
}

#[test]
fn random_kernels_give_the_bits_of_the_interpreter_on_opencl() {
    check_on::<OpenCl>();
}

#[test]
fn random_kernels_give_the_bits_of_the_interpreter_on_cuda() {
    check_on::<Cuda>();
}
