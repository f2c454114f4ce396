//! What submission and completion cost, medians of rounds, and copies beside `memcpy`, the best of
//! rounds that take turns; in one run.
//!
//! `cargo bench -p ringwood-backend-cpu --bench submit`

use ringwood_backend_cpu::{self as cpu, Cpu, Memory, Stream};
use ringwood_base::{DType, Result, Shape};
use ringwood_device::backend::{Backend, Region};
use ringwood_device::kernel::{
    Arg, Code, Form, KernelSpec, Native, NativeLaunch, Param, ParamKind,
};
use std::ops::Range;
use std::time::{Duration, Instant};

const BOUND: Duration = Duration::from_secs(60);
const ROUNDS: usize = 30;
/// How often what is compared takes turns.
const TURNS: usize = 60;
/// Fewer than the depth of a stream's channel, so that no submission waits for room.
const CALLS: usize = 2000;

struct Bench {
    cpu: Cpu,
    stream: Stream,
    code: Code<cpu::Code>,
    memory: Memory,
}

fn empty(_: &NativeLaunch<'_>, _: Range<usize>) -> Result<()> {
    Ok(())
}

impl Bench {
    fn new(kind: &str) -> Result<Self> {
        let cpu = Cpu::open()?;
        let device = cpu.devices()?.remove(0);
        let slice = ParamKind::Slice { dtype: DType::F32, mutable: true };
        let params = [Param { name: "y", kind: slice }];
        let spec = KernelSpec {
            native: Some(Native::new(empty)),
            file: file!(),
            line: line!(),
            ..KernelSpec::new("empty", Form::Host, &params)
        };
        let code = Code::compile(&cpu, &device, &spec)?;
        let (stream, memory) = (cpu.stream(&device, kind)?, cpu.allocate(&device, 4096)?);
        Ok(Self { cpu, stream, code, memory })
    }

    fn launch(&self) -> Result<()> {
        let region = Region { memory: &self.memory, offset: 0, bytes: 4096 };
        let y = Arg::Slice { region, strides: None };
        self.cpu.launch(&self.stream, &self.code.launch(Shape::scalar(), [y])?)
    }

    fn finish(&self) -> Result<()> {
        self.cpu.block(&self.cpu.record(&self.stream)?, BOUND)
    }
}

/// The median time of one of `calls` calls, without what `after` takes.
fn median(
    calls: usize,
    mut call: impl FnMut() -> Result<()>,
    mut after: impl FnMut() -> Result<()>,
) -> Result<f64> {
    let mut rounds = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        for _ in 0..calls {
            call()?;
        }
        rounds.push(start.elapsed().as_secs_f64() / calls as f64);
        after()?;
    }
    rounds.sort_by(f64::total_cmp);
    Ok(rounds[ROUNDS / 2])
}

/// The best times of `ours` and `theirs`, which take turns, so that other programs disturb both.
fn pair(
    mut ours: impl FnMut() -> Result<()>,
    mut theirs: impl FnMut(),
) -> Result<(Duration, Duration)> {
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..TURNS {
        let start = Instant::now();
        ours()?;
        let middle = Instant::now();
        theirs();
        best = (best.0.min(middle - start), best.1.min(middle.elapsed()));
    }
    Ok(best)
}

/// The times of `count` copies with one wait, and of as many by `memcpy`.
fn copies(kind: &str, bytes: usize, count: usize) -> Result<(Duration, Duration)> {
    let cpu = Cpu::open()?;
    let device = cpu.devices()?.remove(0);
    let stream = cpu.stream(&device, kind)?;
    let (a, b) = (cpu.allocate(&device, bytes)?, cpu.allocate(&device, bytes)?);
    let region = |memory| Region { memory, offset: 0, bytes };
    cpu.fill(&stream, region(&a), 1)?;
    cpu.fill(&stream, region(&b), 2)?;
    let (from, mut to) = (vec![1_u8; bytes], vec![2_u8; bytes]);
    pair(
        || {
            (0..count).try_for_each(|_| cpu.copy(&stream, region(&a), region(&b)))?;
            cpu.block(&cpu.record(&stream)?, BOUND)
        },
        || {
            for _ in 0..count {
                std::hint::black_box(&mut to).copy_from_slice(std::hint::black_box(&from));
            }
        },
    )
}

fn main() -> Result<()> {
    for kind in ["sync", "threaded"] {
        let bench = Bench::new(kind)?;
        let submit = median(CALLS, || bench.launch(), || bench.finish())?;
        let record =
            median(CALLS, || bench.cpu.record(&bench.stream).map(drop), || bench.finish())?;
        let round_trip = median(
            100,
            || {
                bench.launch()?;
                bench.finish()
            },
            || Ok(()),
        )?;
        println!(
            "{kind:8}  launch {:7.0} ns  record {:7.0} ns  launch, record, block {:7.0} ns",
            submit * 1e9,
            record * 1e9,
            round_trip * 1e9
        );
        for (bytes, count) in
            [64 << 10, 1 << 20, 64 << 20].into_iter().flat_map(|bytes| [(bytes, 1), (bytes, 8)])
        {
            let (ours, memcpy) = copies(kind, bytes, count)?;
            let ratio = memcpy.as_secs_f64() / ours.as_secs_f64();
            println!(
                "{kind:8}  {count} copies of {bytes:9} bytes, one wait  {ours:9.1?}, memcpy \
                 {memcpy:9.1?}: {ratio:5.2} of its speed"
            );
        }
    }
    Ok(())
}
