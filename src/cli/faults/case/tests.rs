use super::matches;

#[test]
fn the_pieces_of_a_pattern_come_in_their_order() {
    assert!(matches("worker 2 of 3 died; it waits", "worker 2*died*waits"));
    assert!(matches("worker 2", "worker 2"));
    assert!(!matches("a worker 2", "worker 2"));
    assert!(matches("a worker 2", "*worker 2"));
    assert!(!matches("worker 2 waits, died", "worker 2*died*waits"));
}
