//! Recorded programs that are dropped and made again: results outlive the plans in whose memory they lie; and what the
//! counters, the limits and the fallback of the process change. The address sanitizer runs this, too.
#![cfg(feature = "lazy")]

use ringwood_backend_cpu as _;
use ringwood_base::{DType, ErrorKind, Result};
use ringwood_device::device::Tensor;
use ringwood_device::kernel;
use ringwood_graph::engine::{Agreement, Engine, with_engine};
use ringwood_graph::graph::{Collective, Graph};
use ringwood_graph::lazy::{
    Jit, Lazy, Ranks, Static, default_device, grad, jit, set_fallback, set_limit, stats,
    value_and_grad,
};
use ringwood_graph::register_operator;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

#[kernel(map, device = cpu)]
fn plus(a: f32, b: f32) -> f32 {
    a + b
}

register_operator! {
    Plus = plus;
    shape: "..., ... -> ...",
    gradient: |c| {
        let g = c.gradient()?;
        c.add(0, g)?;
        c.add(1, g)
    },
}

#[kernel(host, device = cpu)]
fn at_most_two(x: &[f32], y: &mut [f32]) {
    assert!(x[0] <= 2.0, "{} is too much", x[0]);
    y.copy_from_slice(x);
}

register_operator! {
    AtMostTwo = at_most_two;
    shape: "n -> n",
}

register_operator! {
    /// The first operand and a number, which has to be known before a run.
    PlusKnown = "plus_known";
    decompose: |c| {
        let [x, number] = c.exactly()?;
        let number = c.graph.integers(number)?[0] as f32;
        let number = c.graph.constant(&[], &[number])?;
        Ok(vec![c.graph.apply("plus", &[x, number])?])
    },
}

register_operator! {
    Nowhere = "nowhere";
    shape: "n -> n",
}

/// The limit, the fallback and the counters are those of the process.
static ALONE: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn sum(x: &Lazy, y: &Lazy) -> Lazy {
    Plus::on(&[x, y], ())
}

#[test]
fn results_outlive_the_plan_in_whose_memory_they_lie() -> Result<()> {
    let _alone = alone();
    // A plan goes as soon as another function is called, while its kernels may still run.
    set_limit(0);
    let before = stats().plans;
    let step = jit(|(total, x): (Lazy, Lazy)| sum(&total, &x));
    let twice = jit(|x: Lazy| sum(&x, &x));
    let x = Lazy::full(&[100_000], 1.0_f32);
    let mut total = Lazy::zeros(DType::F32, &[100_000]);
    let mut kept = Vec::new();
    for _ in 0..20 {
        total = step.call((total, x.clone()))?;
        kept.push((total.clone(), twice.call(total.clone())?));
    }
    assert_eq!((stats().plans - before, stats().bytes), (40, twice.stats().bytes));
    drop((step, twice));
    for ((total, twice), want) in kept.iter().zip(1..) {
        assert!(total.to_vec::<f32>()?.iter().all(|&x| x == want as f32), "{want}");
        assert!(twice.to_vec::<f32>()?.iter().all(|&x| x == 2.0 * want as f32), "twice {want}");
    }
    Ok(())
}

/// Adds a constant `n + 1` times: one of twelve programs.
fn program(n: usize) -> impl Fn(Lazy) -> Lazy {
    move |x| (0..=n).fold(x, |x, _| sum(&x, &Lazy::scalar(n as f32)))
}

#[test]
fn eight_threads_take_programs_from_a_cache_that_drops_some() {
    let _alone = alone();
    let limit = 3 << 20;
    set_limit(limit);
    let before = stats();
    thread::scope(|threads| {
        for thread in 0..8 {
            threads.spawn(move || {
                for i in 0..60 {
                    let n = (i * 7 + thread * 5) % 12;
                    let x = Lazy::full(&[50_000], thread as f32);
                    let y = jit(program(n)).call(x).unwrap();
                    let want = (thread + (n + 1) * n) as f32;
                    assert!(y.to_vec::<f32>().unwrap().iter().all(|&y| y == want), "{n}: {want}");
                }
            });
        }
    });
    let after = stats();
    let (hits, misses) = (after.hits - before.hits, after.misses - before.misses);
    assert_eq!(hits + misses, 480);
    assert!(hits > 0 && misses > 12, "{hits} hits, {misses} misses");
    assert!(after.bytes <= limit, "{after:?}");
}

