//! Lists of tensors.

use super::*;

fn x() -> TensorProto {
    tensor("x", &[5, 2], &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0])
}

fn lengths(name: &str, lengths: &[i64]) -> TensorProto {
    let (dims, int64_data) = (vec![lengths.len() as i64], lengths.to_vec());
    TensorProto { dims, int64_data, ..count(name, 0) }
}

/// What nodes make of `x` and numbers.
fn made(nodes: &[NodeProto], output: &str) -> Result<Vec<Vec<f32>>> {
    let given = [
        x(),
        count("two", 2),
        count("last", -1),
        count("six", 6),
        lengths("parts", &[1, 4]),
        lengths("less", &[1, 2]),
        lengths("zero", &[0]),
    ];
    outputs(&model(graph("", &given, nodes, output), Vec::new()))
}

#[test]
fn tensors_are_split_to_parts_of_one_extent_of_several_and_to_slices() {
    // A part, then the number of parts and the extents of this one.
    let part = |operands: &str, keeps: i64, at: &str| {
        let nodes = [
            with(node("SplitToSequence", operands, "s"), "keepdims", integer(keeps)),
            node("SequenceAt", &format!("s {at}"), "y"),
            node("SequenceLength", "s", "count"),
            node("Shape", "y", "shape"),
            node("Unsqueeze", "count zero", "counts"),
            with(node("Concat", "counts shape", "sizes"), "axis", integer(0)),
            with(node("Cast", "sizes", "known"), "to", integer(data_type::FLOAT.into())),
        ];
        made(&nodes, "y known").unwrap()
    };
    assert_eq!(part("x two", 1, "last"), [vec![8.0, 9.0], vec![3.0, 1.0, 2.0]]);
    assert_eq!(part("x parts", 0, "last")[1], [2.0, 4.0, 2.0]);
    assert_eq!(part("x", 1, "two"), [vec![4.0, 5.0], vec![5.0, 1.0, 2.0]]);
    assert_eq!(part("x", 0, "two"), [vec![4.0, 5.0], vec![5.0, 2.0]]);
}

#[test]
fn tensors_are_inserted_erased_and_joined() {
    let nodes = [
        node("SplitToSequence", "x", "s"),
        node("SequenceAt", "s two", "middle"),
        node("SequenceErase", "s two", "four"),
        node("SequenceInsert", "four middle last", "five"),
        node("SequenceErase", "five", "four_again"),
        node("SequenceInsert", "four_again middle", "end"),
        with(node("ConcatFromSequence", "end", "y"), "axis", integer(0)),
    ];
    // The third row stands before the last one, which is erased; then there it is again.
    let rows = [0.0, 1.0, 2.0, 3.0, 6.0, 7.0, 4.0, 5.0, 4.0, 5.0];
    assert_eq!(made(&nodes, "y").unwrap(), [rows]);
    let stacked = with(node("ConcatFromSequence", "two_x", "y"), "axis", integer(-1));
    let stacked =
        [node("SequenceConstruct", "x x", "two_x"), with(stacked, "new_axis", integer(1))];
    let pairs: Vec<f32> = (0..10).flat_map(|i| [i as f32; 2]).collect();
    assert_eq!(made(&stacked, "y").unwrap(), [pairs]);
}

#[test]
fn loops_and_branches_hand_sequences_on() {
    let step = [
        node("SequenceAt", "rows i", "row"),
        node("Add", "row row", "twice"),
        node("SequenceInsert", "list twice", "longer"),
        node("Identity", "going", "goes"),
    ];
    let step = graph("i going list", &[], &step, "goes longer");
    let other = graph("", &[], &[node("SequenceEmpty", "", "none")], "none");
    let branch = graph("", &[], &[node("Identity", "twos", "same")], "same");
    let nodes = [
        node("SplitToSequence", "x", "rows"),
        node("SequenceEmpty", "", "empty"),
        with(node("Loop", "two _ empty", "twos"), "body", body(step)),
        node("Less", "last two", "truth"),
        with(
            with(node("If", "truth", "chosen"), "then_branch", body(branch)),
            "else_branch",
            body(other),
        ),
        with(node("ConcatFromSequence", "chosen", "y"), "axis", integer(1)),
    ];
    assert_eq!(made(&nodes, "y").unwrap(), [[0.0, 2.0, 4.0, 6.0]]);
}

#[test]
fn wrong_sequences_are_errors() {
    let refused = |nodes: &[NodeProto]| made(nodes, "y").unwrap_err().to_string();
    let split = |operands: &str| node("SplitToSequence", operands, "s");
    let at = |operands: &str| node("SequenceAt", operands, "y");
    let message = refused(&[split("x"), at("s six")]);
    assert!(message.contains("there is no place 6 in a sequence of 5"), "{message}");
    let message = refused(&[split("x less"), at("s two")]);
    assert!(message.contains("5 elements are not split by [1, 2]"), "{message}");
    let message = refused(&[split("x last"), at("s two")]);
    assert!(message.contains("are not split by [-1]"), "{message}");
    assert!(refused(&[at("x two")]).contains("operand 1 is no sequence"));
    let empty = node("SequenceEmpty", "", "s");
    let joined = with(node("ConcatFromSequence", "s", "y"), "axis", integer(0));
    assert!(refused(&[empty.clone(), joined]).contains("no tensors"));
    let erased = [empty, node("SequenceErase", "s", "t"), at("t two")];
    assert!(refused(&erased).contains("there is no place -1 in a sequence of 0"));
}

#[test]
fn a_sequence_is_no_output_of_a_model() {
    let mut main = graph("", &[x()], &[node("SplitToSequence", "x", "s")], "s");
    let sequence = Some(TypeProtoSequence::default());
    main.output[0].r#type = Some(TypeProto { sequence_type: sequence, ..TypeProto::default() });
    let error = outputs(&model(main, Vec::new())).unwrap_err().to_string();
    assert!(error.contains("the output is no tensor") && error.contains("output: s"), "{error}");
    // In a file that says no type of it, or where a run ends early.
    let error = made(&[node("SplitToSequence", "x", "s")], "s").unwrap_err();
    assert_eq!(error.message(), "output `s` is a sequence of tensors, not a tensor");
}
