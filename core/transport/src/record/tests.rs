use super::*;
use ringwood_base::ErrorKind;

#[test]
fn a_value_comes_back_and_a_long_one_is_shortened() {
    let record = Record::default();
    let error = Error::new(ErrorKind::Timeout, "rank 3 sleeps").with("waiting", 4);
    record.write(&error, || unreachable!());
    assert_eq!(record.read::<Error>().unwrap().to_string(), error.to_string());
    let long = Error::new(ErrorKind::Panic, "\"ä".repeat(9_000));
    record.write(&long, || shortened(&long));
    let read: Error = record.read().unwrap();
    assert_eq!(read.kind(), ErrorKind::Panic);
    assert!(read.message().starts_with("\"ä\"ä") && read.message().ends_with('…'));
}

#[test]
fn garbage_of_any_kind_is_an_error() {
    let record = Record::default();
    let mut seed = 1_u64;
    for length in (0..=CAPACITY as u64 + 9).chain([u64::MAX, 1 << 40]) {
        for word in &record.words {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            word.store(seed, Ordering::Relaxed);
        }
        record.length.store(length, Ordering::Relaxed);
        let error = record.read::<Error>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Protocol);
    }
}
