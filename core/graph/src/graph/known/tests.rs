use super::{Folding, Graph, MOST_BYTES};

#[test]
fn constants_that_are_made_have_a_number_of_bytes_together() {
    let mut graph = Graph::new();
    let folding = Folding { bytes: MOST_BYTES - 4, ..Folding::default() };
    graph.folding = Some(folding);
    graph.constant(&[1], &[1.0_f32]).unwrap();
    let error = graph.constant(&[1], &[1.0_f32]).unwrap_err().to_string();
    assert!(error.contains("constants of more than 1073741824 bytes"), "{error}");
    // Those of a graph that is built are in memory already.
    graph.folding = None;
    graph.constant(&[1], &[1.0_f32]).unwrap();
}
