//! Schedules: the steps of each rank.

use super::{ChunkRange, Collective, Params, Rank};
use crate::{Error, ErrorKind, Result};
use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, Location, catch_unwind};

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[repr(u8)]
pub enum Action {
    /// The peer's matching receive gets the chunks' values of this moment.
    Send,
    /// The chunks take the values of the peer's matching send.
    Recv,
    /// The chunks become `merge(chunks, received)`.
    RecvReduce,
    /// The chunks take the values of other chunks of this rank.
    Copy,
    /// The chunks become `merge(chunks, other chunks of this rank)`.
    Reduce,
}

/// Where an author wrote a step; unknown for steps that were read from a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Site(Option<&'static Location<'static>>);

/// `src/lib.rs:41`.
impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(location) => write!(f, "{}:{}", location.file(), location.line()),
            None => f.write_str("(no source)"),
        }
    }
}

impl serde::Serialize for Site {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One step of a rank: 40 bytes, no allocation.
///
/// The k-th send of a rank to a peer matches the k-th receive of that peer from the rank; both name
/// the same chunk numbers, so that both skip a chunk that is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Step {
    /// What is done.
    pub action: Action,
    /// The other rank of a send or receive; the own rank otherwise.
    pub peer: u32,
    /// The chunks sent, received into, or written.
    pub chunks: ChunkRange,
    /// The chunks read by [`Action::Copy`] and [`Action::Reduce`]; `chunks` otherwise.
    pub source: ChunkRange,
    /// Where the author wrote the step.
    #[serde(skip_deserializing)]
    pub site: Site,
}

impl Step {
    /// Whether the step writes [`Step::chunks`].
    pub const fn writes(&self) -> bool {
        !matches!(self.action, Action::Send)
    }

    /// Whether the step takes values from its peer.
    pub const fn receives(&self) -> bool {
        matches!(self.action, Action::Recv | Action::RecvReduce)
    }

    /// Whether the step merges two values.
    pub const fn merges(&self) -> bool {
        matches!(self.action, Action::RecvReduce | Action::Reduce)
    }
}

/// `recv_reduce(from 1, chunk 1)`.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step { peer, chunks, source, .. } = self;
        match self.action {
            Action::Send => write!(f, "send(to {peer}, {chunks})"),
            Action::Recv => write!(f, "recv(from {peer}, {chunks})"),
            Action::RecvReduce => write!(f, "recv_reduce(from {peer}, {chunks})"),
            Action::Copy => write!(f, "copy({source} to {chunks})"),
            Action::Reduce => write!(f, "reduce({source} into {chunks})"),
        }
    }
}

/// The most steps one rank may have; an author's endless loop ends there.
const MAX_STEPS: usize = 1 << 24;

/// Takes the steps of one rank in their order.
///
/// A lane keeps only a window of the steps pushed to it: a schedule is a pure function, so a reader
/// of a long one asks for it window by window instead of holding it.
pub struct Lane {
    steps: Vec<Step>,
    window: Range<usize>,
    pushed: usize,
    digest: u64,
    rank: u32,
}

impl Lane {
    /// Sends `chunks` to `peer`. The step does not wait for the receiver.
    #[track_caller]
    pub fn send(&mut self, peer: Rank, chunks: ChunkRange) {
        self.exchange(Action::Send, peer, chunks);
    }

    /// Receives `chunks` from `peer`.
    #[track_caller]
    pub fn recv(&mut self, peer: Rank, chunks: ChunkRange) {
        self.exchange(Action::Recv, peer, chunks);
    }

    /// Receives from `peer` and merges into `chunks`.
    #[track_caller]
    pub fn recv_reduce(&mut self, peer: Rank, chunks: ChunkRange) {
        self.exchange(Action::RecvReduce, peer, chunks);
    }

