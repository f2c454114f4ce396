use super::super::own::Own;
use super::*;
use std::fs;
use std::os::unix::fs::MetadataExt;

/// The descriptors of this process that are of one file with the descriptor `number`.
fn descriptors(number: u64) -> usize {
    let node = |path: &str| fs::metadata(path).ok().map(|file| (file.dev(), file.ino()));
    let wanted = node(&format!("/proc/self/fd/{number}"));
    let all = fs::read_dir("/proc/self/fd").unwrap().flatten();
    all.filter(|one| node(&one.path().display().to_string()) == wanted).count()
}

#[test]
fn a_file_of_a_peer_is_mapped_and_holds_no_descriptor() {
    let ground = Ground::create(2).unwrap();
    let own = Own::new(1, Arc::clone(&ground));
    let mut peers = Peers::new(Arc::clone(&ground));
    for file in 0..3 {
        // Larger than what is free in the files before it.
        let piece = own.take(8 << (20 + file)).unwrap();
        let found = peers.find(1, piece.word(), piece.range.len(), 64).unwrap();
        // SAFETY: both addresses are of one byte at least, of this thread alone.
        unsafe {
            found.write_volatile(7);
            assert_eq!(piece.data.as_ptr().read_volatile(), 7);
        }
        let number = ground.files(1).numbers[file].load(Ordering::Acquire) - 1;
        assert_eq!(descriptors(number), 1);
    }
}
