//! One function as the program of ranks that are threads, processes, and processes of MPI.

use ringwood::collective::flight::Flight;
use ringwood::collective::resolve::{InstanceRequest, Member};
use ringwood::collective::{Communicator, Group, Operation, Order};
use ringwood::prelude::*;
use ringwood::session::Spmd;
use ringwood::{DType, Shape};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const RANKS: usize = 3;

/// The bits of a sum whose order is fixed.
fn program(comm: &Communicator) -> ringwood::Result<Vec<u32>> {
    let mut data: Vec<f32> = (0..1000).map(|i| 1e3 / (1 + i + 7 * comm.rank()) as f32).collect();
    comm.call().order(Order::Linear).all_reduce(&mut data, ReduceOp::Sum)?;
    Ok(data[..4].iter().map(|x| x.to_bits()).collect())
}

/// Ranks 1 and 2 resolve a group of their own, over a transport, and call in it; all number a step. Rank 0, which has
/// the rendezvous of MPI, is through before the others have begun.
fn resolving(ranks: &Spmd, transport: &str) -> ringwood::Result<String> {
    let (resolver, rank) = (ranks.resolver()?, ranks.rank());
    let step = resolver.refresh_step(1)?;
    ranks.barrier()?;
    resolver.retire_step(1, step)?;
    if rank == 0 {
        return Ok("no member".to_owned());
    }
    std::thread::sleep(Duration::from_millis(300));
    // The one of rank 2 is the first one.
    let group = resolver.join(&Member::new(7, 2, "cpu", &format!("cpu:{}", RANKS - rank)))?;
    let builder = Group::builder(2).transport(transport);
    let comm = resolver.communicator(&group, builder)?;
    let mut sum = [rank as u32];
    comm.all_reduce(&mut sum, ReduceOp::Sum)?;
    let shape = |dims: &[usize]| Shape::new(dims);
    let request = |key, shape| InstanceRequest::new(key, Operation::AllReduce, DType::F32, shape);
    let instance = resolver.instance(&group, &request(1, shape(&[6])?))?;
    let odd: &[usize] = if rank == 1 { &[3, 2] } else { &[2, 3] };
    let error = resolver.instance(&group, &request(2, shape(odd)?)).unwrap_err();
    Ok(format!("{} of {}, {sum:?}, {error}", comm.rank(), instance.params.ranks()))
}

