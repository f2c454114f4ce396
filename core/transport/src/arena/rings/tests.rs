use super::*;
use ringwood_base::ErrorKind;

/// The streams of two ranks to each other.
fn pair() -> [Box<dyn Channel>; 2] {
    let place = bootstrap(2).unwrap();
    [0, 1].map(|rank| join(place.address(), rank, 2).unwrap().remove(1 - rank).unwrap())
}

#[test]
fn bytes_come_in_order_through_a_ring_that_is_smaller() {
    let [here, there] = pair();
    let all: Vec<u8> = (0..3 * CAPACITY + 5).map(|i| (i * 7 % 251) as u8).collect();
    let (mut sent, mut heard) = (0, Vec::<u8>::new());
    let mut buffer = vec![0; CAPACITY / 3 + 1];
    while heard.len() < all.len() {
        let (first, second) = all[sent..].split_at((all.len() - sent) / 2);
        sent += here.write(&[IoSlice::new(first), IoSlice::new(second)]).unwrap();
        let count = there.read(&mut buffer).unwrap();
        heard.extend(&buffer[..count]);
    }
    assert!(heard == all);
    assert_eq!(there.read(&mut buffer).unwrap_err().kind(), io::ErrorKind::WouldBlock);
}

#[test]
fn a_full_ring_takes_nothing_and_the_end_of_the_writer_comes_after_its_bytes() {
    let [here, there] = pair();
    let more = vec![1; CAPACITY + 1];
    assert_eq!(here.write(&[IoSlice::new(&more)]).unwrap(), CAPACITY);
    assert_eq!(here.write(&[IoSlice::new(&more)]).unwrap(), 0);
    drop(here);
    let mut buffer = vec![0; CAPACITY];
    assert_eq!(there.read(&mut buffer).unwrap(), CAPACITY);
    let end = (0..=LOOKS).find_map(|_| there.read(&mut buffer).ok());
    assert_eq!(end, Some(0));
}

#[test]
fn a_rank_has_its_place_alone_and_one_that_never_came_has_not_ended() {
    let place = bootstrap(3).unwrap();
    let streams = join(place.address(), 0, 3).unwrap();
    assert_eq!(join(place.address(), 0, 3).err().unwrap().kind(), ErrorKind::InvalidArgument);
    assert_eq!(join(place.address(), 0, 2).err().unwrap().kind(), ErrorKind::Protocol);
    let stream = streams[1].as_ref().unwrap();
    let waits = |_| stream.read(&mut [0]).unwrap_err().kind() == io::ErrorKind::WouldBlock;
    assert!((0..3 * LOOKS).all(waits));
}

#[test]
fn what_another_process_writes_of_a_ring_is_an_error_and_no_memory_is_touched() {
    let place = bootstrap(2).unwrap();
    let streams = join(place.address(), 0, 2).unwrap();
    let map = Map::open(place.address().as_ref()).unwrap();
    for ring in [1, 2] {
        // SAFETY: the memory of a ring begins with two lines of atomics.
        let lines = unsafe { map.base().add(ring * RING).cast::<[Line; 2]>().as_ref() };
        lines
            .iter()
            .zip([1 << 60, 1 << 40])
            .for_each(|(line, at)| line.0.store(at, Ordering::Relaxed));
    }
    let stream = streams[1].as_ref().unwrap();
    assert_eq!(stream.read(&mut [0]).unwrap_err().kind(), io::ErrorKind::InvalidData);
    assert_eq!(stream.write(&[IoSlice::new(&[1])]).unwrap_err().kind(), io::ErrorKind::InvalidData);
}
