//! A worker's end of a rendezvous.

use super::channel::{Channel, spawn};
use super::group::Shown;
use super::message::{Answer, Ask, Question, Reply};
use super::{InstanceRequest, Member, ResolvedGroup, ResolvedInstance};
use crate::{Communicator, GroupBuilder, InstanceId, Tell, Turns};
use ringwood_base::sync::lock;
use ringwood_base::{Error, Result, counted};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use std::time::Duration;

/// Resolves groups and instances, through the [`Rendezvous`](super::Rendezvous) in this process or in
/// another one.
///
/// The members of all processes get the same answers and the same errors. It is cheap to clone and
/// may be shared by threads; when the last one is dropped, the rendezvous counts the worker as lost.
/// Equivalent to TensorFlow's `CollectiveParamResolverDistributed`.
///
/// ```
/// use ringwood_collective::resolve::{Member, Rendezvous, Resolver};
/// use ringwood_base::registry::Registry;
/// use std::os::unix::net::UnixStream;
///
/// let rendezvous = Rendezvous::start(Registry::default())?;
/// let (here, there) = UnixStream::pair().expect("two ends of a stream");
/// rendezvous.serve(there)?;
/// // In another process, with its end of the stream:
/// let resolver = Resolver::connect(here)?;
/// let group = resolver.join(&Member::new(7, 1, "cpu", "/host:0/cpu:0"))?;
/// assert_eq!(group.members(), ["/host:0/cpu:0"]);
/// let step = resolver.refresh_step(1)?;
/// assert_eq!(resolver.next_step(1), Some(step));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
#[derive(Clone)]
pub struct Resolver {
    end: Arc<End>,
    timeout: Duration,
}

/// What reaches the leader.
pub(super) struct End {
    inbox: Arc<Inbox>,
    send: Box<dyn Fn(Ask) -> Result<()> + Send + Sync>,
    close: Box<dyn Fn() + Send + Sync>,
    /// The steps that are due, as far as this worker knows.
    steps: Mutex<HashMap<u64, u64>>,
}

/// Who waits for which answer.
#[derive(Default)]
pub(super) struct Inbox {
    state: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    last: u64,
    open: HashMap<u64, Take>,
    lost: Option<Error>,
}

type Take = Box<dyn FnOnce(Result<Answer>) + Send>;

/// The leader has this long after the wait to tell who is late.
const GRACE: Duration = Duration::from_secs(2);

impl Resolver {
    pub(super) fn new(end: End) -> Self {
        Self { end: Arc::new(end), timeout: Duration::from_secs(60) }
    }

    /// A worker that reaches the rendezvous over `channel`, and waits for a minute.
    ///
    /// # Errors
    /// There is no thread to read it.
    pub fn connect(channel: impl Channel) -> Result<Self> {
        let channel = Arc::new(channel);
        let (reader, closer) = (Arc::clone(&channel), Arc::clone(&channel));
        let inbox = Arc::new(Inbox::default());
        let theirs = Arc::clone(&inbox);
        spawn("resolver", move || {
            let end = loop {
                match reader.receive() {
                    Ok(reply) => theirs.reply(reply),
                    Err(error) => break error,
                }
            };
            theirs.lose(end);
        })?;
        let writer = Mutex::new(channel);
        let send = move |ask| lock(&writer).send(&ask);
        Ok(Self::new(End::new(inbox, send, move || closer.close())))
    }

    /// The same with another bound on waits for other members.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Joins a group and waits until it is complete; then its membership never changes. Joining
    /// again with the same device is allowed and gives the same answer.
    ///
    /// # Errors
    /// A member disagrees about size or device type, a rank is out of range or taken, the group is
    /// full, cancelled or aborted, or not complete in time; a worker or the rendezvous is lost. The
    /// first error sticks to the group and reaches every caller.
    pub fn join(&self, member: &Member) -> Result<ResolvedGroup> {
        match self.ask(Question::Join(member.clone()))? {
            Answer::Group(group) if group.rank() < group.size() => Ok(group),
            _ => Err(strange()),
        }
    }

