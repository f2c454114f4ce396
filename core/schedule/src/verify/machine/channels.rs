//! Messages in flight, by sender, receiver and channel.

use super::At;
use crate::ChunkRange;
use crate::verify::hash::Mix;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;

/// What one rank sends another on one channel, in order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) number: u16,
    /// The oldest and the youngest message in flight.
    head: u32,
    tail: u32,
    pub(super) queued: u32,
}

/// A message in flight; what it carries are the chunks of the sender, which it keeps from being
/// written, unless they were copied aside.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    pub(super) channel: u32,
    next: u32,
    /// The send.
    pub(super) sent: At,
    pub(super) chunks: ChunkRange,
    pub(super) copied: bool,
}

const NONE: u32 = u32::MAX;

/// How many channels of a sender are found without a hash.
const NEAR: usize = 16;

#[derive(Default)]
pub(super) struct Channels {
    list: Vec<Channel>,
    /// The channels of each sender by receiver: the first ones in a list, the others by hash.
    near: Vec<Vec<(u64, u32)>>,
    far: HashMap<(u32, u64), u32, BuildHasherDefault<Mix>>,
    /// Of each rank, where it last sent to and received from.
    last: Vec<[(u64, u32); 2]>,
    messages: Vec<Message>,
    free: Vec<u32>,
}

impl Channels {
    pub(super) fn new(ranks: usize) -> Self {
        let last = vec![[(u64::MAX, 0); 2]; ranks];
        Self { last, near: vec![Vec::new(); ranks], ..Self::default() }
    }

    /// The number of a channel; most lanes keep talking on the same ones.
    #[inline]
    pub(super) fn id(&mut self, from: usize, to: usize, channel: u16, signals: bool) -> u32 {
        let kind = u64::from(signals) << 48 | u64::from(channel) << 32;
        let (out, back) = (kind | to as u64, kind | from as u64);
        if self.last[from][0].0 == out {
            return self.last[from][0].1;
        }
        if self.last[to][1].0 == back {
            return self.last[to][1].1;
        }
        let id = self.find(from, to, out);
        self.last[from][0] = (out, id);
        self.last[to][1] = (back, id);
        id
    }

    /// The channel of a sender with this key, made if there is none.
    fn find(&mut self, from: usize, to: usize, key: u64) -> u32 {
        let next = self.list.len() as u32;
        let near = &mut self.near[from];
        let id = match near.iter().rev().find(|(k, _)| *k == key) {
            Some((_, id)) => *id,
            None if near.len() < NEAR => {
                near.push((key, next));
                next
            }
            None => *self.far.entry((from as u32, key)).or_insert(next),
        };
        if id == next {
            let (from, to) = (from as u32, to as u32);
            let number = (key >> 32) as u16;
            self.list.push(Channel { from, to, number, head: NONE, tail: NONE, queued: 0 });
        }
        id
    }

    #[inline]
    pub(super) fn get(&self, id: u32) -> &Channel {
        &self.list[id as usize]
    }

    /// Adds a message; its number until it is taken.
    #[inline]
    pub(super) fn push(&mut self, id: u32, sent: At, chunks: ChunkRange, copied: bool) -> u32 {
        let message = Message { channel: id, next: NONE, sent, chunks, copied };
        let slot = if let Some(slot) = self.free.pop() {
            self.messages[slot as usize] = message;
            slot
        } else {
            self.messages.push(message);
            self.messages.len() as u32 - 1
        };
        let channel = &mut self.list[id as usize];
        match channel.tail {
            NONE => channel.head = slot,
            tail => self.messages[tail as usize].next = slot,
        }
        channel.tail = slot;
        channel.queued += 1;
        slot
    }

    /// The oldest message of a channel, with its number.
    #[inline]
    pub(super) fn front(&self, id: u32) -> Option<(u32, Message)> {
        let head = self.list[id as usize].head;
        self.messages.get(head as usize).map(|message| (head, *message))
    }

    /// Takes the oldest message of a channel, which has one.
    #[inline]
    pub(super) fn pop(&mut self, id: u32) {
        let channel = &mut self.list[id as usize];
        let slot = channel.head;
        channel.head = self.messages[slot as usize].next;
        if channel.head == NONE {
            channel.tail = NONE;
        }
        channel.queued -= 1;
        self.messages[slot as usize].channel = NONE;
        self.free.push(slot);
    }

    /// The messages in flight, with their numbers.
    pub(super) fn in_flight(&self) -> impl Iterator<Item = (u32, &Message)> {
        let numbered = self.messages.iter().enumerate().map(|(slot, m)| (slot as u32, m));
        numbered.filter(|(_, message)| message.channel != NONE)
    }

    pub(super) fn set_copied(&mut self, slot: u32) {
        self.messages[slot as usize].copied = true;
    }
}
