//! Sessions over functions that are registered by hand, without a device.

use ringwood_core::registry::{Entry, EntryMeta, Item, Registry};
use ringwood_core::session::{
    Arguments, DRef, GlobalFn, HostTensor, IntoArgument, Outcome, Parameter, Session,
    SessionBuilder, Value, Worker,
};
use ringwood_core::{Error, ErrorKind, Result};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// What `#[global_fn]` writes for these functions, as a registry.
macro_rules! global_fns {
    ($(fn $name:ident($worker:ident: &Worker $(, $param:ident: $type:ty)*) -> $out:ty $body:block)*) => {
        $(fn $name($worker: &Worker $(, $param: $type)*) -> $out $body)*

        fn registry() -> Registry {
            let builder = Registry::builder();
            $(let builder = builder.register(Entry {
                meta: EntryMeta {
                    name: stringify!($name),
                    module_path: module_path!(),
                    file: file!(),
                    line: line!(),
                },
                item: Item::GlobalFn(const {
                    &GlobalFn {
                        name: stringify!($name),
                        parameters: &[$(Parameter::of::<$type>(stringify!($param))),*],
                        run: |worker: &Worker, mut arguments: Arguments<'_>| {
                            let _ = &mut arguments;
                            $name(worker $(, arguments.take::<$type>()?)*).into_outcome()
                        },
                    }
                }),
            });)*
            builder.build().unwrap()
        }
    };
}

global_fns! {
    fn rank(w: &Worker) -> usize {
        w.rank()
    }

    fn add(_w: &Worker, a: i64, b: i64) -> i64 {
        a + b
    }

    fn echo(_w: &Worker, value: Value) -> Value {
        value
    }

    fn fail_on(w: &Worker, rank: usize) -> Result<i64> {
        if w.rank() == rank {
            return Err(Error::new(ErrorKind::Shape, "the shapes do not fit"));
        }
        Ok(7)
    }

    fn panic_on(w: &Worker, rank: usize) -> i64 {
        let empty: &[i64] = &[];
        if w.rank() == rank { empty[w.rank()] } else { 7 }
    }

    fn panic_oddly(_w: &Worker) -> () {
        std::panic::panic_any(17_u8)
    }

    fn sleep(_w: &Worker, ms: u64) -> () {
        std::thread::sleep(Duration::from_millis(ms));
    }

    fn sleep_on(w: &Worker, rank: usize, ms: u64) -> () {
        if w.rank() == rank {
            std::thread::sleep(Duration::from_millis(ms));
        }
    }

    fn count(w: &Worker) -> Result<i64> {
        let counter = w.state(|| Ok(0_i64))?;
        *counter.borrow_mut() += 1;
        let count = *counter.borrow();
        Ok(count)
    }

    // All workers but one enter a collective that does not end without it.
    fn meet_unless(w: &Worker, rank: usize, cause: String) -> Result<i64> {
        if w.rank() != rank {
            return w.collective("meeting", |group| wait_for_abort(group).map(|()| 7));
        }
        // The others have time to come.
        std::thread::sleep(Duration::from_millis(100));
        match cause.as_str() {
            "panic" => panic!("no meeting today"),
            "error" => Err(Error::new(ErrorKind::Shape, "the shapes do not fit")),
            _ => Ok(8),
        }
    }

    // One worker's collective fails while the others wait in it.
    fn break_meeting(w: &Worker, rank: usize) -> Result<()> {
        w.collective("meeting", |group| {
            if w.rank() == rank {
                return Err(group.abort(Error::new(ErrorKind::Device, "the line is dead")));
            }
            wait_for_abort(group)
        })
    }

    fn take_own_session(_w: &Worker) -> () {
        let session = SELF.lock().unwrap().take();
        drop(session);
    }

    fn nested(_w: &Worker, workers: usize) -> Result<usize> {
        let inner = session(workers);
        let ranks = inner.call("rank", ())?.typed::<usize>();
        Ok(ranks.gather()?.into_iter().sum())
    }

    fn call_back(_w: &Worker) -> Result<i64> {
        let session = OUTER.get().expect("the test sets it");
        session.call("rank", ())?.typed().get(0)
    }
}