type Asking = Jit<Lazy, Lazy, fn(Lazy) -> Lazy>;
static ASKING: LazyLock<Asking> = LazyLock::new(|| jit(asking as _));

/// Asks for the counters of the function that it is recorded for, and the first time calls that from another thread.
fn asking(x: Lazy) -> Lazy {
    static ASKED: AtomicBool = AtomicBool::new(false);
    assert_eq!(ASKING.stats().traces, 0);
    if !ASKED.swap(true, Ordering::Relaxed) {
        let other = thread::spawn(|| ASKING.call(Lazy::full(&[2], 1.0_f32))?.to_vec::<f32>());
        assert_eq!(other.join().unwrap().unwrap(), [2.0; 2]);
    }
    sum(&x, &x)
}

#[test]
fn a_function_may_ask_for_its_counters_and_wait_for_its_callers_while_it_is_recorded() {
    let _alone = alone();
    let (done, ends) = mpsc::channel();
    thread::spawn(move || {
        let doubled = ASKING.call(Lazy::full(&[2], 3.0_f32)).and_then(|y| y.to_vec::<f32>());
        done.send(doubled).unwrap();
    });
    let doubled = ends.recv_timeout(Duration::from_secs(60)).expect("the call ends in time");
    assert_eq!(doubled.unwrap(), [6.0; 2]);
    let stats = ASKING.stats();
    assert_eq!((stats.traces, stats.compiles, stats.calls), (1, 1, 2));
}

#[test]
fn leaves_keep_their_names_where_positions_are_names_of_others() -> Result<()> {
    let _alone = alone();
    let x = Lazy::placeholder(DType::F32, &[2]);
    let step = jit(|(_, x, y): (Static<bool>, Lazy, Lazy)| sum(&x, &y));
    let graph = step.graph(&(Static(true), x.clone(), x.clone()))?;
    graph.verify()?;
    assert_eq!(graph.named("1")?.id().node, 0);
    let (mut graph, value) = (graph.clone(), graph.value(graph.outputs()[0].value)?);
    assert!(graph.output("result", value).is_err() && graph.output("0", value).is_ok());
    let step = jit(|(_, x, y): (Option<Lazy>, Lazy, Lazy)| sum(&x, &y));
    let graph = step.graph(&(None, x.clone(), Lazy::placeholder(DType::F32, &[2])))?;
    graph.verify()?;
    let nodes = ["1", "2"].map(|name| graph.named(name).map(|value| value.id().node));
    assert_eq!((nodes[0].clone()?, nodes[1].clone()?), (0, 1));
    Ok(())
}

#[test]
fn a_fallback_that_nothing_needs_costs_no_copies() -> Result<()> {
    let _alone = alone();
    set_fallback(&[default_device()?]);
    let step = jit(|(total, x): (Lazy, Lazy)| sum(&total, &x));
    let (mut total, x) = (Lazy::zeros(DType::F32, &[5]), Lazy::full(&[5], 1.0_f32));
    let mut given = Vec::new();
    for _ in 0..3 {
        total = step.call((total, x.clone()))?;
        given.push(step.stats().given_bytes);
    }
    set_fallback(&[]);
    assert_eq!(total.to_vec::<f32>()?, [3.0; 5]);
    assert_eq!(given, [40; 3]);
    assert_eq!(step.stats().not_donated, [""; 0]);
    Ok(())
}

#[test]
fn plans_that_no_call_uses_give_way_to_one_that_has_no_memory() -> Result<()> {
    let _alone = alone();
    set_limit(4 << 30);
    let device = default_device()?;
    let double = |rows: usize| {
        jit(|x: Lazy| sum(&x, &x)).call(Lazy::full(&[rows], 1.0_f32))?.to_vec::<f32>()
    };
    let argument = 4 * 120_000;
    // Of two values of 400,000 bytes each.
    double(100_000)?;
    device.set_memory_limit(Some(device.memory_in_use() + argument + 300_000));
    let doubled = double(120_000);
    device.set_memory_limit(None);
    assert_eq!(doubled?, vec![2.0; 120_000]);
    Ok(())
}

