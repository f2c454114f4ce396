//! What worker processes run, and who takes what they print.

use crate::functions::{builder, registry};
use ringwood_base::ErrorKind;
use ringwood_base::registry::{Entry, EntryMeta, Registry};
use ringwood_session::{GlobalFn, HostTensor, Parameter, Session, SessionBuilder, Value};
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

pub(crate) fn of(workers: usize) -> SessionBuilder {
    builder(workers).kind("processes")
}

/// Another name of this program. A copy could not be run while a process that is started meanwhile holds it open for writing.
fn link(name: &str) -> PathBuf {
    let own = std::env::current_exe().unwrap();
    let program = own.with_extension(format!("{name}-{}", std::process::id()));
    // Of a run that failed, with this number.
    let _ = fs::remove_file(&program);
    fs::hard_link(own, &program).unwrap();
    program
}

#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_of_ranks() {
    let ranks = ringwood_session::init();
    panic!("this process is no worker: {ranks:?}");
}

#[test]
fn a_program_that_joins_its_ranks_first_serves_as_a_worker() {
    let arguments = ["programs::a_program_of_ranks", "--exact", "--ignored", "--nocapture"];
    let session = of(2).program_arguments(arguments).start().unwrap();
    session.sync().unwrap();
    session.shutdown().unwrap();
}

/// Two threads start a session each: in a worker, the first of them serves.
#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_of_two_threads() {
    let (tell, told) = channel();
    std::thread::spawn(move || tell.send(()).map(|()| of(1).start()));
    told.recv().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    // Workers of a session that is started nevertheless do not run this program.
    println!("the second: {:?}", of(1).program("/bin/true").start().map(drop));
    std::thread::sleep(Duration::from_secs(20));
}

/// A session whose worker is a program of two threads, of which the second is refused what it starts.
pub(crate) fn of_two_threads(builder: SessionBuilder) -> Session {
    let (tell, told) = channel();
    let session = builder.output(move |_, _, line: &str| {
        // What the harness prints of the test stands before it.
        if let Some((_, second)) = line.split_once("the second: ") {
            let _ = tell.send(second.to_owned());
        }
    });
    let session = session.start().unwrap();
    let second = told.recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(second.contains("another thread than the one that serves"), "{second}");
    session
}

#[test]
fn a_second_thread_of_a_worker_starts_no_session_of_its_own() {
    let arguments = ["programs::a_program_of_two_threads", "--exact", "--ignored", "--nocapture"];
    let session = of_two_threads(of(1).program_arguments(arguments));
    // The worker goes on.
    session.sync().unwrap();
    // On the thread that serves, a function starts a session.
    let sum = session.call("nested", (2_usize,)).unwrap().typed::<usize>();
    assert_eq!(sum.get(0).unwrap(), 1);
    session.shutdown().unwrap();
}

/// What this test program would be with another function of a known name, and one more.
#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_of_other_functions() {
    const ADD: &GlobalFn = &GlobalFn {
        name: "add",
        parameters: &[Parameter::of::<String>("a")],
        run: |_, _| Ok(Value::None),
    };
    let meta = |name| EntryMeta { package: "tests", name, module_path: "", file: "", line: 1 };
    let registry = Registry::builder()
        .register(ringwood_session::entries::processes::ENTRY)
        .register(Entry::new(meta("add"), ADD))
        .register(Entry::new(meta("subtract"), ADD));
    let ended = Session::builder().kind("processes").workers(1).registry(registry.build().unwrap());
    panic!("this process is no worker: {:?}", ended.start());
}

