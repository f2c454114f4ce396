//! What workers do while a fault is put in.
//!
//! Registered names are shared by the whole program, so those of this command start with `fault_`.

use super::case::wrong_unless;
use crate::collective::{Communicator, Invocation, Operation, ReduceOp, Tensors};
use crate::device::Tensor;
use crate::session::{HostTensor, Worker};
use crate::{DType, Error, Result, Shape, global_fn};
use std::cell::RefCell;
use std::fmt;
use std::time::{Duration, Instant};

/// What the victim's relay of messages waits for.
pub(super) const MARK: &str = "now!";

/// The victim does `act`: in a call, or where the others wait for it in a collective or for its message.
#[global_fn(name = "fault_act")]
pub(crate) fn act(w: &Worker, victim: usize, place: String, act: String) -> Result<f64> {
    let mine = w.rank() == victim;
    let mut sum = [1.0];
    if place == "in a call" {
        return if mine { perform(w, &act).map(|_| 0.0) } else { Ok(0.0) };
    }
    w.all_reduce(&mut sum, ReduceOp::Sum)?;
    if mine && perform(w, &act)? == Done::Instead {
        return Ok(0.0);
    }
    // The first worker brings the largest, and every call ends with it.
    let mut number = [1.0 / (1 + w.rank()) as f64];
    match place.as_str() {
        "in a transfer" if mine => {
            number = [1.0];
            (0..w.size()).filter(|&to| to != victim).try_for_each(|to| w.send(&number, to))?;
        }
        "in a transfer" => kept(w, &mut number, |number| w.recv(number, victim))?,
        _ => kept(w, &mut number, |number| collective(w, victim, &act, number))?,
    }
    Ok(sum[0] * number[0])
}

/// A call that is refused, so that the group still works, leaves its buffer as it was. A worker that finds another one
/// panics, as no fault has it.
fn kept<T: Clone + PartialEq + fmt::Debug>(
    w: &Worker,
    buffer: &mut T,
    call: impl FnOnce(&mut T) -> Result<()>,
) -> Result<()> {
    let before = buffer.clone();
    let outcome = call(buffer);
    let refused = outcome.is_err() && w.communicator().check().is_ok();
    assert!(!refused || *buffer == before, "a refused call changed {before:?} to {buffer:?}");
    outcome
}

/// All reduce until something fails, or for ten seconds.
#[global_fn(name = "fault_meet")]
pub(super) fn meet(w: &Worker, victim: usize) -> Result<()> {
    let mut data = vec![0.0_f32; 50_000];
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(10) {
        w.all_reduce(&mut data, ReduceOp::Max)?;
        if w.rank() == victim && start.elapsed() > Duration::from_millis(20) {
            w.collective(MARK, Communicator::check)?;
        } else {
            w.collective("check", Communicator::check)?;
        }
    }
    Ok(())
}

/// As many elements as it has come with, from every worker.
#[global_fn(name = "fault_echo")]
pub(super) fn echo(tensor: HostTensor, _mark: String) -> HostTensor {
    tensor
}

/// The sum over the workers, in an order that does not depend on them: right or wrong to the bit.
#[global_fn(name = "fault_sum")]
pub(crate) fn sum(w: &Worker) -> Result<f64> {
    let mut sum = [w.rank() as f64 + 0.5];
    w.all_reduce(&mut sum, ReduceOp::Sum)?;
    Ok(sum[0])
}

/// Calls until the victim is missed, uses the memory for something else, and says what became of it.
#[global_fn(name = "fault_late")]
pub(super) fn late(w: &Worker, victim: usize) -> Result<()> {
    let mut all = w.communicator().alloc::<f32>((1 << 20) * w.size())?;
    while w.collective("all_gather", |group| group.call().all_gather(&mut all)).is_ok() {}
    all.fill(-7.0);
    if w.rank() != victim {
        println!("filled");
        std::thread::sleep(Duration::from_millis(500));
        println!("{} elements changed", all.iter().filter(|x| **x != -7.0).count());
    }
    Ok(())
}

#[derive(PartialEq)]
enum Done {
    /// The victim goes on with what the others do.
    AndGoesOn,
    /// The victim has left out what the others do.
    Instead,
}

/// Panics when it is dropped.
struct Grenade;

impl Drop for Grenade {
    fn drop(&mut self) {
        panic!("rehearsed in a destructor");
    }
}

