//! Device memory with one hazard record.

use super::allocation::Pool;
use super::hazard::Waits;
use super::record::Record;
use super::stream::Submitting;
use super::timeline::TimelinePoint;
use super::{Device, lock};
use crate::backend::Region;
use ringwood_base::sync::Mutex;
use ringwood_base::{Error, Result};
use std::fmt;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The identity of a buffer: its pool, counted by the run time, and its place in it.
///
/// Two fresh run times that do the same things give the same identities. Buffers of 0 bytes may
/// share one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct BufferId {
    /// The pool.
    pub pool: u32,
    /// The first byte in the pool.
    pub offset: usize,
}

impl fmt::Display for BufferId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "pool {} + {}", self.pool, self.offset)
    }
}

/// Bytes of device memory, and who used them last; a clone is another handle to the same bytes.
///
/// The memory is freed after the last handle is gone *and* the last work that uses it is over.
///
/// A buffer may be a [part](Buffer::part) of another one. Parts share the record of uses: work on
/// one part waits for work on another part as if it were the same bytes.
///
/// A buffer that a routine took by donation ([`Context::link_donating`]) is of no use any more:
/// every handle of it is refused, with the name of that routine.
///
/// [`Context::link_donating`]: super::Context::link_donating
#[derive(Clone)]
pub struct Buffer {
    block: Arc<Block>,
    /// The first byte in the block.
    offset: usize,
    bytes: usize,
    /// How many routines had taken the block when the handle was made.
    generation: usize,
    /// Whether it is the host's, of which the work goes ahead while the host keeps others out.
    inside: bool,
}

/// Memory with one record of uses.
struct Block {
    serial: u64,
    pool: Pool,
    bytes: usize,
    device: Device,
    record: Mutex<Record>,
}

impl Buffer {
    /// The first `bytes` bytes of a pool of `device`.
    pub(crate) fn new(device: &Device, pool: Pool, bytes: usize) -> Self {
        let serial = device.hardware().shared.buffers.fetch_add(1, Ordering::Relaxed);
        let block = Block { serial, pool, bytes, device: device.clone(), record: Mutex::default() };
        Self { block: Arc::new(block), offset: 0, bytes, generation: 0, inside: false }
    }

    /// The identity.
    pub fn id(&self) -> BufferId {
        BufferId { pool: self.block.pool.id, offset: self.offset }
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The device whose memory it is.
    pub fn device(&self) -> &Device {
        &self.block.device
    }

    /// The bytes `range` of this buffer, as a buffer that shares its memory and its record of uses.
    ///
    /// Equivalent to `clCreateSubBuffer`, without its limits on alignment.
    ///
    /// ```no_run
    /// # let device = ringwood_device::device::Device::best()?;
    /// let buffer = device.buffer(1024)?;
    /// let second_half = buffer.part(512..1024)?;
    /// assert_eq!((second_half.bytes(), second_half.id().offset), (512, 512));
    /// # Ok::<(), ringwood_base::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::OutOfBounds`](ringwood_base::ErrorKind::OutOfBounds): the range leaves the buffer. The buffer was given to a routine.
    pub fn part(&self, range: Range<usize>) -> Result<Buffer> {
        if range.start > range.end || range.end > self.bytes {
            let message = format!("part {range:?} leaves a buffer of {} bytes", self.bytes);
            return Err(Error::out_of_bounds(message).with("buffer", self.id()));
        }
        self.check_taken()?;
        Ok(Self { offset: self.offset + range.start, bytes: range.len(), ..self.clone() })
    }

    /// All bytes, as an argument of a submission.
    pub fn region(&self) -> Region<'_, Buffer> {
        Region { memory: self, offset: 0, bytes: self.bytes }
    }

    /// Whether all work that uses the buffer is over.
    pub fn is_idle(&self) -> bool {
        self.look(|record| record.hazard.uses().all(TimelinePoint::settled)).unwrap_or(false)
    }

    /// The failure of the work that was to write the buffer last, as far as it is known.
    pub fn failure(&self) -> Option<Error> {
        self.look(|record| record.hazard.failure())?
    }

    /// The name of the routine that took the buffer by donation, if one did; of a later one, if more
    /// than 16 have taken it since.
    pub fn donated_to(&self) -> Option<Arc<str>> {
        self.look(|record| record.taker(self.generation).cloned())?
    }

    /// Whether two handles mean the same bytes.
    pub fn same(&self, other: &Buffer) -> bool {
        self.shares(other)
            && (self.offset, self.bytes, self.generation)
                == (other.offset, other.bytes, other.generation)
    }

    /// Whether two handles share a record of uses, as parts of one buffer do.
    pub(crate) fn shares(&self, other: &Buffer) -> bool {
        Arc::ptr_eq(&self.block, &other.block)
    }

    /// Whether this is all of the memory that shares its record of uses.
    pub(crate) fn is_whole(&self) -> bool {
        self.bytes == self.block.bytes
    }

    /// Whether nobody else holds the memory, and no routine has taken it.
    pub(crate) fn is_ours(&self) -> bool {
        Arc::strong_count(&self.block) == 1 && self.check(&lock(self.record())).is_ok()
    }

    /// How many routines had taken the memory when the handle was made.
    pub(crate) fn generation(&self) -> usize {
        self.generation
    }

