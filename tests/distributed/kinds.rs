//! Sessions of every kind: threads and processes, and ranks of MPI in jobs of each launcher.

use ringwood::session::{Session, SessionBuilder};
use std::time::Duration;

/// That the program is a rank of a job, whose sessions are of its ranks.
const JOB: &str = "RINGWOOD_TEST_JOB";

/// Runs a test for each kind of session.
pub(crate) fn on_each_kind(workers: usize, test: impl Fn(SessionBuilder)) {
    let kinds = match std::env::var_os(JOB) {
        Some(_) => &["mpi"][..],
        None => &["threads", "processes"],
    };
    for kind in kinds {
        test(builder(workers).kind(kind));
    }
}

fn builder(workers: usize) -> SessionBuilder {
    let arguments = ["kinds::worker", "--exact", "--ignored", "--nocapture"];
    let builder = Session::builder().workers(workers).timeout(Duration::from_secs(20));
    builder.program_arguments(arguments).output(|_, _, _| ())
}

/// What the processes of the sessions of the tests run.
#[test]
#[ignore = "the other tests start it in processes of its own"]
fn worker() {
    panic!("this process is no worker: {:?}", builder(1).kind("processes").start());
}

#[cfg(all(feature = "mpi", target_os = "linux"))]
mod mpi {
    use super::{JOB, builder};
    use crate::{groups, session};
    use std::process::Command;

    /// Every rank but the first is a worker of the sessions of these tests.
    #[test]
    #[ignore = "launchers start it"]
    fn rank() {
        // MPI ends with the first session, which is kept.
        let first = builder(4).kind("mpi").start().unwrap();
        first.shutdown().unwrap();
        groups::groups_are_equal_parts_in_the_order_of_the_workers_with_collectives_of_their_own();
        groups::one_group_is_all_workers_and_a_group_may_be_one_worker();
        groups::a_worker_that_leaves_before_a_collective_of_its_group_releases_those_that_wait();
        groups::workers_of_a_group_that_disagree_are_told_apart_and_the_session_goes_on();
        groups::a_tensor_goes_from_group_to_group();
        groups::no_group_is_after_the_last_or_before_the_first();
        groups::what_one_worker_of_a_group_has_is_spread_over_it_and_collected();
        session::a_tensor_is_copied_to_one_worker_and_back();
        session::a_broadcast_tensor_is_on_every_workers_own_device();
        session::scattered_rows_keep_their_order_and_come_back_whole();
        session::a_tensor_that_was_fetched_does_not_change_with_the_worker();
        session::messages_between_two_workers_leave_the_others_alone();
        session::a_kernel_that_panics_before_an_all_reduce_releases_the_workers_that_wait_in_it();
        println!("all passed");
    }

    #[test]
    fn sessions_of_ranks_do_what_those_of_threads_do() {
        for (launcher, options) in [
            ("mpirun.openmpi", &["--allow-run-as-root", "--oversubscribe"][..]),
            ("mpirun.mpich", &[]),
        ] {
            let mut command = Command::new(launcher);
            command.args(options).args(["-n", "5"]).arg(std::env::current_exe().unwrap());
            command.args(["kinds::mpi::rank", "--exact", "--ignored", "--nocapture"]).env(JOB, "");
            match command.output() {
                Ok(output) => {
                    let text = String::from_utf8_lossy(&output.stdout);
                    assert!(output.status.success() && text.contains("all passed"), "{output:?}");
                }
                Err(error) => {
                    let required = std::env::var("RINGWOOD_REQUIRE").unwrap_or_default();
                    assert!(!required.split(',').any(|name| name == "mpi"), "{launcher}: {error}");
                    println!("skipped: {launcher}: {error}");
                }
            }
        }
    }
}
