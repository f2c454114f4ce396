//! The `ringwood` command, run as a person runs it.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

#[path = "../support/devices.rs"]
mod devices;

mod collectives;
mod health;
mod kernels;
mod models;
mod train;
mod usage;

fn ringwood(args: &[&str]) -> Output {
    ringwood_with(args, &[])
}

/// Run with these variables in the environment.
fn ringwood_with(args: &[&str], env: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringwood"));
    command.args(args).envs(env.iter().copied()).output().expect("the command starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the command prints UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("the command prints UTF-8")
}

/// The object on the last line.
fn json(args: &[&str]) -> Value {
    json_with(args, &[])
}

fn json_with(args: &[&str], env: &[(&str, &str)]) -> Value {
    let output = ringwood_with(args, env);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    let text = stdout(&output);
    let last = text.lines().last().expect("something is printed");
    serde_json::from_str(last).unwrap_or_else(|e| panic!("{args:?}: {e} in {last}"))
}

/// The object on the last line of `n` ranks; `None` if the launcher is not installed.
fn under(launcher: &str, n: usize, args: &[&str]) -> Option<Value> {
    let mut command = Command::new(launcher);
    if launcher == "mpirun.openmpi" {
        command.args(["--allow-run-as-root", "--oversubscribe"]);
    }
    command.args(["-n", &n.to_string(), env!("CARGO_BIN_EXE_ringwood")]).args(args);
    let output = match command.output() {
        Ok(output) => output,
        Err(error) => {
            let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
            assert!(!required.split(',').any(|name| name == "mpi"), "{launcher}: {error}");
            println!("skipped: {launcher}: {error}");
            return None;
        }
    };
    assert!(output.status.success(), "{launcher}: {}{}", stderr(&output), stdout(&output));
    let text = stdout(&output);
    Some(serde_json::from_str(text.lines().last().expect("something is printed")).expect("JSON"))
}

/// The failure that `args` lead to, as its kind and its text.
fn failure(args: &[&str]) -> (String, String) {
    let output = ringwood(&[args, &["--json"]].concat());
    let text = stdout(&output);
    let object: Value =
        serde_json::from_str(text.lines().last().expect("an object")).expect("JSON");
    assert_eq!(stderr(&output), "", "said twice");
    let word = |key: &str| object["error"][key].as_str().expect("a text").to_owned();
    let code = if word("kind") == "unsupported" { 3 } else { 1 };
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    (word("kind"), word("text"))
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the test can write its file");
    path
}

/// A file in the folder of the tests.
fn path(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().expect("a path").to_owned()
}
