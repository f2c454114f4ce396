//! The faults: one row each.

use super::case::{Case, Seen};
use super::inject::*;
use super::kind::Kind;
use crate::Result;
use std::fmt;
use std::time::Duration;

/// When a fault is put in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Phase {
    /// While the workers start.
    Start,
    /// Between two calls.
    Idle,
    /// In a call.
    Call,
    /// In a collective.
    Collective,
    /// While tensors or messages travel.
    Transfer,
    /// While the session is shut down.
    End,
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "at start",
            Self::Idle => "idle",
            Self::Call => "in a call",
            Self::Collective => "in a collective",
            Self::Transfer => "in a transfer",
            Self::End => "at the end",
        })
    }
}

/// A fault, and what is to come of it.
pub(super) struct Row {
    /// Its group and number: A deaths and stalls, B calls that differ, C messages and files, D what is run, E lives.
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    pub(super) phases: &'static [Phase],
    /// By when it is reported on a machine that does nothing else, in milliseconds.
    pub(super) bound: u64,
    /// How the report begins and goes on, with a star for anything; empty where nothing is to be reported.
    pub(super) says: &'static str,
    pub(super) inject: fn(&Case) -> Result<Seen>,
    /// What is to be said where the fault ends a job of MPI; `None` where it does not.
    pub(super) job: Option<&'static str>,
    /// Commands of the shell that limit the processes of the case.
    pub(super) limits: &'static str,
    /// The kinds of sessions that cannot have this fault, as `mpi` or `mpi of MPICH`, and why.
    pub(super) not: &'static [(&'static str, &'static str)],
}

impl Row {
    /// Why sessions of this kind cannot have the fault.
    pub(super) fn not_on(&self, kind: &Kind) -> Option<&'static str> {
        let of = |(of, _): &&(&str, _)| [kind.session, &kind.to_string(), "*"].contains(of);
        self.not.iter().find(of).map(|(_, why)| *why)
    }

    /// By when it is reported in sessions of this kind, or its job is over.
    pub(super) fn bound_on(&self, kind: &Kind) -> Duration {
        let launcher = kind.launcher.and(self.job).map_or(0, |_| LAUNCHER);
        Duration::from_millis(self.bound + BUSY + launcher)
    }

    /// Whether anything is to be reported in sessions of this kind.
    pub(super) fn tells_on(&self, kind: &Kind) -> bool {
        !kind.launcher.and(self.job).unwrap_or(self.says).is_empty()
    }

    const fn job(self, says: &'static str) -> Self {
        Self { job: Some(says), ..self }
    }

    const fn limited(self, limits: &'static str) -> Self {
        Self { limits, ..self }
    }

    const fn not(self, not: &'static [(&'static str, &'static str)]) -> Self {
        Self { not, ..self }
    }
}

const fn row(
    id: &'static str,
    name: &'static str,
    phases: &'static [Phase],
    bound: u64,
    says: &'static str,
    inject: fn(&Case) -> Result<Seen>,
) -> Row {
    Row { id, name, phases, bound, says, inject, job: None, limits: "", not: &[] }
}

/// A fault that no session can have.
const fn none(
    id: &'static str,
    name: &'static str,
    why: &'static [(&'static str, &'static str); 1],
) -> Row {
    row(id, name, &[Start], 0, "", |_| Ok(Seen::default())).not(why)
}

use Phase::{Call, Collective, End, Idle, Start, Transfer};

type Not = &'static [(&'static str, &'static str)];

const DIES: Not = &[("threads", "a thread does not die alone: the program ends with it")];
const NO_PROCESS: Not = &[DIES[0], ("mpi", "of processes: of ranks it is A2")];
const NO_RANK: Not = &[DIES[0], ("mpi", "of processes: of ranks it is the next row")];
const STARTS_AGAIN: Not =
    &[DIES[0], ("mpi", "a rank that is dead is not started again: the job ends")];
