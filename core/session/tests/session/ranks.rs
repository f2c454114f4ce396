//! Programs that all ranks run, and whose threads join them.

use crate::programs::{of, of_two_threads};
use crate::scripts::by_script;
use ringwood_base::sync::cores;
use std::process::Command;
use std::sync::mpsc::channel;
use std::time::Duration;

/// Two threads join the ranks of this process, and a third after they have left.
#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_whose_threads_join_its_ranks() {
    let join = |name: &'static str, wait| {
        std::thread::spawn(move || {
            let ranks = ringwood_session::init();
            println!("in {} {name}: {ranks:?}", std::process::id());
            std::thread::sleep(Duration::from_millis(wait));
        })
    };
    let threads = [join("one", 500), join("two", 500)];
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    join("later", 0).join().unwrap();
}

#[test]
fn a_process_joins_its_ranks_once_whichever_thread_it_is() {
    let test = "ranks::a_program_whose_threads_join_its_ranks";
    let mut program = Command::new(std::env::current_exe().unwrap());
    let arguments = [test, "--exact", "--ignored", "--nocapture"];
    let output = program.args(arguments).env("RINGWOOD_SESSION", "processes").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    // What one rank prints may stand in a line that another one has not ended yet.
    let joined = text.matches(": Ok(rank ").count();
    let refused =
        text.matches(": Err(this process has joined the group of all ranks already").count();
    assert_eq!((joined, refused), (cores(), 2 * cores()), "{output:?}");
}

/// One thread starts a session, and one joins the ranks of this process: in a worker, the first of them serves.
#[test]
#[ignore = "a test starts it in a process of its own"]
fn a_program_of_a_session_and_ranks() {
    // A rank that is started nevertheless starts nothing.
    if std::env::var_os("RINGWOOD_RANK").is_none() {
        let (tell, told) = channel();
        std::thread::spawn(move || tell.send(()).map(|()| of(1).start()));
        told.recv().unwrap();
        std::thread::sleep(Duration::from_secs(3));
        println!("the second: {:?}", ringwood_session::init());
        std::thread::sleep(Duration::from_secs(20));
    }
}

#[test]
fn a_second_thread_of_a_worker_starts_no_ranks() {
    let script = r#"RINGWOOD_SESSION=processes exec -a "$RINGWOOD_WORKER" "$0" "$@""#;
    let session = of_two_threads(by_script(script, "ranks::a_program_of_a_session_and_ranks"));
    session.sync().unwrap();
    session.shutdown().unwrap();
}
