//! What the ranks do.

use crate::launched::say;
use crate::{nodes, sessions, support};
use ringwood_base::sync::{cores, set_threads, threads};
use ringwood_base::{DType, Element, ErrorKind, Result};
use ringwood_collective::resolve::Member;
use ringwood_collective::{Communicator, GroupBuilder};
use ringwood_mpi::World;
use ringwood_schedule::{
    Collective, Descriptor, Invocation, Lane, Operation, Order, Params, Rank, ReduceOp,
};
use ringwood_transport::Buffers;
use std::path::PathBuf;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

pub(crate) fn run(scenario: &str) {
    if scenario == sessions::THREADS {
        sessions::give_threads();
    }
    if !nodes::settle() {
        return say(nodes::REFUSED);
    }
    let world = match ringwood_mpi::init() {
        Ok(world) => world,
        Err(error) => return say(error),
    };
    assert_ne!(scenario, "mismatch", "no mismatch was found");
    if scenario.starts_with("session") {
        return sessions::run(&world, scenario);
    }
    if scenario == "too long for the rendezvous" {
        return too_long(&world);
    }
    if scenario == "ends alone" {
        return ends_alone(world);
    }
    if let Some(short) = scenario.strip_prefix("nobody waits longer than rank ") {
        return without(&world, 2, short.parse().unwrap());
    }
    if scenario == "rank 0 comes after the time of rank 1" {
        return comes_between(&world);
    }
    if scenario == "rank 0 comes late" {
        return comes_late(&world);
    }
    if scenario == "without rank 0" {
        return without(&world, 0, 1);
    }
    let options = |builder: GroupBuilder| {
        let more = nodes::ALL.into_iter().chain([("tell", &Tell as &dyn Collective)]);
        builder.registry(support::registry_with(more))
    };
    let comm = world.join_as(options(world.builder()).timeout(Duration::from_secs(20))).unwrap();
    let outcome = match scenario {
        "everything" => everything(&world, &comm),
        "many groups" => many_groups(&comm),
        "threads" => threads().map(|threads| say(format_args!("{threads} of {}", cores()))),
        "threads that are given late" => set_threads(5).and_then(|()| threads()).map(say),
        "barrier without a rank" => barrier_without_a_rank(world),
        "two nodes" => nodes::two(&comm).map(say),
        "figures" => figures(&world, &comm),
        "stopped" => stopped(&comm),
        "killed" => killed(&comm),
        "killed with its shell" => killed_with_its_shell(),
        "panic" => panics(&comm),
        "absent" => absent(&comm),
        "stopped anywhere" => stopped_anywhere(&comm),
        other => panic!("no scenario {other}"),
    };
    match outcome {
        Ok(()) => {}
        Err(error) => say(error.message()),
    }
}

/// Rank 1 comes to the end of MPI before it has joined a group, and the others do not.
fn ends_alone(world: World) {
    match world.rank() {
        1 => drop(world.patience(Duration::from_millis(500))),
        _ => sleep(Duration::from_secs(30)),
    }
}

/// One rank does not come to the group of all; the others wait, one of them for a short time.
fn without(world: &World, absent: usize, short: usize) {
    let rank = world.rank();
    if rank == absent {
        return sleep(Duration::from_secs(4));
    }
    sleep(Duration::from_millis(if rank == 0 { 500 } else { 0 }));
    let within = Duration::from_millis(if rank == short { 1_500 } else { 60_000 });
    let within = if absent == 0 { within.min(Duration::from_secs(2)) } else { within };
    say(world.join_as(world.builder().timeout(within)).err().unwrap());
}

/// A sign that a rank gives another one of this machine, by a file.
struct Sign(PathBuf);

impl Sign {
    fn of_this_run() -> Self {
        let name = format!("ringwood-sign-{}", std::os::unix::process::parent_id());
        Self(std::env::temp_dir().join(name))
    }

    fn give(&self) {
        std::fs::write(&self.0, "").unwrap();
    }

    /// Waits for the sign, and takes it.
    fn take(&self) {
        let until = Instant::now() + Duration::from_secs(20);
        while std::fs::remove_file(&self.0).is_err() {
            assert!(Instant::now() < until, "no sign came");
            sleep(Duration::from_millis(5));
        }
    }
}

/// Rank 2 does not come, and rank 0 comes when the time of rank 1 has just ended, which then waits for an answer.
fn comes_between(world: &World) {
    let sign = Sign::of_this_run();
    let within = match world.rank() {
        0 => {
            sign.take();
            60_000
        }
        1 => {
            std::thread::spawn(move || {
                sleep(Duration::from_millis(1_600));
                sign.give();
            });
            1_500
        }
        _ => return sleep(Duration::from_secs(4)),
    };
    let builder = world.builder().timeout(Duration::from_millis(within));
    say(world.join_as(builder).err().unwrap());
}