const NO_STREAM: Not = &[
    ("threads", "threads share memory: there is no stream between them"),
    ("mpi", "MPI carries the messages: there is no stream to change them in"),
];
const NO_CHILD: Not = &[
    ("threads", "a thread of the program is no program that can be missing"),
    (
        "mpi",
        "the launcher starts the ranks: it says what it cannot start, and A10 is of those that do not come",
    ),
];
const NO_FILE: Not = &[
    ("threads", "threads share memory: tensors are not copied on their way"),
    ("mpi", "MPI carries tensors: there is no file of memory for them"),
];
const STOPS: Not = &[("threads", "a thread is not stopped alone: the controller stops with it")];
const STOPS_HERE: Not = &[STOPS[0], ("mpi", "of processes: of ranks it is the next row, and A10")];
const GOES_ON: Not = &[STOPS[0], ("mpi", "the job ends before it goes on")];
const OF_LAUNCHER: (&str, &str) = ("mpi", "the launcher starts the ranks, within its own limits");
const ONLY_MPI: Not = &[
    ("threads", "of ranks that a launcher starts"),
    ("processes", "of ranks that a launcher starts"),
];

/// What the session says comes half a second after the death, when the others had time to end.
const ENDS_ALL: Not = &[
    ONLY_MPI[0],
    ONLY_MPI[1],
    ("mpi of MPICH", "its launcher ends all ranks at once, and names any of them"),
];

/// What is said where a rank dies: by the controller, by the launcher of Open MPI, by that of MPICH where it ends the
/// controller sooner, or by UCX, which ends the controller as it copies from the rank's memory.
const KILLED: &str = "{worker} has died*{doing}|*rank {rank} *signal 9|*PID {process} *signal 9|*process_vm_readv(pid={process} *No such process";
const ABORTED: &str = "{worker} has died*{doing}|*rank {rank} *signal 6|*PID {process} *signal 6";
const NO_CONTROLLER: &str = "*rank 0 with*signal 9|*the controller, rank 0, has died";

/// Milliseconds that a machine takes longer which runs several cases on each core, and other programs.
const BUSY: u64 = 900;
/// Milliseconds until a launcher has ended the others.
const LAUNCHER: u64 = 9_000;

