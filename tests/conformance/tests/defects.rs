//! The suite notices what is wrong with a backend: each defect fails the case that is about it.

use ringwood_backend_cpu::{Code, Cpu, Device, Event, Memory, Stream};
use ringwood_base::registry::Registry;
use ringwood_base::{DType, Error, Result};
use ringwood_conformance::delegate::{Delegate, Delegated};
use ringwood_conformance::{Options, Outcome, Report, run};
use ringwood_device::backend::{
    Backend, Capabilities, CommandBuffer, HostSink, Region, Registered, Status,
};
use ringwood_device::device::Runtime;
use ringwood_device::kernel::{Arg, KernelSpec, Launch};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

const NONE: u8 = 0;
const WAIT_DOES_NOTHING: u8 = 1;
const FILL_STOPS_EARLY: u8 = 2;
const WRITE_IGNORES_THE_OFFSET: u8 = 3;
const REFUSED_READ_FORGETS_ITS_SINK: u8 = 4;
const BLOCK_HIDES_FAILURES: u8 = 5;
const POLL_CHANGES_ITS_MIND: u8 = 6;
const BLOCK_IGNORES_THE_TIMEOUT: u8 = 7;
const HOST_MEMORY_IS_NOT_CLAIMED: u8 = 8;
const PEER_COPY_IS_CLAIMED: u8 = 9;
const REGIONS_ARE_CLAMPED: u8 = 10;
const BATCHES_LOSE_A_KERNEL: u8 = 11;
const ANY_STREAM_KIND_OPENS: u8 = 12;
const ALLOCATION_PANICS: u8 = 13;
const EVENTS_COMPLETE_AT_ONCE: u8 = 14;
const LAUNCHES_RUN_TWICE: u8 = 15;
const COPIES_TAKE_ANOTHER_STREAM: u8 = 16;
const OPENING_IS_UNAVAILABLE: u8 = 17;
const OPENING_FAILS: u8 = 18;
const BLOCK_NEVER_RETURNS: u8 = 19;
const LAUNCHES_LOSE_THE_LAST_ITEM: u8 = 20;
const PREPARED_LAUNCHES_ARE_REVERSED: u8 = 21;
const COMMAND_BUFFERS_ARE_NOT_CLAIMED: u8 = 22;
const COPIES_SPOIL_A_BYTE: u8 = 23;
const WRITES_OVERTAKE: u8 = 24;
const ELEMENT_TYPES_ARE_NOT_CLAIMED: u8 = 25;
const A_STREAM_KIND_IS_CLAIMED_TWICE: u8 = 26;
const EVENTS_NEVER_COMPLETE: u8 = 27;

/// The CPU backend with the defect `D`.
struct Defective<const D: u8> {
    cpu: Cpu,
    device: Device,
    polls: AtomicU32,
}

impl<const D: u8> Defective<D> {
    fn other_stream(&self) -> Result<Stream> {
        self.cpu.stream(&self.device, "chaos:1")
    }
}

impl<const D: u8> Delegate for Defective<D> {
    const NAME: &'static str = "defective";
    type Inner = Cpu;
    type Tag = ();

    fn open() -> Result<Self> {
        match D {
            OPENING_IS_UNAVAILABLE => Err(Error::unavailable("no such driver")),
            OPENING_FAILS => Err(Error::backend("the driver is broken")),
            _ => {
                let cpu = Cpu::open()?;
                let device = cpu.devices()?.remove(0);
                Ok(Self { cpu, device, polls: AtomicU32::new(0) })
            }
        }
    }

    fn inner(&self) -> &Cpu {
        &self.cpu
    }

    fn tag(&self, _: &Device, _: &Memory, _: usize) {}

