//! Faults of the life of a session: how controllers end, what limits a process, what is dropped when.

use super::super::acts;
use super::super::case::{Case, Seen, WORKERS, wrong_unless};
use super::super::mpi;
use super::super::system::{self, signal};
use super::super::table::Phase;
use super::{ms, refused};
use crate::session::{HostTensor, Session};
use crate::{Error, Result};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A process with a session in this case's phase, as somebody else sees it.
struct Controller {
    child: Child,
    workers: Vec<u32>,
}

impl Controller {
    fn start(case: &Case) -> Result<Self> {
        let failed = |cause| Error::unavailable("no controller").because(cause);
        let kind = format!("{}|{}", case.kind.session, case.phase);
        let program = std::env::current_exe().map_err(failed)?;
        let mut command = Command::new(&program);
        if system::ignores_interrupts() {
            command = Command::new("env");
            command.arg("--default-signal=INT").arg(program);
        }
        command.args(["faults", "--controller", &kind]);
        let child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().map_err(failed)?;
        let expected = if case.is("processes") { WORKERS } else { 0 };
        let find = || system::children_of(child.id(), "ringwood-worker");
        let is_up = || {
            find().len() == expected && system::entries(format!("/proc/{}/task", child.id())) > 1
        };
        let up = system::until(Duration::from_secs(10), is_up);
        wrong_unless(up, || format!("the controller has {} workers", find().len()))?;
        // The workers come to what they are to do.
        std::thread::sleep(ms(300));
        let workers = find();
        Ok(Self { child, workers })
    }

    /// Ends it, and says how that went.
    fn end(mut self, name: &str) -> Result<Seen> {
        let start = Instant::now();
        signal(self.child.id(), name);
        let failed = |cause| Error::unavailable("no end").because(cause);
        let status = self.child.wait().map_err(failed)?;
        let gone = || self.workers.iter().all(|&worker| !system::is_there(worker));
        let left = if system::until(Duration::from_secs(5), gone) { "nothing" } else { "a worker" };
        let signal = status.signal().unwrap_or(0);
        let said = format!("the controller was ended by signal {signal}, and {left} is left");
        Ok(Seen { said: vec![said], took: start.elapsed(), process: None })
    }
}

pub(in super::super) fn controller(case: &Case, name: &str) -> Result<Seen> {
    if case.kind.launcher.is_some() {
        let me = std::process::id();
        return mpi::at_work(case, || signal(me, name), me);
    }
    Controller::start(case)?.end(name)
}

/// Told to end from outside, as by a terminal or a batch system.
pub(in super::super) fn told_to_end(case: &Case, name: &str) -> Result<Seen> {
    if case.kind.launcher.is_some() { launcher(case, name) } else { controller(case, name) }
}

pub(in super::super) fn launcher(case: &Case, name: &str) -> Result<Seen> {
    let launcher = mpi::launcher();
    mpi::at_work(case, || signal(launcher, name), launcher)
}

pub(in super::super) fn controller_of_stopped(case: &Case) -> Result<Seen> {
    if case.kind.launcher.is_some() {
        let (me, stopped) = (std::process::id(), case.await_victim());
        return mpi::at_work(
            case,
            || signal(stopped, &format!("STOP {stopped}; kill -KILL {me}")),
            me,
        );
    }
    let controller = Controller::start(case)?;
    // One that is stopped sees no stream close.
    signal(controller.workers[0], "STOP");
    controller.end("KILL")
}

/// What such a controller does until it is ended.
pub(in super::super) fn be_controller(what: &str) -> Result<()> {
    let (kind, phase) = what.split_once('|').unwrap_or((what, ""));
    let session = Session::builder().kind(kind).workers(WORKERS).devices(["cpu"]).start()?;
    match phase {
        "in a collective" => drop(acts::meet::call(&session, 0)?),
        "in a call" => drop(acts::act::call(&session, 1, phase, "sleep:20000")?),
        _ => {}
    }
    std::thread::sleep(Duration::from_secs(20));
    session.shutdown()
}

/// The controller is stopped for longer than a worker may be silent, and goes on.
pub(in super::super) fn controller_stands_still(case: &Case) -> Result<Seen> {
    case.unharmed(|session| {
        let me = std::process::id();
        let script = format!("kill -STOP {me}; sleep 3; kill -CONT {me}");
        let busy = case.phase == Phase::Collective;
        let result = busy.then(|| case.act(session, "sleep:500")).transpose()?;
        let failed = |cause| Error::unavailable("no shell").because(cause);
        Command::new("sh").args(["-c", &script]).status().map_err(failed)?;
        result.map_or(Ok(()), |result| result.wait())
    })
}

/// More workers than the process has descriptors or memory for.
pub(in super::super) fn too_many(case: &Case) -> Result<Seen> {
    let builder = case.builder();
    Ok(refused(match case.kind.session {
        "threads" => builder.workers(64).stack_size(1 << 30),
        _ => builder.workers(64),
    }))
}

