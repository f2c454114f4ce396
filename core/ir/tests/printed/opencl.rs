//! Printed OpenCL C against the interpreter.

use crate::cases::{self, Case};
use crate::maps::{self, MapCase};
use crate::{skip, values};
use opencl3::command_queue::CommandQueue;
use opencl3::context::Context;
use opencl3::device::{CL_DEVICE_TYPE_ALL, Device};
use opencl3::kernel::Kernel;
use opencl3::memory::{Buffer, CL_MEM_READ_WRITE};
use opencl3::types::CL_TRUE;
use ringwood_ir::interpret::{self, Argument, OutOfBounds};
use ringwood_ir::print::{
    Entry, FAULT_WORDS, Facts, Layout, OPENCL, Options, Program, Slot, fault,
};
use ringwood_ir::{Type, Value};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Elements in front of each slice, so that offsets matter.
const PAD: usize = 3;

/// The number of random kernels.
const RANDOM: usize = 25;

/// A compiler under test may crash or hang: it gets a process of its own, and this long.
const LIMIT: Duration = Duration::from_secs(240);

#[test]
fn printed_kernels_give_the_bits_of_the_interpreter() {
    if let Err(why) = open() {
        return skip("opencl", &why);
    }
    in_child("opencl::in_a_process_of_its_own", &[]);
}

/// Runs an ignored test in a process of its own.
pub(crate) fn in_child(test: &str, env: &[(&str, String)]) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        // Kernels that the default method of PoCL 3.1 vectorises are wrong at times.
        .env("POCL_WORK_GROUP_METHOD", "loops")
        .envs(env.iter().map(|(name, value)| (name, value)))
        .spawn()
        .unwrap();
    let start = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if start.elapsed() > LIMIT => {
                child.kill().unwrap();
                panic!("kernels still run after {LIMIT:?}: {env:?}");
            }
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    assert!(status.success(), "see the output above; {env:?}");
}

