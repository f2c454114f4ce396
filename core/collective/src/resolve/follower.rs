//! A worker's side of a resolution across processes: a state machine without threads or I/O.

use super::message::{Answer, Ask, Question, Reply};
use ringwood_base::{Error, ErrorKind, Result};
use std::collections::BTreeMap;
use std::time::Duration;

/// The questions of one worker to the [`Leader`](super::Leader): sent again until they are answered,
/// each answered once, and given up when the leader does not answer.
///
/// ```
/// use ringwood_collective::resolve::{Answer, Follower, Leader, Question};
/// use ringwood_base::registry::Registry;
/// use std::time::Duration;
///
/// let (start, minute) = (Duration::ZERO, Duration::from_secs(60));
/// let mut leader = Leader::new(Registry::default());
/// let mut follower = Follower::new(Duration::from_millis(100));
/// let ask = follower.ask(start, Question::Step { graph: 7 }, minute);
/// let (_, reply) = leader.receive(start, 1, ask).remove(0);
/// let (1, Ok(Answer::Step(_))) = follower.receive(reply.clone()).unwrap() else { panic!() };
/// assert!(follower.receive(reply).is_none(), "the same reply again");
/// ```
pub struct Follower {
    next: u64,
    open: BTreeMap<u64, Open>,
    resend: Duration,
    lost: Option<Error>,
}

struct Open {
    ask: Ask,
    send_again: Duration,
    deadline: Duration,
}

/// The leader has this many resends after the wait to tell who is late.
const GRACE: u32 = 20;

impl Follower {
    /// A worker that sends a question again when it has no answer after `resend`.
    pub fn new(resend: Duration) -> Self {
        Self { next: 1, open: BTreeMap::new(), resend, lost: None }
    }

    /// Asks a question whose answer may wait for other workers; what to send. Its number is the
    /// `id` of the message.
    pub fn ask(&mut self, now: Duration, question: Question, wait: Duration) -> Ask {
        let id = self.next;
        self.next += 1;
        let settled = self.open.keys().next().copied().unwrap_or(id);
        let ask = Ask { id, settled, wait, question };
        let deadline = now.saturating_add(wait).saturating_add(self.grace());
        let send_again = now.saturating_add(self.resend);
        self.open.insert(id, Open { ask: ask.clone(), send_again, deadline });
        ask
    }

    /// How long after its wait a question is given up for want of an answer.
    pub fn grace(&self) -> Duration {
        self.resend.saturating_mul(GRACE)
    }

    /// A reply has arrived: the number of the question and the answer, if it was still open.
    pub fn receive(&mut self, reply: Reply) -> Option<(u64, Result<Answer>)> {
        self.open.remove(&reply.id)?;
        Some((reply.id, reply.answer.map_err(Error::from)))
    }

    /// Time has passed: what to send again, and the questions that are given up.
    pub fn tick(&mut self, now: Duration) -> (Vec<Ask>, Vec<(u64, Error)>) {
        let mut again = Vec::new();
        let mut given_up = Vec::new();
        let settled = self.open.keys().next().copied().unwrap_or(self.next);
        let lost = self.lost.clone();
        let resend = self.resend;
        self.open.retain(|id, open| {
            if let Some(error) = &lost {
                given_up.push((*id, error.clone()));
            } else if open.deadline <= now {
                let message = format!("the leader of the resolution did not answer question {id}");
                given_up.push((*id, Error::new(ErrorKind::Timeout, message)));
            } else {
                if open.send_again <= now {
                    open.send_again = now.saturating_add(resend);
                    again.push(Ask { settled, ..open.ask.clone() });
                }
                return true;
            }
            false
        });
        (again, given_up)
    }

    /// The leader is lost: every question, open or asked later, is given up with the error at the
    /// next [`tick`](Follower::tick), unless an earlier one sticks.
    pub fn lose(&mut self, error: Error) {
        self.lost.get_or_insert(error);
    }
}