/// Rank 0 comes when nobody waits for it any more, and then when rank 1 has asked who is missing.
fn comes_late(world: &World) {
    let builder = world.builder().registry(support::registry_with(nodes::ALL));
    let join = |within| world.join_as(builder.clone().timeout(Duration::from_millis(within)));
    let sign = Sign::of_this_run();
    if world.rank() == 0 {
        sign.take();
    } else {
        say(join(200).err().unwrap());
        sign.give();
    }
    drop(join(20_000).unwrap());
    for _ in 0..3 {
        if world.rank() == 0 {
            sleep(Duration::from_millis(600));
            drop(join(20_000).unwrap());
        } else {
            // A busy machine may let rank 0 come later.
            drop((0..20).find_map(|_| join(300).ok()).unwrap());
        }
    }
    let comm = join(20_000).unwrap();
    let mut sum = [1.0_f32];
    comm.all_reduce(&mut sum, ReduceOp::Sum).unwrap();
    say(sum[0]);
}

/// A member whose device has a long name.
fn too_long(world: &World) {
    let resolver = world.resolver().unwrap();
    if world.rank() == 1 {
        let member = Member::new(7, world.size(), "cpu", &"x".repeat(16 << 20));
        say(resolver.join(&member).unwrap_err());
    }
}

/// The root sends to every other rank.
struct Tell;

impl Collective for Tell {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("tell")
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        let others = (0..p.ranks()).map(|other| p.rank(other)).filter(|other| *other != p.root());
        match rank == p.root() {
            true => others.for_each(|other| {
                s.send(other, p.all());
            }),
            false => {
                s.recv(p.root(), p.all());
            }
        }
    }
}

fn everything(world: &World, comm: &Communicator) -> Result<()> {
    let n = world.size();
    assert_eq!((comm.rank(), comm.size()), (world.rank(), n));
    for count in [1, 7, 3_000, 70_001, 300_000] {
        same_bits_as_threads::<f32>(comm, count, |x| x as f32 * 1e-3)?;
    }
    same_bits_as_threads::<f64>(comm, 5_000, |x| x as f64 * 1e-7)?;
    same_bits_as_threads::<i32>(comm, 5_000, |x| x as i32 - 1_000)?;
    same_bits_as_threads::<u8>(comm, 5_001, |x| (x % 9) as u8)?;
    disagree(comm)?;
    messages(comm)?;
    parts(comm)?;
    own(comm)?;
    let threads = support::group(3)
        .over(&ringwood_mpi::Mpi)
        .spmd(|comm| same_bits_as_threads::<f32>(comm, 70_001, |x| x as f32 * 1e-3));
    threads.map(drop)?;
    comm.barrier().or_else(|error| match error.kind() {
        // The tests register no barrier.
        ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })?;
    say(format_args!("{n} ranks agree"));
    Ok(())
}