static OUTER: OnceLock<Session> = OnceLock::new();
static SELF: Mutex<Option<Session>> = Mutex::new(None);

/// Waits until the group fails.
fn wait_for_abort(group: &ringwood_core::collective::Communicator) -> Result<()> {
    loop {
        group.check()?;
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn builder(workers: usize) -> SessionBuilder {
    let timeout = Duration::from_secs(20);
    Session::builder().workers(workers).timeout(timeout).registry(registry())
}

fn session(workers: usize) -> Session {
    builder(workers).start().unwrap()
}

fn text<T: std::fmt::Debug>(result: Result<T>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn every_worker_runs_the_call_and_keeps_its_own_result() {
    let session = session(4);
    let ranks: DRef<i64> = session.call("rank", ()).unwrap().typed();
    assert_eq!(ranks.gather().unwrap(), [0, 1, 2, 3]);
    let sums = session.call("add", (&ranks, 10_i64)).unwrap().typed::<i64>();
    assert_eq!(sums.get(3).unwrap(), 13);
    sums.wait().unwrap();
    session.sync().unwrap();
    session.sync_worker(2).unwrap();
}

#[test]
fn one_worker_and_many_more_workers_than_cores_work() {
    for workers in [1, 64] {
        let session = session(workers);
        let ranks = session.call("rank", ()).unwrap().typed::<usize>();
        assert_eq!(ranks.gather().unwrap(), (0..workers).collect::<Vec<_>>());
        session.shutdown().unwrap();
    }
}

#[test]
fn a_session_larger_than_a_process_is_refused() {
    for workers in [100_000, usize::MAX] {
        let error = Session::threads(workers).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.message().contains(&workers.to_string()), "{error}");
    }
}

#[test]
fn a_session_without_workers_is_refused() {
    let error = Session::threads(0).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.to_string().starts_with("a session needs at least 1 worker"), "{error}");
}

#[test]
fn every_kind_of_argument_reaches_the_workers() {
    let session = session(2);
    let values: Vec<Value> = vec![
        Value::None,
        true.into_argument_value(),
        Value::Int(-3),
        Value::Float(0.5),
        Value::Str("é".into()),
        Value::Bytes(Arc::from([1_u8, 2])),
        Value::Shape(ringwood_core::Shape::vector(3)),
        Value::DType(ringwood_core::DType::F16),
        Value::Scalar(1_u32.into()),
        Value::List(vec![Value::Int(1), Value::None]),
    ];
    for value in values {
        let back = session.call("echo", (value.clone(),)).unwrap();
        for worker in 0..2 {
            assert_eq!(back.get(worker).unwrap().to_string(), value.to_string());
        }
    }
}

trait IntoArgumentValue {
    fn into_argument_value(self) -> Value;
}

impl IntoArgumentValue for bool {
    fn into_argument_value(self) -> Value {
        Value::Bool(self)
    }
}

#[test]
fn a_typed_argument_is_a_value_or_a_register_of_its_type() {
    fn typed_add(
        session: &Session,
        a: impl IntoArgument<i64>,
        b: impl IntoArgument<i64>,
    ) -> Result<DRef<i64>> {
        Ok(session.call("add", [a.into_argument(), b.into_argument()])?.typed())
    }
    let session = session(2);
    let five = typed_add(&session, 2, 3).unwrap();
    assert_eq!(typed_add(&session, &five, 1).unwrap().gather().unwrap(), [6, 6]);
}

#[test]
fn an_unknown_function_is_answered_with_the_known_ones() {
    let session = session(2);
    let error = text(session.call("ranks", ()));
    assert!(error.starts_with("no global function `ranks`; registered: add, "), "{error}");
    assert!(error.ends_with("did you mean `rank`?"), "{error}");
}

#[test]
fn wrong_arguments_are_refused_before_anything_is_sent_or_allocated() {
    let session = session(2);
    let error = text(session.call("add", (1_i64,)));
    assert_eq!(error, "add(a: i64, b: i64) takes 2 arguments, got 1");
    let error = text(session.call("add", (1_i64, "two")));
    assert_eq!(error, "argument 2, `b`, of `add`: expected i64, got str \"two\"");
    let error = text(session.call("echo", ("x".repeat(2 << 20),)));
    assert!(error.starts_with("an argument of 2097152 bytes exceeds 1048576"), "{error}");
    let error = text(session.call("echo", (vec![0_i64; 200_000],)));
    assert!(error.starts_with("an argument of 1600000 bytes exceeds 1048576"), "{error}");
    assert_eq!(session.registers(), 0);
}

#[test]
fn a_register_of_another_type_is_an_error_of_the_call_that_takes_it() {
    let session = session(2);
    let words = session.call("echo", ("abc",)).unwrap();
    let sum = session.call("add", (&words, 1_i64)).unwrap();
    let error = text(sum.get(1));
    assert_eq!(
        error,
        "worker 1 of 2: global function `add` failed: argument 1, `a`, of `add`: expected i64, got str \"abc\""
    );
    assert_eq!(text(words.typed::<i64>().get(0)), "expected i64, got str \"abc\"");
}

#[test]
fn the_register_freed_last_is_used_first() {
    let session = session(3);
    let [a, b, c] = [(); 3].map(|()| session.call("rank", ()).unwrap());
    assert_eq!([a.register(), b.register(), c.register()], [1, 2, 3]);
    drop(a);
    drop(c);
    assert_eq!(session.registers(), 1);
    let again = [(); 3].map(|()| session.call("rank", ()).unwrap());
    assert_eq!(again.each_ref().map(DRef::register), [3, 1, 4]);
    assert_eq!(again[0].typed::<usize>().gather().unwrap(), [0, 1, 2]);
}

#[test]
fn a_register_is_freed_with_the_last_clone_of_its_handle() {
    let session = session(2);
    let first = session.call("rank", ()).unwrap();
    let second = first.clone();
    let typed = first.typed::<usize>();
    drop(first);
    drop(second);
    assert_eq!(session.registers(), 1);
    assert_eq!(typed.get(1).unwrap(), 1);
    drop(typed);
    assert_eq!(session.registers(), 0);
}

#[test]
fn a_handle_may_be_dropped_after_its_session_and_on_another_thread() {
    let session = session(2);
    let dref = session.call("rank", ()).unwrap();
    let other = session.call("rank", ()).unwrap();
    std::thread::spawn(move || drop(other)).join().unwrap();
    drop(session);
    assert!(text(dref.get(0)).contains("has been shut down"));
    drop(dref);
}

#[test]
fn a_handle_of_another_session_is_refused() {
    let (one, two) = (session(2), session(2));
    let dref = one.call("rank", ()).unwrap();
    let error = text(two.call("echo", (&dref,)));
    assert!(error.contains("the handle belongs to session"), "{error}");
    assert!(two.debug_set(&dref, 0, Value::None).is_err());
}

#[test]
fn a_worker_that_does_not_exist_is_refused() {
    let session = session(2);
    let dref = session.call("rank", ()).unwrap();
    assert_eq!(text(dref.get(2)), "no worker 2; the session has 2");
    assert!(session.sync_worker(usize::MAX).is_err());
}

#[test]
fn a_register_of_one_worker_can_be_set_for_debugging() {
    let session = session(3);
    let ranks = session.call("rank", ()).unwrap().typed::<usize>();
    session.debug_set(&ranks, 1, 17).unwrap();
    assert_eq!(ranks.gather().unwrap(), [0, 17, 2]);
}

#[test]
fn a_worker_keeps_state_between_calls() {
    let session = session(2);
    session.call("count", ()).unwrap();
    let second = session.call("count", ()).unwrap().typed::<i64>();
    assert_eq!(second.gather().unwrap(), [2, 2]);
}

#[test]
fn an_error_on_one_worker_fails_its_result_and_leaves_the_session_usable() {
    let session = session(4);
    let result = session.call("fail_on", (2_usize,)).unwrap().typed::<i64>();
    let expected = "worker 2 of 4: global function `fail_on` failed: the shapes do not fit";
    assert_eq!(result.get(1).unwrap(), 7);
    let error = result.get(2).unwrap_err();
    assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Shape, expected));
    assert_eq!(text(result.gather()), expected);
    assert_eq!(text(result.wait()), expected);

    let next = session.call("add", (&result, 1_i64)).unwrap().typed::<i64>();
    assert_eq!(text(next.get(2)), expected);
    assert_eq!(next.get(0).unwrap(), 8);
    session.sync().unwrap();
}

