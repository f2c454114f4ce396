//! A leader and its workers over a simulated network that loses, repeats, delays and reorders
//! messages and kills workers, all from one seed.

use super::super::tests::registry;
use super::*;
use crate::resolve::{Follower, InstanceRequest, Member, StepSequences};
use ringwood_base::{DType, Shape};
use ringwood_schedule::Operation;

/// Numbers from a seed: SplitMix64.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB) % sides
    }
}

/// What a network does to messages, in percent, and to workers.
#[derive(Clone, Copy)]
struct Weather {
    loss: u64,
    repeat: u64,
    /// The longest delay of a message in milliseconds.
    delay: u64,
    deaths: usize,
}

enum Message {
    ToLeader(Worker, Ask),
    ToWorker(Worker, Reply),
    Death(Worker),
}

/// One worker: it joins the group, then resolves an all-reduce, a broadcast and a step.
struct Simulated {
    follower: Follower,
    stage: usize,
    alive: bool,
    /// The answers and errors, in order, with the times they came.
    outcomes: Vec<(Duration, std::result::Result<String, String>)>,
}

struct Simulation {
    dice: Dice,
    weather: Weather,
    now: Duration,
    leader: Leader,
    workers: Vec<Simulated>,
    /// By arrival; the number keeps equal times apart.
    network: BTreeMap<(Duration, u64), Message>,
    sent: u64,
}

const WAIT: Duration = Duration::from_secs(2);
const RESEND: Duration = Duration::from_millis(50);

impl Simulation {
    fn new(seed: u64, workers: usize, weather: Weather) -> Self {
        let worker = |_| Simulated {
            follower: Follower::new(RESEND),
            stage: 0,
            alive: true,
            outcomes: Vec::new(),
        };
        let mut all = Self {
            dice: Dice(seed),
            weather,
            now: Duration::ZERO,
            leader: Leader::new(registry()),
            workers: (0..workers).map(worker).collect(),
            network: BTreeMap::new(),
            sent: 0,
        };
        for _ in 0..weather.deaths {
            let (at, who) = (all.dice.roll(400), all.dice.roll(workers as u64));
            all.deliver(Duration::from_millis(at), Message::Death(who));
        }
        for worker in 0..workers {
            all.ask_next(worker);
        }
        all
    }

    fn deliver(&mut self, after: Duration, message: Message) {
        self.sent += 1;
        self.network.insert((self.now + after, self.sent), message);
    }

    /// Hands a message to the network, which may do as it likes.
    fn send(&mut self, message: impl Fn() -> Message) {
        let copies = 1 + u64::from(self.dice.roll(100) < self.weather.repeat);
        for _ in 0..copies {
            let delay = Duration::from_micros(self.dice.roll(self.weather.delay * 1000 + 1));
            if self.dice.roll(100) >= self.weather.loss {
                self.deliver(delay, message());
            }
        }
    }

    fn ask_next(&mut self, worker: usize) {
        let device = format!("/host:{worker}/cpu:0");
        let instance = |key, operation| {
            let request = InstanceRequest::new(key, operation, DType::F32, Shape::vector(8));
            let rooted = operation == Operation::Broadcast && worker == 1;
            let request = if rooted { request.root() } else { request };
            Question::Instance { group: 1, device: device.clone(), request }
        };
        let question = match self.workers[worker].stage {
            0 => Question::Join(Member::new(1, self.workers.len(), "cpu", &device)),
            1 => instance(5, Operation::AllReduce),
            2 => instance(6, Operation::Broadcast),
            3 => Question::Step { graph: 9 },
            _ => return,
        };
        let ask = self.workers[worker].follower.ask(self.now, question, WAIT);
        self.send(|| Message::ToLeader(worker as Worker, ask.clone()));
    }

    fn reply(&mut self, replies: Vec<(Worker, Reply)>) {
        for (worker, reply) in replies {
            self.send(|| Message::ToWorker(worker, reply.clone()));
        }
    }

    fn outcome(&mut self, worker: usize, answer: Result<Answer>) {
        let text = answer.map_err(|e| e.to_string()).map(|answer| match answer {
            // The positions of a member are its own.
            Answer::Instance(instance) => {
                format!("{} {:?}", instance.algorithm, instance.params)
            }
            answer => format!("{answer:?}"),
        });
        let state = &mut self.workers[worker];
        state.outcomes.push((self.now, text));
        state.stage += 1;
        self.ask_next(worker);
    }

