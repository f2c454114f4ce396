use super::*;

#[test]
fn a_place_is_taken_once_and_free_when_its_holder_is_gone() {
    let map = Map::create(4096).unwrap();
    let other = Map::open(&map.path()).unwrap();
    let first = Claim::take(&map, 0).unwrap().unwrap();
    let second = Claim::take(&other, 1).unwrap().unwrap();
    assert!(Claim::take(&other, 0).unwrap().is_none());
    assert!(first.is_alive(1) && second.is_alive(0) && !first.is_alive(2));
    drop(first);
    assert!(!second.is_alive(0));
    assert!(Claim::take(&map, 0).unwrap().is_some());
}
