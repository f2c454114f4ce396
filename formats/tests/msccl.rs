//! MSCCL XML: what is read is checked, lowered, proved and run; what is broken is named.

use ringwood_base::registry::Registry;
use ringwood_base::{Error, ErrorKind};
use ringwood_collective::Group;
use ringwood_formats::{Imported, Relaxed, check, read};
use ringwood_schedule::{BufferMode, Collective, ReduceOp};
use {ringwood_collectives as _, ringwood_kernels as _};

const ALL_REDUCE: &str = include_str!("../plans/all_reduce_2.xml");
const ALL_GATHER: &str = include_str!("../plans/all_gather_3.xml");
const TWO_CHANNELS: &str = include_str!("../plans/two_channels.xml");

fn finding(text: &str) -> String {
    let plan = read(text.as_bytes()).unwrap();
    let report = check(&plan, plan.modes[0], Relaxed::default()).unwrap();
    report.findings.first().expect("a finding").to_string()
}

fn refusal(text: &str) -> Error {
    read(text.as_bytes()).unwrap_err()
}

/// The text with one occurrence of `from` replaced.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

/// Swaps the whole of line `line`, from 1.
fn edit(text: &str, line: usize, from: &str, to: &str) -> String {
    let lines = text.lines().enumerate();
    let edited = lines.map(|(i, l)| if i + 1 == line { with(l, from, to) } else { l.to_owned() });
    edited.collect::<Vec<_>>().join("\n")
}

#[test]
fn plans_are_proved_at_both_levels() {
    for text in [ALL_REDUCE, ALL_GATHER, TWO_CHANNELS] {
        let plan = read(text.as_bytes()).unwrap();
        for &mode in &plan.modes {
            let report = check(&plan, mode, Relaxed::default()).unwrap();
            assert!(report.ok(), "{report}");
        }
        let imported = Imported::new(&plan).unwrap();
        assert!(imported.verdicts().count() > 0);
    }
}

#[test]
fn an_imported_plan_runs() {
    let plan = Imported::new(&read(TWO_CHANNELS.as_bytes()).unwrap()).unwrap();
    assert_eq!(plan.describe().mode, BufferMode::InPlace);
    let registry = Registry::builder().linked().register(plan.register()).build().unwrap();
    let sums = Group::builder(2).registry(registry).spmd(|comm| {
        let mut data = [1.0 + comm.rank() as f32; 64];
        comm.with("two_channels").all_reduce(&mut data, ReduceOp::Sum)?;
        let uneven = comm.with("two_channels").all_reduce(&mut [0.0_f32; 7], ReduceOp::Sum);
        Ok((data, uneven.unwrap_err().to_string()))
    });
    for (data, uneven) in sums.unwrap() {
        assert_eq!(data, [3.0; 64]);
        assert!(
            uneven.contains("cuts the buffer in 2 equal chunks, which 7 elements are not"),
            "{uneven}"
        );
    }
}

#[test]
fn a_dropped_dependency_is_a_race() {
    let text = edit(TWO_CHANNELS, 15, "depid=\"1\" deps=\"1\"", "depid=\"-1\" deps=\"-1\"");
    assert_eq!(
        finding(&text),
        "race on output 1 of rank 0: rank 0 lane 1 `s` (step 0, line 10) reads it, rank 0 lane 2 `re` (step 1, line 15) writes it, and nothing orders them"
    );
}

#[test]
fn a_dropped_publish_flag_is_a_deadlock() {
    let text = edit(TWO_CHANNELS, 11, "hasdep=\"1\"", "hasdep=\"0\"");
    assert_eq!(
        finding(&text),
        "deadlock: rank 0 lane 2 `re` (step 1, line 15) waits for lane 1 to publish step 1 or a later one: never"
    );
}

#[test]
fn a_wrong_offset_is_a_wrong_value() {
    let text = edit(ALL_GATHER, 7, "dstoff=\"1\"", "dstoff=\"2\"");
    assert_eq!(finding(&text), "rank 0 output 1 never holds rank 1; nothing writes it");
}