#[test]
fn a_failure_that_no_one_asked_for_is_reported_by_the_next_sync_once() {
    let session = session(3);
    drop(session.call("fail_on", (1_usize,)).unwrap());
    assert!(text(session.sync()).starts_with("worker 1 of 3: global function `fail_on` failed"));
    session.sync().unwrap();
}

#[test]
fn a_panic_names_worker_function_cause_and_place_and_closes_the_session() {
    let session = session(4);
    let result = session.call("panic_on", (2_usize,)).unwrap();
    let error = result.wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Panic);
    let message = error.message();
    let head = "worker 2 of 4: global function `panic_on` panicked: index out of bounds: the len is 0 but the index is 2 (core/tests/session.rs:";
    assert!(message.starts_with(head), "{message}");
    let debug = format!("{error:?}");
    assert!(debug.contains("the last operations of each worker\n  worker 0:"), "{debug}");
    for later in [text(session.call("rank", ())), text(session.sync()), text(result.get(0))] {
        assert_eq!(later, error.to_string());
    }
    session.shutdown().unwrap();
}

#[test]
fn a_panic_whose_payload_is_not_text_is_reported_too() {
    let session = session(1);
    let error = text(session.call("panic_oddly", ()).unwrap().wait());
    assert!(error.contains("`panic_oddly` panicked: a payload that is not text"), "{error}");
}

