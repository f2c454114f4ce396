//! `ringwood bench`: the comparison with the MPI libraries of the machine, and sessions beside their goals.

#![cfg(feature = "cli")]

use serde_json::Value;
use std::io::Write;
use std::process::Command;

fn bench(what: &str, arguments: &[&str]) -> (bool, String, String) {
    let program = env!("CARGO_BIN_EXE_ringwood");
    let output = Command::new(program).args(["bench", what]).args(arguments).output();
    let output = output.expect("the command starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

const SHORT: [&str; 7] = ["--bytes", "8,4KiB", "--rounds", "1", "--budget", "5", "--json"];

#[test]
fn every_engine_gives_a_time_for_every_size_and_an_absent_one_says_why() {
    let (ok, stdout, stderr) = bench("all-reduce", &[&["--ranks", "2"], &SHORT[..]].concat());
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
        let (ok, _, stderr) = bench("all-reduce", &arguments);
        assert!(!ok && stderr.contains(message), "{arguments:?}: {stderr}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn sessions_are_measured_beside_their_goals() {
    let options = ["--ranks", "2", "--bytes", "8,1MiB", "--rounds", "1", "--budget", "5"];
    let few = ["--kills", "2", "--stops", "1", "--thread-workers", "3", "--process-workers", "3"];
    let (ok, stdout, stderr) = bench("sessions", &[&options[..], &few, &["--json"]].concat());
    assert!(ok, "{stderr}");
    let report: Value = serde_json::from_str(stdout.trim()).unwrap();
    let rows = report["rows"].as_array().unwrap();
    let goal = |work: &str| {
        let row = rows.iter().find(|row| row["work"] == work);
        let row = row.unwrap_or_else(|| panic!("no {work}: {report}"));
        let (seconds, goal) = (row["seconds"].as_f64().unwrap(), row["goal"].as_f64().unwrap());
        assert!(seconds > 0.0, "{row}");
        let figure = row["least"].as_f64().map_or(seconds, |least| {
            let ratio = row["ratio"].as_f64().unwrap();
            assert!((ratio * least / seconds - 1.0).abs() < 1e-9, "{row}");
            ratio
        });
        assert_eq!(row["met"], figure <= goal, "{row}");
        goal
    };
    for (work, wanted) in [
        ("call and sync, 2 threads", 1.5),
        ("call and sync, 2 processes", 1.5),
        ("all-reduce, 2 processes over threads, 8 B", 1.15),
        ("all-reduce, 2 processes over threads, 1 MiB", 1.15),
        ("error after SIGKILL to a process, 99th percentile of 2", 0.1),
        ("error after SIGSTOP to a process, 99th percentile of 1", 5.0),
        ("start of 3 processes", 2.0),
        ("first all-reduce of 3 processes, for 10s at most", 1.0),
        ("start of 3 threads", 2.0),
        ("first all-reduce of 3 threads, for 10s at most", 1.0),
    ] {
        assert_eq!(goal(work), wanted, "{work}");
    }
    let peers = ["Open MPI", "MPICH"].into_iter().filter(|peer| report["absent"][peer].is_null());
    let peers =
        peers.map(|peer| goal(&format!("all-reduce, 2 ranks over {peer} over its own, 1 MiB")));
    let peers: Vec<_> = peers.inspect(|wanted| assert_eq!(*wanted, 1.1)).collect();
    assert_eq!(rows.len(), 10 + peers.len(), "{report}");
}
