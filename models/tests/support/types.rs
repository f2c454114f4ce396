//! Operators that are written, of every element type that they take.

use super::*;

const UNARY: &str = "abs acos asin atan bit_not ceil copy cos cosh erf exp floor gelu gelu_tanh ln log_softmax log_sum_exp \
    mean_all neg not recip relu round_ties_even rsqrt sigmoid signum silu sin sinh softmax sqrt sum_all tan tanh transpose";
const BINARY: &str = "add and bit_and bit_or bit_xor div equal expand gelu_grad greater greater_equal less less_equal matmul \
    matmul_nt matmul_tn max min mul not_equal or powf rem silu_grad sub xor";
const ALONG: &str = "argmax argmin largest mean product smallest sum sum_keep";

/// An operator of ones, with their type, if it has a kernel for it.
fn of_ones(name: &str, count: usize, ty: TensorType, with: &[(&str, Attribute)]) -> Option<Case> {
    let mut graph = Graph::new();
    let ones = vec![1_u8; ty.bytes()];
    let inputs = ["a", "b"].into_iter().map(|name| (name, ty, ones.clone())).take(count);
    let inputs: Vec<_> = inputs.collect();
    let operands = inputs.iter().map(|(name, ..)| graph.input(name, ty.dtype, &ty.shape).unwrap());
    let operands: Vec<_> = operands.collect();
    let value = graph.apply_with(name, &operands, with).ok()?;
    graph.output(name, value).unwrap();
    let case = Case { graph, inputs };
    run(case.graph.clone(), &case).is_ok().then_some(case)
}

/// Writes what each operator does with elements of a type, and gives the names of the files.
fn written(dtype: DType) -> Vec<PathBuf> {
    let square = TensorType::new(dtype, &[3, 3]).unwrap();
    let image = TensorType::new(dtype, &[1, 2, 5, 6]).unwrap();
    let mut files = Vec::new();
    let mut one = |name: &str, count, ty, with: &[(&str, Attribute)]| {
        if let Some(case) = of_ones(name, count, ty, with) {
            let file = folder("types").join(format!("{name}.{dtype}.onnx"));
            onnx::save(&case.graph, &file).unwrap();
            files.push(file);
        }
    };
    UNARY.split_whitespace().for_each(|name| one(name, 1, square, &[]));
    BINARY.split_whitespace().for_each(|name| one(name, 2, square, &[]));
    ALONG.split_whitespace().for_each(|name| one(name, 1, square, &[("axis", 1_usize.into())]));
    let pool = [("p", 2), ("q", 3), ("window", 2), ("stride", 2)];
    let pool: Vec<_> = pool.iter().map(|(name, n)| (*name, Attribute::from(*n as usize))).collect();
    ["max_pool", "mean_pool"].iter().for_each(|name| one(name, 1, image, &pool));
    one("convolve", 2, image, &[]);
    files
}

const CHECK: &str = "
import sys, onnx
for file in sys.argv[1:]:
    try:
        onnx.checker.check_model(file, full_check=True)
    except Exception as error:
        print(file, error)
";

