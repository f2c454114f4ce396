use super::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::scope;

fn open(answers: &Answers, by: [u64; 2]) -> Result<Answers, Error> {
    let [number, mark] = answers.place();
    let path = format!("/proc/{}/fd/{}", std::process::id(), number ^ by[0]);
    Answers::open(Path::new(&path), mark ^ by[1])
}

fn joined(answers: &Answers) -> Answers {
    open(answers, [0; 2]).unwrap()
}

fn wait(milliseconds: u64) -> Wait<'static> {
    Wait { end: Instant::now() + Duration::from_millis(milliseconds), over: &|| false }
}

fn ask(
    answers: &Answers,
    question: &str,
    find: impl Fn() -> Option<&'static str>,
) -> Option<String> {
    answers.ask(question, &mut || find().map(str::to_owned), &wait(10_000))
}

#[test]
fn an_answer_is_found_once_by_all_who_ask_at_the_same_time() {
    let (first, found) = (Answers::create().unwrap(), AtomicUsize::new(0));
    let find = |answer| {
        found.fetch_add(1, Ordering::Relaxed);
        sleep(Duration::from_millis(20));
        Some(answer)
    };
    scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let own = joined(&first);
                for (question, answer) in [("ring", "8"), ("", "9"), ("tree", "")] {
                    assert_eq!(ask(&own, question, || find(answer)).as_deref(), Some(answer));
                }
            });
        }
    });
    // What is empty is no answer.
    assert_eq!(found.into_inner(), 2 + 8);
}

#[test]
fn where_nothing_is_found_everybody_looks_and_nobody_waits() {
    let answers = Answers::create().unwrap();
    assert_eq!(ask(&answers, "ring", || None), None);
    let other = joined(&answers);
    let held = answers.0.lock().unwrap();
    let _locked = Locked::take(&held.file, &wait(0), || false);
    assert_eq!(ask(&other, "ring", || Some("8")).as_deref(), Some("8"));
    assert_eq!(ask(&other, "ring", || Some("9")).as_deref(), Some("9"));
}

#[test]
fn who_holds_the_lock_keeps_nobody_longer_than_he_waits_or_the_group_lives() {
    let (answers, begin) = (Answers::create().unwrap(), Instant::now());
    let other = joined(&answers).0.into_inner().unwrap().file;
    other.lock().unwrap();
    let find = &mut || Some("own".to_owned());
    let over = Wait { over: &|| true, ..wait(60_000) };
    assert_eq!(joined(&answers).ask("ring", find, &over).as_deref(), Some("own"));
    assert_eq!(answers.ask("ring", find, &wait(50)).as_deref(), Some("own"));
    // Who has waited in vain once waits for no other answer.
    assert_eq!(answers.ask("tree", find, &wait(60_000)).as_deref(), Some("own"));
    assert!(begin.elapsed() >= Duration::from_millis(50));
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn who_panics_or_dies_over_an_answer_leaves_the_lock_and_what_he_has_written_is_replaced() {
    let answers = Answers::create().unwrap();
    let careless = joined(&answers);
    let ask_in_vain = || careless.ask("ring", &mut || panic!("an algorithm"), &wait(0));
    assert!(catch_unwind(AssertUnwindSafe(ask_in_vain)).is_err());
    let other = joined(&answers).0.into_inner().unwrap().file;
    for (i, damaged) in [&[255; 8][..], &[9, 0, 0], &[1, 0, 0, 0, 0, 0, 0, 0, 7]].iter().enumerate()
    {
        other.write_all_at(damaged, other.metadata().unwrap().len()).unwrap();
        let question = format!("ring {i}");
        assert_eq!(ask(&answers, &question, || Some("own")).as_deref(), Some("own"));
        assert_eq!(ask(&joined(&answers), &question, || unreachable!()).as_deref(), Some("own"));
    }
}

#[test]
fn a_full_file_takes_no_more() {
    let answers = Answers::create().unwrap();
    let long = "8".repeat(FULL as usize / 2);
    for question in ["a", "b", "c", "d"] {
        assert_eq!(answers.ask(question, &mut || Some(long.clone()), &wait(0)), Some(long.clone()));
    }
    let known = |question| ask(&joined(&answers), question, || Some("own"));
    assert_eq!(known("b").map(|b| b.len()), Some(long.len()));
    assert_eq!(known("d").as_deref(), Some("own"));
}

#[test]
fn another_file_is_not_written_to() {
    let answers = Answers::create().unwrap();
    assert!(open(&answers, [0; 2]).is_ok());
    assert!(open(&answers, [0, 1]).is_err(), "answers of another group");
    let [number, _] = answers.place();
    // The standard output is none.
    assert!(open(&answers, [number ^ 1, 0]).is_err());
}
