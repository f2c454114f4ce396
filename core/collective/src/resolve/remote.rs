//! Resolution across processes over byte streams: the leader's host, and a worker's resolver.

mod channel;
mod host;

pub use channel::Channel;
pub use host::LeaderHost;

use super::message::{Answer, Ask, Fault, Question, Reply};
use super::{Follower, InstanceRequest, Member, ResolvedGroup, ResolvedInstance, StepSequences};
use crate::executor::{InstanceId, Tell, Turns};
use crate::promise::Promise;
use crate::transport::Meeting;
use crate::{Communicator, GroupBuilder};
use channel::{read, write};
use ringwood_base::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Resolves groups and instances whose members are in several processes, through the
/// [`LeaderHost`] in one of them.
///
/// The methods are those of a [`GroupResolver`](super::GroupResolver); the members of all processes
/// get the same answers and the same errors. It may be shared by threads.
///
/// ```
/// use ringwood_collective::resolve::{LeaderHost, Member, RemoteResolver};
/// use ringwood_base::registry::Registry;
/// use std::os::unix::net::UnixStream;
///
/// let host = LeaderHost::start(Registry::default())?;
/// let (here, there) = UnixStream::pair().expect("two ends of a stream");
/// host.serve(there)?;
/// // In another process, with its end of the stream:
/// let resolver = RemoteResolver::connect(here)?;
/// let group = resolver.join(&Member::new(7, 1, "cpu", "/host:0/cpu:0"))?;
/// assert_eq!(group.members(), ["/host:0/cpu:0"]);
/// let step = resolver.refresh_step(1)?;
/// assert_eq!(resolver.next_step(1), Some(step));
/// # Ok::<(), ringwood_base::Error>(())
/// ```
pub struct RemoteResolver {
    shared: Arc<Shared>,
    writer: Mutex<Box<dyn std::io::Write + Send>>,
    close: Box<dyn Fn() + Send + Sync>,
    timeout: Duration,
    steps: Mutex<StepSequences>,
    meetings: Mutex<Vec<Meeting>>,
}

/// What the reading thread and the callers share.
struct Shared {
    start: Instant,
    state: Mutex<State>,
}

struct State {
    follower: Follower,
    waiting: HashMap<u64, Waiting>,
}

/// Who waits for an answer.
enum Waiting {
    Thread(Arc<Promise<Result<Answer>>>),
    Executor(Tell),
}

impl Waiting {
    fn end(self, answer: Result<Answer>) {
        match self {
            Waiting::Thread(promise) => promise.keep(answer),
            Waiting::Executor(tell) => tell(match answer {
                Ok(Answer::Turn(turn)) => Ok(turn),
                Ok(_) => Err(strange()),
                Err(error) => Err(error),
            }),
        }
    }
}

/// Streams lose nothing, so nothing is sent again; it sets how long a leader may take.
const RESEND: Duration = Duration::from_millis(100);

impl RemoteResolver {
    /// A worker that reaches the leader over `channel`, and waits for a minute.
    ///
    /// # Errors
    /// The stream cannot be used by two threads, or there is no thread to read it.
    pub fn connect(channel: impl Channel) -> Result<Self> {
        let (mut reader, closer) = (channel.another()?, channel.another()?);
        let state = State { follower: Follower::new(RESEND), waiting: HashMap::new() };
        let shared = Arc::new(Shared { start: Instant::now(), state: Mutex::new(state) });
        let theirs = Arc::clone(&shared);
        let thread = thread::Builder::new().name("resolver".into());
        let spawned = thread.spawn(move || {
            let end = loop {
                match read::<Reply>(&mut reader) {
                    Ok(reply) => theirs.reply(reply),
                    Err(error) => break error,
                }
            };
            theirs.lose(end);
        });
        spawned.map_err(|cause| {
            let message = "cannot start the thread of a resolver";
            Error::new(ErrorKind::Unavailable, message).because(cause)
        })?;
        Ok(Self {
            shared,
            writer: Mutex::new(Box::new(channel)),
            close: Box::new(move || closer.close()),
            timeout: Duration::from_secs(60),
            steps: Mutex::default(),
            meetings: Mutex::default(),
        })
    }

    /// The same with another bound on waits for other members.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Joins a group and waits until it is complete.
    ///
    /// # Errors
    /// As [`GroupResolver::join`](super::GroupResolver::join); also, on every member, when a worker
    /// or the leader is lost.
    pub fn join(&self, member: &Member) -> Result<ResolvedGroup> {
        let answer = self.ask(Question::Join(member.clone()))?;
        answer.group(member.device()).ok_or_else(strange)
    }

    /// Completes the parameters of a collective of a group.
    ///
    /// # Errors
    /// As [`GroupResolver::instance`](super::GroupResolver::instance); also, on every member, when a
    /// worker or the leader is lost.
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

