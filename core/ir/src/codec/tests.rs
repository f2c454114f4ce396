use super::*;
use crate::tests::saxpy;
use crate::{BinaryOp, Expr, ExprKind, Kernel, Param, ParamKind, Type};

#[test]
fn decoding_inverts_encoding() {
    let kernel = saxpy();
    let text = encode(&kernel);
    assert_eq!(decode(&text).unwrap(), kernel, "{text}");
    assert_eq!(encode(&decode(&text).unwrap()), text);
}

#[test]
fn a_result_that_is_a_difference_survives() {
    let operand = || Box::new(Expr { kind: ExprKind::Param(0), ty: Type::F32, site: 0 });
    let kind = ExprKind::Binary(BinaryOp::Sub, operand(), operand());
    let kernel = Kernel {
        name: "f".into(),
        params: vec![Param { name: "x".into(), kind: ParamKind::Scalar(Type::F32) }],
        result: Some(Expr { kind, ty: Type::F32, site: 0 }),
        ..Kernel::default()
    };
    assert_eq!(decode(&encode(&kernel)).unwrap(), kernel);
}

#[test]
fn every_truncated_or_changed_text_is_an_error_or_a_kernel_but_no_panic() {
    let text = encode(&saxpy());
    let tokens: Vec<_> = text.split(' ').collect();
    for cut in 0..tokens.len() {
        assert!(decode(&tokens[..cut].join(" ")).is_err(), "cut at {cut}");
        for other in ["-", "99999999999", "*", "f64", "x", "ld", "bool:0", ""] {
            let mut changed = tokens.clone();
            changed[cut] = other;
            let _ = decode(&changed.join(" "));
        }
    }
}

#[test]
fn an_error_names_its_position() {
    let error = decode("kir1 saxpy").unwrap_err();
    assert_eq!(error.to_string(), "malformed kernel text at word 0: expected `kir2`, found `kir1`");
    let error = decode("kir2 f 1 - 0 0 0 0 0 0 1 nop -").unwrap_err();
    assert_eq!(error.position, 11);
    assert!(decode(&format!("{} -", encode(&saxpy()))).is_err());
}

#[test]
fn a_text_that_nests_too_deep_is_refused() {
    let text = format!("kir2 f 0 - 0 0 0 0 0 0 0 {}b bool:0 1", "! bool:0 ".repeat(100_000));
    assert!(decode(&text).unwrap_err().to_string().contains("nests deeper"));
}

#[test]
fn a_kernel_has_one_text() {
    let text = "kir2 f 1 fr 0 1 y m f32 0 0 0 0 1 st p0 7 1 gid usize:0 0 f f32:0 3f800000 void";
    assert!(decode(text).is_ok());
    for (own, other) in
        [("fr", "rf"), ("p0 7", "p0 +7"), ("p0 7", "p00 7"), ("3f8", "3F8"), ("f 1 fr", "f  1 fr")]
    {
        let error = decode(&text.replace(own, other)).unwrap_err().to_string();
        assert!(error.contains("a kernel has one text"), "{other}: {error}");
    }
    let error = decode(&text.replace("usize:0 0 f", "usize:0 00 f")).unwrap_err();
    assert_eq!(error.position, 20);
    assert_eq!(error.message, "a kernel has one text, which has `0` here");
}
