//! Launches that are prepared once do what launches do, as often as they are submitted.

use super::programs::{LEN, X, Y, Z, add, append, context, holding, holds, program, run};
use super::{native, standard, suite};
use crate::bench::{Bench, Raw, WAIT, all};
use crate::case::{Case, Check, Power, ensure, ensure_holds};
use ringwood_base::{ErrorKind, Result, Scalar, Shape};
use ringwood_device::backend::{CommandBuffer, Handle};
use ringwood_device::device::{Bindings, Context, LaunchProgram, Role, Routine};
use ringwood_device::kernel::Arg;

pub(super) const CASES: &[Case] = &suite(
    "command_buffers",
    &[Power::Streams, Power::Kernels, Power::CommandBuffers],
    [
        ("prepared_launches_run_in_order", prepared_launches_run_in_order),
        ("prepared_launches_keep_their_place", prepared_launches_keep_their_place),
        ("prepared_launches_broadcast", prepared_launches_broadcast),
        ("submitted_launches_outlive_their_buffer", submitted_launches_outlive_their_buffer),
        ("nothing_is_prepared_and_submitted", nothing_is_prepared_and_submitted),
        ("a_prepared_fault_sticks", a_prepared_fault_sticks),
        ("routines_run_as_often_as_submitted", routines_run_as_often_as_submitted),
        ("prepared_steps_and_bound_ones_alternate", prepared_steps_and_bound_ones_alternate),
        ("hazards_order_prepared_routines", hazards_order_prepared_routines),
    ],
);

type Commands = Box<dyn CommandBuffer<Handle>>;

/// Prepares launches that append these digits to the words of `memory`.
fn appending(raw: &Raw, stream: &Handle, memory: &Handle, digits: &[u32]) -> Check<Commands> {
    let code = raw.compile_native(native::APPEND)?;
    let args = |digit: &u32| {
        let y = Arg::Slice { region: all(memory, 4 * LEN), strides: None };
        [Arg::Scalar(Scalar::U32(*digit)), y]
    };
    let launches = digits.iter().map(|digit| code.launch(Shape::vector(LEN), args(digit)));
    Ok(raw.backend.prepare(stream, &launches.collect::<Result<Vec<_>>>()?)?)
}

/// A stream, and memory of zeros.
fn zeros(raw: &Raw) -> Result<(Handle, Handle)> {
    let (stream, memory) = (raw.stream()?, raw.memory(4 * LEN)?);
    raw.backend.fill(&stream, all(&memory, 4 * LEN), 0)?;
    Ok((stream, memory))
}

/// Checks that each word of `memory` is `value`.
fn words(raw: &Raw, stream: &Handle, memory: &Handle, value: u32) -> Check {
    let bytes = raw.read(stream, all(memory, 4 * LEN))?;
    let mut words = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_ne_bytes(*word));
    let wrong = words.find(|&word| word != value);
    ensure_holds!(wrong.is_none(), "an element is {wrong:?}, not {value}");
    Ok(())
}

fn prepared_launches_run_in_order(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = zeros(&raw)?;
    let commands = appending(&raw, &stream, &memory, &[1, 2, 3])?;
    words(&raw, &stream, &memory, 0)?;
    for _ in 0..3 {
        commands.submit(&stream)?;
    }
    words(&raw, &stream, &memory, 123_123_123)
}

fn prepared_launches_keep_their_place(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = zeros(&raw)?;
    let (ones, twos) =
        (appending(&raw, &stream, &memory, &[1])?, appending(&raw, &stream, &memory, &[2, 2])?);
    let code = raw.compile_native(native::APPEND)?;
    for digit in [3, 4] {
        twos.submit(&stream)?;
        let y = Arg::Slice { region: all(&memory, 4 * LEN), strides: None };
        raw.launch(&stream, &code, &[LEN], &[Arg::Scalar(Scalar::U32(digit)), y])?;
        ones.submit(&stream)?;
    }
    words(&raw, &stream, &memory, 22_312_241)
}

fn prepared_launches_broadcast(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let ((stream, memory), one) = (zeros(&raw)?, raw.memory(12)?);
    raw.write(&stream, all(&one, 12), &[9_u32, 5, 9].map(u32::to_ne_bytes).concat())?;
    let code = raw.compile(&standard::add())?;
    let whole = || Arg::Slice { region: all(&memory, 4 * LEN), strides: None };
    let five = crate::bench::part(&one, 4, 4);
    let args = [whole(), Arg::Slice { region: five, strides: Some(&[0]) }, whole()];
    let launch = code.launch(Shape::vector(LEN), args)?;
    let commands = raw.backend.prepare(&stream, &[launch])?;
    commands.submit(&stream)?;
    commands.submit(&stream)?;
    words(&raw, &stream, &memory, 10)
}

