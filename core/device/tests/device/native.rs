//! Native code with the declaration of another kernel.

use crate::{device, fails};
use ringwood_base::DType;
use ringwood_base::registry::Entry;
use ringwood_device::kernel;
use ringwood_device::kernel::{Form, Kernel, KernelDef, KernelSpec, Param, ParamKind};

/// Every access is in bounds, whatever the slices.
#[kernel(device = cpu, domain = x.len(), requires(x.len() == y.len()))]
fn near(x: &[f32], y: &mut [f32]) {
    y[gid(0)] = x[gid(0)];
}

/// No access is in bounds of slices shorter than a million.
#[kernel(device = cpu, domain = x.len())]
fn far(x: &[f32], y: &mut [f32]) {
    y[gid(0) + 1_000_000] = x[gid(0) + 1_000_000];
}

/// Fills a slice, alone.
#[kernel(device = cpu, host)]
fn filled(y: &mut [f32]) {
    y.fill(1.0);
}

fn spec(entry: Entry) -> KernelSpec<'static> {
    let def: &'static KernelDef = entry.declared().unwrap();
    def.spec(&def.instances[0])
}

const fn reads(name: &'static str) -> Param {
    Param { name, kind: ParamKind::Slice { dtype: DType::F32, mutable: false } }
}

#[test]
fn native_code_runs_for_the_declaration_that_it_was_written_from_alone() {
    let device = device("toy:0");
    let compile = |spec: KernelSpec<'_>| device.code(&Kernel::from(&spec)).map(drop);
    let [near, far, filled] = [near::ENTRY, far::ENTRY, filled::ENTRY].map(spec);
    [near, far, filled].into_iter().for_each(|spec| compile(spec).unwrap());
    let (x, unwritten) = ([reads("y")], [near.params[0], reads("y")]);
    for (what, wrong) in [
        ("the IR of another kernel", KernelSpec { native: far.native, ..near }),
        ("no IR", KernelSpec { ir: None, ..far }),
        ("a result that is not written", KernelSpec { params: &unwritten, ..near }),
        ("a slice that is not written", KernelSpec { params: &x, ..filled }),
        ("many threads at one slice", KernelSpec { form: Form::Grid, ..filled }),
        ("one element by another", KernelSpec { form: Form::Map, ..near }),
    ] {
        let error = fails(compile(wrong), "was written for another form, other parameters");
        assert!(error.to_string().contains(wrong.name), "{what}: {error}");
    }
}
