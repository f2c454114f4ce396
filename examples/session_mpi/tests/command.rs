//! The program under the launchers that are installed, and without one.

use std::process::{Command, Output};

const PROGRAM: &str = env!("CARGO_BIN_EXE_session-mpi");

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[test]
fn four_workers_agree_on_pi() {
    for (launcher, options) in
        [("mpirun.openmpi", &["--allow-run-as-root", "--oversubscribe"][..]), ("mpirun.mpich", &[])]
    {
        match Command::new(launcher).args(options).args(["-n", "5", PROGRAM]).output() {
            Ok(output) => {
                assert!(output.status.success(), "{launcher}: {}", text(&output));
                assert!(text(&output).contains("4 workers: 3.14\n"), "{}", text(&output));
            }
            Err(error) => {
                let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
                assert!(!required.split(',').any(|name| name == "mpi"), "{launcher}: {error}");
                println!("skipped: {launcher}: {error}");
            }
        }
    }
}

#[test]
fn without_a_launcher_it_says_how_to_start_it() {
    let output = Command::new(PROGRAM).output().unwrap();
    assert!(!output.status.success());
    assert!(text(&output).contains("mpirun -n 5"), "{}", text(&output));
}
