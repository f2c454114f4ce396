//! Collectives of a library over device memory: one that adds on the host stands for a vendor's.

use crate::devices::{cpu, device, runtime};
use ringwood::collective::{
    Call, CollectiveLibrary, CollectiveLibraryDef, Communicator, Group, Invocation, LibraryMember,
    Operation, Order, Rank, ReduceOp, Request, Tensors,
};
use ringwood::device::{Device, Stream};
use ringwood::prelude::*;
use ringwood::registry::{Entry, EntryMeta, Registry};
use ringwood::{DType, Error, ErrorKind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Condvar, Mutex};
use std::time::{Duration, Instant};

/// Adds what two ranks bring.
struct Adder {
    fault: Fault,
    /// The group that was opened last.
    room: Mutex<Option<Arc<Room>>>,
    /// How often it was asked for a request.
    checks: AtomicUsize,
}

/// What is wrong with the library.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    None,
    /// It is on no machine.
    Absent,
    /// Rank 0 cannot make a group.
    Invitation,
    /// Rank 1 cannot join.
    Join,
    /// Work does not end before it is aborted.
    Stuck,
    /// Nor does it, and the library tells why.
    Broken,
}

/// Where two ranks wait for each other.
struct Room {
    brought: Mutex<[Vec<f32>; 2]>,
    barrier: Barrier,
    submitted: AtomicUsize,
    aborted: AtomicUsize,
}

struct Member {
    fault: Fault,
    rank: usize,
    room: Arc<Room>,
    /// Holds the stream until the work is aborted.
    gate: Arc<(Mutex<bool>, Condvar)>,
}

fn unsupported(message: &'static str) -> Error {
    Error::unsupported(message)
}

impl CollectiveLibrary for Adder {
    fn available(&self) -> ringwood::Result<()> {
        match self.fault {
            Fault::Absent => Err(unsupported("it is not here")),
            _ => Ok(()),
        }
    }

    fn check(&self, request: &Request, asked: bool) -> ringwood::Result<()> {
        self.checks.fetch_add(1, Ordering::Relaxed);
        self.available()?;
        let what = &request.what;
        match (what.operation, what.reduce, what.dtype) {
            (Operation::AllReduce, Some(ReduceOp::Sum), DType::F32) if !asked => {
                Err(unsupported("plain sums are for those that ask"))
            }
            (
                Operation::AllReduce,
                Some(ReduceOp::Sum | ReduceOp::Kernel("slow_add")),
                DType::F32,
            ) => Ok(()),
            _ => Err(unsupported("it adds f32 and nothing else")),
        }
    }

    fn invite(&self) -> ringwood::Result<Vec<u8>> {
        if self.fault == Fault::Invitation {
            return Err(Error::unavailable("no room"));
        }
        let [submitted, aborted] = [0, 0].map(AtomicUsize::new);
        let (brought, barrier) = (Mutex::default(), Barrier::new(2));
        let room = Room { brought, barrier, submitted, aborted };
        *self.room.lock().unwrap() = Some(Arc::new(room));
        Ok(b"room 7".to_vec())
    }

    fn join(
        &self,
        rank: Rank,
        invitation: &[u8],
        _: &Device,
        _: Duration,
    ) -> ringwood::Result<Box<dyn LibraryMember>> {
        assert_eq!(invitation, b"room 7");
        if self.fault == Fault::Join && rank.index() == 1 {
            return Err(Error::backend("the door is locked"));
        }
        let room = self.room.lock().unwrap().clone().unwrap();
        let (fault, rank) = (self.fault, rank.index());
        Ok(Box::new(Member { fault, rank, room, gate: Arc::default() }))
    }
}

