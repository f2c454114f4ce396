use super::*;
use ringwood_base::ErrorKind;

#[test]
fn ordinary_memory_is_zero_aligned_and_writable() {
    for bytes in [0, 1, 63, 64, 1000] {
        let mut region = Region::ordinary(bytes).unwrap();
        assert_eq!(region.bytes(), vec![0; bytes]);
        assert!(region.bytes().as_ptr().addr().is_multiple_of(ALIGNMENT));
        region.bytes_mut().fill(7);
        assert_eq!(region.bytes(), vec![7; bytes]);
    }
    assert_eq!(Region::ordinary(usize::MAX).err().unwrap().kind(), ErrorKind::OutOfMemory);
}
