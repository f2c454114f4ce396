//! Execution plans as arguments: files of other systems in the place of a collective's name.

use super::arrange::Arrange;
use super::named;
use super::output::{Output, counted};
use super::simulate::request;
use super::written;
use crate::collective::{Bytes, Params, Schedule, Verdict, verify_schedule};
use crate::{DType, Error, Result};
use clap::Args;
use ringwood_formats::msccl::Head;
use ringwood_formats::plan::{ExecutionPlan, Goal};
use ringwood_formats::{self as formats, Imported, Model, Packets, Relaxed, Report};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// The most ranks whose steps are all held in memory.
const MOST_RANKS: usize = 1024;

#[derive(Serialize)]
struct Outcome<'a> {
    /// What of the file is ignored.
    warnings: Vec<String>,
    reports: Vec<Proof<&'a Report>>,
    verdicts: Vec<Proof<&'a Verdict>>,
}

/// What a proof found, as programs read it: behind whether it holds.
#[derive(Serialize)]
pub(super) struct Proof<T> {
    ok: bool,
    #[serde(flatten)]
    found: T,
}

impl<'a> Proof<&'a Verdict> {
    pub(super) fn of(verdict: &'a Verdict) -> Self {
        Self { ok: verdict.ok(), found: verdict }
    }
}

#[derive(Serialize)]
struct Files {
    files: Vec<Written>,
    /// What other programs refuse of them, or of the plan is ignored.
    warnings: Vec<String>,
}

/// A file that was written.
#[derive(Serialize)]
struct Written {
    file: String,
    bytes: usize,
}

/// Whether an argument is a file: names of collectives have neither dots nor slashes.
pub(super) fn is_file(name: &str) -> bool {
    name.contains(['.', '/', '\\'])
}