#[test]
fn every_type_is_one_that_the_operator_set_allows() {
    let types = "bool u8 i8 u16 i16 u32 i32 u64 i64 f16 bf16 f32 f64".split(' ');
    let files: Vec<_> = types.flat_map(|dtype| written(dtype.parse().unwrap())).collect();
    assert!(files.len() > 400, "{}", files.len());
    if has_onnx_runtime() {
        let output = Command::new("python3").args(["-c", CHECK]).args(&files).output().unwrap();
        assert!(output.stdout.is_empty(), "{}", String::from_utf8_lossy(&output.stdout));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn onnx_runtime_agrees_on_types_that_are_computed_in_wider_ones() {
    let mut case = Case::new();
    let x = case.input("x", &[3, 4]);
    let apply = |case: &mut Case, name: &str, value| case.graph.apply(name, &[value]).unwrap();
    let bf16 = apply(&mut case, "to_bf16", x);
    for name in "acos asin atan cos cosh round_ties_even sin sinh tan".split(' ') {
        // The arc functions of ONNX are those of numbers up to 1.
        let x = apply(&mut case, if name.starts_with('a') { "sin" } else { "copy" }, bf16);
        let x = apply(&mut case, name, x);
        case.output(name, "to_f32", &[x], &[]);
    }
    let i16 = case.graph.constant(&[2, 3], &[-7_i16, 3, i16::MIN, 5, i16::MAX, 9]).unwrap();
    let u16 = case.graph.constant(&[2, 3], &[7_u16, 3, 0, 5, u16::MAX, 9]).unwrap();
    for (name, value) in [("i16", i16), ("u16", u16)] {
        for operator in ["largest", "smallest"] {
            case.output(
                &format!("{operator} {name}"),
                operator,
                &[value],
                &[("axis", 1_usize.into())],
            );
        }
    }
    let yes = case.graph.constant(&[4], &[true, false, true, false]).unwrap();
    let no = case.graph.constant(&[4], &[true, true, false, false]).unwrap();
    for name in "less less_equal greater greater_equal".split(' ') {
        case.output(name, name, &[yes, no], &[]);
    }
    written_and_read(&case, "wider");
}

#[test]
fn floats_of_other_sizes_give_the_same_bits() {
    for dtype in ["f16", "bf16", "f64"] {
        let mut case = Case::new();
        let operands = ["x", "y"].map(|name| case.input(name, &[7, 7]));
        let cast = format!("to_{dtype}");
        let operands = operands.map(|x| case.graph.apply(&cast, &[x]).unwrap());
        for (names, count, axis) in [(UNARY, 1, None), (BINARY, 2, None), (ALONG, 1, Some(1))] {
            for name in names.split_whitespace() {
                let with = axis.map(|axis: usize| ("axis", axis.into()));
                let with: Vec<(&str, Attribute)> = with.into_iter().collect();
                let Ok(value) = case.graph.apply_with(name, &operands[..count], &with[..]) else {
                    continue;
                };
                let mut one = Case { graph: case.graph.clone(), inputs: case.inputs.clone() };
                one.graph.output(name, value).unwrap();
                // There are products of matrices of 32 and 64 bits alone.
                let Ok(expected) = run(one.graph.clone(), &one) else { continue };
                let path = folder("types").join("size.onnx");
                onnx::save(&one.graph, &path).unwrap();
                let read = run(onnx::load(&path).unwrap(), &one).unwrap();
                assert!(read == expected, "{name} of {dtype}");
            }
        }
    }
}

#[test]
fn a_nan_loses_in_what_is_written_too() {
    let mut case = Case::new();
    let nan = f32::NAN;
    let a = case.graph.constant(&[2, 3], &[nan, 1.0, nan, 3.0, -2.0, 0.5]).unwrap();
    let b = case.graph.constant(&[3], &[2.0_f32, nan, -f32::INFINITY]).unwrap();
    for name in ["max", "min"] {
        for (order, operands) in [("ab", [a, b]), ("ba", [b, a])] {
            let value = case.graph.apply(name, &operands).unwrap();
            // Comparisons tell a NaN, which no test calls close to another.
            case.output(&format!("{name} {order}"), "equal", &[value, value], &[]);
            case.output(&format!("{name} {order} > b"), "greater", &[value, b], &[]);
            case.output(&format!("{name} {order} < b"), "less", &[value, b], &[]);
        }
    }
    written_and_read(&case, "nan");
}

#[test]
fn the_sign_of_integers_of_open_extents_is_one() {
    let mut case = Case::new();
    let signs: Vec<_> = [-3_i32, 0, 5].into_iter().flat_map(i32::to_ne_bytes).collect();
    case.inputs.push(("x", TensorType::new(DType::I32, &[3]).unwrap(), signs));
    let x = case.graph.open_input("x", DType::I32, &["n".into()]).unwrap();
    case.output("signum", "signum", &[x], &[]);
    written_and_read(&case, "signs");
}

#[test]
fn remainders_have_the_signs_and_bits_of_onnx_runtime() {
    let floats = [0.0, 0.7, 3.0, 5.5, 1e-40, 1e30, f64::MAX, f64::INFINITY];
    let integers = [1.0, 2.0, 3.0, 5.0, 7.0, 100.0];
    let mut case = Case::new();
    for (numbers, dtypes) in [(&floats[..], "f16 f32 f64"), (&integers, "i8 i16 i32 i64")] {
        let signed: Vec<_> = numbers.iter().flat_map(|&x| [x, -x]).collect();
        let n = signed.len();
        let operands = [&[n, 1][..], &[n]].map(|dims| case.graph.constant(dims, &signed).unwrap());
        for dtype in dtypes.split(' ') {
            let cast = format!("to_{dtype}");
            let operands = operands.map(|x| case.graph.apply(&cast, &[x]).unwrap());
            case.output(dtype, "rem", &operands, &[]);
        }
    }
    let path = folder("types").join("rem.onnx");
    onnx::save(&case.graph, &path).unwrap();
    let Some(expected) = onnx_runtime(&path, &case) else { return };
    for ((_, ty, expected), (_, found)) in
        expected.iter().zip(&run(case.graph.clone(), &case).unwrap())
    {
        assert!(expected == found, "rem of {}", ty.dtype);
    }
}

/// What is written, read back, gives the same bits, and ONNX Runtime gives close numbers.
fn written_and_read(case: &Case, name: &str) {
    let path = folder("types").join(format!("{name}.onnx"));
    onnx::save(&case.graph, &path).unwrap();
    let read = run(onnx::load(&path).unwrap(), case).unwrap();
    assert_eq!(read, run(case.graph.clone(), case).unwrap());
    agrees(&path, case);
}
