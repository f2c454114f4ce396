//! A backend whose streams are threads of shuttle. Work on memory is not atomic: each byte is an
//! access of its own, so that what runs at the same time shows.

use ringwood_base::registry::{Entry, EntryMeta};
use ringwood_base::{DType, Error, ErrorKind, Result};
use ringwood_device::backend::{
    Backend, BackendDef, Capabilities, HostSink, Region, Registered, Status,
};
use ringwood_device::kernel::{KernelSpec, Launch};
use shuttle::sync::mpsc::{Sender, channel};
use shuttle::sync::{Condvar, Mutex};
use shuttle::thread;
use std::ptr::NonNull;
use std::sync::Arc;
use std::time::Duration;

/// A fill with this byte fails its stream.
pub(crate) const FAIL: u8 = 0xff;

pub(crate) struct Woven;

/// `None` once it is freed.
type Cells = Arc<Mutex<Option<Vec<u8>>>>;

pub(crate) struct Memory(Cells);

impl Drop for Memory {
    fn drop(&mut self) {
        *self.0.lock().unwrap() = None;
    }
}

#[derive(Clone, Default)]
pub(crate) struct Event(Arc<(Mutex<Option<Result<()>>>, Condvar)>);

impl Event {
    fn finish(&self, outcome: Result<()>) {
        *self.0.0.lock().unwrap() = Some(outcome);
        self.0.1.notify_all();
    }

    fn block(&self) -> Result<()> {
        let mut outcome = self.0.0.lock().unwrap();
        while outcome.is_none() {
            outcome = self.0.1.wait(outcome).unwrap();
        }
        outcome.clone().expect("the loop ends with an outcome")
    }
}

/// Gets the stream's failure, and may return the first one.
type Work = Box<dyn FnOnce(Result<()>) -> Result<()> + Send>;

pub(crate) struct Stream {
    work: Sender<Work>,
    failure: Arc<Mutex<Option<Error>>>,
}

impl Stream {
    fn start() -> Self {
        let (work, queue) = channel::<Work>();
        let failure = Arc::new(Mutex::new(None));
        let sticky = Arc::clone(&failure);
        thread::spawn(move || {
            while let Ok(work) = queue.recv() {
                let failed = sticky.lock().unwrap().clone().map_or(Ok(()), Err);
                if let Err(error) = work(failed) {
                    sticky.lock().unwrap().get_or_insert(error);
                }
            }
        });
        Self { work, failure }
    }

    fn push(&self, work: impl FnOnce(Result<()>) -> Result<()> + Send + 'static) -> Result<()> {
        if let Some(error) = self.failure.lock().unwrap().clone() {
            let _ = work(Err(error.clone()));
            return Err(error);
        }
        self.work.send(Box::new(work)).expect("the thread lives as long as the stream");
        Ok(())
    }
}

fn load(cells: &Cells, i: usize) -> Result<u8> {
    cells.lock().unwrap().as_ref().map(|bytes| bytes[i]).ok_or_else(freed)
}

fn store(cells: &Cells, i: usize, byte: u8) -> Result<()> {
    cells.lock().unwrap().as_mut().map(|bytes| bytes[i] = byte).ok_or_else(freed)
}

fn freed() -> Error {
    Error::new(ErrorKind::Backend, "freed memory was used")
}

fn unsupported<T>() -> Result<T> {
    Err(Error::new(ErrorKind::Unsupported, "woven: not needed"))
}

impl Backend for Woven {
    type Device = ();
    type Stream = Stream;
    type Memory = Memory;
    type Event = Event;
    type Code = ();

    fn open() -> Result<Self> {
        Ok(Self)
    }

    fn devices(&self) -> Result<Vec<()>> {
        Ok(vec![()])
    }

    fn capabilities(&self, (): &()) -> Capabilities {
        Capabilities {
            description: "threads of shuttle".into(),
            stream_kinds: vec!["woven".into()],
            suggested_streams: 2,
            dtypes: DType::ALL.to_vec(),
            ..Default::default()
        }
    }

    fn stream(&self, (): &(), _: &str) -> Result<Stream> {
        Ok(Stream::start())
    }

    fn allocate(&self, (): &(), bytes: usize) -> Result<Memory> {
        Ok(Memory(Arc::new(Mutex::new(Some(vec![0; bytes])))))
    }

    fn write(&self, _: &Stream, _: Arc<[u8]>, _: Region<'_, Memory>) -> Result<()> {
        unsupported()
    }

    fn read(&self, stream: &Stream, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        let (cells, range) = (source.memory.0.clone(), source.offset..source.offset + source.bytes);
        stream.push(move |failed| {
            let bytes =
                failed.and_then(|()| range.map(|i| load(&cells, i)).collect::<Result<Vec<_>>>());
            match bytes {
                Ok(bytes) => sink(Ok(&bytes)),
                Err(error) => sink(Err(error)),
            }
            Ok(())
        })
    }

    fn copy(
        &self,
        stream: &Stream,
        source: Region<'_, Memory>,
        target: Region<'_, Memory>,
    ) -> Result<()> {
        let (from, to) = (source.memory.0.clone(), target.memory.0.clone());
        let (source, target, bytes) = (source.offset, target.offset, source.bytes);
        stream.push(move |failed| {
            failed?;
            (0..bytes).try_for_each(|i| store(&to, target + i, load(&from, source + i)?))
        })
    }

    fn fill(&self, stream: &Stream, target: Region<'_, Memory>, byte: u8) -> Result<()> {
        let (cells, mut range) =
            (target.memory.0.clone(), target.offset..target.offset + target.bytes);
        stream.push(move |failed| {
            failed?;
            if byte == FAIL {
                return Err(Error::new(ErrorKind::Backend, "on purpose"));
            }
            range.try_for_each(|i| store(&cells, i, byte))
        })
    }

    fn host_address(&self, _: &Memory) -> Result<NonNull<u8>> {
        unsupported()
    }

    fn compile(&self, (): &(), _: &[KernelSpec<'_>]) -> Result<Vec<()>> {
        unsupported()
    }

    fn launch(&self, _: &Stream, _: &Launch<'_, (), Memory>) -> Result<()> {
        unsupported()
    }

    fn record(&self, stream: &Stream) -> Result<Event> {
        let event = Event::default();
        let recorded = event.clone();
        stream.push(move |failed| {
            recorded.finish(failed);
            Ok(())
        })?;
        Ok(event)
    }

    fn wait(&self, stream: &Stream, event: &Event) -> Result<()> {
        let event = event.clone();
        stream.push(move |failed| failed.and_then(|()| event.block()))
    }

    fn poll(&self, event: &Event) -> Status {
        match &*event.0.0.lock().unwrap() {
            None => Status::Pending,
            Some(Ok(())) => Status::Done,
            Some(Err(error)) => Status::Failed(error.clone()),
        }
    }

    fn block(&self, event: &Event, _: Duration) -> Result<()> {
        event.block()
    }
}

impl Registered for Woven {
    const NAME: &'static str = "woven";
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
