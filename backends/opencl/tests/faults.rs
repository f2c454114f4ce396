//! Drivers that fail, lose their device or flush numbers: a library over the one of the system that
//! does so when asked (`driver/faulty.c`), in a process of its own for each fault.
#![cfg(target_os = "linux")]

mod support;

use ringwood_backend_cpu::Cpu;
use ringwood_backend_opencl::OpenCl;
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Error, ErrorKind, Result, Shape};
use ringwood_device::backend::Registered;
use ringwood_device::device::{Device, Runtime, Stream, Strictness, Tensor};
use ringwood_device::kernel;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, OnceLock, mpsc};
use std::time::{Duration, Instant};

const WAIT: Duration = Duration::from_secs(30);
/// The byte of the fill during which the device is lost.
const LOSS: u8 = 0xDE;

#[kernel(device = [cpu, opencl], T in [f32, f16])]
fn twice<T>(x: &[T], y: &mut [T]) {
    let i = gid(0);
    y[i] = x[i] + x[i];
}

#[kernel(device = [cpu, opencl])]
fn next(x: &[i32], y: &mut [i32]) {
    let i = gid(0);
    y[i] = x[i] + 1;
}

/// The path of the library, compiled once for this process and those that it starts; `None` without a
/// compiler.
fn library() -> Option<&'static str> {
    static BUILT: OnceLock<Option<String>> = OnceLock::new();
    let build = || {
        if std::env::var_os("FAULTY_DRIVER").is_some() {
            return std::env::var("OPENCL_DYLIB_PATH").ok();
        }
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/driver/faulty.c");
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join("libfaulty.so");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-Wall", "-Werror", "-o"]).arg(&library).arg(source);
        compiler.args(["-Wl,--no-as-needed", "-l:libOpenCL.so.1", "-ldl"]);
        let output = match compiler.output() {
            Ok(output) => output,
            Err(error) => {
                support::skipped(&format!("no C compiler: {error}"));
                return None;
            }
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(library.to_str().expect("the path of a build").to_owned())
    };
    BUILT.get_or_init(build).as_deref()
}

/// Runs `check` over a driver with a fault, in a process of its own.
fn with(fault: &str, test: &str, check: impl FnOnce(&Runtime)) {
    if std::env::var_os("FAULTY_DRIVER").is_none() && support::opencl().is_none() {
        return;
    }
    let Some(library) = library() else { return };
    // PoCL makes as many devices of the processor as it is told.
    let several = ["unopened", "closed", "old"].contains(&fault);
    let devices = if several { "pthread pthread" } else { "pthread" };
    let variables =
        [("OPENCL_DYLIB_PATH", library), ("FAULTY_DRIVER", fault), ("POCL_DEVICES", devices)];
    if let Some(output) = support::again_with(test, &variables) {
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    let registry = Registry::builder().register(Cpu::ENTRY).register(OpenCl::ENTRY);
    let registry = registry.register(twice::ENTRY).register(next::ENTRY);
    check(&Runtime::new(registry.build().unwrap()));
}

fn zeros(device: &Device, dtype: DType) -> Tensor {
    device.zeros(Shape::vector(8), dtype).unwrap()
}

/// Loses the device while a write is under way; the failure, and whether the driver may still read
/// the source of the write.
fn lose(device: &Device, stream: &Stream) -> Result<(Error, bool)> {
    let buffer = device.buffer(1 << 12)?;
    stream.fill(buffer.region(), 1)?;
    stream.synchronize(WAIT)?;
    // The sink holds the stream up, so that nothing after it is known to be done.
    let (open, opened) = mpsc::channel::<()>();
    let hold = move |_: Result<&[u8]>| {
        let _ = opened.recv_timeout(WAIT);
    };
    stream.read(buffer.region(), Box::new(hold))?;
    let source: Arc<[u8]> = vec![7; 1 << 12].into();
    let weak = Arc::downgrade(&source);
    stream.write(source, buffer.region())?;
    let lost = stream.fill(buffer.region(), LOSS);
    drop(open);
    let error = lost.and_then(|()| stream.synchronize(WAIT)).expect_err("the device is lost");
    Ok((error, weak.strong_count() > 0))
}

/// Loses the device, and checks that everything that needs it says so from then on, and nothing
/// else does.
fn check_loss(runtime: &Runtime, kind: ErrorKind, texts: &[&str]) -> Result<bool> {
    let start = Instant::now();
    let device = runtime.device("opencl:0")?;
    let x = device.tensor(&[1_i32; 64])?;
    let mut y = device.tensor(&[0_i32; 64])?;
    next(&x, &mut y)?;
    assert_eq!(y.to_vec::<i32>()?, [2; 64]);
    let [stream, other] = [device.new_stream("")?, device.new_stream("")?];
    let (error, kept) = lose(&device, &stream)?;
    assert_eq!(error.kind(), kind, "{error}");
    for text in texts {
        assert!(error.to_string().contains(text), "{text}: {error}");
    }
    let again = stream.synchronize(WAIT).unwrap_err();
    assert_eq!(again.to_string(), error.to_string(), "the first failure sticks");
    let report = device.report().to_string();
    assert!(report.contains(&format!("failed: {error}")), "{report}");
    let refused = [
        other.fill(x.buffer().region(), 1).and_then(|()| other.synchronize(WAIT)).err(),
        next(&x, &mut y).and_then(|()| y.to_vec::<i32>().map(drop)).err(),
        device.zeros(x.shape(), DType::I32).and_then(|x| x.to_vec::<i32>().map(drop)).err(),
        device.new_stream("").and_then(|s| s.synchronize(WAIT).map(|()| s.id())).err(),
    ];
    for (i, error) in refused.into_iter().enumerate() {
        let error = error.unwrap_or_else(|| panic!("{i}: a lost device works"));
        assert!(error.message().starts_with("opencl: "), "{error}");
    }
    let cpu = runtime.device("cpu:0")?;
    let mut y = cpu.tensor(&[0_i32; 64])?;
    next(&cpu.tensor(&[1_i32; 64])?, &mut y)?;
    assert_eq!(y.to_vec::<i32>()?, [2; 64]);
    drop((x, stream, other, device));
    assert!(start.elapsed() < WAIT, "something waited for a lost device");
    Ok(kept)
}

#[test]
fn a_device_that_takes_no_more_commands_is_gone_for_all_its_streams() {
    let test = "a_device_that_takes_no_more_commands_is_gone_for_all_its_streams";
    with("refused", test, |runtime| {
        let texts = ["submitting a fill", "CL_DEVICE_NOT_AVAILABLE (-2)", "the device is gone"];
        check_loss(runtime, ErrorKind::Unavailable, &texts).unwrap();
    });
}

#[test]
fn a_device_lost_while_it_runs_commands_fails_them_with_its_code() {
    let test = "a_device_lost_while_it_runs_commands_fails_them_with_its_code";
    with("failed", test, |runtime| {
        let texts = ["running a command", "CL_OUT_OF_RESOURCES (-5)", "the device is lost"];
        let kept = check_loss(runtime, ErrorKind::Backend, &texts).unwrap();
        assert!(!kept, "a write that failed keeps its source");
    });
}

#[test]
fn what_a_silent_device_may_still_read_is_never_freed() {
    let test = "what_a_silent_device_may_still_read_is_never_freed";
    with("silent", test, |runtime| {
        let texts = ["waiting for a command", "CL_OUT_OF_RESOURCES (-5)"];
        let kept = check_loss(runtime, ErrorKind::Backend, &texts).unwrap();
        assert!(kept, "a driver that may still read was left with freed memory");
    });
}

#[test]
fn a_device_that_cannot_be_opened_hides_no_other() {
    let test = "a_device_that_cannot_be_opened_hides_no_other";
    with("unopened", test, |runtime| {
        let opened: Vec<_> =
            runtime.devices().unwrap().iter().map(|d| d.name().to_owned()).collect();
        let asked = format!("opencl:{}", opened.len() - 1);
        let error = runtime.device(&asked).unwrap_err().to_string();
        for part in ["not opened: opencl: opening device `", "CL_OUT_OF_RESOURCES", "platform"] {
            assert!(error.contains(part), "{part}: {error}");
        }
    });
}

#[test]
fn why_no_device_can_be_opened_is_told_of_each() {
    with("closed", "why_no_device_can_be_opened_is_told_of_each", |runtime| {
        let error = runtime.device("opencl:0").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Backend, "{error}");
        let text = error.to_string();
        assert_eq!(text.matches("opencl: opening device `").count(), 2, "{text}");
    });
}

