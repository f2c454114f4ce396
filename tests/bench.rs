//! `ringwood bench`: the comparison with the MPI libraries of the machine.

#![cfg(feature = "cli")]

use serde_json::Value;
use std::io::Write;
use std::process::Command;

fn bench(arguments: &[&str]) -> (bool, String, String) {
    let program = env!("CARGO_BIN_EXE_ringwood");
    let output = Command::new(program).args(["bench", "all-reduce"]).args(arguments).output();
    let output = output.expect("the command starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

const SHORT: [&str; 7] = ["--bytes", "8,4KiB", "--rounds", "1", "--budget", "5", "--json"];

#[test]
fn every_engine_gives_a_time_for_every_size_and_an_absent_one_says_why() {
    let (ok, stdout, stderr) = bench(&[&["--ranks", "2"], &SHORT[..]].concat());
    assert!(ok, "{stderr}");
    let report: Value = serde_json::from_str(stdout.trim()).unwrap();
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2);
    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
    for row in rows {
        for engine in ["floor", "threads", "processes"] {
            assert!(row[engine].as_f64().unwrap() > 0.0, "{row}");
        }
        for peer in ["Open MPI", "MPICH"] {
            match &report["absent"][peer] {
                Value::Null => assert!(row["peers"][peer].as_f64().unwrap() > 0.0, "{row}"),
                why if required.split(',').any(|name| name == "mpi") => panic!("{why}"),
                why => {
                    let _ = writeln!(std::io::stderr(), "skipped: {peer}: {why}");
                }
            }
        }
    }
}

#[test]
fn sizes_and_algorithms_that_do_not_exist_are_refused_by_name() {
    let refusals = [
        (["--bytes", "6"], "the elements are of 4 bytes"),
        (["--bytes", "8kb"], "`8kb` is not a number of bytes"),
        (["--ranks", "0"], "a group needs at least one rank"),
        (["--algorithm", "rong"], "rong"),
    ];
    for (arguments, message) in refusals {
        let (ok, _, stderr) = bench(&arguments);
        assert!(!ok && stderr.contains(message), "{arguments:?}: {stderr}");
    }
}
