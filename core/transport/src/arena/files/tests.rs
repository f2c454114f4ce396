use super::*;
use ringwood_base::ErrorKind;

#[test]
fn an_arena_that_cannot_grow_is_as_large_as_before_in_the_next_call() {
    let ground = Ground::create(2).unwrap();
    let mut files = [0, 1].map(|rank| Files::new(rank, &ground));
    files[1].reserve(20_000).unwrap();
    let error = files[1].reserve(usize::MAX).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert!(files[1].arena.as_ref().is_some_and(|arena| arena.range.len() >= 20_000));
    // As if it could not be had again.
    files[1].arena = None;
    let shown = files[1].show(&mut Buffers::InPlace(&mut [0; 8])).unwrap();
    let need = Need { rank: 1, bytes: [0, 0, 20_000], alignment: 8 };
    let [.., arena] = files[0].find(&need, shown.others).unwrap();
    // SAFETY: both addresses are of at least 20,000 bytes, of this thread alone.
    unsafe {
        arena.add(19_999).write_volatile(7);
        assert_eq!(shown.own[2].add(19_999).read_volatile(), 7);
    }
}
