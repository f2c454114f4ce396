//! Devices: the first of OpenCL, of the driver that the environment names, and the first of CUDA.

use crate::case::{Case, Subject};
use crate::given::difference;
use crate::on_device::OnDevice;
use crate::random::Random;
use ringwood::ErrorKind;
use ringwood::kernel::{Code, Form};
use ringwood_backend_cuda::Cuda;
use ringwood_backend_opencl::OpenCl;
use ringwood_core::backend::{Backend, Registered};
use std::io::Write;

/// What a launch on the device does otherwise than the interpreter.
fn wrong<B: Backend>(
    device: &mut OnDevice<B>,
    code: &Code<B::Code>,
    case: &Case,
) -> Option<String> {
    match (device.run(code, case.domain, &case.args), &case.outcome) {
        (Err(error), Err(_)) if error.kind() == ErrorKind::InvalidArgument => None,
        (Ok((slices, outside)), Ok(fault)) if outside == fault.is_some() => {
            difference(&slices, &case.expected)
        }
        (Ok((_, outside)), outcome) => Some(format!("out of bounds: {outside}, not {outcome:?}")),
        (Err(error), outcome) => Some(format!("{error}, not {outcome:?}")),
    }
}

/// Oclgrind interprets the kernels, thousands of times slower than other drivers run them.
fn is_interpreted() -> bool {
    std::env::var("OPENCL_DYLIB_PATH").is_ok_and(|path| path.contains("oclgrind"))
}

/// The driver: the first one found, one that the environment names, Oclgrind.
fn driver() -> usize {
    let named = std::env::var_os("OCL_ICD_VENDORS").is_some();
    if is_interpreted() { 2 } else { usize::from(named) }
}

/// Every third instance of a kernel, other ones of the next kernel: drivers compile most of the time. Each
/// driver takes another third.
fn sample(subjects: Vec<Subject>) -> Vec<Subject> {
    let (mut name, mut kernel, mut at) = ("", 0, 0);
    let mut is_taken = |subject: &Subject| {
        (kernel, at) =
            if subject.def.meta.name == name { (kernel, at + 1) } else { (kernel + 1, 0) };
        name = subject.def.meta.name;
        subject.def.instances.len() < 3 || (at + driver()) % 3 == kernel % 3
    };
    subjects.into_iter().filter(|subject| is_taken(subject)).collect()
}

/// Runs random launches of the kernels of a form that a device can run, and whose results do not
/// depend on the order of the work-items; returns how many ran without a fault.
fn check_all<B: Registered>(Sample { form, seed, launches }: Sample) -> Option<usize> {
    let mut device = OnDevice::<B>::open()?;
    let launches = if is_interpreted() { 1 } else { launches };
    let mut random = Random(seed);
    let (mut ran, mut failures) = (0, Vec::new());
    let is_open = |s: &Subject| s.ir.modes.nondeterministic || s.ir.modes.relaxed;
    let all = crate::subjects().into_iter().filter(|s| s.def.form == form && !is_open(s));
    for subject in sample(all.collect()) {
        let code = match device.compile(subject.spec()) {
            Ok(code) => code,
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                let _ = writeln!(std::io::stderr(), "not on this device: {error}");
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        for turn in 0..launches {
            let case = match turn {
                0 if form == Form::Map => subject.map_in_place(&mut random),
                _ => None,
            };
            let case = case.unwrap_or_else(|| subject.case(&mut random));
            ran += usize::from(case.is_clean());
            let wrong = wrong(&mut device, &code, &case);
            failures.extend(wrong.map(|wrong| format!("{}: {wrong}", case.what)));
        }
    }
    assert!(failures.is_empty(), "{} launches:\n{}", failures.len(), failures.join("\n"));
    Some(ran)
}

/// Which kernels run, and how often.
#[derive(Clone, Copy)]
struct Sample {
    form: Form,
    seed: u64,
    launches: usize,
}

const MAPS: Sample = Sample { form: Form::Map, seed: 5, launches: 3 };
const GRIDS: Sample = Sample { form: Form::Grid, seed: 6, launches: 8 };
const GROUPS: Sample = Sample { form: Form::Group, seed: 7, launches: 4 };

#[test]
fn maps_give_the_bits_of_the_interpreter_on_opencl() {
    let ran = check_all::<OpenCl>(MAPS);
    assert!(ran.is_none_or(|ran| ran > 100), "{ran:?} launches");
}

#[test]
fn maps_give_the_bits_of_the_interpreter_on_cuda() {
    let ran = check_all::<Cuda>(MAPS);
    assert!(ran.is_none_or(|ran| ran > 100), "{ran:?} launches");
}

#[test]
fn grid_kernels_give_the_bits_of_the_interpreter_on_opencl() {
    let ran = check_all::<OpenCl>(GRIDS);
    assert!(ran.is_none_or(|ran| ran > 20), "{ran:?} launches");
}

#[test]
fn grid_kernels_give_the_bits_of_the_interpreter_on_cuda() {
    let ran = check_all::<Cuda>(GRIDS);
    assert!(ran.is_none_or(|ran| ran > 20), "{ran:?} launches");
}

#[test]
fn group_kernels_give_the_bits_of_the_interpreter_on_opencl() {
    let ran = check_all::<OpenCl>(GROUPS);
    assert!(ran.is_none_or(|ran| ran > 10), "{ran:?} launches");
}

#[test]
fn group_kernels_give_the_bits_of_the_interpreter_on_cuda() {
    let ran = check_all::<Cuda>(GROUPS);
    assert!(ran.is_none_or(|ran| ran > 10), "{ran:?} launches");
}
