use super::*;
use crate::resolve::message::{Answer, Reply};
use ringwood_base::ErrorKind;

/// The end of a stream to which these bytes have come, and then its end.
fn after(bytes: &[u8]) -> UnixStream {
    let (here, mut there) = UnixStream::pair().unwrap();
    there.write_all(bytes).unwrap();
    here
}

#[test]
fn messages_that_are_cut_long_or_not_json_are_errors_without_memory() {
    let reply = Reply { id: 7, answer: Ok(Answer::Step(u64::MAX)) };
    let (mut here, there) = UnixStream::pair().unwrap();
    there.send(&reply).unwrap();
    drop(there);
    let mut bytes = Vec::new();
    here.read_to_end(&mut bytes).unwrap();
    assert_eq!(after(&bytes).receive::<Reply>().unwrap().id, 7);
    for cut in 0..bytes.len() {
        assert_eq!(after(&bytes[..cut]).receive::<Reply>().unwrap_err().kind(), ErrorKind::Aborted);
    }
    for wrong in [&[255, 255, 255, 255][..], &[3, 0, 0, 0, b'{', b'x', b'}'], &[0, 0, 0, 0]] {
        let error = after(wrong).receive::<Reply>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Protocol, "{error}");
    }
}
