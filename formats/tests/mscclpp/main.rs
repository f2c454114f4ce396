//! MSCCL++ JSON: what is read is checked, lowered, proved and run; what is broken is named.

mod blocks;

use ringwood_base::ErrorKind;
use ringwood_base::registry::Registry;
use ringwood_collective::Group;
use ringwood_formats::plan::PlanAction;
use ringwood_formats::{Imported, Model, Packets, Relaxed, check, read};
use ringwood_schedule::{Action, ReduceOp};
use {ringwood_collectives as _, ringwood_kernels as _};

const PACKETS: &str = include_str!("../../plans/one_shot_packets.json");
const TWO_SHOT: &str = include_str!("../../plans/two_shot.json");
const PORT_PUTS: &str = include_str!("../../plans/port_puts.json");

fn finding(text: &str) -> String {
    finding_with(text, Relaxed::default()).expect("a finding")
}

/// A text without the lines of operations, which depend on how the plans of this file are laid out.
fn without_lines(text: &str) -> String {
    let mut parts = text.split(", line ");
    let first = parts.next().unwrap_or_default().to_owned();
    let after = |part: &str| part.trim_start_matches(|c: char| c.is_ascii_digit()).to_owned();
    parts.fold(first, |text, part| text + &after(part))
}

fn finding_with(text: &str, relaxed: Relaxed) -> Option<String> {
    let plan = read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let report = check(&plan, plan.modes[0], relaxed).unwrap();
    report.findings.first().map(|finding| without_lines(&finding.to_string()))
}

/// The text with the `nth` occurrence of `from`, from 0, replaced.
fn edit(text: &str, nth: usize, from: &str, to: &str) -> String {
    let at = text.match_indices(from).nth(nth).expect(from).0;
    format!("{}{to}{}", &text[..at], &text[at + from.len()..])
}

/// A plan of two ranks for `collective` in place, each with one block of these operations.
fn pair(collective: &str, scratch: u32, ops: [&str; 2]) -> String {
    let gpu = |id: usize| {
        let peer = 1 - id;
        let buffers: Vec<_> = ["i", "o", "s"]
            .into_iter()
            .map(|b| {
                format!(r#"{{"rank": {peer}, "type": "{b}", "access_channel_types": ["memory"]}}"#)
            })
            .collect();
        format!(
            r#"{{"id": {id}, "input_chunks": 2, "output_chunks": 2, "scratch_chunks": {scratch},
            "channels": [{{"channel_type": "memory", "connected_to": [{peer}, {peer}]}},
              {{"channel_type": "switch", "buffer_type": "i", "rank_groups": [{{"size": 2, "ranks": [0, 1]}}]}},
              {{"channel_type": "switch", "buffer_type": "s", "rank_groups": [{{"size": 2, "ranks": [0, 1]}}]}}],
            "remote_buffers": [{}],
            "threadblocks": [{{"id": 0,
              "channels": [{{"channel_type": "memory", "channel_ids": [0, 1]}}, {{"channel_type": "switch", "channel_ids": [0, 1]}}],
              "remote_buffer_refs": [{{"access_channel_type": "memory", "remote_buffer_ids": [0, 1, 2]}}],
              "ops": [{}]}}]}}"#,
            buffers.join(", "),
            ops[id]
        )
    };
    format!(
        r#"{{"name": "pair", "collective": "{collective}", "protocol": "LL", "inplace": true, "gpus": [{}, {}]}}"#,
        gpu(0),
        gpu(1)
    )
}

#[test]
fn plans_are_proved_at_both_levels() {
    for text in [PACKETS, TWO_SHOT, PORT_PUTS] {
        assert_eq!(finding_with(text, Relaxed::Execution), None);
        let imported = Imported::new(&read(text.as_bytes()).unwrap()).unwrap();
        assert_eq!(imported.verdicts().count(), 1);
    }
}

#[test]
fn imported_plans_run() {
    for text in [PACKETS, TWO_SHOT] {
        let plan = Imported::new(&read(text.as_bytes()).unwrap()).unwrap();
        let name = plan.name().to_owned();
        let registry = Registry::builder().linked().register(plan.register()).build().unwrap();
        let sums = Group::builder(2).registry(registry).spmd(|comm| {
            let mut data = [1.0 + comm.rank() as f32; 64];
            comm.with(&name).all_reduce(&mut data, ReduceOp::Sum)?;
            Ok(data)
        });
        for data in sums.unwrap() {
            assert_eq!(data, [3.0; 64], "{name}");
        }
    }
}