#[test]
fn a_receive_that_nobody_sends_to_is_a_deadlock() {
    let text = edit(ALL_REDUCE, 5, "type=\"s\"", "type=\"nop\"");
    assert_eq!(
        finding(&text),
        "deadlock: rank 1 lane 0 `r` (step 2, line 14) waits for a message from rank 0 on channel 0: never"
    );
}

#[test]
fn a_count_that_differs_is_named_on_both_ends() {
    let text = edit(TWO_CHANNELS, 15, "cnt=\"2\"", "cnt=\"1\"");
    assert_eq!(finding(&text), "rank 0 output 1 never holds rank 1; nothing writes it");
    let text = edit(TWO_CHANNELS, 6, "cnt=\"1\"", "cnt=\"2\"");
    assert_eq!(
        finding(&text),
        "rank 1 lane 0 `r` (step 1, line 21) expects 1 chunks, rank 0 lane 0 `s` (step 0, line 6) sends 2"
    );
}

#[test]
fn a_merge_in_an_operation_that_does_not_reduce_is_found() {
    let [receives, merges] = [("rcs", -1), ("rrcs", 0)]
        .map(|(name, source)| format!("type=\"{name}\" srcbuf=\"i\" srcoff=\"{source}\""));
    let text = edit(ALL_GATHER, 6, &receives, &merges);
    let merges = "rank 0 lane 0 `rrcs` (step 1, line 6) merges, and all_gather does not reduce";
    assert_eq!(finding(&text), merges);
}

#[test]
fn mistakes_of_the_file_name_line_element_and_attribute() {
    let cases = [
        (
            with(ALL_REDUCE, "ngpus=\"2\"", "ngpus=\"3\""),
            "line 2, <algo>: `ngpus` is 3, but there are 2 GPUs",
        ),
        (
            with(ALL_REDUCE, "cnt=\"1\"", "cnt=\"99999999999\""),
            "line 5, <step>: attribute `cnt` is `99999999999`, not a number from 1 to 1048576",
        ),
        (with(ALL_REDUCE, " cnt=\"1\"", ""), "line 5, <step>: attribute `cnt` is missing"),
        (
            with(ALL_REDUCE, "type=\"rrcs\"", "type=\"rrq\""),
            "line 6, <step>: unknown type `rrq`; types are s, r, rcs, rrc, rrs, rrcs, cpy, re, nop",
        ),
        (with(ALL_REDUCE, "chan=\"0\"", "chan=\"1\""), "line 4, <tb>: channel 1 of 1"),
        (
            with(ALL_REDUCE, "coll=\"allreduce\"", "coll=\"broadcast\""),
            "line 2, <algo>: what `coll=\"broadcast\"` leaves in the buffers is not known here; known are allreduce, allgather, reducescatter, alltoall and custom",
        ),
        (
            with(TWO_CHANNELS, "depid=\"0\"", "depid=\"9\""),
            "line 4, <gpu>: block 2 depends on block 9, which is not there",
        ),
        (
            with(
                TWO_CHANNELS,
                "id=\"1\" send=\"1\" recv=\"1\" chan=\"1\"",
                "id=\"1\" send=\"1\" recv=\"1\" chan=\"0\"",
            ),
            "line 9, <tb>: a second block of GPU 0 may send on this channel; one of the two needs another channel",
        ),
        (
            format!("<!DOCTYPE a [<!ENTITY b \"c\">]>{ALL_REDUCE}"),
            "not an XML file: XML with DTD detected; plans have no document type: remove it",
        ),
        (
            with(ALL_REDUCE, "ngpus=", "ngpus\u{1b}="),
            "not an XML file: expected '=' not '\\u{1b}' at 2:80",
        ),
        ("hello".into(), "a plan file begins with `<` or `{`; plans are MSCCL XML or MSCCL++ JSON"),
    ];
    for (text, message) in cases {
        assert_eq!(refusal(&text).to_string(), message);
    }
}

