//! What submission, completion and copies cost: medians of rounds, in one run.
//!
//! `cargo bench -p ringwood-backend-cpu --bench submit`

use ringwood_backend_cpu::{Code, Cpu, Memory, Stream};
use ringwood_core::backend::{Backend, Region};
use ringwood_core::kernel::{
    Arg, Form, KernelSpec, Launch, Native, NativeLaunch, Param, ParamKind,
};
use ringwood_core::{DType, Result, Shape};
use std::ops::Range;
use std::time::{Duration, Instant};

const BOUND: Duration = Duration::from_secs(60);
const ROUNDS: usize = 30;
/// Fewer than the depth of a stream's channel, so that no submission waits for room.
const CALLS: usize = 2000;

struct Bench {
    cpu: Cpu,
    stream: Stream,
    code: Code,
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
        let code = cpu.compile(&device, &[spec])?.remove(0);
        let (stream, memory) = (cpu.stream(&device, kind)?, cpu.allocate(&device, 4096)?);
        Ok(Self { cpu, stream, code, memory })
    }

    fn launch(&self) -> Result<()> {
        let region = Region { memory: &self.memory, offset: 0, bytes: 4096 };
        let args = [Arg::Slice { region, strides: None }];
        let launch = Launch { domain: Shape::scalar(), args: &args };
        self.cpu.launch(&self.stream, &self.code, &launch)
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

fn copies(kind: &str, bytes: usize) -> Result<(f64, f64)> {
    let cpu = Cpu::open()?;
    let device = cpu.devices()?.remove(0);
    let stream = cpu.stream(&device, kind)?;
    let (a, b) = (cpu.allocate(&device, bytes)?, cpu.allocate(&device, bytes)?);
    let region = |memory| Region { memory, offset: 0, bytes };
    cpu.fill(&stream, region(&a), 1)?;
    cpu.fill(&stream, region(&b), 2)?;
    let (from, mut to) = (vec![1_u8; bytes], vec![2_u8; bytes]);
    let ours = median(
        1,
        || {
            cpu.copy(&stream, region(&a), region(&b))?;
            cpu.block(&cpu.record(&stream)?, BOUND)
        },
        || Ok(()),
    )?;
    let memcpy = median(
        1,
        || {
            std::hint::black_box(&mut to).copy_from_slice(std::hint::black_box(&from));
            Ok(())
        },
        || Ok(()),
    )?;
    Ok((ours, memcpy))
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
        for bytes in [64 << 10, 1 << 20, 64 << 20] {
            let (ours, memcpy) = copies(kind, bytes)?;
            println!("{kind:8}  copy of {bytes:9} bytes  {:6.2} of memcpy's speed", memcpy / ours);
        }
    }
    Ok(())
}