#[test]
fn a_closed_session_can_be_started_again_and_its_old_handles_are_stale() {
    let session = session(3);
    let old = session.call("rank", ()).unwrap();
    session.call("panic_on", (0_usize,)).unwrap().wait().unwrap_err();
    session.recover().unwrap();
    assert!(text(old.get(0)).contains("the handle is stale"));
    assert!(text(session.call("echo", (&old,))).contains("the handle is stale"));
    let new = session.call("rank", ()).unwrap().typed::<usize>();
    assert_eq!(new.register(), 1);
    drop(old);
    assert_eq!(new.gather().unwrap(), [0, 1, 2]);
    session.sync().unwrap();
}

#[test]
fn workers_that_wait_for_one_that_left_are_released_with_its_failure() {
    for (cause, kind, says) in [
        (
            "panic",
            ErrorKind::Panic,
            "worker 2 of 4: global function `meet_unless` panicked: no meeting today",
        ),
        (
            "error",
            ErrorKind::Shape,
            "worker 2 of 4: global function `meet_unless` failed: the shapes do not fit",
        ),
        (
            "skip",
            ErrorKind::Mismatch,
            "workers disagree in `meet_unless`: worker 2 of 4 returned after 0 collectives",
        ),
    ] {
        let session = session(4);
        let start = Instant::now();
        let result = session.call("meet_unless", (2_usize, cause)).unwrap();
        let errors = [0, 1, 2, 3].map(|worker| result.get(worker).unwrap_err());
        assert!(start.elapsed() < Duration::from_secs(5));
        for error in &errors {
            assert_eq!(error.kind(), kind);
            assert!(error.message().starts_with(says), "{error}");
            assert_eq!(error.to_string(), errors[0].to_string());
        }
        assert!(errors[0].message().contains("waiting in meeting #1"), "{}", errors[0]);
        session.recover().unwrap();
        let ranks = session.call("rank", ()).unwrap().typed::<usize>();
        assert_eq!(ranks.gather().unwrap(), [0, 1, 2, 3]);
    }
}

