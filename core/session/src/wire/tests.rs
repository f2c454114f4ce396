use super::*;
use crate::protocol::{
    Command, Direction, Event, Failure, Operand, Order, Register, Reply, Report, Scope, Setup,
};
use crate::{Config, HostTensor, Value};
use half::{bf16, f16};
use ringwood_base::{DType, ErrorKind, Scalar, Shape};
use ringwood_transport::process::Parcel;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Every message, with every kind of value.
fn orders() -> Vec<Order> {
    let tensor = HostTensor::new(&[2], &[1.0_f32, -0.5]).unwrap();
    let values = vec![
        Value::None,
        Value::Bool(true),
        Value::Int(-3),
        Value::Float(f64::INFINITY),
        Value::Str("é".into()),
        Value::Bytes([1, 2].into()),
        Value::Shape(Shape::vector(3)),
        Value::DType(DType::F16),
        Value::Host(tensor),
        Value::List(vec![Value::None]),
        Value::Some(Box::new(Value::None)),
    ];
    let scalars = [
        Scalar::Bool(true),
        Scalar::I32(-1),
        Scalar::U32(1),
        Scalar::I64(-1),
        Scalar::U64(u64::MAX),
        Scalar::Usize(7),
        Scalar::F32(-0.0),
        Scalar::F64(1e300),
        Scalar::U8(1),
        Scalar::I8(-1),
        Scalar::I16(-1),
        Scalar::U16(1),
        Scalar::F16(f16::from_f32(0.5)),
        Scalar::BF16(bf16::from_f32(0.5)),
    ];
    let values = values.into_iter().chain(scalars.map(Value::Scalar)).collect();
    let (register, request) = (Register(7), 3);
    let operands = vec![Operand::Register(register), Operand::Value(Value::List(values))];
    let commands = [
        Command::Call { call: 1, function: "f".into(), operands, target: register },
        Command::Set { register, value: Value::Int(1) },
        Command::Free { registers: vec![register] },
        Command::Fetch { request, register },
        Command::Await { request, register },
        Command::Replace { request, register, value: Value::None },
        Command::Sync { request },
        Command::Shutdown,
    ];
    let setup = Setup {
        rank: 1,
        config: Box::new(Config {
            workers: 2,
            groups: 1,
            timeout: Duration::MAX,
            threads: Some(1),
            share: 2,
            devices: vec!["cpu:0".into()],
            stream_kind: "sync".into(),
            pinned: true,
            transport: Some("socket".into()),
            ..Config::default()
        }),
        address: "/proc/1/fd/3".into(),
        model: "{}".into(),
        flight: "/proc/1/fd/8".into(),
        version: "0.1.0".into(),
        functions: vec![("ringwood::f".into(), "f(a: i64)".into())],
    };
    let rest = [
        Order::Start(setup),
        Order::Close(failure(ErrorKind::OutOfMemory)),
        Order::Absent { wait: 4, failure: failure(ErrorKind::Mismatch) },
        Order::Ping(9),
    ];
    commands.map(Order::Command).into_iter().chain(rest).collect()
}

fn failure(kind: ErrorKind) -> Failure {
    Failure { kind, text: "no room".into(), closes: true }
}

fn reports() -> Vec<Report> {
    let events = [
        Event::Begin { call: 1, function: "f".into() },
        Event::Enter { scope: Scope::Group, name: "all_reduce".into() },
        Event::Leave { joined: 1 },
        Event::Exchange { direction: Direction::Recv, peer: 3 },
        Event::Exchanged,
        Event::End { failure: Some(failure(ErrorKind::Panic)) },
    ];
    let outcomes = [Ok(Value::Float(0.5)), Err(failure(ErrorKind::Backend))];
    let replies = outcomes.map(|outcome| Report::Reply(Reply { request: u64::MAX, outcome }));
    let rest = [Report::Close(failure(ErrorKind::Timeout)), Report::Done(5), Report::Pong(9)];
    events.map(Report::Event).into_iter().chain(replies).chain(rest).collect()
}

fn read<T: Wire>(bytes: &[u8], parcel: Bytes) -> Result<Option<T>> {
    let mut inbox = Inbox::default();
    inbox.extend(bytes);
    inbox.next(|| Ok(parcel))
}

