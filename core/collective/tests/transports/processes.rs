//! Ranks that are processes: this program, started once more for each of them.

#[path = "processes/scenarios.rs"]
mod scenarios;
#[path = "processes/soak.rs"]
mod soak;

use crate::support;
use ringwood_base::registry::Registry;
use ringwood_collective::{Group, Membership, Processes};
use ringwood_schedule::Collective;
use ringwood_transport::entries;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdout, Stdio};
use std::time::{Duration, Instant};

/// The transports that connect processes.
const ALL: [&str; 2] = ["arena", "socket"];

fn registry() -> Registry {
    let push = [("push", &scenarios::Push as &'static dyn Collective)];
    let all = support::registry_with(push).entries().to_vec();
    Registry::builder()
        .register_all(all)
        .register(entries::arena::ENTRY)
        .register(entries::socket::ENTRY)
        .build()
        .unwrap()
}

/// The processes of a scenario, and what they print.
struct Run {
    processes: Processes,
    outputs: Vec<BufReader<ChildStdout>>,
}

impl Run {
    fn start(transport: &str, scenario: &str, n: usize) -> Self {
        let group = Group::builder(n).registry(registry()).transport(transport);
        let mut processes = Processes::start(group, |command, _| {
            let worker = ["--exact", "processes::worker", "--ignored", "--nocapture"];
            command.args(worker).env("SCENARIO", scenario).stdout(Stdio::piped());
        })
        .unwrap();
        let outputs =
            (0..n).map(|rank| BufReader::new(processes.child(rank).stdout.take().unwrap()));
        let outputs = outputs.collect();
        Self { processes, outputs }
    }

    /// The next line that a rank prints with `say`.
    fn hear(&mut self, rank: usize) -> String {
        for line in (&mut self.outputs[rank]).lines() {
            if let Some((_, said)) = line.unwrap().split_once(SAYS) {
                return said.to_owned();
            }
        }
        panic!("rank {rank} ended without a word");
    }

    fn signal(&mut self, rank: usize, signal: i32) {
        let process = self.processes.child(rank).id();
        // SAFETY: sends a signal to a child that was not waited for yet.
        assert_eq!(unsafe { libc::kill(process as i32, signal) }, 0);
    }

    /// Waits until the processes have ended well.
    fn end(mut self, but: Option<usize>) {
        let statuses = self.processes.wait(Duration::from_secs(20)).unwrap();
        for (rank, status) in statuses.iter().enumerate() {
            assert!(status.success() || Some(rank) == but, "rank {rank}: {status}");
        }
    }
}

const SAYS: &str = "rank says: ";

fn say(text: impl std::fmt::Display) {
    // In one write: the output of the test harness may come between otherwise.
    let line = format!("{SAYS}{text}\n");
    std::io::stdout().write_all(line.as_bytes()).unwrap();
}

/// What a process of a scenario does.
#[test]
#[ignore = "the other tests start it in processes of its own"]
fn worker() {
    let Some(member) = Membership::of_this_process().unwrap() else { return };
    let builder = member.builder().registry(registry()).timeout(Duration::from_secs(10));
    let scenario = std::env::var("SCENARIO").unwrap();
    let join = || member.join_as(builder.clone());
    let outcome = match scenario.as_str() {
        "results" => join().and_then(|comm| scenarios::results(&comm)),
        "repeated" => join().and_then(|comm| scenarios::repeated(&comm)),
        "disagree" => join().and_then(|comm| scenarios::disagree(&comm)),
        "busy" => join().and_then(|comm| scenarios::busy(&comm, Duration::from_secs(10))),
        "impatient" => join().and_then(|comm| scenarios::busy(&comm, Duration::from_millis(500))),
        "late" => join().and_then(|comm| scenarios::late(&comm)),
        "fail" => join().and_then(|comm| scenarios::fail(&comm)),
        "messages" => join().and_then(|comm| scenarios::messages(&comm)),
        "waiting" => join().and_then(|comm| scenarios::waiting(&comm)),
        "twice" => scenarios::twice(join),
        "submitted" => join().and_then(scenarios::submitted),
        "bits" => join().and_then(|comm| crate::bits::digest(&comm)).map(say),
        "split" => join().and_then(|comm| scenarios::split(&comm)),
        "apart" => join().and_then(|comm| scenarios::apart(&comm)),
        "heard" => join().and_then(|comm| scenarios::heard(&comm)),
        "parent" => join().and_then(|comm| scenarios::parent(&comm)),
        "child" => join().err().map_or(Ok(()), |error| {
            say(error);
            Ok(())
        }),
        "submit" => join().and_then(|comm| scenarios::submit(&member, comm)),
        other => panic!("no scenario {other}"),
    };
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// Every rank has made so many calls in the end.
fn makes_calls(scenario: &str, calls: &str) {
    for transport in ALL {
        for n in [1, 2, 4] {
            let mut run = Run::start(transport, scenario, n);
            for rank in 0..n {
                assert_eq!(run.hear(rank), calls, "{transport}");
            }
            run.end(None);
        }
    }
}

#[test]
fn results_are_right_between_processes() {
    makes_calls("results", "28");
}

#[test]
fn ten_thousand_calls_are_right_between_processes() {
    makes_calls("repeated", "10000");
}

#[test]
fn a_process_that_a_rank_starts_is_not_that_rank() {
    for transport in ALL {
        let mut run = Run::start(transport, "parent", 2);
        for rank in 0..2 {
            let text = format!(
                "the environment says rank {rank} of 2, and no stream to them is the standard input"
            );
            let heard = run.hear(rank);
            assert!(
                heard.contains(&text) && heard.contains("remove RINGWOOD_RANK,"),
                "{transport}: {heard}"
            );
        }
        run.end(None);
    }
}

#[test]
fn a_fixed_order_gives_the_bits_of_threads_between_processes() {
    let threads = support::group(3).spmd(crate::bits::digest).unwrap();
    for transport in ALL {
        let mut run = Run::start(transport, "bits", 3);
        for (rank, digest) in threads.iter().enumerate() {
            assert_eq!(run.hear(rank), digest.to_string(), "{transport}");
        }
        run.end(None);
    }
}

#[test]
fn processes_that_disagree_get_one_error_and_go_on() {
    for transport in ALL {
        let mut run = Run::start(transport, "disagree", 3);
        let heard: Vec<_> = (0..3).map(|rank| [run.hear(rank), run.hear(rank)]).collect();
        for [mismatch, refusal] in &heard {
            let text = "in count: ranks 0, 2 have 6000, rank 1 has 5000 (odd ones out: rank 1)";
            assert!(mismatch.contains(text), "{transport}: {mismatch}");
            assert!(refusal.contains("did you mean `ring`?"), "{transport}: {refusal}");
            assert!(refusal.contains("refused by: rank 1"), "{transport}: {refusal}");
            assert_eq!([mismatch, refusal], [&heard[0][0], &heard[0][1]], "{transport}");
        }
        run.end(None);
    }
}

#[test]
fn processes_resolve_instances_submit_in_any_order_and_count_steps_together() {
    for transport in ALL {
        let mut run = Run::start(transport, "submit", 3);
        let heard: Vec<_> = (0..3).map(|rank| [run.hear(rank), run.hear(rank)]).collect();
        assert!(heard.iter().all(|said| *said == heard[0]), "{transport}: {heard:?}");
        assert!(heard[0][1].contains("in shape: ranks 0, 2 have [2, 3], rank 1 has [3, 2]"));
        run.end(None);
    }
}

#[test]
fn a_killed_process_is_named_to_whoever_has_submitted_calls() {
    for transport in ALL {
        let (heard, time) = after_signal(transport, "submitted", libc::SIGKILL);
        assert!(heard.iter().all(|text| *text == heard[0]), "{transport}: {heard:?}");
        let named = ["rank 2 of 4 died", "lost the worker of process:2"];
        assert!(named.iter().any(|name| heard[0].contains(name)), "{transport}: {}", heard[0]);
        assert!(time < Duration::from_secs(5), "{transport}: {time:?}");
    }
}

/// Signals a rank in the middle of its calls; what the others say, and after what time.
fn after_signal(transport: &str, scenario: &str, signal: i32) -> (Vec<String>, Duration) {
    after_signal_to(2, Duration::from_millis(30), transport, scenario, signal)
}

/// The same for any rank of four, and after any time.
fn after_signal_to(
    victim: usize,
    delay: Duration,
    transport: &str,
    scenario: &str,
    signal: i32,
) -> (Vec<String>, Duration) {
    let mut run = Run::start(transport, scenario, 4);
    (0..4).for_each(|rank| assert_eq!(run.hear(rank), "begins"));
    std::thread::sleep(delay);
    let start = Instant::now();
    run.signal(victim, signal);
    let others = (0..4).filter(|rank| *rank != victim);
    let heard = others.map(|rank| run.hear(rank)).collect();
    let time = start.elapsed();
    if signal == libc::SIGSTOP {
        run.signal(victim, libc::SIGKILL);
    }
    run.end(Some(victim));
    (heard, time)
}

#[test]
fn a_killed_process_is_named_by_all_others_at_once() {
    for transport in ALL {
        for _ in 0..3 {
            let (heard, time) = after_signal(transport, "busy", libc::SIGKILL);
            assert!(heard[0].starts_with("rank 2 of 4 died"), "{transport}: {}", heard[0]);
            assert!(heard.iter().all(|text| *text == heard[0]), "{transport}: {heard:?}");
            assert!(time < Duration::from_secs(5), "{transport}: {time:?}");
        }
    }
}

#[test]
fn messages_between_processes_arrive_or_name_what_differs() {
    for transport in ALL {
        for n in [2, 3] {
            let mut run = Run::start(transport, "messages", n);
            let text = "rank 0 sends 4 elements of f32, rank 1 receives 2 elements of u64";
            for rank in 0..2 {
                let heard = run.hear(rank);
                assert!(heard.starts_with(text), "{transport}: {heard}");
            }
            run.end(None);
        }
    }
}

#[test]
fn a_killed_process_is_named_to_whoever_waits_for_its_message() {
    for transport in ALL {
        let (heard, time) = after_signal(transport, "waiting", libc::SIGKILL);
        assert!(heard[0].starts_with("rank 2 of 4 died before it "), "{transport}: {heard:?}");
        assert!(heard.iter().all(|text| *text == heard[0]), "{transport}: {heard:?}");
        assert!(time < Duration::from_secs(5), "{transport}: {time:?}");
    }
}

#[test]
fn a_stopped_process_ends_the_group_after_its_timeout() {
    for transport in ALL.into_iter().chain(["socket"; 4]) {
        let (heard, time) = after_signal(transport, "impatient", libc::SIGSTOP);
        assert!(heard[0].contains(" in time"), "{transport}: {}", heard[0]);
        // Not one that waits for it as well.
        assert!(heard[0].starts_with("rank 2 of 4 did not "), "{transport}: {}", heard[0]);
        assert!(heard.iter().all(|text| *text == heard[0]), "{transport}: {heard:?}");
        assert!(time < Duration::from_secs(4), "{transport}: {time:?}");
    }
}

#[test]
fn a_process_that_goes_on_after_the_others_timed_out_writes_to_none_of_them() {
    for trial in 0..4 {
        let mut run = Run::start("arena", "late", 3);
        (0..3).for_each(|rank| assert_eq!(run.hear(rank), "begins"));
        std::thread::sleep(Duration::from_millis(60 + 37 * trial));
        run.signal(2, libc::SIGSTOP);
        for rank in 0..2 {
            assert_eq!(run.hear(rank), "filled");
        }
        run.signal(2, libc::SIGCONT);
        for rank in 0..2 {
            assert_eq!(run.hear(rank), "0 elements changed", "trial {trial}");
        }
        run.end(Some(2));
    }
}

#[test]
fn an_abort_reaches_other_processes() {
    for transport in ALL {
        let mut run = Run::start(transport, "fail", 3);
        for rank in 0..3 {
            assert_eq!(run.hear(rank), "the disk is full (disk: 3)", "{transport}");
        }
        run.end(None);
    }
}

#[test]
fn processes_split_their_group_and_go_on_with_both() {
    for transport in ALL {
        let mut run = Run::start(transport, "split", 5);
        let heard: Vec<_> = (0..5).map(|rank| run.hear(rank)).collect();
        let even = "rank 2 of [4, 2, 0]";
        assert_eq!(heard[0], even, "{transport}");
        assert_eq!(heard[3], "no rank of any", "{transport}");
        run.end(None);
    }
}

#[test]
fn a_killed_process_is_named_in_its_part_and_in_the_whole() {
    for transport in ALL {
        let mut run = Run::start(transport, "apart", 4);
        (0..4).for_each(|rank| assert_eq!(run.hear(rank), "begins"));
        std::thread::sleep(Duration::from_millis(30));
        run.signal(2, libc::SIGKILL);
        let part = run.hear(0);
        assert!(part.starts_with("rank 1 of 2 died"), "{transport}: {part}");
        assert!(part.contains("split from: ranks 0, 2"), "{transport}: {part}");
        // The other part has nothing to do with it, until the whole group calls again.
        for rank in [1, 3] {
            assert_eq!(run.hear(rank), "went on", "{transport}");
        }
        for rank in [0, 1, 3] {
            let whole = run.hear(rank);
            assert!(whole.starts_with("rank 2 of 4 died"), "{transport}: {whole}");
        }
        run.end(Some(2));
    }
}

#[test]
fn a_rank_that_hears_of_a_failure_of_the_whole_tells_its_part() {
    for transport in ALL {
        let mut run = Run::start(transport, "heard", 4);
        for said in [run.hear(0), run.hear(0), run.hear(2), run.hear(3)] {
            assert!(said.starts_with("the disk is full"), "{transport}: {said}");
        }
        run.end(None);
    }
}

#[test]
fn nothing_is_left_when_every_process_is_killed() {
    let names = || {
        let all = std::fs::read_dir("/dev/shm").unwrap();
        all.map(|e| e.unwrap().file_name())
            .filter(|n| n.to_string_lossy().contains("ringwood"))
            .count()
    };
    // Other programs may have left some.
    let before = names();
    let mut run = Run::start("arena", "busy", 3);
    (0..3).for_each(|rank| assert_eq!(run.hear(rank), "begins"));
    assert_eq!(names(), before);
    drop(run);
    assert_eq!(names(), before);
}

#[test]
fn a_rank_that_comes_twice_is_refused_the_second_time() {
    let mut run = Run::start("arena", "twice", 2);
    for rank in 0..2 {
        let heard = run.hear(rank);
        // The second time is before the other rank has connected, or after.
        let taken = format!("rank {rank} of 2 is taken; give each process a rank of its own");
        let all = "the ranks of group of all processes have their communicators already";
        assert!(heard.starts_with(&taken) || heard.starts_with(all), "{heard}");
    }
    run.end(None);
}

#[test]
fn a_group_that_threads_only_can_form_is_refused() {
    let error = Group::builder(2).registry(registry()).bootstrap().err().unwrap();
    assert_eq!(error.message(), "this transport connects threads of one process only");
    let group = || Group::builder(2).registry(registry()).transport("arena");
    let bootstrap = group().bootstrap().unwrap();
    assert!(
        group().join(2, bootstrap.address()).err().unwrap().message().contains("rank 2 is not")
    );
    let error =
        Group::builder(3).registry(registry()).transport("arena").join(0, bootstrap.address());
    assert!(error.err().unwrap().message().contains("for a group of 2 ranks, not of 3"));
    let address = bootstrap.address().to_owned();
    drop(bootstrap);
    assert!(group().join(0, &address).is_err());
}