fn submitted_launches_outlive_their_buffer(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = zeros(&raw)?;
    for digit in [4, 5, 6] {
        let commands = appending(&raw, &stream, &memory, &[digit; 2])?;
        commands.submit(&stream)?;
    }
    words(&raw, &stream, &memory, 445_566)
}

fn nothing_is_prepared_and_submitted(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = zeros(&raw)?;
    raw.backend.prepare(&stream, &[])?.submit(&stream)?;
    let add = raw.compile(&standard::add())?;
    let none = || Arg::Slice { region: all(&memory, 0), strides: None };
    let launch = add.launch(Shape::vector(0), [none(), none(), none()])?;
    raw.backend.prepare(&stream, &[launch])?.submit(&stream)?;
    words(&raw, &stream, &memory, 0)
}

fn a_prepared_fault_sticks(bench: &Bench) -> Check {
    let raw = bench.raw()?;
    let (stream, memory) = zeros(&raw)?;
    let [code, fine] = [native::FAULT, native::INDEX].map(|spec| raw.compile_native(spec));
    let (code, fine) = (code?, fine?);
    let slice = |words: usize| Arg::Slice { region: all(&memory, 4 * words), strides: None };
    let domain = Shape::vector(4);
    let after = [Arg::Scalar(Scalar::U32(0)), slice(4)];
    let launches = [code.launch(domain, [slice(4)])?, fine.launch(domain, after)?];
    let commands = raw.backend.prepare(&stream, &launches)?;
    raw.finish(&stream)?;
    // A stream that runs work in the call says so there.
    let _ = commands.submit(&stream);
    let first = raw.failure(&stream)?;
    ensure!(first.kind() == ErrorKind::OutOfBounds, "{first:?}");
    for part in ["faults", "17", "4"] {
        ensure!(first.to_string().contains(part), "`{part}` is not in: {first}");
    }
    let again = commands.submit(&stream).map_err(|e| e.to_string());
    ensure!(again == Err(first.to_string()), "after the failure, a submission gives {again:?}");
    Ok(())
}

/// `z = x + y; x = z + y`: `x` grows by `2 y` with each submission.
fn growing() -> LaunchProgram {
    let nodes = [(X, Role::Given), (Y, Role::Given), (Z, Role::Scratch)];
    program("growing", &nodes).launch(add(), [X, Y, Z]).launch(add(), [Z, Y, X])
}

fn linked(context: &Context, program: LaunchProgram) -> Result<Routine> {
    context.link(&context.device().compile(program)?)
}

fn routines_run_as_often_as_submitted(bench: &Bench) -> Check {
    let context = context(bench, &[(X, 1), (Y, 2)])?;
    let routine = linked(&context, growing())?;
    for times in 1..5 {
        run(&routine)?;
        holds(&context, X, 1 + 4 * times)?;
    }
    let other = holding(context.stream(), &[(X, 7), (Y, 1)])?;
    let there = linked(&other, growing())?;
    run(&there)?;
    run(&routine)?;
    holds(&other, X, 9)?;
    holds(&context, X, 21)
}

fn prepared_steps_and_bound_ones_alternate(bench: &Bench) -> Check {
    let context = context(bench, &[(X, 1), (Y, 2)])?;
    let mut both = growing().symbol("i", 1..10);
    both.steps.extend(append(X).steps);
    let both = both.launch(add(), [X, Y, Z]);
    let routine = linked(&context, both)?;
    let mut x = 1;
    for i in [3, 9, 4] {
        routine.submit(&Bindings::new().set("i", i))?.wait(WAIT)?;
        x = 10 * (x + 4) + i as u32;
        holds(&context, X, x)?;
        holds(routine.context(), Z, x + 2)?;
    }
    Ok(())
}

/// Two streams submit the routine in turn; each round reads what the other stream wrote.
fn hazards_order_prepared_routines(bench: &Bench) -> Check {
    let device = bench.device();
    for kind in bench.seeded_kinds() {
        let (one, two) = (device.new_stream(&kind)?, device.new_stream(&kind)?);
        let here = holding(&one, &[(X, 0), (Y, 1)])?;
        let nodes = [(X, &here.tensor(X)?), (Y, &here.tensor(Y)?)];
        let there = Context::new(&two).with_all(nodes)?;
        let routines = [linked(&here, growing())?, linked(&there, growing())?];
        for i in 0..10 {
            routines[i % 2].submit(&Bindings::new())?;
        }
        holds(&here, X, 20)?;
    }
    Ok(())
}