fn round_trip<T: Wire + std::fmt::Debug>(message: &T) {
    let Packet { bytes, parts, .. } = Packet::of(message).unwrap();
    assert!(parts.is_empty());
    let back = read::<T>(&bytes, Bytes::new()).unwrap().unwrap();
    assert_eq!(format!("{back:?}"), format!("{message:?}"));
}

#[test]
fn messages_arrive_as_they_were_sent() {
    orders().iter().for_each(round_trip);
    reports().iter().for_each(round_trip);
}

#[test]
fn every_kind_of_error_arrives_as_itself() {
    let kinds = ["invalid_argument", "duplicate", "not_verified", "out_of_bounds", "protocol"];
    for name in kinds {
        let kind = serde_json::from_value::<ErrorKind>(name.into()).unwrap();
        round_trip(&Order::Close(failure(kind)));
    }
}

#[test]
fn messages_that_come_in_pieces_are_put_together() {
    let mut inbox = Inbox::default();
    let sent = reports();
    let bytes: Vec<u8> = sent.iter().flat_map(|r| Packet::of(r).unwrap().bytes).collect();
    let mut got = Vec::new();
    for piece in bytes.chunks(5) {
        inbox.extend(piece);
        while let Some(report) = inbox.next::<Report>(|| Ok(Bytes::new())).unwrap() {
            got.push(report);
        }
    }
    assert_eq!(format!("{got:?}"), format!("{sent:?}"));
}

#[test]
fn a_frame_that_is_cut_is_no_message_yet() {
    for order in orders() {
        let bytes = Packet::of(&order).unwrap().bytes;
        for end in 0..bytes.len() {
            assert!(read::<Order>(&bytes[..end], Bytes::new()).unwrap().is_none());
        }
    }
}

#[test]
fn a_frame_with_a_wrong_bit_is_refused_or_waited_for() {
    for order in orders() {
        let bytes = Packet::of(&order).unwrap().bytes;
        for bit in 0..bytes.len() * 8 {
            let mut wrong = bytes.clone();
            wrong[bit / 8] ^= 1 << (bit % 8);
            // A length that is too large looks like a message that has not come whole; a flag, like
            // one whose file is missing.
            let flag = bit == 24;
            let got = read::<Order>(&wrong, Bytes::new());
            assert!(flag || !matches!(got, Ok(Some(_))), "bit {bit} of {order:?}");
        }
    }
}

