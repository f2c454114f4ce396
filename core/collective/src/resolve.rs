//! Resolution: how callers that know only keys become the ranks of a group with equal parameters.
//!
//! Two stages, as in TensorFlow. The **group** stage gathers the members that name one group key
//! and orders them; the **instance** stage, keyed within the group, checks that all members mean the
//! same collective and completes its parameters. An error in either stage sticks, and every caller
//! gets the same one, whether it waits already or comes later.
//!
//! A [`GroupResolver`] serves the threads of one process. Across processes one of them runs the
//! [`Leader`], a state machine that a [`LeaderHost`] drives over streams, and each has a
//! [`RemoteResolver`]. The parts are pure: [`Subdivisions`] are the rings and trees of a collective,
//! [`StepSequences`] number the steps of a graph.

mod follower;
mod group;
mod instance;
mod leader;
mod locality;
mod message;
mod order;
mod remote;
mod steps;
mod subdivision;

pub use follower::Follower;
pub use group::{Member, ResolvedGroup};
pub use instance::{InstanceRequest, ResolvedInstance};
pub use leader::{Leader, Worker};
pub use locality::{Link, Locality};
pub use message::{Answer, Ask, Fault, Question, Reply};
pub use remote::{Channel, LeaderHost, RemoteResolver};
pub use steps::StepSequences;
pub use subdivision::{Cut, Subdivisions};

use super::{Communicator, Group};
use group::GroupRecord;
use instance::InstanceRecord;
use ringwood_base::deadline::deadline;
use ringwood_base::registry::Registry;
use ringwood_base::{Error, ErrorKind, Result};
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Resolves groups and instances inside one process.
///
/// Membership of a complete group never changes. Equivalent to TensorFlow's
/// `CollectiveParamResolverLocal`, with errors that reach every caller and with bounded waits.
///
/// ```
/// use ringwood_collective::resolve::{GroupResolver, Member};
/// use ringwood_base::registry::Registry;
///
/// let resolver = GroupResolver::new(Registry::default());
/// let group = std::thread::scope(|scope| {
///     scope.spawn(|| resolver.join(&Member::new(7, 2, "cpu", "cpu:10")));
///     resolver.join(&Member::new(7, 2, "cpu", "cpu:2"))
/// })?;
/// assert_eq!(group.members(), ["cpu:2", "cpu:10"]);
/// assert_eq!(group.rank(), 0);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
pub struct GroupResolver {
    registry: Arc<Registry>,
    timeout: Duration,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    groups: HashMap<u64, GroupRecord>,
    instances: HashMap<(u64, u64), InstanceRecord>,
    aborted: Option<Error>,
}

impl GroupResolver {
    /// A resolver that looks algorithms up in `registry` and waits for a minute.
    pub fn new(registry: impl Into<Arc<Registry>>) -> Self {
        Self {
            registry: registry.into(),
            timeout: Duration::from_secs(60),
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// The same with another bound on waits for other members.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout, ..self }
    }

    /// Joins a group and waits until it is complete. Joining again with the same device is allowed
    /// and gives the same answer.
    ///
    /// # Errors
    /// A member disagrees about size or device type, a rank is out of range or taken, the group is
    /// full, cancelled or aborted, or not complete in time. The first error sticks to the group and
    /// reaches every caller.
    pub fn join(&self, member: &Member) -> Result<ResolvedGroup> {
        let deadline = deadline(self.timeout);
        let mut state = self.lock();
        state.check()?;
        let record = state.groups.entry(member.group).or_insert_with(|| GroupRecord::new(member));
        if record.join(member) {
            self.changed.notify_all();
        }
        self.wait(state, deadline, |state, late| {
            let record = state.groups.get_mut(&member.group).expect("records are never removed");
            record.answer(member, late)
        })
    }

    /// Completes the parameters of a collective of a group.
    ///
    /// An operation without a root is answered at once; one with a root waits for all members, since
    /// its root is the one that claims to be it.
    ///
    /// # Errors
    /// Members disagree about operation, type, shape or algorithm, no member claims to be the root or two do,
    /// no algorithm fits, or a member does not come in time. The first error sticks to the instance
    /// and reaches every caller.
    pub fn instance(
        &self,
        group: &ResolvedGroup,
        request: &InstanceRequest,
    ) -> Result<ResolvedInstance> {
        let deadline = deadline(self.timeout);
        let key = (group.key(), request.key);
        let mut state = self.lock();
        state.check()?;
        let record = state.instances.entry(key).or_insert_with(|| InstanceRecord::new(request));
        record.arrive(group, request, &self.registry);
        self.changed.notify_all();
        self.wait(state, deadline, |state, late| {
            let record = state.instances.get_mut(&key).expect("records are never removed");
            record.answer(group, late)
        })
    }

    /// The communicator of a member of a complete group; each is handed out once.
    ///
    /// # Errors
    /// It was handed out before, or the transport cannot connect the group.
    pub fn communicator(&self, group: &ResolvedGroup) -> Result<Communicator> {
        let mut state = self.lock();
        state.check()?;
        let open = || {
            let builder = Group::builder(group.size()).registry(Arc::clone(&self.registry));
            builder.timeout(self.timeout).open()
        };
        let record = state.groups.get_mut(&group.key()).ok_or_else(|| {
            let message = format!("group {} is not one of this resolver", group.key());
            Error::new(ErrorKind::NotFound, message)
        })?;
        record.take_communicator(group.rank(), open)
    }

    /// Gives up on a group that is not complete: every member that waits, and every later one, gets
    /// an error. A complete group stays as it is.
    pub fn cancel(&self, group: u64) {
        let mut state = self.lock();
        if let Some(record) = state.groups.get_mut(&group) {
            record.cancel();
        }
        self.changed.notify_all();
    }

    /// Gives up on everything: all waiting and later callers get `error`, unless an earlier abort
    /// sticks.
    pub fn abort(&self, error: Error) {
        self.lock().aborted.get_or_insert(error);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until `answer` has one; it is asked with `true` after the deadline, and then must.
    fn wait<T>(
        &self,
        mut state: MutexGuard<'_, State>,
        deadline: Instant,
        mut answer: impl FnMut(&mut State, bool) -> Option<Result<T>>,
    ) -> Result<T> {
        loop {
            state.check()?;
            let left = deadline.saturating_duration_since(Instant::now());
            if let Some(answer) = answer(&mut state, left.is_zero()) {
                self.changed.notify_all();
                return answer;
            }
            let woken = self.changed.wait_timeout(state, left);
            state = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl State {
    fn check(&self) -> Result<()> {
        self.aborted.clone().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests;
