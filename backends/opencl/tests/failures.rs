//! What goes wrong on a device is an error that names it, and sticks.

mod support;

use ringwood_backend_cpu::Cpu;
use ringwood_backend_opencl::{self as backend, OpenCl};
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Error, ErrorKind, Result, Shape};
use ringwood_device::backend::{Backend, Region, Registered, Status};
use ringwood_device::device::{Device, Runtime};
use ringwood_device::kernel;
use ringwood_device::kernel::{Arg, Code, KernelDef, KernelSpec};
use std::sync::Arc;
use std::time::Duration;

const WAIT: Duration = Duration::from_secs(30);

#[kernel(device = [cpu, opencl])]
fn shifted(x: &[f32], y: &mut [f32]) {
    let i = gid(0);
    y[i] = x[i + 1];
}

#[kernel(device = opencl, racy, domain = n)]
fn first(y: &mut [f32], n: usize) {
    if gid(0) == 5 && n > 0 {
        y[0] = 1.0;
    }
}

#[kernel(device = opencl, racy, group = 64, groups = n)]
fn first_of_groups(y: &mut [f32], n: usize) {
    if grp(0) == 5 && n > 0 {
        y[0] = 2.0;
    }
}

fn spec() -> KernelSpec<'static> {
    let def = shifted::ENTRY.declared::<KernelDef>().unwrap();
    def.spec(&def.instances[0])
}

fn launch(
    opencl: &OpenCl,
    stream: &<OpenCl as Backend>::Stream,
    code: &Code<backend::Code>,
    bytes: [usize; 2],
) -> Result<()> {
    let device = &opencl.devices()?[0];
    let memories = [opencl.allocate(device, 64)?, opencl.allocate(device, 64)?];
    let slice = |i: usize| Arg::Slice {
        region: Region { memory: &memories[i], offset: 0, bytes: bytes[i] },
        strides: None,
    };
    opencl.launch(stream, &code.launch(Shape::vector(4), [slice(0), slice(1)])?)
}

#[test]
fn an_access_out_of_bounds_sticks_and_reaches_a_stream_that_waits() {
    let Some(opencl) = support::opencl() else { return };
    let device = &opencl.devices().unwrap()[0];
    let code = Code::compile(&opencl, device, &spec()).unwrap();
    let stream = || opencl.stream(device, "queue").unwrap();
    let (b, c) = (stream(), stream());
    // A stream that is known to have failed records nothing: the launch may fail sooner than it is recorded.
    let recorded = || {
        let a = stream();
        launch(&opencl, &a, &code, [20, 16])?;
        let good = opencl.record(&a)?;
        launch(&opencl, &a, &code, [16, 16])?;
        opencl.record(&a).map(|event| (a, good, event))
    };
    let (a, good, event) = (0..100).find_map(|_| recorded().ok()).unwrap();
    // Nor does one that waits for it: then that fails in the same way.
    let late = opencl.wait(&b, &event).and_then(|()| opencl.record(&b));
    let error = opencl.block(&event, WAIT).unwrap_err();
    opencl.block(&good, WAIT).unwrap();
    assert_eq!(error.kind(), ErrorKind::OutOfBounds);
    assert_eq!(error.message(), "kernel `shifted`: index 4 out of bounds for length 4 of `x`");
    let place = error.get("at").unwrap();
    assert!(place.ends_with(&format!("failures.rs:{}:12", spec().line + 3)), "{place}");
    let same = |e: &Error| assert_eq!(e.to_string(), error.to_string());
    same(&late.and_then(|late| opencl.block(&late, WAIT)).unwrap_err());
    assert!(matches!(opencl.poll(&event), Status::Failed(e) if e.to_string() == error.to_string()));
    same(&opencl.record(&a).err().unwrap());
    same(&launch(&opencl, &a, &code, [20, 16]).unwrap_err());
    let end = opencl.record_failed(&a).unwrap();
    same(&opencl.block(&end, WAIT).unwrap_err());
    // Who waits for the end alone goes on.
    let d = stream();
    opencl.wait_for_end(&d, &event).unwrap();
    opencl.block(&opencl.record(&d).unwrap(), WAIT).unwrap();
    opencl.wait(&c, &event).unwrap();
    let failed = opencl.record(&c).and_then(|event| opencl.block(&event, WAIT));
    same(&failed.unwrap_err());
    let fresh = stream();
    launch(&opencl, &fresh, &code, [20, 16]).unwrap();
    opencl.block(&opencl.record(&fresh).unwrap(), WAIT).unwrap();
}

#[test]
fn an_access_out_of_bounds_has_the_text_that_it_has_on_the_cpu() {
    if support::opencl().is_none() {
        return;
    }
    let registry = Registry::builder();
    let registry = registry.register(Cpu::ENTRY).register(OpenCl::ENTRY).register(shifted::ENTRY);
    let runtime = Runtime::new(registry.build().unwrap());
    let texts = ["cpu:0", "opencl:0"].map(|name| {
        let device = runtime.device(name).unwrap();
        let x = device.tensor(&[1.0_f32; 100]).unwrap();
        let mut y = device.tensor(&[0.0_f32; 100]).unwrap();
        let failed = shifted(&x, &mut y).and_then(|()| y.to_vec::<f32>());
        let error = failed.unwrap_err();
        assert!(
            error.to_string().contains(", which takes no more work: `Device::stream`"),
            "{error}"
        );
        (error.message().to_owned(), error.get("at").map(str::to_owned))
    });
    assert_eq!(texts[0], texts[1]);
}

