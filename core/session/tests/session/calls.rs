//! What a session is called with, and what it answers.

use crate::functions::{OUTER, builder, session, text};
use ringwood_base::{ErrorKind, Result, Shape};
use ringwood_device::processors::allowed;
use ringwood_session::{DRef, HostTensor, IntoArgument, IntoValue, Session, Value};
use std::sync::Arc;

trait IntoArgumentValue {
    fn into_argument_value(self) -> Value;
}

impl IntoArgumentValue for bool {
    fn into_argument_value(self) -> Value {
        Value::Bool(self)
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
    let error = Session::builder().count().unwrap_err();
    assert_eq!(error.message(), "nothing says how many workers the session has");
}

#[test]
fn a_global_function_cannot_call_its_own_session() {
    let session = OUTER.get_or_init(|| session(2));
    let error = text(session.call("call_back", ()).unwrap().get(0));
    assert!(error.contains("`call_back` failed: a global function called back into"), "{error}");
    session.sync_worker(0).unwrap();
}

on_each_kind! {
    #[test]
    fn workers_run_on_their_share_of_the_processors_where_they_are_pinned() {
        let all = allowed();
        let places = |pinned| {
            let session = builder(2).pinned(pinned).start().unwrap();
            let places = session.call("processors", ()).unwrap();
            places.typed::<(Vec<usize>, Vec<usize>)>().gather().unwrap()
        };
        let everywhere = [(); 2].map(|()| (all.clone(), all.clone()));
        assert_eq!(places(false), everywhere);
        let half = all.len() / 2;
        let shares = if half == 0 { [&all[..]; 2] } else { [&all[..half], &all[half..]] };
        for _ in 0..2 {
            let pinned = places(true);
            let shared = pinned.iter().zip(shares).all(|((own, pool), share)| {
                // Threads have their pools in common.
                own == share && (pool == share || *pool == all)
            });
            assert!(shared, "{pinned:?} of {all:?}");
        }
        // Workers that are ranks stay from one session to the next.
        assert_eq!(places(false), everywhere);
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
    fn every_kind_of_argument_reaches_the_workers() {
        let session = session(2);
        let values: Vec<Value> = vec![
            Value::None,
            true.into_argument_value(),
            Value::Int(-3),
            Value::Float(0.5),
            Value::Str("é".into()),
            Value::Bytes(Arc::from([1_u8, 2])),
            Value::Shape(Shape::vector(3)),
            Value::DType(ringwood_base::DType::F16),
            Value::Scalar(1_u32.into()),
            Value::List(vec![Value::Int(1), Value::None]),
            vec![0.5_f32; 100_000].into_value(),
            Value::Some(Box::new(Value::None)),
        ];
        for value in values {
            let back = session.call("echo", (value.clone(),)).unwrap();
            for worker in 0..2 {
                assert_eq!(back.get(worker).unwrap().to_string(), value.to_string());
            }
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
        let text = "no global function `ranks`, did you mean `rank`?; registered: add, ";
        assert!(error.starts_with(text), "{error}");
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
        let error = text(session.call("echo", (vec![Some(0_i64); 200_000],)));
        assert!(error.starts_with("an argument of 1600000 bytes exceeds 1048576"), "{error}");
        let error = text(session.call("echo", (vec![String::new(); 1 << 18],)));
        assert!(error.starts_with("an argument of 2097152 bytes exceeds 1048576"), "{error}");
        let deep = (0..65).fold(Value::Int(0), |value, _| Value::List(vec![value]));
        let error = text(session.call("echo", (deep,)));
        assert_eq!(error, "an argument's lists lie more than 64 deep in each other");
        let small = HostTensor::new(&[4096], &[0.0_f32; 4096]).unwrap();
        let error = text(session.call("echo", (vec![small; 3000],)));
        assert!(error.contains("many small tensors or lists of numbers, 49152000 bytes together"), "{error}");
        assert_eq!(session.registers(), 0);
    }

    #[test]
    fn a_worker_that_does_not_exist_is_refused() {
        let session = session(2);
        let dref = session.call("rank", ()).unwrap();
        assert_eq!(text(dref.get(2)), "no worker 2; the session has 2");
        assert!(session.sync_worker(usize::MAX).is_err());
    }

    #[test]
    fn a_worker_keeps_state_between_calls() {
        let session = session(2);
        session.call("count", ()).unwrap();
        let second = session.call("count", ()).unwrap().typed::<i64>();
        assert_eq!(second.gather().unwrap(), [2, 2]);
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
    fn a_function_of_host_tensors_needs_no_device() {
        let session = session(2);
        let tensor = HostTensor::new(&[2], &[1.0_f32, 2.0]).unwrap();
        let named = vec![("weight".to_owned(), tensor.clone())];
        let bytes = session.call("bytes_of", (tensor, named)).unwrap().typed::<usize>();
        assert_eq!(bytes.gather().unwrap(), [16, 16]);
    }

    #[test]
    fn values_that_lie_too_deep_are_an_error_of_their_call() {
        let session = session(2);
        let deep = |leaf, lists| (0..lists).fold(leaf, |value, _| Value::List(vec![value]));
        let tensor = HostTensor::new(&[2], &[1.0_f32, 2.0]).unwrap();
        session.call("take_three", (deep(Value::Host(tensor), 64), 0_i64, 0_i64)).unwrap();
        session.call("echo", (deep(Value::Shape(Shape::vector(3)), 64),)).unwrap().get(1).unwrap();
        // Threads hand deeper ones over as they are.
        let number = session.call("echo", (0_i64,)).unwrap();
        let nested = session.call("nest", (100_usize,)).unwrap().get(0).err();
        let replaced = session.debug_set(&number, 1, deep(Value::None, 100)).err();
        for error in [nested, replaced].into_iter().flatten() {
            assert!(error.to_string().contains("values that lie more than 64 deep"), "{error}");
        }
        let ranks = session.call("rank", ()).unwrap().typed::<usize>();
        assert_eq!(ranks.gather().unwrap(), [0, 1]);
    }

    #[test]
    fn a_device_that_does_not_exist_ends_the_start_and_names_the_worker() {
        let error = text(builder(2).devices(["npu:3"]).start());
        // Both lack it, and either may say so first.
        assert!(error.starts_with("worker ") && error.contains(" of 2: no device `npu:3`"), "{error}");
    }
}
