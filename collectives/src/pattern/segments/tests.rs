use super::*;
use ringwood_base::DType;
use ringwood_schedule::Chunks;

#[test]
fn segments_grow_with_the_bytes_of_a_chunk_up_to_a_bound() {
    let descriptor = Descriptor::all_reduce("any").chunks(Chunks::PerRank);
    let segments = |elements| {
        let request = Request::new(descriptor.operation, 4, elements, DType::F32);
        let tiled = tiled(&descriptor, &request, 1024).unwrap().segments();
        (tiled, pipelined(&descriptor, &request, 9).unwrap().segments())
    };
    assert_eq!(segments(0), (1, 1));
    assert_eq!(segments(1024), (1, 1));
    assert_eq!(segments(1025), (2, 1));
    assert_eq!(segments(16 << 10), (16, 6));
    assert_eq!(segments(usize::MAX), (MOST, MOST));
}
