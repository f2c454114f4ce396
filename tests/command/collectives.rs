//! Collectives: `ringwood verify`, `simulate`, `draw`, `explain` and `calibrate`.

use super::{failure, file, json, ringwood, stderr, stdout};
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

#[test]
fn a_collective_is_proved_for_the_ranks_asked_for() {
    let text = stdout(&ringwood(&["verify", "ring", "--ranks", "8"]));
    assert!(text.starts_with("ring  8 ranks  values ok"), "{text}");
    let verdict = json(&["verify", "ring", "--ranks", "4", "--json"]);
    assert_eq!(verdict["verdicts"][0]["ranks"], 4, "{verdict}");
    assert_eq!(verdict["verdicts"][0]["ok"], true, "{verdict}");
    let range = json(&["verify", "ring", "--ranks", "1..=9", "--json"]);
    assert_eq!(range["verdicts"].as_array().expect("a list").len(), 9);
    let nodes = ["verify", "hierarchical", "--ranks", "7", "--arrange", "nodes=4,3", "--json"];
    assert_eq!(json(&nodes)["verdicts"][0]["scratch"], 2, "not hierarchical");
    let few = failure(&["verify", "--all", "--ranks", "1..=2", "--arrange", "nodes=2"]).1;
    assert!(few.starts_with("a group of 1 rank is not on 2 nodes"), "{few}");
    let none = ["verify", "hierarchical", "--ranks", "16", "--arrange", "nodes=16,0"];
    assert!(stderr(&ringwood(&none)).contains("`nodes=3,2` for the ranks of each, at least one"));
    let wrong = ["verify", "hierarchical", "--ranks", "8", "--arrange", "nodes=4,3"];
    assert!(failure(&wrong).1.contains("an arrangement of 7 ranks for a group of 8"));
    let verdict = json(&["verify", "ring", "--ranks", "4", "--roundings", "4", "--json"]);
    assert_eq!(verdict["verdicts"][0]["roundings"], 4, "{verdict}");
    let refused = ringwood(&["verify", "ring", "--ranks", "4", "--roundings", "3", "--json"]);
    assert!(stdout(&refused).contains("\"ok\":false"), "{}", stdout(&refused));
    let refused = ringwood(&["verify", "ring", "--ranks", "4", "--roundings", "3"]);
    assert!(!refused.status.success());
    assert!(stdout(&refused).contains("rounded 4 times, 3 are allowed"), "{}", stdout(&refused));
    let swing = ringwood(&["verify", "swing", "--ranks", "5..=6", "--json"]);
    assert!(stdout(&swing).contains("\"refused\":[\"collective `swing`"), "{}", stdout(&swing));
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
fn simulate_tells_time_traffic_and_method() {
    let args = ["simulate", "ring", "--ranks", "64", "--bytes", "1MiB"];
    let ring = json(&[&args[..], &["--topology", "torus:8x8", "--json"]].concat());
    let seconds = ring["seconds"].as_f64().expect("a number");
    assert!(seconds >= ring["lower_bound"].as_f64().expect("a number"), "{ring}");
    assert_eq!(ring["messages"], 64 * 126);
    assert_eq!(ring["moved"], 126 << 20);
    assert_eq!((&ring["method"], &ring["contention"]), (&"steps".into(), &true.into()));
    assert_eq!(ring["levels"].as_array().expect("levels").len(), 2);
    let text = stdout(&ringwood(&["simulate", "ring", "--ranks", "4096", "--bytes", "1GiB"]));
    assert!(text.contains("all ranks do the same in turn: one simulated"), "{text}");

    let (kind, text) = failure(&[&args[..], &["--topology", "torus:4x4"]].concat());
    assert_eq!(kind, "invalid_argument", "{text}");
    assert!(text.contains("holds 16 ranks, not 64"), "{text}");
    assert!(failure(&["simulate", "ring", "--bytes", "7"]).1.contains("a multiple of 4 bytes"));
    assert_eq!(failure(&["simulate", "rnig"]).0, "not_found");
    let wrong = ringwood(&["simulate", "ring", "--topology", "hypercube"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(stderr(&wrong).contains("there is no topology `hypercube`"), "{}", stderr(&wrong));
    let link = "switch:bandwidth=50GB,latency=1us";
    assert!(stderr(&wrong).contains(link), "{}", stderr(&wrong));
    assert!(ringwood(&["simulate", "ring", "--topology", link]).status.success());
    let vast = ["simulate", "ring", "--topology", "shared-memory:nodes=1000000"];
    assert!(failure(&vast).1.contains("1000001000000 links: at most 16777216"));
    let tapered = ["simulate", "ring", "--topology", "fat-tree:k=8,taper=0.5"];
    assert!(failure(&tapered).1.contains("a fat tree of 8-port switches with taper 0.5"));
}

const PLAN: &str = include_str!("../../formats/plans/two_channels.xml");

#[test]
fn a_plan_is_verified_as_its_file_and_as_a_schedule() {
    let path = file("plan.xml", PLAN);
    let plan = path.to_str().expect("UTF-8");
    let verified = json(&["verify", plan, "--json"]);
    assert_eq!(verified["reports"][0]["findings"], serde_json::json!([]));
    assert_eq!(
        (&verified["reports"][0]["ok"], &verified["verdicts"][0]["ok"]),
        (&true.into(), &true.into())
    );
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
    let refused: [(&[&str], &str); 9] = [
        (&["verify", plan, "--elements", "64"], "--elements"),
        (&["verify", plan, "--roundings", "3"], "--roundings"),
        (&["verify", plan, "--arrange", "nodes=2"], "--arrange"),
        (&["verify", plan, "--elements", "64", "--roundings", "3"], "--elements and --roundings"),
        (&["draw", plan, "--arrange", "nodes=2", "-o", drawing], "--arrange"),
        (&["export", plan, "--format", "json", "--bytes", "5", "-o", drawing], "--bytes"),
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

    let long = ["export", "ring", "--ranks", "40", "--format", "msccl-xml", "-o", ring];
    let said = stderr(&ringwood(&long));
    let told = json(&[&long[..], &["--json"]].concat());
    let warning = told["warnings"][0].as_str().expect("a warning");
    assert!(warning.contains("79 steps of a thread block, of which RCCL takes 64"), "{told}");
    assert_eq!(said, format!("warning: {warning}\n"));

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
    let red = file(
        "red.json",
        &schedule.replace("\"collective\": \"ring\"", "\"collective\": \"\\u001b[31m\""),
    );
    let (_, text) = failure(&["verify", red.to_str().expect("UTF-8")]);
    assert!(text.contains("has control characters"), "{text}");
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
    json(&["draw", "ring_all_gather", "--ranks", "3", "-o", drawing, "--json"]);
    for name in ["ring", plan.to_str().expect("UTF-8")] {
        json(&["draw", name, "-o", drawing, "--json"]);
        assert!(std::fs::read_to_string(&path).expect("a drawing").starts_with("<svg"));
    }
    // Of many bytes, the ring resolves to segments.
    json(&["draw", "ring", "--ranks", "2", "--bytes", "1MiB", "-o", drawing, "--json"]);
    let segments = std::fs::read_to_string(&path).expect("a drawing");
    json(&["draw", "ring", "--ranks", "2", "--bytes", "1KiB", "-o", drawing, "--json"]);
    assert_ne!(segments, std::fs::read_to_string(&path).expect("a drawing"));
    for name in ["ring.png", "ring"] {
        let (kind, text) = failure(&["draw", "ring", "-o", name]);
        assert_eq!(kind, "invalid_argument");
        assert!(text.contains(&format!("`--output {name}` does not end in `.svg`")), "{text}");
    }
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

    let many = failure(&["explain", "all-reduce", "--ranks", "5000", "--measure"]).1;
    assert!(many.starts_with("a group of 5000 ranks is not measured"), "{many}");
    let ring = ringwood(&["explain", "all-reduce", "--order", "ring"]);
    assert_eq!(ring.status.code(), Some(2));
    assert!(stderr(&ring).contains("no order `ring` that can be fixed"), "{}", stderr(&ring));
    let (kind, text) = failure(&["explain", "all-reduce", "--dtype", "bool"]);
    assert_eq!(kind, "dtype");
    assert!(text.contains("which bool is not") && text.contains("u8, i8, i16"), "{text}");
    assert!(ringwood(&["explain", "all-gather", "--dtype", "bool"]).status.success());
    for (operation, parts) in [("all-reduce", ""), ("all-gather", "4 blocks of ")] {
        let (_, text) = failure(&["explain", operation, "--bytes", "3"]);
        assert!(text.starts_with(&format!("3 B are not {parts}whole elements of f32")), "{text}");
    }
    assert!(stderr(&ringwood(&["explain", "all-sum"])).contains("there is no operation `all-sum`"));
}

#[test]
fn selections_of_groups_that_are_not_measured_are_refused() {
    let selection = ["bench", "selection", "--operation", "all-gather", "--budget", "1"];
    for (ranks, group) in [("2,0", "0 ranks"), ("1", "1 rank"), ("4611686018427387904", "46116")] {
        let (kind, text) = failure(&[&selection[..], &["--ranks", ranks, "--bytes", "8"]].concat());
        assert_eq!(kind, "invalid_argument");
        assert!(text.starts_with(&format!("a group of {group}")), "{text}");
    }
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
    let calibrate = ["calibrate", "--ranks", "2", "--operations", "all-reduce", "--json"];
    let calibration = last(&run(&calibrate));
    let path = PathBuf::from(calibration["path"].as_str().expect("a path"));
    assert!(path.starts_with(&cache) && path.exists(), "{calibration}");
    assert!(calibration["error"].is_null() && calibration["deviation"].is_f64(), "{calibration}");
    assert_eq!(last(&run(&explain))["costs"]["measured"], calibration["path"]);

    std::fs::write(&path, "{ half").expect("the test can write its file");
    let damaged = run(&explain);
    assert!(damaged.status.success());
    assert!(stderr(&damaged).contains("warning: the calibration"), "{}", stderr(&damaged));
    assert!(last(&damaged)["costs"]["unusable"].as_str().expect("a reason").contains("damaged"));
    assert!(run(&calibrate).status.success());
    assert_eq!(last(&run(&explain))["costs"]["measured"], calibration["path"]);

    let barrier = ["calibrate", "--ranks", "2", "--operations", "barrier"];
    assert!(stderr(&run(&barrier)).contains("costs are fitted to all-reduces"));

    let file = cache.join("file");
    std::fs::write(&file, "").expect("the test can write its file");
    let mut unwritable = Command::new(env!("CARGO_BIN_EXE_ringwood"));
    let output = unwritable.args(calibrate).env("XDG_CACHE_HOME", &file).output();
    let output = output.expect("the command starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("cannot write the calibration"), "{}", stdout(&output));
}

#[test]
fn a_schedule_that_moves_nothing_has_no_trace() {
    let barrier = ["export", "dissemination_barrier", "--format", "chakra", "-o", "none"];
    let (kind, text) = failure(&barrier);
    assert_eq!(kind, "unsupported");
    assert_eq!(text, "`dissemination_barrier` moves nothing: a trace has messages only");
}

#[test]
fn a_permutation_is_simulated_as_a_rotation() {
    let rotation = json(&["simulate", "direct_permute", "--ranks", "8", "--json"]);
    assert_eq!(rotation["messages"], 8, "{rotation}");
    let text = stdout(&ringwood(&["simulate", "direct_permute", "--ranks", "8"]));
    assert!(text.contains(" µs\n"), "{text}");
}
