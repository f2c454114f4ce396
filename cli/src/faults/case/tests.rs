use super::{have_one_cause, matches};

#[test]
fn the_pieces_of_a_pattern_come_in_their_order() {
    assert!(matches("worker 2 of 3 died; it waits", "worker 2*died*waits"));
    assert!(matches("worker 2", "worker 2"));
    assert!(!matches("a worker 2", "worker 2"));
    assert!(matches("a worker 2", "*worker 2"));
    assert!(!matches("worker 2 waits, died", "worker 2*died*waits"));
}

#[test]
fn workers_report_one_cause_each_in_its_own_name() {
    let one_cause = |said: [&str; 2]| have_one_cause(&said.map(String::from));
    assert!(one_cause(["worker 0 of 3: no room", "worker 1 of 3: no room; rank 2 waits"]));
    assert!(!one_cause(["worker 0 of 3: no room", "worker 1 of 3: no device"]));
    assert!(!one_cause(["worker 1 of 3 has died", "worker 2 of 3 has died"]));
}