#[test]
#[ignore = "started by another test"]
fn in_a_process_of_its_own() {
    let mut opencl = open().unwrap();
    let mut wrong = Vec::new();
    for item_per_point in [false, true] {
        opencl.facts.item_per_point = item_per_point;
        wrong.extend(differences(&opencl));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the device computes otherwise than the interpreter: with an item per point without checks and
/// with dense maps, else with checks and strided ones.
fn differences(opencl: &OpenCl) -> Vec<String> {
    let mut program = Program::new(&OPENCL, &opencl.facts);
    let checked = !opencl.facts.item_per_point;
    let options = Options { checked, ..Options::default() };
    let mut cases = cases::all();
    if checked {
        cases.extend(cases::random(RANDOM));
    } else {
        cases.retain(|case| !matches!(case.kernel.name.as_str(), "outside" | "empty"));
    }
    let entries: Vec<_> =
        cases.iter().map(|case| (program.add(&case.kernel, &options), case)).collect();
    let maps = maps::all();
    let mut add = |case: &MapCase| {
        let collapsed = case.collapsed();
        let strided = Layout::Strided { rank: collapsed.rank() };
        let layout = if checked { strided } else { collapsed.layout() };
        program.add(&case.kernel, &Options { layout, ..Options::default() })
    };
    let map_entries: Vec<_> = maps.iter().map(|case| (add(case), case)).collect();
    let built = opencl.build(&program.source());
    let mut wrong = Vec::new();
    for (entry, case) in &entries {
        wrong.extend(opencl.check_grid(&built, entry, case));
    }
    for (entry, case) in &map_entries {
        wrong.extend(opencl.check_map(&built, entry, case));
    }
    wrong
}

pub(crate) struct OpenCl {
    /// What programs are printed for.
    pub(crate) facts: Facts,
    context: Context,
    queue: CommandQueue,
}

/// The first device. Not every driver bears to be opened by two threads at a time.
pub(crate) fn open() -> Result<OpenCl, String> {
    static OPENS: Mutex<()> = Mutex::new(());
    let _one = OPENS.lock().unwrap_or_else(PoisonError::into_inner);
    let platforms = opencl3::platform::get_platforms().map_err(|e| e.to_string())?;
    let devices = platforms.iter().filter_map(|p| p.get_devices(CL_DEVICE_TYPE_ALL).ok());
    let id = devices.flatten().next().ok_or("no platform has a device")?;
    let device = Device::new(id);
    let facts = facts(&device);
    let context = Context::from_device(&device).map_err(|e| e.to_string())?;
    let queue = CommandQueue::create_default(&context, 0).map_err(|e| e.to_string())?;
    Ok(OpenCl { facts, context, queue })
}

fn facts(device: &Device) -> Facts {
    let config = device.single_fp_config().unwrap();
    Facts {
        double: device.double_fp_config().is_ok_and(|c| c != 0),
        rounds_division: config & opencl3::device::CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT != 0,
        keeps_subnormals: config & opencl3::device::CL_FP_DENORM != 0,
        wide_atomics: true,
        item_per_point: false,
    }
}

impl OpenCl {
    pub(crate) fn build(&self, source: &str) -> opencl3::program::Program {
        let flags = (OPENCL.flags)(&self.facts).join(" ");
        opencl3::program::Program::create_and_build_from_source(&self.context, source, &flags)
            .unwrap_or_else(|log| panic!("{log}\n{source}"))
    }

    /// The device memory of some values, with elements in front.
    fn upload(&self, values: &[Value], ty: Type) -> Buffer<u8> {
        let padding = vec![values::from_bits(ty, u64::MAX); PAD];
        let bytes = values::to_bytes(&[padding, values.to_vec()].concat());
        // SAFETY: no host pointer; the write blocks until the bytes were read.
        unsafe {
            let mut buffer =
                Buffer::create(&self.context, CL_MEM_READ_WRITE, bytes.len(), std::ptr::null_mut())
                    .unwrap();
            self.queue.enqueue_write_buffer(&mut buffer, CL_TRUE, 0, &bytes, &[]).unwrap();
            buffer
        }
    }

    fn download(&self, buffer: &Buffer<u8>, ty: Type, count: usize) -> Vec<Value> {
        let mut bytes = values::to_bytes(&vec![Value::zero(ty); PAD + count]);
        // SAFETY: the read blocks until the bytes, as many as the buffer has, are there.
        unsafe { self.queue.enqueue_read_buffer(buffer, CL_TRUE, 0, &mut bytes, &[]).unwrap() };
        let values = values::from_bytes(ty, &bytes);
        let pad = values::from_bits(ty, u64::MAX);
        assert!(values[..PAD].iter().all(|v| v.same_bits(pad)), "a write in front of the slice");
        values[PAD..].to_vec()
    }

    /// Runs a kernel over `items` work-items; `value` gives what a slot holds, if it is no pointer.
    fn run(
        &self,
        program: &opencl3::program::Program,
        entry: &Entry,
        items: &[usize],
        group: Option<&[usize]>,
        buffers: &[Option<Buffer<u8>>],
        value: impl Fn(Slot) -> Value,
    ) -> Option<OutOfBounds> {
        let cell = self.fault_cell();
        let kernel = Kernel::create(program, &entry.name).unwrap();
        for (index, slot) in entry.slots.iter().enumerate() {
            let index = index as u32;
            // SAFETY: the slots say what the parameters of the kernel take.
            unsafe {
                match *slot {
                    Slot::Data { param, .. } => {
                        kernel.set_arg(index, buffers[param].as_ref().unwrap()).unwrap();
                    }
                    Slot::Fault => kernel.set_arg(index, &cell).unwrap(),
                    other => {
                        let (bits, size) = values::to_bits(value(other));
                        if size <= 4 {
                            kernel.set_arg(index, &(bits as u32)).unwrap();
                        } else {
                            kernel.set_arg(index, &bits).unwrap();
                        }
                    }
                }
            }
        }
        let mut words = [0_u32; FAULT_WORDS];
        // SAFETY: every argument is set; the kernel ends before the buffers go; the read blocks.
        unsafe {
            self.queue
                .enqueue_nd_range_kernel(
                    kernel.get(),
                    items.len() as u32,
                    std::ptr::null(),
                    items.as_ptr(),
                    group.map_or(std::ptr::null(), <[usize]>::as_ptr),
                    &[],
                )
                .unwrap();
            self.queue.finish().unwrap();
            self.queue.enqueue_read_buffer(&cell, CL_TRUE, 0, &mut words, &[]).unwrap();
        }
        fault(&words)
    }

    /// A fault cell, cleared.
    fn fault_cell(&self) -> Buffer<u32> {
        // SAFETY: no host pointer; the write blocks.
        unsafe {
            let mut cell =
                Buffer::create(&self.context, CL_MEM_READ_WRITE, FAULT_WORDS, std::ptr::null_mut())
                    .unwrap();
            let zero = [0_u32; FAULT_WORDS];
            self.queue.enqueue_write_buffer(&mut cell, CL_TRUE, 0, &zero, &[]).unwrap();
            cell
        }
    }

    pub(crate) fn check_grid(
        &self,
        program: &opencl3::program::Program,
        entry: &Entry,
        case: &Case,
    ) -> Vec<String> {
        let mut expected = case.args.clone();
        let fault = interpret::grid(&case.kernel, &case.domain, &mut expected, u64::MAX).unwrap();
        let types: Vec<_> = case.kernel.params.iter().map(|p| p.kind).collect();
        let element = |kind: &ringwood_ir::ParamKind| match *kind {
            ringwood_ir::ParamKind::Slice { ty, .. }
            | ringwood_ir::ParamKind::View { ty, .. }
            | ringwood_ir::ParamKind::Scalar(ty) => ty,
        };
        let buffers: Vec<_> = case
            .args
            .iter()
            .zip(&types)
            .map(|(arg, kind)| match arg {
                Argument::Slice(values) | Argument::View { elements: values, .. } => {
                    Some(self.upload(values, element(kind)))
                }
                Argument::Scalar(_) => None,
            })
            .collect();
        let view = |param: usize| match &case.args[param] {
            Argument::View { offset, shape, strides, .. } => Some((*offset, shape, strides)),
            _ => None,
        };
        let value = |slot| match slot {
            Slot::Scalar { param, .. } => match &case.args[param] {
                Argument::Scalar(value) => *value,
                other => unreachable!("{other:?} for a scalar"),
            },
            Slot::Len { param } => match &case.args[param] {
                Argument::Slice(values) => Value::Usize(values.len()),
                other => unreachable!("{other:?} for a slice"),
            },
            Slot::Offset { param } => Value::Usize(PAD + view(param).map_or(0, |(at, ..)| at)),
            Slot::Dim { param, dim } => Value::Usize(view(param).unwrap().1[dim]),
            Slot::Stride { param, dim } => Value::Usize(view(param).unwrap().2[dim]),
            Slot::Extent { dim } => Value::Usize(case.domain[case.domain.len() - 1 - dim]),
            other => unreachable!("{other:?} in a grid kernel"),
        };
        let points: Vec<_> = case.domain.iter().rev().copied().collect();
        let group = case.kernel.group.map(|size| size.map(|n| n as usize));
        let group = group.as_ref().map(|size| &size[..case.domain.len()]);
        let items = match group {
            Some(group) => points.iter().zip(group).map(|(n, size)| n * size).collect(),
            None => self.items(&points),
        };
        if items.contains(&0) {
            return Vec::new();
        }
        let random = case.kernel.name.starts_with("random");
        let got = self.run(program, entry, &items, group, &buffers, value);
        let mut wrong = Vec::new();
        // A random kernel may have several, among whose order in an expression C does not decide.
        let possible = |got| random && fault.is_some() && case.can_fail(got);
        let same = got == fault || got.is_some_and(possible);
        if !same {
            wrong.push(format!("{}: fault {got:?}, expected {fault:?}", entry.name));
        }
        for (p, (arg, buffer)) in expected.iter().zip(&buffers).enumerate() {
            if let (
                Argument::Slice(values) | Argument::View { elements: values, .. },
                Some(buffer),
            ) = (arg, buffer)
            {
                let got = self.download(buffer, element(&types[p]), values.len());
                wrong.extend(difference(&format!("{} p{p}", entry.name), &got, values));
            }
        }
        if !wrong.is_empty() && random {
            wrong.push(case.to_string());
        }
        wrong
    }

    /// The work-items of a launch over some points, some of which take none.
    fn items(&self, points: &[usize]) -> Vec<usize> {
        match points.len() {
            _ if self.facts.item_per_point => {
                points.iter().map(|n| (n + 1).next_multiple_of(16)).collect()
            }
            // Fewer than points, and more.
            3 => vec![2, 8, 1],
            _ => vec![64],
        }
    }

    fn check_map(
        &self,
        program: &opencl3::program::Program,
        entry: &Entry,
        case: &MapCase,
    ) -> Option<String> {
        difference(&entry.name, &self.run_map(program, entry, case), &case.expected())
    }

    /// The elements of the result of a map.
    pub(crate) fn run_map(
        &self,
        program: &opencl3::program::Program,
        entry: &Entry,
        case: &MapCase,
    ) -> Vec<Value> {
        let collapsed = case.collapsed();
        let ty = case.kernel.result.as_ref().unwrap().ty;
        let count = case.domain.iter().product();
        let mut buffers: Vec<_> =
            case.inputs.iter().map(|v| Some(self.upload(v, v[0].ty()))).collect();
        buffers.push(Some(self.upload(&vec![Value::zero(ty); count], ty)));
        let value = |slot| match slot {
            Slot::Offset { .. } => Value::Usize(PAD),
            Slot::Step { param, dim } => Value::Usize(collapsed.step(param, dim)),
            Slot::Extent { dim } => Value::Usize(collapsed.extent(dim)),
            other => unreachable!("{other:?} in a map"),
        };
        self.run(program, entry, &self.items(&[count]), None, &buffers, value);
        self.download(buffers.last().unwrap().as_ref().unwrap(), ty, count)
    }
}

/// The first difference, and how many there are.
fn difference(what: &str, got: &[Value], expected: &[Value]) -> Option<String> {
    let differ = |i: &usize| !got[*i].same_bits(expected[*i]);
    let all: Vec<_> = (0..expected.len()).filter(differ).collect();
    let first = *all.first()?;
    Some(format!(
        "{what}[{first}]: {} instead of {}, and {} of {} differ",
        got[first].literal(),
        expected[first].literal(),
        all.len(),
        expected.len()
    ))
}
