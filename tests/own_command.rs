//! The command with items of one's own in it.

use ringwood::collective::{CollectiveDef, Request};
use ringwood::prelude::*;
use ringwood::registry::Registry;
use std::path::PathBuf;
use std::process::{Command, ExitCode};

/// A ring in which half of each chunk goes the other way round: it resolves to two segments.
struct BothWays;

impl Collective for BothWays {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("both_ways").chunks(Chunks::PerRank)
    }

    fn resolve(&self, request: &Request) -> ringwood::Result<Params> {
        Params::of_request(&self.describe(), request)?.segmented(2)
    }

    fn schedule(&self, p: &Params, rank: Rank, lane: &mut Lane) {
        let (next, prev, n) = (rank.next(), rank.prev(), p.ranks());
        for step in 0..n - 1 {
            lane.send(next, p.segment(rank - step, 0));
            lane.send(prev, p.segment(rank + step, 1));
            lane.recv_reduce(prev, p.segment(rank - step - 1, 0));
            lane.recv_reduce(next, p.segment(rank + step + 1, 1));
        }
        for step in 0..n - 1 {
            lane.send(next, p.segment(rank - step + 1, 0));
            lane.send(prev, p.segment(rank + step + (n - 1), 1));
            lane.recv(prev, p.segment(rank - step, 0));
            lane.recv(next, p.segment(rank + step, 1));
        }
    }
}

register_collective!(both_ways, BothWays);

/// A ring that is registered under another name than its own.
struct Misnamed;

impl Collective for Misnamed {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("other_name").chunks(Chunks::PerRank)
    }

    fn schedule(&self, p: &Params, rank: Rank, lane: &mut Lane) {
        BothWays.schedule(p, rank, lane);
    }
}

register_collective!(one_name, Misnamed);

/// Does nothing, in no time.
struct Idle;

impl Collective for Idle {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("idle")
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
}

register_collective!(idle, Idle);

/// Cannot say what it is.
struct Speechless;

impl Collective for Speechless {
    fn describe(&self) -> Descriptor {
        panic!("no words")
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut Lane) {}
}

register_collective!(speechless, Speechless);

/// A product whose order of additions is given up where cuBLAS is.
#[kernel(device = cuda, domain = c.len(), library(cuda = gemm_nt))]
fn any_order(a: &[f32], b: &[f32], c: &mut [f32], m: usize, k: usize, n: usize) {
    let at = gid(0);
    let mut sum = 0.0;
    for l in 0..k {
        sum += a[at / n * k + l] * b[at % n * k + l];
    }
    c[at] = if at < m * n { sum } else { 0.0 };
}

fn succeeds(args: &[&str]) {
    let code = ringwood::cli::run([&["ringwood"], args].concat());
    assert_eq!(code, ExitCode::SUCCESS, "{args:?}");
}

/// What these commands print in a process of its own, which runs the test of this name until it comes here, and whether
/// they succeed.
fn printed(test: &str, commands: &[&str]) -> String {
    const CHILD: &str = "RINGWOOD_TEST_PRINTS";
    if std::env::var_os(CHILD).is_some() {
        for command in commands {
            let code = ringwood::cli::run(std::iter::once("ringwood").chain(command.split(' ')));
            println!("{command}: {}", if code == ExitCode::SUCCESS { "succeeds" } else { "fails" });
        }
        std::process::exit(0);
    }
    let mut child = Command::new(std::env::current_exe().expect("a test knows its program"));
    let output = child.args(["--exact", test, "--nocapture"]).env(CHILD, "1").output();
    String::from_utf8(output.expect("a test program starts").stdout).expect("UTF-8")
}

#[test]
fn a_collective_is_drawn_exported_and_trained_with_as_it_resolves() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (drawing, xml) = (folder.join("both_ways.svg"), folder.join("both_ways.xml"));
    let (drawing, xml) = (drawing.to_str().expect("UTF-8"), xml.to_str().expect("UTF-8"));
    succeeds(&["draw", "both_ways", "--ranks", "4", "-o", drawing]);
    succeeds(&["export", "both_ways", "--ranks", "4", "--format", "msccl-xml", "-o", xml]);
    succeeds(&["verify", xml]);
    succeeds(&["train", "--collective", "both_ways", "--epochs", "1", "--json"]);
}

#[test]
fn a_collective_of_two_names_is_neither_proved_nor_simulated() {
    let all = printed(
        "a_collective_of_two_names_is_neither_proved_nor_simulated",
        &["verify --all --ranks 2 --json"],
    );
    assert!(all.contains(r#""refused":["collective `one_name` describes itself"#), "{all}");
    let registry = Registry::global().expect("a registry");
    let entry = registry.entry::<CollectiveDef>("one_name").expect("the entry");
    let def = registry.find::<CollectiveDef>("one_name").expect("the algorithm");
    let refused = def.called(entry).err().expect("two names").to_string();
    assert_eq!(refused, "collective `one_name` describes itself as `other_name`: use one name");
    for command in ["verify one_name", "simulate one_name"] {
        let args = std::iter::once("ringwood").chain(command.split(' '));
        assert_eq!(ringwood::cli::run(args), ExitCode::FAILURE, "{command}");
    }
}

#[test]
fn a_collective_that_is_wrong_is_not_simulated() {
    let args = ["ringwood", "simulate", "idle", "--ranks", "16"];
    assert_eq!(ringwood::cli::run(args), ExitCode::FAILURE);
}

#[test]
fn a_collective_that_panics_when_it_describes_itself_is_listed_as_refused() {
    let text = printed(
        "a_collective_that_panics_when_it_describes_itself_is_listed_as_refused",
        &["collectives", "collectives --json"],
    );
    assert_eq!(text.matches(": succeeds").count(), 2, "{text}");
    let told = "collective `speechless`, `Collective::describe`, panicked: no words";
    assert!(text.contains(&format!("\n{told}\n")), "{text}");
    assert!(text.contains(&format!(r#""refused":["{told}"]"#)), "{text}");
    assert!(text.contains(r#""name":"both_ways""#), "{text}");
}

#[test]
fn a_kernel_shows_which_backends_may_use_a_routine_of_a_library() {
    let text = printed(
        "a_kernel_shows_which_backends_may_use_a_routine_of_a_library",
        &["kernels any_order", "kernels any_order --json"],
    );
    assert_eq!(text.matches(": succeeds").count(), 2, "{text}");
    let words: Vec<_> = text.split_whitespace().collect();
    assert!(words.contains(&"`gemm_nt`)") && words.contains(&"(may"), "{text}");
    assert!(text.replace(' ', "").contains(r#""routine":"gemm_nt""#), "{text}");
}
