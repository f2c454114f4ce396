use super::*;
use ringwood_base::ErrorKind;

#[test]
fn memory_grows_by_files_is_found_again_and_used_again() {
    let ground = Ground::create(1).unwrap();
    let own = Own::new(0, ground);
    let small = own.take(100).unwrap();
    let large = own.take(FIRST + 1).unwrap();
    assert_eq!((small.file, large.file, large.range.len()), (0, 1, FIRST + 64));
    assert_eq!(own.find(large.data.as_ptr().wrapping_add(64), FIRST), Some(large.word() + 64));
    assert_eq!(own.find([0_u8; 4].as_ptr(), 4), None);
    let at = small.data.as_ptr();
    drop(small);
    let mut region = own.region(64).unwrap();
    assert_eq!(region.bytes().as_ptr(), at.cast_const());
    region.bytes_mut().fill(9);
    drop((region, large));
    assert_eq!(own.region(64).unwrap().bytes(), [0; 64]);
    assert_eq!(own.take(usize::MAX).err().unwrap().kind(), ErrorKind::OutOfMemory);
}

#[test]
fn words_hold_a_file_and_an_offset_and_others_hold_nothing() {
    assert_eq!(place(word(0, 0)), Some((0, 0)));
    assert_eq!(place(word(FILES - 1, (1 << 48) - 1)), Some((FILES - 1, (1 << 48) - 1)));
    assert_eq!(place(0), None);
    assert_eq!(place(word(FILES, 5)), None);
    assert_eq!(place(usize::MAX), None);
}
