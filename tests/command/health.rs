//! `ringwood doctor`, `conformance` and `faults`.

use super::{failure, json, path, ringwood, stderr, stdout, under};
use serde_json::Value;
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
#[cfg(target_os = "linux")]
use std::sync::{Mutex, PoisonError};

/// Held by one test of faults at a time: cases fill the cores, and have bounds.
#[cfg(target_os = "linux")]
static FAULTS: Mutex<()> = Mutex::new(());

#[test]
fn the_doctor_finds_nothing_wrong_with_this_program() {
    let text = stdout(&ringwood(&["doctor"]));
    assert!(text.contains("cpu:0"), "{text}");
    assert_eq!(json(&["doctor", "--json"])["healthy"], true);
}

#[test]
#[cfg(target_os = "linux")]
fn the_doctor_looks_at_a_session_that_runs() {
    let session = ringwood::session::Session::threads(2).unwrap();
    session.sync().unwrap();
    let process = std::process::id().to_string();
    let text = stdout(&ringwood(&["doctor", "--session", &process]));
    assert!(text.starts_with(&format!("2 ranks of process {process}: no rank waits")), "{text}");
    let ranks = &json(&["doctor", "--session", &process, "--json"])["sessions"][0]["ranks"];
    assert_eq!(ranks[1]["operations"][0]["name"], "sync");
    let failed = ringwood(&["doctor", "--session", "1073741824"]);
    assert!(stderr(&failed).contains("cannot see the files of process"), "{}", stderr(&failed));
}

#[test]
fn conformance_skips_what_a_device_does_not_claim() {
    let report = json(&["conformance", "--case", "peer_copy", "--backend", "cpu", "--json"]);
    let cells = report["cells"].as_array().expect("a list");
    assert!(!cells.is_empty());
    assert!(cells.iter().all(|cell| cell["outcome"] == "skipped"), "{report}");
    assert_eq!(report["passed"], true);
    assert_eq!(failure(&["conformance", "--backend", "cup"]).0, "not_found");
    for wrong in
        [["--case", "typo"], ["--unsupported", "typo=why"], ["--expected-failure", "typo=why"]]
    {
        let (kind, text) = failure(&["conformance", wrong[0], wrong[1]]);
        assert_eq!(kind, "not_found");
        assert!(text.starts_with("no case or suite `typo`; the suites are "), "{text}");
    }
}

