//! A backend in a few lines whose streams a test can hold: the worker of a stream of kind
//! `gated:N` runs nothing while gate `N` is closed.
//!
//! `toy` keeps its memory to itself, `shared` lets the host address it. Using memory after it was
//! freed fails the stream.

use ringwood_base::registry::{Entry, EntryMeta};
use ringwood_base::{DType, Error, Result};
use ringwood_device::backend::{
    Backend, BackendDef, Capabilities, CommandBuffer, HostSink, Region, Registered, Status,
};
use ringwood_device::kernel::{Kept, KernelSpec, Launch, Native, NativeArg, NativeLaunch};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, LazyLock, Mutex, OnceLock};
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(30);

/// Holds the workers of streams.
pub(crate) struct Gate {
    number: u64,
    state: Door,
}

/// Whether the gate is open, and who waits for it.
type Door = Arc<(Mutex<bool>, Condvar)>;

static GATES: LazyLock<Mutex<HashMap<u64, Door>>> = LazyLock::new(Mutex::default);

impl Gate {
    /// A closed gate.
    pub(crate) fn closed() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let state = Door::default();
        GATES.lock().unwrap().insert(number, state.clone());
        Self { number, state }
    }

    /// The kind of streams that it holds.
    pub(crate) fn kind(&self) -> String {
        format!("gated:{}", self.number)
    }

    pub(crate) fn open(&self) {
        *self.state.0.lock().unwrap() = true;
        self.state.1.notify_all();
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        self.open();
    }
}

/// The byte of the fill that is the last thing a stream takes: it fails once that has run, and refuses
/// everything from then on.
pub(crate) const LAST: u8 = 0xEE;

thread_local! {
    /// After how many more of them fills and launches of this thread are refused, which fails no stream.
    pub(crate) static REFUSING: Cell<Option<usize>> = const { Cell::new(None) };
    /// The kind of the streams that this thread opens, whatever it asks for.
    pub(crate) static KIND: RefCell<Option<String>> = const { RefCell::new(None) };
    /// How many bytes opening a stream, compiling and preparing launches take while they are under way, on
    /// this thread.
    pub(crate) static NEEDING: Cell<usize> = const { Cell::new(0) };
    /// Whether run times that this thread opens prepare launches.
    pub(crate) static PREPARING: Cell<bool> = const { Cell::new(false) };
    /// Whether run times that this thread opens have their first device alone.
    pub(crate) static BREAKING: Cell<bool> = const { Cell::new(false) };
    /// Whether run times that this thread opens have no device, and nobody says why.
    pub(crate) static ABSENT: Cell<bool> = const { Cell::new(false) };
    /// The most bytes of one memory that this thread allocates.
    pub(crate) static LARGEST: Cell<usize> = const { Cell::new(BYTES) };
    /// Called when this thread frees memory.
    pub(crate) static ON_FREE: RefCell<Option<Box<dyn FnMut()>>> = const { RefCell::new(None) };
}

fn refusal() -> Result<()> {
    match REFUSING.get() {
        Some(0) => Err(Error::backend("toy: not now")),
        left => {
            REFUSING.set(left.map(|left| left - 1));
            Ok(())
        }
    }
}

#[repr(align(64))]
struct Chunk([AtomicU8; 64]);

struct Cells {
    chunks: Box<[Chunk]>,
    freed: AtomicBool,
}

pub(crate) struct Memory {
    cells: Arc<Cells>,
    bytes: usize,
    left: Arc<AtomicUsize>,
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.cells.freed.store(true, Ordering::SeqCst);
        self.left.fetch_add(self.bytes, Ordering::SeqCst);
        ON_FREE.with_borrow_mut(|hook| hook.as_mut().map(|hook| hook()));
    }
}

#[derive(Clone)]
struct Span {
    cells: Arc<Cells>,
    range: Range<usize>,
}

impl Span {
    fn of(region: Region<'_, Memory>) -> Self {
        let range = region.offset..region.offset + region.bytes;
        Self { cells: region.memory.cells.clone(), range }
    }

    fn check(&self) -> Result<()> {
        if self.cells.freed.load(Ordering::SeqCst) {
            return Err(Error::backend("toy: freed memory was used"));
        }
        Ok(())
    }

    fn cell(&self, i: usize) -> &AtomicU8 {
        let i = self.range.start + i;
        &self.cells.chunks[i / 64].0[i % 64]
    }

    fn read(&self) -> Result<Vec<u8>> {
        self.check()?;
        Ok((0..self.range.len()).map(|i| self.cell(i).load(Ordering::SeqCst)).collect())
    }

    fn write(&self, byte: impl Fn(usize) -> u8) -> Result<()> {
        self.check()?;
        (0..self.range.len()).for_each(|i| self.cell(i).store(byte(i), Ordering::SeqCst));
        Ok(())
    }