fn perform(w: &Worker, act: &str) -> Result<Done> {
    let (word, number) = act.split_once(':').unwrap_or((act, "0"));
    let number: u64 = number.parse().unwrap_or(0);
    match word {
        "panic" => panic!("rehearsed"),
        "panic oddly" => std::panic::panic_any(17_u8),
        "panic with a state" => {
            // Dropped with the worker, whose session is closed by then.
            let _ = w.state(|| Ok(Grenade))?;
            panic!("rehearsed");
        }
        "panic in a loan" => {
            let state = w.state(|| Ok(RefCell::new(1)))?;
            let _held = state.borrow_mut();
            panic!("rehearsed");
        }
        "error" => return Err(Error::not_found("rehearsed")),
        "exit" => std::process::exit(3),
        "abort" => std::process::abort(),
        "overflow" => drop(overflow(0)),
        "allocate" => drop(std::hint::black_box(Vec::<u8>::with_capacity(1 << 60))),
        "device memory" => drop(w.device()?.empty(Shape::vector(1 << 58), DType::F32)?),
        "shared memory" => drop(w.communicator().alloc::<f64>(1 << 50)?),
        "full disk" => std::fs::write("/dev/full", "weights")
            .map_err(|cause| Error::unavailable("cannot write /dev/full").because(cause))?,
        "sleep" => std::thread::sleep(Duration::from_millis(number)),
        "spin" => {
            let start = Instant::now();
            while start.elapsed() < Duration::from_millis(number) {
                std::hint::spin_loop();
            }
        }
        "heir" => drop(std::process::Command::new("sleep").arg("2").spawn()),
        "return" => return Ok(Done::Instead),
        "few elements" | "odd values" => {}
        MARK => println!("{MARK}"),
        other => {
            let differs = |number: &mut [f64; 1]| differ(w, other, number);
            return kept(w, &mut [0.25], differs).map(|()| Done::Instead);
        }
    }
    Ok(Done::AndGoesOn)
}

/// What all workers call, but for one that differs from them: mostly the maximum of an `f64`.
fn collective(w: &Worker, victim: usize, act: &str, number: &mut [f64; 1]) -> Result<()> {
    match act {
        "root" => w.collective("broadcast", |g| g.call().broadcast(number, 0)),
        "order" => {
            w.all_reduce(number, ReduceOp::Max)?;
            w.collective("broadcast", |g| g.call().broadcast(number, 0))
        }
        "count matrix" => exchange(w, 1),
        "shape" => tensors(w, number, &[1], |max, _| w.all_reduce_tensor(max, ReduceOp::Max)),
        "few elements" => few_elements(w).and_then(|()| w.all_reduce(number, ReduceOp::Max)),
        "odd values" => odd_values(w, victim).and_then(|()| w.all_reduce(number, ReduceOp::Max)),
        _ => w.all_reduce(number, ReduceOp::Max),
    }
}

/// A call on a tensor of this shape, and on another handle of its memory; the number is its element before and after.
fn tensors(
    w: &Worker,
    number: &mut [f64; 1],
    shape: &[usize],
    call: impl FnOnce(&mut Tensor, &mut Tensor) -> Result<()>,
) -> Result<()> {
    let mut tensor = w.device()?.tensor(number)?.reshape(Shape::new(shape)?)?;
    let mut other = tensor.clone();
    let outcome = call(&mut tensor, &mut other);
    number.copy_from_slice(&tensor.to_vec::<f64>()?);
    outcome
}

/// All to all, one element each, or so many from this worker to worker 0.
fn exchange(w: &Worker, more: usize) -> Result<()> {
    let n = w.size();
    let mut counts = vec![1; n * n];
    counts[w.rank() * n] = more;
    let (input, mut output) = (vec![1.0_f64; n - 1 + more], vec![0.0; n]);
    kept(w, &mut output, |output| {
        w.collective("all_to_all", |g| g.call().all_to_all_v_into(&input, &counts, output))
    })
}

/// Sums of no elements, and of fewer and a few more than there are workers.
fn few_elements(w: &Worker) -> Result<()> {
    for count in [0, 1, w.size() - 1, w.size() + 1, 8 * w.size() + 1] {
        let mut data = vec![1.0_f64; count];
        w.all_reduce(&mut data, ReduceOp::Sum)?;
        let right = data.iter().all(|sum| *sum == w.size() as f64);
        wrong_unless(right, || format!("sums of {count} elements are {data:?}"))?;
    }
    Ok(())
}