impl LibraryMember for Member {
    fn submit(
        &mut self,
        stream: &Stream,
        request: &Request,
        tensors: &Tensors<'_>,
        deadline: Instant,
    ) -> ringwood::Result<()> {
        assert!(deadline > Instant::now());
        assert_eq!(request.what.operation, Operation::AllReduce);
        self.room.submitted.fetch_add(1, Ordering::Relaxed);
        let own = stream.fetch(tensors.input().region(), Duration::from_secs(5))?;
        let own = own.chunks(4).map(|x| f32::from_ne_bytes(x.try_into().unwrap())).collect();
        self.room.brought.lock().unwrap()[self.rank] = own;
        self.room.barrier.wait();
        let [a, b] = self.room.brought.lock().unwrap().clone();
        self.room.barrier.wait();
        let sum: Vec<u8> = a.iter().zip(&b).flat_map(|(a, b)| (a + b).to_ne_bytes()).collect();
        if matches!(self.fault, Fault::Stuck | Fault::Broken) {
            let gate = self.gate.clone();
            let held = move |_: ringwood::Result<&[u8]>| {
                let open = gate.0.lock().unwrap();
                let long = Duration::from_secs(20);
                drop(gate.1.wait_timeout_while(open, long, |open| !*open).unwrap());
            };
            stream.read(tensors.input().region(), Box::new(held))?;
        }
        stream.write(sum.into(), tensors.output().region())
    }

    fn poll(&self) -> ringwood::Result<()> {
        match self.fault {
            Fault::Broken => Err(Error::backend("a link is down")),
            _ => Ok(()),
        }
    }

    fn abort(&mut self) {
        self.room.aborted.fetch_add(1, Ordering::Relaxed);
        *self.gate.0.lock().unwrap() = true;
        self.gate.1.notify_all();
    }
}

impl Adder {
    const fn new(fault: Fault) -> Self {
        Self { fault, room: Mutex::new(None), checks: AtomicUsize::new(0) }
    }

    /// How many calls were submitted, and how many members aborted.
    fn counts(&self) -> [usize; 2] {
        let room = self.room.lock().unwrap();
        let room = room.as_ref().unwrap();
        [&room.submitted, &room.aborted].map(|count| count.load(Ordering::Relaxed))
    }
}

/// What two ranks, each on a processor of its own, say with a library called `adder` for devices of `backend`.
fn pair<R: Send>(
    library: &'static dyn CollectiveLibrary,
    backend: &'static str,
    body: impl Fn(&Communicator, &Device) -> ringwood::Result<R> + Sync,
) -> ringwood::Result<Vec<R>> {
    let meta = EntryMeta {
        package: "tests",
        name: "adder",
        module_path: module_path!(),
        file: file!(),
        line: line!(),
    };
    let entry = Entry::made(meta, CollectiveLibraryDef { library, backend });
    let registry = Registry::builder().linked().register(entry).build()?;
    let devices = [cpu(), cpu()];
    let group = Group::builder(2).registry(Arc::new(registry)).timeout(Duration::from_secs(20));
    group.spmd(|comm| body(comm, &devices[comm.rank()]))
}

/// An addition that takes longer than any library.
#[kernel(map, device = cpu)]
fn slow_add(a: f32, b: f32) -> f32 {
    let mut sum = a + b;
    for _ in 0..20 {
        sum = (sum.sin() * 0.0 + sum).cos() * 0.0 + sum;
    }
    sum
}

#[test]
fn a_library_that_is_asked_for_runs_the_call_and_a_kernel_completes_its_mean() {
    static ADDER: Adder = Adder::new(Fault::None);
    let results = pair(&ADDER, "cpu", |comm, device| {
        let own = comm.rank() as f32 + 1.0;
        let mut sum = device.tensor(&[own, 10.0 * own])?;
        comm.with("adder").all_reduce_tensor(&mut sum, ReduceOp::Sum)?;
        let mut mean = device.tensor(&[own; 3])?;
        comm.with("adder").all_reduce_tensor(&mut mean, ReduceOp::Mean)?;
        comm.with("adder").all_reduce_tensor(&mut mean, ReduceOp::Mean)?;
        Ok((sum.to_vec::<f32>()?, mean.to_vec::<f32>()?))
    });
    assert_eq!(results.unwrap(), vec![(vec![3.0, 30.0], vec![1.5; 3]); 2]);
    assert_eq!(ADDER.counts(), [6, 0]);
}