#[test]
fn plans_that_no_call_uses_give_way_outside_of_recorded_functions() -> Result<()> {
    let _alone = alone();
    set_limit(4 << 30);
    let device = default_device()?;
    let x = Lazy::full(&[120_000], 1.0_f32);
    let makers: [(&str, &dyn Fn() -> Lazy); 4] = [
        ("an operation", &|| sum(&x, &x)),
        ("a gradient", &|| value_and_grad(&Lazy::scalar(1.0_f32), |y| (y.clone(), sum(&x, y))).0.1),
        ("a tensor", &|| Lazy::full(&[120_000], 1.0_f32)),
        ("a copy", &|| Lazy::of_result(x.tensor().map(Lazy::of))),
    ];
    for (what, make) in makers {
        // A plan of 800,000 bytes that no call uses.
        jit(|x: Lazy| sum(&x, &x)).call(Lazy::full(&[100_000], 1.0_f32))?.to_vec::<f32>()?;
        assert!(stats().bytes > 0, "{what}");
        device.set_memory_limit(Some(device.memory_in_use() + 300_000));
        let made = make().to_vec::<f32>();
        device.set_memory_limit(None);
        assert_eq!(made?.len(), 120_000, "{what}");
        assert_eq!(stats().bytes, 0, "{what}");
    }
    Ok(())
}

#[test]
fn a_missing_kernel_names_the_line_of_its_operation() {
    let _alone = alone();
    let x = Lazy::full(&[3], 1.0_f32);
    let message =
        |result: Result<Lazy>| result.and_then(|x| x.to_vec::<f32>()).unwrap_err().to_string();
    // The same program twice, of which each has lines of its own.
    let first = jit(|x: Lazy| {
        let y = sum(&x, &x);
        Nowhere::on(&[&y], ())
    });
    let line = line!() - 2;
    let second = jit(|x: Lazy| {
        let y = sum(&x, &x);
        Nowhere::on(&[&y], ())
    });
    for (function, line) in [line, line + 5].into_iter().enumerate() {
        let called = if function == 0 { first.call(x.clone()) } else { second.call(x.clone()) };
        let error = message(called);
        assert!(error.contains("`nowhere`"), "{error}");
        assert!(
            error.contains(&format!("at: core/graph/tests/recorded.rs:{line}:")),
            "{line}: {error}"
        );
    }
    let ((_, beside), _) = value_and_grad(&Lazy::scalar(1.0_f32), |y| {
        let beside = Nowhere::on(&[&x], ());
        (y.clone(), beside)
    });
    let (line, error) = (line!() - 3, message(Ok(beside)));
    assert!(
        error.contains(&format!("at: core/graph/tests/recorded.rs:{line}:")),
        "{line}: {error}"
    );
}

#[test]
fn a_plan_that_is_made_again_counts() -> Result<()> {
    let _alone = alone();
    set_limit(0);
    let step = jit(|x: Lazy| sum(&x, &x));
    for rows in [1000, 2000, 1000, 2000, 2000] {
        step.call(Lazy::full(&[rows], 1.0_f32))?;
    }
    set_limit(4 << 30);
    let stats = step.stats();
    assert_eq!((stats.traces, stats.compiles, stats.plans), (2, 2, 4), "{stats}");
    Ok(())
}

#[test]
fn plans_of_many_sizes_are_dropped_however_small_they_are() -> Result<()> {
    let _alone = alone();
    let step = jit(|x: Lazy| sum(&x, &x));
    let of_size = |size: usize| step.call(Lazy::full(&[size], 1.0_f32)).map(drop);
    (1..=300).try_for_each(of_size)?;
    let before = stats().plans;
    of_size(300)?;
    assert_eq!(stats().plans, before);
    of_size(1)?;
    assert_eq!(stats().plans, before + 1);
    Ok(())
}