    /// Completes the parameters of a collective of a group, when all members have asked for it. The
    /// root is the member that claims to be it.
    ///
    /// # Errors
    /// Members disagree about operation, type, shape or algorithm, no member claims to be the root or two do,
    /// no algorithm fits, or a member does not come in time; a worker or the rendezvous is lost. The
    /// first error sticks to the instance and reaches every caller.
    pub fn instance(
        &self,
        group: &ResolvedGroup,
        request: &InstanceRequest,
    ) -> Result<ResolvedInstance> {
        let device = group.members()[group.rank()].to_owned();
        let question = Question::Instance { group: group.key(), device, request: request.clone() };
        match self.ask(question)? {
            Answer::Instance(instance) => Ok(*instance),
            _ => Err(strange()),
        }
    }

    /// The communicator of a member of a complete group, over a transport that connects processes.
    /// An [`Executor`](crate::executor::Executor) that adopts it starts calls in one order
    /// on all ranks.
    ///
    /// `builder` names the transport and has the size of the group; every member gives the same. A group connects
    /// once: [split](Communicator::split) its communicator for more.
    ///
    /// ```no_run
    /// # use ringwood_collective::{Communicator, Group};
    /// # use ringwood_collective::resolve::{ResolvedGroup, Resolver};
    /// # fn example(resolver: &Resolver, group: &ResolvedGroup) -> ringwood_base::Result<()> {
    /// let builder = Group::builder(group.size()).transport("socket");
    /// let communicator = resolver.communicator(group, builder)?;
    /// assert_eq!(communicator.rank(), group.rank());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// The builder is for another number of ranks, or its transport cannot connect processes; the group has
    /// connected before; a member, a worker or the rendezvous is lost or late.
    pub fn communicator(
        &self,
        group: &ResolvedGroup,
        builder: GroupBuilder,
    ) -> Result<Communicator> {
        let (ranks, transport) = builder.named()?;
        let key = group.key();
        if ranks != group.size() {
            let (size, ranks) = (counted(group.size(), "member"), counted(ranks, "rank"));
            let message = format!("group {} has {size}, and its builder {ranks}", Shown(key));
            return Err(Error::invalid(message));
        }
        let question = Question::Bootstrap { group: key, transport };
        let Answer::Address(address) = self.ask(question)? else { return Err(strange()) };
        let turns = GroupTurns { resolver: self.clone(), group: key };
        let communicator = builder.join_in_order(group.rank(), &address, Some(Arc::new(turns)))?;
        self.ask(Question::Connected { group: key })?;
        Ok(communicator)
    }

    /// Gives up on a group that is not complete: every member that waits, and every later one, gets
    /// an error. A complete group stays as it is.
    ///
    /// # Errors
    /// The rendezvous is lost.
    pub fn cancel(&self, group: u64) -> Result<()> {
        self.ask(Question::Cancel { group }).map(drop)
    }

    /// Gives up on everything, for every worker: all waiting and later callers get `error`, unless an
    /// earlier one sticks.
    ///
    /// # Errors
    /// The rendezvous is lost.
    pub fn abort(&self, error: &Error) -> Result<()> {
        self.ask(Question::Abort(error.clone())).map(drop)
    }

    /// The step of a graph that is due, as far as this worker knows: the same until it is retired.
    /// `None` for a graph that it has not asked for or whose count was lost.
    pub fn next_step(&self, graph: u64) -> Option<u64> {
        self.steps().get(&graph).copied()
    }

    /// Asks the leader for the step of a graph that is due: at the start, after a failed step, and
    /// when count was lost. Steps are numbered modulo 2^57, from a random number on.
    ///
    /// # Errors
    /// The rendezvous is lost.
    pub fn refresh_step(&self, graph: u64) -> Result<u64> {
        let Answer::Step(step) = self.ask(Question::Step { graph })? else { return Err(strange()) };
        self.steps().insert(graph, step);
        Ok(step)
    }

