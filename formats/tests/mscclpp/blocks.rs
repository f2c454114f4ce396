//! Plans of two ranks written block by block: packets, ports and multicasts.

use super::*;

/// A plan of two ranks in place, of one chunk each, with these blocks of operations.
fn blocks(kind: &str, collective: &str, of_ranks: [&[&str]; 2]) -> String {
    let gpu = |id: usize| {
        let peer = 1 - id;
        let block = |(i, ops): (usize, &&str)| {
            format!(
                r#"{{"id": {i}, "channels": [{{"channel_type": "{kind}", "channel_ids": [0]}}, {{"channel_type": "switch", "channel_ids": [0]}}],
                "remote_buffer_refs": [{{"access_channel_type": "{kind}", "remote_buffer_ids": [0, 1]}}], "ops": [{ops}]}}"#
            )
        };
        let blocks: Vec<_> = of_ranks[id].iter().enumerate().map(block).collect();
        let buffer = |b: &str| {
            format!(r#"{{"rank": {peer}, "type": "{b}", "access_channel_types": ["{kind}"]}}"#)
        };
        format!(
            r#"{{"id": {id}, "input_chunks": 2, "output_chunks": 2, "scratch_chunks": 4,
            "channels": [{{"channel_type": "{kind}", "connected_to": [{peer}]}},
              {{"channel_type": "switch", "buffer_type": "s", "rank_groups": [{{"size": 2, "ranks": [0, 1]}}]}}],
            "remote_buffers": [{}, {}], "threadblocks": [{}]}}"#,
            buffer("s"),
            buffer("o"),
            blocks.join(", ")
        )
    };
    format!(
        r#"{{"name": "blocks", "collective": "{collective}", "protocol": "LL", "inplace": true, "gpus": [{}, {}]}}"#,
        gpu(0),
        gpu(1)
    )
}

