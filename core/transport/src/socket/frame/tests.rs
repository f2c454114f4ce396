use super::*;

#[test]
fn heads_survive_and_each_changed_byte_of_what_is_fixed_is_seen() {
    for number in 1..=15_u8 {
        let kind = try_cast(number).unwrap();
        let head = Head { kind, channel: 515, call: 1 << 40, word: u64::MAX - 3, length: 77 };
        let bytes = head.encode();
        assert_eq!(Head::decode(&bytes), Some(head));
        for at in [0, 1, 2, 3, 5] {
            let mut wrong = bytes;
            wrong[at] ^= 1;
            assert_eq!(Head::decode(&wrong), None);
        }
        for number in [0, 16, 255] {
            let mut wrong = bytes;
            wrong[4] = number;
            assert_eq!(Head::decode(&wrong), None);
        }
    }
}