    fn address(&self) -> NonNull<u8> {
        match self.cells.chunks.first() {
            Some(_) => NonNull::from(self.cell(0)).cast(),
            None => NonNull::<Chunk>::dangling().cast(),
        }
    }
}

#[derive(Clone, Default)]
pub(crate) struct Event(Arc<(Mutex<Option<Result<()>>>, Condvar)>);

impl Event {
    fn finish(&self, outcome: Result<()>) {
        *self.0.0.lock().unwrap() = Some(outcome);
        self.0.1.notify_all();
    }

    fn block(&self, timeout: Duration) -> Result<()> {
        let deadline = Instant::now() + timeout;
        let mut outcome = self.0.0.lock().unwrap();
        while outcome.is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::timeout("toy: the event is pending"));
            }
            outcome = self.0.1.wait_timeout(outcome, left).unwrap().0;
        }
        outcome.clone().expect("the loop ends with an outcome")
    }
}

type Work = Box<dyn FnOnce() -> Result<()> + Send>;

enum Command {
    Work(Work),
    Read(Span, HostSink),
    Record(Event),
}

pub(crate) struct Stream {
    commands: Sender<Command>,
    failure: Arc<OnceLock<Error>>,
    /// Why it takes no more, while what it took still runs.
    closed: OnceLock<Error>,
    gone: Arc<AtomicBool>,
}

impl Stream {
    fn new(gate: Option<Door>, gone: Arc<AtomicBool>) -> Self {
        let (commands, queue) = channel::<Command>();
        let failure = Arc::<OnceLock<Error>>::default();
        let (failed, vanished) = (failure.clone(), gone.clone());
        std::thread::spawn(move || {
            while let Ok(command) = queue.recv() {
                if let Some(gate) = &gate {
                    let open = gate.0.lock().unwrap();
                    drop(gate.1.wait_timeout_while(open, LIMIT, |open| !*open).unwrap());
                }
                if vanished.load(Ordering::SeqCst) {
                    let _ = failed.set(Toy::<false>::vanished());
                }
                if let Err(error) = command.run(failed.get()) {
                    let _ = failed.set(error);
                }
            }
        });
        Self { commands, failure, closed: OnceLock::new(), gone }
    }

    fn push(&self, command: Command) -> Result<()> {
        if self.gone.load(Ordering::SeqCst) {
            let _ = self.failure.set(Toy::<false>::vanished());
        }
        if let Some(error) = self.failure.get().or(self.closed.get()) {
            let _ = command.run(Some(error));
            return Err(error.clone());
        }
        self.commands.send(command).expect("the worker lives as long as the stream");
        Ok(())
    }
}

impl Command {
    fn run(self, failed: Option<&Error>) -> Result<()> {
        let ok = || failed.map_or(Ok(()), |error| Err(error.clone()));
        match self {
            Command::Record(event) => event.finish(ok()),
            Command::Read(span, sink) => match ok().and_then(|()| span.read()) {
                Ok(bytes) => sink(Ok(&bytes)),
                Err(error) => {
                    sink(Err(error.clone()));
                    return Err(error);
                }
            },
            Command::Work(work) => {
                ok()?;
                return catch_unwind(AssertUnwindSafe(work))
                    .unwrap_or_else(|payload| Err(Error::from_panic("kernel", payload)));
            }
        }
        Ok(())
    }
}

/// How often the kernel `counted` was compiled.
pub(crate) static COUNTED: AtomicUsize = AtomicUsize::new(0);

