#![cfg(target_os = "linux")]

use super::super::stream::Stream;
use super::*;
use crate::rings;
use ringwood_schedule::Rank;
use std::sync::Arc;
use std::time::Duration;

#[test]
fn a_receiver_that_dies_over_rings_is_named_by_a_rank_that_only_sends() {
    let place = rings::bootstrap(2).unwrap();
    let join = |rank| -> Vec<Option<Stream>> {
        let channels = rings::join(place.address(), rank, 2).unwrap();
        channels.into_iter().map(|channel| channel.map(Stream::from)).collect()
    };
    let mut links = Links::new(Rank::new(0, 2), join(0), Arc::default());
    let receiver = join(1);
    let data = vec![0; 1 << 20];
    links.out.send(1, &Head::new(Kind::Data, 7, data.len()), &data);
    drop(receiver);
    let mut run = Run {
        links: &mut links,
        call: 7,
        deadline: Instant::now() + Duration::from_secs(20),
        buffers: &mut Buffers::InPlace(&mut []),
        arena: &mut [],
        merge: None,
    };
    assert_eq!(run.run(&[]).unwrap_err().message(), "rank 1 of 2 died in call #7");
}