    /// A step is over, here and at the leader, which every worker tells so. A step that failed is
    /// not retired: refresh the sequence.
    ///
    /// # Errors
    /// It is not one of the leader's sequence: the count is lost here too, until a
    /// [refresh](Resolver::refresh_step). The rendezvous is lost.
    pub fn retire_step(&self, graph: u64, step: u64) -> Result<()> {
        let due = self.steps().remove(&graph);
        let answer = self.ask(Question::Retire { graph, step })?;
        let Answer::Step(next) = answer else { return Err(strange()) };
        if let Some(due) = due {
            self.steps().insert(graph, if due == step { next } else { due });
        }
        Ok(())
    }

    fn steps(&self) -> MutexGuard<'_, HashMap<u64, u64>> {
        lock(&self.end.steps)
    }

    fn ask(&self, question: Question) -> Result<Answer> {
        let (tell, told) = mpsc::channel();
        // Whoever does not wait any more is told in vain.
        let take = move |answer| drop(tell.send(answer));
        self.end.ask(question, self.timeout, Box::new(take));
        told.recv_timeout(self.timeout.saturating_add(GRACE)).unwrap_or_else(|_| {
            Err(Error::timeout("the leader of the rendezvous did not answer in time"))
        })
    }
}

impl End {
    pub(super) fn new(
        inbox: Arc<Inbox>,
        send: impl Fn(Ask) -> Result<()> + Send + Sync + 'static,
        close: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        Self { inbox, send: Box::new(send), close: Box::new(close), steps: Mutex::default() }
    }

    fn ask(&self, question: Question, wait: Duration, take: Take) {
        let Some(id) = self.inbox.open(take) else { return };
        // What cannot be sent whole leaves a stream that nobody can read on.
        if let Err(error) = (self.send)(Ask { id, wait, question }) {
            self.inbox.lose(error);
        }
    }
}

impl Drop for End {
    fn drop(&mut self) {
        (self.close)();
    }
}

impl Inbox {
    /// The number of a question; `None` if the leader is lost, which whoever asks is told.
    fn open(&self, take: Take) -> Option<u64> {
        let mut state = lock(&self.state);
        if let Some(error) = state.lost.clone() {
            drop(state);
            take(Err(error));
            return None;
        }
        state.last += 1;
        let id = state.last;
        state.open.insert(id, take);
        Some(id)
    }

    pub(super) fn reply(&self, reply: Reply) {
        let take = lock(&self.state).open.remove(&reply.id);
        if let Some(take) = take {
            take(reply.answer);
        }
    }

    /// The leader is lost: every question, open or asked later, ends with the first such error.
    pub(super) fn lose(&self, error: Error) {
        let mut state = lock(&self.state);
        let error = state.lost.get_or_insert(error).clone();
        let open = std::mem::take(&mut state.open);
        drop(state);
        open.into_values().for_each(|take| take(Err(error.clone())));
    }
}

/// The order of the calls of one group, which its leader gives.
struct GroupTurns {
    resolver: Resolver,
    group: u64,
}

impl Turns for GroupTurns {
    fn ask(&self, instance: InstanceId, rank: usize, wait: Duration, tell: Tell) {
        let instance = InstanceId { group: self.group, ..instance };
        let take = |answer| {
            tell(match answer {
                Ok(Answer::Turn(turn)) => Ok(turn),
                Ok(_) => Err(strange()),
                Err(error) => Err(error),
            });
        };
        self.resolver.end.ask(Question::Turn { instance, rank }, wait, Box::new(take));
    }

    fn leave(&self, rank: usize) {
        let question = Question::Leave { group: self.group, rank };
        // Where the rendezvous is lost, everybody knows that.
        self.resolver.end.ask(question, self.resolver.timeout, Box::new(drop));
    }
}

fn strange() -> Error {
    Error::protocol("the leader of the rendezvous answers another question")
}

#[cfg(test)]
mod tests;
