//! The global functions of the tests, and sessions that know them.

use ringwood_base::registry::{Entry, EntryMeta, Registry};
use ringwood_base::{Error, ErrorKind, Result};
use ringwood_collectives::all_gather::entries::direct_all_gather;
use ringwood_device::pool::{Pool, each};
use ringwood_device::processors::allowed;
use ringwood_schedule::ReduceOp;
use ringwood_session::{
    Arguments, CollectiveCall, DRef, GlobalFn, HostTensor, Outcome, Parameter, Session,
    SessionBuilder, Value, Worker,
};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

/// What `#[global_fn]` writes for these functions, as a registry.
macro_rules! global_fns {
    ($(fn $name:ident($worker:ident: &Worker $(, $param:ident: $type:ty)*) -> $out:ty $body:block)*) => {
        $(fn $name($worker: &Worker $(, $param: $type)*) -> $out $body)*

        pub(crate) fn registry() -> Registry {
            let builder = Registry::builder().register(ringwood_session::entries::threads::ENTRY);
            let builder = builder.register(ringwood_transport::entries::peer_memory::ENTRY);
            let builder = builder.register(ringwood_transport::entries::socket::ENTRY);
            // With that workers form groups.
            let builder = builder.register(direct_all_gather::ENTRY);
            #[cfg(target_os = "linux")]
            let builder = builder.register(ringwood_session::entries::processes::ENTRY);
            $(let builder = builder.register(Entry::new(
                EntryMeta {
                    package: "tests",
                    name: stringify!($name),
                    module_path: module_path!(),
                    file: file!(),
                    line: line!(),
                },
                const {
                    &GlobalFn {
                        name: stringify!($name),
                        parameters: &[$(Parameter::of::<$type>(stringify!($param))),*],
                        run: |worker: &Worker, mut arguments: Arguments<'_>| {
                            let _ = &mut arguments;
                            $name(worker $(, arguments.take::<$type>()?)*).into_outcome()
                        },
                    }
                },
            ));)*
            builder.build().unwrap()
        }
    };
}

/// The calls of `tally` that have begun.
pub(crate) static COUNTED: AtomicUsize = AtomicUsize::new(0);