/// A tensor for which there is no room on the way.
pub(in super::super) fn no_room(case: &Case) -> Result<Seen> {
    let tensor = HostTensor::new(&[8 << 20], &vec![1.0_f32; 8 << 20])?;
    case.refused(|session| acts::echo::call(session, tensor, "")?.wait())
}

/// A result for which there is no room on the way.
pub(in super::super) fn no_room_back(case: &Case) -> Result<Seen> {
    case.refused(|session| acts::fill::call(session, 8_usize << 20)?.get(case.victim))
}

/// A worker dies whose own child keeps what it inherits.
pub(in super::super) fn leaves_an_heir(case: &Case) -> Result<Seen> {
    let session = case.session()?;
    let process = case.await_victim();
    acts::act::call(&session, case.victim, "in a call", "heir")?.wait()?;
    case.strikes(process);
    let start = Instant::now();
    signal(process, "KILL");
    let seen = Seen::of(super::first_failure(&session, ms(10_000)), start);
    drop(session);
    // A job that ends is given less time, and its launcher waits for the heir.
    if case.ends_job().is_none() {
        std::thread::sleep(ms(2_200));
    }
    Ok(Seen { process: Some(process), ..seen })
}

/// The session is dropped while its workers are at work, from a thread of its own.
pub(in super::super) fn dropped(case: &Case) -> Result<Seen> {
    let session = case.builder().timeout(ms(2_000)).start()?;
    let result = match case.phase {
        Phase::Collective => acts::meet::call(&session, case.victim)?.typed::<f64>(),
        _ => acts::act::call(&session, case.victim, "in a call", "sleep:300")?,
    };
    let start = Instant::now();
    std::thread::scope(|scope| drop(scope.spawn(move || drop(session))));
    Ok(Seen::of(result.wait(), start))
}

/// A handle of before the session was started again.
pub(in super::super) fn stale(case: &Case) -> Result<Seen> {
    let session = case.session()?;
    let old = acts::sum::call(&session)?;
    session.recover()?;
    let start = Instant::now();
    let seen = Seen::of(old.get(0), start);
    case.is_right(&session)?;
    Ok(seen)
}

/// Sessions that come and go, a part of which fail.
pub(in super::super) fn cycles(case: &Case) -> Result<Seen> {
    let rounds = match (case.long, case.kind.session) {
        (true, _) => 10_000,
        (_, "threads") => 400,
        _ => 24,
    };
    let start = Instant::now();
    let mut half = (Vec::new(), 0);
    for round in 0..rounds {
        let session = case.builder().workers(1 + round % 3).start()?;
        match round % 4 {
            0 => case.is_right(&session)?,
            1 => drop(acts::act::call(&session, 0, "in a call", "panic")?.wait()),
            2 => session.shutdown()?,
            _ => {
                session.recover()?;
                drop(session);
                wrong_unless(super::no_device(case)?.said.len() == 1, || "no refusal".into())?;
            }
        }
        if round == rounds / 2 {
            half = (system::held().to_vec(), system::resident());
        }
    }
    let grown = system::resident().saturating_sub(half.1) / (rounds / 2).max(1);
    wrong_unless(!case.long || grown < 64, || format!("{grown} bytes more for each session"))?;
    Ok(Seen::nothing(start))
}

/// Two sessions at one time, of which one fails.
pub(in super::super) fn beside_another(case: &Case) -> Result<Seen> {
    let (one, two) = (case.session()?, case.session()?);
    let start = Instant::now();
    let failed = acts::act::call(&one, case.victim, "in a call", "panic")?.wait().is_err();
    case.is_right(&two)?;
    wrong_unless(failed, || "the panic was not told".into())?;
    Ok(Seen::nothing(start))
}

/// A session on ranks that are in one.
pub(in super::super) fn second_of_ranks(case: &Case) -> Result<Seen> {
    case.refused(|_| case.builder().start())
}

/// Calls whose results are given up while they run, among others.
pub(in super::super) fn given_up(case: &Case) -> Result<Seen> {
    case.unharmed(|session| {
        let calls = (0..16).map(|_| acts::sum::call(session)).collect::<Result<Vec<_>>>()?;
        calls.into_iter().step_by(2).try_for_each(|sums| case.are_right(&sums.gather()?))
    })
}

/// A session as ever, in a process that is limited in some way.
pub(in super::super) fn as_ever(case: &Case) -> Result<Seen> {
    case.unharmed(|_| Ok(()))
}

/// A call that is wrong in itself: no worker is asked.
pub(in super::super) fn wrong_call(case: &Case, how: &str) -> Result<Seen> {
    case.refused(|session| match how {
        "name" => session.call("fault_nothing", ()),
        "number" => session.call("fault_sum", (1_i64,)),
        "type" => session.call("fault_meet", ("one",)),
        _ => session.call("fault_act", (0_usize, "in a call", "x".repeat(10 << 20))),
    })
}
