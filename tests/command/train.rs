//! `ringwood train`

use super::{failure, file, json, ringwood, ringwood_with, stderr, stdout, under};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn training_reaches_95_percent_and_two_runs_end_with_the_same_weights() {
    let saved = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("digits.onnx");
    let first = json(&["--json", "--save", saved.to_str().expect("a path")]);
    let (saved, committed) = (std::fs::read(saved), std::fs::read("data/digits.onnx"));
    let same = saved.expect("the network") == committed.expect("the network");
    assert!(same, "it is not data/digits.onnx: write that with `ringwood --save data/digits.onnx`");
    assert!(first["accuracy"].as_f64().expect("a number") >= 0.95, "{first}");
    assert_eq!(first["verified"], true);
    assert_eq!(first["workers"], 4);
    assert_eq!(first["devices"], serde_json::json!(["cpu:0"]));
    assert!(first["step_seconds"].as_f64().expect("a number") > 0.0);
    let share = first["all_reduce_share"].as_f64().expect("a number");
    assert!(share > 0.0 && share < 1.0, "{share}");
    assert!(first["bytes_moved"].as_u64().expect("a number") > 0);

    let second = json(&["train", "--json"]);
    assert_eq!(first["weights_hash"], second["weights_hash"]);
    let other = json(&["--seed", "2", "--epochs", "1", "--json"]);
    assert_ne!(first["weights_hash"], other["weights_hash"]);
}

#[test]
fn any_number_of_workers_trains() {
    for workers in ["1", "3", "16"] {
        let result = json(&["--workers", workers, "--epochs", "2", "--json"]);
        assert_eq!(result["workers"].to_string(), workers);
        assert!(result["accuracy"].as_f64().expect("a number") > 0.2, "{result}");
    }
}

