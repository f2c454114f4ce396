use super::*;
use crate::interpret::scalar;

const OPS: [BinaryOp; 10] = [
    BinaryOp::Add,
    BinaryOp::Sub,
    BinaryOp::Mul,
    BinaryOp::Div,
    BinaryOp::Rem,
    BinaryOp::Shl,
    BinaryOp::Shr,
    BinaryOp::BitAnd,
    BinaryOp::BitOr,
    BinaryOp::BitXor,
];

/// Values of a type near its ends, near 0 and near powers of two.
fn samples(ty: Type) -> Vec<i128> {
    let all = Interval::of_type(ty);
    let near = [all.lo, 0, 3, 31, 63, 255, 1 << 31, 1 << 32, 1 << 62, all.hi];
    let mut values: Vec<_> = near.iter().flat_map(|n| [n - 1, *n, n + 1]).collect();
    values.retain(|v| (all.lo..=all.hi).contains(v));
    values.sort_unstable();
    values.dedup();
    values
}

#[test]
fn every_result_lies_in_the_interval_of_its_operands() {
    for ty in Type::ALL.into_iter().filter(|ty| ty.is_integer()) {
        let values = samples(ty);
        let pairs: Vec<_> = values.windows(3).map(|w| Interval::new(w[0], w[2])).collect();
        for (op, a, b) in
            OPS.iter().flat_map(|op| pairs.iter().flat_map(|a| pairs.iter().map(|b| (*op, *a, *b))))
        {
            let result = binary(op, a, b, ty);
            let ends = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)];
            for (x, y) in ends.into_iter().chain([(a.lo.midpoint(a.hi), b.lo.midpoint(b.hi))]) {
                let (x, y) = (Value::of_integer(x, ty), Value::of_integer(y, ty));
                let value = Interval::of_value(scalar::binary(op, x, y));
                assert!(result.contains(value), "{x:?} {} {y:?} of {ty}", op.symbol());
            }
        }
    }
}

#[test]
fn comparisons_are_decided_only_where_all_values_agree() {
    let interval = Interval::new;
    assert_eq!(compare(BinaryOp::Lt, interval(0, 3), interval(4, 9)), Interval::exactly(1));
    assert_eq!(compare(BinaryOp::Lt, interval(0, 4), interval(4, 9)), Interval::BOOL);
    assert_eq!(compare(BinaryOp::Ge, interval(0, 3), interval(4, 9)), Interval::ZERO);
    assert_eq!(compare(BinaryOp::Ne, interval(5, 5), interval(5, 5)), Interval::ZERO);
    assert_eq!(compare(BinaryOp::Eq, interval(5, 5), interval(5, 6)), Interval::BOOL);
}

#[test]
fn products_saturate_before_they_overflow_the_analysis() {
    let all = Interval::of_type(Type::U64);
    assert_eq!(all.mul(all).hi, i128::MAX);
    assert_eq!(binary(BinaryOp::Mul, all, all, Type::U64), all);
    assert_eq!(Interval::new(i128::MIN, 0).abs().hi, i128::MAX);
}
