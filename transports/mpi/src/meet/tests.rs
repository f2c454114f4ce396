use super::*;
use ringwood_base::ErrorKind;

#[test]
fn addresses_are_read_as_they_are_written() {
    for door in [ALL, Door { process: 3, tag: 70_000 }] {
        assert_eq!(Door::parse(&door.address()).unwrap(), door);
    }
    assert!(Door::parse("mpi:world").unwrap().is_of_all());
    for text in ["", "mpi:", "mpi:3", "mpi:3.x", "unix:/tmp/group", "world"] {
        assert_eq!(Door::parse(text).unwrap_err().kind(), ErrorKind::InvalidArgument, "{text}");
    }
}

#[test]
fn who_knocks_must_be_a_rank_that_is_waited_for() {
    let seat = Seat { process: 1, tag: 2 };
    let seats = [Some(seat), None, Some(seat)];
    let hello = |rank, ranks| check(&Hello { rank, ranks, seat, over: false }, &seats);
    hello(1, 3).unwrap();
    let cases = [
        ((2, 3), "rank 2 of 3 is taken"),
        ((3, 3), "rank 3 of 3 is taken"),
        ((1, 4), "rank 1 of 3 comes from a group of 4"),
    ];
    for ((rank, ranks), message) in cases {
        assert_eq!(hello(rank, ranks).unwrap_err().message(), message);
    }
    let over = |seat| check(&Hello { rank: 2, ranks: 3, seat, over: true }, &seats);
    over(seat).unwrap();
    assert_eq!(over(Seat { process: 2, tag: 2 }).unwrap_err().message(), "rank 2 of 3 is taken");
}
