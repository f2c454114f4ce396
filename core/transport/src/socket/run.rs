//! Runs what a plan was lowered to.

use super::frame::{Head, Kind};
use super::inbox::{End, Inbox};
use super::links::Links;
use super::moves::{Bytes, How, Move};
use super::pool::Message;
use crate::{Buffers, Late, Memory, Merge};
use ringwood_base::{Error, Result};
use std::time::Instant;

/// A call in progress.
pub(super) struct Run<'a, 'b> {
    pub(super) links: &'a mut Links,
    pub(super) call: u64,
    pub(super) deadline: Instant,
    pub(super) buffers: &'a mut Buffers<'b>,
    pub(super) arena: &'a mut [u8],
    pub(super) merge: Option<&'a Merge>,
}

impl Run<'_, '_> {
    /// # Errors
    /// A rank dies or does not come in time, or a kernel fails: the group has failed.
    pub(super) fn run(&mut self, moves: &[Move]) -> Result<()> {
        for one in moves {
            self.step(one)?;
        }
        let call = self.call;
        self.links.flush(self.deadline, |links, died| match died {
            Some(peer) => links.raise(ended(links, peer, End::Died, call)),
            None => {
                let what = format!("take what was sent to them in call #{call}");
                links.raise_late(Late { ranks: links.unsent(), what, waiting: None })
            }
        })
    }

    fn step(&mut self, one: &Move) -> Result<()> {
        match one {
            Move::Send { to, channel, source } => {
                let head = Head::new(Kind::Data, self.call, source.range.len());
                let source = memory(self.buffers, self.arena, source);
                self.links.out.send(*to, &Head { channel: *channel, ..head }, source);
            }
            Move::Receive { from, channel, target, how } => {
                let next = |inbox: &mut Inbox| inbox.channel(*channel).messages.pop_front();
                let mut message = self.wait(*from, next)?;
                self.put(&mut message, target, *how)?;
                self.links.give(message);
            }
            Move::Local { source, target, how } => {
                let links = &mut *self.links;
                let message = links.message(source.range.len());
                let mut message =
                    message.map_err(|error| links.raise(error.with("rank", links.rank)))?;
                let source = memory(self.buffers, self.arena, source);
                message.bytes_mut().copy_from_slice(source);
                self.put(&mut message, target, *how)?;
                self.links.give(message);
            }
            Move::Finish(target) => {
                let merge = Merge::needed(self.merge)?;
                let target = memory_mut(self.buffers, self.arena, target);
                merge.complete(target).map_err(|error| self.links.raise(error))?;
            }
            Move::Signal { to, channel } => {
                let head = Head { channel: *channel, ..Head::new(Kind::Signal, self.call, 0) };
                self.links.out.send(*to, &head, &[]);
            }
            Move::Wait { from, channel } => {
                self.take(*from, |inbox| &mut inbox.channel(*channel).signals)?;
            }
            Move::Barrier => {
                self.links.out.send_all(&Head::new(Kind::Barrier, self.call, 0), &[]);
                for peer in self.links.peers() {
                    self.take(peer, |inbox| &mut inbox.barriers)?;
                }
            }
        }
        Ok(())
    }

    fn put(&mut self, message: &mut Message, target: &Bytes, how: How) -> Result<()> {
        let target = memory_mut(self.buffers, self.arena, target);
        if how == How::Store && message.bytes().len() == target.len() {
            target.copy_from_slice(message.bytes());
            return Ok(());
        }
        let merged = Merge::needed(self.merge).and_then(|merge| match how {
            How::Store => merge.put(message.bytes(), target),
            How::Merge { left: false } => merge.apply(target, message.bytes()),
            How::Merge { left: true } => {
                merge.apply(message.bytes_mut(), target)?;
                target.copy_from_slice(message.bytes());
                Ok(())
            }
        });
        merged.map_err(|error| self.links.raise(error))
    }

    /// Waits until a peer's count is not 0, and takes one off.
    fn take(&mut self, from: usize, count: impl Fn(&mut Inbox) -> &mut u64) -> Result<()> {
        self.wait(from, |inbox| {
            let count = count(inbox);
            *count = count.checked_sub(1)?;
            Some(())
        })
    }

    fn wait<T>(&mut self, from: usize, done: impl FnMut(&mut Inbox) -> Option<T>) -> Result<T> {
        let call = self.call;
        self.links.wait_for(from, self.deadline, done, |links, end| match end {
            Some(end) => links.raise(ended(links, from, end, call)),
            None => {
                let what = format!("finish in call #{call}");
                links.raise_late(Late { ranks: vec![from], what, waiting: None })
            }
        })
    }
}

fn ended(links: &Links, peer: usize, end: End, call: u64) -> Error {
    Error::aborted(format!("rank {peer} of {} {end} in call #{call}", links.rank.group_size()))
}

fn memory<'a>(buffers: &'a mut Buffers<'_>, arena: &'a [u8], bytes: &Bytes) -> &'a [u8] {
    let memory = match bytes.memory {
        Memory::Input => buffers.input(),
        Memory::Output => buffers.output(),
        Memory::Arena => arena,
    };
    &memory[bytes.range.clone()]
}

fn memory_mut<'a>(
    buffers: &'a mut Buffers<'_>,
    arena: &'a mut [u8],
    bytes: &Bytes,
) -> &'a mut [u8] {
    // An input that is apart is never written: the verifier sees to that.
    let memory = if bytes.memory == Memory::Arena { arena } else { buffers.output() };
    &mut memory[bytes.range.clone()]
}

#[cfg(test)]
mod tests;
