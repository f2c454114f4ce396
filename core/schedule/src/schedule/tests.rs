use super::*;
use crate::Descriptor;

struct Panicking;

impl Collective for Panicking {
    fn describe(&self) -> Descriptor {
        Descriptor::all_reduce("panicking")
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        s.send(rank.next(), p.chunk(0_usize));
        assert!(rank.index() != 1, "no idea");
    }
}

#[test]
fn a_panic_in_a_schedule_is_an_error_that_names_collective_and_rank() {
    let params = Params::new(&Panicking.describe(), 2).unwrap();
    let error = Schedule::of(&Panicking, &params).unwrap_err();
    assert_eq!(error.message(), "collective `panicking`, schedule of rank 1, panicked: no idea");
}

#[test]
fn a_schedule_survives_json_but_for_its_sites() {
    let params = Params::new(&Panicking.describe(), 1).unwrap();
    let schedule = Schedule::of(&Panicking, &params).unwrap();
    let text = serde_json::to_string(&schedule).unwrap();
    assert!(text.contains("schedule/tests.rs:"), "{text}");
    let back: Schedule = serde_json::from_str(&text).unwrap();
    assert_eq!(back.lanes[0][0].chunks, schedule.lanes[0][0].chunks);
    assert_eq!(back.lanes[0][0].site, Site::default());
}

#[test]
fn a_window_holds_the_same_steps_as_the_whole() {
    struct Long;
    impl Collective for Long {
        fn describe(&self) -> Descriptor {
            Descriptor::all_reduce("long")
        }
        fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
            for i in 0..10_usize {
                s.send(rank, p.chunk(i));
            }
        }
    }
    let params = Params::new(&Long.describe(), 1).unwrap();
    let part = generate(&Long, &params, params.rank(0), 3..5).unwrap();
    let whole = generate(&Long, &params, params.rank(0), 0..100).unwrap();
    assert_eq!(part.steps, whole.steps[3..5]);
    assert_eq!((part.total, part.digest), (10, whole.digest));
}