#[test]
fn a_launch_that_does_not_fit_is_refused_and_the_stream_stays_usable() {
    let Some(opencl) = support::opencl() else { return };
    let device = &opencl.devices().unwrap()[0];
    let code = Code::compile(&opencl, device, &spec()).unwrap();
    let stream = opencl.stream(device, "queue").unwrap();
    for bytes in [[65, 16], [15, 16], [usize::MAX, 16]] {
        let error = launch(&opencl, &stream, &code, bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    }
    launch(&opencl, &stream, &code, [20, 16]).unwrap();
    opencl.block(&opencl.record(&stream).unwrap(), WAIT).unwrap();
}

#[test]
fn what_cannot_be_compiled_is_refused_by_name() {
    let Some(opencl) = support::opencl() else { return };
    let device = &opencl.devices().unwrap()[0];
    let host = KernelSpec { ir: None, ..spec() };
    let error = opencl.compile(device, &[spec(), host]).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains("kernel `shifted`"), "{error}");
    let malformed = KernelSpec { ir: Some("kir2 shifted"), ..spec() };
    let error = opencl.compile(device, &[malformed]).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
}

#[test]
fn an_error_of_the_compiler_points_at_the_line_of_the_kernel() {
    let Some(opencl) = support::opencl() else { return };
    let device = &opencl.devices().unwrap()[0];
    if !opencl.capabilities(device).description.contains("PoCL") {
        return support::skipped("only PoCL takes options of its compiler from the environment");
    }
    let test = "an_error_of_the_compiler_points_at_the_line_of_the_kernel";
    // The variable `i` of the printed text, so that its declaration is wrong.
    let variables = [("POCL_EXTRA_BUILD_FLAGS", "-Di_0=1+"), ("RINGWOOD_CACHE", "off")];
    let Some(output) = support::again_with(test, &variables) else {
        let error = opencl.compile(device, &[spec()]).err().unwrap();
        return println!("{error}");
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let place = format!("failures.rs:{}:13", spec().line + 2);
    for part in ["building kernel `shifted`", "error: ", &place] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn the_best_device_is_not_one_that_runs_on_the_processor() {
    let Some(opencl) = support::opencl() else { return };
    let device = &opencl.devices().unwrap()[0];
    if opencl.capabilities(device).accelerator {
        return support::skipped("opencl:0 is an accelerator");
    }
    let registry = Registry::builder().register(Cpu::ENTRY).register(OpenCl::ENTRY);
    let runtime = Runtime::new(registry.build().unwrap());
    assert_eq!(runtime.best().unwrap().name(), "cpu:0", "{}", runtime.explain_best());
}

#[test]
fn absence_is_unavailable_with_the_reason() {
    let mut cases = vec![];
    if cfg!(target_os = "linux") {
        cases.push(("OPENCL_DYLIB_PATH", "libc.so.6", "lacks functions"));
    }
    if OpenCl::open().is_ok() {
        cases.push(("OCL_ICD_VENDORS", "/nonexistent", "finds no platform"));
    }
    for (variable, value, reason) in cases {
        let test = "absence_is_unavailable_with_the_reason";
        let Some(output) = support::again_with(test, &[(variable, value)]) else {
            return println!("{:?}", OpenCl::open().map(|_| "open").unwrap_err());
        };
        let text = String::from_utf8_lossy(&output.stdout);
        for part in ["[unavailable]", reason, "apt-get install"] {
            assert!(text.contains(part), "{variable}={value}: {text}");
        }
    }
}

#[test]
fn a_source_of_a_write_is_kept_until_the_device_has_it() {
    let Some(opencl) = support::opencl() else { return };
    let device = &opencl.devices().unwrap()[0];
    let (stream, bytes) = (opencl.stream(device, "queue").unwrap(), 1 << 20);
    let memory = opencl.allocate(device, bytes).unwrap();
    let source: Arc<[u8]> = vec![7; bytes].into();
    let weak = Arc::downgrade(&source);
    opencl.write(&stream, source, Region { memory: &memory, offset: 0, bytes }).unwrap();
    opencl.block(&opencl.record(&stream).unwrap(), WAIT).unwrap();
    assert_eq!(weak.strong_count(), 0, "a write that has run keeps its source");
    assert!(opencl.capabilities(device).dtypes.contains(&DType::F32));
}

/// PoCL counts groups in 32 bits: 2^32 of them end its process.
#[test]
fn more_groups_than_a_driver_counts_are_refused_and_the_stream_lives() {
    if support::opencl().is_none() {
        return;
    }
    let device = Device::named("opencl:0").unwrap();
    let mut y = device.tensor(&[0.0_f32]).unwrap();
    let refused = |launched: Result<()>| {
        let error = launched.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert!(error.to_string().contains("split the domain"), "{error}");
    };
    // A work-item for each point, on a processor only: elsewhere fewer of them share the points.
    for points in [1 << 38, (1 << 38) + 64, 1 << 39, 1 << 58] {
        if !device.capabilities().accelerator {
            refused(first(&mut y, points));
        }
    }
    for groups in [1 << 32, 1 << 33, (1 << 32) + 1] {
        refused(first_of_groups(&mut y, groups));
    }
    first(&mut y, 6).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [1.0]);
    first_of_groups(&mut y, 6).unwrap();
    assert_eq!(y.to_vec::<f32>().unwrap(), [2.0]);
}
