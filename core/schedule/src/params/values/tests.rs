use super::*;
use crate::Descriptor;

fn params(operation: Operation) -> Params {
    let params = Params::new(&Descriptor::new("any", operation), 3).unwrap();
    params.segmented(2).unwrap().rooted(1).unwrap()
}

#[test]
fn every_promised_contribution_is_defined_where_it_comes_from() {
    for operation in Operation::ALL {
        let p = params(operation);
        for rank in 0..3 {
            for chunk in 0..p.chunks() {
                let Some(Contribution { ranks, chunk }) = p.result(rank, chunk) else {
                    continue;
                };
                assert!(!ranks.is_empty());
                assert!(ranks.into_iter().all(|r| p.defined(r).contains(&chunk)));
            }
        }
    }
}

#[test]
fn blocks_go_where_their_operation_says() {
    let p = params(Operation::AllToAll);
    let expected = Contribution { ranks: 2..3, chunk: 3 };
    assert_eq!(p.result(1, 5), Some(expected));
    let p = params(Operation::Scatter);
    assert_eq!((p.defined(1), p.defined(0)), (0..6, 0..0));
    assert_eq!(p.result(2, 5), Some(Contribution { ranks: 1..2, chunk: 5 }));
    assert_eq!(p.result(2, 3), None);
    let p = params(Operation::Permute).permuted(&[1, 2, 0]).unwrap();
    assert_eq!(p.result(0, 0), Some(Contribution { ranks: 2..3, chunk: 0 }));
}

#[test]
fn out_of_place_a_rank_holds_what_it_gives_and_gets() {
    let descriptor = Descriptor::reduce_scatter("any").out_of_place();
    let p = Params::new(&descriptor, 4).unwrap();
    assert_eq!(p.held(2, Space::Input), 0..4);
    assert_eq!(p.held(2, Space::Output), 2..3);
    assert_eq!(params(Operation::ReduceScatter).held(2, Space::Output), 0..6);
}
