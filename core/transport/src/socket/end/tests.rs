use super::super::stream::unix;
use super::*;
use crate::Bounds;
use std::io::Write;
use std::os::unix::net::UnixStream;

#[test]
fn a_rank_that_came_and_does_not_describe_its_call_is_named() {
    let (here, mut there) = UnixStream::pair().unwrap();
    let streams = vec![None, Some(unix(here).unwrap())];
    let mut end = End::new(Links::new(Rank::new(0, 2), streams, Arc::default()), false).unwrap();
    end.links.begin(1, None);
    there.write_all(&Head::new(Kind::Arrive, 1, 0).encode()).unwrap();
    let short = Duration::from_millis(50);
    let (refused, bounds) =
        (Error::not_found("nothing"), Bounds { arrival: short, execution: short });
    let error = end.agree(&Intent { call: 1, what: Err(&refused), bounds }).unwrap_err();
    assert_eq!(error.message(), "rank 1 of 2 did not describe call #1 in time");
}
