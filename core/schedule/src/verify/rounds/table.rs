//! The messages of rank 0, which those of all others are, moved on.

use crate::schedule::compact::Packed;
use crate::{Action, ChunkRange};

/// The channels between two ranks, at most.
const CHANNELS: usize = 16;

/// A message, as rank 0 and, moved on, all others send and receive it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Message {
    /// The round in which it is sent.
    pub(super) sent: u32,
    pub(super) chunks: ChunkRange,
}

/// What a message carries: merges of all ranks, or else contributions of the sender; and whether no
/// operands were swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Carried {
    pub(super) merged: bool,
    pub(super) in_order: bool,
}

/// The messages of rank 0 to each distance, on each channel.
#[derive(Default)]
pub(super) struct Table {
    pub(super) channels: usize,
    pub(super) sent: Vec<Vec<Message>>,
    pub(super) carried: Vec<Vec<Carried>>,
    /// The rounds in which those of each distance are received.
    pub(super) received: Vec<Vec<u32>>,
}

impl Table {
    /// The messages of the lane of rank 0; `None` if it does more than send and receive, or receives what
    /// is sent in a later round.
    pub(super) fn new(n: usize, all: &[Packed]) -> Option<Self> {
        let plain = |step: &Packed| !step.step().one_sided() && !step.step().synchronises();
        let channels = all.iter().map(|step| usize::from(step.channel) + 1).max().unwrap_or(1);
        if !all.iter().all(plain) || channels > CHANNELS {
            return None;
        }
        let places = n * channels;
        let mut table = Self {
            channels,
            sent: vec![Vec::new(); places],
            carried: vec![Vec::new(); places],
            received: vec![Vec::new(); places],
        };
        let mut rounds = Rounds::default();
        for &step in all {
            let round = rounds.of(step);
            match step.action {
                Action::Send => {
                    let place = table.place(step.peer as usize, step);
                    let message = Message { sent: round, chunks: step.chunks() };
                    table.sent[place].push(message);
                }
                Action::Recv | Action::RecvReduce => {
                    let place = table.place(n - step.peer as usize, step);
                    table.received[place].push(round);
                }
                _ => {}
            }
        }
        let even = |(sent, received): (&Vec<Message>, &Vec<u32>)| {
            let in_time = sent.iter().zip(received).all(|(message, &at)| message.sent <= at);
            sent.len() == received.len() && in_time
        };
        table.sent.iter().zip(&table.received).all(even).then_some(table)
    }

    /// Where the messages of a step are whose receiver is `distance` ranks behind its sender.
    pub(super) fn place(&self, distance: usize, step: Packed) -> usize {
        distance * self.channels + usize::from(step.channel)
    }

    /// The most messages that a channel holds: for each, those sent up to it and not received in a round
    /// before it.
    pub(super) fn depth(&self) -> usize {
        let of_channel = |(sent, received): (&Vec<Message>, &Vec<u32>)| {
            let held = |(at, message): (usize, &Message)| {
                at + 1 - received[..at].iter().filter(|&&round| round < message.sent).count()
            };
            sent.iter().enumerate().map(held).max().unwrap_or(1)
        };
        self.sent.iter().zip(&self.received).map(of_channel).max().unwrap_or(1)
    }
}

/// Counts the rounds of a lane.
#[derive(Default)]
pub(super) struct Rounds {
    round: u32,
    other: bool,
}

impl Rounds {
    /// The round of the next step.
    pub(super) fn of(&mut self, step: Packed) -> u32 {
        let sends = step.action == Action::Send;
        self.round += u32::from(sends && self.other);
        self.other = !sends;
        self.round
    }
}