#[test]
fn a_call_after_one_that_failed_late_succeeds() -> Result<()> {
    let _alone = alone();
    let step = jit(|(w, x): (Lazy, Lazy)| (w, AtMostTwo::on(&[&x], ())));
    let (good, bad) = (Lazy::new(&[1], &[1.0_f32]), Lazy::new(&[1], &[3.0_f32]));
    let (w, _) = step.call((Lazy::new(&[1], &[7.0_f32]), good.clone()))?;
    let (w, failed) = step.call((w, bad))?;
    assert_eq!(failed.to_vec::<f32>().unwrap_err().kind(), ErrorKind::Panic);
    let (other, y) = step.call((Lazy::new(&[1], &[8.0_f32]), good))?;
    for (x, want) in [(w, 7.0), (other, 8.0), (y, 1.0)] {
        assert_eq!(x.to_vec::<f32>()?, [want]);
    }
    Ok(())
}

#[test]
fn an_input_beside_one_that_was_not_written_counts_as_not_given() -> Result<()> {
    let _alone = alone();
    let device = default_device()?;
    let mut graph = Graph::with_registry(device.registry().clone());
    let (a, b) = (graph.input("a", DType::F32, &[1])?, graph.input("b", DType::F32, &[1])?);
    let y = graph.apply("plus", &[a, b])?;
    graph.output("y", y)?;
    let mut plan = graph.plan(std::slice::from_ref(&device))?;
    let (good, mut failed) = (device.tensor(&[1.0_f32])?, device.tensor(&[0.0_f32])?);
    at_most_two::launch(&device.tensor(&[3.0_f32])?, &mut failed)?;
    assert_eq!(failed.to_vec::<f32>().unwrap_err().kind(), ErrorKind::Panic);
    let error = plan.run(&[("a", &good), ("b", &failed)]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Panic, "{error}");
    let error = plan.run(&[("b", &good)]).unwrap_err();
    assert!(error.message().contains("no value for input `a`"), "{error}");
    assert_eq!(plan.run(&[("a", &good), ("b", &good)])?[0].to_vec::<f32>()?, [2.0]);
    Ok(())
}

#[test]
fn numbers_of_a_gradient_outside_of_a_recorded_function_make_no_programs() -> Result<()> {
    let _alone = alone();
    let x = Lazy::scalar(1.0_f32);
    let value = |by: f32| {
        let (value, gradient) = value_and_grad(&x, |x| sum(x, &Lazy::full(&[], by)));
        assert_eq!(gradient.item::<f32>()?, 1.0);
        value.item::<f32>()
    };
    assert_eq!(value(1.0)?, 2.0);
    let before = stats().misses;
    for by in 2..6 {
        assert_eq!(value(by as f32)?, by as f32 + 1.0);
    }
    assert_eq!(stats().misses, before);
    // What an operator has to know before a run is a constant.
    let plus_known = |x: &Lazy| PlusKnown::on(&[x, &Lazy::new(&[1], &[2_i64])], ());
    let (value, gradient) = value_and_grad(&x, plus_known);
    assert_eq!((value.item::<f32>()?, gradient.item::<f32>()?), (3.0, 1.0));
    assert_eq!(plus_known(&x).item::<f32>()?, 3.0);
    Ok(())
}

#[test]
fn gradients_within_gradients_may_return_their_argument() -> Result<()> {
    let _alone = alone();
    let x = Lazy::scalar(3.0_f32);
    let (value, gradient) = value_and_grad(&x, |x| value_and_grad(x, Lazy::clone).0);
    assert_eq!((value.item::<f32>()?, gradient.item::<f32>()?), (3.0, 1.0));
    Ok(())
}

#[test]
fn what_stands_behind_a_loss_comes_back_beside_it() -> Result<()> {
    let _alone = alone();
    let (x, known) = (Lazy::scalar(3.0_f32), Lazy::scalar(10.0_f32));
    let f = |x: &Lazy, known: &Lazy| {
        let more = sum(x, known);
        // A value twice, the argument, a tensor from outside and a number of its own.
        let own = Lazy::scalar(1.0_f32);
        let beside = vec![more.clone(), more.clone(), x.clone(), known.clone(), own];
        (sum(&more, known), beside)
    };
    let at_once = value_and_grad(&x, |x| f(x, &known));
    let recorded = jit(move |(x, known): (Lazy, Lazy)| value_and_grad(&x, |x| f(x, &known)));
    for ((loss, beside), gradient) in [at_once, recorded.call((x.clone(), known.clone()))?] {
        assert_eq!((loss.item::<f32>()?, gradient.item::<f32>()?), (23.0, 1.0));
        let beside = beside.iter().map(Lazy::item).collect::<Result<Vec<f32>>>()?;
        assert_eq!(beside, [13.0, 13.0, 3.0, 10.0, 1.0]);
    }
    Ok(())
}

