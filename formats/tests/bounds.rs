//! Files of which little is large: what the readers refuse, and that they do so soon.

use ringwood_base::ErrorKind;
use ringwood_formats::{Relaxed, check, read, read_file};
use std::time::{Duration, Instant};

/// Long enough for a busy machine and a build without optimisation.
const SOON: Duration = Duration::from_secs(10);

/// What `act` returns, soon.
fn soon<T>(what: &str, act: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = act();
    let took = start.elapsed();
    assert!(took < SOON, "{what} took {took:?}");
    done
}

fn refused(what: &str, text: &str, bound: &str) {
    let error = soon(what, || read(text.as_bytes())).unwrap_err();
    assert!(error.to_string().contains(bound), "{what}: {error}");
}

#[test]
fn attributes_of_a_tag_are_bounded() {
    let attributes: String = (0..40_000).map(|i| format!(" a{i}=\"\"")).collect();
    refused("40,000 attributes", &format!("<algo{attributes}/>"), "more than 64 attributes");
}

#[test]
fn namespaces_are_refused() {
    let depth = 20_000;
    let tags: String = (0..depth).map(|i| format!("<a xmlns:n{i}=\"u{i}\">")).collect();
    let text = format!("{tags}{}", "</a>".repeat(depth));
    refused("20,000 nested namespaces", &text, "namespaces");
}

/// A plan of one GPU with so many blocks that all read one cell.
fn sharing(blocks: usize) -> String {
    let block = |i: usize| {
        format!(
            "<tb id=\"{i}\" send=\"-1\" recv=\"-1\" chan=\"0\"><step s=\"0\" type=\"cpy\" srcbuf=\"i\" srcoff=\"0\" \
             dstbuf=\"s\" dstoff=\"{i}\" cnt=\"1\" depid=\"-1\" deps=\"-1\" hasdep=\"0\"/></tb>"
        )
    };
    let all: String = (0..blocks).map(block).collect();
    format!(
        "<algo name=\"a\" proto=\"LL\" nchannels=\"1\" nchunksperloop=\"1\" ngpus=\"1\" coll=\"custom\" inplace=\"1\">\
         <gpu id=\"0\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"{blocks}\">{all}</gpu></algo>"
    )
}

#[test]
fn blocks_that_share_cells_are_checked_in_linear_time() {
    let plan = read(sharing(11_400).as_bytes()).unwrap();
    let report = soon("11,400 blocks", || check(&plan, plan.modes[0], Relaxed::default()));
    assert!(report.unwrap().ok());
}

/// A JSON plan of one GPU and one block with these operations.
fn json(operations: &str) -> String {
    blocks(1, &[operations.to_owned()])
}

/// A JSON plan of one GPU, whose buffers have so many chunks, with the operations of each block.
fn blocks(chunks: usize, operations: &[String]) -> String {
    let block = |(id, ops): (usize, &String)| format!("{{\"id\":{id},\"ops\":[{ops}]}}");
    let all: Vec<_> = operations.iter().enumerate().map(block).collect();
    format!(
        "{{\"name\":\"a\",\"collective\":\"custom\",\"protocol\":\"LL\",\"inplace\":true,\"gpus\":[{{\"id\":0,\
         \"input_chunks\":{chunks},\"output_chunks\":{chunks},\"scratch_chunks\":{chunks},\
         \"threadblocks\":[{}]}}]}}",
        all.join(",")
    )
}

/// A local operation from chunks of one buffer to as many of another.
fn moves(name: &str, [from, to]: [&str; 2], first: usize, count: usize) -> String {
    let range = |of: &str| format!("[{{\"type\":\"{of}\",\"index\":{first},\"size\":{count}}}]");
    let (from, to) = (range(from), range(to));
    format!("{{\"name\":\"{name}\",\"src_buff\":{from},\"dst_buff\":{to}}}")
}

/// What the check of a plan that is read says, soon.
fn checked(what: &str, text: &str) -> ringwood_base::Result<ringwood_formats::Report> {
    let plan = read(text.as_bytes()).unwrap();
    soon(what, || check(&plan, plan.modes[0], Relaxed::default()))
}

#[test]
fn packets_count_for_every_lane_that_hears_of_them() {
    let chunks = 1 << 16;
    let mut lanes = vec![String::new(); 40_000];
    lanes[0] = moves("cpkt", ["i", "s"], 0, chunks);
    lanes[1] = moves("upkt", ["s", "o"], 0, chunks);
    let error = checked("packets beside 40,000 lanes", &blocks(chunks, &lanes)).unwrap_err();
    assert!(error.message().contains("packets and uses of ports times lanes"), "{error}");
}

#[test]
fn chunks_that_the_last_of_many_lanes_writes_are_checked_in_linear_time() {
    let chunks = 1 << 17;
    let mut lanes = vec![String::new(); 20_000];
    lanes.push(moves("copy", ["i", "o"], 0, chunks));
    assert!(checked("20,000 lanes", &blocks(chunks, &lanes)).unwrap().ok());
}

