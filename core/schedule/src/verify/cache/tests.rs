use super::*;
use crate::{Lane, Rank};

/// A chain of copies: how many and in which ranks is its content.
struct Made {
    copies: usize,
    on: usize,
}

impl Collective for Made {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("made")
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        if rank.index() == self.on {
            (0..self.copies).for_each(|i| s.copy(p.all(), p.scratch(i)));
        }
        let last = rank.index() + 1 == p.ranks();
        match rank.index() {
            0 => (1..p.ranks()).for_each(|to| s.send(p.rank(to), p.all())),
            // Every seventh is wrong.
            _ if last && self.copies % 7 == 6 => {}
            _ => s.recv(p.rank(0), p.all()),
        }
    }
}

#[test]
fn ten_thousand_definitions_dropped_and_remade_have_their_own_proofs() {
    for i in 0..10_000 {
        let made = Box::new(Made { copies: i % 23, on: 0 });
        let params = Params::new(&made.describe(), 2 + i % 3).unwrap();
        let proof = prove(&*made, &params);
        let alone = prove_lanes(Source::new(&*made, &params)).unwrap();
        let verdict = alone.verdict;
        match proof {
            Ok(proof) => {
                assert_eq!(proof.verdict.steps, verdict.steps, "{i}");
                assert_eq!((proof.verdict.scratch, verdict.ok()), (verdict.scratch, true));
                assert_eq!(proof.staged, alone.staged);
            }
            Err(_) => assert!(!verdict.ok(), "{i}"),
        }
    }
    assert!(PROOFS.lock().unwrap().len() <= MOST);
}

#[test]
fn more_proofs_than_are_kept_push_out_the_oldest() {
    let mut proofs = Bounded::new(MOST / 2);
    let params = Params::new(&Descriptor::broadcast("made"), 2).unwrap();
    let content = |lanes| {
        let descriptor = Descriptor::broadcast("made");
        Content { descriptor, params: params.clone(), lanes }
    };
    let first = slot(&mut proofs, &content(0));
    for lanes in 1..3 * MOST as u64 {
        slot(&mut proofs, &content(lanes));
        // What is used stays.
        assert!(Arc::ptr_eq(&first, &slot(&mut proofs, &content(0))));
        assert!(proofs.len() <= MOST);
    }
}

#[test]
fn a_proof_from_another_process_is_believed_of_the_lanes_that_it_is_of() {
    for n in [5, 300] {
        // Other tests may have proved it for these sizes.
        let ring = super::super::tests::Ring;
        let params = Params::new(&ring.describe(), n).unwrap();
        let own = prove_lanes(Source::new(&ring, &params)).unwrap();
        let text = serde_json::to_string(&own).unwrap();
        let told = || serde_json::from_str::<Proof>(&text).unwrap();
        assert_eq!(own.verdict.by_symmetry, n == 300);
        let proof = told();
        assert!((0..n).all(|rank| proof.digests.of(rank) == own.digests.of(rank)));
        assert_eq!(proof.verdict, own.verdict);
        assert!(proof.staged == own.staged && proof.completing == own.completing);
        adopt(&ring, &params, proof).unwrap();
        assert!(is_proved(&ring, &params));
        // Of other lanes, of another size, and cut off.
        let other = Params::new(&ring.describe(), n - 1).unwrap();
        let cut = Proof { staged: Vec::new(), ..told() };
        assert!(adopt(&Made { copies: 0, on: 0 }, &params, told()).is_err());
        assert!(adopt(&ring, &other, told()).is_err());
        assert!(adopt(&ring, &params, cut).is_err());
    }
}