/// Checks a plan at the level of its file, and proves what it is lowered to; or proves a schedule.
///
/// `ranks` are those that were asked for.
pub(super) fn verify(
    path: &str,
    ranks: Option<RangeInclusive<usize>>,
    model: Model,
    output: &Output,
) -> Result<ExitCode> {
    if let Some(Resolved { params, schedule, .. }) = Resolved::read(path)? {
        check_ranks(path, params.ranks(), ranks)?;
        let (verdict, seconds) = timed(|| verify_schedule(&schedule, &params))?;
        let verdict = Verdict { seconds: Some(seconds), ..verdict };
        output.note(&verdict);
        output.object(&Outcome {
            warnings: Vec::new(),
            reports: Vec::new(),
            verdicts: vec![Proof::of(&verdict)],
        })?;
        return Ok(if verdict.ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE });
    }
    let plan = read_plan(path, output)?;
    check_ranks(path, plan.ranks.len(), ranks)?;
    let mut reports = Vec::new();
    for &mode in &plan.modes {
        let (report, seconds) = timed(|| formats::check(&plan, mode, model))?;
        let report = Report { seconds: Some(seconds), ..report };
        output.note(&report);
        reports.push(report);
    }
    let right = reports.iter().all(Report::ok);
    let imported = match plan.goal {
        Goal::Operation(_) if right => Some(Imported::with(&plan, model)?),
        _ => None,
    };
    let verdicts: Vec<_> = imported.iter().flat_map(Imported::verdicts).collect();
    verdicts.iter().for_each(|verdict| output.note(format_args!("as a schedule: {verdict}")));
    let verdicts = verdicts.into_iter().map(Proof::of).collect();
    let reports = reports.iter().map(|report| Proof { ok: report.ok(), found: report }).collect();
    output.object(&Outcome { warnings: plan.warnings, reports, verdicts })?;
    Ok(if right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The plan of a file; says what of it is ignored.
fn read_plan(path: &str, output: &Output) -> Result<ExecutionPlan> {
    let plan = formats::read_file(Path::new(path))?;
    plan.warnings.iter().for_each(|warning| output.warn(warning));
    Ok(plan)
}

/// Refuses options that were given and mean nothing here.
pub(super) fn refuse(options: &[(&str, bool)], why: &str) -> Result<()> {
    let given: Vec<_> = options.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
    if given.is_empty() {
        return Ok(());
    }
    let given = given.join(" and ");
    let error = Error::invalid(format!("{given}: {why}"));
    Err(error.help(format!("leave {given} out")))
}

/// Refuses other numbers of ranks than that of a file.
fn check_ranks(path: &str, has: usize, asked: Option<RangeInclusive<usize>>) -> Result<()> {
    let Some(ranks) = asked.filter(|ranks| *ranks != (has..=has)) else { return Ok(()) };
    let asked = match ranks.start() == ranks.end() {
        true => ranks.start().to_string(),
        false => format!("{ranks:?}"),
    };
    let message = format!("{path} is for {}, not for {asked}", counted(has, "rank"));
    Err(Error::invalid(message).help("leave `--ranks` out"))
}

/// Which schedule is meant.
#[derive(Args)]
pub(super) struct ScheduleArgs {
    /// The collective, as `ringwood collectives` lists it; or the file of an execution plan, or of a
    /// schedule.
    name: String,
    /// Ranks of the group; 8 unless a file says another number.
    #[arg(long)]
    pub(super) ranks: Option<usize>,
    #[command(flatten)]
    arrange: Arrange,
    /// Bytes of a rank's buffer: 1 MiB unless said, and up to whole blocks of all ranks.
    #[arg(long, value_parser = clap::value_parser!(Bytes))]
    bytes: Option<Bytes>,
}

impl ScheduleArgs {
    /// The bytes that were said, or such that every operation has whole blocks of them.
    pub(super) fn bytes(&self) -> Bytes {
        let blocks = self.ranks.unwrap_or(8).max(1) as u64;
        let unit = blocks.saturating_mul(DType::F32.size() as u64);
        self.bytes.unwrap_or(Bytes((1_u64 << 20).next_multiple_of(unit)))
    }

    /// Refuses a number of bytes for the steps of a file, which have none.
    pub(super) fn refuse_bytes(&self) -> Result<()> {
        let given = is_file(&self.name) && self.bytes.is_some();
        refuse(&[("--bytes", given)], &format!("the steps of {} are for any size", self.name))
    }
}

/// A schedule and what it is for, as `ringwood export --format json` writes them.
#[derive(Serialize, Deserialize)]
pub(super) struct Resolved {
    pub(super) params: Params,
    pub(super) schedule: Schedule,
    /// What it is meant for, as a plan of another system says.
    #[serde(skip)]
    pub(super) head: Head,
}

/// The keys that tell a schedule from plans of other systems.
#[derive(Deserialize)]
#[expect(dead_code, reason = "only their presence counts")]
struct Keys {
    params: IgnoredAny,
    schedule: IgnoredAny,
}

impl Resolved {
    /// The schedule of a registered collective for a request, or of a file for its own ranks.
    pub(super) fn of(args: &ScheduleArgs, output: &Output) -> Result<Self> {
        if !is_file(&args.name) {
            return Self::registered(args, output);
        }
        let why = format!("{} says its own ranks", args.name);
        refuse(&[("--arrange", args.arrange.is_given())], &why)?;
        let read = match Self::read(&args.name)? {
            Some(read) => read,
            None => {
                let plan = Imported::new(&read_plan(&args.name, output)?)?;
                let (schedule, params) = plan.schedules().next().expect("a plan has a buffer mode");
                let head = plan.head().clone();
                Self { params: params.clone(), schedule: schedule.clone(), head }
            }
        };
        check_ranks(&args.name, read.params.ranks(), args.ranks.map(|ranks| ranks..=ranks))?;
        Ok(read)
    }

    fn registered(args: &ScheduleArgs, output: &Output) -> Result<Self> {
        let collective = named::collective(&args.name, output)?;
        let ranks = args.ranks.unwrap_or(8);
        if ranks > MOST_RANKS {
            let message = format!("a schedule of {ranks} ranks is not held in memory");
            return Err(Error::unsupported(message)
                .help(format!("choose at most {MOST_RANKS}; `ringwood simulate` takes more")));
        }
        let request = request(collective.describe().operation, ranks, args.bytes(), DType::F32)?;
        let request = args.arrange.apply(request)?;
        let params = Params::resolved(collective, &request)?;
        let schedule = Schedule::of(collective, &params)?;
        Ok(Self { schedule, params, head: Head::default() })
    }

    /// What a file of this form holds; none if it is of another form.
    fn read(path: &str) -> Result<Option<Self>> {
        let bytes = formats::read_bytes(Path::new(path))?;
        if serde_json::from_slice::<Keys>(&bytes).is_err() {
            return Ok(None);
        }
        let read: Self = serde_json::from_slice(&bytes).map_err(|e| {
            let field = field(&bytes, &e).map(|name| format!(": field `{name}`"));
            let message = format!("{path} holds no schedule{}", field.unwrap_or_default());
            let why = e.to_string();
            let bounds = [("expected u16", u16::MAX.into()), ("expected u32", u32::MAX)];
            let bound = bounds.into_iter().find(|(expected, _)| why.contains(expected));
            let error = Error::invalid(message).because(e);
            bound.into_iter().fold(error, |error, (_, most)| {
                error.help(format!("it is a whole number from 0 to {most}"))
            })
        })?;
        if read.schedule.collective.contains(char::is_control) {
            let message =
                format!("{path}: the name {:?} has control characters", read.schedule.collective);
            return Err(Error::invalid(message).help("give the collective another name"));
        }
        Ok(Some(Self { params: read.params.checked()?, ..read }))
    }
}

/// The name of the field whose value is wrong.
fn field<'a>(json: &'a [u8], error: &serde_json::Error) -> Option<&'a str> {
    let line = json.split(|byte| *byte == b'\n').nth(error.line().checked_sub(1)?)?;
    let (key, _) = str::from_utf8(line.get(..error.column())?).ok()?.rsplit_once("\":")?;
    key.rsplit_once('"').map(|(_, name)| name)
}

/// Writes files and says so.
pub(super) fn write(files: &[(String, &[u8])], output: &Output) -> Result<ExitCode> {
    let mut written = Vec::new();
    for (file, contents) in files {
        written::replace(Path::new(file), contents)?;
        output.note(format_args!("wrote {file}, {} bytes", contents.len()));
        written.push(Written { file: file.clone(), bytes: contents.len() });
    }
    output.object(&Files { files: written, warnings: output.warnings() })?;
    Ok(ExitCode::SUCCESS)
}

/// Parses what relaxed signals order.
pub(super) fn relaxed(text: &str) -> Result<Relaxed, String> {
    match text {
        "execution" => Ok(Relaxed::Execution),
        "memory" => Ok(Relaxed::Memory),
        _ => Err("it is `execution` or `memory`".into()),
    }
}

/// Parses what packets order.
pub(super) fn packets(text: &str) -> Result<Packets, String> {
    match text {
        "reads" => Ok(Packets::Reads),
        "memory" => Ok(Packets::Memory),
        _ => Err("it is `reads` or `memory`".into()),
    }
}

/// What a proof found, and the seconds that it took.
pub(super) fn timed<T>(prove: impl FnOnce() -> Result<T>) -> Result<(T, f64)> {
    let start = Instant::now();
    prove().map(|found| (found, start.elapsed().as_secs_f64()))
}