#[test]
fn a_failure_inside_of_a_collective_closes_the_session_for_all() {
    let session = session(3);
    let result = session.call("break_meeting", (1_usize,)).unwrap();
    for worker in 0..3 {
        let error = result.get(worker).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Device);
        assert!(
            error.message().starts_with("worker 1 of 3: meeting failed: the line is dead"),
            "{error}"
        );
    }
    assert!(session.call("rank", ()).is_err());
}

#[test]
fn a_busy_worker_does_not_delay_the_news_that_another_panicked() {
    let session = session(2);
    let start = Instant::now();
    let slow = session.call("sleep_on", (0_usize, 1000_u64)).unwrap();
    session.call("panic_on", (1_usize,)).unwrap();
    let error = slow.get(0).unwrap_err();
    assert!(error.message().starts_with("worker 1 of 2: global function `panic_on` panicked"));
    assert!(start.elapsed() < Duration::from_millis(500));
}

#[test]
fn a_worker_that_takes_no_more_commands_is_named() {
    let session = builder(2).timeout(Duration::from_millis(100)).start().unwrap();
    session.call("sleep_on", (1_usize, 700_u64)).unwrap();
    let error = (0..5000).find_map(|_| session.call("rank", ()).err()).unwrap();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    let text = "worker 1 of 2 is 4096 commands behind; it runs `sleep_on`, call 1";
    assert!(error.message().starts_with(text), "{error}");
}

#[test]
fn handles_dropped_while_a_worker_is_behind_are_freed_later() {
    let session = session(2);
    session.call("sleep_on", (1_usize, 200_u64)).unwrap();
    let handles: Vec<_> = (0..4090).map(|_| session.call("rank", ()).unwrap()).collect();
    handles.into_iter().for_each(drop);
    session.sync().unwrap();
    drop(session.call("rank", ()).unwrap());
    assert_eq!(session.registers(), 0);
}

#[test]
fn shutting_down_twice_and_calling_afterwards_does_no_harm() {
    let session = session(2);
    let dref = session.call("rank", ()).unwrap();
    session.shutdown().unwrap();
    session.shutdown().unwrap();
    let error = session.call("rank", ()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Aborted);
    assert!(error.to_string().contains("has been shut down"), "{error}");
    assert!(session.sync().is_err());
    assert!(dref.get(0).is_err());
}

#[test]
fn shutdown_finishes_what_was_submitted() {
    let session = session(2);
    let start = Instant::now();
    session.call("sleep", (50_u64,)).unwrap();
    session.shutdown().unwrap();
    assert!(start.elapsed() >= Duration::from_millis(50));
}