#[test]
fn a_device_that_is_too_old_is_told_to_who_asks_for_it() {
    with("old", "a_device_that_is_too_old_is_told_to_who_asks_for_it", |runtime| {
        runtime.device("opencl:0").unwrap();
        let error = runtime.device("opencl:1").unwrap_err().to_string();
        for part in
            ["not opened: opencl: device `", "is of OpenCL 1.1", "older than 1.2", "platform"]
        {
            assert!(error.contains(part), "{part}: {error}");
        }
    });
}

#[test]
fn a_device_whose_driver_says_that_it_flushes_runs_strict_kernels_only_when_that_is_accepted() {
    let test =
        "a_device_whose_driver_says_that_it_flushes_runs_strict_kernels_only_when_that_is_accepted";
    with("flushing", test, |runtime| {
        let device = runtime.device("opencl:0").unwrap();
        let Strictness::Approximate(flaws) = device.strictness().unwrap() else {
            panic!("what the driver says counts")
        };
        assert_eq!(flaws, ["flushes subnormal results to zero (f32)"]);
        let (x, i) = (device.tensor(&[1.5_f32; 8]).unwrap(), device.tensor(&[1_i32; 8]).unwrap());
        let (mut y, mut j) = (x.duplicate().unwrap(), i.duplicate().unwrap());
        next(&i, &mut j).unwrap();
        assert_eq!(j.to_vec::<i32>().unwrap(), [2; 8], "integers have no subnormal values");
        let error = twice(&x, &mut y).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        for part in ["kernel `twice`", "`opencl:0` flushes subnormal", "accept_approximate"] {
            assert!(error.to_string().contains(part), "{part}: {error}");
        }
        let (h, mut halves) = (zeros(&device, DType::F16), zeros(&device, DType::F16));
        assert_eq!(twice(&h, &mut halves).unwrap_err().kind(), ErrorKind::Unsupported);
        device.accept_approximate();
        twice(&h, &mut halves).unwrap();
        twice(&x, &mut y).unwrap();
        assert_eq!(y.to_vec::<f32>().unwrap(), [3.0; 8]);
    });
}
