//! Chakra traces: decoded, replayed, and compared with the schedules that they come from.

use ringwood_base::registry::Registry;
use ringwood_collectives as _;
use ringwood_formats::chakra;
use ringwood_schedule::{
    Action, Bytes, ChunkRange, Chunks, Collective, Descriptor, Lane, Operation, Params, Rank,
    Schedule, Space,
};
use std::collections::{HashMap, HashSet};

/// A field of a message: a number, or bytes.
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for i in 0.. {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        value |= u64::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            break;
        }
    }
    value
}

fn take<'a>(bytes: &mut &'a [u8], length: u64) -> &'a [u8] {
    let (taken, rest) = bytes.split_at(length as usize);
    *bytes = rest;
    taken
}

fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let value = varint(&mut bytes);
        let field = match key & 7 {
            0 => Field::Number(value),
            2 => Field::Bytes(take(&mut bytes, value)),
            other => panic!("wire type {other}"),
        };
        fields.push((key >> 3, field));
    }
    fields
}

/// A node of a trace.
#[derive(Default, Debug)]
struct Node {
    id: u64,
    kind: u64,
    after: Vec<u64>,
    /// By name: the number of the field that the value is in, and the value.
    attributes: HashMap<String, (u64, u64)>,
}

fn node(message: &[u8]) -> Node {
    let mut node = Node::default();
    for (number, field) in fields(message) {
        match (number, field) {
            (1, Field::Number(id)) => node.id = id,
            (2, Field::Bytes(name)) => assert!(std::str::from_utf8(name).is_ok()),
            (3, Field::Number(kind)) => node.kind = kind,
            (5, Field::Bytes(mut packed)) => {
                while !packed.is_empty() {
                    node.after.push(varint(&mut packed));
                }
            }
            (10, Field::Bytes(attribute)) => match fields(attribute).as_slice() {
                [(1, Field::Bytes(name)), (field, Field::Number(value))] => {
                    let name = String::from_utf8(name.to_vec()).unwrap();
                    node.attributes.insert(name, (*field, *value));
                }
                _ => panic!("an attribute is a name and a number"),
            },
            (other, _) => panic!("field {other} of a node"),
        }
    }
    node
}

/// The nodes of a file, behind its metadata.
fn nodes(mut file: &[u8]) -> Vec<Node> {
    let mut messages = Vec::new();
    while !file.is_empty() {
        let length = varint(&mut file);
        messages.push(take(&mut file, length));
    }
    let metadata = fields(messages[0]);
    assert!(matches!(metadata.as_slice(), [(1, Field::Bytes(b"0.0.4"))]));
    messages[1..].iter().map(|m| node(m)).collect()
}

/// Runs all traces; the bytes that were sent.
fn replay(traces: &[Vec<Node>]) -> u64 {
    let mut done: Vec<HashSet<u64>> = vec![HashSet::new(); traces.len()];
    let mut sent = HashMap::new();
    let mut total = 0;
    loop {
        let mut progress = false;
        for (rank, trace) in traces.iter().enumerate() {
            for node in trace {
                let ready = node.after.iter().all(|id| done[rank].contains(id));
                if !ready || done[rank].contains(&node.id) {
                    continue;
                }
                let number = |name: &str| node.attributes[name].1;
                if node.kind == 5 || node.kind == 6 {
                    let key = (number("comm_src"), number("comm_dst"), number("comm_tag"));
                    let own = if node.kind == 5 { key.0 } else { key.1 };
                    assert_eq!(own, rank as u64);
                    if node.kind == 5 {
                        assert_eq!(
                            sent.insert(key, number("comm_size")),
                            None,
                            "a tag is used once"
                        );
                        total += number("comm_size");
                    } else {
                        match sent.get(&key) {
                            Some(size) => assert_eq!(*size, number("comm_size")),
                            None => continue,
                        }
                    }
                }
                done[rank].insert(node.id);
                progress = true;
            }
        }
        if !progress {
            break;
        }
    }
    for (rank, trace) in traces.iter().enumerate() {
        assert_eq!(done[rank].len(), trace.len(), "rank {rank} does not end");
    }
    total
}

