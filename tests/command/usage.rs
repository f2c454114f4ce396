//! Options, errors and listings of the whole command.

use super::{failure, file, json, ringwood, stderr, stdout};
use serde_json::Value;
use std::process::{Command, Stdio};

#[test]
fn usage_errors_exit_with_2_and_help_with_0() {
    assert_eq!(ringwood(&["--workres", "2"]).status.code(), Some(2));
    assert_eq!(ringwood(&["trian"]).status.code(), Some(2));
    let usage = ringwood(&["--workres", "2", "--json"]);
    let object: Value = serde_json::from_slice(&usage.stdout).expect("one object");
    assert_eq!(object["error"]["kind"], "usage");
    assert_eq!((usage.status.code(), stderr(&usage).as_str()), (Some(2), ""));
    let said = |args: &[&str], key: &str| {
        let usage = ringwood(&[args, &["--json"]].concat());
        let object: Value = serde_json::from_slice(&usage.stdout).expect("one object");
        object["error"][key].as_str().expect("a text").to_owned()
    };
    let missing = said(&["export", "ring"], "message");
    assert!(missing.ends_with("not provided: --format <FORMAT>, --output <FILE>"), "{missing}");
    let commands = said(&["bench"], "text");
    assert!(commands.contains("[subcommands: all-reduce, selection, "), "{commands}");
    assert!(!commands.contains("peer"), "{commands}");
    let before = said(&["--workers", "2", "devices"], "message");
    assert!(before.contains("write `ringwood train --workers …`"), "{before}");
    let help = ringwood(&["--help"]);
    assert!(help.status.success());
    assert!(stdout(&help).contains("ringwood verify ring --ranks 8"), "{}", stdout(&help));
}

#[test]
fn listings_name_the_built_in_items_and_where_they_stand() {
    let names = |list: &Value, key: &str| -> Vec<String> {
        let rows = list.as_array().expect("a list");
        rows.iter().map(|row| row[key].as_str().expect("a name").to_owned()).collect()
    };
    let devices = json(&["devices", "--json"]);
    assert!(names(&devices["devices"], "device").contains(&"cpu:0".to_owned()), "{devices}");
    let cpu =
        devices["devices"].as_array().and_then(|all| all.iter().find(|d| d["device"] == "cpu:0"));
    let report = &cpu.expect("the processor")["report"];
    assert!(report["memory"]["limit"].as_u64() > Some(0), "{report}");
    let kernels = json(&["kernels", "--json"]);
    let known = names(&kernels["kernels"], "name");
    assert!(["add", "matmul", "relu"].iter().all(|k| known.contains(&(*k).to_owned())));
    let collectives = json(&["collectives", "--json"]);
    let algorithms = names(&collectives["collectives"], "name");
    let ring = algorithms.iter().position(|name| name == "ring").expect("the ring");
    let file = collectives["collectives"][ring]["file"].as_str().expect("a file");
    assert!(file.ends_with("all_reduce/ring.rs"), "{file}");

    for listing in ["devices", "kernels", "collectives"] {
        let text = stdout(&ringwood(&[listing]));
        assert!(text.lines().count() > 1 && text.contains(".rs:"), "{text}");
        let broken = |line: &str| line.starts_with("   ");
        assert!(!text.lines().any(broken), "what is no terminal gets whole rows: {text}");
    }
    let text = stdout(&ringwood(&["devices", "cpu"]));
    assert!(text.lines().all(|line| line.chars().count() <= 100), "wider than a screen: {text}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_has_its_exit_code() {
    let full = std::fs::File::options().write(true).open("/dev/full").expect("a full device");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringwood"));
    let status = command.arg("--help").stdout(full).status().expect("the command starts");
    assert_eq!(status.code(), Some(1));
}

#[test]
fn the_number_of_threads_is_given_or_refused() {
    let one = json(&["devices", "cpu", "--threads", "1", "--json"]);
    let told = one["devices"][0]["capabilities"]["description"].as_str().expect("a text");
    assert!(told.ends_with(", 1 thread"), "{told}");
    let before = json(&["--json", "--threads", "1", "devices", "cpu"]);
    assert_eq!(before["devices"][0]["capabilities"]["description"], told);
    assert_eq!(ringwood(&["devices", "--threads", "0"]).status.code(), Some(2));
    for args in [&["--epochs", "1"][..], &["devices"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringwood"));
        let output = command.args(args).env("RINGWOOD_THREADS", "many").output();
        let output = output.expect("the command starts");
        assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
        assert!(stderr(&output).contains("RINGWOOD_THREADS is `many`"), "{}", stderr(&output));
    }
}

#[test]
fn listings_show_what_is_asked_for() {
    let rows = |args: &[&str], key: &str| json(args)[key].as_array().expect("a list").clone();
    let devices = rows(&["devices", "cpu", "--json"], "devices");
    assert!(!devices.is_empty() && devices.iter().all(|row| row["backend"]["name"] == "cpu"));
    assert_eq!(rows(&["devices", "cpu:0", "--json"], "devices").len(), 1);
    assert_eq!(failure(&["devices", "cpux"]).0, "not_found");
    let barriers = rows(&["collectives", "barrier", "--json"], "collectives");
    let barrier = |row: &Value| row["descriptor"]["operation"] == "barrier";
    assert!(!barriers.is_empty() && barriers.iter().all(barrier));
    let (all, cuda) = (["kernels", "--json"], ["kernels", "--backend", "cuda", "--json"]);
    assert!(rows(&cuda, "kernels").len() < rows(&all, "kernels").len());
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_written_is_a_failure_but_a_reader_that_left_is_not() {
    let to = |args: &[&str], sink: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringwood"));
        command.args(args).stdout(sink).stderr(Stdio::piped());
        command.spawn().expect("the command starts").wait_with_output().expect("it ends")
    };
    let plan = file("written.xml", include_str!("../../formats/plans/two_channels.xml"));
    let plan = plan.to_str().expect("a path");
    // Those that verify print as they go.
    let commands = [
        &["devices"][..],
        &["devices", "cpu", "--json"],
        &["verify", "ring", "--ranks", "2..=3"],
        &["verify", plan],
    ];
    for args in commands {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("it opens");
        let output = to(args, full.into());
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        assert!(stderr(&output).contains("cannot write the result"), "{}", stderr(&output));

        let (reader, writer) = std::io::pipe().expect("there are pipes");
        drop(reader);
        let output = to(args, writer.into());
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        // Drivers may have something to say there.
        assert!(!stderr(&output).contains("cannot write"), "{}", stderr(&output));
    }
}

#[test]
fn negative_numbers_are_named_as_such() {
    for option in ["--workers", "--epochs", "--seed"] {
        let output = ringwood(&[option, "-1"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(&format!("invalid value '-1' for '{option} <N>'")));
    }
    for (args, option) in [
        (&["verify", "ring"][..], "--elements"),
        (&["explain", "all-reduce"], "--bytes"),
        (&["bench", "selection"], "--budget"),
    ] {
        let output = ringwood(&[args, &[option, "-1"]].concat());
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains(&format!("invalid value '-1' for '{option} <")), "{said}");
    }
}
