use super::*;

fn nodes(homes: &[u64]) -> Nodes {
    let processes = homes.iter().map(|&home| Process { id: 1, home }).collect();
    Nodes { processes, processors: vec![0; homes.len()], shared: true }
}

#[test]
fn ranks_are_numbered_on_their_machines_and_on_the_processors_that_they_may_run_on() {
    let places = |processors: [u64; 5], all: Range<usize>| {
        let nodes = Nodes { processors: processors.into(), ..nodes(&[7, 7, 5, 5, 5]) };
        all.clone().map(|rank| nodes.places(rank, all.clone())).collect::<Vec<_>>()
    };
    // Nobody is bound: the machines have 2 and 3 ranks, less a controller.
    let of_all = [(0, 2), (1, 2), (0, 3), (1, 3), (2, 3)].map(|place| [place; 2]);
    assert_eq!(places([9; 5], 0..5), of_all);
    assert_eq!(places([9; 5], 1..4), [(0, 1), (0, 2), (1, 2)].map(|place| [place; 2]));
    // Bound, each to its own, and to the two sockets of the second machine.
    let bound = places([1, 2, 1, 2, 2], 0..5);
    assert_eq!(
        bound.iter().map(|[near, _]| *near).collect::<Vec<_>>(),
        of_all.map(|[near, _]| near)
    );
    let parts = bound.iter().map(|[_, part]| *part).collect::<Vec<_>>();
    assert_eq!(parts, [(0, 1), (0, 1), (0, 1), (0, 2), (1, 2)]);
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
    let error = reach("/proc/self/fd/9999").unwrap_err();
    assert_eq!(error.message(), "cannot open `/proc/self/fd/9999`");
}