#[test]
fn what_stands_behind_a_loss_that_fails_keeps_the_error() {
    let _alone = alone();
    let (x, wide) = (Lazy::scalar(3.0_f32), Lazy::full(&[2], 1.0_f32));
    let message = |x: &Lazy| x.error().map(ToString::to_string).unwrap_or_default();
    let ((loss, beside), gradient) = value_and_grad(&x, |x| (sum(x, &wide), sum(x, x)));
    for tensor in [&loss, &beside, &gradient] {
        assert!(message(tensor).contains("a gradient is taken of one number"), "{tensor:?}");
    }
    let integer = Lazy::scalar(1_i32);
    let ((loss, beside), gradient) = value_and_grad(&integer, |x| (x.clone(), vec![sum(x, x)]));
    for tensor in [&loss, &beside[0], &gradient] {
        assert!(message(tensor).contains("i32[] has no derivatives"), "{tensor:?}");
    }
    // What has failed for itself is told by itself.
    let ((loss, beside), _) = value_and_grad(&x, |x| (x.clone(), x.apply("no_such", &[], ())));
    assert!(loss.item::<f32>().is_ok() && message(&beside).contains("no_such"), "{beside:?}");
    let (nothing, gradient) = value_and_grad(&x, |_| Vec::<Lazy>::new());
    assert!(nothing.is_empty() && message(&gradient).contains("a gradient of no tensor"));
}

#[test]
fn a_tensor_from_outside_of_a_gradient_may_be_moved_there() -> Result<()> {
    let _alone = alone();
    let (x, y, device) = (Lazy::scalar(1.0_f32), Lazy::scalar(2.0_f32), default_device()?);
    let gradient = grad(&x, |x| sum(x, &y.to_device(&device)));
    assert_eq!(gradient.item::<f32>()?, 1.0);
    Ok(())
}

#[test]
fn the_bytes_of_a_function_are_those_of_its_last_call() -> Result<()> {
    let _alone = alone();
    let step = jit(|x: Lazy| sum(&x, &x));
    let bytes = |rows: usize| -> Result<usize> {
        step.call(Lazy::full(&[rows], 1.0_f32))?;
        Ok(step.stats().bytes)
    };
    let (small, large) = (bytes(10)?, bytes(1000)?);
    assert!(small < large, "{small} and {large} bytes");
    assert_eq!((bytes(10)?, bytes(1000)?), (small, large));
    Ok(())
}

/// A rank of many, which runs no collectives.
struct Rank(usize);

impl Engine for Rank {
    fn place(&self, _: bool) -> (usize, usize) {
        (self.0, 8)
    }

    fn agree(&self, _: &Agreement) -> Result<()> {
        Ok(())
    }

    fn run(&self, _: &Collective, _: Option<&Tensor>, _: &mut Tensor) -> Result<()> {
        Ok(())
    }
}

#[test]
fn a_function_that_ranks_share_is_recorded_for_each_without_a_warning() -> Result<()> {
    let _alone = alone();
    let step = jit(|x: Lazy| {
        let (rank, _) = Ranks::all().place()?;
        Ok::<_, ringwood_base::Error>(sum(&x, &Lazy::scalar(rank as f32)))
    });
    for rank in 0..8 {
        let y = with_engine(Rc::new(Rank(rank)), || step.call(Lazy::scalar(1.0_f32)))?;
        assert_eq!(y.item::<f32>()?, rank as f32 + 1.0);
    }
    let stats = step.stats();
    assert_eq!((stats.traces, &stats.warnings[..]), (8, &[][..]));
    Ok(())
}