#[test]
fn sizes_that_a_plan_is_not_for_are_refused() {
    let plan = Imported::new(&read(PACKETS.as_bytes()).unwrap()).unwrap();
    let registry = Registry::builder().linked().register(plan.register()).build().unwrap();
    let error = Group::builder(2).registry(registry).spmd(|comm| {
        comm.with("one_shot_packets").all_reduce(&mut [0.0_f32; 1 << 15], ReduceOp::Sum)
    });
    let text = error.unwrap_err().to_string();
    assert!(text.contains("is for 0 to 65536 bytes, not for 131072"), "{text}");
}

#[test]
fn findings_and_mistakes_carry_lines() {
    let signal = r#"{"name": "signal", "channel_type": "memory", "channel_ids": [0]}"#;
    let text = edit(TWO_SHOT, 0, signal, r#"{"name": "nop"}"#);
    let plan = read(text.as_bytes()).unwrap();
    let report = check(&plan, plan.modes[0], Relaxed::default()).unwrap();
    let wait = text.lines().enumerate().filter(|(_, line)| line.contains(r#""name": "wait""#));
    let lines: Vec<_> = wait.map(|(i, _)| format!("`wait` (step 5, line {})", i + 1)).collect();
    let finding = report.findings[0].to_string();
    assert!(lines.iter().any(|line| finding.contains(line)), "{finding}");

    let text = edit(TWO_SHOT, 0, "\"name\": \"signal\"", "\"name\": \"sygnal\"");
    let line = 1 + text.lines().position(|line| line.contains("sygnal")).unwrap();
    let error = read(text.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let start = format!("line {line}, GPU 0, block 0, operation 4 `sygnal`: unknown operation");
    assert!(error.message().starts_with(&start), "{error}");

    let text = edit(TWO_SHOT, 0, "\"name\": \"signal\"", "\"name\": 7");
    let error = read(text.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    assert!(error.message().contains(&format!("at line {line} column")), "{error}");
}

#[test]
fn fields_that_are_not_known_are_ignored_with_a_warning_that_names_them() {
    let line = 1 + TWO_SHOT.lines().position(|line| line.contains("\"index\":")).unwrap();
    let with = |field: &str| edit(TWO_SHOT, 0, "\"index\":", &format!("{field}, \"index\":"));
    let plan = read(with("\"rank\": 1, \"note\": {\"a\": [1]}").as_bytes()).unwrap();
    let warning = |field| format!("line {line}, an operation: field `{field}` is ignored");
    assert_eq!(plan.warnings, [warning("src_buff.note"), warning("src_buff.rank")]);
    assert!(check(&plan, plan.modes[0], Relaxed::default()).unwrap().ok());
    for (place, field) in [
        ("\"name\": \"two_shot", "made_by"),
        ("\"id\": 0", "gpus.made_by"),
        ("\"channel_type\": \"memory\", \"connected_to\"", "gpus.channels.made_by"),
    ] {
        let made_by = format!("\"made_by\": \"hand\", {place}");
        let plan = read(edit(TWO_SHOT, 0, place, &made_by).as_bytes()).unwrap();
        assert_eq!(plan.warnings, [format!("field `{field}` is ignored")]);
    }
    let error = read(edit(TWO_SHOT, 0, "\"index\":", "\"index\"").as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
}

#[test]
fn a_dropped_signal_is_a_deadlock() {
    let text = edit(
        TWO_SHOT,
        0,
        r#"{"name": "signal", "channel_type": "memory", "channel_ids": [0]}"#,
        r#"{"name": "nop"}"#,
    );
    assert_eq!(
        finding(&text),
        "deadlock: rank 1 lane 0 `wait` (step 5) waits for a signal from rank 0: never"
    );
}

#[test]
fn a_relaxed_signal_does_not_order_memory() {
    let text = TWO_SHOT.replace(r#""name": "signal""#, r#""name": "rlxsignal""#);
    assert_eq!(
        finding(&text),
        "output 1 of rank 0: its rank may end before rank 1 lane 0 `rres` (step 2) has written it"
    );
    assert_eq!(finding_with(&text, Relaxed::Memory), None);
    let plan = read(text.as_bytes()).unwrap();
    let report = check(&plan, plan.modes[0], Relaxed::default()).unwrap().to_string();
    let help = "right if its relaxed signals order memory, which is not promised: `--relaxed memory` takes";
    assert!(report.contains(help), "{report}");
    // A plan that is wrong all the same gets no such help.
    let dropped = edit(
        &text,
        0,
        r#"{"name": "rlxsignal", "channel_type": "memory", "channel_ids": [0]}"#,
        r#"{"name": "nop"}"#,
    );
    let plan = read(dropped.as_bytes()).unwrap();
    assert_eq!(check(&plan, plan.modes[0], Relaxed::default()).unwrap().right_if, None);
}

#[test]
fn a_dropped_wait_leaves_a_signal() {
    let text = edit(
        TWO_SHOT,
        1,
        r#"{"name": "wait", "channel_type": "memory", "channel_ids": [0]}"#,
        r#"{"name": "nop"}"#,
    );
    assert_eq!(finding(&text), "rank 0 lane 0 `signal` (step 4) is never received or waited for");
}

#[test]
fn a_source_that_changes_before_a_flush_is_a_race() {
    let text = edit(
        PORT_PUTS,
        0,
        r#"{"name": "flush", "channel_type": "port", "channel_ids": [0]}"#,
        r#"{"name": "nop"}"#,
    );
    assert_eq!(
        finding(&text),
        "race on scratch 0 of rank 0: rank 0 lane 0 `put` (step 1) reads it, rank 0 lane 1 `copy` (step 2) writes it, and nothing orders them"
    );
}

#[test]
fn a_dropped_semaphore_is_a_race() {
    let text = edit(
        PORT_PUTS,
        0,
        r#"{"name": "sem_acquire", "semaphore_ids": [0]}"#,
        r#"{"name": "nop"}"#,
    );
    assert_eq!(
        finding(&text),
        "race on scratch 0 of rank 0: rank 0 lane 0 `copy` (step 0) writes it, rank 0 lane 1 `copy` (step 2) writes it, and nothing orders them"
    );
}

#[test]
fn two_lanes_do_not_share_an_end_of_a_channel() {
    let second = r#"{"id": 1, "channels": [{"channel_type": "memory", "channel_ids": [0]}],
        "ops": [{"name": "signal", "channel_type": "memory", "channel_ids": [0]}]}, {"id": 0,"#;
    let text = edit(
        &TWO_SHOT.replace("        {\n          \"id\": 0,", "        {\"id\": 0,"),
        0,
        "{\"id\": 0,",
        second,
    );
    assert_eq!(
        finding(&text),
        "rank 0 lane 1 `signal` (step 0) and rank 0 lane 0 `rlxsignal` (step 0) share a channel or barrier, and which comes first is open"
    );
}

#[test]
fn more_lanes_than_meet_at_a_barrier_are_refused() {
    let text = PORT_PUTS.replace("\"num_threadblocks\": 2", "\"num_threadblocks\": 1");
    assert_eq!(
        finding(&text),
        "rank 0 lane 0 `barrier` (step 7) and rank 0 lane 1 `barrier` (step 4) share a channel or barrier, and which comes first is open"
    );
}

#[test]
fn a_flush_does_not_say_that_a_put_is_there() {
    // The signal of another channel after a flush, in the place of the put's own one.
    let text = edit(PORT_PUTS, 0, r#""connected_to": [0]"#, r#""connected_to": [0, 0]"#);
    let text = edit(&text, 0, r#""connected_to": [1]"#, r#""connected_to": [1, 1]"#);
    let text = text.replace(
        r#""channel_type": "port", "channel_ids": [0]}],"#,
        r#""channel_type": "port", "channel_ids": [0, 1]}],"#,
    );
    let signal = r#"{"name": "signal", "channel_type": "port", "channel_ids": [0]}"#;
    let flush = r#"{"name": "flush", "channel_type": "port", "channel_ids": [0]}, {"name": "signal", "channel_type": "port", "channel_ids": [1]}"#;
    let text = edit(&text, 0, signal, flush);
    let text = edit(
        &text,
        0,
        r#"{"name": "wait", "channel_type": "port", "channel_ids": [0]}"#,
        r#"{"name": "wait", "channel_type": "port", "channel_ids": [1]}"#,
    );
    assert_eq!(
        finding(&text),
        "output 2 of rank 0: its rank may end before rank 1 lane 0 `put` (step 0) has written it"
    );
}

/// A plan of one rank and three blocks: the first two copy a chunk to scratch memory and release a
/// semaphore, the third acquires it as often as it says and copies both to the output.
fn gathering(acquires: usize) -> String {
    let copy = |from: &str, to: &str, index: usize, size: usize| {
        format!(
            r#"{{"name": "copy", "src_buff": [{{"type": "{from}", "index": {index}, "size": {size}}}], "dst_buff": [{{"type": "{to}", "index": {index}, "size": {size}}}]}}"#
        )
    };
    let release = r#"{"name": "sem_release", "semaphore_ids": [0]}"#;
    let acquire = r#"{"name": "sem_acquire", "semaphore_ids": [0]}, "#.repeat(acquires);
    let blocks = [
        format!("{}, {release}", copy("i", "s", 0, 1)),
        format!("{}, {release}", copy("i", "s", 1, 1)),
        format!("{acquire}{}", copy("s", "o", 0, 2)),
    ];
    let block = |(id, ops): (usize, &String)| format!(r#"{{"id": {id}, "ops": [{ops}]}}"#);
    let blocks: Vec<_> = blocks.iter().enumerate().map(block).collect();
    format!(
        r#"{{"name": "gathering", "collective": "allreduce", "protocol": "Simple", "inplace": false, "gpus": [
        {{"id": 0, "input_chunks": 2, "output_chunks": 2, "scratch_chunks": 2, "semaphores": [{{"init_value": 0}}],
        "threadblocks": [{}]}}]}}"#,
        blocks.join(", ")
    )
}

#[test]
fn an_acquire_is_sure_of_a_release_only_if_it_needs_it() {
    assert_eq!(finding_with(&gathering(2), Relaxed::default()), None);
    assert_eq!(
        finding(&gathering(1)),
        "race on scratch 0 of rank 0: rank 0 lane 0 `copy` (step 0) writes it, rank 0 lane 2 `copy` (step 1) reads it, and nothing orders them"
    );
}

#[test]
fn a_dropped_barrier_is_a_deadlock() {
    let text = edit(
        PORT_PUTS,
        1,
        r#"{"name": "barrier", "barrier_id": 0, "num_threadblocks": 2}"#,
        r#"{"name": "nop"}"#,
    );
    assert_eq!(
        finding(&text),
        "deadlock: rank 0 lane 0 `barrier` (step 7) waits for a barrier of 2 lanes, 1 of which have come: never"
    );
}

#[test]
fn a_wrong_index_is_a_wrong_value() {
    let text = edit(
        PORT_PUTS,
        0,
        r#"{"buffer_id": 0, "index": 1, "size": 1}"#,
        r#"{"buffer_id": 0, "index": 0, "size": 1}"#,
    );
    assert_eq!(
        finding(&text),
        "rank 1 output 0 holds rank 0's chunk 1 and rank 0 never; last written by rank 0 lane 0 `pwsf` (step 5)"
    );
}

#[test]
fn a_packet_is_written_once() {
    let ppkt = r#"{"name": "ppkt", "channel_type": "memory", "src_buff": [{"type": "i", "index": 0, "size": 2}], "dst_buff": [{"buffer_id": 2, "index": 0, "size": 2}]}"#;
    let repkt = r#"{"name": "repkt", "src_buff": [{"type": "i", "index": 0, "size": 2}, {"type": "s", "index": 0, "size": 2}], "dst_buff": [{"type": "o", "index": 0, "size": 2}]}"#;
    let right = [ppkt, repkt].join(", ");
    assert_eq!(finding_with(&pair("allreduce", 2, [&right, &right]), Relaxed::default()), None);
    let twice = [ppkt, repkt, ppkt].join(", ");
    assert_eq!(
        finding(&pair("allreduce", 2, [&twice, &right])),
        "rank 0 lane 0 `ppkt` (step 2) writes packet 0 of rank 1 a second time: readers cannot tell the two apart"
    );
    assert_eq!(
        finding(&pair("allreduce", 2, [repkt, &right])),
        "deadlock: rank 1 lane 0 `repkt` (step 1) waits for packet 0 of rank 1 to be filled: never"
    );
}

#[test]
fn multicast_becomes_moves_from_and_to_every_rank() {
    let rank = |chunk: u32| {
        format!(
            r#"{{"name": "glres", "channel_type": "switch", "src_buff": [{{"switch_channel_id": 0, "index": {chunk}, "size": 1}}],
              "dst_buff": [{{"switch_channel_id": 0, "index": {chunk}, "size": 1}}]}},
            {{"name": "signal", "channel_type": "memory", "channel_ids": [0]}}, {{"name": "wait", "channel_type": "memory", "channel_ids": [0]}}"#
        )
    };
    let text = pair("allreduce", 0, [&rank(0), &rank(1)]);
    assert_eq!(finding_with(&text, Relaxed::default()), None);
    Imported::new(&read(text.as_bytes()).unwrap()).unwrap();
}

#[test]
fn pipelines_are_flattened_and_their_rounds_compared() {
    let rank = |chunk: u32, unit: u32| {
        format!(
            r#"{{"name": "pipeline", "iter_context": {{"unit_size": {unit}, "num_chunks": 1}}, "ops": [
              {{"name": "rres", "channel_type": "memory", "src_buff": [{{"type": "i", "index": {chunk}, "size": 1}}, {{"buffer_id": 0, "index": {chunk}, "size": 1}}],
                "dst_buff": [{{"type": "i", "index": {chunk}, "size": 1}}, {{"buffer_id": 0, "index": {chunk}, "size": 1}}]}},
              {{"name": "signal", "channel_type": "memory", "channel_ids": [1]}}, {{"name": "wait", "channel_type": "memory", "channel_ids": [1]}}]}}"#
        )
    };
    let text = pair("allreduce", 0, [&rank(0, 64), &rank(1, 64)]);
    assert_eq!(finding_with(&text, Relaxed::default()), None);
    let text = pair("allreduce", 0, [&rank(0, 64), &rank(1, 128)]);
    assert_eq!(
        finding(&text),
        "rank 0 lane 0 `signal` (step 0) and rank 1 lane 0 `wait` (step 0) stand in loops of different lengths"
    );
}

#[test]
fn a_plan_without_a_goal_is_checked_but_not_run() {
    let text = TWO_SHOT.replace("allreduce", "custom");
    let plan = read(text.as_bytes()).unwrap();
    let report = check(&plan, plan.modes[0], Relaxed::default()).unwrap();
    assert!(report.ok() && !report.values_checked);
    let error = Imported::new(&plan).err().unwrap();
    assert_eq!(error.message(), "plan `two_shot_signals` does not say what it computes");
}

#[test]
fn a_plan_made_by_hand_is_checked_for_what_it_names() {
    let mut plan = read(TWO_SHOT.as_bytes()).unwrap();
    plan.ranks[1].output = 0;
    let error = check(&plan, plan.modes[0], Relaxed::default()).unwrap_err();
    assert_eq!(
        error.message(),
        "plan `two_shot_signals` has buffers of other sizes than its operation needs"
    );
    plan.ranks[1].output = 2;
    plan.semaphores.clear();
    let error = check(&plan, plan.modes[0], Relaxed::default()).unwrap_err();
    assert_eq!(
        without_lines(&error.to_string()),
        "rank 0 lane 0 `rlxsignal` (step 0) names what is not there (plan: two_shot_signals)"
    );
}

#[test]
fn a_message_into_packets_is_refused() {
    let mut plan = read(PACKETS.as_bytes()).unwrap();
    let PlanAction::Move { step, .. } = &mut plan.lanes[0].ops[0].action else {
        panic!("a packet is put");
    };
    (step.action, step.source) = (Action::Recv, step.chunks);
    let error = check(&plan, plan.modes[0], Relaxed::default()).unwrap_err();
    assert_eq!(
        without_lines(&error.to_string()),
        "rank 0 lane 0 `ppkt` (step 0) receives packets by a message: puts and copies fill them (plan: one_shot_packets)"
    );
}

#[test]
fn a_key_that_is_written_with_an_escape_is_read() {
    let escaped = PACKETS.replace("\"tbg_info\"", "\"\\u0074bg_info\"");
    assert_ne!(escaped, PACKETS);
    assert_eq!(finding_with(&escaped, Relaxed::default()), None);
}

#[test]
fn mistakes_of_the_file_are_named() {
    let cases = [
        (
            edit(TWO_SHOT, 0, r#""name": "nop""#, r#""name": "glre""#),
            "GPU 0, block 0, operation 3 `glre`: not supported; the MSCCL++ executor refuses it as well",
        ),
        (
            edit(TWO_SHOT, 0, r#""name": "nop""#, r#""name": "jump""#),
            "GPU 0, block 0, operation 3 `jump`: unknown operation; operations are nop, barrier, sem_acquire, sem_release, signal, wait, rlxsignal, rlxwait, flush, pipeline, copy, get, put, pws, pwsf, re, res, rre, rres, cpkt, upkt, ppkt, rppkt, repkt, respkt, recpkt, recspkt, glres, gstore, gstorepkt",
        ),
        (
            edit(TWO_SHOT, 0, "input_chunks", "inputChunks"),
            "an MSCCL++ plan of an older schema: it has the field `inputChunks`; write the plan again with a current version of MSCCL++",
        ),
        (
            edit(TWO_SHOT, 0, r#""name": "nop""#, r#""name": "nop", "i_buff": {}"#),
            "an MSCCL++ plan of an older schema: it has the field `i_buff`; write the plan again with a current version of MSCCL++",
        ),
        (
            edit(TWO_SHOT, 0, r#""input_chunks": 2"#, r#""input_chunks": 3"#),
            "GPU 0: 3 input and 2 output chunks are not those of allreduce among 2 GPUs",
        ),
        (
            edit(TWO_SHOT, 0, r#""connected_to": [1]"#, r#""connected_to": [7]"#),
            "GPU 0: a channel to GPU 7",
        ),
        (
            edit(TWO_SHOT, 0, r#""connected_to": [1]"#, r#""connected_to": []"#),
            "GPU 0, block 0, operation 0 `rlxsignal`: channel 0, which its block or its GPU does not have",
        ),
        (
            edit(TWO_SHOT, 1, r#""channel_ids": [0]"#, r#""channel_ids": [5]"#),
            "GPU 0, block 0, operation 0 `rlxsignal`: channel 5, which its block or its GPU does not have",
        ),
        (
            edit(TWO_SHOT, 0, r#"{"buffer_id": 0,"#, r#"{"buffer_id": 3,"#),
            "GPU 0, block 0, operation 2 `rres`: remote buffer 3, which its block or its GPU does not have",
        ),
        (
            edit(PACKETS, 0, r#""reduce_op": "sum""#, r#""reduce_op": "max""#),
            "GPU 0, block 0, operation 1 `repkt`: not supported: merge `max`; plans merge with `sum`",
        ),
        (
            edit(PACKETS, 0, r#""tbg_size": 2"#, r#""tbg_size": 4294967295"#),
            "a thread block group of 4294967295 cuts chunks in 4294967295 cells; the sizes of all groups may need 1 to 4096 cells",
        ),
        (
            edit(PACKETS, 0, r#""size": 1"#, r#""size": -1"#),
            "not an MSCCL++ plan: invalid value: integer `-1`, expected u32 at line 15 column 104",
        ),
        (
            edit(
                PACKETS,
                0,
                r#"{"type": "i", "index": 0, "size": 1}"#,
                r#"{"type": "i", "index": 0, "size": 2}"#,
            ),
            "GPU 0, block 0, operation 0 `ppkt`: its ranges have different sizes",
        ),
        (
            TWO_SHOT.replace("allreduce", "broadcast"),
            "what collective `broadcast` leaves in the buffers is not known here; known: allreduce, allgather, reducescatter, alltoall, custom, test, sendrecv",
        ),
        (
            "[".repeat(100_000),
            "a plan file begins with `<` or `{`; plans are MSCCL XML or MSCCL++ JSON",
        ),
        ("{".repeat(100_000), "not an MSCCL++ plan: key must be a string at line 1 column 2"),
    ];
    for (text, message) in cases {
        let error = read(text.as_bytes()).unwrap_err().to_string();
        let place = error.split_once(", GPU ").filter(|(line, _)| line.starts_with("line "));
        let shown = place.map_or(error.clone(), |(_, rest)| format!("GPU {rest}"));
        assert_eq!(shown, message);
    }
}
