use super::*;
use crate::resolve::message::{Answer, Reply};
use ringwood_base::ErrorKind;
#[test]
fn messages_that_are_cut_long_or_not_json_are_errors_without_memory() {
    let reply = Reply { id: 7, answer: Ok(Answer::Step(u64::MAX)) };
    let mut bytes = Vec::new();
    write(&mut bytes, &reply).unwrap();
    assert_eq!(read::<Reply>(&mut &bytes[..]).unwrap().id, 7);
    for cut in 0..bytes.len() {
        assert_eq!(read::<Reply>(&mut &bytes[..cut]).unwrap_err().kind(), ErrorKind::Aborted);
    }
    for wrong in [&[255, 255, 255, 255][..], &[3, 0, 0, 0, b'{', b'x', b'}'], &[0, 0, 0, 0]] {
        let error = read::<Reply>(&mut &wrong[..]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Protocol, "{error}");
    }
}