#[test]
fn a_worker_with_another_function_of_a_known_name_fails_the_start() {
    let arguments =
        ["programs::a_program_of_other_functions", "--exact", "--ignored", "--nocapture"];
    let start = Instant::now();
    let error = of(2).program_arguments(arguments).start().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    let text = "worker 0 of 2 runs another program than its controller: its `tests::add` is add(a: str), \
                that of its controller add(a: i64, b: i64); run one build of the program in all processes";
    assert!(error.message().starts_with(text), "{error}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn a_worker_without_its_stream_is_no_controller_of_more() {
    let program = link("deaf");
    let script = r#"exec 0</dev/null; exec -a "ringwood-worker 0 of 1" "$0" "$@""#;
    let arguments = ["programs::a_program_of_ranks", "--exact", "--ignored", "--nocapture"];
    let (tell, told) = channel();
    let session = of(1)
        .program("bash")
        .program_arguments(["-c", script, program.to_str().unwrap()].into_iter().chain(arguments))
        .output(move |_, _, line: &str| drop(tell.send(line.to_owned())));
    let error = session.start().unwrap_err().to_string();
    fs::remove_file(&program).unwrap();
    assert!(error.contains("ended with exit code 70 before it was ready"), "{error}");
    let lines: Vec<_> = told.iter().collect();
    let text = "error: `ringwood-worker 0 of 1` has no stream to its controller as standard input";
    assert!(lines.iter().any(|line| line.starts_with(text)), "{lines:?}");
}

#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_of_more_workers_than_files() {
    let error = of(99_999_999_999).start().unwrap_err().to_string();
    assert!(error.starts_with("cannot make the streams to 99999999999 workers; "), "{error}");
}

#[test]
fn more_workers_than_a_process_has_files_are_an_error() {
    limited("ulimit -n 64", "programs::a_program_of_more_workers_than_files");
}

#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_with_a_wrong_number_of_threads() {
    for kind in ["threads", "processes"] {
        let error = of(1).kind(kind).start().unwrap_err().to_string();
        assert!(error.starts_with("RINGWOOD_THREADS is `x`, not a number of threads; "), "{error}");
    }
}

#[test]
fn a_session_that_runs_no_kernel_refuses_a_wrong_number_of_threads() {
    let given = "export RINGWOOD_THREADS=x";
    limited(given, "programs::a_program_with_a_wrong_number_of_threads");
}

/// Workers of which the second gets what the system does not keep.
#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_without_room_for_a_tensor() {
    let session = of(2).start().unwrap();
    let tensor = HostTensor::new(&[32 << 20], &vec![0_u8; 32 << 20]).unwrap();
    let error = session.copy_to_worker(1, &tensor).unwrap_err().to_string();
    assert!(error.starts_with("worker 1 of 2 gets no message: no 33554432 bytes"), "{error}");
    assert_eq!(session.registers(), 0);
    session.sync().unwrap();
}

#[test]
fn a_tensor_that_one_worker_does_not_get_leaves_the_session_open() {
    let limits = "trap '' XFSZ; ulimit -f 16384";
    limited(limits, "programs::a_program_without_room_for_a_tensor");
}

/// A controller that has no room for what its worker sends.
#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_without_room_for_a_result() {
    let session = of(1).start().unwrap();
    let zeros = session.call("zeros", (64_usize << 20,)).unwrap();
    zeros.wait().unwrap();
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:")).unwrap();
    let bytes = line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10;
    let limit = format!("--as={}", bytes + (32 << 20));
    let own = std::process::id().to_string();
    assert!(Command::new("prlimit").args(["--pid", &own, &limit]).status().unwrap().success());
    let error = zeros.get(0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory, "{error}");
    assert!(error.message().starts_with("cannot hear worker 0: cannot map the memory"), "{error}");
}

#[test]
fn a_result_that_the_controller_has_no_room_for_is_no_fault_of_its_worker() {
    limited(":", "programs::a_program_without_room_for_a_result");
}

#[test]
fn large_messages_wait_for_the_worker_before_they_take_all_files() {
    let session = of(2).start().unwrap();
    let tensor = HostTensor::new(&[2, 100 << 10], &vec![0_u8; 200 << 10]).unwrap();
    let start = Instant::now();
    session.call("sleep_on", (1_usize, 500_u64)).unwrap();
    let parts: Vec<_> = (0..200).map(|_| session.scatter(&tensor).unwrap()).collect();
    assert!(start.elapsed() >= Duration::from_millis(500), "{:?}", start.elapsed());
    drop(parts);
    assert!(session.call("rank", ()).unwrap().wait().is_ok());
}

