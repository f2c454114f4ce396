use super::*;
use ringwood_base::ErrorKind;

#[test]
fn only_the_same_group_of_the_same_build_is_opened() {
    let ground = Ground::create(3).unwrap();
    let path = ground.map.path();
    assert!(Ground::open(&path, 3).is_ok());
    let error = Ground::open(&path, 4).err().unwrap();
    assert!(error.message().ends_with("for a group of 3 ranks, not of 4"), "{error}");
    ground.header().magic.store(7, Ordering::Relaxed);
    let error = Ground::open(&path, 3).err().unwrap();
    assert!(error.message().contains("of another version"), "{error}");
    assert_eq!(Ground::create(usize::MAX).err().unwrap().kind(), ErrorKind::OutOfMemory);
}
