use super::*;
use ringwood_base::ErrorKind;

#[test]
fn two_mappings_of_one_file_show_the_same_bytes() {
    let first = Map::create(8192).unwrap();
    let second = Map::open(&first.path()).unwrap();
    assert_eq!((second.bytes(), second.base() == first.base()), (8192, false));
    // SAFETY: both mappings are valid, and this thread is the only one that uses them.
    unsafe {
        first.base().as_ptr().add(8191).write_volatile(7);
        assert_eq!(second.base().as_ptr().add(8191).read_volatile(), 7);
        assert_eq!(second.base().as_ptr().read_volatile(), 0);
    }
}

#[test]
fn a_mapping_that_retires_keeps_its_bytes_and_takes_no_others() {
    let first = Map::create(3 * PAGE).unwrap();
    let second = Map::open(&first.path()).unwrap();
    let at = |map: &Map, page: usize| map.base().as_ptr().wrapping_add(page * PAGE + 5);
    // SAFETY: both mappings are valid, and this thread is the only one that uses them.
    unsafe {
        at(&first, 0).write_volatile(1);
        at(&second, 1).write_volatile(2);
        first.retire();
        (0..3).for_each(|page| at(&second, page).write_volatile(9));
        let seen = [0, 1, 2].map(|page| at(&first, page).read_volatile());
        assert_eq!(seen, [1, 2, 0]);
        at(&first, 2).write_volatile(3);
        assert_eq!(at(&second, 2).read_volatile(), 9);
    }
}

#[test]
fn the_file_has_one_owner_no_name_and_one_size() {
    let map = Map::create(4096).unwrap();
    let metadata = map.file.metadata().unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    assert_eq!(std::os::unix::fs::MetadataExt::nlink(&metadata), 0);
    assert!(map.file.set_len(100).is_err());
    assert!(map.reopen().unwrap().set_len(10_000).is_err());
}

#[test]
fn what_is_not_an_arena_is_refused() {
    let error = Map::open(Path::new("/proc/self/fd/9999")).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    let path = std::env::temp_dir().join(format!("ringwood-no-arena-{}", std::process::id()));
    std::fs::write(&path, [0; 4096]).unwrap();
    let error = Map::open(&path).err().unwrap();
    std::fs::remove_file(&path).unwrap();
    assert_eq!(error.kind(), ErrorKind::Protocol);
    assert_eq!(Map::create(usize::MAX / 2).err().unwrap().kind(), ErrorKind::OutOfMemory);
}
