use super::*;
use crate::Value;
use crate::protocol::{Command, Order, Register};
use ringwood_transport::process::receive;
use std::fs::File;
use std::os::unix::fs::MetadataExt;

#[test]
fn a_message_to_several_workers_brings_them_one_file() {
    let value = Value::Bytes(vec![7; 100 << 10].into());
    let packet =
        Packet::of(&Order::Command(Command::Set { register: Register(1), value })).unwrap();
    let file = |packet: Packet| {
        let (here, there) = UnixStream::pair().unwrap();
        let (outbox, mut files) = (Mutex::new(Outbox::default()), VecDeque::new());
        Outbox::push(&outbox, packet).unwrap();
        assert!(lock(&outbox).flush(&here, true).unwrap());
        receive(&there, &mut [0; 256], &mut files, true).unwrap();
        File::from(files.pop_front().unwrap()).metadata().unwrap().ino()
    };
    let first = file(packet.clone());
    assert_eq!(file(packet), first);
}