#[test]
fn a_worker_that_does_not_answer_in_time_is_named_with_what_it_does() {
    let session = builder(3).timeout(Duration::from_millis(100)).start().unwrap();
    let result = session.call("sleep_on", (1_usize, 1500_u64)).unwrap();
    assert!(result.get(0).is_ok());
    let start = Instant::now();
    let error = result.wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(
        error.message().starts_with(
            "1 of 3 workers did not answer within 100ms: worker 1 runs `sleep_on`, call 1"
        ),
        "{error}"
    );
    assert!(session.call("rank", ()).unwrap_err().message().starts_with(error.message()));
    let error = session.shutdown().unwrap_err();
    assert!(error.message().starts_with("1 of 3 workers did not end within 100ms"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[test]
fn a_session_may_wait_for_as_long_as_a_duration_can_say() {
    let session = builder(2).timeout(Duration::MAX).start().unwrap();
    session.sync().unwrap();
    session.shutdown().unwrap();
}

#[test]
fn workers_stuck_in_a_collective_are_released_by_the_timeout() {
    let session = builder(2).timeout(Duration::from_millis(200)).start().unwrap();
    // Worker 0 sleeps past the bound, worker 1 waits for it.
    let start = Instant::now();
    let result = session.call("sleep_on", (0_usize, 600_u64)).unwrap();
    let meeting = session.call("meet_unless", (9_usize, "")).unwrap();
    let error = meeting.wait().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert!(error.message().contains("worker 1 waits in meeting #1 of `meet_unless`"), "{error}");
    drop(result);
    assert!(start.elapsed() < Duration::from_secs(2));
}

#[test]
fn a_global_function_cannot_call_its_own_session() {
    let session = OUTER.get_or_init(|| session(2));
    let error = text(session.call("call_back", ()).unwrap().get(0));
    assert!(error.contains("`call_back` failed: a global function called back into"), "{error}");
    session.sync_worker(0).unwrap();
}

#[test]
fn a_worker_may_drop_the_last_handle_of_its_own_session() {
    let mut place = SELF.lock().unwrap();
    let session = place.insert(session(2));
    let result = session.call("take_own_session", ()).unwrap();
    drop(place);
    let start = Instant::now();
    while SELF.lock().unwrap().is_some() && start.elapsed() < Duration::from_secs(5) {
        std::thread::yield_now();
    }
    while result.wait().is_ok() {
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn several_threads_may_use_one_session() {
    let session = session(3);
    std::thread::scope(|scope| {
        for thread in 0..4_i64 {
            let session = &session;
            scope.spawn(move || {
                for i in 0..50 {
                    let sum = session.call("add", (thread, i)).unwrap().typed::<i64>();
                    assert_eq!(sum.gather().unwrap(), [thread + i; 3]);
                }
            });
        }
    });
    assert_eq!(session.registers(), 0);
}

#[test]
fn the_failure_of_one_session_leaves_another_alone() {
    let (one, two) = (session(2), session(2));
    let ranks = two.call("rank", ()).unwrap().typed::<usize>();
    one.call("panic_on", (1_usize,)).unwrap().wait().unwrap_err();
    assert_eq!(ranks.gather().unwrap(), [0, 1]);
}

#[test]
fn a_global_function_may_run_a_session_of_its_own() {
    let session = session(2);
    let sums = session.call("nested", (3_usize,)).unwrap().typed::<usize>();
    assert_eq!(sums.gather().unwrap(), [3, 3]);
}

#[test]
fn rows_are_scattered_evenly_or_refused() {
    let session = session(3);
    let tensor = HostTensor::new(&[2, 1], &[1.0_f32, 2.0]).unwrap();
    let error = text(session.scatter(&tensor));
    assert!(error.starts_with("cannot scatter 2 rows of [2, 1] to 3 workers"), "{error}");
    assert!(session.scatter(&HostTensor::new(&[], &[1.0_f32]).unwrap()).is_err());
    assert_eq!(session.registers(), 0);
}

#[test]
fn a_tensor_without_a_device_to_put_it_on_is_an_error_of_its_register() {
    let session = session(2);
    let tensor = HostTensor::new(&[2], &[1.0_f32, 2.0]).unwrap();
    let error = text(session.broadcast(&tensor).unwrap().wait());
    assert!(error.starts_with("worker 0 of 2: no device runs kernels"), "{error}");
    session.sync_worker(0).unwrap();
}

#[test]
fn a_device_that_does_not_exist_ends_the_start_and_names_the_worker() {
    let error = text(builder(2).devices(["npu:3"]).start());
    assert!(error.starts_with("worker 0 of 2: no device `npu:3`"), "{error}");
}
