//! The simulator: how long a schedule takes on a machine that need not be there.
//!
//! Lanes receive from named peers in order, so a run along the schedule gives every clock: a send
//! moves its sender's clock, a receive takes the later of the own clock and the arrival. Nothing is
//! materialised but a window of each lane. With contention, messages compete for links, first come
//! first served, and go through switches without being stored.

mod bound;
mod lanes;
mod machine;
mod periodic;
mod queues;
mod report;
mod wire;

pub use report::{LevelUse, LinkUse, Method, Simulated};

use super::{Collective, CostModel, Network, Request};
use lanes::{Lanes, Source};
use machine::Machine;
use report::Run;
use ringwood_base::{Error, Result};
use wire::Wire;

/// The most steps of all ranks that are simulated one by one.
pub(crate) const STEPS: usize = 1 << 25;

/// What a collective is simulated on.
///
/// ```
/// use ringwood_schedule::{CostModel, Operation, Request, Simulation, Topology};
/// # use ringwood_schedule::{Collective, Descriptor, Lane, Params, Rank};
/// use ringwood_base::DType;
///
/// # struct Star;
/// # impl Collective for Star {
/// #     fn describe(&self) -> Descriptor { Descriptor::all_reduce("star") }
/// #     fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
/// #         let center = p.rank(0);
/// #         for other in (1..p.ranks()).map(|r| p.rank(r)) {
/// #             if rank == center { s.recv_reduce(other, p.all()); s.send(other, p.all()); }
/// #             if rank == other { s.send(center, p.all()); s.recv(center, p.all()); }
/// #         }
/// #     }
/// # }
/// let request = Request::new(Operation::AllReduce, 64, 1 << 20, DType::F32);
/// let model = CostModel::cluster();
/// let ideal = Simulation::new(&model).run(&Star, &request)?;
/// let tree = "fat-tree:k=16,taper=2".parse::<Topology>()?.network(64)?;
/// let model = model.over_links();
/// let crowded = Simulation::new(&model).over(&tree).contended(true).run(&Star, &request)?;
/// assert!(ideal.seconds >= ideal.lower_bound && crowded.seconds >= ideal.lower_bound);
/// assert_eq!(crowded.busiest.expect("there are links").level, "rank up");
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Simulation<'a> {
    model: &'a CostModel,
    network: Option<&'a Network>,
    contended: bool,
    /// The steps of all ranks that are simulated one by one; longer schedules need a symmetry.
    steps: usize,
}

impl Simulation<'_> {
    /// More ranks are not simulated.
    pub const MOST_RANKS: usize = 1 << 20;
}

impl<'a> Simulation<'a> {
    /// Ranks that reach each other as `model` says.
    pub fn new(model: &'a CostModel) -> Self {
        Self { model, network: None, contended: false, steps: STEPS }
    }

    /// Ranks that reach each other over the links of a network, beside what the model says; see
    /// [`CostModel::over_links`].
    pub fn over(self, network: &'a Network) -> Self {
        Self { network: Some(network), ..self }
    }

    /// Whether messages compete for links, or each has all of them for itself.
    pub fn contended(self, contended: bool) -> Self {
        Self { contended, ..self }
    }

    /// The same of at most so many steps of all ranks one by one.
    pub(crate) fn at_most(self, steps: usize) -> Self {
        Self { steps, ..self }
    }

