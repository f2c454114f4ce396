use super::*;
use crate::Chunks;

#[test]
fn group_sizes_outside_of_the_constraint_are_refused_by_name() {
    let descriptor = Descriptor::all_reduce("halving").power_of_two_ranks();
    assert!(Params::new(&descriptor, 8).is_ok());
    let error = Params::new(&descriptor, 6).unwrap_err();
    assert_eq!(
        error.message(),
        "collective `halving` works for a power of two of ranks, not for 6"
    );
    let ring = Descriptor::all_reduce("ring");
    assert!(Params::new(&ring, 0).is_err());
    let error = Params::new(&ring, 1 << 32).unwrap_err();
    assert_eq!(
        error.message(),
        "collective `ring` for 4294967296 ranks: a group has at most 4294967295"
    );
}

#[test]
fn cuts_that_leave_no_chunk_or_no_blocks_are_refused() {
    let none = Descriptor::all_reduce("none").chunks(Chunks::Fixed(0));
    assert!(Params::new(&none, 2).is_err());
    let whole = Descriptor::all_gather("whole").chunks(Chunks::Whole);
    let error = Params::new(&whole, 2).unwrap_err();
    assert_eq!(error.message(), "collective `whole` cannot cut all_gather in 1 chunks");
    let core = Descriptor::all_reduce("core").chunks(Chunks::PowerOfTwo);
    assert_eq!(Params::new(&core, 7).unwrap().chunks(), 4);
}

#[test]
fn segments_subdivide_every_chunk() {
    let descriptor = Descriptor::all_reduce("ring").chunks(Chunks::PerRank);
    let p = Params::new(&descriptor, 3).unwrap().segmented(4).unwrap();
    assert_eq!(p.chunks(), 12);
    assert_eq!(p.chunk(p.rank(2)).range(), 8..12);
    assert_eq!(p.segment(1_usize, 3).range(), 7..8);
    assert_eq!(p.span(1_usize, 2).range(), 4..12);
    assert!(p.clone().segmented(0).is_err());
    assert!(p.segmented(usize::MAX).is_err());
}

#[test]
fn messages_count_one_rank_as_one() {
    let one = Params::new(&Descriptor::permute("any"), 1).unwrap();
    let error = one.clone().rooted(1).unwrap_err();
    assert_eq!(error.message(), "root 1 is not in a group of 1 rank");
    let error = one.permuted(&[]).unwrap_err();
    assert_eq!(error.message(), "[] is not a permutation of 1 rank");
}

#[test]
fn a_permutation_names_every_rank_once() {
    let p = Params::new(&Descriptor::permute("any"), 3).unwrap();
    assert_eq!((p.permuted_to(1), p.permuted_from(1)), (1, 1));
    let p = p.permuted(&[2, 0, 1]).unwrap();
    assert_eq!((p.permuted_to(0), p.permuted_from(0)), (2, 1));
    for wrong in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[0, 1, 2, 3]] {
        assert!(p.clone().permuted(wrong).is_err(), "{wrong:?}");
    }
}

#[test]
fn a_request_is_for_an_operation_and_its_mode_counts_where_the_algorithm_has_both() {
    let request = Request::new(Operation::AllReduce, 2, 8, ringwood_base::DType::F32);
    let request = request.mode(BufferMode::OutOfPlace);
    let one = Descriptor::all_reduce("one");
    let mode = |d: Descriptor| Params::of_request(&d, &request).unwrap().mode();
    assert_eq!(mode(one.clone()), BufferMode::InPlace);
    assert_eq!(mode(one.both_modes()), BufferMode::OutOfPlace);
    let error = Params::of_request(&Descriptor::reduce("other"), &request).unwrap_err();
    assert_eq!(error.message(), "collective `other` computes reduce, not all_reduce");
}

/// A collective whose `resolve` answers what it likes.
struct Resolves(fn(&Request) -> Result<Params>);

impl Collective for Resolves {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("own").both_modes()
    }

    fn schedule(&self, _: &Params, _: Rank, _: &mut crate::Lane) {}

    fn resolve(&self, request: &Request) -> Result<Params> {
        (self.0)(request)
    }
}

#[test]
fn what_a_collective_resolves_to_is_for_the_request() {
    let answers: [(&str, Resolves); 5] = [
        ("root", Resolves(|p| Params::of_request(&Descriptor::broadcast("own"), p)?.rooted(1))),
        ("group size", Resolves(|_| Params::new(&Descriptor::broadcast("own"), 2))),
        ("operation", Resolves(|p| Params::new(&Descriptor::all_reduce("own"), p.ranks))),
        (
            "buffer mode",
            Resolves(|p| Params::new(&Descriptor::broadcast("own"), p.ranks)?.rooted(2)),
        ),
        ("no elements", Resolves(|_| panic!("no elements"))),
    ];
    for (what, wrong) in answers {
        let error = Params::resolved(&wrong, &request()).unwrap_err();
        assert!(error.message().contains("collective `own`"), "{error}");
        assert!(error.message().contains(what), "{what}: {error}");
    }
    let segmented = Resolves(|p| {
        Params::of_request(&Descriptor::broadcast("own").both_modes(), p)?.segmented(4)
    });
    assert_eq!(Params::resolved(&segmented, &request()).unwrap().segments(), 4);
}

fn request() -> Request {
    let whole = Request::new(Operation::Broadcast, 4, 8, ringwood_base::DType::F32);
    whole.root(2).mode(BufferMode::OutOfPlace)
}
