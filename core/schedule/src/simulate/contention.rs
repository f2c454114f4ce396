//! Messages that compete for links.

use super::machine::{Message, Wire, time_key};
use super::report::Traffic;
use crate::cost::Costs;
use crate::{Link, Network};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Links serve messages first come, first served; a message goes on to the next link as soon as its
/// head is through (cut-through), so a free path costs the time of its narrowest link once.
pub(super) struct Contended<'a> {
    costs: Costs,
    network: &'a Network,
    ports: Vec<f64>,
    /// What each link takes, and when it is free.
    links: Vec<(Link, f64)>,
    traffic: Traffic,
    /// Messages on their way, and their paths, each at the message's place.
    flights: Vec<Flight>,
    paths: Vec<Vec<u32>>,
    free: Vec<u32>,
    /// When a message is at its next link; of equal times, the one sent first.
    events: BinaryHeap<Reverse<(u64, u32, u32)>>,
    sent: u32,
}

#[derive(Clone, Copy)]
struct Flight {
    message: Message,
    hop: u32,
    order: u32,
    /// When the last byte is at the next link.
    tail: f64,
}

impl<'a> Contended<'a> {
    pub(super) fn new(costs: &Costs, network: &'a Network) -> Self {
        let of_level = |level: &'a crate::Level| level.links.clone().map(|_| (level.link, 0.0));
        Self {
            costs: *costs,
            network,
            ports: vec![0.0; network.ranks()],
            links: network.levels().iter().flat_map(of_level).collect(),
            traffic: Traffic::new(network.links()),
            flights: Vec::new(),
            paths: Vec::new(),
            free: Vec::new(),
            events: BinaryHeap::new(),
            sent: 0,
        }
    }

    fn place(&mut self, flight: Flight) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.flights[place as usize] = flight;
                place
            }
            None => {
                self.flights.push(flight);
                self.paths.push(Vec::new());
                self.flights.len() as u32 - 1
            }
        }
    }
}

impl Wire for Contended<'_> {
    fn send(&mut self, message: Message) -> Option<f64> {
        let port = &mut self.ports[message.from as usize];
        let head = port.max(message.time);
        *port = head + message.bytes as f64 * self.costs.per_byte;
        self.sent += 1;
        let flight = Flight { message, hop: 0, order: self.sent, tail: *port };
        let place = self.place(flight);
        let path = &mut self.paths[place as usize];
        path.clear();
        self.network.route(message.from as usize, message.to as usize, path);
        self.events.push(Reverse((time_key(head), self.sent, place)));
        None
    }

    fn next(&mut self) -> Option<(Message, f64)> {
        while let Some(Reverse((head, _, place))) = self.events.pop() {
            let flight = &mut self.flights[place as usize];
            let bytes = flight.message.bytes;
            let Some(&link) = self.paths[place as usize].get(flight.hop as usize) else {
                self.free.push(place);
                return Some((flight.message, flight.tail + self.costs.latency));
            };
            let (Link { bandwidth, latency }, free) = &mut self.links[link as usize];
            let start = f64::from_bits(head).max(*free);
            *free = start + bytes as f64 / *bandwidth;
            flight.hop += 1;
            flight.tail = flight.tail.max(*free) + *latency;
            self.events.push(Reverse((time_key(start + *latency), flight.order, place)));
            self.traffic.add(link as usize, bytes);
        }
        None
    }

    fn into_traffic(self) -> Traffic {
        self.traffic
    }
}