/// An operation from local chunks of a buffer to other chunks.
fn op(name: &str, kind: &str, from: (&str, u32), to: &str) -> String {
    let ports = if kind == "port" { r#""channel_ids": [0], "# } else { "" };
    format!(
        r#"{{"name": "{name}", "channel_type": "{kind}", {ports}"src_buff": [{{"type": "{}", "index": {}, "size": 1}}], "dst_buff": [{to}]}}"#,
        from.0, from.1
    )
}

fn local(buffer: &str, index: u32) -> String {
    format!(r#"{{"type": "{buffer}", "index": {index}, "size": 1}}"#)
}

fn remote(index: u32) -> String {
    format!(r#"{{"buffer_id": 0, "index": {index}, "size": 1}}"#)
}

#[test]
fn a_packet_orders_what_was_read_before_it_and_not_what_was_written() {
    // Another block overwrites what was sent, once the answer to it is there.
    let send = op("ppkt", "memory", ("i", 0), &remote(0));
    let take = op("upkt", "memory", ("s", 1), &local("o", 0));
    let answer = op("rppkt", "memory", ("s", 0), &remote(1));
    let right = blocks("memory", "custom", [&[&send, &take], &[&answer]]);
    assert_eq!(finding_with(&right, Relaxed::default()), None);
    // Without an answer to this packet, the read may be to come.
    let early = op("ppkt", "memory", ("i", 0), &remote(1));
    let wrong = blocks("memory", "custom", [&[&send, &take], &[&early]]);
    assert_eq!(
        finding(&wrong),
        "race on output 0 of rank 0: rank 0 lane 0 `ppkt` (step 0) reads it, rank 0 lane 1 `upkt` (step 0) writes it, and nothing orders them"
    );
    // A write before a packet may come after it.
    let write = op("copy", "memory", ("s", 3), &local("o", 1));
    let fill = op("copy", "memory", ("i", 0), &local("s", 3));
    let first = [fill, write, send].join(", ");
    let get = r#"{"name": "get", "channel_type": "memory", "src_buff": [{"buffer_id": 1, "index": 1, "size": 1}], "dst_buff": [{"type": "s", "index": 2, "size": 1}]}"#;
    let read = [answer.as_str(), get].join(", ");
    let written = blocks("memory", "custom", [&[&first, &take], &[&read]]);
    assert_eq!(
        finding(&written),
        "race on output 1 of rank 0: rank 0 lane 0 `copy` (step 1) writes it, rank 1 lane 0 `get` (step 1) reads it, and nothing orders them"
    );
    let fenced = Model { packets: Packets::Memory, ..Model::default() };
    let plan = read_plan(&written);
    assert!(check(&plan, plan.modes[0], fenced).unwrap().ok());
}

fn read_plan(text: &str) -> ringwood_formats::ExecutionPlan {
    read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn packets_over_a_port_channel_are_packets_on_both_sides() {
    let fill = op("cpkt", "port", ("i", 0), &local("s", 0))
        .replace(r#""channel_type": "port", "channel_ids": [0], "#, "");
    let put = op("ppkt", "port", ("s", 0), &remote(1));
    let take = op("upkt", "memory", ("s", 1), &local("s", 2));
    let exchange = [fill.as_str(), &put, &take].join(", ");
    let right = blocks("port", "custom", [&[&exchange], &[&exchange]]);
    assert_eq!(finding_with(&right, Relaxed::default()), None);
    // The channel does not look whether they are full.
    let late = [put.as_str(), &fill, &take].join(", ");
    assert!(
        finding(&blocks("port", "custom", [&[&late], &[&exchange]]))
            .contains("before it holds a value")
    );
    let apart =
        blocks("port", "custom", [&[&[put.as_str(), &take].join(", "), &fill], &[&exchange]]);
    assert!(finding(&apart).contains("`ppkt` (step 0)"), "{}", finding(&apart));
    // What another operation found full is full.
    let seen = [take.as_str(), &op("rppkt", "port", ("s", 1), &remote(3))].join(", ");
    let both = blocks(
        "port",
        "custom",
        [
            &[&exchange, &op("upkt", "memory", ("s", 3), &local("o", 0))],
            &[&[fill.as_str(), &put, &seen].join(", ")],
        ],
    );
    assert_eq!(finding_with(&both, Relaxed::default()), None);
    let plain = op("ppkt", "port", ("i", 0), &remote(1));
    let error = read(blocks("port", "custom", [&[&plain], &[]]).as_bytes()).unwrap_err();
    assert!(error.to_string().contains("packets outside of scratch memory"), "{error}");
}

/// Two blocks put a chunk each over one port channel; `ends` follow their puts. The peer waits
/// `waits` times and copies both chunks.
fn shared_port(ends: [&str; 2], waits: usize) -> String {
    let put = |i: u32| op("put", "port", ("i", i), &remote(i));
    let lanes = [0, 1].map(|i| [put(i as u32).as_str(), ends[i]].join(", "));
    let lanes = lanes.map(|lane| lane.trim_end_matches(", ").to_owned());
    let wait = r#"{"name": "wait", "channel_type": "port", "channel_ids": [0]}, "#.repeat(waits);
    let copy = |i: u32| {
        op("copy", "port", ("s", i), &local("o", i))
            .replace(r#""channel_type": "port", "channel_ids": [0], "#, "")
    };
    let reader = format!("{wait}{}, {}", copy(0), copy(1));
    blocks("port", "custom", [&[&lanes[0], &lanes[1]], &[&reader]])
}

#[test]
fn two_lanes_may_put_over_one_port_channel() {
    const SIGNAL: &str = r#"{"name": "signal", "channel_type": "port", "channel_ids": [0]}"#;
    const MEET: &str = r#"{"name": "barrier", "barrier_id": 0, "num_threadblocks": 2}"#;
    let each = shared_port([SIGNAL, SIGNAL], 2);
    assert_eq!(finding_with(&each, Relaxed::default()), None);
    // One of the two puts may be to come.
    let one = shared_port([SIGNAL, ""], 1);
    assert!(finding(&one).starts_with("race on scratch 1 of rank 1"), "{}", finding(&one));
    // The channel works in the order of requests, which a barrier gives.
    let met = shared_port([&[MEET, SIGNAL].join(", "), MEET], 1);
    assert_eq!(finding_with(&met, Relaxed::default()), None);
    let left = shared_port([SIGNAL, SIGNAL], 1);
    assert!(finding_with(&left, Relaxed::default()).is_some());
    let same = each.replace(
        r#""index": 1, "size": 1}], "dst_buff": [{"buffer_id": 0, "index": 1"#,
        r#""index": 1, "size": 1}], "dst_buff": [{"buffer_id": 0, "index": 0"#,
    );
    assert!(finding(&same).starts_with("race on scratch 0 of rank 1"), "{}", finding(&same));
}

#[test]
fn a_multicast_to_its_own_rank_leaves_the_packet_that_it_came_from() {
    let fill = op("cpkt", "memory", ("i", 0), &local("s", 0));
    let store = |to: u32| {
        format!(
            r#"{{"name": "gstorepkt", "channel_type": "switch", "src_buff": [{{"type": "s", "index": 0, "size": 1}}],
            "dst_buff": [{{"switch_channel_id": 0, "index": {to}, "size": 1}}]}}"#
        )
    };
    let take = |at: u32| op("upkt", "memory", ("s", at), &local("o", 0));
    let give = [fill.as_str(), &store(0)].join(", ");
    let text = blocks("memory", "custom", [&[&give], &[&take(0)]]);
    assert_eq!(finding_with(&text, Relaxed::default()), None);
    let twice = [fill.as_str(), &store(1), &store(1)].join(", ");
    let text = blocks("memory", "custom", [&[&twice], &[&take(1)]]);
    assert!(finding(&text).contains("a second time"), "{}", finding(&text));
}
