use super::*;
use crate::lower::Address;

const BYTES: usize = 8;

fn at(rank: u32) -> Address {
    Address { rank, memory: Memory::Output, offset: 0 }
}

fn program(ops: &[Op]) -> Program {
    Program { ops: ops.to_vec(), ..Program::tiled(0, 1) }
}

/// Rank 1 reads rank 0's buffer after rank 0 has written it; rank 0 then waits for that.
fn pair() -> [Vec<Op>; 2] {
    let owner = vec![
        Op::Finish { target: at(0), bytes: BYTES },
        Op::Publish { progress: 1 },
        Op::Await { rank: 1, progress: 1 },
    ];
    let reader = vec![
        Op::Await { rank: 0, progress: 1 },
        Op::Copy { source: at(0), target: at(1), bytes: BYTES },
        Op::Publish { progress: 1 },
    ];
    [owner, reader]
}

#[test]
fn ordered_accesses_are_no_race_and_each_missing_wait_is_one() {
    let [owner, reader] = pair();
    assert_eq!(find_race(&[program(&owner), program(&reader)]), None);
    let race = Some(Race { owner: 0, reader: 1 });
    assert_eq!(find_race(&[program(&owner[..2]), program(&reader)]), race);
    assert_eq!(find_race(&[program(&owner), program(&reader[1..])]), race);
}

#[test]
fn a_write_after_the_send_without_a_wait_is_a_race() {
    let [mut owner, reader] = pair();
    owner.insert(2, Op::Finish { target: at(0), bytes: BYTES });
    assert!(find_race(&[program(&owner), program(&reader)]).is_some());
    owner.swap(2, 3);
    assert_eq!(find_race(&[program(&owner), program(&reader)]), None);
}