/// A worker is killed in the middle of training.
#[test]
#[cfg(target_os = "linux")]
fn a_training_whose_worker_dies_goes_on_from_its_checkpoint_and_ends_with_the_same_weights() {
    let file = format!("killed-{}.safetensors", std::process::id());
    let path = std::env::temp_dir().join(file).display().to_string();
    let arguments = ["train", "--workers", "3", "--epochs", "20", "--json"];
    let more = ["--session", "processes", "--checkpoint", &path];
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringwood"));
    command.args(arguments).args(more).stdout(Stdio::piped()).stderr(Stdio::piped());
    let running = command.spawn().unwrap();
    let start = Instant::now();
    while !Path::new(&path).exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "no checkpoint is written");
        std::thread::sleep(Duration::from_millis(1));
    }
    let workers: Vec<String> = std::fs::read_dir(format!("/proc/{}/task", running.id()))
        .unwrap()
        .flat_map(|thread| std::fs::read_to_string(thread.unwrap().path().join("children")))
        .flat_map(|children| children.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(Command::new("kill").args(["-KILL", &workers[1]]).status().unwrap().success());
    let output = running.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let ended: Value = serde_json::from_str(stdout(&output).lines().last().unwrap()).unwrap();
    let failure = ended["failures"][0].as_str().unwrap_or_default();
    assert!(failure.contains("was killed by signal 9 (SIGKILL); it "), "{ended}");
    assert_eq!(ended["weights_hash"], json(&arguments)["weights_hash"]);
    // A command that is started anew has nothing left to learn.
    let again = json(&[&arguments[..], &["--checkpoint", &path]].concat());
    assert_eq!(ended["weights_hash"], again["weights_hash"]);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_checkpoint_goes_on_with_what_it_was_begun_with() {
    let path = super::path("resumed.safetensors");
    let _ = std::fs::remove_file(&path);
    let begun = ["--epochs", "2", "--checkpoint", &path];
    let trained = json(&[&begun[..], &["--json"]].concat());
    assert_eq!((&trained["passes"], &trained["steps"]), (&2.into(), &22.into()));
    let digits = std::fs::read_to_string("data/digits.csv").expect("the digits");
    let fewer: String = digits.split_inclusive('\n').take(1000).collect();
    let fewer = file("fewer.csv", &fewer);
    for (other, named) in [
        (["--seed", "2"], "is of another training: seed 1, not 2; "),
        (["--workers", "3"], "number of workers 4, not 3"),
        (["--data", fewer.to_str().expect("a path")], "hash of the data "),
    ] {
        let (kind, text) = failure(&[&begun[..], &other].concat());
        assert!(kind == "invalid_argument" && text.contains(named), "{kind}: {text}");
    }
    let less = ringwood(&["--epochs", "1", "--checkpoint", &path]);
    assert!(stderr(&less).contains("has 2 passes behind it, more than the 1 of"), "{less:?}");
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_training() {
    for (option, file) in [("--checkpoint", "nodir/x.safetensors"), ("--save", "nodir/x.onnx")] {
        let output = ringwood(&[option, file]);
        let text = stderr(&output);
        assert!(text.starts_with(&format!("error: {file} cannot be written: ")), "{text}");
        assert_eq!((text.lines().count(), stdout(&output).as_str()), (1, ""), "{text}");
    }
    let (_, text) = failure(&["--save", "x.txt"]);
    assert!(text.starts_with("`--save x.txt` does not end in `.onnx`"), "{text}");
    let (_, text) = failure(&["--checkpoint", "x.onnx"]);
    assert!(text.starts_with("`--checkpoint x.onnx` does not end in `.safetensors`"), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn training_on_every_kind_of_session_ends_with_the_same_weights() {
    let trained = |kind| ["train", "--session", kind, "--epochs", "2", "--json"];
    let on = |kind| json(&[&trained(kind)[..], &["--workers", "3"]].concat());
    let (threads, processes) = (on("threads"), on("processes"));
    assert_eq!(processes["session"], "processes");
    let over = ["--workers", "3", "--transport", "socket"];
    let over_sockets = json(&[&trained("processes")[..], &over].concat());
    assert_eq!(over_sockets["weights_hash"], threads["weights_hash"]);
    let launched =
        [("mpirun.openmpi", 4, "mpi"), ("mpirun.mpich", 4, "mpi"), ("mpirun.mpich", 3, "mpi_all")];
    let launched = launched.map(|(launcher, n, kind)| under(launcher, n, &trained(kind)));
    for other in launched.iter().flatten().chain([&processes]) {
        for field in ["weights_hash", "correct", "steps", "workers"] {
            assert_eq!(threads[field], other[field], "{field} of {other}");
        }
    }
    let (kind, text) = failure(&["--session", "mpi"]);
    assert_eq!(kind, "unavailable");
    assert!(text.contains("start the program with `mpirun -n 5`, for four workers"), "{text}");
    assert_eq!(failure(&["--session", "mpj"]).0, "not_found");
}

#[test]
fn wrong_arguments_of_training_are_named() {
    let (kind, text) = failure(&["--workers", "0"]);
    assert_eq!(kind, "invalid_argument", "{text}");
    assert!(text.contains("worker"), "{text}");

    let (kind, text) = failure(&["--collective", "rnig"]);
    assert_eq!(kind, "not_found", "{text}");
    assert!(text.starts_with("no collective `rnig`, did you mean `ring`?"), "{text}");
    assert!(text.ends_with(" more"), "{text}");
    let (_, text) = failure(&["--collective", "bruck_all_gather"]);
    assert!(text.contains("computes all_gather, not all_reduce"), "{text}");
    assert_eq!(failure(&["--epochs", "0"]).0, "invalid_argument");
    let (_, text) = failure(&["--transport", "sockte"]);
    assert!(text.starts_with("no transport `sockte`, did you mean `socket`?"), "{text}");
    let empty = ringwood_with(&["--epochs", "1"], &[("RINGWOOD_SESSION", "")]);
    assert!(stderr(&empty).contains("the variable `RINGWOOD_SESSION` is empty"), "{empty:?}");

    let (_, text) = failure(&["--data", "no-such-file.csv"]);
    assert!(text.contains("no-such-file.csv"), "{text}");

    #[cfg(target_os = "linux")]
    {
        let (kind, text) = failure(&["--data", "/dev/zero"]);
        assert_eq!(kind, "invalid_argument");
        assert!(text.contains("`/dev/zero` has more than"), "{text}");
    }

    let malformed = file("malformed.csv", "1,2,3\n");
    let (_, text) = failure(&["--data", malformed.to_str().expect("a path")]);
    assert!(text.contains("line: 1") && text.contains("expected 65 fields, found 3"), "{text}");

    let tiny = file("tiny.csv", &format!("{}7\n", "3,".repeat(64)));
    let (kind, text) = failure(&["--data", tiny.to_str().expect("a path")]);
    assert_eq!(kind, "invalid_argument", "{text}");
    assert!(text.contains("images"), "{text}");
}
