//! The command that this crate builds has its collective and those of Ringwood.

use std::process::Command;

fn run(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_custom-collective"));
    let output = command.args(arguments).current_dir(env!("CARGO_TARGET_TMPDIR")).output();
    let output = output.expect("the command starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{arguments:?}: {text}");
    text
}

#[test]
fn the_collective_is_listed_and_proved() {
    let listed = run(&["collectives"]);
    assert!(listed.contains("star") && listed.contains("ring"), "{listed}");
    let verdicts = run(&["verify", "star", "--ranks", "1..=16"]);
    assert_eq!(verdicts.matches("values ok").count(), 16, "{verdicts}");
}

#[test]
fn the_collective_is_proved_explained_simulated_drawn_and_run() {
    let text = run(&[]);
    for part in ["$ ringwood verify", "$ ringwood explain", "$ ringwood simulate", "[10.0, 5.0]"] {
        assert!(text.contains(part), "{part} is missing: {text}");
    }
}
