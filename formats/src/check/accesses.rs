//! Memory that remembers who touched it last.

use super::clock::Clock;

/// An access of a cell: by whom and when, and for which operation of which lane.
#[derive(Clone, Copy)]
pub(super) struct Access {
    agent: u32,
    time: u32,
    pub(super) lane: u32,
    pub(super) op: u32,
}

impl Access {
    pub(super) fn new(clock: &Clock, (lane, op): (u32, u32)) -> Self {
        Self { agent: clock.agent(), time: clock.time(), lane, op }
    }

    /// Whether `clock` knows that this access is done.
    pub(super) fn done_by(&self, clock: &Clock) -> bool {
        clock.knows(self.agent, self.time)
    }
}

/// Two accesses that nothing orders.
pub(super) struct Conflict {
    pub(super) earlier: Access,
    pub(super) earlier_writes: bool,
}

/// A cell: its value, its last write, and the reads since.
pub(super) struct Cell<V> {
    pub(super) value: Option<V>,
    pub(super) writer: Option<Access>,
    readers: Vec<Access>,
}

impl<V> Cell<V> {
    pub(super) fn new(value: Option<V>) -> Self {
        Self { value, writer: None, readers: Vec::new() }
    }

    /// Notes a read.
    pub(super) fn read(&mut self, access: Access, clock: &Clock) -> Result<(), Conflict> {
        if let Some(writer) = self.writer.filter(|w| !w.done_by(clock)) {
            return Err(Conflict { earlier: writer, earlier_writes: true });
        }
        // A read that happened before this one is covered by it.
        self.readers.retain(|r| !r.done_by(clock));
        self.readers.push(access);
        Ok(())
    }

    /// Notes a write and takes the value.
    pub(super) fn write(
        &mut self,
        value: V,
        access: Access,
        clock: &Clock,
    ) -> Result<(), Conflict> {
        if let Some(writer) = self.writer.filter(|w| !w.done_by(clock)) {
            return Err(Conflict { earlier: writer, earlier_writes: true });
        }
        if let Some(reader) = self.readers.iter().find(|r| !r.done_by(clock)) {
            return Err(Conflict { earlier: *reader, earlier_writes: false });
        }
        self.readers.clear();
        self.writer = Some(access);
        self.value = Some(value);
        Ok(())
    }
}
