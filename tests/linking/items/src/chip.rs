//! A backend without a device.

use ringwood_base::{Error, Result};
use ringwood_device::backend;
use ringwood_device::backend::{Backend, Capabilities, HostSink, Region, Status};
use ringwood_device::kernel::{KernelSpec, Launch};
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

pub struct Chip;

fn absent<T>() -> Result<T> {
    Err(Error::unavailable("there is no such chip"))
}

#[backend(name = "chip")]
impl Backend for Chip {
    type Device = ();
    type Stream = ();
    type Memory = ();
    type Event = ();
    type Code = ();

    fn open() -> Result<Self> {
        absent()
    }
    fn devices(&self) -> Result<Vec<()>> {
        Ok(vec![])
    }
    fn capabilities(&self, _: &()) -> Capabilities {
        unreachable!("there is no device to ask for")
    }
    fn stream(&self, _: &(), _: &str) -> Result<()> {
        absent()
    }
    fn allocate(&self, _: &(), _: usize) -> Result<()> {
        absent()
    }
    fn write(&self, _: &(), _: Arc<[u8]>, _: Region<'_, ()>) -> Result<()> {
        absent()
    }
    fn read(&self, _: &(), _: Region<'_, ()>, _: HostSink) -> Result<()> {
        absent()
    }
    fn copy(&self, _: &(), _: Region<'_, ()>, _: Region<'_, ()>) -> Result<()> {
        absent()
    }
    fn fill(&self, _: &(), _: Region<'_, ()>, _: u8) -> Result<()> {
        absent()
    }
    fn host_address(&self, _: &()) -> Result<NonNull<u8>> {
        absent()
    }
    fn compile(&self, _: &(), _: &[KernelSpec<'_>]) -> Result<Vec<()>> {
        absent()
    }
    fn launch(&self, _: &(), _: &Launch<'_, (), ()>) -> Result<()> {
        absent()
    }
    fn record(&self, _: &()) -> Result<()> {
        absent()
    }
    fn wait(&self, _: &(), _: &()) -> Result<()> {
        absent()
    }
    fn poll(&self, _: &()) -> Status {
        Status::Done
    }
    fn block(&self, _: &(), _: Duration) -> Result<()> {
        absent()
    }
}