/// A frame around any body, as a process of another language might send it.
fn frame(body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![LETTERS[0], LETTERS[1], VERSION, 0];
    bytes.extend((body.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(body).to_le_bytes());
    bytes.extend(body);
    bytes
}

#[test]
fn whatever_a_body_holds_it_is_a_message_or_an_error() {
    let mut seed = 7_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let bodies: Vec<Vec<u8>> =
        orders().iter().map(|o| Packet::of(o).unwrap().bytes[HEAD..].to_vec()).collect();
    for _ in 0..20_000 {
        let mut body = bodies[random() % bodies.len()].clone();
        for _ in 0..1 + random() % 4 {
            let at = random() % body.len();
            body[at] = random() as u8;
        }
        body.truncate(1 + random() % body.len());
        let _ = read::<Order>(&frame(&body), Bytes::new());
        let _ = read::<Report>(&frame(&body), Bytes::new());
    }
}

#[test]
fn lengths_are_checked_before_memory_is_taken() {
    let mut head = frame(&[]);
    head[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = read::<Order>(&head, Bytes::new()).unwrap_err();
    assert!(error.message().ends_with("its 4294967295 bytes exceed 67108864"), "{error}");
    // A list of so many values, of which there is none.
    let mut body = vec![1, 1, 7, 0, 0, 0, 10];
    body.extend(u64::MAX.to_le_bytes());
    let error = read::<Order>(&frame(&body), Bytes::new()).unwrap_err();
    assert!(error.message().ends_with("it ends too early"), "{error}");
}

#[test]
fn values_do_not_lie_too_deep() {
    let list = [&[10][..], &1_u64.to_le_bytes()].concat();
    let body = [&[1, 1, 7, 0, 0, 0][..], &list.repeat(100_000), &[0]].concat();
    let error = read::<Order>(&frame(&body), Bytes::new()).unwrap_err();
    assert!(error.message().ends_with("its values lie too deep in each other"), "{error}");
    // What is written can be read: a list of arguments, of lists, with a shape.
    let deep = |leaf, lists| (0..lists).fold(leaf, |value, _| Value::List(vec![value]));
    let operands = vec![Operand::Value(deep(Value::Shape(Shape::vector(3)), 64))];
    let target = Register(1);
    round_trip(&Order::Command(Command::Call { call: 1, function: "f".into(), operands, target }));
    let reply = |lists| Report::Reply(Reply { request: 1, outcome: Ok(deep(Value::None, lists)) });
    round_trip(&reply(66));
    let error = Packet::of(&reply(67)).err().unwrap();
    assert!(error.message().starts_with("a message of values that lie more than "), "{error}");
}

#[test]
fn lists_take_no_more_memory_than_a_message_is_worth() {
    let (list, count) = ([1, 1, 7, 0, 0, 0, 10], LONGEST - 15);
    let body = [&list[..], &(count as u64).to_le_bytes(), &vec![0; count]].concat();
    let error = read::<Order>(&frame(&body), Bytes::new()).unwrap_err();
    assert!(error.message().ends_with("its lists are too long"), "{error}");
    let value = Value::List(vec![Value::None; MOST_ELEMENTS + 1]);
    let report = Report::Reply(Reply { request: 1, outcome: Ok(value) });
    let error = Packet::of(&report).err().unwrap();
    assert_eq!(error.message(), "a message of 8388609 values exceeds 8388608");
}

/// What the fuzz target starts with: bodies. `RINGWOOD_BLESS=1` writes those of records.
#[test]
fn seeds_of_the_fuzz_target_are_messages() {
    let seeds = Path::new("../../fuzz/seeds/session_message");
    if std::env::var_os("RINGWOOD_BLESS").is_some() {
        for order in orders() {
            let name = match order {
                Order::Start(_) => "start",
                Order::Close(_) => "close",
                _ => continue,
            };
            fs::write(seeds.join(name), &Packet::of(&order).unwrap().bytes[HEAD..]).unwrap();
        }
    }
    for seed in fs::read_dir(seeds).unwrap() {
        let path = seed.unwrap().path();
        let mut bytes = frame(&fs::read(&path).unwrap());
        bytes[3] = BRINGS;
        let parcel = Bytes::copy_from_slice(&bytes);
        let order = read::<Order>(&bytes, parcel.clone());
        let report = read::<Report>(&bytes, parcel);
        assert!(order.is_ok() || report.is_ok(), "{path:?}: {order:?}, {report:?}");
    }
}

#[test]
fn another_version_is_named() {
    let mut bytes = Packet::of(&Order::Ping(0)).unwrap().bytes;
    bytes[2] += 1;
    let error = read::<Order>(&bytes, Bytes::new()).unwrap_err();
    let text = format!("it is of version {} of the protocol, not {VERSION}", VERSION + 1);
    assert!(error.message().ends_with(&text), "{error}");
}

#[test]
fn large_elements_travel_beside_the_message() {
    let elements: Vec<u32> = (0..100_000).collect();
    let [one, two] = [1, 2].map(|n| HostTensor::new(&[100_000 / n], &elements[..100_000 / n]));
    let value = Value::List(vec![Value::Host(one.unwrap()), Value::Host(two.unwrap())]);
    let order = Order::Command(Command::Set { register: Register(1), value });
    let Packet { bytes, parts, .. } = Packet::of(&order).unwrap();
    assert!(bytes.len() < 200 && parts.len() == 2);
    let parcel = Bytes::from_owner(Parcel::map(Parcel::write(&parts).unwrap()).unwrap());
    let back = read::<Order>(&bytes, parcel.clone()).unwrap().unwrap();
    let Order::Command(Command::Set { value: Value::List(values), .. }) = back else { panic!() };
    for (value, length) in values.iter().zip([100_000, 50_000]) {
        let Value::Host(tensor) = value else { panic!() };
        assert_eq!(tensor.to_vec::<u32>().unwrap(), elements[..length]);
    }
    let error = read::<Order>(&bytes, parcel.slice(..500_000)).unwrap_err();
    assert!(error.message().ends_with("its elements lie outside of its file"), "{error}");
}
