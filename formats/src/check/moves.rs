//! Moves: reading, merging and writing of cells, packets and messages.

use super::Finding;
use super::accesses::{Access, Conflict};
use super::machine::{Machine, Message, Wait};
use super::values::Domain;
use crate::plan::End;

type Step<T> = Result<T, Box<Finding>>;

/// One move, as a lane does it.
struct Carrier {
    at: (u32, u32),
    count: u32,
    /// Whose clocks order its reads and its writes.
    reader: usize,
    writer: usize,
}

impl<D: Domain> Machine<'_, D> {
    /// Does a move, or says what it waits for.
    pub(super) fn carry(
        &mut self,
        at: (u32, u32),
        count: u32,
        sources: &[End],
        targets: &[End],
        proxy: Option<u32>,
    ) -> Step<Option<Wait>> {
        if let Some(wait) = sources.iter().find_map(|end| self.missing(end, count)) {
            return Ok(Some(wait));
        }
        let (reader, writer) = self.agents(at.0 as usize, proxy);
        let carrier = Carrier { at, count, reader, writer };
        let mut result = Vec::new();
        for (i, source) in sources.iter().enumerate() {
            let values = self.take(&carrier, source)?;
            match i {
                0 => result = values,
                _ => result.iter_mut().zip(&values).for_each(|(a, b)| *a = self.domain.merge(a, b)),
            }
        }
        for target in targets {
            self.put(&carrier, target, &result)?;
        }
        Ok(None)
    }

    /// What a source lacks before it can be read.
    fn missing(&self, source: &End, count: u32) -> Option<Wait> {
        match *source {
            End::Message { queue } => {
                self.queues[queue as usize].is_empty().then_some(Wait::Message(queue))
            }
            End::Packets { rank, first } => {
                let start = self.layout.packets(rank, first, count)?;
                let empty = |cell: &usize| self.cells[*cell].value.is_none();
                (start..start + count as usize).find(empty).map(Wait::Packet)
            }
            End::Cells { .. } => None,
        }
    }

    fn take(&mut self, carrier: &Carrier, source: &End) -> Step<Vec<D::Value>> {
        match *source {
            End::Message { queue } => self.receive(carrier, queue),
            End::Packets { rank, first } => {
                let start = self.layout.packets(rank, first, carrier.count);
                let cells = &self.cells[start.expect("a range that was checked")..];
                let values = cells.iter().take(carrier.count as usize).map(|c| c.value.clone());
                Ok(values.map(|v| v.expect("a packet that is full")).collect())
            }
            End::Cells { rank, space, first } => {
                let start = self.layout.cells(rank, space, first, carrier.count);
                let start = start.expect("a range that was checked");
                let cells = start..start + carrier.count as usize;
                cells.map(|cell| self.read(carrier, cell)).collect()
            }
        }
    }

    fn receive(&mut self, carrier: &Carrier, queue: u32) -> Step<Vec<D::Value>> {
        let message = self.queues[queue as usize].pop_front().expect("a message that is there");
        let sends = message.values.len() as u32;
        if sends != carrier.count {
            let (sent, received) = (self.place(message.from), self.place(carrier.at));
            let counts = (sends / self.plan.cells, carrier.count / self.plan.cells);
            return Err(Box::new(Finding::Count { sent, received, counts }));
        }
        self.clocks[carrier.reader].join(&message.clock);
        Ok(message.values)
    }

    fn read(&mut self, carrier: &Carrier, cell: usize) -> Step<D::Value> {
        let clock = &self.clocks[carrier.reader];
        let access = Access::new(clock, carrier.at);
        if let Err(conflict) = self.cells[cell].read(access, clock) {
            return Err(self.race(carrier, cell, &conflict, false));
        }
        if let Some(value) = &self.cells[cell].value {
            return Ok(value.clone());
        }
        if self.early.is_none() {
            let (place, cell) = (self.place(carrier.at), self.name(cell));
            self.early = Some(Box::new(Finding::Uninitialised { place, cell }));
        }
        // The run goes on, for a write that races with this read says more.
        Ok(self.domain.leaf(u32::MAX, cell as u32))
    }

    fn put(&mut self, carrier: &Carrier, target: &End, values: &[D::Value]) -> Step<()> {
        match *target {
            End::Message { queue } => {
                let clock = self.clocks[carrier.writer].clone();
                let message = Message { values: values.to_vec(), clock, from: carrier.at };
                self.queues[queue as usize].push_back(message);
                self.wake(Wait::Message(queue));
            }
            End::Packets { rank, first } => {
                let start = self.layout.packets(rank, first, carrier.count);
                let start = start.expect("a range that was checked");
                for (cell, value) in (start..).zip(values) {
                    self.fill(carrier, cell, value)?;
                }
            }
            End::Cells { rank, space, first } => {
                let start = self.layout.cells(rank, space, first, carrier.count);
                let start = start.expect("a range that was checked");
                for (cell, value) in (start..).zip(values) {
                    let clock = &self.clocks[carrier.writer];
                    let access = Access::new(clock, carrier.at);
                    let written = self.cells[cell].write(value.clone(), access, clock);
                    written.map_err(|conflict| self.race(carrier, cell, &conflict, true))?;
                }
            }
        }
        Ok(())
    }

    /// Fills a packet, which then stays full.
    fn fill(&mut self, carrier: &Carrier, cell: usize, value: &D::Value) -> Step<()> {
        if self.cells[cell].value.is_some() {
            let (place, cell) = (self.place(carrier.at), self.name(cell));
            return Err(Box::new(Finding::PacketTwice { cell, place }));
        }
        self.cells[cell].value = Some(value.clone());
        self.wake(Wait::Packet(cell));
        Ok(())
    }

    fn race(
        &self,
        carrier: &Carrier,
        cell: usize,
        conflict: &Conflict,
        writes: bool,
    ) -> Box<Finding> {
        let first = self.place((conflict.earlier.lane, conflict.earlier.op));
        let (second, cell) = (self.place(carrier.at), self.name(cell));
        let first_writes = conflict.earlier_writes;
        Box::new(Finding::Race { cell, first, first_writes, second, second_writes: writes })
    }

    /// `output 3 of rank 1`.
    fn name(&self, cell: usize) -> String {
        let (rank, name) = self.layout.name(cell);
        format!("{name} of rank {rank}")
    }
}