/// Values whose merge could depend on who merges: all workers have the same bits of them.
fn odd_values(w: &Worker, victim: usize) -> Result<()> {
    let odd = w.rank() == victim;
    let mut bits = Vec::new();
    for op in [ReduceOp::Min, ReduceOp::Max, ReduceOp::Sum] {
        let mut data = if odd { [f64::NAN, 0.0, f64::INFINITY] } else { [1.0, -0.0, f64::MIN] };
        w.all_reduce(&mut data, op)?;
        let mut number = [i32::MAX];
        w.all_reduce(&mut number, op)?;
        bits.extend(data.map(f64::to_bits));
        bits.push(number[0] as u64);
    }
    let mut all = vec![0; bits.len() * w.size()];
    w.collective("all_gather", |g| g.call().all_gather_into(&bits, &mut all))?;
    let same = all.chunks(bits.len()).all(|one| one == bits);
    wrong_unless(same, || format!("workers have different bits: {all:x?}"))
}

/// A collective or message that differs from what the others take.
fn differ(w: &Worker, how: &str, data: &mut [f64; 1]) -> Result<()> {
    let others = || (0..w.size()).filter(|&to| to != w.rank());
    match how {
        "root" => w.collective("broadcast", |g| g.call().broadcast(data, 1)),
        "order" => {
            w.collective("broadcast", |g| g.call().broadcast(data, 0))?;
            w.all_reduce(data, ReduceOp::Max)
        }
        "count matrix" => exchange(w, 2),
        "buffers" => {
            let from = [0.5];
            w.collective("all_reduce", |g| g.call().all_reduce_into(&from, data, ReduceOp::Max))
        }
        "device" => tensors(w, data, &[1], |max, _| w.all_reduce_tensor(max, ReduceOp::Max)),
        "shape" => tensors(w, data, &[1, 1], |max, _| w.all_reduce_tensor(max, ReduceOp::Max)),
        "overlap" => tensors(w, data, &[1], |output, input| {
            let max = Invocation::new(Operation::AllReduce, DType::F64).reduce(ReduceOp::Max);
            let apart = Tensors::Apart { input, output };
            w.collective("all_reduce", |g| g.call().run_tensors(&max, apart))
        }),
        "reduce operator" => w.all_reduce(data, ReduceOp::Sum),
        "element type" => kept(w, &mut [1_i32], |data| w.all_reduce(data, ReduceOp::Max)),
        "count" => kept(w, &mut [1.0_f64; 3], |data| w.all_reduce(data, ReduceOp::Max)),
        "members" => w.in_group().all_reduce(data, ReduceOp::Max),
        "algorithm" => w.with("one_shot").all_reduce(data, ReduceOp::Max),
        "unknown algorithm" => w.with("rnig").all_reduce(data, ReduceOp::Max),
        "operation" => w.collective("broadcast", |g| g.call().broadcast(data, 0)),
        "extra" => {
            w.all_reduce(data, ReduceOp::Max)?;
            w.all_reduce(data, ReduceOp::Max)
        }
        "message size" => others().try_for_each(|to| w.send(&[1.0_f64; 3], to)),
        "message twice" => others().chain(others()).try_for_each(|to| w.send(data, to)),
        "message to itself" => w.send(data, w.rank()),
        other => panic!("no act `{other}`"),
    }
}

/// Runs out of stack.
#[allow(unconditional_recursion, reason = "that is what it is for")]
fn overflow(depth: u64) -> u64 {
    let room = std::hint::black_box([depth; 64]);
    overflow(room[0] + 1) + std::hint::black_box(room)[1]
}

/// Two workers wait for each other's message.
#[global_fn(name = "fault_cross")]
pub(super) fn cross(w: &Worker) -> Result<()> {
    match w.rank() {
        0 => w.recv(&mut [0.0_f64], 1),
        1 => w.recv(&mut [0.0_f64], 0),
        _ => Ok(()),
    }
}

/// A tensor of so many elements.
#[global_fn(name = "fault_fill")]
pub(super) fn fill(elements: usize) -> Result<HostTensor> {
    HostTensor::new(&[elements], &vec![1.0_f32; elements])
}
