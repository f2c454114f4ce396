use super::*;
use ringwood_base::ErrorKind;

fn memory(bytes: usize) -> Memory {
    Memory::new(bytes, &Arc::new(Budget::new(None))).unwrap()
}

fn span(memory: &Memory, offset: usize, bytes: usize) -> Span {
    Span::new(Region { memory, offset, bytes }, "the region").unwrap()
}

#[test]
fn memory_is_aligned_and_zeroed_for_every_size() {
    let sizes =
        (0..300).chain((8..24).flat_map(|power| [(1 << power) - 1, 1 << power, (1 << power) + 1]));
    for bytes in sizes {
        let memory = memory(bytes);
        assert_eq!(memory.address().as_ptr() as usize % ALIGN, 0);
        let zeroed =
            |bytes: Result<&[u8]>| bytes.map(|bytes| assert!(bytes.iter().all(|&b| b == 0)));
        span(&memory, 0, bytes).read(zeroed).unwrap();
    }
}

/// Bytes of the process that are resident.
#[cfg(target_os = "linux")]
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
#[cfg(target_os = "linux")]
fn memory_is_not_resident_before_it_is_used() {
    let before = resident();
    let memory = memory(1 << 30);
    let grown = resident().saturating_sub(before);
    assert!(grown < 1 << 28, "{grown} bytes became resident");
    span(&memory, (1 << 30) - 1, 1).read(|last| last.map(|last| assert_eq!(last, [0]))).unwrap();
}

#[test]
fn a_region_beyond_its_memory_is_refused_with_the_sizes() {
    let memory = memory(16);
    for (offset, bytes) in [(9, 8), (17, 0), (usize::MAX, 2)] {
        let region = Region { memory: &memory, offset, bytes };
        let error = Span::new(region, "the target").err().unwrap();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.message().contains("a memory of 16 bytes"), "{error}");
    }
    assert_eq!(span(&memory, 16, 0).bytes(), 0);
}

#[test]
fn bytes_have_many_readers_or_one_writer() {
    let memory = memory(16);
    let (low, high, all) = (span(&memory, 0, 8), span(&memory, 8, 8), span(&memory, 0, 16));
    let reads = Borrows::of([(&all, false), (&all, false)].into_iter()).unwrap();
    assert_eq!(low.write(|_| ()).unwrap_err().kind(), ErrorKind::Aborted);
    drop(reads);
    let writes = Borrows::of([(&low, true), (&high, true)].into_iter()).unwrap();
    let error = all.read(|bytes| bytes.map(drop)).unwrap_err();
    assert!(error.message().contains("reads bytes 0..16"), "{error}");
    assert!(error.message().contains("writes bytes 0..8"), "{error}");
    drop(writes);
    all.write(|_| ()).unwrap();
}

#[test]
fn the_budget_is_enforced_and_given_back() {
    let budget = Arc::new(Budget::new(Some(100)));
    let first = Memory::new(60, &budget).unwrap();
    let error = Memory::new(41, &budget).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert_eq!(error.get("in use"), Some("60"));
    drop(first);
    assert!(Memory::new(100, &budget).is_ok());
    let unlimited = Arc::new(Budget::new(None));
    for beyond in [usize::MAX, usize::MAX - ALIGN, isize::MAX as usize] {
        assert!(Memory::new(beyond, &unlimited).is_err());
    }
    assert!(Memory::new(1, &unlimited).is_ok());
}