    fn capabilities(&self, device: &Device) -> Capabilities {
        let mut claims = self.cpu.capabilities(device);
        claims.host_memory = D != HOST_MEMORY_IS_NOT_CLAIMED;
        claims.command_buffers = D != COMMAND_BUFFERS_ARE_NOT_CLAIMED;
        claims.peer_copy = D == PEER_COPY_IS_CLAIMED;
        if D == ELEMENT_TYPES_ARE_NOT_CLAIMED {
            claims.dtypes = vec![DType::F32];
        }
        if D == A_STREAM_KIND_IS_CLAIMED_TWICE {
            claims.stream_kinds.push("sync".into());
        }
        claims
    }

    fn stream(&self, device: &Device, kind: &str) -> Result<Stream> {
        let stream = self.cpu.stream(device, kind);
        if D == ANY_STREAM_KIND_OPENS { stream.or_else(|_| self.other_stream()) } else { stream }
    }

    fn allocate(&self, device: &Device, bytes: usize) -> Result<Memory> {
        let memory = self.cpu.allocate(device, bytes);
        assert!(D != ALLOCATION_PANICS || memory.is_ok(), "no memory");
        memory
    }

    fn write(
        &self,
        stream: &Stream,
        source: Arc<[u8]>,
        mut target: Region<'_, Memory>,
    ) -> Result<()> {
        if D == WRITE_IGNORES_THE_OFFSET {
            target.offset = 0;
        }
        if D == WRITES_OVERTAKE {
            return self.cpu.write(&self.cpu.stream(&self.device, "sync")?, source, target);
        }
        self.cpu.write(stream, source, target)
    }

    fn read(&self, stream: &Stream, source: Region<'_, Memory>, sink: HostSink) -> Result<()> {
        if D == REFUSED_READ_FORGETS_ITS_SINK && source.bytes == 9 {
            return Err(Error::invalid("refused"));
        }
        self.cpu.read(stream, source, sink)
    }

    fn copy(
        &self,
        stream: &Stream,
        source: Region<'_, Memory>,
        target: Region<'_, Memory>,
    ) -> Result<()> {
        if D == COPIES_TAKE_ANOTHER_STREAM {
            return self.cpu.copy(&self.other_stream()?, source, target);
        }
        self.cpu.copy(stream, source, target)?;
        if D == COPIES_SPOIL_A_BYTE && target.bytes > 0 {
            let last = Region { offset: target.offset + target.bytes - 1, bytes: 1, ..target };
            return self.cpu.fill(stream, last, 0xa5);
        }
        Ok(())
    }

    fn fill(&self, stream: &Stream, mut target: Region<'_, Memory>, byte: u8) -> Result<()> {
        if D == FILL_STOPS_EARLY {
            target.bytes = target.bytes.saturating_sub(1);
        }
        if D == REGIONS_ARE_CLAMPED {
            target.bytes = target.bytes.min(16);
        }
        self.cpu.fill(stream, target, byte)
    }