#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    row("A1", "kill -9", &[Start, Idle, Call, Collective, Transfer, End], 100,
        "{worker} was killed by signal 9 (SIGKILL)*{doing}", |c| signalled(c, "KILL")).not(NO_PROCESS),
    row("A2", "kill -9 of a rank", &[Start, Idle, Call, Collective, Transfer], 100, "", |c| signalled(c, "KILL")).job(KILLED).not(ONLY_MPI),
    row("A2", "kill -9 of a rank as it ends", &[End], 100, "", |c| signalled(c, "KILL")).job(KILLED).not(ENDS_ALL),
    row("A3", "exit", &[Call, Collective, Transfer], 100,
        "{worker} ended with exit code 3; it *{doing}", |c| acted(c, "exit"))
        .job("{worker} has died*{doing}|*1],{rank}]*Exit code: *3").not(DIES),
    row("A3", "abort", &[Call, Collective], 500,
        "{worker} was killed by signal 6 (SIGABRT); it *{doing}", |c| acted(c, "abort")).job(ABORTED).not(DIES),
    row("A3", "invalid access", &[Call, Collective], 500,
        "{worker} was killed by signal 11 (SIGSEGV); it *{doing}", |c| crashed(c, "SEGV")).job("{worker} has died*{doing}|*rank {rank} *signal 11|*PID {process} *signal 11").not(DIES),
    row("A3", "bus error", &[Call], 500,
        "{worker} was killed by signal 7 (SIGBUS); it *{doing}", |c| crashed(c, "BUS")).job("{worker} has died*{doing}|*rank {rank} *signal 7|*PID {process} *signal 7").not(DIES),
    row("A3", "stack overflow", &[Call, Collective], 500,
        "{worker} was killed by signal 6 (SIGABRT); it *{doing}", |c| acted(c, "overflow")).job(ABORTED).not(DIES),
    row("A3", "out of memory, abort", &[Call, Collective], 500,
        "{worker} was killed by signal 6 (SIGABRT); it *{doing}", |c| acted(c, "allocate")).job(ABORTED).not(DIES),
    row("A4", "panic", &[Call, Collective, Transfer], 100,
        "worker {victim} of 3: global function `fault_act` panicked: rehearsed (cli/src/faults/acts.rs:", |c| acted(c, "panic")),
    row("A4", "error", &[Call, Collective, Transfer], 100,
        "worker {victim} of 3: global function `fault_act` failed: rehearsed", |c| acted(c, "error")),
    row("A5", "panic without a text", &[Call, Collective], 100,
        "worker {victim} of 3: global function `fault_act` panicked: a payload that is not text", |c| acted(c, "panic oddly")),
    row("A5", "panic, and again at the end", &[Call, Collective], 100,
        "worker {victim} of 3: global function `fault_act` panicked: rehearsed", |c| acted(c, "panic with a state")),
    row("A5", "panic that holds a lock", &[Call, Collective], 100,
        "worker {victim} of 3: global function `fault_act` panicked: rehearsed", |c| acted(c, "panic in a loan")),
    row("A6", "stop", &[Start, Idle, Call, Collective, Transfer, End], 5_000,
        "{worker} has been silent for 2.* s: it is stopped*{doing}", |c| signalled(c, "STOP")).not(STOPS_HERE),
    row("A6", "stop of a rank", &[Idle, Call, Collective, Transfer, End], 5_000, "", |c| signalled(c, "STOP")).job("{worker} has been silent for 2.*{doing}").not(ONLY_MPI),
    row("A6", "stop, and go on in time", &[Idle, Call, Collective], 15_000, "", stopped_for_a_while).not(STOPS),
    row("A6", "stop, and go on too late", &[Collective], 5_000,
        "{worker} has been silent for 2.* s: it is stopped", stopped_for_too_long).not(GOES_ON),
    row("A7", "slow worker", &[Call, Collective, Transfer], 5_000, "", |c| acted(c, "sleep:2500")),
    row("A8", "busy for too long", &[Call], 5_000,
        "1 of 3 workers did not answer within 1s: worker {victim} runs `fault_act`, call ", too_long),
    row("A8", "busy while others wait", &[Collective], 5_000,
        "*workers did not answer within 1s: *worker {victim} runs `fault_act`|worker *rank {victim} of 3 did not come to call #2 in time", too_long),
    row("A9", "program that is not there", &[Start], 1_000, "cannot start worker 0 of 3: No such file", |c| program(c, "/nowhere/worker")).not(NO_CHILD),
    row("A9", "program that may not run", &[Start], 1_000, "cannot start worker 0 of 3: Permission denied", |c| program(c, "/etc/passwd")).not(NO_CHILD),
    row("A9", "program that ends at once", &[Start], 1_000, "worker *ended with exit code 5 before it was ready", |c| script(c, "exit 5")).not(NO_CHILD),
    row("A9", "device that runs nothing", &[Start], 1_000, "worker 1 of 3: null: `stream` is not supported", no_device),
    row("A9", "program that closes its stream", &[Start], 5_000, "worker *closed its stream to the controller before it was ready", |c| script(c, "exec 0</dev/null; exec sleep 9")).not(NO_CHILD),
    row("A10", "program that says nothing", &[Start], 33_000, "worker 0 of 3 did not start in time", |c| script(c, "exec sleep 60")).not(NO_CHILD),
    row("A10", "rank that stands still", &[Start], 33_000, "", stands_still)
        .job("*rank {victim} of 3 did not come to mpi:|worker {victim} of 3 did not start in time").not(ONLY_MPI),
    row("A10", "rank that does not start MPI", &[Start], 62_000, "", as_ever).job("*ends the job in MPI_Init_thread: it did not end within 60s")
        .limited("[ \"${OMPI_COMM_WORLD_RANK:-$PMI_RANK}\" = 3 ] && exec sleep 120;").not(ONLY_MPI),
    row("A11", "kill -9 of the controller", &[Idle, Call, Collective], 1_000, "the controller was ended by signal 9, and nothing is left", |c| controller(c, "KILL")).job(NO_CONTROLLER),
    row("A11", "kill -9 of the controller of a stopped worker", &[Idle], 1_000, "the controller was ended by signal 9, and nothing is left", controller_of_stopped).job("*rank *with*signal 9|*the controller, rank 0, has died").not(STOPS),
    row("A11", "kill -9 of the launcher", &[Idle, Call, Collective], 1_000, "", |c| launcher(c, "KILL")).job("signal: 9 (SIGKILL)").not(ONLY_MPI),
    row("A12", "Ctrl-C", &[Idle, Call, Collective], 1_000, "the controller was ended by signal 2, and nothing is left", |c| told_to_end(c, "INT")).job("exit status: "),
    row("A12", "SIGTERM", &[Idle, Call, Collective], 1_000, "the controller was ended by signal 15, and nothing is left", |c| told_to_end(c, "TERM")).job("exit status: "),
    row("A13", "workers that wait for each other", &[Transfer], 1_000, "workers wait for each other: worker 0 of 3 waits in recv #1 from worker 1*for worker 1, which waits in recv #1 from worker 0*", crossed),
    row("A14", "two deaths at once", &[Call, Collective], 1_000, "worker *was killed by signal 9 (SIGKILL); it ", twice_killed).job("worker *has died; it |*signal 9").not(DIES),
    row("A14", "death while it starts again", &[Start], 1_000, "{worker} was killed by signal 9 (SIGKILL)", killed_in_recovery).not(STARTS_AGAIN),
    row("A15", "kill -9 of worker 0", &[Idle, Collective, End], 100,
        "{worker} was killed by signal 9 (SIGKILL)", |c| signalled(c, "KILL")).not(NO_RANK),
    row("A15", "kill -9 of the rank of worker 0", &[Idle, Collective], 100, "", |c| signalled(c, "KILL")).job(KILLED).not(ONLY_MPI),
    row("A15", "kill -9 of the rank of worker 0 as it ends", &[End], 100, "", |c| signalled(c, "KILL")).job(KILLED).not(ENDS_ALL),
    row("A16", "controller that stands still", &[Idle, Collective], 15_000, "", controller_stands_still),

    row("B1", "other operation", &[Collective], 100, "worker *of 3*in operation*rank {victim} ", |c| acted(c, "operation")),
    row("B2", "other reduce operator", &[Collective], 100, "worker *of 3*rank {victim} ", |c| acted(c, "reduce operator")),
    row("B3", "other element type", &[Collective], 100, "worker *of 3*rank {victim} ", |c| acted(c, "element type")),
    row("B4", "other count", &[Collective], 100, "worker *of 3*in count*rank {victim} ", |c| acted(c, "count")),
    row("B5", "other shape of as many elements", &[Collective], 100, "worker *of 3*in shape*rank {victim} ", |c| acted(c, "shape")),
    row("B6", "other root", &[Collective], 100, "worker *of 3*in root*rank {victim} ", |c| acted(c, "root")),
    row("B7", "other order", &[Collective], 100, "worker *of 3*in operation*rank {victim} ", |c| acted(c, "order")),
    row("B8", "other members", &[Collective], 100,
        "workers disagree in `fault_act`: worker {victim} of 3 returned after 1 collectives, worker *waits in all_reduce", other_members),
    row("B9", "other algorithm", &[Collective], 100, "worker *of 3*rank {victim} ", |c| acted(c, "algorithm")),
    row("B9", "unknown algorithm", &[Collective], 100, "worker *of 3*no collective `rnig`*rank {victim}", |c| acted(c, "unknown algorithm")),
    row("B10", "other kind of device", &[Collective], 100, "worker *of 3*rank {victim} ", |c| acted(c, "device")),
    row("B11", "one that is left out", &[Collective], 100,
        "workers disagree in `fault_act`: worker {victim} of 3 returned after 1 collectives", |c| acted(c, "return")),
    row("B12", "one too many", &[Collective], 100,
        "workers disagree in `fault_act`: worker *of 3 returned after 2 collectives, worker {victim} waits in all_reduce", |c| acted(c, "extra")),
    row("B13", "buffers apart, not in place", &[Collective], 100, "worker *of 3*rank {victim} ", |c| acted(c, "buffers")),
    row("B13", "tensors that overlap", &[Collective], 100, "worker *of 3*share memory*rank {victim}", |c| acted(c, "overlap")),
    row("B14", "other matrix of counts", &[Collective], 100, "worker *of 3*rank {victim} ", |c| acted(c, "count matrix")),
    row("B15", "message that is not sent", &[Transfer], 100,
        "workers disagree in `fault_act`: worker {victim} of 3 returned, worker *waits in recv from it", |c| acted(c, "return")),
    row("B15", "message of another length", &[Transfer], 100, "worker *of 3*rank {victim} sends 3 elements of f64, rank *receives 1", |c| acted(c, "message size")),
    row("B15", "message that is sent twice", &[Transfer], 100,
        "workers disagree in `fault_act`: worker *of 3 returned, worker {victim} waits in send to it", |c| acted(c, "message twice")),
    row("B15", "message to itself", &[Transfer], 100, "worker {victim} of 3: global function `fault_act` failed: rank {victim} of 3 cannot exchange a message with rank {victim}", |c| acted(c, "message to itself")),
    none("B16", "other plan, program or setting", &[("*", "every case has one program; workers whose version or functions differ do not start, which the tests of sessions try; what a worker plans or is set to is in each call, B1 to B10")]),
    row("B17", "few elements, or none", &[Collective], 5_000, "", |c| acted(c, "few elements")),
    row("B18", "values that are no numbers, sums that overflow", &[Collective], 5_000, "", |c| acted(c, "odd values")),
    row("B19", "other count, twice", &[Collective], 200, "worker *of 3*in count*rank {victim} ", |c| acted_twice(c, "count")),

    row("C1", "truncated message", &[Start, Call, Collective, Transfer], 5_000, "{worker} ended with exit code 0", |c| wired(c, "truncated")).not(NO_STREAM),
    row("C2", "corrupt message", &[Start, Call, Collective, Transfer], 5_000, "{worker} speaks another language*its checksum is wrong", |c| wired(c, "corrupt")).not(NO_STREAM),
    row("C2", "corrupt order", &[Call, Transfer], 5_000, "{worker} ended with exit code 70", |c| wired(c, "order corrupt")).not(NO_STREAM),
    row("C3", "oversized message", &[Start, Call, Collective, Transfer], 5_000, "{worker} speaks another language*its 4294967295 bytes exceed 67108864", |c| wired(c, "oversized")).not(NO_STREAM),
    row("C3", "oversized order", &[Call], 5_000, "{worker} ended with exit code 70", |c| wired(c, "order oversized")).not(NO_STREAM),
    row("C4", "message that drips", &[Call, Collective, Transfer], 5_000, "{worker} has been silent for 2.", |c| wired(c, "drip")).not(NO_STREAM),
    row("C4", "silent stream", &[Call, Collective, Transfer], 5_000, "{worker} has been silent for 2.", |c| wired(c, "silent")).not(NO_STREAM),
    row("C4", "message that is lost", &[Transfer], 6_000, "1 of 3 workers did not answer within 4s: worker {victim} ", |c| wired(c, "lost")).not(NO_STREAM),
    row("C4", "message without its file", &[Transfer], 5_000, "{worker} speaks another language*comes without its file", |c| wired(c, "without its file")).not(NO_STREAM),
    row("C5", "message that comes twice", &[Transfer], 25_000, "", |c| wired(c, "repeated")).not(NO_STREAM),
    row("C6", "strangers that connect", &[Idle], 5_000, "", listeners).not(&[("mpi", "no socket is of Ringwood: those of MPI are its own")]),
    row("C6", "garbage", &[Start, Call, Collective, Transfer], 5_000, "{worker} speaks another language*it does not begin as one", |c| wired(c, "garbage")).not(NO_STREAM),
    none("C7", "wrong token", &[("*", "no session has a token: streams are inherited")]),
    row("C8", "other version", &[Start, Call], 5_000, "{worker} speaks another language*it is of version 10", |c| wired(c, "of another version")).not(NO_STREAM),
    row("C9", "no more descriptors", &[Start], 5_000, "cannot ", too_many).limited("ulimit -n 64;").not(&[("threads", "a worker that is a thread takes none"), OF_LAUNCHER]),
    row("C9", "no more memory for stacks", &[Start], 5_000, "cannot start worker ", too_many).limited("ulimit -v 16000000;").not(&[("processes", "their stacks are their own"), OF_LAUNCHER]),
    row("C10", "no room for a tensor", &[Transfer], 5_000, "worker 0 of 3 gets no message: no 33554432 bytes of memory", no_room).limited("trap '' XFSZ; ulimit -f 16384;").not(NO_FILE),
    row("C10", "no room for a result", &[Transfer], 5_000, "worker {victim} of 3: no 33554432 bytes of memory", no_room_back).limited("trap '' XFSZ; ulimit -f 16384;").not(NO_FILE),
    row("C11", "full disk", &[Call, Collective, Transfer], 5_000, "worker {victim} of 3: global function `fault_act` failed: cannot write /dev/full: No space left on device", |c| acted(c, "full disk")),
    none("C12", "damaged cache", &[("*", "caches are of compiled kernels, not of sessions: core/kernel/src/cache/tests.rs")]),
    none("C13", "cache that two write", &[("*", "caches are of compiled kernels, not of sessions: core/kernel/src/cache/tests.rs")]),
    row("C14", "heir of a dead worker", &[Call], 1_000, "{worker} was killed by signal 9 (SIGKILL)", leaves_an_heir).job("{worker} has died; it is between two operations").not(DIES),
    row("C15", "reader that is gone", &[Idle], 5_000, "", as_ever).limited("exec >&- 2>&-;"),

    none("D1-D9", "files of models", &[("*", "files are read before a session knows of them: models/tests/malformed.rs, fuzz/")]),
    row("D10", "function that is not there", &[Idle], 100, "no global function `fault_nothing`", |c| wrong_call(c, "name")),
    none("D11-D13", "kernels that do not build, launch or stay in bounds", &[("*", "of devices, not of sessions: tests/conformance, suites sources, refusals and failures")]),
    row("D14", "device out of memory", &[Call, Collective, Transfer], 100, "worker {victim} of 3: global function `fault_act` failed: *memory", |c| acted(c, "device memory")),
    row("D14", "shared memory that is not there", &[Call, Collective], 100, "worker {victim} of 3: global function `fault_act` failed: ", |c| acted(c, "shared memory")),
    none("D15", "streams and events", &[("*", "of devices, not of sessions: tests/conformance, suites events and concurrency")]),
    row("D16", "handle of before", &[Idle], 100, "the handle is stale", stale),
    row("D17", "other number of arguments", &[Idle], 100, "*fault_sum", |c| wrong_call(c, "number")),
    row("D17", "other type of an argument", &[Idle], 100, "*fault_meet", |c| wrong_call(c, "type")),
    row("D17", "argument of 10 MB", &[Idle], 100, "*1048576", |c| wrong_call(c, "size")),

    row("E1", "drop in flight", &[Call, Collective], 5_000, "session * has been shut down", dropped),
    row("E2", "calls that are given up", &[Idle], 5_000, "", given_up),
    none("E3", "fork of the controller", &[("*", "safe Rust cannot fork; programs that are started inherit no stream: C14")]),
    row("E4", "sessions that come and go", &[Start], 600_000, "", cycles),
    none("E5", "24 hours of faults", &[("*", "this command with `--repeat`")]),
    none("E6", "counters that wrap", &[("*", "calls, messages and requests are counted in 64 bits from 0, restarts in 32; what wraps sooner, a rank's progress: core/transport/src/board.rs")]),
    row("E7", "two sessions at once", &[Idle], 5_000, "", beside_another).not(&[("mpi", "its ranks are in one session at a time: the next row")]),
    row("E7", "second session of the same ranks", &[Idle], 100, "the processes of MPI are in another session of this program", second_of_ranks).not(ONLY_MPI),
    row("E8", "no standard input", &[Idle], 5_000, "", as_ever).limited("exec <&-;"),
];
