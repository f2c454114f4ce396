use super::*;

#[test]
fn a_session_in_one_process_is_told_how_many_ranks_to_start() {
    let apart = MpiSession::Apart.alone().to_string();
    assert!(apart.contains("the controller") && apart.contains("`mpirun -n 5`"), "{apart}");
    let all = MpiSession::All.alone().to_string();
    assert!(!all.contains("controller") && all.contains("`mpirun -n 4`"), "{all}");
}

#[test]
fn a_session_of_more_workers_than_there_are_says_what_they_are_too_few_for() {
    assert!(links::check(1, 3, 3).is_err() && links::check(0, 3, 3).is_ok());
    let text = |first| links::check(first, 3, 2).unwrap_err().to_string();
    let apart = "MPI has 2 processes, too few for a controller and 3 workers; start the program with `mpirun -n 4`";
    assert_eq!(text(1), apart);
    let all = "MPI has 2 processes, too few for 3 workers, of which rank 0 is one; start the program with `mpirun -n 3`";
    assert_eq!(text(0), all);
    let one = links::check(1, 1, 1).unwrap_err().to_string();
    assert!(one.starts_with("MPI has 1 process, too few for a controller and 1 worker;"), "{one}");
}
