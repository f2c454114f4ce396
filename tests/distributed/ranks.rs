//! One function as the program of ranks that are threads, processes, and processes of MPI.

use ringwood::collective::{Communicator, Order};
use ringwood::prelude::*;
use std::process::{Command, Output};

const RANKS: usize = 3;

/// The bits of a sum whose order is fixed.
fn program(comm: &Communicator) -> ringwood::Result<Vec<u32>> {
    let mut data: Vec<f32> = (0..1000).map(|i| 1e3 / (1 + i + 7 * comm.rank()) as f32).collect();
    comm.call().order(Order::Linear).all_reduce(&mut data, ReduceOp::Sum)?;
    Ok(data[..4].iter().map(|x| x.to_bits()).collect())
}

const SAYS: &str = "rank says: ";

/// What each rank says of this program, started once more.
fn said(command: &mut Command, arguments: &[&str]) -> Output {
    let own = ["--exact", "ranks::rank", "--ignored", "--nocapture", "--"];
    command.args(own).args(arguments).output().unwrap()
}

fn lines(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    let said = text.lines().filter_map(|line| line.split_once(SAYS));
    said.map(|(_, text)| text.to_owned()).collect()
}

fn this() -> Command {
    Command::new(std::env::current_exe().unwrap())
}

fn of_threads() -> Vec<String> {
    let ranks = spmd(RANKS, program).unwrap();
    ranks.iter().map(|bits| format!("{bits:?}")).collect()
}

#[test]
fn processes_that_one_program_starts_give_the_bits_of_threads() {
    let output = said(&mut this(), &["--session", "processes", "--workers", "3"]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(lines(&output), of_threads(), "{output:?}");
}

#[test]
fn ranks_of_mpi_give_the_bits_of_threads() {
    let launchers = [
        ("mpirun.openmpi", &["--allow-run-as-root", "--oversubscribe"][..]),
        ("mpirun.mpich", &[]),
    ];
    for (launcher, options) in launchers {
        if let Err(error) = Command::new(launcher).arg("--version").output() {
            let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
            assert!(!required.split(',').any(|name| name == "mpi"), "{launcher}: {error}");
            eprintln!("skipped: {launcher}: {error}");
            continue;
        }
        let mut command = Command::new(launcher);
        command.args(options).args(["-n", "3"]).arg(std::env::current_exe().unwrap());
        let output = said(&mut command, &[]);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(lines(&output), of_threads(), "{output:?}");
    }
}

#[test]
fn a_program_that_nothing_launches_is_one_rank() {
    let output = said(&mut this(), &[]);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(lines(&output).len(), 1, "{output:?}");
}

#[test]
fn kinds_that_cannot_start_ranks_say_what_to_do() {
    let cases = [
        ("threads", "call `spmd(n, body)`, which runs the body on each of them"),
        ("mpi", "start the program with `mpirun -n 4`"),
        ("nowhere", "no session kind `nowhere`; registered: mpi, mpi_all, processes, threads"),
    ];
    for (kind, text) in cases {
        let output = said(&mut this(), &["--session", kind]);
        assert_eq!(lines(&output).len(), 1, "{output:?}");
        assert!(lines(&output)[0].contains(text), "{output:?}");
    }
}

#[test]
fn a_program_of_processes_ends_as_its_ranks_do() {
    let output = said(&mut this(), &["--session", "processes", "--workers", "3", "fail"]);
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("ringwood: rank 1 of 3 ended with exit status: 7"), "{errors}");
}

/// What a process of the other tests does.
#[test]
#[ignore = "the other tests start it in processes of its own"]
fn rank() {
    let outcome = ringwood::init().and_then(|ranks| {
        if std::env::args().any(|argument| argument == "fail") {
            ranks.barrier()?;
            std::process::exit(if ranks.rank() == 1 { 7 } else { 0 });
        }
        program(&ranks)
    });
    let text = outcome.map_or_else(|error| format!("{error}"), |bits| format!("{bits:?}"));
    // In one write: what other ranks print may come between otherwise.
    std::io::Write::write_all(&mut std::io::stdout(), format!("{SAYS}{text}\n").as_bytes())
        .unwrap();
}