/// What the ranks say of [`resolving`], in order.
fn resolved() -> [String; RANKS] {
    let error = "ranks disagree on instance 2 of group 7 in shape: rank 0 has [2, 3], rank 1 has [3, 2]; \
                 no data moved and the group is still usable; make every rank call the same";
    let member = |rank: usize| format!("{rank} of 2, [3], {error}");
    ["0 no member".to_owned(), format!("1 {}", member(1)), format!("2 {}", member(0))]
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
    let mut lines: Vec<_> = said.map(|(_, text)| text.to_owned()).collect();
    lines.sort();
    lines
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

/// This program as ranks of MPI, by the launchers that there are.
fn launched() -> Vec<Command> {
    let launchers = [
        ("mpirun.openmpi", &["--allow-run-as-root", "--oversubscribe"][..]),
        ("mpirun.mpich", &[]),
    ];
    let command = |(launcher, options): (&str, &[&str])| {
        if let Err(error) = Command::new(launcher).arg("--version").output() {
            let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
            assert!(!required.split(',').any(|name| name == "mpi"), "{launcher}: {error}");
            eprintln!("skipped: {launcher}: {error}");
            return None;
        }
        let mut command = Command::new(launcher);
        command.args(options).args(["-n", "3"]).arg(std::env::current_exe().unwrap());
        Some(command)
    };
    launchers.into_iter().filter_map(command).collect()
}

#[test]
fn ranks_of_mpi_give_the_bits_of_threads() {
    for mut command in launched() {
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
fn another_number_of_ranks_than_there_are_is_refused() {
    for (mut command, ranks) in launched().into_iter().map(|c| (c, 3)).chain([(this(), 1)]) {
        let output = said(&mut command, &["--workers", "4"]);
        let text = format!("`--workers` asks for 4 ranks, where the program has {ranks}; ");
        let refused = lines(&output).iter().filter(|line| line.starts_with(&text)).count();
        assert_eq!(refused, ranks, "{output:?}");
    }
}

#[test]
fn the_first_call_of_a_program_is_called_so() {
    let ways = [(this(), &["--session", "processes", "--workers", "3", "differ"][..])];
    for (mut command, arguments) in
        ways.into_iter().chain(launched().into_iter().map(|c| (c, &["differ"][..])))
    {
        let output = said(&mut command, arguments);
        let first =
            |line: &String| line.starts_with("ranks disagree on call #1 in reduce operator: ");
        assert_eq!(lines(&output).iter().filter(|line| first(line)).count(), RANKS, "{output:?}");
    }
}

#[test]
fn a_rank_that_panics_is_named() {
    let output = said(&mut this(), &["--session", "processes", "--workers", "3", "panic"]);
    assert_eq!(lines(&output), ["rank 1 of 3 panicked"; 2], "{output:?}");
}

#[test]
fn a_program_of_processes_ends_as_its_ranks_do() {
    let output = said(&mut this(), &["--session", "processes", "--workers", "3", "fail"]);
    assert_eq!(output.status.code(), Some(7), "{output:?}");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(errors.contains("ringwood: rank 1 of 3 ended with exit status: 7"), "{errors}");
}

#[test]
fn processes_resolve_groups_instances_and_steps() {
    let arguments = ["--session", "processes", "--workers", "3", "resolve=arena"];
    let output = said(&mut this(), &arguments);
    assert_eq!(lines(&output), resolved(), "{output:?}");
}

#[test]
fn ranks_of_mpi_resolve_groups_instances_and_steps() {
    for mut command in launched() {
        let output = said(&mut command, &["resolve=mpi"]);
        assert_eq!(lines(&output), resolved(), "{output:?}");
    }
}

/// What the flight recorder of this process says once the other ranks wait for this one.
fn watched(ranks: &Communicator) -> ringwood::Result<String> {
    let (start, mut found) = (Instant::now(), None);
    while ranks.rank() == 1 && found.is_none() && start.elapsed() < Duration::from_secs(20) {
        let flights = Flight::of_process(std::process::id())?;
        let [flight] = &flights[..] else { panic!("{} flight recorders", flights.len()) };
        let waits = flight.snapshot().blocked();
        found =
            waits.filter(|text| text.starts_with("ranks 0, 2 wait for rank 1 at barrier #1 since"));
        std::thread::sleep(Duration::from_millis(5));
    }
    ranks.barrier()?;
    Ok(format!("{}: {}", ranks.rank(), found.is_some()))
}

#[test]
#[cfg(target_os = "linux")]
fn the_doctor_sees_whom_the_ranks_of_a_program_wait_for() {
    let mut ways = vec![(this(), vec!["--session", "processes", "--workers", "3", "watch"])];
    ways.extend(launched().into_iter().map(|command| (command, vec!["watch"])));
    for (mut command, arguments) in ways {
        let output = said(&mut command, &arguments);
        assert_eq!(lines(&output), ["0: false", "1: true", "2: false"], "{output:?}");
    }
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
        if std::env::args().any(|argument| argument == "differ") {
            let op = if ranks.rank() == 1 { ReduceOp::Max } else { ReduceOp::Sum };
            return ranks.all_reduce(&mut [0_u32], op).map(|()| "the same".to_owned());
        }
        if std::env::args().any(|argument| argument == "panic") {
            assert_ne!(ranks.rank(), 1, "no idea");
            return ranks.barrier().map(|()| "all came".to_owned());
        }
        if std::env::args().any(|argument| argument == "watch") {
            return watched(&ranks);
        }
        match std::env::args().find_map(|a| Some(a.strip_prefix("resolve=")?.to_owned())) {
            Some(transport) => {
                resolving(&ranks, &transport).map(|text| format!("{} {text}", ranks.rank()))
            }
            None => program(&ranks).map(|bits| format!("{bits:?}")),
        }
    });
    let text = outcome.unwrap_or_else(|error| format!("{error}"));
    // In one write: what other ranks print may come between otherwise.
    std::io::Write::write_all(&mut std::io::stdout(), format!("{SAYS}{text}\n").as_bytes())
        .unwrap();
}
