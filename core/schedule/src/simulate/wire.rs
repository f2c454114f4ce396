//! What carries messages: the ports of ranks, and the links of a network.

use super::queues::Key;
use crate::cost::Costs;
use crate::{Arrangement, Level, Link, Network};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

#[derive(Clone, Copy, Debug)]
pub(super) struct Message {
    pub(super) key: Key,
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) bytes: u64,
    /// When the sender hands it over.
    pub(super) time: f64,
}

/// Carries messages. Each occupies the port of its sender; nothing else is shared, unless messages compete
/// for links.
pub(super) struct Wire<'a> {
    pub(super) costs: Costs<'a>,
    network: Option<&'a Network>,
    /// Ranks in tasks, between which messages have costs of their own.
    arrangement: Option<&'a Arrangement>,
    /// When the port of each rank is free.
    ports: Vec<f64>,
    /// The bytes that crossed each link.
    pub(super) traffic: Vec<u64>,
    path: Vec<u32>,
    contention: Option<Contention>,
    /// What a barrier takes, once it is known.
    barrier: Option<f64>,
}

/// Links that serve messages first come, first served; a message goes on to the next link as soon as its
/// head is through (cut-through), so a free path costs the time of its narrowest link once.
struct Contention {
    /// What each link takes, and when it is free.
    links: Vec<(Link, f64)>,
    /// Messages on their way, and places of those that arrived.
    flights: Vec<Flight>,
    free: Vec<u32>,
    /// When a message is at its next link; of equal times, the one sent first.
    events: BinaryHeap<Reverse<(u64, u32, u32)>>,
    sent: u32,
}

struct Flight {
    message: Message,
    path: Vec<u32>,
    hop: u32,
    /// When the last byte is at the next link.
    tail: f64,
}

impl<'a> Wire<'a> {
    pub(super) fn new(costs: Costs<'a>, network: Option<&'a Network>, ranks: usize) -> Self {
        let traffic = vec![0; network.map_or(0, Network::links)];
        let (ports, path) = (vec![0.0; ranks], Vec::new());
        let (arrangement, contention, barrier) = (None, None, None);
        Self { costs, network, arrangement, ports, traffic, path, contention, barrier }
    }

    pub(super) fn arranged(self, arrangement: &'a Arrangement) -> Self {
        Self { arrangement: Some(arrangement), ..self }
    }

    /// Messages compete for the links of the network, if there is one.
    pub(super) fn contended(self) -> Self {
        let of_level = |level: &Level| {
            let link = level.link;
            level.links.clone().map(move |_| (link, 0.0))
        };
        let contention = self.network.map(|network| Contention {
            links: network.levels().iter().flat_map(of_level).collect(),
            flights: Vec::new(),
            free: Vec::new(),
            events: BinaryHeap::new(),
            sent: 0,
        });
        Self { contention, ..self }
    }

    /// Takes a message; its arrival, if that is known at once.
    pub(super) fn send(&mut self, message: Message) -> Option<f64> {
        let (per_byte, latency) = match &mut self.contention {
            None => self.way(message.from, message.to, message.bytes),
            Some(_) => (self.costs.model.per_byte, 0.0),
        };
        let port = &mut self.ports[message.from as usize];
        let head = port.max(message.time);
        *port = head + message.bytes as f64 * per_byte;
        let (Some(contention), Some(network)) = (&mut self.contention, self.network) else {
            return Some(*port + latency);
        };
        contention.depart(message, network, head, *port);
        None
    }

    /// What a barrier of so many ranks takes: rounds in which everyone tells another one, each as long as
    /// its longest way, as many as it takes until all know of all.
    pub(super) fn barrier(&mut self, ranks: usize) -> f64 {
        if let Some(known) = self.barrier {
            return known;
        }
        let overhead = 2.0 * self.costs.model.overhead;
        let mut longest = |distance: usize| {
            let ways = (0..ranks)
                .map(|from| self.way(from as u32, ((from + distance) % ranks) as u32, 0).1);
            ways.fold(0.0, f64::max)
        };
        let rounds = 0..ranks.next_power_of_two().ilog2();
        let all = rounds.map(|round| longest(1 << round) + overhead).sum();
        *self.barrier.insert(all)
    }

    /// Seconds for each byte at the sender's port, and from the port to the receiver.
    fn way(&mut self, from: u32, to: u32, bytes: u64) -> (f64, f64) {
        let [from, to] = [from, to].map(|rank| rank as usize);
        let far = |arrangement: &Arrangement| arrangement.task_of(from) != arrangement.task_of(to);
        let across = self.costs.across.filter(|_| self.arrangement.is_some_and(far));
        let near = (self.costs.model.per_byte, self.costs.model.latency);
        let (mut per_byte, mut latency) = across.unwrap_or(near);
        if let Some(network) = self.network {
            self.path.clear();
            network.route(from, to, &mut self.path);
            for &link in &self.path {
                self.traffic[link as usize] += bytes;
                let link = network.level(link as usize).link;
                per_byte = per_byte.max(1.0 / link.bandwidth);
                latency += link.latency;
            }
        }
        (per_byte, latency)
    }

    /// The next message that arrives, once all ranks wait.
    pub(super) fn next(&mut self) -> Option<(Message, f64)> {
        let (message, tail) = self.contention.as_mut()?.next(&mut self.traffic)?;
        Some((message, tail + self.costs.model.latency))
    }
}

impl Contention {
    fn depart(&mut self, message: Message, network: &Network, head: f64, tail: f64) {
        self.sent += 1;
        let place = self.free.pop().unwrap_or_else(|| {
            self.flights.push(Flight { message, path: Vec::new(), hop: 0, tail });
            self.flights.len() as u32 - 1
        });
        let flight = &mut self.flights[place as usize];
        (flight.message, flight.hop, flight.tail) = (message, 0, tail);
        flight.path.clear();
        network.route(message.from as usize, message.to as usize, &mut flight.path);
        self.events.push(Reverse((time_key(head), self.sent, place)));
    }

    /// The next message that is through its last link, and when its last byte is.
    fn next(&mut self, traffic: &mut [u64]) -> Option<(Message, f64)> {
        while let Some(Reverse((head, order, place))) = self.events.pop() {
            let flight = &mut self.flights[place as usize];
            let bytes = flight.message.bytes;
            let Some(&link) = flight.path.get(flight.hop as usize) else {
                self.free.push(place);
                return Some((flight.message, flight.tail));
            };
            let (Link { bandwidth, latency }, free) = &mut self.links[link as usize];
            let start = f64::from_bits(head).max(*free);
            *free = start + bytes as f64 / *bandwidth;
            flight.hop += 1;
            flight.tail = flight.tail.max(*free) + *latency;
            self.events.push(Reverse((time_key(start + *latency), order, place)));
            traffic[link as usize] += bytes;
        }
        None
    }
}

/// Times are not negative, so their bits are in their order.
pub(super) fn time_key(seconds: f64) -> u64 {
    seconds.to_bits()
}