#[test]
fn what_a_library_cannot_do_is_refused_with_the_reason_and_the_group_goes_on() {
    static ADDER: Adder = Adder::new(Fault::None);
    let results = pair(&ADDER, "cpu", |comm, device| {
        let asked = comm.with("adder");
        let mut wide = device.tensor(&[1.0_f64; 4])?;
        let dtype = asked.all_reduce_tensor(&mut wide, ReduceOp::Sum).unwrap_err();
        let mut data = device.tensor(&[1.0_f32; 4])?;
        let ordered = asked.order(Order::Linear).all_reduce_tensor(&mut data, ReduceOp::Sum);
        asked.all_reduce_tensor(&mut data, ReduceOp::Sum)?;
        comm.all_reduce_tensor(&mut wide, ReduceOp::Sum)?;
        Ok((dtype.to_string(), ordered.unwrap_err().to_string(), wide.to_vec::<f64>()?))
    });
    for (dtype, ordered, wide) in results.unwrap() {
        assert!(dtype.contains("it adds f32 and nothing else"), "{dtype}");
        assert!(
            ordered.contains("`adder` merges in no order that is known, not linear"),
            "{ordered}"
        );
        assert_eq!(wide, [2.0; 4]);
    }
}

#[test]
fn a_call_without_an_order_takes_a_library_that_is_faster_and_no_other() {
    static ADDER: Adder = Adder::new(Fault::None);
    let results = pair(&ADDER, "cpu", |comm, device| {
        let call = |op| {
            let mut data = device.tensor(&vec![0.5 + comm.rank() as f32; 20_000])?;
            comm.all_reduce_tensor(&mut data, op)?;
            Ok::<_, Error>(data.to_vec::<f32>()?[19_999])
        };
        let explained = |op| {
            let request = Request::new(Operation::AllReduce, 2, 20_000, DType::F32);
            comm.explain(&Request { what: request.what.clone().reduce(op), ..request })
        };
        let (slow, plain) = (ReduceOp::Kernel("slow_add"), ReduceOp::Sum);
        let sums = [call(slow)?, call(slow)?, call(plain)?];
        Ok((sums, explained(slow)?.opaque, explained(plain)?.refused))
    });
    for (sums, opaque, refused) in results.unwrap() {
        assert_eq!(sums, [2.0; 3]);
        assert_eq!(opaque, ["adder"]);
        let refused = refused.iter().find(|refusal| refusal.name == "adder").unwrap();
        assert_eq!(refused.why, "plain sums are for those that ask");
    }
    // Five measured calls and two that were made, on both ranks; none of plain sums.
    assert_eq!(ADDER.counts(), [14, 0]);
}

/// Takes every all-gather and leaves its output as it is.
struct Idle {
    /// Whether it takes blocks of different lengths.
    counts: bool,
}

/// What was submitted to members of [`Idle`].
static IDLE: AtomicUsize = AtomicUsize::new(0);

impl CollectiveLibrary for Idle {
    fn check(&self, request: &Request, _: bool) -> ringwood::Result<()> {
        match request.what.operation {
            Operation::AllGather if self.counts || request.what.counts.is_none() => Ok(()),
            _ => Err(unsupported("it gathers what it likes")),
        }
    }

    fn invite(&self) -> ringwood::Result<Vec<u8>> {
        Ok(Vec::new())
    }

    fn join(
        &self,
        _: Rank,
        _: &[u8],
        _: &Device,
        _: Duration,
    ) -> ringwood::Result<Box<dyn LibraryMember>> {
        Ok(Box::new(IdleMember))
    }
}

struct IdleMember;

impl LibraryMember for IdleMember {
    fn submit(
        &mut self,
        _: &Stream,
        _: &Request,
        _: &Tensors<'_>,
        _: Instant,
    ) -> ringwood::Result<()> {
        IDLE.fetch_add(1, Ordering::Relaxed);
        Ok(())
    }

