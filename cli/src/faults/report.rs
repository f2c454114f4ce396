//! What came of all cases.

use super::ROWS;
use super::case::Verdict;
use super::kind::Kind;
use super::run::Outcome;
use super::table::Row;
use crate::output::{Table, counted};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

#[derive(Serialize)]
pub(super) struct Report {
    #[serde(flatten)]
    counts: Counts,
    not_applicable: usize,
    /// Those of the faults that are to be reported, for each kind of session.
    times: BTreeMap<String, Times>,
    rows: Vec<Line>,
    reasons: Vec<Reason>,
}

/// What came of some cases.
#[derive(Clone, Copy, Default, Serialize)]
struct Counts {
    injected: usize,
    detected: usize,
    named: usize,
    in_time: usize,
    hangs: usize,
    leaks: usize,
}

impl Counts {
    fn of(verdict: &Verdict, bound_seconds: f64, hung: bool) -> Self {
        Self {
            injected: 1,
            detected: usize::from(verdict.detected),
            named: usize::from(verdict.detected && verdict.named),
            in_time: usize::from(verdict.detected && verdict.seconds <= bound_seconds),
            hangs: usize::from(hung),
            leaks: verdict.leaks.len(),
        }
    }

    fn add(&mut self, other: Self) {
        self.injected += other.injected;
        self.detected += other.detected;
        self.named += other.named;
        self.in_time += other.in_time;
        self.hangs += other.hangs;
        self.leaks += other.leaks;
    }

    /// Whether every fault was detected, rightly named and in time, and nothing is left.
    fn is_right(&self) -> bool {
        [self.detected, self.named, self.in_time] == [self.injected; 3]
            && self.hangs + self.leaks == 0
    }
}

/// What came of one fault in one kind of session.
#[derive(Default, Serialize)]
struct Line {
    id: &'static str,
    fault: &'static str,
    session: String,
    phases: Vec<String>,
    #[serde(flatten)]
    counts: Counts,
    bound_seconds: f64,
    #[serde(flatten)]
    times: Times,
    /// What went wrong.
    wrong: Vec<String>,
}

/// How long it took until faults were reported.
#[derive(Default, Serialize)]
struct Times {
    median_seconds: f64,
    longest_seconds: f64,
}

impl Times {
    fn of(mut seconds: Vec<f64>) -> Self {
        seconds.sort_by(f64::total_cmp);
        let median_seconds = seconds.get(seconds.len() / 2).copied().unwrap_or(0.0);
        Self { median_seconds, longest_seconds: seconds.last().copied().unwrap_or(0.0) }
    }
}

/// Why there is no such fault.
#[derive(Serialize)]
struct Reason {
    id: &'static str,
    fault: &'static str,
    session: String,
    why: &'static str,
}

impl Report {
    pub(super) fn new(
        rows: &[&'static Row],
        kinds: &[&'static Kind],
        outcomes: &[Outcome],
    ) -> Self {
        let (mut lines, mut reasons) = (Vec::new(), Vec::new());
        for &row in rows {
            for kind in kinds {
                let (id, fault, session) = (row.id, row.name, kind.to_string());
                match row.not_on(kind) {
                    Some(why) => reasons.push(Reason { id, fault, session, why }),
                    None => lines.push(Line::new(row, kind, outcomes)),
                }
            }
        }
        let mut counts = Counts::default();
        lines.iter().for_each(|line| counts.add(line.counts));
        let times = kinds.iter().map(|&kind| {
            let told = |o: &&Outcome| std::ptr::eq(o.kind, kind) && ROWS[o.row].tells_on(kind);
            let seconds = outcomes.iter().filter(told).map(|outcome| outcome.verdict.seconds);
            (kind.to_string(), Times::of(seconds.collect()))
        });
        let times = times.collect();
        Self { counts, not_applicable: reasons.len(), times, rows: lines, reasons }
    }

    /// Whether every fault was detected, rightly named and in time, and nothing is left.
    pub(super) fn is_right(&self) -> bool {
        self.counts.is_right()
    }
}

impl Line {
    fn new(row: &'static Row, kind: &'static Kind, outcomes: &[Outcome]) -> Self {
        let is = |o: &&Outcome| std::ptr::eq(&ROWS[o.row], row) && std::ptr::eq(o.kind, kind);
        let session = kind.to_string();
        let mut line = Self { id: row.id, fault: row.name, session, ..Self::default() };
        line.phases = row.phases.iter().map(ToString::to_string).collect();
        line.bound_seconds = row.bound_on(kind).as_secs_f64();
        let mut times = Vec::new();
        for Outcome { verdict, hung, phase, .. } in outcomes.iter().filter(is) {
            let counts = Counts::of(verdict, line.bound_seconds, *hung);
            line.counts.add(counts);
            times.push(verdict.seconds);
            if !counts.is_right() {
                let (phase, leaks) = (row.phases[*phase], verdict.leaks.join(", "));
                line.wrong.push(format!("{phase}: {}; left: {leaks}", verdict.text));
            }
        }
        line.times = Times::of(times);
        line
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut table = Table::new([
            "", "fault", "session", "put in", "detected", "named", "in time", "left", "median",
            "longest",
        ]);
        for line in &self.rows {
            let fault = format!("{}: {}", line.fault, line.phases.join(", "));
            let count = |count: usize| count.to_string();
            let Times { median_seconds, longest_seconds } = line.times;
            let ms = [median_seconds, longest_seconds, line.bound_seconds].map(|s| s * 1000.0);
            let [median, longest, bound] = ms;
            table.row([
                line.id.to_owned(),
                fault,
                line.session.clone(),
                count(line.counts.injected),
                count(line.counts.detected),
                count(line.counts.named),
                count(line.counts.in_time),
                count(line.counts.leaks),
                format!("{median:.0} ms"),
                format!("{longest:.0} of {bound} ms"),
            ]);
        }
        table.fmt(f)?;
        if !self.reasons.is_empty() {
            writeln!(f, "\nnot applicable")?;
            let mut table = Table::new(["session", "why", "faults"]);
            let mut reasons = BTreeMap::<_, Vec<_>>::new();
            for Reason { id, fault, session, why } in &self.reasons {
                reasons.entry((session, *why)).or_default().push(format!("{id} {fault}"));
            }
            for ((session, why), faults) in reasons {
                table.row([session.clone(), why.to_owned(), faults.join(", ")]);
            }
            table.fmt(f)?;
        }
        for line in &self.rows {
            for wrong in &line.wrong {
                writeln!(f, "\n{} {}, {}, {wrong}", line.id, line.fault, line.session)?;
            }
        }
        for (session, Times { median_seconds, longest_seconds }) in &self.times {
            let [median, longest] = [median_seconds, longest_seconds].map(|s| s * 1000.0);
            writeln!(
                f,
                "\n{session}: reported after {median:.0} ms, the median, to {longest:.0} ms"
            )?;
        }
        let Counts { injected, detected, named, in_time, hangs, leaks } = self.counts;
        let not_applicable = self.not_applicable;
        writeln!(
            f,
            "\n{injected} put in, {detected} detected, {named} rightly named, {in_time} in time, {}, {}, \
             {not_applicable} not applicable",
            counted(hangs, "hang"),
            counted(leaks, "leak"),
        )
    }
}
