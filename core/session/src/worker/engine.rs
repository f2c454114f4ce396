//! The collectives of programs that a worker runs.

use super::{CollectiveCall, Worker};
use ringwood_base::Result;
use ringwood_collective::Tensors;
use ringwood_device::device::Tensor;
use ringwood_graph::engine::{Agreement, Engine};
use ringwood_graph::graph::Collective;

impl Worker {
    fn among(&self, group: bool) -> CollectiveCall<'_> {
        if group { self.in_group() } else { self.call() }
    }
}

impl Engine for Worker {
    fn place(&self, group: bool) -> (usize, usize) {
        let ranks = self.among(group);
        (ranks.communicator().rank(), ranks.communicator().size())
    }

    fn agree(&self, program: &Agreement) -> Result<()> {
        let Agreement { group, fingerprint, calls } = program;
        let among = self.among(*group);
        if among.communicator().has_agreed(*fingerprint) {
            return Ok(());
        }
        let named =
            |(i, call): (usize, &String)| (format!("collective {}", i + 1).into(), call.clone());
        let fields: Vec<_> = calls.iter().enumerate().map(named).collect();
        among.collective("agree", |ranks| ranks.agree("the program", *fingerprint, &fields))
    }

    fn run(&self, call: &Collective, input: Option<&Tensor>, output: &mut Tensor) -> Result<()> {
        let (what, ranks) = (&call.request.what, &call.ranks);
        let tensors = match input {
            None => Tensors::InPlace(output),
            Some(input) => Tensors::Apart { input, output },
        };
        self.among(ranks.group).collective(what.operation.name(), |group| {
            let call = group.call();
            let call = ranks.algorithm.as_ref().map_or(call, |name| call.with(name));
            let order = ranks.order.filter(|_| what.operation.reduces());
            order.map_or(call, |order| call.order(order)).run_tensors(what, tensors)
        })
    }
}
