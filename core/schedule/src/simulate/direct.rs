//! Messages that have every link for themselves.

use super::machine::{Message, Wire};
use super::report::Traffic;
use crate::cost::Costs;
use crate::{Arrangement, Network};

/// A message occupies the port of its sender; nothing else is shared.
pub(super) struct Direct<'a> {
    costs: Costs,
    network: Option<&'a Network>,
    arrangement: Option<&'a Arrangement>,
    /// When the port of each rank is free.
    ports: Vec<f64>,
    traffic: Traffic,
    path: Vec<u32>,
}

impl<'a> Direct<'a> {
    pub(super) fn new(costs: &Costs, network: Option<&'a Network>, ranks: usize) -> Self {
        let (traffic, ports) = (Traffic::new(network.map_or(0, Network::links)), vec![0.0; ranks]);
        Self { costs: *costs, network, arrangement: None, ports, traffic, path: Vec::new() }
    }

    /// Ranks in tasks, between which messages have costs of their own.
    pub(super) fn arranged(self, arrangement: &'a Arrangement) -> Self {
        Self { arrangement: Some(arrangement), ..self }
    }

    /// Seconds for each byte at the sender's port, and from the port to the receiver.
    fn way(&mut self, message: &Message) -> (f64, f64) {
        let Costs { per_byte, latency, across, .. } = self.costs;
        let far = |arrangement: &Arrangement| {
            arrangement.task_of(message.from as usize) != arrangement.task_of(message.to as usize)
        };
        let across = across.filter(|_| self.arrangement.is_some_and(far));
        let (mut per_byte, mut latency) = across.unwrap_or((per_byte, latency));
        if let Some(network) = self.network {
            self.path.clear();
            network.route(message.from as usize, message.to as usize, &mut self.path);
            for &link in &self.path {
                let link = self.traffic.carry(link as usize, message.bytes, network);
                per_byte = per_byte.max(1.0 / link.bandwidth);
                latency += link.latency;
            }
        }
        (per_byte, latency)
    }
}

impl Wire for Direct<'_> {
    fn send(&mut self, message: Message) -> Option<f64> {
        let (per_byte, latency) = self.way(&message);
        let port = &mut self.ports[message.from as usize];
        *port = port.max(message.time) + message.bytes as f64 * per_byte;
        Some(*port + latency)
    }

    fn next(&mut self) -> Option<(Message, f64)> {
        None
    }

    fn into_traffic(self) -> Traffic {
        self.traffic
    }
}
