//! Workers that a script starts.

use crate::functions::builder;
use ringwood_base::ErrorKind;
use ringwood_base::registry::Registry;
use ringwood_session::{Session, SessionBuilder};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// The start of one worker by a script of bash, whose arguments are this program and its arguments.
pub(crate) fn by_script(script: &str, test: &str) -> SessionBuilder {
    let program = std::env::current_exe().unwrap().into_os_string().into_string().unwrap();
    let arguments = ["-c", script, &program, test, "--exact", "--ignored", "--nocapture"];
    builder(1).kind("processes").program("bash").program_arguments(arguments)
}

#[test]
fn a_worker_that_has_lost_its_name_is_no_controller_of_more() {
    // The second has the shell as its parent, and not the controller.
    for script in [r#"exec "$0" "$@""#, r#""$0" "$@"; exit $?"#] {
        for test in ["functions::worker", "programs::a_program_of_ranks"] {
            let (tell, told) = channel();
            let builder = by_script(script, test)
                .output(move |_, _, line: &str| drop(tell.send(line.to_owned())));
            let error = builder.start().unwrap_err().to_string();
            assert!(error.contains("ended with exit code 70 before it was ready"), "{error}");
            let lines: Vec<_> = told.iter().collect();
            let text = "error: this process was started as a worker, and has lost the name";
            assert!(lines.iter().any(|line| line.starts_with(text)), "{script} {test}: {lines:?}");
        }
    }
}

#[test]
fn a_script_may_start_a_worker_and_keep_its_name() {
    let script = r#"exec -a "$RINGWOOD_WORKER" "$0" "$@""#;
    let session = by_script(script, "functions::worker").start().unwrap();
    // It may be the controller of a session of its own.
    let sum = session.call("nested", (2_usize,)).unwrap().typed::<usize>();
    assert_eq!(sum.get(0).unwrap(), 1);
    session.shutdown().unwrap();
}

#[test]
fn a_death_is_told_where_something_else_holds_the_stream() {
    let script = r#"sleep 9 <&0 >/dev/null 2>&1 & exec -a "$RINGWOOD_WORKER" "$0" "$@""#;
    for (how, ends) in [("exit", "ended with exit code 3"), ("abort", "was killed by signal 6")] {
        let session = by_script(script, "functions::worker").start().unwrap();
        let start = Instant::now();
        let error = session.call("die", (0_usize, how)).unwrap().wait().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Aborted);
        assert!(error.message().contains(ends), "{error}");
        assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    }
}

#[test]
fn a_program_may_start_the_worker_and_end_well() {
    // The worker ends with who started it, once it runs.
    let script = r#"
        (while kill -0 $$ 2>/dev/null; do sleep 0.05; done
        exec -a "$RINGWOOD_WORKER" "$0" "$@") <&0 &
    "#;
    let session = by_script(script, "functions::worker").start().unwrap();
    std::thread::sleep(Duration::from_millis(1500));
    session.sync().unwrap();
    session.shutdown().unwrap();
}

#[test]
fn who_waits_for_a_recovery_waits_for_answers_from_then_on() {
    let script = r#"sleep 2; exec -a "$RINGWOOD_WORKER" "$0" "$@""#;
    let timeout = Duration::from_millis(1500);
    let session = by_script(script, "functions::worker").timeout(timeout).start().unwrap();
    std::thread::scope(|scope| {
        let recovery = scope.spawn(|| session.recover());
        std::thread::sleep(Duration::from_millis(100));
        session.sync().unwrap();
        recovery.join().unwrap().unwrap();
    });
}

/// What this test program would be without its functions.
#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_without_functions() {
    let registry = Registry::builder().register(ringwood_session::entries::processes::ENTRY);
    let ended = Session::builder().kind("processes").workers(1).registry(registry.build().unwrap());
    panic!("this process is no worker: {:?}", ended.start());
}

#[test]
fn who_waits_for_a_worker_that_lacks_the_function_is_released() {
    let script = r#"
        case "$RINGWOOD_WORKER" in
            *" 1 of "*) set -- scripts::a_program_without_functions "${@:2}" ;;
        esac
        exec -a "$RINGWOOD_WORKER" "$0" "$@"
    "#;
    let session = by_script(script, "functions::worker").workers(3).start().unwrap();
    let start = Instant::now();
    let error = session.call("come_late", (0_usize, 100_u64)).unwrap().wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    assert!(error.message().starts_with("worker 1 of 3: no global function `"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    session.recover().unwrap();
    // Where nobody waits for it, the session goes on.
    let ranks = session.call("rank", ()).unwrap().typed::<usize>();
    assert_eq!(ranks.get(0).unwrap(), 0);
    assert_eq!(ranks.get(1).unwrap_err().kind(), ErrorKind::NotFound);
    assert_eq!(ranks.get(2).unwrap(), 2);
}