#[test]
fn extras_of_vendors_are_ignored_with_a_warning() {
    let text =
        with(ALL_REDUCE, "inplace=\"1\"", "inplace=\"1\" maxcount=\"4\" nthreadblocks=\"2\"");
    let text = with(&text, "<tb ", "<copy src=\"i\" off=\"0\"/><tb ");
    let plan = read(text.as_bytes()).unwrap();
    assert_eq!(
        plan.warnings,
        [
            "line 2, <algo>: attribute `maxcount` is ignored",
            "line 2, <algo>: attribute `nthreadblocks` is ignored",
            "line 4, <gpu>: element <copy> is ignored",
        ]
    );
    assert!(check(&plan, plan.modes[0], Relaxed::default()).unwrap().ok());
}

#[test]
fn what_is_not_read_is_told_from_what_is_no_plan() {
    let kind = |from: &str, to: &str| refusal(&with(ALL_REDUCE, from, to)).kind();
    assert_eq!(kind("coll=\"allreduce\"", "coll=\"broadcast\""), ErrorKind::Unsupported);
    assert_eq!(kind("proto=\"Simple\"", "proto=\"LL256\""), ErrorKind::Unsupported);
    assert_eq!(kind("type=\"rrcs\"", "type=\"rrq\""), ErrorKind::Unsupported);
    assert_eq!(kind("cnt=\"1\"", "cnt=\"x\""), ErrorKind::InvalidArgument);
    assert_eq!(kind("</algo>", ""), ErrorKind::InvalidArgument);
}

#[test]
fn control_characters_of_names_are_escaped() {
    let named = with(ALL_REDUCE, "name=\"", "name=\"a&#10;b&#127;&#133;");
    let plan = read(named.as_bytes()).unwrap();
    assert!(plan.name.starts_with("a\\nb\\u{7f}\\u{85}"), "{:?}", plan.name);
}

/// An all-reduce in whose scratch memory of 4 chunks the middle two are used: they lie in two buffers of 2.
fn across_scratch() -> String {
    let gpu = |id: usize| {
        let peer = 1 - id;
        let step = |s: usize, kind: &str, from: &str, to: &str| {
            let [(from, first), (to, second)] = [from, to].map(|end| end.split_at(1));
            format!(
                "<step s=\"{s}\" type=\"{kind}\" srcbuf=\"{from}\" srcoff=\"{first}\" dstbuf=\"{to}\" dstoff=\"{second}\" \
                 cnt=\"2\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/>"
            )
        };
        let steps = [step(0, "s", "i0", "s1"), step(1, "r", "i0", "s1"), step(2, "re", "s1", "o0")];
        format!(
            "<gpu id=\"{id}\" i_chunks=\"2\" o_chunks=\"2\" s_chunks=\"4\"><tb id=\"0\" send=\"{peer}\" recv=\"{peer}\" \
             chan=\"0\">{}</tb></gpu>",
            steps.concat()
        )
    };
    format!(
        "<algo name=\"across_scratch\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"2\" ngpus=\"2\" \
         coll=\"allreduce\" inplace=\"1\">{}{}</algo>",
        gpu(0),
        gpu(1)
    )
}

#[test]
fn ranges_of_scratch_memory_begin_and_end_anywhere() {
    let plan = Imported::new(&read(across_scratch().as_bytes()).unwrap()).unwrap();
    let registry = Registry::builder().linked().register(plan.register()).build().unwrap();
    let sums = Group::builder(2).registry(registry).spmd(|comm| {
        let mut data = [1.0 + comm.rank() as f32, 5.0];
        comm.with("across_scratch").all_reduce(&mut data, ReduceOp::Sum)?;
        Ok(data)
    });
    assert_eq!(sums.unwrap(), [[3.0, 10.0]; 2]);
}