#[test]
fn a_node_has_the_fields_of_the_schema() {
    let ring = &*Registry::global()
        .unwrap()
        .find::<ringwood_schedule::CollectiveDef>("ring")
        .unwrap()
        .collective;
    let params = Params::new(&ring.describe(), 2).unwrap();
    let schedule = Schedule::of(ring, &params).unwrap();
    let files = chakra::write(&schedule, &params, Bytes(1 << 20)).unwrap();
    let trace = nodes(&files[0]);
    let kinds: Vec<_> = trace.iter().map(|n| n.kind).collect();
    assert_eq!(kinds, [5, 6, 4, 5, 6], "send, receive, merge, send, receive");
    assert_eq!(trace[2].after, [2], "the merge comes after what it merges");
    assert_eq!(trace[3].after, [3], "the merged chunk is sent after the merge");
    let expected = [
        ("comm_src", (7, 0)),
        ("comm_dst", (7, 1)),
        ("comm_size", (9, 1 << 19)),
        ("comm_tag", (7, 0)),
        ("is_cpu_op", (27, 0)),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    assert_eq!(trace[0].attributes, HashMap::from(expected));
}

#[test]
fn traces_of_every_algorithm_run_to_their_end() {
    let mut replayed = 0;
    for (entry, def) in Registry::global().unwrap().of::<ringwood_schedule::CollectiveDef>() {
        let collective = &*def.collective;
        if collective.describe().operation == Operation::Barrier {
            continue;
        }
        for ranks in [1, 2, 3, 4, 8] {
            let Ok(params) = Params::new(&collective.describe(), ranks) else { continue };
            let params = match params.operation() {
                Operation::Permute => {
                    let next: Vec<_> = (0..ranks).map(|rank| (rank + 1) % ranks).collect();
                    params.permuted(&next).unwrap()
                }
                _ => params,
            };
            let schedule = Schedule::of(collective, &params).unwrap();
            // Whole cache lines for every chunk.
            let bytes = (64 * params.chunks() * ranks) as u64;
            let files = chakra::write(&schedule, &params, Bytes(bytes))
                .unwrap_or_else(|e| panic!("{} of {ranks}: {e}", entry.meta().name));
            let traces: Vec<_> = files.iter().map(|f| nodes(f)).collect();
            let total = replay(&traces);
            let chunk = bytes / params.chunks() as u64;
            let sends = schedule.lanes.iter().flatten();
            let sends = sends.filter(|s| s.action == Action::Send || s.one_sided());
            let due: u64 = sends.map(|s| u64::from(s.chunks.count) * chunk).sum();
            assert_eq!(total, due, "{} of {ranks}", entry.meta().name);
            replayed += 1;
        }
    }
    println!("{replayed} traces replayed");
    assert!(replayed > 100);
}

#[test]
fn what_moves_nothing_has_no_trace() {
    let registry = Registry::global().unwrap();
    let permute = registry.find::<ringwood_schedule::CollectiveDef>("direct_permute").unwrap();
    // Without a permutation every rank keeps what it has.
    let params = Params::new(&permute.collective.describe(), 8).unwrap();
    let schedule = Schedule::of(&*permute.collective, &params).unwrap();
    let error = chakra::write(&schedule, &params, Bytes(1 << 10)).unwrap_err();
    let expected = "`direct_permute` moves nothing: a trace has messages only";
    assert_eq!(error.to_string(), expected);
}

/// A chain in place that sends what it received by the name that it has in the input.
struct Relay;

impl Collective for Relay {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("relay")
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        if rank.index() > 0 {
            s.recv(rank.prev(), p.all());
        }
        if rank.index() + 1 < p.ranks() {
            s.send(rank.next(), p.all().of(Space::Input));
        }
    }
}

#[test]
fn in_place_what_reads_the_input_comes_after_what_wrote_the_output() {
    let params = Params::new(&Relay.describe(), 3).unwrap();
    let schedule = Schedule::of(&Relay, &params).unwrap();
    let files = chakra::write(&schedule, &params, Bytes(1 << 10)).unwrap();
    let trace = nodes(&files[1]);
    assert_eq!((trace[0].kind, trace[1].kind), (6, 5));
    assert_eq!(trace[1].after, [trace[0].id]);
}

/// Rank 1 receives each chunk where a buffer has the other one.
struct Crossing;

impl Collective for Crossing {
    fn describe(&self) -> Descriptor {
        Descriptor::broadcast("crossing").chunks(Chunks::Fixed(2))
    }

    fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
        for chunk in 0..2_usize {
            let other = p.chunk(1 - chunk).of(Space::Scratch);
            if rank.index() == 0 {
                s.send(rank.next(), p.chunk(chunk));
            } else {
                s.recv(rank.prev(), other);
                s.copy(other, p.chunk(chunk));
            }
        }
    }
}

#[test]
fn a_size_that_cuts_chunks_unevenly_is_refused_where_they_change_their_number() {
    let params = Params::new(&Crossing.describe(), 2).unwrap();
    let schedule = Schedule::of(&Crossing, &params).unwrap();
    assert!(chakra::write(&schedule, &params, Bytes(128)).is_ok());
    let error = chakra::write(&schedule, &params, Bytes(160)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "128 bytes are sent where 32 are received; choose a size that the number of chunks divides"
    );
}

#[test]
fn a_schedule_that_is_wrong_is_refused_before_memory_is_taken() {
    let params = Params::new(&Relay.describe(), 3).unwrap();
    let right = Schedule::of(&Relay, &params).unwrap();
    let error = |change: fn(&mut Schedule)| {
        let mut schedule = right.clone();
        change(&mut schedule);
        chakra::write(&schedule, &params, Bytes(1 << 10)).unwrap_err().to_string()
    };
    let text = error(|schedule| {
        let chunks = ChunkRange { space: Space::Scratch, first: u32::MAX, count: u32::MAX };
        (schedule.lanes[0][0].chunks, schedule.lanes[0][0].source) = (chunks, chunks);
    });
    assert!(text.contains("first wrong step: rank 0 step 0"), "{text}");
    let text = error(|schedule| schedule.lanes[0][0].peer = 77);
    assert!(text.contains("rank 77 is not in a group of 3"), "{text}");
    let text = error(|schedule| schedule.lanes.push(Vec::new()));
    assert_eq!(text, "a schedule of 4 lanes does not fit a group of 3 ranks");
}