/// Runs a test of this program in a process of its own, with limits of the shell.
fn limited(limits: &str, test: &str) {
    let script = format!(r#"{limits}; exec "$0" {test} --exact --ignored"#);
    let program = std::env::current_exe().unwrap();
    let output = Command::new("bash").args(["-c", &script]).arg(program).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}{output:?}");
}

#[test]
fn a_program_whose_name_begins_as_a_workers_is_no_worker() {
    let arguments = ["programs::a_program_whose_workers_print", "--exact", "--ignored"];
    let mut program = Command::new(std::env::current_exe().unwrap());
    let output = program.arg0("ringwood-workers").args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}

#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_whose_workers_print() {
    let arguments = ["functions::worker", "--exact", "--ignored", "--nocapture"];
    let builder = Session::builder().kind("processes").workers(2).registry(registry());
    let session = builder.program_arguments(arguments).start().unwrap();
    session.call("say", ("hello",)).unwrap().wait().unwrap();
    session.shutdown().unwrap();
}

#[test]
fn what_workers_print_stands_behind_their_numbers_on_the_outputs_of_the_controller() {
    let arguments =
        ["programs::a_program_whose_workers_print", "--exact", "--ignored", "--nocapture"];
    let output = Command::new(std::env::current_exe().unwrap()).args(arguments).output().unwrap();
    let said = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut lines: Vec<_> =
            text.lines().filter(|line| line.contains("hello")).map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(said(&output.stdout), ["[worker 0] hello", "[worker 1] hello"], "{output:?}");
    assert_eq!(
        said(&output.stderr),
        ["[worker 0] about hello", "[worker 1] about hello"],
        "{output:?}"
    );
}

#[test]
fn arguments_that_are_no_message_together_leave_the_session_open() {
    let session = of(2).start().unwrap();
    let small = HostTensor::new(&[4096], &[0.0_f32; 4096]).unwrap();
    let many = || vec![small.clone(); 1_800];
    let error = session.call("take_three", (many(), many(), many())).unwrap_err().to_string();
    assert!(error.starts_with("worker 0 of 2 gets no message: a message of 8"), "{error}");
    session.call("take_three", (1_i64, "two", 3_i64)).unwrap().wait().unwrap();
}

#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_that_is_deleted() {
    fs::remove_file(std::env::current_exe().unwrap()).unwrap();
    let session = of(1).start().unwrap();
    session.recover().unwrap();
    session.sync().unwrap();
}

#[test]
fn workers_start_after_their_program_was_deleted() {
    let program = link("deleted");
    let arguments = ["programs::a_program_that_is_deleted", "--exact", "--ignored"];
    let output = Command::new(&program).args(arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}

#[test]
fn a_session_that_cannot_be_started_again_says_so() {
    let program = link("again");
    let session = of(2).program(&program).start().unwrap();
    fs::remove_file(&program).unwrap();
    let error = session.recover().unwrap_err().to_string();
    assert!(error.starts_with("cannot start worker 0 of 2: No such file"), "{error}");
    assert!(error.contains(&program.display().to_string()), "{error}");
    let error = session.sync().unwrap_err().to_string();
    assert!(error.contains("could not be started again; `recover` tries once more"), "{error}");
}

#[test]
fn who_keeps_what_workers_print_waiting_hides_no_death_and_keeps_no_end_waiting() {
    let (open, closed) = channel::<()>();
    let closed = Mutex::new(closed);
    let block = move |_, _, _: &str| closed.lock().unwrap().recv().unwrap_or_default();
    let timeout = Duration::from_secs(3);
    let session = of(2).output(block).timeout(timeout).start().unwrap();
    session.call("say", ("hello",)).unwrap().wait().unwrap();
    let start = Instant::now();
    let error = session.call("die", (1_usize, "exit")).unwrap().wait().unwrap_err().to_string();
    assert!(error.contains("ended with exit code 3"), "{error}");
    session.recover().unwrap();
    session.shutdown().unwrap();
    assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
    drop(open);
}