    /// What steps cost.
    pub(crate) fn model(&self) -> &'a CostModel {
        self.model
    }

    /// Simulates a collective that is right: run it through [`verify`](super::verify()) before.
    ///
    /// # Errors
    /// The request is not one for the collective, its code panics, its steps do not match, the
    /// network is for another number of ranks, or the schedule is too long and has no symmetry to
    /// shorten it by.
    pub fn run(&self, collective: &dyn Collective, request: &Request) -> Result<Simulated> {
        if let Some(network) = self.network.filter(|n| n.ranks() != request.ranks) {
            let (has, ranks) = (network.ranks(), request.ranks);
            let message = format!("a network of {has} ranks does not carry a group of {ranks}");
            return Err(Error::invalid(message));
        }
        let lanes = Lanes::new(collective, request)?;
        let (run, method) = self.replay(&lanes)?;
        Ok(run.report(&lanes, self, method))
    }

    /// What a call of `request` takes, the agreement of its ranks included. `staged` are the sends of
    /// each rank that leave a copy, where receivers read in place.
    ///
    /// # Errors
    /// See [`Simulation::run`].
    pub(super) fn call_seconds(
        &self,
        collective: &dyn Collective,
        request: &Request,
        staged: Option<&[Vec<u32>]>,
    ) -> Result<f64> {
        let lanes = Lanes::new(collective, request)?.staging(staged);
        let agreement = self.model.call_seconds(request.ranks);
        let CostModel { eager_bytes, eager_ranks, .. } = *self.model;
        if lanes.bytes <= eager_bytes && request.ranks <= eager_ranks {
            let inputs = lanes.bytes as f64 * (request.ranks - 1) as f64;
            return Ok(agreement + inputs * self.model.reduce.at(lanes.working_set()));
        }
        let (run, _) = self.replay(&lanes)?;
        // The engine copies where a call and a schedule differ in what is in place.
        let apart = request.mode.is_some_and(|mode| mode != lanes.params.mode());
        let copied = if apart { lanes.bytes as f64 } else { 0.0 };
        let copy = copied * self.model.copy.at(lanes.working_set());
        Ok(agreement + copy + run.seconds)
    }

    fn replay(&self, lanes: &Lanes<'_>) -> Result<(Run, Method)> {
        let ranks = lanes.ranks();
        let most = Simulation::MOST_RANKS;
        if ranks > most {
            let message = format!("{ranks} ranks are more than the {most} that are simulated");
            return Err(Error::unsupported(message));
        }
        let steps = self.steps;
        if lanes.have_at_most(steps)? {
            return Ok((self.run_lanes(lanes, lanes, ranks)?, Method::Steps));
        }
        let even = lanes.evenly();
        if !even.rotates()? {
            let message = format!(
                "collective `{}` has more than {steps} steps of {ranks} ranks, which differ in \
                 more than a rotation: {}",
                lanes.name(),
                self.limit()
            );
            return Err(self.refused(message, "simulate fewer ranks"));
        }
        let across = self.model.across.is_some() && lanes.params.tasks() > 1;
        if self.network.is_some() || across || self.shares_cores(ranks) {
            return Ok((periodic::extrapolate(self, &even)?, Method::Extrapolation));
        }
        Ok((self.run_folded(&even)?, Method::Rotation))
    }

    /// Why no more steps are simulated.
    fn limit(&self) -> &'static str {
        match self.steps {
            STEPS => "no more are simulated one by one",
            _ => "a shorter schedule can be used",
        }
    }

    /// The error of a schedule of more steps than are simulated; `help` is of use where no caller asks for fewer.
    fn refused(&self, message: String, help: &'static str) -> Error {
        let error = Error::unsupported(message);
        if self.steps == STEPS { error.help(help) } else { error }
    }

    /// Whether ranks wait for each other's cores.
    fn shares_cores(&self, ranks: usize) -> bool {
        (1..ranks).contains(&self.model.cores)
    }

    fn run_lanes(&self, lanes: &Lanes<'_>, source: &dyn Source, ranks: usize) -> Result<Run> {
        let mut costs = self.model.at(lanes.working_set());
        costs.remote |= self.network.is_some();
        let cores = if self.shares_cores(ranks) { self.model.cores } else { 0 };
        let wire = Wire::new(costs, self.network, ranks).arranged(&lanes.request.arrangement);
        let wire = if self.contended { wire.contended() } else { wire };
        Machine::new(source, ranks, wire).run(cores)
    }

    /// Replays rank 0 alone: what it receives is what it sent itself, turned around the ring.
    fn run_folded(&self, lanes: &Lanes<'_>) -> Result<Run> {
        let costs = self.model.at(lanes.working_set());
        let run = Machine::folded(lanes, lanes.ranks(), Wire::new(costs, None, 1)).run(0)?;
        Ok(run.scaled(lanes.ranks() as f64, lanes))
    }
}

#[cfg(test)]
mod tests;
