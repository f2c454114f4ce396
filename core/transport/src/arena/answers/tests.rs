use super::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::scope;

fn joined(answers: &Answers) -> Answers {
    let path = format!("/proc/{}/fd/{}", std::process::id(), answers.number());
    Answers::open(Path::new(&path)).unwrap()
}

#[test]
fn an_answer_is_found_once_by_all_who_ask_at_the_same_time() {
    let (first, found) = (Answers::create().unwrap(), AtomicUsize::new(0));
    let ask = |answers: &Answers, question: &str| {
        answers.ask(question, &mut || {
            found.fetch_add(1, Ordering::Relaxed);
            sleep(Duration::from_millis(20));
            Some(format!("{question}!"))
        })
    };
    scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let own = joined(&first);
                for question in ["ring", "", "tree"] {
                    assert_eq!(ask(&own, question), Some(format!("{question}!")));
                }
            });
        }
    });
    assert_eq!(found.into_inner(), 3);
}

#[test]
fn what_is_not_found_is_asked_again() {
    let answers = Answers::create().unwrap();
    assert_eq!(answers.ask("ring", &mut || None), None);
    assert_eq!(joined(&answers).ask("ring", &mut || Some("8".into())), Some("8".into()));
    assert_eq!(answers.ask("ring", &mut || unreachable!()), Some("8".into()));
}

#[test]
fn who_holds_the_lock_keeps_nobody_for_ever_and_what_is_damaged_answers_nothing() {
    let answers = Answers::create().unwrap();
    let other = joined(&answers).0.into_inner().unwrap();
    other.lock().unwrap();
    let begin = Instant::now();
    assert_eq!(answers.ask("ring", &mut || Some("own".into())), Some("own".into()));
    assert!((PATIENCE..2 * PATIENCE).contains(&begin.elapsed()), "{:?}", begin.elapsed());
    // Of a process that died while it wrote, and of one that writes anything.
    for damaged in [&[255; 8][..], &[9, 0, 0], &[1, 0, 0, 0, 0, 0, 0, 0, 7]] {
        other.set_len(0).unwrap();
        other.write_all_at(damaged, 0).unwrap();
        other.unlock().unwrap();
        assert_eq!(answers.ask("ring", &mut || Some("own".into())), Some("own".into()));
        assert_eq!(joined(&answers).ask("ring", &mut || unreachable!()), Some("own".into()));
    }
}