#[test]
fn conformance_takes_exclusions_with_their_reasons() {
    let peer_copy = ["conformance", "--case", "peer_copy", "--backend", "cpu", "--json"];
    let listed = [&peer_copy[..], &["--unsupported", "peer_copy=one device only"]].concat();
    let report = json(&listed);
    let cells = report["cells"].as_array().expect("a list");
    let told =
        |cell: &Value| cell["outcome"] == "unsupported" && cell["reason"] == "one device only";
    assert!(!cells.is_empty() && cells.iter().all(told), "{report}");
    let passes = ["conformance", "--case", "fills_set_every_byte", "--backend", "cpu"];
    let wrong = [&passes[..], &["--expected-failure", "fills_set_every_byte=a typo"]].concat();
    let output = ringwood(&wrong);
    assert!(!output.status.success(), "a listed case that passes is a failure");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("passes, but is listed: a typo"), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn every_fault_in_a_session_is_detected_rightly_named_and_leaves_nothing() {
    let _turn = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    let output = ringwood(&["faults", "--sessions", "threads,processes", "--json"]);
    let result: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let count = |of: &Value, what: &str| of[what].as_u64().expect("a number");
    let rows = result["rows"].as_array().expect("rows");
    let wrong = rows.iter().filter(|row| row["wrong"] != Value::Array(Vec::new()));
    let is_late = |row: &&Value| {
        let [all, detected, named, hangs, leaks] =
            ["injected", "detected", "named", "hangs", "leaks"].map(|what| count(row, what));
        [detected, named, hangs, leaks] == [all, all, 0, 0]
    };
    let (late, wrong): (Vec<_>, Vec<_>) = wrong.partition(is_late);
    assert_eq!(wrong, Vec::<&Value>::new());
    assert!(count(&result, "injected") > 150 && count(&result, "not_applicable") > 0);
    assert_eq!(output.status.success(), late.is_empty());
    // Those that are reported late while other cases run count alone: the command fails unless all is right then.
    for row in late {
        let [id, session] = ["id", "session"].map(|key| row[key].as_str().expect("a text"));
        json(&["faults", "--sessions", session, "--rows", id, "--jobs", "1", "--json"]);
    }
}

/// The cases of a command, as they are marked.
#[cfg(target_os = "linux")]
fn cases_of(command: u32) -> usize {
    let mark = format!("RINGWOOD_FAULT_CASE={command}|");
    let processes = std::fs::read_dir("/proc").expect("processes").flatten();
    let environments = processes.filter_map(|one| std::fs::read(one.path().join("environ")).ok());
    environments.filter(|all| all.windows(mark.len()).any(|part| part == mark.as_bytes())).count()
}

#[test]
#[cfg(target_os = "linux")]
fn faults_leave_no_process_and_no_file_however_the_command_ends() {
    let _turn = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    let until = |holds: &dyn Fn() -> bool, what: &str| {
        let start = std::time::Instant::now();
        while !holds() {
            assert!(start.elapsed().as_secs() < 20, "{what}");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    };
    let folder = PathBuf::from(path("faults"));
    // What an earlier run left is not of this one.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for signal in ["INT", "KILL"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringwood"));
        // Relays and workers that live on without the command.
        command.args(["faults", "--sessions", "processes", "--rows", "C1", "--repeat", "9"]);
        command.env("TMPDIR", &folder).stdout(Stdio::null()).process_group(0);
        let mut command = command.spawn().expect("the command starts");
        until(&|| cases_of(command.id()) > 3, "no case starts");
        let kill = format!("kill -{signal} -{}", command.id());
        Command::new("sh").args(["-c", &kill]).status().expect("a shell");
        command.wait().expect("the command ends");
        until(&|| cases_of(command.id()) == 0, "processes are left");
        let files = || std::fs::read_dir(&folder).expect("the folder").count();
        until(&|| files() == 0, "files are left");
    }
}

/// A part of what the command puts in: all of it takes minutes.
#[test]
#[cfg(target_os = "linux")]
fn faults_in_jobs_of_mpi_are_detected_rightly_named_and_leave_nothing() {
    let _turn = FAULTS.lock().unwrap_or_else(PoisonError::into_inner);
    let rows = "kill -9 of the rank,kill -9 of the launcher,other count";
    let args = ["faults", "--sessions", "mpi", "--rows", rows, "--jobs", "1", "--json"];
    for launcher in ["mpirun.openmpi", "mpirun.mpich"] {
        let Some(result) = under(launcher, 4, &args) else { continue };
        let count = |what: &str| result[what].as_u64().expect("a number");
        let all = count("injected");
        assert!(all >= 6, "{result}");
        assert_eq!([count("detected"), count("named"), count("in_time")], [all; 3], "{result}");
        assert_eq!([count("hangs"), count("leaks")], [0; 2], "{result}");
        // Whichever launcher starts the command, its jobs are of each that is installed.
        break;
    }
}

#[test]
fn cases_that_would_not_run_are_refused() {
    for args in [["conformance", "--seeds", "0"], ["faults", "--jobs", "0"]] {
        let output = ringwood(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains("0 is not in 1.."), "{}", stderr(&output));
    }
    for (rows, word) in [("A4,nope", "nope"), ("", ""), ("A4,", "")] {
        let (kind, text) = failure(&["faults", "--rows", rows]);
        assert_eq!(kind, "not_found");
        assert!(text.starts_with(&format!("no fault is called `{word}`")), "{text}");
    }
}