/// An element of a rank's input: of any magnitude, so that another order has other bits.
fn element(rank: usize, i: usize) -> u64 {
    let mixed = ((rank * 7_919 + i) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
    mixed % 2_001 * [1, 3, 7, 19, 1_000][(mixed % 5) as usize]
}

/// A sum in a fixed order, here and among threads of this process.
fn same_bits_as_threads<T: Element + bytemuck::Pod + PartialEq + std::fmt::Debug>(
    comm: &Communicator,
    count: usize,
    value: impl Fn(u64) -> T + Sync,
) -> Result<()> {
    let sum = |comm: &Communicator| {
        let own: Vec<T> = (0..count).map(|i| value(element(comm.rank(), i))).collect();
        let mut sums = vec![own[0]; count];
        comm.call().order(Order::Linear).all_reduce_into(&own, &mut sums, ReduceOp::Sum)?;
        Ok(sums)
    };
    let here = sum(comm)?;
    let bytes = |sums: &[T]| bytemuck::cast_slice::<T, u8>(sums).to_vec();
    if comm.rank() == 0 {
        let threads = support::group(comm.size()).spmd(sum)?;
        assert!(bytes(&here) == bytes(&threads[0]), "{count} elements");
    }
    let digest = bytes(&here).iter().fold(0_u64, |all, byte| all.rotate_left(7) ^ u64::from(*byte));
    let mut digests = vec![0; comm.size()];
    comm.with("collect").all_gather_into(&[digest], &mut digests)?;
    assert_eq!(digests, vec![digest; comm.size()], "{count} elements");
    Ok(())
}

/// Calls that differ are errors that name who differs, and the group goes on.
fn disagree(comm: &Communicator) -> Result<()> {
    let (rank, n) = (comm.rank(), comm.size());
    if n == 1 {
        return Ok(());
    }
    let odd = rank == 1;
    let mut data = vec![1.0_f32; 100];
    let op = if odd { ReduceOp::Max } else { ReduceOp::Sum };
    let error = comm.with("ring").all_reduce(&mut data, op).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    assert!(error.message().contains("rank 1 has max"), "{error}");
    let count = if odd { 99 } else { 100 };
    let error = comm.with("ring").all_reduce(&mut data[..count], ReduceOp::Sum).unwrap_err();
    assert!(error.message().ends_with("rank 1 has 99"), "{error}");
    assert_eq!(data, [1.0; 100]);
    comm.with("ring").all_reduce(&mut data, ReduceOp::Sum)?;
    assert_eq!(data, [n as f32; 100]);
    Ok(())
}

fn messages(comm: &Communicator) -> Result<()> {
    let (rank, n) = (comm.rank(), comm.size());
    for (count, from) in [(3, 0), (100_000, n - 1)] {
        let to = (from + 1) % n;
        let data: Vec<u64> = (0..count).map(|i| element(from, i)).collect();
        let mut heard = vec![0; count];
        if n > 1 && rank == from {
            comm.send(&data, to)?;
        } else if n > 1 && rank == to {
            comm.recv(&mut heard, from)?;
            assert_eq!(heard, data);
        }
    }
    Ok(())
}

/// Parts of a group, which have rank 0 at different processes, and parts of them.
fn parts(comm: &Communicator) -> Result<()> {
    let (rank, n) = (comm.rank(), comm.size());
    for _ in 0..2 {
        let part = comm.split(Some(rank % 2), -(rank as i64))?.expect("every rank has a colour");
        let mut sum = [rank as u64];
        part.with("ring").all_reduce(&mut sum, ReduceOp::Sum)?;
        assert_eq!(sum[0], (0..n as u64).filter(|r| r % 2 == rank as u64 % 2).sum::<u64>());
        let whole = part.split(Some(0), 0)?.expect("every rank has a colour");
        assert_eq!(whole.size(), part.size());
        whole.with("ring").all_reduce(&mut sum, ReduceOp::Max)?;
    }
    Ok(())
}

/// MPI's own collectives: by name, and where they are the faster ones.
fn own(comm: &Communicator) -> Result<()> {
    let (rank, n) = (comm.rank(), comm.size());
    // Eight ranks on a few cores wait for each other longer than a test should.
    if n == 1 || n == 8 {
        return Ok(());
    }
    let numbers = |rank: usize| (0..20_000).map(move |i| ((rank + 1) * (i % 1_000)) as f32);
    let sums: Vec<f32> = (0..20_000).map(|i| (n * (n + 1) / 2 * (i % 1_000)) as f32).collect();
    let own: Vec<f32> = numbers(rank).collect();
    for call in [comm.with("mpi_all_reduce"), comm.call()] {
        let mut data = own.clone();
        call.all_reduce(&mut data, ReduceOp::Sum)?;
        assert_eq!(data, sums);
        call.all_reduce_into(&own, &mut data, ReduceOp::Mean)?;
        assert!(data.iter().zip(&sums).all(|(mean, sum)| *mean == sum / n as f32));
    }
    for call in [comm.with("mpi_all_gather"), comm.call()] {
        let mut all = vec![0.0; 20_000 * n];
        call.all_gather_into(&own, &mut all)?;
        assert!(all.iter().copied().eq((0..n).flat_map(numbers)));
    }
    let mut data = own.clone();
    comm.with("mpi_broadcast").broadcast(&mut data, n - 1)?;
    assert!(data.iter().copied().eq(numbers(n - 1)));
    let input = if comm.rank() == n - 1 { bytemuck::cast_slice(&own) } else { &[] };
    let mut data = vec![0.0; own.len()];
    let output = bytemuck::cast_slice_mut(&mut data);
    let what = Invocation::new(Operation::Broadcast, DType::F32).root(n - 1);
    comm.with("mpi_broadcast").run(&what, Buffers::Apart { input, output })?;
    assert!(data.iter().copied().eq(numbers(n - 1)));
    let ordered = comm.with("mpi_all_reduce").order(Order::Linear);
    let error = ordered.all_reduce(&mut data, ReduceOp::Sum).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains("merges in no order that is known, not linear"), "{error}");
    let own = comm.with("mpi_all_reduce");
    let error = own.all_reduce(&mut [1.0_f64; 3], ReduceOp::Sum).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let text = "`mpi_all_reduce` runs the sum or mean of f32, of at most 1073741824 bytes and among processes, not \
                all_reduce by sum of 3 f64";
    assert!(error.message().ends_with(text), "{error}");
    Ok(())
}

