use super::*;
use ringwood_base::{Scalar, ScalarType};

const SUM: Operator = Operator {
    name: "sum",
    shape: "a... n b... -> a... b...",
    dtype: "",
    attributes: &[AttributeDef { name: "axis", kind: AttributeKind::Scalar(ScalarType::Usize) }],
    optional: &[],
    any_attributes: false,
    fits: |_, _| Ok(()),
    kernels: &[],
    first: |_| 0,
    view: None,
    decompose: None,
    computes: &[],
    gradient: None,
};

fn f32(dims: &[usize]) -> TensorType {
    TensorType::new(DType::F32, dims).unwrap()
}

#[test]
fn results_take_dtype_and_shape_from_both_rules() {
    let attributes = Attributes::from([("axis", Scalar::Usize(1))]);
    let sum = SUM.infer(&[f32(&[2, 3, 4])], &attributes).unwrap();
    assert_eq!(sum.results, [f32(&[2, 4])]);
    assert_eq!(sum.symbols, [("a".into(), 2), ("n".into(), 3), ("b".into(), 4)]);
}

#[test]
fn attributes_are_checked_by_name_and_type() {
    let infer = |a: Attributes| SUM.infer(&[f32(&[2])], &a).unwrap_err().to_string();
    assert_eq!(
        infer(Attributes::default()),
        "sum: attribute `axis` is missing; the operator takes axis: usize"
    );
    let wrong = infer(Attributes::from([("axis", Scalar::I32(0))]));
    assert!(wrong.contains("attribute `axis` is 0_i32, not of type usize"), "{wrong}");
    let unknown = infer(Attributes::from([("axes", Scalar::Usize(0))]));
    assert!(unknown.contains("no attribute `axes`"), "{unknown}");
}

#[test]
fn a_wrong_declaration_is_an_error_that_quotes_it() {
    let broken = Operator { shape: "m n", attributes: &[], ..SUM };
    let error = broken.infer(&[f32(&[2, 2])], &Attributes::default()).unwrap_err();
    assert!(error.to_string().contains("operator `sum` is declared wrongly"), "{error}");
    let uneven = Operator { shape: "... -> ...", dtype: "T, T -> T", attributes: &[], ..SUM };
    let error = uneven.infer(&[f32(&[2, 2])], &Attributes::default()).unwrap_err();
    assert!(error.to_string().contains("different numbers"), "{error}");
}
