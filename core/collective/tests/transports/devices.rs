//! Tensors of ranks that are processes, on devices whose memory the host does not reach.

use crate::group;
use ringwood_base::registry::{Entry, EntryMeta, Registry};
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_device::backend::{
    Backend, BackendDef, Capabilities, HostSink, Region, Registered, Status,
};
use ringwood_device::device::Runtime;
use ringwood_device::kernel::{KernelSpec, Launch};
use ringwood_schedule::ReduceOp::Sum;
use ringwood_transport::Arena;
use std::ptr::NonNull;
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::Duration;

/// Devices apart from the host. Number 1 takes no bytes that begin with the sum of the test.
struct Remote;

const SUM: f32 = 3.0;

fn unsupported<T>() -> Result<T> {
    Err(Error::unsupported("remote: not needed"))
}

impl Backend for Remote {
    type Device = usize;
    type Stream = usize;
    type Memory = Mutex<Vec<u8>>;
    type Event = ();
    type Code = ();

    fn open() -> Result<Self> {
        Ok(Self)
    }

    fn devices(&self) -> Result<Vec<usize>> {
        Ok(vec![0, 1])
    }

    fn capabilities(&self, _: &usize) -> Capabilities {
        Capabilities {
            description: "apart".into(),
            stream_kinds: vec!["remote".into()],
            suggested_streams: 1,
            dtypes: DType::ALL.to_vec(),
            ..Default::default()
        }
    }

    fn stream(&self, device: &usize, _: &str) -> Result<usize> {
        Ok(*device)
    }

    fn allocate(&self, _: &usize, bytes: usize) -> Result<Mutex<Vec<u8>>> {
        Ok(Mutex::new(vec![0; bytes]))
    }

    fn write(
        &self,
        device: &usize,
        source: Arc<[u8]>,
        target: Region<'_, Mutex<Vec<u8>>>,
    ) -> Result<()> {
        if *device == 1 && source.starts_with(&SUM.to_ne_bytes()) {
            return Err(Error::backend("the device is lost"));
        }
        target.memory.lock().unwrap()[target.offset..][..target.bytes].copy_from_slice(&source);
        Ok(())
    }

    fn read(&self, _: &usize, source: Region<'_, Mutex<Vec<u8>>>, sink: HostSink) -> Result<()> {
        sink(Ok(&source.memory.lock().unwrap()[source.offset..][..source.bytes]));
        Ok(())
    }

    fn copy(
        &self,
        _: &usize,
        _: Region<'_, Mutex<Vec<u8>>>,
        _: Region<'_, Mutex<Vec<u8>>>,
    ) -> Result<()> {
        unsupported()
    }

    fn fill(&self, _: &usize, _: Region<'_, Mutex<Vec<u8>>>, _: u8) -> Result<()> {
        unsupported()
    }

    fn host_address(&self, _: &Mutex<Vec<u8>>) -> Result<NonNull<u8>> {
        unsupported()
    }

    fn compile(&self, _: &usize, _: &[KernelSpec<'_>]) -> Result<Vec<()>> {
        unsupported()
    }

    fn launch(&self, _: &usize, _: &Launch<'_, (), Mutex<Vec<u8>>>) -> Result<()> {
        unsupported()
    }

    fn record(&self, _: &usize) -> Result<()> {
        Ok(())
    }

    fn wait(&self, _: &usize, (): &()) -> Result<()> {
        Ok(())
    }

    fn poll(&self, (): &()) -> Status {
        Status::Done
    }

    fn block(&self, (): &(), _: Duration) -> Result<()> {
        Ok(())
    }
}

impl Registered for Remote {
    const NAME: &'static str = "remote";
    const ENTRY: Entry = {
        let meta = EntryMeta {
            package: "tests",
            name: Self::NAME,
            module_path: module_path!(),
            file: file!(),
            line: line!(),
        };
        Entry::new(meta, const { &BackendDef::new::<Self>() })
    };
}

#[test]
fn a_result_that_a_device_does_not_take_fails_the_group_and_not_a_later_call() {
    let registry = Registry::builder().register(Remote::ENTRY).build().unwrap();
    let (runtime, over) = (Runtime::new(registry), Barrier::new(2));
    let place = group(&Arena, 2).bootstrap().unwrap();
    let body = |rank: usize| {
        let comm = group(&Arena, 2).join(rank, place.address()).unwrap();
        let device = runtime.device(["remote:0", "remote:1"][rank]).unwrap();
        let mut tensor = device.tensor(&[1.0 + rank as f32; 10]).unwrap();
        let call = comm.with("ring").timeout(Duration::from_secs(10));
        let outcome = call.all_reduce_tensor(&mut tensor, Sum);
        // Rank 0 makes no other call before rank 1 has its error.
        over.wait();
        (outcome, comm.check())
    };
    let [first, second] = thread::scope(|scope| {
        [0, 1]
            .map(|rank| {
                scope.spawn({
                    let body = &body;
                    move || body(rank)
                })
            })
            .map(|rank| rank.join().unwrap())
    });
    first.0.unwrap();
    let errors = [first.1, second.0, second.1].map(Result::unwrap_err);
    for error in errors {
        assert_eq!((error.kind(), error.message()), (ErrorKind::Backend, "the device is lost"));
    }
}
