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
    format!(
        "{{\"name\":\"a\",\"collective\":\"custom\",\"protocol\":\"LL\",\"inplace\":true,\"gpus\":[{{\"id\":0,\
         \"input_chunks\":1,\"output_chunks\":1,\"scratch_chunks\":1,\"threadblocks\":[{{\"id\":0,\"ops\":[{operations}]}}]}}]}}"
    )
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
