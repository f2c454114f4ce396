//! A backend whose work is over at once and does nothing: what remains is the run time.

use ringwood_base::registry::Entry;
use ringwood_base::{DType, Error, Result};
use ringwood_device::backend::{
    Backend, BackendDef, Capabilities, HostSink, Progress, Region, Registered, Status,
};
use ringwood_device::kernel::{KernelSpec, Launch};
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

pub(crate) struct Idle;

impl Backend for Idle {
    type Device = ();
    type Stream = Arc<Progress>;
    type Memory = ();
    type Event = ();
    type Code = ();

    fn open() -> Result<Self> {
        Ok(Self)
    }

    fn devices(&self) -> Result<Vec<()>> {
        Ok(vec![()])
    }

    fn capabilities(&self, (): &()) -> Capabilities {
        Capabilities {
            description: "does nothing".into(),
            stream_kinds: vec!["idle".into()],
            suggested_streams: 1,
            dtypes: DType::ALL.to_vec(),
            kernels: true,
            ..Default::default()
        }
    }

    fn stream(&self, (): &(), _: &str) -> Result<Arc<Progress>> {
        Ok(Arc::default())
    }

    fn allocate(&self, (): &(), _: usize) -> Result<()> {
        Ok(())
    }

    fn write(&self, stream: &Arc<Progress>, _: Arc<[u8]>, _: Region<'_, ()>) -> Result<()> {
        over(stream)
    }

    fn read(&self, stream: &Arc<Progress>, _: Region<'_, ()>, sink: HostSink) -> Result<()> {
        sink(Ok(&[]));
        over(stream)
    }

    fn copy(&self, stream: &Arc<Progress>, _: Region<'_, ()>, _: Region<'_, ()>) -> Result<()> {
        over(stream)
    }

    fn fill(&self, stream: &Arc<Progress>, _: Region<'_, ()>, _: u8) -> Result<()> {
        over(stream)
    }

    fn host_address(&self, (): &()) -> Result<NonNull<u8>> {
        Err(Error::unsupported("idle: there is no memory"))
    }

    fn compile(&self, (): &(), batch: &[KernelSpec<'_>]) -> Result<Vec<()>> {
        Ok(vec![(); batch.len()])
    }

    fn launch(&self, stream: &Arc<Progress>, _: &Launch<'_, (), ()>) -> Result<()> {
        over(stream)
    }

    fn progress(&self, stream: &Arc<Progress>) -> Option<Arc<Progress>> {
        Some(Arc::clone(stream))
    }

    fn event_at(&self, _: &Arc<Progress>, _: u64) -> Result<()> {
        Ok(())
    }

    fn record(&self, _: &Arc<Progress>) -> Result<()> {
        Ok(())
    }

    fn wait(&self, stream: &Arc<Progress>, (): &()) -> Result<()> {
        over(stream)
    }

    fn poll(&self, (): &()) -> Status {
        Status::Done
    }

    fn block(&self, (): &(), _: Duration) -> Result<()> {
        Ok(())
    }
}

/// Counts a command, which is over.
fn over(stream: &Progress) -> Result<()> {
    stream.pass(stream.submit());
    Ok(())
}

impl Registered for Idle {
    const NAME: &'static str = "idle";
    const ENTRY: Entry = Entry::new(
        ringwood_base::__private::meta!(Self::NAME),
        const { &BackendDef::new::<Self>() },
    );
}
