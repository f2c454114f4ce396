use super::*;
use crate::Descriptor;
use ringwood_base::DType;

fn layout(descriptor: Descriptor, segments: usize, request: &Request) -> (Params, Layout) {
    let params = Params::of_request(&descriptor.both_modes(), request).unwrap();
    let params = params.segmented(segments).unwrap();
    let layout = Layout::new(&params, request).unwrap();
    (params, layout)
}

fn covers(p: &Params, layout: &Layout, rank: usize, space: Space) {
    let mut end = 0;
    for chunk in p.held(rank, space) {
        let chunk = ChunkRange { space, first: chunk as u32, count: 1 };
        let range = layout.elements(rank, chunk);
        assert_eq!(range.start, end);
        end = range.end;
    }
    assert_eq!(end, layout.length(rank, space));
}

#[test]
fn chunks_cover_every_buffer_of_every_operation_once() {
    for operation in Operation::ALL {
        for mode in [BufferMode::InPlace, BufferMode::OutOfPlace] {
            for segments in [1, 3] {
                let request = Request::new(operation, 4, 37, DType::F32).mode(mode);
                let (p, layout) = layout(Descriptor::new("any", operation), segments, &request);
                for rank in 0..4 {
                    covers(&p, &layout, rank, Space::Input);
                    covers(&p, &layout, rank, Space::Output);
                }
            }
        }
    }
}

#[test]
fn blocks_of_different_sizes_have_their_own_borders() {
    let request = Request::new(Operation::AllGather, 3, 0, DType::F32).counts([5, 0, 70]);
    let (p, layout) = layout(Descriptor::all_gather("any"), 2, &request);
    assert_eq!(layout.elements(0, p.chunk(0_usize)), 0..5);
    assert_eq!(layout.elements(0, p.chunk(1_usize)), 5..5);
    assert_eq!(layout.elements(0, p.segment(2_usize, 0)), 5..53);
    assert_eq!(layout.elements(0, p.segment(2_usize, 1)), 53..75);
    assert!(layout.allows(Moves::SameChunk) && !layout.allows(Moves::SameSegment));
}

#[test]
fn a_matrix_of_counts_cuts_input_and_output_differently() {
    let request = Request::new(Operation::AllToAll, 2, 0, DType::U8).counts([1, 2, 3, 4]);
    let request = request.mode(BufferMode::OutOfPlace);
    let (p, layout) = layout(Descriptor::all_to_all("any"), 1, &request);
    assert_eq!(layout.elements(0, p.input(1_usize)), 1..3);
    assert_eq!(layout.elements(1, p.chunk(0_usize)), 0..2);
    assert_eq!(layout.elements(0, p.chunk(1_usize)), 1..4);
    for rank in 0..2 {
        covers(&p, &layout, rank, Space::Input);
        covers(&p, &layout, rank, Space::Output);
    }
    let in_place = request.mode(BufferMode::InPlace);
    let error = Layout::new(&p.in_mode(BufferMode::InPlace), &in_place).unwrap_err();
    assert!(error.message().contains("rank 0 sends rank 1 2 elements and gets 3"), "{error}");
}

#[test]
fn scratch_chunks_beyond_one_buffer_begin_the_next() {
    let request = Request::new(Operation::AllReduce, 2, 40, DType::F32);
    let (p, layout) = layout(Descriptor::all_reduce("any"), 2, &request);
    assert_eq!(layout.elements(0, p.segment(0_usize, 1)), 32..40);
    assert_eq!(layout.elements(0, p.segment(3_usize, 1).of(Space::Scratch)), 176..184);
    assert_eq!((layout.scratch(0), layout.scratch(1), layout.scratch(8)), (0, 48, 192));
}

#[test]
fn a_move_between_chunks_needs_equal_ones() {
    let vector = |elements| {
        let d = Descriptor::all_reduce("any").chunks(crate::Chunks::PerRank);
        layout(d, 1, &Request::new(Operation::AllReduce, 4, elements, DType::F32)).1
    };
    assert!(vector(64).allows(Moves::Any) && !vector(65).allows(Moves::Any));
    assert!(!vector(65).allows(Moves::SameSegment) && vector(65).allows(Moves::SameChunk));
    let request = Request::new(Operation::AllToAll, 4, 7, DType::F32);
    let (_, blocks) = layout(Descriptor::all_to_all("any"), 2, &request);
    assert!(blocks.allows(Moves::SameSegment) && !blocks.allows(Moves::Any));
}

/// Chunk 2 of the output of rank 0 is what rank 1 sends it, not its own chunk 2.
#[test]
fn chunks_of_two_blocks_of_an_all_to_all_have_no_place_of_their_own() {
    let request = Request::new(Operation::AllToAll, 2, 8, DType::U8).mode(BufferMode::OutOfPlace);
    let (p, _) = layout(Descriptor::all_to_all("any").both_modes(), 2, &request);
    let chunks = |space, count| (0, ChunkRange { space, first: 1, count });
    let moves = |n| Moves::between(&p, chunks(Space::Input, n), chunks(Space::Output, n));
    assert_eq!((moves(1), moves(2)), (Moves::SameChunk, Moves::SameSegment));
}
