use super::*;

#[test]
fn what_does_not_come_is_given_up_and_what_is_there_is_taken_at_once() {
    let mut asked = 0;
    let never = linger(Duration::ZERO, || {
        asked += 1;
        None::<()>
    });
    assert_eq!((never, asked), (None, 1));
    let start = Instant::now();
    assert_eq!(linger(Duration::MAX, || None::<()>), None);
    assert!(start.elapsed() >= WAKING);
    assert_eq!(linger(Duration::ZERO, || Some(1)), Some(1));
}