    fn compile(&self, device: &Device, batch: &[KernelSpec<'_>]) -> Result<Vec<Code>> {
        let mut codes = self.cpu.compile(device, batch)?;
        if D == BATCHES_LOSE_A_KERNEL {
            codes.pop();
        }
        Ok(codes)
    }

    fn launch(&self, stream: &Stream, launch: &Launch<'_, Code, Memory>) -> Result<()> {
        if D == LAUNCHES_RUN_TWICE {
            self.cpu.launch(stream, launch)?;
        }
        self.cpu.launch(stream, launch)?;
        let Some(Arg::Slice { region, .. }) = launch.args().last() else { return Ok(()) };
        if D == LAUNCHES_LOSE_THE_LAST_ITEM && region.bytes > 0 {
            let last = Region { offset: region.offset + region.bytes - 1, bytes: 1, ..*region };
            return self.cpu.fill(stream, last, 0xa5);
        }
        Ok(())
    }

    fn prepare(
        &self,
        stream: &Stream,
        launches: &[Launch<'_, Code, Memory>],
    ) -> Result<Box<dyn CommandBuffer<Stream>>> {
        if D == PREPARED_LAUNCHES_ARE_REVERSED {
            let reversed = launches.iter().rev().map(|launch| launch.map(launch.code(), Ok));
            return self.cpu.prepare(stream, &reversed.collect::<Result<Vec<_>>>()?);
        }
        self.cpu.prepare(stream, launches)
    }

    fn record(&self, stream: &Stream) -> Result<Event> {
        if D == EVENTS_COMPLETE_AT_ONCE {
            return self.cpu.record(&self.cpu.stream(&self.device, "sync")?);
        }
        self.cpu.record(stream)
    }

    fn wait(&self, stream: &Stream, event: &Event) -> Result<()> {
        if D == WAIT_DOES_NOTHING { Ok(()) } else { self.cpu.wait(stream, event) }
    }

    fn poll(&self, event: &Event) -> Status {
        let polls = self.polls.fetch_add(1, Ordering::Relaxed);
        match self.cpu.poll(event) {
            _ if D == EVENTS_NEVER_COMPLETE => Status::Pending,
            Status::Done if D == POLL_CHANGES_ITS_MIND && polls % 7 == 6 => Status::Pending,
            status => status,
        }
    }

    fn block(&self, event: &Event, timeout: Duration) -> Result<()> {
        match D {
            BLOCK_HIDES_FAILURES => self.cpu.block(event, timeout).or(Ok(())),
            BLOCK_IGNORES_THE_TIMEOUT => self.cpu.block(event, Duration::from_secs(60)),
            BLOCK_NEVER_RETURNS => loop {
                std::thread::sleep(Duration::from_secs(60));
            },
            EVENTS_NEVER_COMPLETE => {
                std::thread::sleep(timeout);
                Err(Error::timeout("pending"))
            }
            _ => self.cpu.block(event, timeout),
        }
    }
}

fn report<const D: u8>(options: &Options) -> Report {
    let registry = Registry::builder().register(Delegated::<Defective<D>>::ENTRY).build().unwrap();
    run(&Runtime::new(registry), options)
}

/// Whether `case` passes without the defect, and fails with it on some kind of stream: at the first
/// try, or soon where the defect is a race.
fn is_noticed<const D: u8>(case: &str) {
    let options = Options::default().case(case);
    let sound = report::<NONE>(&options);
    assert!(sound.passed() && !sound.cells.is_empty(), "{sound}");
    let noticed = (0..10).any(|_| !report::<D>(&options).passed());
    assert!(noticed, "`{case}` does not notice defect {D}");
}

#[test]
fn each_defect_fails_the_case_that_is_about_it() {
    is_noticed::<WAIT_DOES_NOTHING>("a_wait_orders_two_streams");
    is_noticed::<WAIT_DOES_NOTHING>("a_chain_of_waits");
    is_noticed::<WAIT_DOES_NOTHING>("a_failed_event_fails_the_waiting_stream");
    is_noticed::<FILL_STOPS_EARLY>("fills_set_every_byte");
    is_noticed::<WRITE_IGNORES_THE_OFFSET>("offsets_touch_nothing_else");
    is_noticed::<WRITE_IGNORES_THE_OFFSET>("the_source_of_a_write_may_go_away");
    is_noticed::<REFUSED_READ_FORGETS_ITS_SINK>("a_sink_is_called_exactly_once");
    is_noticed::<BLOCK_HIDES_FAILURES>("a_failure_wakes_blocked_waiters");
    is_noticed::<POLL_CHANGES_ITS_MIND>("a_final_event_stays_final");
    is_noticed::<BLOCK_IGNORES_THE_TIMEOUT>("blocking_ends_at_the_timeout");
    is_noticed::<HOST_MEMORY_IS_NOT_CLAIMED>("unclaimed_powers_are_unsupported");
    is_noticed::<REGIONS_ARE_CLAMPED>("regions_out_of_range_are_refused");
    is_noticed::<WRITES_OVERTAKE>("writes_wait_for_the_work_before_them");
    is_noticed::<ELEMENT_TYPES_ARE_NOT_CLAIMED>("unclaimed_element_types_are_unsupported");
    is_noticed::<A_STREAM_KIND_IS_CLAIMED_TWICE>("claims_are_consistent");
    is_noticed::<BATCHES_LOSE_A_KERNEL>("a_batch_compiles_in_order");
    is_noticed::<ANY_STREAM_KIND_OPENS>("an_unknown_stream_kind_is_refused");
    is_noticed::<ALLOCATION_PANICS>("out_of_memory_is_an_error");
    is_noticed::<EVENTS_COMPLETE_AT_ONCE>("an_event_covers_the_work_before_it");
    is_noticed::<LAUNCHES_LOSE_THE_LAST_ITEM>("maps_of_every_size");
    is_noticed::<LAUNCHES_LOSE_THE_LAST_ITEM>("grids_of_many_dimensions");
    is_noticed::<LAUNCHES_LOSE_THE_LAST_ITEM>("maps_equal_their_interpreted_ir");
    is_noticed::<LAUNCHES_LOSE_THE_LAST_ITEM>("grids_equal_their_interpreted_ir");
    is_noticed::<PREPARED_LAUNCHES_ARE_REVERSED>("prepared_launches_run_in_order");
    is_noticed::<COMMAND_BUFFERS_ARE_NOT_CLAIMED>("unclaimed_powers_are_unsupported");
    is_noticed::<LAUNCHES_RUN_TWICE>("host_kernels_run_once");
    is_noticed::<COPIES_TAKE_ANOTHER_STREAM>("work_runs_in_submission_order");
}

/// The reasons of the cases that fail with the defect, of suites in which it shows.
fn reasons<const D: u8>() -> Vec<String> {
    let suites = ["data", "events", "failures", "concurrency", "hazards", "merge"];
    let mut options = suites.iter().fold(Options::default(), |options, suite| options.case(suite));
    options.seeds = 2;
    let failed = report::<D>(&options).cells.into_iter();
    // Whoever fills less than was asked for does not see that it is too much.
    let failed = failed.filter(|cell| cell.case != "regions_out_of_range_are_refused");
    let failed = failed.filter_map(|cell| match cell.outcome {
        Outcome::Failed(reason) => Some(reason),
        _ => None,
    });
    failed.collect()
}

#[test]
fn a_command_that_is_wrong_alone_is_the_reason_of_all_that_fails() {
    for (reasons, root) in [
        (reasons::<COPIES_SPOIL_A_BYTE>(), "a copy of 1 bytes at 5 leaves 165 at byte 5"),
        (reasons::<FILL_STOPS_EARLY>(), "a fill of 11 bytes leaves"),
        (reasons::<LAUNCHES_LOSE_THE_LAST_ITEM>(), "a launch of `add` over 1 elements leaves"),
        (reasons::<WRITE_IGNORES_THE_OFFSET>(), "a write of 1 bytes at 5 leaves"),
    ] {
        assert!(reasons.len() > 5, "{root}: {reasons:#?}");
        assert!(reasons.iter().all(|reason| reason.starts_with(root)), "{root}: {reasons:#?}");
    }
}

#[test]
fn order_is_accused_where_single_commands_are_right() {
    let options = Options::default().case("a_wait_orders_two_streams");
    let text = (0..10).map(|_| report::<WAIT_DOES_NOTHING>(&options).to_string());
    assert!(text.into_iter().any(|text| text.contains("the copy overtook the write")));
}

#[test]
fn a_power_that_is_claimed_and_absent_fails() {
    let report = report::<PEER_COPY_IS_CLAIMED>(&Options::default().case("peer_copy"));
    assert!(report.to_string().contains("peer copies are claimed, and there is one device"));
}

#[test]
fn the_run_time_hazards_need_the_backends_wait() {
    let report = report::<WAIT_DOES_NOTHING>(&Options::default().case("hazards"));
    let failed = |c: &&ringwood_conformance::Cell| matches!(c.outcome, Outcome::Failed(_));
    assert!(report.cells.iter().filter(failed).any(|c| c.stream == "chaos"), "{report}");
    assert!(!report.cells.iter().filter(failed).any(|c| c.stream == "sync"), "{report}");
}

#[test]
fn a_case_that_does_not_end_fails_at_the_bound() {
    let mut options = Options::default().case("every_claimed_stream_kind_opens");
    options.bound = Duration::from_millis(200);
    let report = report::<BLOCK_NEVER_RETURNS>(&options);
    assert!(report.to_string().contains("did not end within 200ms"), "{report}");
}

#[test]
fn the_run_stops_after_a_few_hangs_and_names_their_cause() {
    let mut options = Options::default().case("data");
    options.bound = Duration::from_millis(200);
    let hung = report::<EVENTS_NEVER_COMPLETE>(&options.case("events")).to_string();
    let cause =
        "not run, as 5 cases before did not end: a write of 11 bytes does not end within 100ms";
    assert!(hung.contains(cause), "{hung}");
}

#[test]
fn an_unavailable_backend_is_skipped_unless_it_is_required() {
    let skipped = report::<OPENING_IS_UNAVAILABLE>(&Options::default());
    assert!(skipped.passed());
    assert!(skipped.summary().contains("defective skipped: no such driver"), "{skipped}");
    let mut options = Options::default();
    options.required = vec!["defective".into(), "absent".into()];
    let required = report::<OPENING_IS_UNAVAILABLE>(&options).to_string();
    assert!(required.contains("`defective` is required and absent: no such driver"), "{required}");
    assert!(required.contains("`absent` is required and not registered"), "{required}");
    let only = report::<NONE>(&options.only("defective").case("fills_set_every_byte"));
    assert!(only.passed(), "a run of one backend does not ask for another: {only}");
}

#[test]
fn a_backend_that_fails_to_open_is_a_failure() {
    let report = report::<OPENING_FAILS>(&Options::default());
    assert!(!report.passed());
    assert!(report.to_string().contains("`defective`: the driver is broken"), "{report}");
}

#[test]
fn listed_cases_count_as_such_and_must_fail() {
    let options = Options::default().case("fills_set_every_byte");
    let outcomes = |report: Report| {
        report.cells.into_iter().map(|c| (c.stream, c.outcome)).collect::<Vec<_>>()
    };
    let listed = options.clone().expected_failure("fills_set_every_byte", "issue 3");
    for (_, outcome) in outcomes(report::<FILL_STOPS_EARLY>(&listed)) {
        assert_eq!(outcome, Outcome::ExpectedFailure("issue 3".into()));
    }
    for (_, outcome) in outcomes(report::<NONE>(&listed)) {
        assert_eq!(outcome, Outcome::Failed("passes, but is listed: issue 3".into()));
    }
    let suite = options.clone().unsupported("data", "bytes are seven bits");
    for (_, outcome) in outcomes(report::<FILL_STOPS_EARLY>(&suite)) {
        assert_eq!(outcome, Outcome::Unsupported("bytes are seven bits".into()));
    }
    let one_kind = options.unsupported("fills_set_every_byte@sync", "only there");
    for (kind, outcome) in outcomes(report::<FILL_STOPS_EARLY>(&one_kind)) {
        assert_eq!(matches!(outcome, Outcome::Unsupported(_)), kind == "sync", "{kind}");
    }
}

#[test]
fn a_list_that_names_no_case_is_a_failure() {
    let options = Options::default().case("fills_set_every_byte").unsupported("pere_copy", "typo");
    let report = report::<NONE>(&options);
    assert!(!report.passed());
    assert!(report.to_string().contains("no case or suite `pere_copy`"), "{report}");
}

#[test]
fn a_report_is_data() {
    let report = report::<FILL_STOPS_EARLY>(&Options::default().case("fills_set_every_byte"));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["cells"][0]["device"], "defective:0");
    assert_eq!(json["cells"][0]["outcome"], "failed");
    assert!(json["cells"][0]["reason"].as_str().unwrap().contains("a fill of 11 bytes leaves"));
    assert_eq!(json["cells"].as_array().unwrap().len(), 3);
}

#[test]
fn case_names_are_unique() {
    let mut names: Vec<_> = ringwood_conformance::cases().iter().map(|c| c.name).collect();
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), count);
}