/// What runs in place of the native code of the kernel.
pub(crate) struct Code(Option<Native<'static>>);

/// What a device says that it has.
const BYTES: usize = 1 << 20;

pub(crate) struct Toy<const HOST: bool> {
    /// The bytes that each device has left: 4 KiB less than it says.
    left: [Arc<AtomicUsize>; 2],
    /// Which devices have vanished.
    gone: [Arc<AtomicBool>; 2],
}

impl<const HOST: bool> Toy<HOST> {
    fn vanished() -> Error {
        Error::unavailable("toy: the device has vanished")
    }

    fn check(&self, device: usize) -> Result<()> {
        let gone = self.gone[device].load(Ordering::SeqCst);
        if gone { Err(Self::vanished()) } else { Ok(()) }
    }

    /// Takes what this thread needs for a while.
    fn need(&self, device: usize) -> Result<()> {
        match NEEDING.get() {
            0 => Ok(()),
            bytes => self.allocate(&device, bytes).map(drop),
        }
    }
}

impl<const HOST: bool> Backend for Toy<HOST> {
    type Device = usize;
    type Stream = Stream;
    type Memory = Memory;
    type Event = Event;
    type Code = Code;

    fn open() -> Result<Self> {
        let left = std::array::from_fn(|_| Arc::new(AtomicUsize::new(BYTES - 4096)));
        Ok(Self { left, gone: Default::default() })
    }

    fn devices(&self) -> Result<Vec<usize>> {
        Ok(match (ABSENT.get(), BREAKING.get()) {
            (true, _) => vec![],
            (_, true) => vec![0],
            _ => vec![0, 1],
        })
    }

    fn unopened(&self) -> Vec<Error> {
        let broken = || Error::backend("toy: opening device `abacus`: no power");
        BREAKING.get().then(broken).into_iter().collect()
    }

    fn capabilities(&self, device: &usize) -> Capabilities {
        Capabilities {
            description: format!("toy {device}"),
            stream_kinds: vec!["free".into(), "gated".into()],
            suggested_streams: 3,
            memory_bytes: Some(BYTES),
            dtypes: vec![DType::F32, DType::I64],
            kernels: true,
            accelerator: !HOST,
            peer_copy: !HOST,
            pinned_host: !HOST,
            host_memory: HOST,
            command_buffers: PREPARING.get(),
            ..Default::default()
        }
    }

    /// A stream of kind `last` makes the device vanish.
    fn stream(&self, device: &usize, kind: &str) -> Result<Stream> {
        let forced = KIND.with_borrow(Clone::clone);
        let kind = forced.as_deref().unwrap_or(kind);
        self.gone[*device].fetch_or(kind == "last", Ordering::SeqCst);
        self.check(*device)?;
        self.need(*device)?;
        let gone = self.gone[*device].clone();
        let number = kind.strip_prefix("gated:").and_then(|n| n.parse::<u64>().ok());
        let gate = number.map(|n| GATES.lock().unwrap()[&n].clone());
        match kind {
            "free" => Ok(Stream::new(None, gone)),
            _ if gate.is_some() => Ok(Stream::new(gate, gone)),
            _ => Err(Error::invalid(format!("no stream kind `{kind}`"))),
        }
    }

    fn allocate(&self, device: &usize, bytes: usize) -> Result<Memory> {
        self.check(*device)?;
        let left = &self.left[*device];
        let fits = |left: usize| left.checked_sub(bytes).filter(|_| bytes <= LARGEST.get());
        if left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, fits).is_err() {
            return Err(Error::out_of_memory("toy: out of memory"));
        }
        // Fresh memory holds garbage, so that missing zeroing shows.
        let chunk = || Chunk([const { AtomicU8::new(0xa5) }; 64]);
        let chunks = (0..bytes.div_ceil(64)).map(|_| chunk()).collect();
        let cells = Arc::new(Cells { chunks, freed: AtomicBool::new(false) });
        Ok(Memory { cells, bytes, left: left.clone() })
    }

    fn write(&self, stream: &Stream, source: Arc<[u8]>, target: Region<'_, Memory>) -> Result<()> {
        let target = Span::of(target);
        stream.push(Command::Work(Box::new(move || target.write(|i| source[i]))))
    }

    fn read(&self, stream: &Stream, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        stream.push(Command::Read(Span::of(source), sink))
    }

    fn copy(
        &self,
        stream: &Stream,
        source: Region<'_, Memory>,
        target: Region<'_, Memory>,
    ) -> Result<()> {
        let (source, target) = (Span::of(source), Span::of(target));
        stream.push(Command::Work(Box::new(move || {
            let bytes = source.read()?;
            target.write(|i| bytes[i])
        })))
    }

    fn fill(&self, stream: &Stream, target: Region<'_, Memory>, byte: u8) -> Result<()> {
        refusal()?;
        let target = Span::of(target);
        let last = (byte == LAST).then(|| Error::backend("toy: that was the last"));
        let fails = last.clone();
        stream.push(Command::Work(Box::new(move || {
            target.write(|_| byte)?;
            fails.map_or(Ok(()), Err)
        })))?;
        if let Some(error) = last {
            let _ = stream.closed.set(error);
        }
        Ok(())
    }

    fn host_address(&self, memory: &Memory) -> Result<NonNull<u8>> {
        if !HOST {
            return Err(Error::unsupported("toy: the host has no access"));
        }
        Ok(Span { cells: memory.cells.clone(), range: 0..0 }.address())
    }

    fn compile(&self, device: &usize, batch: &[KernelSpec<'_>]) -> Result<Vec<Code>> {
        self.check(*device)?;
        self.need(*device)?;
        let code = |spec: &KernelSpec<'_>| {
            // The second device acts as if it compiled kernels itself.
            let own = (*device == 1 && spec.ir.is_some()).then(|| Native::new(all_zero));
            let own = own.filter(|_| spec.native.is_none());
            if spec.native.or(own).is_none() {
                return Err(Error::unsupported(format!("toy: `{}` has no native code", spec.name)));
            }
            if spec.name == "counted" {
                COUNTED.fetch_add(1, Ordering::SeqCst);
            }
            Ok(Code(own))
        };
        batch.iter().map(code).collect()
    }

    fn launch(&self, stream: &Stream, launch: &Launch<'_, Code, Memory>) -> Result<()> {
        refusal()?;
        let kept = kept(launch)?;
        stream.push(Command::Work(Box::new(move || run(&kept))))
    }

    /// Needs memory of the first device, whatever the stream.
    fn prepare(
        &self,
        _: &Stream,
        launches: &[Launch<'_, Code, Memory>],
    ) -> Result<Box<dyn CommandBuffer<Stream>>> {
        self.need(0)?;
        let kept = launches.iter().map(|launch| kept(launch).map(Arc::new));
        Ok(Box::new(Commands(kept.collect::<Result<_>>()?)))
    }

    fn record(&self, stream: &Stream) -> Result<Event> {
        let event = Event::default();
        stream.push(Command::Record(event.clone()))?;
        Ok(event)
    }

    /// A device that has vanished does not tell.
    fn record_failed(&self, stream: &Stream) -> Result<Event> {
        let event = Event::default();
        if stream.gone.load(Ordering::SeqCst) {
            return Err(Self::vanished());
        }
        stream.commands.send(Command::Record(event.clone())).expect("the worker lives");
        Ok(event)
    }

    fn wait(&self, stream: &Stream, event: &Event) -> Result<()> {
        let event = event.clone();
        stream.push(Command::Work(Box::new(move || event.block(LIMIT))))
    }

    fn wait_for_end(&self, stream: &Stream, event: &Event) -> Result<()> {
        let event = event.clone();
        stream.push(Command::Work(Box::new(move || {
            let _ = event.block(LIMIT);
            Ok(())
        })))
    }

    fn poll(&self, event: &Event) -> Status {
        match &*event.0.0.lock().unwrap() {
            None => Status::Pending,
            Some(Ok(())) => Status::Done,
            Some(Err(error)) => Status::Failed(error.clone()),
        }
    }

    fn block(&self, event: &Event, timeout: Duration) -> Result<()> {
        event.block(timeout)
    }
}

/// Prepared launches.
struct Commands(Vec<Arc<KeptLaunch>>);

impl CommandBuffer<Stream> for Commands {
    fn submit(&self, stream: &Stream) -> Result<()> {
        self.0
            .iter()
            .cloned()
            .try_for_each(|kept| stream.push(Command::Work(Box::new(move || run(&kept)))))
    }
}

/// A launch, and what runs in place of its kernel's native code.
type KeptLaunch = (Option<Native<'static>>, Kept<Span>);

fn kept(launch: &Launch<'_, Code, Memory>) -> Result<KeptLaunch> {
    let Code(own) = *launch.code();
    Ok((own, Kept::new(launch, |_, region| Ok(Span::of(region)))?))
}

/// The result of every map: it is wrong.
fn all_zero(launch: &NativeLaunch<'_>, points: Range<usize>) -> Result<()> {
    let Some(NativeArg::Slice(result)) = launch.args().last() else { panic!("a map has a result") };
    for i in points {
        // SAFETY: the result has an element for each point, which the caller keeps for this thread.
        unsafe { result.data().cast::<f32>().add(i).write(0.0) };
    }
    Ok(())
}

fn run((own, kept): &KeptLaunch) -> Result<()> {
    kept.memories().try_for_each(|(span, _)| span.check())?;
    let native = own.or(kept.kernel().spec().native).expect("of `compile`");
    let run = |launch: &NativeLaunch<'_>| {
        // SAFETY: `Kept` hands over a launch of its kernel, of which `all_zero` writes the result alone.
        unsafe { native.run(launch, 0..launch.domain().elements()) }
    };
    // SAFETY: the cells live as long as the span and are aligned to 64 bytes plus a multiple of the
    // element size; they are atomics, and the kernels of these tests use them on this thread alone
    // unless a test removes a wait on purpose, and such tests run no kernels at the same time. `all_zero`
    // writes the elements of a result alone.
    unsafe { kept.run(Span::address, run) }
}

macro_rules! registered {
    ($host:literal, $name:literal) => {
        impl Registered for Toy<$host> {
            const NAME: &'static str = $name;
            const ENTRY: Entry = Entry::new(
                EntryMeta {
                    package: "tests",
                    name: $name,
                    module_path: "toy",
                    file: "toy.rs",
                    line: 1,
                },
                const { &BackendDef::new::<Self>() },
            );
        }
    };
}

registered!(false, "toy");
registered!(true, "shared");