    /// Copies `source` to `target`, both of this rank.
    #[track_caller]
    pub fn copy(&mut self, source: ChunkRange, target: ChunkRange) {
        self.local(Action::Copy, source, target);
    }

    /// Merges `source` into `target`, both of this rank.
    #[track_caller]
    pub fn reduce(&mut self, source: ChunkRange, target: ChunkRange) {
        self.local(Action::Reduce, source, target);
    }

    #[track_caller]
    fn exchange(&mut self, action: Action, peer: Rank, chunks: ChunkRange) {
        let site = Site(Some(Location::caller()));
        self.push(Step { action, peer: peer.index() as u32, chunks, source: chunks, site });
    }

    #[track_caller]
    fn local(&mut self, action: Action, source: ChunkRange, chunks: ChunkRange) {
        let site = Site(Some(Location::caller()));
        self.push(Step { action, peer: self.rank, chunks, source, site });
    }

    /// Appends a step, for instance one that was read from a file.
    ///
    /// # Panics
    /// The lane has 2^24 steps already.
    pub fn push(&mut self, step: Step) {
        assert!(self.pushed < MAX_STEPS, "more than {MAX_STEPS} steps; an endless loop?");
        if self.window.contains(&self.pushed) {
            self.steps.push(step);
        }
        let place =
            |c: ChunkRange| u64::from(c.first) << 32 ^ u64::from(c.count) << 8 ^ c.space as u64;
        let words = [
            u64::from(step.peer) << 8 | step.action as u64,
            place(step.chunks),
            place(step.source).rotate_left(17),
        ];
        for word in words {
            self.digest = (self.digest.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
        self.pushed += 1;
    }

    fn new(rank: Rank, window: Range<usize>, steps: Vec<Step>) -> Self {
        Self { steps, window, pushed: 0, digest: 0, rank: rank.index() as u32 }
    }
}

/// What one generation of a lane gave.
pub(crate) struct Generated {
    /// The steps in the window asked for.
    pub(crate) steps: Vec<Step>,
    /// The number of all steps.
    pub(crate) total: usize,
    /// A digest of all steps: equal schedules have equal ones.
    pub(crate) digest: u64,
}

/// Generates the steps of `rank` within `window`; `reuse` gives its memory to the result.
///
/// # Errors
/// The author's code panics; the error names the collective.
pub(crate) fn generate(
    collective: &dyn Collective,
    params: &Params,
    rank: Rank,
    window: Range<usize>,
    mut reuse: Vec<Step>,
) -> Result<Generated> {
    reuse.clear();
    let mut lane = Lane::new(rank, window, reuse);
    catch_unwind(AssertUnwindSafe(|| collective.schedule(params, rank, &mut lane))).map_err(
        |payload| {
            let name = collective.describe().name;
            Error::from_panic(format!("collective `{name}`, schedule of rank {rank},"), &*payload)
        },
    )?;
    Ok(Generated { steps: lane.steps, total: lane.pushed, digest: lane.digest })
}

/// The steps of every rank of a group, held in memory: to print, to compare, to write to a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Schedule {
    /// The algorithm's name.
    pub collective: String,
    /// The steps of each rank.
    pub lanes: Vec<Vec<Step>>,
}

impl Schedule {
    /// The schedule of a collective with these parameters.
    ///
    /// ```
    /// use ringwood_core::collective::{Collective, Descriptor, Lane, Params, Rank, Schedule};
    ///
    /// struct Chain;
    /// impl Collective for Chain {
    ///     fn describe(&self) -> Descriptor {
    ///         Descriptor::broadcast("chain")
    ///     }
    ///     fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
    ///         if rank.index() > 0 {
    ///             s.recv(rank.prev(), p.all());
    ///         }
    ///         if rank.index() + 1 < p.ranks() {
    ///             s.send(rank.next(), p.all());
    ///         }
    ///     }
    /// }
    ///
    /// let params = Params::new(&Chain.describe(), 2)?;
    /// let schedule = Schedule::of(&Chain, &params)?;
    /// assert_eq!(schedule.lanes[1][0].to_string(), "recv(from 0, chunk 0)");
    /// # Ok::<(), ringwood_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// The author's code panics; the error names the collective.
    pub fn of(collective: &dyn Collective, params: &Params) -> Result<Self> {
        let lane = |r| {
            generate(collective, params, params.rank(r), 0..usize::MAX, Vec::new()).map(|g| g.steps)
        };
        let lanes = (0..params.ranks()).map(lane).collect::<Result<_>>()?;
        Ok(Self { collective: collective.describe().name.to_owned(), lanes })
    }

