use super::*;

#[test]
fn messages_that_grow_keep_the_memory_of_the_last_one() {
    let mut pool = Pool::default();
    for bytes in (1..=100).map(|i| i * 100) {
        let message = pool.message(bytes).unwrap();
        pool.give(message);
    }
    assert_eq!(pool.0.len(), 1);
    let two = [0, 1].map(|_| pool.message(10_000).unwrap());
    two.into_iter().for_each(|message| pool.give(message));
    assert_eq!(pool.0.len(), 2);
}
