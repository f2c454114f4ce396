//! A number of the command line as an element of a type.

use crate::{DType, Error, Result, Scalar};

/// Up to this number every integer is an `f64`.
const MOST_EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;

/// The bytes of a number as an element.
///
/// # Errors
/// The type has no such number: none is rounded to an infinity, or to another integer.
pub(super) fn element(dtype: DType, text: &str) -> Result<Vec<u8>> {
    let infinite = text.to_lowercase().contains("inf");
    let wide = || text.parse::<f64>().ok();
    macro_rules! float {
        ($number:expr) => {
            $number
                .filter(|number| infinite || !number.is_infinite())
                .map(|number| number.to_ne_bytes().to_vec())
        };
    }
    let element = match dtype {
        DType::F32 => float!(text.parse::<f32>().ok()),
        DType::F64 => float!(wide()),
        DType::F16 => float!(wide().map(half::f16::from_f64)),
        DType::BF16 => float!(wide().map(half::bf16::from_f64)),
        _ => integer(text)
            .map(|number| (number, Scalar::of_integer(number, dtype.into())))
            .filter(|(number, element)| element.integer() == Some(*number))
            .map(|(_, element)| element.to_bytes()),
    };
    let error = || Error::dtype(format!("{text} is no {dtype}"));
    element.ok_or_else(|| match dtype.is_float() {
        true => error(),
        false => error().help("write an integer of the type in digits"),
    })
}

/// An integer, which may be written as `1e3`.
fn integer(text: &str) -> Option<i128> {
    let exact = |number: &f64| number.fract() == 0.0 && number.abs() <= MOST_EXACT;
    let wide = || text.parse().ok().filter(exact).map(|number| number as i128);
    text.parse().ok().or_else(wide)
}