    fn poll(&self) -> ringwood::Result<()> {
        Ok(())
    }

    fn abort(&mut self) {}
}

#[test]
fn blocks_of_different_lengths_go_to_a_library_that_is_asked_for_and_else_to_a_schedule() {
    let gather = |library: &'static Idle| {
        pair(library, "cpu", |comm, device| {
            let (even, counts) = ([24_576; 2], [16_384, 32_768]);
            let what = Invocation::new(Operation::AllGather, DType::F32);
            let call = |call: Call<'_>, what: &Invocation<'_>, of: [usize; 2]| {
                let input = device.tensor(&vec![1.0 + comm.rank() as f32; of[comm.rank()]])?;
                let mut output = device.tensor(&vec![0.0_f32; 49_152])?;
                let tensors = Tensors::Apart { input: &input, output: &mut output };
                call.run_tensors(what, tensors)?;
                let gathered = output.to_vec::<f32>()?;
                Ok::<_, Error>([gathered[0], gathered[49_151]])
            };
            let uneven = what.clone().counts(&counts);
            let schedule = call(comm.call(), &uneven, counts)?;
            call(comm.with("tests::adder"), &what, even)?;
            Ok((schedule, call(comm.with("adder"), &uneven, counts)))
        })
    };
    for (schedule, asked) in gather(&Idle { counts: true }).unwrap() {
        assert_eq!((schedule, asked.unwrap()), ([1.0, 2.0], [0.0; 2]));
    }
    assert_eq!(IDLE.swap(0, Ordering::Relaxed), 4);
    for (schedule, asked) in gather(&Idle { counts: false }).unwrap() {
        assert_eq!(schedule, [1.0, 2.0]);
        let error = asked.unwrap_err();
        assert_eq!(error.message(), "it gathers what it likes");
    }
    assert_eq!(IDLE.load(Ordering::Relaxed), 2);
}

#[test]
fn the_ranks_agree_once_that_a_library_is_not_there() {
    static ADDER: Adder = Adder::new(Fault::Absent);
    let results = pair(&ADDER, "cpu", |comm, device| {
        for elements in [20_000, 40_000, 400_000] {
            let mut data = device.tensor(&vec![1.0_f32; elements])?;
            comm.all_reduce_tensor(&mut data, ReduceOp::Sum)?;
        }
        let mut data = device.tensor(&[1.0_f32; 4])?;
        let asked = comm.with("adder").all_reduce_tensor(&mut data, ReduceOp::Sum).unwrap_err();
        Ok(asked.to_string())
    });
    for asked in results.unwrap() {
        assert!(asked.contains("it is not here"), "{asked}");
    }
    assert_eq!(ADDER.checks.load(Ordering::Relaxed), 2, "once on each rank");
}

#[test]
fn a_rank_that_cannot_take_part_is_named_on_the_others_and_a_schedule_runs() {
    static NO_ROOM: Adder = Adder::new(Fault::Invitation);
    static LOCKED: Adder = Adder::new(Fault::Join);
    static ELSEWHERE: Adder = Adder::new(Fault::None);
    let cases = [
        (&NO_ROOM, "cpu", ["no room", "rank 0 cannot run it"]),
        (&LOCKED, "cpu", ["rank 1 cannot run it", "the door is locked"]),
        (&ELSEWHERE, "opencl", ["it runs on devices of opencl"; 2]),
    ];
    for (library, backend, reasons) in cases {
        let results = pair(library, backend, |comm, device| {
            let mut data = device.tensor(&vec![1.0_f32; 20_000])?;
            comm.all_reduce_tensor(&mut data, ReduceOp::Kernel("slow_add"))?;
            let asked = comm.with("adder").all_reduce_tensor(&mut data, ReduceOp::Sum).unwrap_err();
            comm.all_reduce_tensor(&mut data, ReduceOp::Sum)?;
            Ok((data.to_vec::<f32>()?[0], asked.to_string()))
        });
        for ((sum, asked), reason) in results.unwrap().into_iter().zip(reasons) {
            assert_eq!(sum, 4.0);
            assert!(asked.contains(reason), "{asked}");
        }
    }
}

