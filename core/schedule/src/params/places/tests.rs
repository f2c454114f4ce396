use super::*;
use crate::{Arrangement, Descriptor, Operation, Request};
use ringwood_base::{DType, Result};

fn params(ranks: usize, arrangement: Arrangement) -> Result<Params> {
    let request = Request::new(Operation::AllReduce, ranks, 1, DType::F32);
    Params::of_request(&Descriptor::all_reduce("any"), &request.arrangement(arrangement))
}

#[test]
fn every_rank_is_in_one_task_and_once_on_each_ring() {
    let rings = [vec![4, 2, 0, 1, 3], vec![0, 1, 2, 3, 4]];
    let arrangement = Arrangement::of_tasks(&[1, 3, 1]).unwrap().rings(&rings).unwrap();
    let p = params(5, arrangement).unwrap();
    assert_eq!((0..p.tasks()).flat_map(|t| p.task(t)).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    for rank in (0..5).map(|r| p.rank(r)) {
        assert!(p.task(p.task_of(rank)).contains(&rank.index()));
        for (i, ring) in rings.iter().enumerate() {
            assert_eq!(ring[p.place(i, rank).index()], rank.index());
            assert_eq!(p.at_place(i, p.place(i, rank)), rank);
            assert_eq!(p.place(i + 2, rank), p.place(i, rank));
        }
    }
}

#[test]
fn without_an_arrangement_all_share_one_task_and_one_ring() {
    let p = params(3, Arrangement::default()).unwrap();
    assert_eq!((p.tasks(), p.task(0), p.task_of(p.rank(2)), p.rings()), (1, 0..3, 0, 1));
    assert_eq!((p.place(5, p.rank(1)), p.at_place(7, p.rank(2))), (p.rank(1), p.rank(2)));
}

#[test]
fn an_arrangement_of_another_group_is_refused() {
    let error = params(4, Arrangement::of_tasks(&[3, 2]).unwrap()).unwrap_err();
    assert_eq!(error.message(), "an arrangement of 5 ranks for a group of 4");
    let ring = Arrangement::default().rings(&[vec![1, 0]]).unwrap();
    assert!(params(3, ring).is_err());
}
