//! The program prints the same on every kind of session, and goes on after a worker has died.

use std::process::Command;

fn lines(arguments: &[&str]) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_session-processes");
    let output = Command::new(program).args(arguments).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn threads_and_processes_print_the_same() {
    for kind in ["threads", "processes"] {
        assert_eq!(
            lines(&["--session", kind, "--workers", "3"]),
            ["[999000.0, 1000000.0]"],
            "{kind}"
        );
    }
}

#[test]
fn a_session_whose_worker_has_died_is_started_again() {
    let lines = lines(&["--session", "processes", "--workers", "3", "--crash"]);
    let [before, error, after] = &lines[..] else { panic!("{lines:?}") };
    assert!(error.starts_with("worker 1 of 3 (process "), "{error}");
    assert!(error.contains("was killed by signal 6 (SIGABRT); it runs `crash`, call 2"), "{error}");
    assert_eq!(before, after);
}