    /// The next message, or the next millisecond.
    fn step(&mut self) {
        let tick = self.now + Duration::from_millis(5);
        let next = self.network.first_key_value().map(|(key, _)| *key).filter(|k| k.0 <= tick);
        let Some(key) = next else {
            self.now = tick;
            let replies = self.leader.tick(tick);
            self.reply(replies);
            for worker in 0..self.workers.len() {
                self.tick(worker);
            }
            return;
        };
        self.now = key.0;
        match self.network.remove(&key) {
            Some(Message::ToLeader(from, ask)) => {
                let replies = self.leader.receive(self.now, from, ask);
                self.reply(replies);
            }
            Some(Message::ToWorker(to, reply)) if self.workers[to as usize].alive => {
                if let Some((_, answer)) = self.workers[to as usize].follower.receive(reply) {
                    self.outcome(to as usize, answer);
                }
            }
            Some(Message::Death(worker)) => {
                self.workers[worker as usize].alive = false;
                let replies = self.leader.lost(self.now, worker);
                self.reply(replies);
            }
            Some(Message::ToWorker(..)) | None => {}
        }
    }

    fn tick(&mut self, worker: usize) {
        if !self.workers[worker].alive {
            return;
        }
        let (again, given_up) = self.workers[worker].follower.tick(self.now);
        for ask in again {
            self.send(|| Message::ToLeader(worker as Worker, ask.clone()));
        }
        for (_, error) in given_up {
            self.outcome(worker, Err(error));
        }
    }

    fn run(&mut self) {
        while self.workers.iter().any(|w| w.alive && w.stage < 4) {
            assert!(self.now < Duration::from_secs(60), "somebody waits for ever");
            self.step();
        }
    }
}

#[test]
fn a_network_that_loses_repeats_delays_and_reorders_changes_no_answer() {
    for seed in 0..300 {
        let weather = Weather { loss: 20, repeat: 20, delay: 80, deaths: 0 };
        let mut simulation = Simulation::new(seed, 2 + (seed % 4) as usize, weather);
        simulation.run();
        let first: Vec<_> = simulation.workers[0].outcomes.iter().map(|o| o.1.clone()).collect();
        assert!(first.iter().all(std::result::Result::is_ok), "seed {seed}: {first:?}");
        assert!(first[2].as_ref().unwrap().contains("root: 1"), "seed {seed}: {first:?}");
        for worker in &simulation.workers {
            let outcomes: Vec<_> = worker.outcomes.iter().map(|o| o.1.clone()).collect();
            assert_eq!(outcomes, first, "seed {seed}");
        }
    }
}

#[test]
fn deaths_at_any_time_are_one_error_for_every_worker_that_is_left() {
    let mut errors = 0;
    for seed in 0..600 {
        let weather = Weather { loss: 10, repeat: 10, delay: 60, deaths: 1 };
        let mut simulation = Simulation::new(seed, 4, weather);
        simulation.run();
        for stage in 0..4 {
            let living = simulation.workers.iter().filter(|w| w.alive);
            let outcomes: Vec<_> = living.map(|w| w.outcomes[stage].1.clone()).collect();
            let failed: Vec<_> = outcomes.iter().filter_map(|o| o.as_ref().err()).collect();
            // A worker that was answered before the death keeps its answer; errors are the same.
            assert!(failed.windows(2).all(|pair| pair[0] == pair[1]), "seed {seed}: {outcomes:?}");
            errors += failed.len();
            for text in failed {
                assert!(
                    text.contains("lost the worker of /host:") || text.contains("of 4 members"),
                    "seed {seed}: {text}"
                );
            }
        }
    }
    assert!(errors > 500, "{errors}");
}

#[test]
fn a_leader_that_nobody_reaches_is_given_up_within_the_bound() {
    let weather = Weather { loss: 100, repeat: 0, delay: 1, deaths: 0 };
    let mut simulation = Simulation::new(1, 2, weather);
    simulation.run();
    for worker in &simulation.workers {
        let (at, error) = &worker.outcomes[0];
        let text = error.as_ref().unwrap_err();
        assert_eq!(text, "the leader of the resolution did not answer question 1");
        assert!(*at <= WAIT + worker.follower.grace() + Duration::from_millis(10));
    }
}

fn ask(id: u64, question: Question) -> Ask {
    Ask { id, settled: 1, wait: WAIT, question }
}

fn join(device: &str, size: usize) -> Question {
    Question::Join(Member::new(1, size, "cpu", device))
}

fn errors(replies: Vec<(Worker, Reply)>) -> Vec<(Worker, String)> {
    replies.into_iter().map(|(w, r)| (w, r.answer.unwrap_err().text)).collect()
}

