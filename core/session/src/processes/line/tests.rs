use super::*;
use crate::protocol::{Command, Order};
use crate::wire::Packet;
use std::fs::File;
use std::os::fd::OwnedFd;

fn line(stream: UnixStream) -> Line {
    let line = Line::new(stream);
    let packet = Packet::of(&Order::Command(Command::Sync { request: 1 })).unwrap();
    Outbox::push(&line.outbox, packet).unwrap();
    line
}

#[test]
fn what_the_system_does_not_take_now_is_still_to_be_sent() {
    // A file that takes no message stands for a system that has no memory for one.
    let line = line(UnixStream::from(OwnedFd::from(File::open("/dev/null").unwrap())));
    assert!(line.flush().is_err());
    assert!(line.is_behind());
}

#[test]
fn a_worker_that_is_gone_is_not_sent_to_again() {
    let (here, there) = UnixStream::pair().unwrap();
    drop(there);
    let line = line(here);
    assert!(line.flush().unwrap());
    assert!(!line.is_behind());
}