    /// The first `bytes` bytes, as the routine that takes the buffer leaves them.
    pub(crate) fn successor(&self, bytes: usize) -> Buffer {
        Self { bytes, generation: self.generation + 1, ..self.clone() }
    }

    /// The handle of the host that was [let in](Buffer::enter).
    pub(crate) fn inside(&self) -> Buffer {
        Self { inside: true, ..self.clone() }
    }

    /// Refuses work by this handle on bytes that the host is using, unless the host submits it.
    #[inline]
    pub(crate) fn check_host(&self, record: &Record, writing: bool) -> Result<()> {
        if self.inside {
            return Ok(());
        }
        record.hazard.check_host(writing).map_err(|e| e.with("buffer", self.id()))
    }

    /// The order in which submissions lock buffers.
    pub(crate) fn serial(&self) -> u64 {
        self.block.serial
    }

    pub(crate) fn record(&self) -> &Mutex<Record> {
        &self.block.record
    }

    /// Looks at the record; not in a kernel or a sink that runs in the call which submits it, and which may
    /// hold the record.
    fn look<R>(&self, look: impl FnOnce(&Record) -> R) -> Option<R> {
        let record = match Submitting::is_under_way() {
            true => self.record().try_lock().ok()?,
            false => lock(self.record()),
        };
        Some(look(&record))
    }

    /// Refuses a handle whose memory a routine has taken, as far as that can be [seen](Buffer::look).
    pub(crate) fn check_taken(&self) -> Result<()> {
        self.look(|record| self.refuse_taken(record)).unwrap_or(Ok(()))
    }

    fn refuse_taken(&self, record: &Record) -> Result<()> {
        let Some(routine) = record.taker(self.generation) else { return Ok(()) };
        let (id, device) = (self.id(), self.device());
        let message =
            format!("buffer {id} on {device} was given to routine `{routine}` by donation");
        Err(Error::invalid(message).help(
            "use what the routine's context holds, or `duplicate` the tensor before the routine is \
             submitted; a routine that was given a buffer runs once",
        ))
    }

    /// Refuses a handle that is not of the present: also one whose routine has not run yet.
    #[inline]
    pub(crate) fn check(&self, record: &Record) -> Result<()> {
        if self.generation == record.generation() {
            return Ok(());
        }
        self.refuse_taken(record)?;
        let (id, device) = (self.id(), self.device());
        Err(Error::invalid(format!(
            "buffer {id} on {device} is a result of a routine that takes it by donation and was not \
             submitted yet"
        )).help("submit that routine first"))
    }

    /// Lets the host in, to be let out with [`Hazard::leave`].
    pub(crate) fn enter(&self, writing: bool) -> Result<Waits> {
        let mut record = lock(self.record());
        self.check(&record)?;
        // What the host does not see in its place is copied.
        if !writing || !self.device().capabilities().host_memory {
            record.check_written()?;
        }
        let waits = record.hazard.enter(writing, &self.device().hardware().omitted);
        waits.map_err(|e| e.with("buffer", self.id()))
    }

    /// Where a region lies in the memory that shares a record of uses.
    pub(crate) fn span(region: &Region<'_, Buffer>) -> Range<usize> {
        let start = region.memory.offset + region.offset;
        start..start + region.bytes
    }

    /// A part of the buffer as the backend sees it.
    pub(crate) fn resolve(region: Region<'_, Buffer>) -> Region<'_, crate::backend::Handle> {
        let (memory, offset) = (&region.memory.block.pool.memory, Self::span(&region).start);
        Region { memory, offset, bytes: region.bytes }
    }

    /// The address of the first byte in the host's address space.
    pub(crate) fn host_address(&self) -> Result<NonNull<u8>> {
        let block = &self.block;
        let start = block.device.hardware().backend.host_address(&block.pool.memory)?;
        if self.bytes == 0 {
            return Ok(start);
        }
        // SAFETY: the buffer lies within the pool, whose `bytes` bytes the backend placed at `start`.
        Ok(unsafe { start.add(self.offset) })
    }
}

/// Refuses a region that leaves its buffer.
pub(crate) fn check_bounds(region: &Region<'_, Buffer>) -> Result<()> {
    let size = region.memory.bytes();
    let end = region.offset.checked_add(region.bytes);
    if end.is_some_and(|end| end <= size) {
        return Ok(());
    }
    let (from, bytes) = (region.offset, region.bytes);
    let message = format!("{bytes} bytes from {from} leave a buffer of {size} bytes");
    Err(Error::out_of_bounds(message).with("buffer", region.memory.id()))
}

/// Whether two regions share a byte.
pub fn overlap(a: &Region<'_, Buffer>, b: &Region<'_, Buffer>) -> bool {
    let (x, y) = (Buffer::span(a), Buffer::span(b));
    a.memory.shares(b.memory)
        && x.start < y.end
        && y.start < x.end
        && !x.is_empty()
        && !y.is_empty()
}

impl Drop for Block {
    fn drop(&mut self) {
        let hazard = std::mem::take(&mut lock(&self.record).hazard);
        self.pool.last = hazard.uses().filter(|point| !point.is_done()).cloned().collect();
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} on {}, {} bytes)", self.id(), self.device().name(), self.bytes())
    }
}
