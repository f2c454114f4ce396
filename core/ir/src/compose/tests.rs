use super::*;
use crate::interpret::map;
use crate::{Value, decode, encode};

fn binary(name: &str, op: &str, ty: &str) -> Kernel {
    let params = format!("2 a s {ty} b s {ty}");
    let value = format!("{op} {ty}:0 p {ty}:0 0 p {ty}:0 1");
    decode(&format!("kir2 {name} 0 - 0 {params} 0 0 0 0 0 {value}")).unwrap()
}

const X: Source = Source::Param(0);
const Y: Source = Source::Param(1);

#[test]
fn the_whole_has_the_value_of_its_parts_one_after_the_other() {
    for ty in ["f32", "f16"] {
        let (add, mul) = (binary("add", "+", ty), binary("mul", "*", ty));
        let parts = [
            Part { map: &mul, operands: vec![X, Y] },
            Part { map: &add, operands: vec![Source::Part(0), X] },
            Part { map: &mul, operands: vec![Source::Part(1), Source::Part(0)] },
        ];
        let whole = compose("whole", &parts).unwrap();
        assert_eq!(whole.functions.len(), 2, "one for each map, however often it is used");
        assert_eq!(decode(&encode(&whole)).unwrap(), whole);
        for (x, y) in [(1.1, 3.0), (-0.0, 7.5), (0.333, 1e-3)] {
            let (x, y) = match ty {
                "f32" => (Value::F32(x), Value::F32(y)),
                _ => (half::f16::from_f32(x).into(), half::f16::from_f32(y).into()),
            };
            let apply = |k: &Kernel, a, b| map(k, &[a, b], 10).unwrap();
            let product = apply(&mul, x, y);
            let expected = apply(&mul, apply(&add, product, x), product);
            assert_eq!(map(&whole, &[x, y], 10), Ok(expected), "{ty} {x} {y}");
        }
    }
}

#[test]
fn parts_that_do_not_fit_are_refused() {
    let (add, wide) = (binary("add", "+", "f32"), binary("add", "+", "f64"));
    let refused = |parts: &[(&Kernel, [Source; 2])]| {
        let part = |&(map, operands): &(_, [Source; 2])| Part { map, operands: operands.into() };
        let parts: Vec<_> = parts.iter().map(part).collect();
        compose("whole", &parts).unwrap_err().message
    };
    assert!(refused(&[]).contains("a result"));
    assert!(refused(&[(&add, [X, Source::Part(0)])]).contains("uses what comes later"));
    assert!(refused(&[(&add, [X, Source::Part(3)])]).contains("uses what comes later"));
    assert_eq!(refused(&[(&add, [Y, Y])]), "parameter 0 is never used");
    assert!(!refused(&[(&add, [X, Y]), (&wide, [X, Source::Part(0)])]).is_empty());
    let few = compose("whole", &[Part { map: &add, operands: vec![X] }]).unwrap_err();
    assert_eq!(few.message, "part `add` takes 2 arguments");
    let grid = crate::tests::saxpy();
    assert_eq!(refused(&[(&grid, [X, Y])]), "part `saxpy` takes 3 arguments");
}