/// MPI has room for about 2,000 groups at a time.
fn many_groups(comm: &Communicator) -> Result<()> {
    for _ in 0..2_100 {
        let group = comm.split(Some(0), 0)?.expect("every rank has a colour");
        group.with("mpi_all_reduce").all_reduce(&mut [1.0_f32], ReduceOp::Sum)?;
    }
    say("so many");
    Ok(())
}

/// Rank 1 does not come to a call of MPI itself, which would wait for ever.
fn barrier_without_a_rank(world: World) -> Result<()> {
    let world = world.patience(Duration::from_millis(500));
    if world.rank() == 1 {
        sleep(Duration::from_secs(30));
    }
    world.barrier()
}

/// A rank stops in any part of a call; MPI itself would wait for ever.
fn stopped_anywhere(comm: &Communicator) -> Result<()> {
    if comm.rank() == 1 {
        std::thread::spawn(|| {
            sleep(Duration::from_millis(300));
            // SAFETY: a signal to this process.
            unsafe { libc::kill(libc::getpid(), libc::SIGSTOP) };
        });
    }
    let mut data = vec![0.0_f32; 1 << 20];
    loop {
        let call = comm.with("mpi_all_reduce").timeout(Duration::from_millis(500));
        call.all_reduce(&mut data, ReduceOp::Sum)?;
    }
}

fn reduce(comm: &Communicator) -> Result<()> {
    comm.with("ring").all_reduce(&mut vec![1.0_f32; 40_000], ReduceOp::Sum)
}

fn killed(comm: &Communicator) -> Result<()> {
    reduce(comm)?;
    if comm.rank() == 1 {
        // SAFETY: a signal to this process.
        unsafe { libc::raise(libc::SIGKILL) };
    }
    reduce(comm)
}

/// What holds the launcher back is killed while it does.
fn killed_with_its_shell() -> ! {
    let own = std::process::id();
    let script = format!("shell=$(pgrep -P {own} -o sh); kill -9 {own}; sleep 0.2; kill -9 $shell");
    Command::new("setsid").args(["-f", "bash", "-c", &script]).status().unwrap();
    sleep(Duration::from_secs(30));
    panic!("rank 0 was not killed");
}

/// Answers to nobody from then on; the others have half a second for a call.
fn stopped(comm: &Communicator) -> Result<()> {
    reduce(comm)?;
    if comm.rank() == 1 {
        // SAFETY: a signal to this process.
        unsafe { libc::raise(libc::SIGSTOP) };
    }
    comm.with("ring").timeout(Duration::from_millis(500)).all_reduce(&mut [1.0_f32], ReduceOp::Sum)
}

/// Times of a sum beside those of MPI itself.
fn figures(world: &World, comm: &Communicator) -> Result<()> {
    for bytes in [8, 8 << 10, 1 << 20, 4 << 20, 16 << 20] {
        let mut data = vec![0.0_f32; bytes / 4];
        let mut times = [Vec::new(), Vec::new(), Vec::new()];
        // Each in a row, as in a program: the first ones find the caches as others have left them.
        for who in [0, 2, 1, 2, 1, 2, 1] {
            for turn in 0..25 {
                let start = Instant::now();
                match who {
                    0 => comm.with("ring").all_reduce(&mut data, ReduceOp::Sum)?,
                    1 => comm.all_reduce(&mut data, ReduceOp::Sum)?,
                    _ => world.sum(&mut data)?,
                }
                if turn >= 10 {
                    times[who].push(start.elapsed());
                }
            }
        }
        let [ring, chosen, theirs] = times.map(|mut times| {
            times.sort();
            times[times.len() / 2]
        });
        if comm.rank() == 0 {
            let text = format!("ring {ring:?}, chosen {chosen:?}, MPI_Allreduce {theirs:?}");
            say(format_args!("{bytes} bytes: {text}"));
        }
    }
    Ok(())
}

fn panics(comm: &Communicator) -> Result<()> {
    reduce(comm)?;
    assert_ne!(comm.rank(), 1, "this rank panics");
    reduce(comm)
}

fn absent(comm: &Communicator) -> Result<()> {
    reduce(comm)?;
    if comm.rank() == 1 {
        sleep(Duration::from_secs(30));
    }
    comm.with("ring").timeout(Duration::from_millis(500)).all_reduce(&mut [1.0_f32], ReduceOp::Sum)
}
