//! Ranks that real launchers start: this program, once for each of them.

#![cfg(target_os = "linux")]

/// The tests of every kind of session, as functions.
macro_rules! on_each_kind {
    ($(#[test] fn $name:ident() $body:block)*) => {
        pub(crate) const CASES: &[(&str, fn())] = &[$((stringify!($name), || $body)),*];
    };
}

#[path = "../../../core/session/tests/session/calls.rs"]
mod calls;
#[path = "../../../core/session/tests/session/ends.rs"]
mod ends;
#[path = "../../../core/session/tests/session/failures.rs"]
mod failures;
#[path = "../../../core/session/tests/session/functions.rs"]
#[allow(dead_code, reason = "the tests of other kinds of sessions use the rest")]
mod functions;
#[path = "mpi/launched.rs"]
mod launched;
#[path = "mpi/nodes.rs"]
mod nodes;
#[path = "../../../core/session/tests/session/registers.rs"]
mod registers;
#[path = "mpi/scenarios.rs"]
mod scenarios;
#[path = "mpi/sessions.rs"]
mod sessions;
#[path = "../../../core/collective/tests/collectives/support.rs"]
#[allow(dead_code, reason = "the tests of the engine use the rest")]
mod support;

use launched::{LAUNCHERS, Launched, PACKAGES};
use ringwood_base::sync::cores;
use std::path::Path;
use std::time::{Duration, Instant};

/// Runs a scenario of `n` ranks under every launcher that is installed.
fn under_each(scenario: &str, n: usize, check: impl Fn(&Launched)) {
    for launcher in &LAUNCHERS {
        if let Some(launched) = launcher.run(scenario, n, &[]) {
            check(&launched);
        }
    }
}

/// The same with the ranks on so many machines, by host names, where the system gives names.
fn on_nodes(scenario: &str, n: usize, nodes: usize, check: impl Fn(&Launched)) {
    for launcher in &LAUNCHERS {
        let Some(launched) = launcher.run(scenario, n, &[(nodes::NODES, &nodes.to_string())])
        else {
            continue;
        };
        match launched.said().iter().any(|text| text == nodes::REFUSED) {
            true => eprintln!("skipped: ranks get {}", nodes::REFUSED),
            false => check(&launched),
        }
    }
}

#[test]
fn ranks_on_2_and_4_machines_give_the_bits_of_threads_and_choose_by_the_machines() {
    for nodes in [2, 4] {
        on_nodes("everything", 4, nodes, |launched| {
            launched.succeeded();
            assert_eq!(launched.said(), ["4 ranks agree"; 4], "{launched:?}");
        });
    }
    on_nodes("two nodes", 4, 2, |launched| {
        launched.succeeded();
        assert_eq!(launched.said(), ["hierarchical, inside two_shot"; 4], "{launched:?}");
    });
}

#[test]
fn groups_of_2_3_4_and_8_ranks_give_the_bits_of_threads_and_name_what_differs() {
    for n in [2, 3, 4, 8] {
        under_each("everything", n, |launched| {
            launched.succeeded();
            assert_eq!(launched.said(), vec![format!("{n} ranks agree"); n], "{launched:?}");
        });
    }
}

/// The packages are where RINGWOOD_MPI_PACKAGES says, each in the folder of its name.
#[test]
#[ignore = "`test.sh --long` installs the packages that it takes"]
fn the_libraries_of_python_packages_give_the_bits_of_threads() {
    let folder = std::env::var_os("RINGWOOD_MPI_PACKAGES").expect("where the packages are");
    for package in &PACKAGES {
        let folder = Path::new(&folder).join(package.name);
        for (library, n) in package.libraries.iter().flat_map(|l| [2, 3, 4, 8].map(|n| (l, n))) {
            let launched = package.run(&folder, library, "everything", n);
            launched.succeeded();
            assert_eq!(
                launched.said(),
                vec![format!("{n} ranks agree"); n],
                "{library}: {launched:?}"
            );
        }
    }
}

#[test]
fn groups_that_are_gone_take_no_room_in_mpi() {
    under_each("many groups", 2, |launched| {
        launched.succeeded();
        assert_eq!(launched.said(), ["so many"; 2], "{launched:?}");
    });
}

#[test]
fn ranks_share_the_processors_that_they_may_run_on_unless_told_how_many_threads_to_have() {
    let said = |variables: &[(&str, &str)], wanted: &str| {
        for launcher in &LAUNCHERS {
            let Some(launched) = launcher.run("threads", 2, variables) else { continue };
            launched.succeeded();
            assert_eq!(launched.said(), [wanted; 2], "{launched:?}");
        }
    };
    let bind = |to| [("OMPI_MCA_hwloc_base_binding_policy", to), ("HYDRA_BINDING", to)];
    let cores = cores();
    said(&bind("none"), &format!("{} of {cores}", (cores / 2).max(1)));
    said(&[&bind("none")[..], &[("RINGWOOD_THREADS", "3")]].concat(), &format!("3 of {cores}"));
    under_each("threads that are given late", 2, |launched| {
        launched.succeeded();
        assert_eq!(launched.said(), ["5"; 2], "{launched:?}");
    });
    if cores > 1 {
        let bound =
            LAUNCHERS.iter().filter_map(|launcher| launcher.run("threads", 2, &bind("core")));
        for launched in bound {
            launched.succeeded();
            // A core may be several processors.
            let all = |text: &String| text.split_once(" of ").is_some_and(|(own, all)| own == all);
            assert!(launched.said().len() == 2 && launched.said().iter().all(all), "{launched:?}");
        }
    }
}

#[test]
fn a_rank_that_does_not_come_to_a_barrier_of_mpi_itself_ends_the_job() {
    under_each("barrier without a rank", 3, |launched| {
        launched.failed_soon();
        let text = "ends the job in MPI_Barrier: it did not end within 500ms";
        assert!(launched.stderr.contains(text), "{launched:?}");
    });
}

#[test]
fn a_rank_alone_is_a_group() {
    under_each("everything", 1, |launched| {
        launched.succeeded();
        assert_eq!(launched.said(), ["1 ranks agree"]);
    });
    for launcher in &LAUNCHERS {
        if let Some(launched) = launcher.run_alone("everything") {
            launched.succeeded();
            assert_eq!(launched.said(), ["1 ranks agree"]);
        }
    }
}

#[test]
fn a_rank_that_is_killed_is_named_and_ends_the_others() {
    let named = |launched: &Launched| {
        launched.failed_soon();
        let said = launched.said();
        assert!(!said.is_empty(), "{launched:?}");
        let wanted =
            |text: &String| text.starts_with("rank 1 of 4 died ") && text.ends_with("call #2");
        assert!(said.iter().all(wanted), "{launched:?}");
    };
    under_each("killed", 4, named);
    on_nodes("killed", 4, 2, named);
}

#[test]
fn a_launcher_that_is_held_back_goes_on_where_the_holder_is_killed() {
    under_each("killed with its shell", 1, |launched| {
        launched.failed_soon();
    });
}

#[test]
fn a_rank_that_is_stopped_is_named_and_ends_with_the_others() {
    under_each("stopped", 3, |launched| {
        launched.failed_soon();
        let wanted = "rank 1 of 3 did not come to call #2 in time";
        let said = launched.said();
        // A launcher that ends a stopped process may wake it before, and it hears of the failure.
        assert!(said.len() >= 2 && said.iter().all(|text| text == wanted), "{launched:?}");
    });
}

#[test]
fn a_rank_that_stops_in_a_collective_of_mpi_itself_ends_the_job() {
    under_each("stopped anywhere", 3, |launched| {
        launched.failed_soon();
        // A rank that has done its part in the collective misses those that have not in the next call.
        let named = |text: &String| {
            text.contains("rank 1 of 3") || text.starts_with("ranks 0, 1 of 3 did not come")
        };
        let ended = launched.stderr.contains("ends the job in MPI_Allreduce: ");
        assert!(ended || launched.said().iter().any(named), "{launched:?}");
    });
}

#[test]
#[ignore = "figures for a person, of a release build"]
fn beside_mpi_itself() {
    for n in [2, 4] {
        under_each("figures", n, |launched| {
            println!("{}, {n} ranks: {:#?}", launched.launcher, launched.said());
        });
    }
}

#[test]
fn a_rank_that_panics_is_named() {
    under_each("panic", 3, |launched| {
        launched.failed_soon();
        assert_eq!(launched.said(), ["rank 1 of 3 panicked"; 2], "{launched:?}");
    });
}

#[test]
fn a_rank_that_does_not_come_is_named_and_ends_the_others() {
    under_each("absent", 3, |launched| {
        launched.failed_soon();
        let wanted = "rank 1 of 3 did not come to call #2 in time";
        assert_eq!(launched.said(), [wanted; 2], "{launched:?}");
        assert!(launched.stderr.contains("ends the job: rank 1 of 3 did not come"), "{launched:?}");
    });
}

#[test]
fn a_rank_that_ends_alone_says_that_the_error_of_its_main_is_not_shown() {
    under_each("ends alone", 3, |launched| {
        launched.failed_soon();
        let text = "ringwood: rank 1 of 3 ends the job: ranks 0, 2 of 3 did not come to the end of MPI in time; \
                    if `main` returns an error on this rank, it is not shown";
        assert!(launched.stderr.contains(text), "{launched:?}");
    });
}

/// Who has the shorter time need not be who comes first.
#[test]
fn a_rank_that_does_not_come_to_the_group_is_named_at_the_end_of_the_shortest_time() {
    let short = [0, 1].map(|short| format!("nobody waits longer than rank {short}"));
    for scenario in
        short.iter().map(String::as_str).chain(["rank 0 comes after the time of rank 1"])
    {
        under_each(scenario, 3, |launched| {
            launched.succeeded();
            launched.took_less_than(Duration::from_secs(12));
            let text = "rank 2 of 3 did not come to mpi:world in time";
            assert_eq!(launched.said(), [text; 2], "{launched:?}");
        });
    }
    under_each("without rank 0", 3, |launched| {
        launched.succeeded();
        let text = "rank 0 of 3 did not answer at mpi:world in time";
        assert_eq!(launched.said(), [text; 2], "{launched:?}");
    });
}

#[test]
fn ranks_meet_a_rank_0_that_comes_when_they_have_given_up_once_or_are_about_to() {
    under_each("rank 0 comes late", 2, |launched| {
        launched.succeeded();
        let mut said = launched.said();
        said.sort();
        let text = "rank 0 of 2 did not answer at mpi:world in time";
        assert_eq!(said, ["2", "2", text], "{launched:?}");
    });
}

#[test]
fn what_is_too_long_for_the_rendezvous_is_refused_where_it_is_sent() {
    under_each("too long for the rendezvous", 2, |launched| {
        launched.succeeded();
        let said = launched.said();
        let text = "the stream of the rendezvous is broken: a message of 1677";
        assert!(said.len() == 1 && said[0].starts_with(text), "{launched:?}");
    });
}

#[test]
fn a_library_of_another_launcher_is_a_mismatch_on_every_rank() {
    let [open_mpi, mpich] = &LAUNCHERS;
    for (launcher, other) in [(open_mpi, mpich), (mpich, open_mpi)] {
        let library = [("RINGWOOD_MPI", other.library)];
        let Some(launched) = launcher.run("mismatch", 2, &library) else { continue };
        launched.succeeded();
        let said = launched.said();
        assert_eq!(said.len(), 2, "{launched:?}");
        for text in said {
            assert!(text.contains("of 2, and `") && text.contains("rank 0 of 1, alone"), "{text}");
        }
    }
}

#[test]
fn sessions_of_ranks_pass_the_tests_of_sessions() {
    under_each("sessions", 5, |launched| {
        launched.succeeded();
        assert_eq!(launched.said(), ["failed: []"], "{launched:?}");
    });
    under_each("session after a group that was resolved", 3, |launched| {
        launched.succeeded();
        launched.took_less_than(Duration::from_secs(20));
        assert_eq!(launched.said(), ["1"], "{launched:?}");
    });
    under_each("session of all", 3, |launched| {
        launched.succeeded();
        assert_eq!(launched.said(), ["[0, 1, 2], here: true, moved 0"; 2], "{launched:?}");
    });
    under_each("session of all whose first worker stays", 3, |launched| {
        launched.succeeded();
        let text = "worker 0 runs `sleep_on`, call 1, in the last session over MPI";
        assert_eq!(launched.said(), [text, "0"], "{launched:?}");
    });
    under_each("session of all that does not start", 3, |launched| {
        launched.succeeded();
        launched.took_less_than(Duration::from_secs(20));
        let text = "this transport connects threads of one process only";
        assert_eq!(launched.said(), [text, "[0, 1, 2]"], "{launched:?}");
    });
    under_each("session of too many", 3, |launched| {
        launched.succeeded();
        let text = "MPI has 3 processes, too few for a controller and 3 workers; start the program with `mpirun -n 4`";
        assert!(launched.said()[0].starts_with(text), "{launched:?}");
    });
}

#[test]
fn ranks_of_a_session_keep_the_number_of_threads_that_each_was_given() {
    under_each(sessions::THREADS, 3, |launched| {
        launched.succeeded();
        assert_eq!(launched.said(), ["threads: 3", "threads: 4"], "{launched:?}");
    });
}

#[test]
fn a_worker_of_a_session_that_ends_is_named_and_ends_the_job() {
    for how in ["exit", "abort"] {
        under_each(&format!("session with a worker that will {how}"), 5, |launched| {
            launched.failed_soon();
            let said = launched.said();
            assert_eq!(said.len(), 1, "{launched:?}");
            let wanted = |text: &String| {
                text.starts_with("worker 2 of 4 (rank 3, process ")
                    && text.ends_with(") has died; it runs `die`, call 1")
            };
            assert!(said.iter().all(wanted), "{launched:?}");
        });
    }
}

#[test]
fn nobody_is_left_of_a_session_whose_launcher_is_terminated() {
    under_each("session that is terminated", 5, |launched| {
        // With what status a terminated launcher ends is its own matter: MPICH's may say that all went well.
        launched.took_less_than(Duration::from_secs(10));
        let said = launched.said();
        assert_eq!(said[0].split(' ').count(), 5, "{launched:?}");
        let is_there = |process: &str| Path::new("/proc").join(process).exists();
        let end = Instant::now() + Duration::from_secs(5);
        while said[0].split(' ').any(is_there) {
            assert!(Instant::now() < end, "{launched:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
    });
}

#[test]
fn a_worker_of_a_session_that_stops_is_named_and_ends_with_the_job() {
    under_each("session with a worker that stops", 5, |launched| {
        launched.failed_soon();
        let said = launched.said();
        let named = |text: &String| {
            text.starts_with("worker 1 of 4 (rank 2, process ")
                && text.contains(") has been silent for ")
        };
        assert!(said.first().is_some_and(named), "{launched:?}");
    });
}

/// What a process of a scenario does.
#[test]
#[ignore = "the other tests start it in processes of its own"]
fn worker() {
    let Ok(scenario) = std::env::var("SCENARIO") else { return };
    scenarios::run(&scenario);
}