global_fns! {
    fn rank(w: &Worker) -> usize {
        w.rank()
    }

    fn process(_w: &Worker) -> u32 {
        std::process::id()
    }

    fn say(_w: &Worker, text: String) -> () {
        println!("{text}");
        eprintln!("about {text}");
    }

    fn print_for_ever(_w: &Worker) -> Result<u32> {
        let printer = std::process::Command::new("yes").spawn();
        printer.map(|child| child.id()).map_err(|e| Error::unavailable("no `yes`").because(e))
    }

    fn die(w: &Worker, rank: usize, how: String) -> () {
        if w.rank() == rank {
            match how.as_str() {
                "exit" => std::process::exit(3),
                "abort" => std::process::abort(),
                _ => overflow(0),
            }
        }
    }

    // Descriptors of this process, but those of its directory.
    fn files(_w: &Worker) -> usize {
        std::fs::read_dir("/proc/self/fd").unwrap().count() - 1
    }

    // Where the worker may run, and where the threads of a pool that it makes may.
    fn processors(_w: &Worker) -> Result<(Vec<usize>, Vec<usize>)> {
        let (here, there) = (std::thread::current().id(), Mutex::new(Vec::new()));
        let both = std::sync::Barrier::new(2);
        let look = |_| {
            both.wait();
            if std::thread::current().id() != here {
                *there.lock().unwrap() = allowed();
            }
        };
        Pool::new("test", 2)?.install(|| each(0..2, look));
        Ok((allowed(), there.into_inner().unwrap()))
    }

    fn add(_w: &Worker, a: i64, b: i64) -> i64 {
        a + b
    }

    fn echo(_w: &Worker, value: Value) -> Value {
        value
    }

    fn bytes_of(_w: &Worker, tensor: HostTensor, named: Vec<(String, HostTensor)>) -> usize {
        let named = named.iter().map(|(_, tensor)| tensor.bytes().len());
        tensor.bytes().len() + named.sum::<usize>()
    }

    fn zeros(_w: &Worker, bytes: usize) -> Result<HostTensor> {
        HostTensor::new(&[bytes], &vec![0_u8; bytes])
    }

    fn nest(_w: &Worker, lists: usize) -> Value {
        (0..lists).fold(Value::None, |value, _| Value::List(vec![value]))
    }

    fn take_three(_w: &Worker, _a: Value, _b: Value, _c: Value) -> () {}

    fn fail_on(w: &Worker, rank: usize) -> Result<i64> {
        if w.rank() == rank {
            return Err(Error::shape("the shapes do not fit"));
        }
        Ok(7)
    }

    fn panic_on(w: &Worker, rank: usize) -> i64 {
        let empty: &[i64] = &[];
        if w.rank() == rank { empty[w.rank()] } else { 7 }
    }

    fn tally(_w: &Worker, ms: u64) -> () {
        COUNTED.fetch_add(1, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(ms));
    }

    fn send_to(w: &Worker, from: usize, to: usize, receives: bool) -> Result<f64> {
        let mut data = [w.rank() as f64];
        if w.rank() == from {
            w.send(&data, to)?;
        } else if w.rank() == to && receives {
            w.recv(&mut data, from)?;
        }
        Ok(data[0])
    }

    // A message that one of the workers comes to late.
    fn send_late(w: &Worker, ms: u64) -> Result<()> {
        match w.rank() {
            0 => w.send(&[1.0_f64; 3], 1),
            1 => {
                std::thread::sleep(Duration::from_millis(ms));
                w.recv(&mut [0.0_f64; 3], 0)
            }
            _ => Ok(()),
        }
    }

    fn send_in_collective(w: &Worker) -> Result<()> {
        w.collective("exchange", |group| match w.rank() {
            0 => group.send(&[1_u8], 1),
            _ => group.recv(&mut [0_u8], 0),
        })
    }

    // Workers 0 and 1 wait for each other, and others for them.
    fn cross(w: &Worker, how: String) -> Result<()> {
        let (mut data, other) = ([0.0_f64], 1 - w.rank().min(1));
        match (how.as_str(), w.rank()) {
            ("recv", 0 | 1) => w.recv(&mut data, other),
            ("send", 0 | 1) => w.send(&data, other),
            ("message", 1) => w.recv(&mut data, other),
            ("group", 1) => meet(w.in_group()),
            _ => meet(w.with("none")),
        }
    }

    // Messages in both directions and collectives, in an order that lets all of them pass, with pauses.
    fn pass(w: &Worker, rounds: usize, ms: u64) -> Result<()> {
        for round in 0..rounds {
            if round == w.rank() {
                std::thread::sleep(Duration::from_millis(ms));
            }
            let (mut data, other) = ([round as f64], w.rank() ^ (1 + round % 3));
            if w.rank() < other {
                w.send(&data, other)?;
                w.recv(&mut data, other)?;
            } else {
                w.recv(&mut data, other)?;
                w.send(&data, other)?;
            }
            std::thread::sleep(Duration::from_micros((round * 7 + w.rank() * 13) as u64 % 50));
            meet(w.in_group())?;
            meet(w.with("none"))?;
        }
        Ok(())
    }

    fn come_late(w: &Worker, rank: usize, ms: u64) -> Result<usize> {
        if w.rank() == rank {
            std::thread::sleep(Duration::from_millis(ms));
        }
        meet(w.with("none")).map(|()| w.rank())
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

    // One worker fails while the others wait for it.
    fn fail_late(w: &Worker, rank: usize) -> Result<()> {
        if w.rank() != rank {
            return w.collective("meeting", wait_for_abort);
        }
        std::thread::sleep(Duration::from_millis(100));
        Err(Error::shape("the shapes do not fit"))
    }

    // One worker's collective fails while the others wait in it.
    fn break_meeting(w: &Worker, rank: usize) -> Result<()> {
        w.collective("meeting", |group| {
            if w.rank() == rank {
                return Err(group.abort(Error::device("the line is dead")));
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

    fn wait_for_own(_w: &Worker) -> Result<()> {
        let result = RESULT.lock().unwrap();
        result.as_ref().map_or(Ok(()), DRef::wait)
    }

    fn call_back(_w: &Worker) -> Result<i64> {
        let session = OUTER.get().expect("the test sets it");
        session.call("rank", ())?.typed().get(0)
    }
}

pub(crate) static OUTER: OnceLock<Session> = OnceLock::new();
pub(crate) static SELF: Mutex<Option<Session>> = Mutex::new(None);
pub(crate) static RESULT: Mutex<Option<DRef>> = Mutex::new(None);

/// A collective that all refuse alike once they have come: none is registered.
fn meet(call: CollectiveCall<'_>) -> Result<()> {
    let refused = call.all_reduce(&mut [0.0_f32], ReduceOp::Sum).expect_err("none is registered");
    if refused.kind() == ErrorKind::NotFound { Ok(()) } else { Err(refused) }
}

/// Runs out of stack.
#[allow(unconditional_recursion, reason = "that is what it is for")]
fn overflow(depth: u64) {
    let room = [depth; 64];
    overflow(std::hint::black_box(room)[0] + 1);
    std::hint::black_box(room);
}

/// Waits until the group fails.
fn wait_for_abort(group: &ringwood_collective::Communicator) -> Result<()> {
    loop {
        group.check()?;
        std::thread::sleep(Duration::from_millis(1));
    }
}

type Choose = fn(SessionBuilder) -> SessionBuilder;

thread_local! {
    static KIND: Cell<Choose> = const { Cell::new(|builder| builder.kind("threads")) };
}

pub(crate) fn with_kind(kind: Choose, test: impl FnOnce()) {
    KIND.set(kind);
    test();
}

/// What the processes of the sessions of the tests run.
#[test]
#[ignore = "the other tests start it in processes of its own"]
fn worker() {
    KIND.set(|builder| builder.kind("processes"));
    let ended = builder(1).start();
    panic!("this process is no worker: {ended:?}");
}

pub(crate) fn builder(workers: usize) -> SessionBuilder {
    let timeout = Duration::from_secs(20);
    let builder = KIND.get()(Session::builder()).workers(workers).timeout(timeout);
    builder
        .registry(registry())
        .program_arguments(["functions::worker", "--exact", "--ignored", "--nocapture"])
        .output(|_, _, _| ())
}

pub(crate) fn session(workers: usize) -> Session {
    builder(workers).start().unwrap()
}

pub(crate) fn text<T: std::fmt::Debug>(result: Result<T>) -> String {
    result.unwrap_err().to_string()
}