#[test]
fn work_that_does_not_end_or_fails_is_aborted_in_time_and_fails_the_group_by_name() {
    static STUCK: Adder = Adder::new(Fault::Stuck);
    static BROKEN: Adder = Adder::new(Fault::Broken);
    let cases = [
        (&STUCK, ErrorKind::Timeout, "did not finish all_reduce, call #4, in time"),
        (&BROKEN, ErrorKind::Backend, "a link is down"),
    ];
    for (library, kind, message) in cases {
        let start = Instant::now();
        let results = pair(library, "cpu", |comm, device| {
            let mut data = device.tensor(&[1.0_f32; 4])?;
            let call = comm.with("adder").timeout(Duration::from_secs(2));
            let failed = call.all_reduce_tensor(&mut data, ReduceOp::Sum).unwrap_err();
            let later = comm.all_reduce_tensor(&mut data, ReduceOp::Sum).unwrap_err();
            Ok((failed, later))
        });
        assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
        for (failed, later) in results.unwrap() {
            assert_eq!((failed.kind(), later.kind()), (kind, kind), "{failed}");
            assert!(failed.message().contains(message), "{failed}");
            assert_eq!(failed.get("collective"), Some("adder"));
            assert!(failed.get("rank").is_some(), "{failed}");
        }
        assert_eq!(library.counts(), [2, 2]);
    }
}

/// Every call that NCCL has, of a group that is alone on its GPU.
fn calls_of_nccl(comm: &Communicator, gpu: &Device) -> ringwood::Result<()> {
    let asked = comm.with("nccl");
    let values: Vec<f32> = (0..30_000).map(|i| i as f32 / 7.0).collect();
    for op in [ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Min, ReduceOp::Max, ReduceOp::Mean] {
        let mut tensor = gpu.tensor(&values)?;
        asked.all_reduce_tensor(&mut tensor, op)?;
        assert_eq!(tensor.to_vec::<f32>()?, values, "all_reduce, {op}");
        asked.reduce_tensor(&mut tensor, op, 0)?;
        assert_eq!(tensor.to_vec::<f32>()?, values, "reduce, {op}");
    }
    let input = gpu.tensor(&values)?;
    let output = || gpu.tensor(&vec![0.0_f32; values.len()]);
    let (mut gathered, mut scattered) = (output()?, output()?);
    asked.all_gather_tensor_into(&input, &mut gathered)?;
    asked.reduce_scatter_tensor_into(&input, &mut scattered, ReduceOp::Sum)?;
    asked.broadcast_tensor(&mut gathered, 0)?;
    assert_eq!([gathered.to_vec::<f32>()?, scattered.to_vec::<f32>()?], [values.clone(), values]);
    Ok(())
}

#[test]
fn nccl_runs_its_calls_on_a_gpu() {
    let Some(gpu) = device(&runtime(), "cuda:0") else { return };
    let group = Group::builder(1).timeout(Duration::from_secs(60));
    group.spmd(|comm| calls_of_nccl(comm, &gpu)).unwrap();
}

#[test]
fn ranks_that_share_a_gpu_are_refused_by_nccl_with_its_reason_and_served_by_a_schedule() {
    let Some(gpu) = device(&runtime(), "cuda:0") else { return };
    let group = Group::builder(2).timeout(Duration::from_secs(60));
    let errors = group.spmd(|comm| {
        let mut tensor = gpu.tensor(&vec![1.0_f32; 30_000])?;
        let error = comm.with("nccl").all_reduce_tensor(&mut tensor, ReduceOp::Sum).unwrap_err();
        comm.all_reduce_tensor(&mut tensor, ReduceOp::Sum)?;
        assert_eq!(tensor.to_vec::<f32>()?, vec![2.0; 30_000]);
        Ok(error.to_string())
    });
    for error in errors.unwrap() {
        assert!(error.contains("ncclCommInitRankConfig failed"), "{error}");
    }
}