    /// The communicator of a member of a complete group, over a transport that joins processes:
    /// rank 0 makes the place where they meet, which exists as long as its resolver.
    ///
    /// `builder` names the transport and has the size of the group; every member gives the same.
    ///
    /// ```no_run
    /// # use ringwood_collective::{Communicator, Group};
    /// # use ringwood_collective::resolve::{RemoteResolver, ResolvedGroup};
    /// # fn example(resolver: &RemoteResolver, group: &ResolvedGroup) -> ringwood_base::Result<()> {
    /// let builder = Group::builder(group.size()).transport("socket");
    /// let communicator = resolver.communicator(group, builder)?;
    /// assert_eq!(communicator.rank(), group.rank());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// The builder is for another number of ranks, or its transport cannot join processes; a member,
    /// a worker or the leader is lost or late.
    pub fn communicator(
        &self,
        group: &ResolvedGroup,
        builder: GroupBuilder,
    ) -> Result<Communicator> {
        let (ranks, _) = builder.named()?;
        if ranks != group.size() {
            let (key, size) = (group.key(), group.size());
            let message = format!("group {key} has {size} members, and its builder {ranks} ranks");
            return Err(Error::new(ErrorKind::InvalidArgument, message));
        }
        let mut offer = None;
        if group.rank() == 0 {
            let meeting = builder.clone().host()?;
            offer = Some(meeting.address().to_owned());
            self.meetings.lock().unwrap_or_else(PoisonError::into_inner).push(meeting);
        }
        let question = Question::Meet { group: group.key(), address: offer };
        let Answer::Address(address) = self.ask(question)? else { return Err(strange()) };
        builder.join(group.rank(), &address)
    }

    /// Gives up on a group that is not complete, for every member.
    ///
    /// # Errors
    /// The leader is lost.
    pub fn cancel(&self, group: u64) -> Result<()> {
        self.ask(Question::Cancel { group }).map(drop)
    }

    /// Gives up on everything, for every worker; the first error sticks.
    ///
    /// # Errors
    /// The leader is lost.
    pub fn abort(&self, error: &Error) -> Result<()> {
        self.ask(Question::Abort(Fault::from(error))).map(drop)
    }

    /// The step of a graph that is due, as far as this worker knows; see [`StepSequences::next`].
    pub fn next_step(&self, graph: u64) -> Option<u64> {
        self.steps().next(graph)
    }

    /// Asks the leader for the step of a graph that is due: at the start, after a failed step, and
    /// when count was lost.
    ///
    /// # Errors
    /// The leader is lost.
    pub fn refresh_step(&self, graph: u64) -> Result<u64> {
        let Answer::Step(step) = self.ask(Question::Step { graph })? else { return Err(strange()) };
        self.steps().set(graph, step);
        Ok(step)
    }

    /// A step is over, here and at the leader.
    ///
    /// # Errors
    /// It is not one of the leader's sequence: the count is lost here too, until a
    /// [refresh](RemoteResolver::refresh_step). The leader is lost.
    pub fn retire_step(&self, graph: u64, step: u64) -> Result<()> {
        self.steps().retire(graph, step);
        let answer = self.ask(Question::Retire { graph, step });
        if answer.is_err() {
            self.steps().forget(graph);
        }
        answer.map(drop)
    }

    fn steps(&self) -> MutexGuard<'_, StepSequences> {
        self.steps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn ask(&self, question: Question) -> Result<Answer> {
        let promise = Arc::new(Promise::default());
        let waiting = Waiting::Thread(Arc::clone(&promise));
        let (ask, bound) = self.shared.ask(question, self.timeout, waiting);
        match self.write(&ask) {
            Ok(()) => promise.wait(bound),
            // What cannot be sent whole leaves a stream that nobody can read on.
            Err(error) => {
                self.shared.lose(error);
                true
            }
        };
        self.shared.tick();
        promise.take().unwrap_or_else(|| Err(strange()))
    }
}

impl RemoteResolver {
    fn write(&self, ask: &Ask) -> Result<()> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        write(&mut **writer, ask)
    }
}

impl Turns for RemoteResolver {
    fn ask(&self, instance: InstanceId, rank: usize, wait: Duration, tell: Tell) {
        let question = Question::Turn { instance, rank };
        let (ask, _) = self.shared.ask(question, wait, Waiting::Executor(tell));
        if let Err(error) = self.write(&ask) {
            self.shared.lose(error);
        }
    }
}

impl Drop for RemoteResolver {
    fn drop(&mut self) {
        (self.close)();
    }
}

impl Shared {
    fn ask(&self, question: Question, wait: Duration, waiting: Waiting) -> (Ask, Duration) {
        let mut state = self.lock();
        let ask = state.follower.ask(self.start.elapsed(), question, wait);
        state.waiting.insert(ask.id, waiting);
        (ask, wait.saturating_add(state.follower.grace()))
    }

    fn reply(&self, reply: Reply) {
        let mut state = self.lock();
        let Some((id, answer)) = state.follower.receive(reply) else { return };
        let waiting = state.waiting.remove(&id);
        drop(state);
        if let Some(waiting) = waiting {
            waiting.end(answer);
        }
    }

    fn lose(&self, error: Error) {
        self.lock().follower.lose(error);
        self.tick();
    }

    fn tick(&self) {
        let mut state = self.lock();
        let (_, given_up) = state.follower.tick(self.start.elapsed());
        let end = |(id, error)| Some((state.waiting.remove(&id)?, error));
        let ends: Vec<_> = given_up.into_iter().filter_map(end).collect();
        drop(state);
        for (waiting, error) in ends {
            waiting.end(Err(error));
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn strange() -> Error {
    Error::new(ErrorKind::Protocol, "the leader of the resolution answers another question")
}

#[cfg(test)]
mod tests;
