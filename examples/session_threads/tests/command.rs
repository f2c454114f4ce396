//! The program prints the same on any number of workers, which are threads unless somebody asks for processes.

use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_session-threads")).args(arguments).output().unwrap()
}

#[test]
fn any_number_of_workers_finds_the_same_mean() {
    for arguments in [
        &["--workers", "1"][..],
        &["--workers", "5"],
        &["--workers", "40"],
        &["--session", "processes", "--workers", "2"],
    ] {
        let output = run(arguments);
        let said = String::from_utf8_lossy(&output.stdout);
        let mean = "[999.0, 1000.0]";
        assert!(
            said.starts_with(&format!("[{mean}")) && said.trim_end().ends_with(&format!("{mean}]")),
            "{output:?}"
        );
        assert_eq!(
            said.matches(mean).count(),
            arguments.last().unwrap().parse().unwrap(),
            "{output:?}"
        );
    }
}

#[test]
fn a_kind_that_is_not_there_is_named() {
    let output = run(&["--session", "fibres"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("no session kind `fibres`"), "{said}");
}
