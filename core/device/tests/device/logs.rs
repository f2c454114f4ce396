//! Log files of streams.

use crate::routines::{X, Y, holding, program, root, run};
use crate::{LIMIT, device, fails, held, values};
use ringwood_base::{DType, ErrorKind, Shape};
use ringwood_device::device::{Bindings, Context, Device, LaunchProgram, Role, StepArg, log};
use std::path::PathBuf;

/// A directory of its own, removed at the end.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ringwood-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A program whose kernel logs the first element of `y`.
fn logging(name: &str) -> LaunchProgram {
    program(name, &[(Y, Role::Working)]).launch("log", (StepArg::Log, Y))
}

fn lines(path: &PathBuf) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn routines_log_to_the_file_of_their_stream() {
    let directory = Directory::new("log");
    let device = device("toy:0");
    let paths = [0, 1].map(|_| {
        let stream = device.new_stream("").unwrap();
        let path = stream.log_to(&directory.0).unwrap();
        let context = Context::new(&stream);
        let batch = ["one", "two"].map(|name| device.compile(logging(name)).unwrap());
        let (_, routines) = context.link_batch(&[Some(&batch[0]), Some(&batch[1])]).unwrap();
        for routine in routines.iter().flatten().chain(&routines[0]) {
            run(routine);
        }
        path
    });
    for (i, path) in paths.iter().enumerate() {
        assert_eq!(*path, directory.0.join(format!("toy-0-stream-{i}.log")));
        let expected = ["[one] y[0] is 0", "[two] y[0] is 0", "[one] y[0] is 0"];
        assert_eq!(lines(path), expected);
    }
}

#[test]
fn the_elements_of_a_node_can_be_logged_on_every_device() {
    let directory = Directory::new("nodes");
    for name in ["toy:0", "shared:0"] {
        let device = device(name);
        let context = holding(&device, 1.5);
        let path = context.stream().log_to(&directory.0).unwrap();
        let routine = context.to_log(X, "before").unwrap().unwrap();
        assert_eq!((routine.name(), routine.inputs()), ("n0 to log", &[X][..]));
        run(&routine);
        context.tensor(X).unwrap().write(&[f32::NAN, -0.0, 1e9, 0.1]).unwrap();
        run(&routine);
        assert!(context.to_log(Y, "absent").unwrap().is_none());
        let long = device.tensor(&[7_i64; 70]).unwrap();
        let context = context.with(Y, &long).unwrap();
        run(&context.to_log(Y, "long").unwrap().unwrap());
        let [before, after, long] = <[String; 3]>::try_from(lines(&path)).unwrap();
        assert_eq!(before, "[before] n0 f32 [4] = 1.5, 1.5, 1.5, 1.5");
        assert_eq!(after, "[before] n0 f32 [4] = NaN, -0.0, 1000000000.0, 0.1");
        assert!(long.starts_with("[long] n1 i64 [70] = 7, 7") && long.ends_with("… (6 more)"));
        assert_eq!(device.report().streams[0].log.as_ref(), Some(&path));
    }
}

#[test]
fn a_log_ends_after_the_work_that_writes_to_it() {
    let directory = Directory::new("late");
    let device = device("toy:0");
    let (stream, gate) = held(&device);
    let path = stream.log_to(&directory.0).unwrap();
    let compiled = device.compile(logging("late")).unwrap();
    let routine = Context::new(&stream).link(&compiled).unwrap();
    let done = routine.submit(&Bindings::new()).unwrap();
    let y = routine.context().tensor(Y).unwrap();
    drop((routine, stream, done));
    assert_eq!(lines(&path), [""; 0]);
    gate.open();
    assert_eq!(values(&y), [0.0; 4]);
    assert_eq!(lines(&path), ["[late] y[0] is 0"]);
}

#[test]
fn logging_without_a_file_or_to_one_that_fails_is_a_clear_error() {
    let directory = Directory::new("bad");
    let device = device("toy:0");
    let compiled = device.compile(logging("talk")).unwrap();
    let needle = "routine `talk` logs, and stream 0 of toy:0 has no log file";
    let error = fails(root(&device).link(&compiled), needle);
    assert_eq!(error.kind(), ErrorKind::NotFound);
    fails(holding(&device, 1.0).to_log(X, "x"), "`Stream::log_to`");
    let stream = device.stream().unwrap();
    stream.log_to(&directory.0).unwrap();
    fails(stream.log_to(&directory.0), "stream 0 logs to");
    fails(log(u64::MAX, "lost"), "is the number of no log");
    let file = directory.0.join("file");
    std::fs::write(&file, "").unwrap();
    let other = device.new_stream("").unwrap();
    let error = fails(other.log_to(&file), "cannot open the log file");
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    let narrow = program("narrow", &[(Y, Role::Working)]);
    let narrow = narrow.launch("append", (StepArg::Log, Y));
    fails(device.compile(narrow), "the number of a log is u64, not usize");
}

/// `/dev/full` opens and takes nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_fails_what_logs_and_nothing_else() {
    let directory = Directory::new("full");
    std::fs::create_dir_all(&directory.0).unwrap();
    let device = device("toy:0");
    let stream = device.stream().unwrap();
    std::os::unix::fs::symlink("/dev/full", directory.0.join("toy-0-stream-0.log")).unwrap();
    stream.log_to(&directory.0).unwrap();
    let context = context(&device);
    let routine = context.to_log(X, "x").unwrap().unwrap();
    run(&routine);
    let error = fails(routine.submit(&Bindings::new()), "cannot write the log file");
    assert!(error.to_string().contains("toy-0-stream-0.log"), "{error}");
    stream.synchronize(LIMIT).unwrap();
    let other = device.new_stream("").unwrap();
    other.log_to(&directory.0).unwrap();
    fails(context.link(&device.compile(logging("talk")).unwrap()), "cannot write the log file");
}

fn context(device: &Device) -> Context {
    let x = device.zeros(Shape::vector(4), DType::F32).unwrap();
    root(device).with(X, &x).unwrap()
}