    /// A window of a lane, through the same door as a collective's own.
    pub(crate) fn window(
        &self,
        rank: Rank,
        window: Range<usize>,
        mut reuse: Vec<Step>,
    ) -> Generated {
        reuse.clear();
        let mut lane = Lane::new(rank, window, reuse);
        for step in &self.lanes[rank.index()] {
            lane.push(*step);
        }
        Generated { steps: lane.steps, total: lane.pushed, digest: lane.digest }
    }

    pub(crate) fn check_lanes(&self, params: &Params) -> Result<()> {
        if self.lanes.len() == params.ranks() {
            return Ok(());
        }
        let (lanes, ranks) = (self.lanes.len(), params.ranks());
        let message = format!("a schedule of {lanes} lanes does not fit a group of {ranks} ranks");
        Err(Error::new(ErrorKind::InvalidArgument, message))
    }
}

/// One line for each step: `rank 0 step 0  send(to 1, chunk 0)  src/ring.rs:41`.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}  {} ranks", self.collective, self.lanes.len())?;
        for (rank, lane) in self.lanes.iter().enumerate() {
            for (i, step) in lane.iter().enumerate() {
                writeln!(f, "  rank {rank} step {i}  {step}  {}", step.site)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::Descriptor;

    struct Panicking;

    impl Collective for Panicking {
        fn describe(&self) -> Descriptor {
            Descriptor::all_reduce("panicking")
        }

        fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
            s.send(rank.next(), p.chunk(0_usize));
            assert!(rank.index() != 1, "no idea");
        }
    }

    #[test]
    fn a_panic_in_a_schedule_is_an_error_that_names_collective_and_rank() {
        let params = Params::new(&Panicking.describe(), 2).unwrap();
        let error = Schedule::of(&Panicking, &params).unwrap_err();
        assert_eq!(
            error.message(),
            "collective `panicking`, schedule of rank 1, panicked: no idea"
        );
    }

    #[test]
    fn a_schedule_survives_json_but_for_its_sites() {
        let params = Params::new(&Panicking.describe(), 1).unwrap();
        let schedule = Schedule::of(&Panicking, &params).unwrap();
        let text = serde_json::to_string(&schedule).unwrap();
        assert!(text.contains("schedule.rs:"), "{text}");
        let back: Schedule = serde_json::from_str(&text).unwrap();
        assert_eq!(back.lanes[0][0].chunks, schedule.lanes[0][0].chunks);
        assert_eq!(back.lanes[0][0].site, Site::default());
    }

    #[test]
    fn a_window_holds_the_same_steps_as_the_whole() {
        struct Long;
        impl Collective for Long {
            fn describe(&self) -> Descriptor {
                Descriptor::all_reduce("long")
            }
            fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
                for i in 0..10_usize {
                    s.send(rank, p.chunk(i));
                }
            }
        }
        let params = Params::new(&Long.describe(), 1).unwrap();
        let part = generate(&Long, &params, params.rank(0), 3..5, Vec::new()).unwrap();
        let whole = generate(&Long, &params, params.rank(0), 0..100, Vec::new()).unwrap();
        assert_eq!(part.steps, whole.steps[3..5]);
        assert_eq!((part.total, part.digest), (10, whole.digest));
    }
}
