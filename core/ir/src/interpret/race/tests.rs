use super::*;

fn access(kind: AccessKind, group: usize, lane: usize, epoch: usize) -> Access {
    Access { kind, site: 0, group, lane, epoch }
}

/// Random accesses: the shadow finds a conflict exactly if there is one among all before.
#[test]
fn two_accesses_of_each_kind_are_enough() {
    let mut state = 7_u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
        (state >> 33) % n
    };
    let mut races = 0;
    for _ in 0..3000 {
        let (mut shadow, mut all) = (Shadow::default(), Vec::<Access>::new());
        let (mut group, mut epoch) = (0, 0);
        for _ in 0..6 {
            match below(6) {
                0 => (group, epoch) = (group + 1, 0),
                1 | 2 => epoch += 1,
                _ => {}
            }
            let kinds = [AccessKind::Read, AccessKind::Write, AccessKind::Atomic];
            let kind = kinds[[0, 0, 0, 1, 2, 2][below(6) as usize]];
            let access = access(kind, group, below(3) as usize, epoch);
            let expected = all.iter().any(|other| access.conflicts(other));
            assert_eq!(shadow.note(access).is_some(), expected, "{access:?} after {all:?}");
            all.push(access);
            if expected {
                races += 1;
                break;
            }
        }
    }
    assert!(races > 500 && races < 2800, "{races}");
}
