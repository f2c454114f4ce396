//! The `ringwood` command, run as a person runs it.

use ringwood::DType;
use ringwood::graph::{Graph, TensorType};
use ringwood::models::{npy, npz, onnx, safetensors};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

#[path = "support/devices.rs"]
mod devices;

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
    assert!(output.status.success(), "{launcher}: {}", stderr(&output));
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
    let arguments = ["train", "--workers", "3", "--epochs", "5", "--json"];
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
#[cfg(target_os = "linux")]
fn training_on_every_kind_of_session_ends_with_the_same_weights() {
    let trained = |kind| ["train", "--session", kind, "--epochs", "2", "--json"];
    let on = |kind| json(&[&trained(kind)[..], &["--workers", "3"]].concat());
    let (threads, processes) = (on("threads"), on("processes"));
    assert_eq!(processes["session"], "processes");
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
    assert_eq!(failure(&["--epochs", "0"]).0, "invalid_argument");

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

#[test]
fn usage_errors_exit_with_2_and_help_with_0() {
    assert_eq!(ringwood(&["--workres", "2"]).status.code(), Some(2));
    assert_eq!(ringwood(&["trian"]).status.code(), Some(2));
    let usage = ringwood(&["--workres", "2", "--json"]);
    let object: Value = serde_json::from_slice(&usage.stdout).expect("one object");
    assert_eq!(object["error"]["kind"], "usage");
    assert_eq!((usage.status.code(), stderr(&usage).as_str()), (Some(2), ""));
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
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
}

#[test]
fn the_number_of_threads_is_given_or_refused() {
    let one = json(&["devices", "cpu", "--threads", "1", "--json"]);
    let told = one["devices"][0]["capabilities"]["description"].as_str().expect("a text");
    assert!(told.ends_with(", 1 thread"), "{told}");
    assert_eq!(ringwood(&["devices", "--threads", "0"]).status.code(), Some(2));
    let mut command = Command::new(env!("CARGO_BIN_EXE_ringwood"));
    let output = command.args(["--epochs", "1"]).env("RINGWOOD_THREADS", "many").output();
    let output = output.expect("the command starts");
    assert_eq!(output.status.code(), Some(1), "{}", stdout(&output));
    assert!(stderr(&output).contains("RINGWOOD_THREADS is `many`"), "{}", stderr(&output));
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
    let (all, cuda) = (["kernels", "--json"], ["kernels", "--device", "cuda", "--json"]);
    assert!(rows(&cuda, "kernels").len() < rows(&all, "kernels").len());
}

#[test]
fn one_kernel_is_shown_with_its_ir_and_an_unknown_one_lists_the_known() {
    let shown = json(&["kernels", "relu", "--json"]);
    assert_eq!(shown["kernels"][0]["form"], "map");
    let ir = stdout(&ringwood(&["kernels", "relu", "--emit", "ir"]));
    assert!(ir.contains("relu"), "{ir}");
    let (kind, text) = failure(&["kernels", "rleu"]);
    assert_eq!(kind, "not_found");
    assert!(text.contains(", did you mean `relu`?"), "{text}");
    let opencl = stdout(&ringwood(&["kernels", "relu", "--emit", "opencl"]));
    assert!(opencl.contains("__kernel void relu_kernel("), "{opencl}");
    let cpu = stdout(&ringwood(&["kernels", "relu", "--emit", "cpu"]));
    assert!(cpu.contains("fn element<const INLINE: bool>("), "{cpu}");
    let cuda = stdout(&ringwood(&["kernels", "relu", "--emit", "cuda"]));
    assert!(cuda.contains("__global__ void relu_kernel("), "{cuda}");
    let (kind, text) = failure(&["kernels", "matmul", "--emit", "cpu"]);
    assert_eq!(kind, "unsupported", "{text}");
    // Of its items, that for the processor has no portable body.
    let ir = stdout(&ringwood(&["kernels", "matmul", "--emit", "ir"]));
    assert!(ir.starts_with("kernel matmul(") && ir.contains("groups of 16 x 16"), "{ir}");
}

#[test]
fn a_collective_is_proved_for_the_ranks_asked_for() {
    let text = stdout(&ringwood(&["verify", "ring", "--ranks", "8"]));
    assert!(text.starts_with("ring  8 ranks  values ok"), "{text}");
    let verdict = json(&["verify", "ring", "--ranks", "4", "--json"]);
    assert_eq!(verdict["verdicts"][0]["ranks"], 4, "{verdict}");
    let range = json(&["verify", "ring", "--ranks", "1..=9", "--json"]);
    assert_eq!(range["verdicts"].as_array().expect("a list").len(), 9);
    let nodes = ["verify", "hierarchical", "--ranks", "7", "--arrange", "nodes=4,3", "--json"];
    assert_eq!(json(&nodes)["verdicts"][0]["scratch"], 2, "not hierarchical");
    let wrong = ["verify", "hierarchical", "--ranks", "8", "--arrange", "nodes=4,3"];
    assert!(failure(&wrong).1.contains("an arrangement of 7 ranks for a group of 8"));
    let verdict = json(&["verify", "ring", "--ranks", "4", "--roundings", "4", "--json"]);
    assert_eq!(verdict["verdicts"][0]["roundings"], 4, "{verdict}");
    let refused = ringwood(&["verify", "ring", "--ranks", "4", "--roundings", "3"]);
    assert!(!refused.status.success());
    assert!(stdout(&refused).contains("rounded 4 times, 3 are allowed"), "{}", stdout(&refused));
    assert_eq!(failure(&["verify", "ring", "--ranks", "0"]).0, "invalid_argument");
    assert_eq!(failure(&["verify", "rnig", "--ranks", "4"]).0, "not_found");
    let (kind, text) = failure(&["verify", "ring", "--ranks", "1000000"]);
    assert_eq!(kind, "unsupported");
    assert!(text.contains("fewer ranks"), "{text}");
    assert!(stderr(&ringwood(&["verify", "ring", "--ranks", "0..4"])).contains("`2..=64`"));
}

#[test]
fn every_collective_is_proved_in_one_table() {
    let report = json(&["verify", "--all", "--ranks", "1..=3", "--json"]);
    let rows = report["collectives"].as_array().expect("a list");
    let ring = rows.iter().find(|row| row["collective"] == "ring").expect("it is registered");
    assert_eq!((&ring["proofs"], &ring["orders"][0]), (&3.into(), &"ring".into()));
    assert_eq!(report["failed"], 0, "{report}");
    let text = stdout(&ringwood(&["verify", "--all", "--ranks", "2"]));
    assert!(text.contains("all hold"), "{text}");
    assert!(!ringwood(&["verify"]).status.success());
    assert!(!ringwood(&["verify", "ring", "--all"]).status.success());
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_written_is_a_failure_but_a_reader_that_left_is_not() {
    let to = |sink: Stdio| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringwood"));
        command.arg("devices").stdout(sink).stderr(Stdio::piped());
        command.spawn().expect("the command starts").wait_with_output().expect("it ends")
    };
    let full = std::fs::File::options().write(true).open("/dev/full").expect("it opens");
    let output = to(full.into());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot write the result"), "{}", stderr(&output));

    let (reader, writer) = std::io::pipe().expect("there are pipes");
    drop(reader);
    assert_eq!(to(writer.into()).status.code(), Some(0));
}

#[test]
fn negative_numbers_are_named_as_such() {
    for option in ["--workers", "--epochs", "--seed"] {
        let output = ringwood(&[option, "-1"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(&format!("invalid value '-1' for '{option} <N>'")));
    }
}

#[test]
fn one_kernel_is_shown_with_every_signature() {
    let text = stdout(&ringwood(&["kernels", "add"]));
    assert!(text.contains("&[f32]") && text.contains("&[u64]"), "{text}");
}

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
    assert!(text.starts_with(&format!("2 workers of process {process}: no rank waits")), "{text}");
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
    assert_eq!(failure(&["conformance", "--backend", "cup"]).0, "not_found");
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
fn simulate_tells_time_traffic_and_method() {
    let args = ["simulate", "ring", "--ranks", "64", "--bytes", "1MiB"];
    let ring = json(&[&args[..], &["--topology", "torus:8x8", "--json"]].concat());
    let seconds = ring["seconds"].as_f64().expect("a number");
    assert!(seconds >= ring["lower_bound"].as_f64().expect("a number"), "{ring}");
    assert_eq!(ring["messages"], 64 * 126);
    assert_eq!(ring["moved"], 126 << 20);
    assert_eq!((&ring["method"], &ring["contention"]), (&"steps".into(), &true.into()));
    assert_eq!(ring["levels"].as_array().expect("levels").len(), 2);
    let text = stdout(&ringwood(&["simulate", "ring", "--ranks", "65536", "--bytes", "1GiB"]));
    assert!(text.contains("all ranks do the same in turn: one simulated"), "{text}");

    let (kind, text) = failure(&[&args[..], &["--topology", "torus:4x4"]].concat());
    assert_eq!(kind, "invalid_argument", "{text}");
    assert!(text.contains("holds 16 ranks, not 64"), "{text}");
    assert!(failure(&["simulate", "ring", "--bytes", "7"]).1.contains("a multiple of 4 bytes"));
    assert_eq!(failure(&["simulate", "rnig"]).0, "not_found");
    let wrong = ringwood(&["simulate", "ring", "--topology", "hypercube"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(stderr(&wrong).contains("there is no topology `hypercube`"), "{}", stderr(&wrong));
}

const PLAN: &str = include_str!("../formats/plans/two_channels.xml");

#[test]
fn a_plan_is_verified_as_its_file_and_as_a_schedule() {
    let path = file("plan.xml", PLAN);
    let plan = path.to_str().expect("UTF-8");
    let verified = json(&["verify", plan, "--json"]);
    assert_eq!(verified["reports"][0]["findings"], serde_json::json!([]));
    assert_eq!(verified["verdicts"][0]["ranks"], 2);

    let racing = PLAN.replace("depid=\"1\" deps=\"1\"", "depid=\"-1\" deps=\"-1\"");
    let racing = file("racing.xml", &racing);
    let output = ringwood(&["verify", racing.to_str().expect("UTF-8")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("WRONG: race on output 1 of rank 0"), "{}", stdout(&output));

    let asked = failure(&["verify", plan, "--ranks", "4"]);
    assert_eq!(asked.0, "invalid_argument");
    assert!(asked.1.contains("is for 2 ranks, not for 4; leave `--ranks` out"), "{}", asked.1);
    assert!(ringwood(&["verify", plan, "--ranks", "2"]).status.success());

    let extra = file("extra.xml", &PLAN.replacen("<algo ", "<algo maxcount=\"4\" ", 1));
    let extra = ringwood(&["verify", extra.to_str().expect("UTF-8")]);
    assert!(extra.status.success() && stderr(&extra).contains("attribute `maxcount` is ignored"));
    let unknown = file("unknown.xml", &PLAN.replacen("type=\"r\"", "type=\"sum\"", 1));
    assert_eq!(failure(&["verify", unknown.to_str().expect("UTF-8")]).0, "unsupported");
    let broken = file("broken.xml", &PLAN.replacen("</algo>", "", 1));
    assert_eq!(failure(&["verify", broken.to_str().expect("UTF-8")]).0, "invalid_argument");

    let (kind, text) = failure(&["verify", "no-such-plan.xml"]);
    assert_eq!(kind, "not_found");
    assert!(text.contains("cannot read no-such-plan.xml"), "{text}");
}

#[test]
fn options_that_mean_nothing_for_what_is_verified_are_refused() {
    let path = file("options.xml", PLAN);
    let plan = path.to_str().expect("UTF-8");
    let drawing = file("options.svg", "");
    let drawing = drawing.to_str().expect("UTF-8");
    let refused: [(&[&str], &str); 8] = [
        (&["verify", plan, "--elements", "64"], "--elements"),
        (&["verify", plan, "--roundings", "3"], "--roundings"),
        (&["verify", plan, "--arrange", "nodes=2"], "--arrange"),
        (&["verify", plan, "--elements", "64", "--roundings", "3"], "--elements and --roundings"),
        (&["draw", plan, "--arrange", "nodes=2", "-o", drawing], "--arrange"),
        (&["verify", "ring", "--relaxed", "memory"], "--relaxed"),
        (&["verify", "ring", "--packets", "memory"], "--packets"),
        (&["verify", "--all", "--ranks", "2", "--packets", "reads"], "--packets"),
    ];
    for (args, option) in refused {
        let (kind, text) = failure(args);
        assert_eq!(kind, "invalid_argument", "{args:?}");
        assert!(text.starts_with(&format!("{option}: ")), "{args:?}: {text}");
        assert!(text.contains(&format!("leave {option} out")), "{args:?}: {text}");
    }
    assert!(ringwood(&["verify", plan, "--relaxed", "memory"]).status.success());
}

#[test]
fn a_schedule_is_exported_and_read_again() {
    let path = file("ring.xml", "");
    let ring = path.to_str().expect("UTF-8");
    json(&["export", "ring", "--ranks", "4", "--format", "msccl-xml", "-o", ring, "--json"]);
    let verified = json(&["verify", ring, "--json"]);
    assert_eq!(verified["verdicts"][0]["order"], "ring");

    let prefix = ring.strip_suffix(".xml").expect("the suffix");
    json(&["export", "ring", "--ranks", "2", "--format", "chakra", "-o", prefix, "--json"]);
    assert!(std::fs::read(format!("{prefix}.1.et")).expect("a trace").len() > 100);
    json(&["export", "ring", "--ranks", "2", "--format", "json", "-o", prefix, "--json"]);
    let schedule = std::fs::read_to_string(prefix).expect("the schedule");
    let read: Value = serde_json::from_str(&schedule).expect("JSON");
    assert_eq!(read["schedule"]["lanes"].as_array().expect("lanes").len(), 2);
    let two = file("ring.json", &schedule);
    let verified = json(&["verify", two.to_str().expect("UTF-8"), "--json"]);
    assert_eq!(verified["verdicts"][0]["ranks"], 2, "{verified}");
    let other = file("rooted.json", &schedule.replace("\"root\": 0", "\"root\": 9"));
    let (_, text) = failure(&["verify", other.to_str().expect("UTF-8")]);
    assert!(text.contains("root 9 is not in a group of 2 ranks"), "{text}");
    for (field, value) in [("root", "4294967296"), ("first", "-1"), ("peer", "4294967296")] {
        let start = schedule.find(&format!("\"{field}\": ")).expect("the field") + field.len() + 4;
        let end = start + schedule[start..].find(|c: char| !c.is_ascii_digit()).expect("an end");
        let wrong = format!("{}{value}{}", &schedule[..start], &schedule[end..]);
        let wrong = file("wrong.json", &wrong);
        let (kind, text) = failure(&["verify", wrong.to_str().expect("UTF-8")]);
        assert_eq!(kind, "invalid_argument");
        for part in [&*format!("field `{field}`"), value, "from 0 to 4294967295"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    let args = ["export", "binomial_broadcast", "--format", "msccl-xml", "-o", ring];
    let (kind, text) = failure(&args);
    assert_eq!(kind, "unsupported");
    assert!(text.contains("MSCCL XML has no name for broadcast"), "{text}");
}

#[test]
fn collectives_and_plans_are_drawn() {
    let path = file("drawing.svg", "");
    let drawing = path.to_str().expect("UTF-8");
    let plan = file("drawn.xml", PLAN);
    for name in ["ring", plan.to_str().expect("UTF-8")] {
        json(&["draw", name, "-o", drawing, "--json"]);
        assert!(std::fs::read_to_string(&path).expect("a drawing").starts_with("<svg"));
    }
    // Of many bytes, the ring resolves to segments.
    json(&["draw", "ring", "--ranks", "2", "--bytes", "1MiB", "-o", drawing, "--json"]);
    let segments = std::fs::read_to_string(&path).expect("a drawing");
    json(&["draw", "ring", "--ranks", "2", "--bytes", "1KiB", "-o", drawing, "--json"]);
    assert_ne!(segments, std::fs::read_to_string(&path).expect("a drawing"));
    let (_, text) = failure(&["draw", "ring", "-o", "ring.png"]);
    assert!(text.contains("drawings are SVG files"), "{text}");
    let (kind, _) = failure(&["draw", "ring", "--ranks", "5000", "-o", drawing]);
    assert_eq!(kind, "unsupported");
}

#[test]
fn explain_gives_candidates_with_times_and_the_price_of_an_order() {
    let args = ["explain", "all-reduce", "--ranks", "4", "--bytes", "64KiB", "--json"];
    let free = json(&args);
    let candidates = free["candidates"].as_array().expect("candidates");
    assert!(candidates.len() > 3, "{free}");
    assert_eq!(free["chosen"], candidates[0]["name"]);
    assert!(candidates.iter().all(|c| c["measured"].is_null()), "{free}");

    let fixed = json(&[&args[..], &["--order", "linear", "--measure"]].concat());
    let candidates = fixed["candidates"].as_array().expect("candidates");
    assert!(candidates.iter().all(|c| c["order"] == "linear"), "{fixed}");
    assert!(candidates.iter().all(|c| c["measured"].as_f64() > Some(0.0)), "{fixed}");
    assert!(fixed["price"].as_f64() >= Some(1.0) && fixed["regret"].as_f64() >= Some(1.0));
    let refused = fixed["refused"].as_array().expect("refusals");
    assert!(refused.iter().any(|r| r["name"] == "ring" && r["why"].as_str().is_some()));

    let ring = ringwood(&["explain", "all-reduce", "--order", "ring"]);
    assert_eq!(ring.status.code(), Some(2));
    assert!(stderr(&ring).contains("no order `ring` that can be fixed"), "{}", stderr(&ring));
    assert!(stderr(&ringwood(&["explain", "all-sum"])).contains("there is no operation `all-sum`"));
}

#[test]
fn a_calibration_is_kept_used_and_measured_again_if_it_is_damaged() {
    let cache = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("calibration");
    let _ = std::fs::remove_dir_all(&cache);
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ringwood"));
        command.args(args).env("XDG_CACHE_HOME", &cache).output().expect("the command starts")
    };
    let last = |output: &Output| -> Value {
        let text = stdout(output);
        serde_json::from_str(text.lines().last().expect("an object")).expect("JSON")
    };
    let explain = ["explain", "barrier", "--ranks", "2", "--json"];
    assert_eq!(last(&run(&explain))["costs"], "assumed");
    let calibrate = ["calibrate", "--ranks", "2", "--operations", "barrier", "--json"];
    let calibration = last(&run(&calibrate));
    let path = PathBuf::from(calibration["path"].as_str().expect("a path"));
    assert!(path.starts_with(&cache) && path.exists(), "{calibration}");
    assert_eq!(last(&run(&explain))["costs"]["measured"], calibration["path"]);

    std::fs::write(&path, "{ half").expect("the test can write its file");
    let damaged = run(&explain);
    assert!(damaged.status.success());
    assert!(stderr(&damaged).contains("warning: the calibration"), "{}", stderr(&damaged));
    assert!(last(&damaged)["costs"]["unusable"].as_str().expect("a reason").contains("damaged"));
    assert!(run(&calibrate).status.success());
    assert_eq!(last(&run(&explain))["costs"]["measured"], calibration["path"]);

    let file = cache.join("file");
    std::fs::write(&file, "").expect("the test can write its file");
    let mut unwritable = Command::new(env!("CARGO_BIN_EXE_ringwood"));
    let output = unwritable.args(calibrate).env("XDG_CACHE_HOME", &file).output();
    let output = output.expect("the command starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("cannot write the calibration"), "{}", stdout(&output));
}

/// A file in the folder of the tests.
fn path(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().expect("a path").to_owned()
}

const DIGITS: &str = "data/digits.onnx";

#[test]
fn files_of_models_and_of_tensors_are_described() {
    let model = json(&["inspect", DIGITS, "--json"]);
    assert_eq!(model["format"], "ONNX model");
    assert_eq!(model["inputs"][0]["type"], "f32[images, 64]");
    assert_eq!(
        (&model["tensors"][0]["bytes"], &model["tensor_bytes"]),
        (&16384.into(), &19240.into())
    );
    let add = serde_json::json!({ "set": "ai.onnx", "operator": "Add", "nodes": 2 });
    assert_eq!(model["operators"][0], add);
    let text = stdout(&ringwood(&["inspect", DIGITS]));
    assert!(text.contains("operator sets   ai.onnx 20"), "{text}");

    let ty = TensorType::new(DType::U8, &[2]).expect("a type");
    let names: Vec<_> = (0..25).map(|i| format!("{i}.{}", "name.".repeat(30))).collect();
    let tensors: Vec<_> = names.iter().map(|name| (name.as_str(), ty, &[1, 2][..])).collect();
    for file in ["many.npz", "many.safetensors"] {
        let many = path(file);
        match file {
            "many.npz" => npz::save(&many, &tensors),
            _ => safetensors::save(&many, &tensors),
        }
        .expect("the file is written");
        let text = stdout(&ringwood(&["inspect", &many]));
        assert!(text.contains("25 tensors, 50 bytes") && text.ends_with("and 5 more\n"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
        let all = stdout(&ringwood(&["inspect", &many, "--all"]));
        assert_eq!(all.matches("u8[2]").count(), 25, "{all}");
    }
    let (kind, text) = failure(&["inspect", "README.md"]);
    assert_eq!(kind, "unsupported");
    assert!(
        text.ends_with("known: .json, .npy, .npz, .params, .onnx, .ringwood, .safetensors"),
        "{text}"
    );
    let (_, text) = failure(&["inspect", file("none.onnx", "no model").to_str().expect("a path")]);
    assert!(text.contains("none.onnx") && text.contains("no ONNX model"), "{text}");
}

#[test]
fn a_model_is_run_on_data_or_on_a_seed() {
    let (pixels, out) = (path("pixels.npy"), path("out"));
    let ty = TensorType::new(DType::F32, &[2, 64]).expect("a type");
    let gray: Vec<u8> = [8.0_f32; 128].iter().flat_map(|v| v.to_ne_bytes()).collect();
    npy::save(&pixels, ty, &gray).expect("the file is written");
    let input = format!("pixels={pixels}");
    let run = ["run", DIGITS, "--input", &input, "--output-dir", &out, "--repeat", "3", "--json"];
    let ran = json(&run);
    assert_eq!(ran["outputs"][0]["type"], "f32[2, 10]");
    let (ty, scores) = npy::load(format!("{out}/scores.npy")).expect("the scores");
    assert_eq!((ty.to_string(), scores.len()), ("f32[2, 10]".to_owned(), 80));
    assert_eq!(scores[..40], scores[40..], "two images that are the same");
    assert_eq!(ran["seconds"]["runs"].as_array().expect("a list").len(), 3);
    assert!(ran["devices"][0]["nodes"].as_u64() > Some(0), "{ran}");
    for part in ["load", "infer", "plan", "compile"] {
        assert!(ran["seconds"][part].as_f64() > Some(0.0), "{part}: {ran}");
    }
    assert!(ran["seconds"]["fold"].is_number());
    assert_eq!(ran["devices"][0]["inputs"], 2 * 64 * 4);
    assert_eq!(ran["devices"][0]["outputs"], 2 * 10 * 4 + 2 * 4);
    let again = json(&["run", DIGITS, "--input", &input, "--devices", "cpu", "--json"]);
    assert_eq!(again["outputs"][0]["hash"], ran["outputs"][0]["hash"]);

    let made_up = |more: &[&str]| json(&[&["run", DIGITS, "--json"], more].concat());
    let one = made_up(&[]);
    for policy in ["kernel", "data", "cost"] {
        assert_eq!(made_up(&["--policy", policy])["outputs"], one["outputs"], "{policy}");
    }
    let (_, text) = failure(&["run", DIGITS, "--policy", "explicit"]);
    assert!(text.contains("names no device"), "{text}");
    assert_eq!(one["inputs"][0]["type"], "f32[1, 64]");
    assert_ne!(made_up(&["--seed", "2"])["inputs"][0]["hash"], one["inputs"][0]["hash"]);
    assert_eq!(made_up(&["--shape", "pixels=5x64"])["outputs"][1]["type"], "i32[5]");
    let trace = path("trace.json");
    let picture = path("digits.svg");
    made_up(&["--trace", &trace, "--draw", &picture]);
    let picture = std::fs::read_to_string(picture).expect("the picture");
    assert!(picture.starts_with("<svg") && picture.contains("matmul"), "{picture}");
    let trace = std::fs::read_to_string(trace).expect("the trace");
    let trace: Value = serde_json::from_str(&trace).expect("JSON");
    let nodes = trace["traceEvents"].as_array().expect("a list").iter().filter(|e| e["ph"] == "X");
    assert!(nodes.into_iter().any(|node| node["name"] == "argmax"), "{trace}");
    let text = stdout(&ringwood(&["run", DIGITS, "--repeat", "3"]));
    assert!(text.contains("(made up)") && text.contains("(the fastest of 2; mean "), "{text}");
}

#[test]
fn any_number_of_threads_gives_the_same_bits_of_a_network_of_text() {
    let bert = "models/tests/data/bert-2-layers/bert-2-layers.onnx";
    let run = |threads: &str| json(&["run", bert, "--threads", threads, "--seed", "7", "--json"]);
    let one = run("1");
    for threads in ["2", "8"] {
        assert_eq!(run(threads)["outputs"], one["outputs"], "{threads} threads");
    }
}

#[test]
fn an_index_out_of_bounds_names_the_node_of_the_file() {
    let mut graph = Graph::new();
    let x = graph.open_input("x", DType::F32, &["n".into()]).expect("an input");
    let at = graph.input("at", DType::I64, &[2]).expect("an input");
    let node = |op_type: &str, name: &str| {
        let (opset, results) = (17_i64.into(), 1_usize.into());
        let (op_type, node) = (op_type.into(), name.into());
        vec![("op_type", op_type), ("opset", opset), ("results", results), ("node", node)]
    };
    let y = graph.apply_with("onnx", &[x, at], &node("Gather", "look up")[..]).expect("a node");
    let y = graph.apply_with("onnx", &[y], &node("Relu", "next")[..]).expect("a node");
    graph.output("y", y).expect("an output");
    let model = file("gather.json", &serde_json::to_string(&graph).expect("JSON"));
    let model = model.to_str().expect("a path");
    json(&["run", model, "--shape", "x=4", "--input", "at=3", "--json"]);
    let (kind, text) = failure(&["run", model, "--shape", "x=4", "--input", "at=99"]);
    assert_eq!(kind, "out_of_bounds");
    assert!(text.contains("out of bounds") && text.contains("of the model: look up"), "{text}");
}

#[test]
fn a_model_is_run_up_to_a_node() {
    let until = |node: &str| json(&["run", DIGITS, "--until", node, "--json"]);
    let whole = json(&["run", DIGITS, "--json"]);
    let scores = until("scores");
    assert_eq!(scores["outputs"][0], whole["outputs"][0], "an output");
    let graph = Graph::load(DIGITS).expect("the graph");
    let place = graph.outputs()[0].value.node;
    let before = graph.nodes()[place as usize].operands[0].node;
    let name = graph.nodes()[before as usize].called().expect("a name").to_owned();
    let (named, numbered) = (until(&name), until(&format!("%{before}")));
    assert_eq!(named["outputs"][0]["name"], name.as_str());
    assert_eq!(named["outputs"][0]["hash"], numbered["outputs"][0]["hash"]);
    assert_ne!(named["outputs"][0]["hash"], whole["outputs"][0]["hash"]);
    let (kind, text) = failure(&["run", DIGITS, "--until", "no such"]);
    assert_eq!(kind, "not_found");
    assert!(text.contains("no node `no such` among") && text.contains(&name), "{text}");
}

#[test]
fn wrong_inputs_of_a_model_are_named() {
    let (_, text) = failure(&["run", DIGITS, "--shape", "pixel=1x64"]);
    assert!(
        text.contains("no input or parameter `pixel`; known: ") && text.contains("pixels"),
        "{text}"
    );
    let (kind, text) = failure(&["run", DIGITS, "--shape", "pixels=1x65"]);
    assert_eq!(kind, "shape");
    assert!(text.contains("`pixels` takes the shape [images, 64], not [1, 65]"), "{text}");
    let (kind, text) = failure(&["run", DIGITS, "--shape", "pixels=99999999999999x64"]);
    assert!(kind == "unavailable" && text.contains("no memory for f32["), "{kind}: {text}");
    let pixels = path("pixels.npy");
    let ty = TensorType::new(DType::F32, &[1, 64]).expect("a type");
    npy::save(&pixels, ty, &[0; 256]).expect("a file");
    let given = format!("pixels={pixels}");
    let (_, text) = failure(&["run", DIGITS, "--input", &given, "--shape", "pixels=2x64"]);
    assert!(text.contains("`pixels` has the shape of its file, [1, 64]"), "{text}");
    let (_, text) = failure(&["run", DIGITS, "--params", &pixels]);
    assert!(text.contains("known: .npz, .params, .safetensors"), "{text}");
    let empty = file("empty.onnx", "");
    let (_, text) = failure(&["inspect", empty.to_str().expect("a path")]);
    assert!(text.contains("the model has no graph") && text.contains("git lfs pull"), "{text}");
    let (_, text) = failure(&["run", DIGITS, "--input", "pixels=no-such.npy"]);
    assert!(text.contains("no-such.npy"), "{text}");
    let (_, text) = failure(&["run", "no-such.model"]);
    assert!(text.ends_with("known: .json, .onnx, .ringwood"), "{text}");
    let (_, text) = failure(&["run", DIGITS, "--devices", "cpu,npu"]);
    assert!(text.contains("npu"), "{text}");
    let (_, text) = failure(&["run", DIGITS, "--output-dir", empty.to_str().expect("a path")]);
    assert!(text.contains("the folder") && text.contains("cannot be made"), "{text}");
    for wrong in [["--shape", "pixels=1xx64"], ["--input", "pixels"], ["--repeat", "0"]] {
        let output = ringwood(&[&["run", DIGITS], &wrong[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
    }
}

#[test]
fn a_package_holds_a_model_and_what_was_compiled_for_it() {
    let (package, again) = (path("digits.ringwood"), path("again.ringwood"));
    let first = json(&["run", DIGITS, "--package", &package, "--json"]);
    let ran = json(&["run", &package, "--use-code", "--json"]);
    assert_eq!(ran["outputs"], first["outputs"]);
    let text = stdout(&ringwood(&["inspect", &package, "--verify"]));
    assert!(text.contains("cpu:0") && text.contains("none that is compiled at run time"), "{text}");
    assert!(text.contains("weights/0-hidden.weight.npy  16512"), "{text}");
    let (_, text) = failure(&["inspect", DIGITS, "--verify"]);
    assert!(text.contains("ONNX model: it has no checksums"), "{text}");
    let (_, text) = failure(&["run", DIGITS, "--use-code"]);
    assert!(text.contains("digits.onnx") && text.contains("no archive"), "{text}");

    if devices::device(&devices::runtime(), "opencl:0").is_none() {
        return;
    }
    let off = &[("RINGWOOD_CACHE", "off")][..];
    let run = |file: &str, more: &[&str], env: &[(&str, &str)]| {
        let args = ["run", file, "--devices", "opencl", "--json"];
        let ran = json_with(&[&args[..], more].concat(), env);
        assert_eq!(ran["outputs"], first["outputs"]);
        ran["code"].clone()
    };
    run(DIGITS, &["--package", &package], off);
    let code = run(&package, &["--use-code", "--package", &again], off);
    assert!(code["given"].as_u64() > Some(6), "{code}");
    assert_eq!((&code["compiled"], &code["misfits"]), (&0.into(), &serde_json::json!([])));
    let parts = |file: &str| {
        let parts = json(&["inspect", file, "--json"])["parts"].clone();
        let names = parts.as_array().expect("a list").iter().map(|part| part["name"].clone());
        names.collect::<Vec<_>>()
    };
    assert_eq!(parts(&again), parts(&package), "what was not compiled is written as well");
    assert_eq!(run(&package, &[], off), Value::Null, "nobody asked for its code");
    // PoCL's environment decides how it compiles: its code is that of another driver.
    let code = run(&package, &["--use-code"], &[off[0], ("POCL_IS_ANOTHER", "1")]);
    assert_eq!((&code["given"], code["compiled"].as_u64() > Some(6)), (&0.into(), true), "{code}");
    assert!(code["misfits"][0].as_str().expect("a reason").contains("POCL_IS_ANOTHER"), "{code}");
}

#[test]
fn a_number_is_every_element_of_an_input() {
    let pixels = path("halves.npy");
    let ty = TensorType::new(DType::F32, &[2, 64]).expect("a type");
    let halves = [0.5_f32; 128].map(f32::to_ne_bytes).concat();
    npy::save(&pixels, ty, &halves).expect("a file");
    let file = json(&["run", DIGITS, "--input", &format!("pixels={pixels}"), "--json"]);
    let number =
        json(&["run", DIGITS, "--input", "pixels=0.5", "--shape", "pixels=2x64", "--json"]);
    assert_eq!(file["outputs"], number["outputs"]);
}

#[test]
fn outputs_are_files_whatever_they_are_called() {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[2]).expect("an input");
    for name in ["a/b", "a:b", ".."] {
        let y = graph.apply("neg", &[x]).expect("a node");
        graph.output(name, y).expect("an output");
    }
    let (model, out) = (path("names.onnx"), path("names"));
    onnx::save(&graph, &model).expect("the model is written");
    let ran = json(&["run", &model, "--output-dir", &out, "--json"]);
    let files: Vec<_> =
        (0..3).map(|i| ran["outputs"][i]["file"].as_str().expect("a file")).collect();
    assert_eq!(files, ["a_b", "a_b_", ".."].map(|name| format!("{out}/{name}.npy")));
    assert!(files.iter().all(|file| npy::load(file).is_ok()));
}

#[test]
fn every_node_that_cannot_be_run_is_listed() {
    let fine = stdout(&ringwood(&["run", DIGITS, "--check"]));
    assert!(fine.starts_with("7 nodes, all of which") && fine.contains("intermediates"), "{fine}");
    let mut graph = Graph::new();
    let x = graph.open_input("x", DType::F32, &["n".into()]).expect("an input");
    let node = |graph: &mut Graph, op_type: &str, domain: Option<&str>, x| {
        let mut with = vec![
            ("op_type", op_type.into()),
            ("opset", 17_i64.into()),
            ("results", 1_usize.into()),
            ("node", "its name".into()),
        ];
        with.extend(domain.map(|domain| ("domain", domain.into())));
        graph.apply_with("onnx", &[x], &with[..]).expect("a node")
    };
    let y = node(&mut graph, "NoSuch", None, x);
    let y = node(&mut graph, "Relu", None, y);
    let y = node(&mut graph, "QLinearAdd", Some("com.microsoft"), y);
    let z = node(&mut graph, "Not", None, x);
    graph.output("y", y).expect("an output");
    graph.output("z", z).expect("an output");
    let model = file("unknown.json", &serde_json::to_string(&graph).expect("JSON"));
    let model = model.to_str().expect("a path");
    let output = ringwood(&["run", model, "--check", "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let found = report["findings"].as_array().expect("a list");
    let told = |i: usize, key: &str| found[i][key].as_str().unwrap_or_default().to_owned();
    let operators: Vec<_> = (0..found.len()).map(|i| told(i, "operator")).collect();
    assert_eq!(operators, ["NoSuch", "QLinearAdd", "Not"]);
    assert_eq!((&found[0]["version"], told(0, "consumer").as_str()), (&17.into(), "Relu (node 2)"));
    assert_eq!(found[0]["operands"], serde_json::json!(["f32[1]"]));
    assert_eq!((told(1, "set").as_str(), &found[1]["operands"]), ("com.microsoft", &Value::Null));
    assert!(told(1, "help").contains("ONNX Runtime"), "{report}");
    assert_eq!(told(2, "consumer"), "output `z`");
    assert!(told(2, "reason").contains("bool"), "{report}");
    let text = stdout(&ringwood(&["run", model, "--check"]));
    assert!(
        text.starts_with("node 1 \"its name\": ai.onnx.NoSuch (17) of f32[1], for Relu"),
        "{text}"
    );
    assert!(text.ends_with("3 of 4 nodes cannot be run\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn races_of_a_kernel_are_looked_for_in_made_up_launches() {
    let report = json(&["kernels", "matmul_tn", "--check-races", "--json"]);
    assert!(report["launches"].as_u64().expect("a number") > 3, "{report}");
    assert!(report["work_items"].as_u64().expect("a number") > 100, "{report}");
    assert_eq!(report["races"], serde_json::json!([]));
    let (kind, text) = failure(&["kernels", "gelu", "--check-races"]);
    assert!(kind == "unsupported" && text.contains("maps have no races"), "{kind}: {text}");
}

#[test]
fn every_kernel_compiles_for_every_device_that_it_names() {
    let report = json(&["kernels", "gelu", "--check", "--json"]);
    let checks = report["checks"].as_array().unwrap();
    let of = |device: &str| {
        let found = checks.iter().filter(|c| c["device"].as_str().unwrap().starts_with(device));
        found.map(|c| c["outcome"].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(of("cpu"), ["passed"]);
    for device in ["opencl", "cuda"] {
        let outcomes = of(device);
        assert!(!outcomes.is_empty(), "{report}");
        assert!(outcomes.iter().all(|o| ["passed", "skipped"].contains(o)), "{report}");
    }
    assert_eq!(report["failed"], 0);
    let skipped = checks.iter().filter(|c| c["outcome"] == "skipped");
    assert!(skipped.into_iter().all(|c| !c["reason"].as_str().unwrap().is_empty()), "{report}");
    let one = json(&["kernels", "gelu", "--check", "--device", "cpu", "--json"]);
    assert_eq!(one["checks"].as_array().unwrap().len(), 1, "{one}");
    let (_, text) = failure(&["kernels", "geluu", "--check"]);
    assert!(text.contains("gelu"), "{text}");
}

#[test]
#[cfg(target_os = "linux")]
fn every_fault_in_a_session_is_detected_rightly_named_and_leaves_nothing() {
    let output = ringwood(&["faults", "--sessions", "threads,processes", "--json"]);
    let result: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let rows = result["rows"].as_array().expect("rows");
    let wrong = rows.iter().filter(|row| row["wrong"] != Value::Array(Vec::new()));
    assert_eq!(wrong.collect::<Vec<_>>(), Vec::<&Value>::new());
    let count = |what: &str| result[what].as_u64().expect("a number");
    assert!(count("injected") > 150 && count("not_applicable") > 0);
    assert_eq!([count("detected"), count("named"), count("in_time")], [count("injected"); 3]);
    assert_eq!([count("hangs"), count("leaks")], [0; 2]);
    assert!(output.status.success());
}
