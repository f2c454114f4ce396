use super::*;
use ringwood_base::Scalar;

fn infer_with(rule: &str, shapes: &[&[usize]], attributes: Attributes) -> Result<Inferred> {
    let shapes: Vec<_> = shapes.iter().map(|s| Shape::new(s).unwrap()).collect();
    ShapeRule::parse(rule).unwrap().infer("op", &shapes, &attributes)
}

fn infer(rule: &str, shapes: &[&[usize]]) -> Result<Vec<usize>> {
    infer_with(rule, shapes, Attributes::default()).map(|i| i.results[0].to_vec())
}

fn error(rule: &str, shapes: &[&[usize]]) -> String {
    infer(rule, shapes).unwrap_err().to_string()
}

#[test]
fn symbols_unify_over_operands_and_give_the_result() {
    assert_eq!(infer("m k, k n -> m n", &[&[32, 784], &[784, 10]]).unwrap(), [32, 10]);
    assert_eq!(infer("m n -> n m", &[&[2, 3]]).unwrap(), [3, 2]);
    assert_eq!(infer("... ->", &[&[2, 3]]).unwrap(), [0; 0]);
    assert_eq!(infer("n 2 -> n", &[&[5, 2]]).unwrap(), [5]);
    assert_eq!(infer("m k, k n -> m n", &[&[0, 4], &[4, 0]]).unwrap(), [0, 0]);
}

#[test]
fn open_patterns_broadcast_or_repeat() {
    assert_eq!(infer("..., ... -> ...", &[&[4, 1, 3], &[5, 1]]).unwrap(), [4, 5, 3]);
    assert_eq!(infer("..., ... -> ...", &[&[], &[2]]).unwrap(), [2]);
    assert_eq!(infer("r... n -> r... n", &[&[2, 3, 4]]).unwrap(), [2, 3, 4]);
    assert_eq!(infer("r... n -> r...", &[&[4]]).unwrap(), [0; 0]);
    let rows = infer_with("r... n -> r...", &[&[2, 3, 4]], Attributes::default()).unwrap();
    assert_eq!(rows.symbols, [("r".into(), 6), ("n".into(), 4)]);
}

#[test]
fn a_symbol_of_the_result_alone_is_an_attribute() {
    let five = Attributes::from([("m", Scalar::Usize(5))]);
    assert_eq!(infer_with("n -> m n", &[&[3]], five).unwrap().results[0][..], [5, 3]);
    assert!(error("n -> m n", &[&[3]]).contains("no attribute `m`"));
}

#[test]
fn a_clash_names_operator_symbol_operands_extents_and_shapes() {
    assert_eq!(
        error("m k, k n -> m n", &[&[32, 784], &[64, 10]]),
        "op: k is 784 in operand 1 [32, 784] and 64 in operand 2 [64, 10]"
    );
    assert_eq!(
        error("r... n, r... -> r...", &[&[2, 3], &[3]]),
        "op: r... is [2] in operand 1 [2, 3] and [3] in operand 2 [3]"
    );
    assert_eq!(
        error("..., ... -> ...", &[&[2, 3], &[2, 4]]),
        "op: operand 1 [2, 3] and operand 2 [2, 4] do not broadcast"
    );
    assert_eq!(
        error("n 2 -> n", &[&[5, 3]]),
        "op: operand 1 [5, 3] has an extent 3 where 2 is asked for"
    );
}

#[test]
fn ranks_counts_and_axes_are_checked() {
    assert_eq!(error("m n -> n m", &[&[3]]), "op: operand 1 [3] has rank 1, not 2");
    assert_eq!(error("r... n -> r...", &[&[]]), "op: operand 1 [] has rank 0, not at least 1");
    assert_eq!(error("m n -> n m", &[]), "op: takes 1 operands, not 0");
    let axis = Attributes::from([("axis", Scalar::Usize(2))]);
    let error = infer_with("a... n b... -> a... b...", &[&[3, 4]], axis).unwrap_err();
    assert_eq!(error.to_string(), "op: axis 2 is not one of operand 1 [3, 4]");
}

#[test]
fn a_text_that_is_no_rule_is_refused() {
    for (text, why) in [
        ("m n", "there is no `->`"),
        ("M -> m", "`M` is neither"),
        ("a... b... c... -> a...", "more than two"),
        ("-1 -> m", "`-1` is neither"),
    ] {
        let error = ShapeRule::parse(text).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}