#[test]
fn members_that_do_not_come_are_named_to_those_who_did() {
    let mut leader = Leader::new(registry());
    assert!(leader.receive(Duration::ZERO, 1, ask(1, join("/host:0/cpu:0", 3))).is_empty());
    assert!(leader.receive(WAIT / 2, 2, ask(1, join("/host:2/cpu:0", 3))).is_empty());
    assert_eq!(leader.next_deadline(), Some(WAIT));
    assert!(leader.tick(WAIT - Duration::from_millis(1)).is_empty());
    let replies = errors(leader.tick(WAIT));
    let text = "group 1 has 2 of 3 members: /host:0/cpu:0, /host:2/cpu:0";
    assert_eq!(replies.len(), 2, "at the first deadline, both");
    assert!(replies.iter().all(|(_, t)| t.starts_with(text)), "{replies:?}");
    let late = errors(leader.receive(WAIT, 3, ask(1, join("/host:1/cpu:0", 3))));
    assert_eq!(late[0].1, replies[0].1);
}

#[test]
fn a_disagreement_about_an_instance_reaches_every_caller() {
    let mut leader = Leader::new(registry());
    for worker in 0..3 {
        leader.receive(Duration::ZERO, worker, ask(1, join(&format!("/host:{worker}/cpu:0"), 3)));
    }
    let instance = |worker: u64, dtype| {
        let request = InstanceRequest::new(7, Operation::Broadcast, dtype, Shape::vector(8));
        let device = format!("/host:{worker}/cpu:0");
        ask(2, Question::Instance { group: 1, device, request })
    };
    assert!(leader.receive(Duration::ZERO, 0, instance(0, DType::F32)).is_empty());
    let replies = errors(leader.receive(Duration::ZERO, 1, instance(1, DType::F64)));
    assert_eq!(replies.len(), 2);
    assert!(replies[0].1.starts_with("members disagree on the dtype of instance 7 of group 1"));
    let late = errors(leader.receive(Duration::ZERO, 2, instance(2, DType::F32)));
    assert!(late[0].1 == replies[0].1 && late[0].1 == replies[1].1);
}

#[test]
fn a_restarted_worker_and_one_that_asks_too_early_are_told() {
    let mut leader = Leader::new(registry());
    leader.receive(Duration::ZERO, 1, ask(1, join("/host:0/cpu:0", 1)));
    let replies = errors(leader.receive(Duration::ZERO, 2, ask(1, join("/host:0/cpu:0", 1))));
    assert!(replies[0].1.starts_with("/host:0/cpu:0 joins group 1 from two workers"));
    let request = InstanceRequest::new(7, Operation::AllReduce, DType::F32, Shape::vector(8));
    let early = Question::Instance { group: 2, device: "cpu:0".into(), request };
    let replies = errors(leader.receive(Duration::ZERO, 1, ask(2, early)));
    assert!(replies[0].1.starts_with("cpu:0 asks for an instance of group 2, which is not"));
}

#[test]
fn an_abort_answers_everyone_and_a_cancel_one_group() {
    let mut leader = Leader::new(registry());
    leader.receive(Duration::ZERO, 1, ask(1, join("/host:0/cpu:0", 2)));
    let replies = leader.receive(Duration::ZERO, 2, ask(1, Question::Cancel { group: 1 }));
    let texts: Vec<_> = replies.into_iter().map(|(w, r)| (w, r.answer.err())).collect();
    assert!(matches!(&texts[..], [(1, Some(fault)), (2, None)]
        if fault.text == "group 1 was cancelled before it was complete"));
    let fault = Fault { kind: ErrorKind::Aborted, text: "enough".into() };
    leader.receive(Duration::ZERO, 2, ask(2, Question::Abort(fault)));
    let replies = errors(leader.receive(Duration::ZERO, 3, ask(1, join("/host:1/cpu:0", 9))));
    assert_eq!(replies, [(3, "enough".to_owned())]);
}

#[test]
fn every_worker_retires_each_step_and_a_wrong_one_begins_a_new_sequence() {
    let mut steps = LeaderSteps::default();
    let first = steps.due(1);
    for worker in 0..3 {
        assert_eq!(steps.retire(1, first).unwrap(), steps.due(1), "worker {worker}");
    }
    let second = steps.due(1);
    assert_eq!(StepSequences::distance(first, second), 1);
    assert!(steps.retire(1, second ^ 5).is_err());
    let fresh = steps.due(1);
    assert_ne!(fresh, second);
    assert!(steps.retire(1, first).is_err());
    assert!(steps.retire(2, 0).is_err());
}
