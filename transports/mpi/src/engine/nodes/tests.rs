use super::*;

fn nodes(homes: &[u64]) -> Nodes {
    let processes = homes.iter().map(|&home| Process { id: 1, home }).collect();
    Nodes { processes, shared: true }
}

#[test]
fn ranks_of_one_machine_that_follow_one_another_are_a_task() {
    let two = nodes(&[7, 7, 5, 5, 5]);
    assert_eq!(two.arrangement(&[0, 1, 2, 3, 4]), Arrangement::of_tasks(&[2, 3]).unwrap());
    assert_eq!(two.arrangement(&[4, 0]), Arrangement::of_tasks(&[1, 1]).unwrap());
    assert_eq!(two.arrangement(&[0, 2, 1]), Arrangement::default());
    assert_eq!(two.arrangement(&[2, 3]), Arrangement::default());
    assert!(two.share(&[2, 4]) && !two.share(&[1, 2]) && !two.is_one());
    assert!(nodes(&[7, 7]).is_one());
}

#[test]
fn where_memory_is_not_shared_every_rank_is_alone() {
    let none = Nodes::default();
    assert!(!none.share(&[0]) && !none.is_one());
    assert_eq!(none.arrangement(&[0, 1]), Arrangement::default());
}

#[test]
fn memory_that_cannot_be_opened_is_named() {
    let error = reach(&words([1, 0], "/proc/self/fd/9999")).unwrap_err();
    assert_eq!(error.message(), "cannot open `/proc/self/fd/9999`");
}
