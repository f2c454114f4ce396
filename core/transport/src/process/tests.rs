use super::*;
use std::collections::VecDeque;
use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

#[test]
fn a_parcel_travels_with_its_message_and_cannot_be_changed() {
    let (here, there) = UnixStream::pair().unwrap();
    let parts = [vec![1_u8; 100], vec![2; 70_000]];
    let file = Parcel::write(&parts).unwrap();
    let changed = File::from(file.try_clone().unwrap()).write(&[3]);
    assert_eq!(changed.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
    assert_eq!(send(&here, b"parcel", Some(file.as_fd()), true).unwrap(), 6);
    drop(file);
    let (mut bytes, mut files) = ([0; 64], VecDeque::new());
    assert_eq!(receive(&there, &mut bytes, &mut files, true).unwrap(), 6);
    let parcel = Parcel::map(files.pop_front().unwrap()).unwrap();
    let second = Parcel::after(0, 100);
    assert_eq!(parcel.as_ref()[..100], [1; 100]);
    assert_eq!(parcel.as_ref()[second..second + 70_000], [2; 70_000]);
    drop(here);
    assert_eq!(receive(&there, &mut bytes, &mut files, true).unwrap(), 0);
    assert!(files.is_empty());
}

#[test]
fn memory_that_is_not_sealed_is_refused() {
    let file = OwnedFd::from(File::open("/dev/null").unwrap());
    assert!(Parcel::map(file).err().unwrap().message().contains("not sealed"));
}

#[test]
fn a_wait_ends_with_what_can_be_read_or_with_its_time() {
    let (here, there) = UnixStream::pair().unwrap();
    let start = Instant::now();
    assert_eq!(poll(&[(there.as_fd(), false)], Duration::from_millis(20)).unwrap(), [false]);
    assert!(start.elapsed() >= Duration::from_millis(20));
    assert_eq!(poll(&[(there.as_fd(), true)], Duration::from_secs(9)).unwrap(), [true]);
    drop(here);
    assert_eq!(poll(&[(there.as_fd(), false)], Duration::from_secs(9)).unwrap(), [true]);
    assert!(send(&there, b"x", None, true).is_err());
}
