use super::*;

#[test]
fn a_session_in_one_process_is_told_how_many_ranks_to_start() {
    let (what, help) = MpiSession::Apart.alone();
    assert!(what.contains("the controller") && help.contains("`mpirun -n 5`"), "{what}; {help}");
    let (what, help) = MpiSession::All.alone();
    assert!(!what.contains("controller") && help.contains("`mpirun -n 4`"), "{what}; {help}");
}

#[test]
fn a_session_of_more_workers_than_there_are_says_what_they_are_too_few_for() {
    assert!(links::too_few(1, 3, 3).is_some() && links::too_few(0, 3, 3).is_none());
    let text = |first| links::too_few(first, 3, 2).unwrap().to_string();
    let apart = "MPI has 2 processes, too few for a controller and 3 workers; start the program with `mpirun -n 4`";
    assert_eq!(text(1), apart);
    let all = "MPI has 2 processes, too few for 3 workers, of which rank 0 is one; start the program with `mpirun -n 3`";
    assert_eq!(text(0), all);
}
