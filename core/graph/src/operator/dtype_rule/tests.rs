use super::*;
use DType::{F32, F64, I32};

fn infer(rule: &str, dtypes: &[DType]) -> Result<Vec<DType>> {
    DTypeRule::parse(rule).unwrap().infer("op", dtypes)
}

#[test]
fn variables_carry_dtypes_to_results() {
    assert_eq!(infer("T, T -> T", &[I32, I32]).unwrap(), [I32]);
    assert_eq!(infer("F, i32 -> F", &[F64, I32]).unwrap(), [F64]);
    assert_eq!(infer("F -> i32", &[F32]).unwrap(), [I32]);
    assert_eq!(DTypeRule::same(2, 1).infer("op", &[F32, F32]).unwrap(), [F32]);
}

#[test]
fn mismatches_name_operands_and_dtypes() {
    let error = |rule, dtypes: &[DType]| infer(rule, dtypes).unwrap_err().to_string();
    assert_eq!(
        error("T, T -> T", &[F32, F64]),
        "op: operand 1 is f32 and operand 2 is f64, but both must have one dtype; cast one of them"
    );
    assert_eq!(error("F, i32 -> F", &[F32, F32]), "op: operand 2 is f32, not i32");
    assert_eq!(error("F -> F", &[I32]), "op: operand 1 is i32, not a floating-point dtype");
    assert_eq!(error("I -> I", &[F32]), "op: operand 1 is f32, not an integer dtype");
}

#[test]
fn a_text_that_is_no_rule_is_refused() {
    for text in ["T", "t -> t", "T -> U", "f23 -> f23"] {
        assert!(DTypeRule::parse(text).is_err(), "{text}");
    }
}