/// A JSON plan of two GPUs, of which the first has so many port channels to the other, and so many
/// blocks that flush all of them, meet, and flush them again.
fn flushing(ports: usize, lanes: usize) -> String {
    let ids = |of: &str| vec![of; ports].join(",");
    let numbers: Vec<_> = (0..ports).map(|i| i.to_string()).collect();
    let all = numbers.join(",");
    let flush = format!("{{\"name\":\"flush\",\"channel_type\":\"port\",\"channel_ids\":[{all}]}}");
    let meet = format!("{{\"name\":\"barrier\",\"barrier_id\":0,\"num_threadblocks\":{lanes}}}");
    let block = |id: usize| {
        format!(
            "{{\"id\":{id},\"channels\":[{{\"channel_type\":\"port\",\"channel_ids\":[{all}]}}],\
             \"ops\":[{flush},{meet},{flush}]}}"
        )
    };
    let gpu = |id: usize, peer: &str, blocks: usize| {
        let blocks: Vec<_> = (0..blocks).map(block).collect();
        format!(
            "{{\"id\":{id},\"input_chunks\":1,\"output_chunks\":1,\"scratch_chunks\":0,\"channels\":[{{\
             \"channel_type\":\"port\",\"connected_to\":[{}]}}],\"threadblocks\":[{}]}}",
            ids(peer),
            blocks.join(",")
        )
    };
    let (first, second) = (gpu(0, "1", lanes), gpu(1, "0", 0));
    format!(
        "{{\"name\":\"a\",\"collective\":\"custom\",\"protocol\":\"Simple\",\"inplace\":true,\
         \"gpus\":[{first},{second}]}}"
    )
}

#[test]
fn every_lane_of_a_port_channel_counts() {
    let error = checked("80 ports of 80 lanes", &flushing(80, 80)).unwrap_err();
    assert!(error.message().contains("operations times lanes"), "{error}");
    let error = checked("a port of 600 lanes", &flushing(1, 600)).unwrap_err();
    assert!(error.message().contains("uses of ports times lanes"), "{error}");
}

#[test]
fn empty_lists_of_channels_count() {
    let list = "{\"channel_type\":\"memory\",\"channel_ids\":[]}";
    let lists = vec![list; 2_000].join(",");
    let text = json("").replace("\"ops\":[]", &format!("\"ops\":[],\"channels\":[{lists}]"));
    refused("2,000 lists of channels", &text, "more than 1024 channels");
}

#[test]
fn operations_are_bounded() {
    let nops = vec!["{\"name\":\"nop\"}"; 3_300_000].join(",");
    refused("50 MB of `nop`", &json(&nops), "more than 1048576 objects");
    let ids = vec!["0"; 1_000_000].join(",");
    let signal =
        format!("{{\"name\":\"signal\",\"channel_type\":\"memory\",\"channel_ids\":[{ids}]}}");
    refused("a million signals of one operation", &json(&signal), "more than 1024");
}

#[test]
fn pipelines_within_pipelines_are_refused_at_once() {
    let depth = 4_000;
    let outer = "{\"name\":\"pipeline\",\"tbg_info\":{\"tb_id\":0,\"tbg_size\":1},\
                 \"iter_context\":{\"unit_size\":1,\"num_chunks\":1},\"ops\":[";
    let text = json(&format!("{}{}", outer.repeat(depth), "]}".repeat(depth)));
    refused("4,000 nested pipelines", &text, "a pipeline within a pipeline");
}

#[test]
fn dependencies_on_many_steps_are_found_in_linear_time() {
    let step =
        |i: usize| format!("<step s=\"{i}\" type=\"nop\" depid=\"0\" deps=\"0\" hasdep=\"0\"/>");
    let steps: String = (0..40_000).map(step).collect();
    let text = format!(
        "<algo name=\"a\" proto=\"LL\" nchannels=\"1\" nchunksperloop=\"1\" ngpus=\"1\" coll=\"custom\" inplace=\"1\">\
         <gpu id=\"0\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"0\"><tb id=\"0\" send=\"-1\" recv=\"-1\" chan=\"0\">\
         {steps}</tb></gpu></algo>"
    );
    let plan = soon("40,000 dependencies", || read(text.as_bytes())).unwrap();
    assert_eq!(plan.lanes[0].ops.len(), 80_000);
}

#[test]
#[cfg(unix)]
fn a_pipe_is_refused_at_once() {
    let path = std::env::temp_dir().join(format!("ringwood-pipe-{}", std::process::id()));
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("mkfifo runs");
    assert!(made.success());
    let (tell, told) = std::sync::mpsc::channel();
    let pipe = path.clone();
    std::thread::spawn(move || tell.send(read_file(&pipe).map(drop)));
    let end = told.recv_timeout(SOON);
    std::fs::remove_file(&path).unwrap();
    let error = end.expect("the reader returns").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(error.message().contains("is not a file"), "{error}");
}
