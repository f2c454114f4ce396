use super::*;

#[test]
fn what_is_asked_for_stays_and_the_rest_goes() {
    let mut map = Bounded::new(3);
    map.insert(0, "kept");
    for n in 1..100 {
        map.insert(n, "passing");
        assert_eq!(map.get(&0), Some("kept"));
        assert!(map.len() <= 6 && !map.is_empty());
    }
    assert_eq!((map.get(&99), map.get(&1)), (Some("passing"), None));
    map.insert(0, "replaced");
    assert_eq!(map.get(&0), Some("replaced"));
}
