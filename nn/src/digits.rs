//! The handwritten digits that come with Ringwood: `data/README.md` says where they are from.

use crate::{Column, Data};
use ringwood_base::{Error, Result};

/// The images as they are committed, one line each: 64 pixels from 0 to 16, then the digit.
const EMBEDDED: &str = include_str!("../../data/digits.csv");

/// Pixels of an image: 8 rows of 8.
pub const PIXELS: usize = 64;
/// Digits to tell apart.
pub const CLASSES: usize = 10;

/// 1,797 handwritten digits: images `[64]` of type `f32`, from 0 to 1, and labels of type `i32`.
///
/// ```
/// let data = ringwood_nn::digits()?;
/// assert_eq!(data.rows(), 1797);
/// # Ok::<(), ringwood_base::Error>(())
/// ```
///
/// # Errors
/// None: the images are part of the program.
pub fn digits() -> Result<Data<2>> {
    parse_digits(EMBEDDED, "data/digits.csv")
}

/// Parses lines of 64 pixels and a digit; `origin` names the text in errors.
///
/// # Errors
/// A line with another number of fields, or a field that is not a number in its range; the
/// error names origin, line and field.
pub fn parse_digits(text: &str, origin: &str) -> Result<Data<2>> {
    let (mut pixels, mut labels) = (Vec::<f32>::new(), Vec::<i32>::new());
    for (number, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
        let fields: Vec<_> = line.split(',').map(str::trim).collect();
        if fields.len() != PIXELS + 1 {
            let message = format!("expected {} fields, found {}", PIXELS + 1, fields.len());
            return Err(malformed(message, origin, number + 1));
        }
        for (column, field) in fields.iter().enumerate() {
            let (what, most) =
                if column < PIXELS { ("pixel", 16) } else { ("digit", CLASSES as u8 - 1) };
            let value = field.parse::<u8>().ok().filter(|v| *v <= most).ok_or_else(|| {
                let column = column + 1;
                let message = format!("field {column}, `{field}`, is not a {what} (0 to {most})");
                malformed(message, origin, number + 1)
            })?;
            if column < PIXELS {
                pixels.push(f32::from(value) / 16.0);
            } else {
                labels.push(value.into());
            }
        }
    }
    let images = Column::new(&[labels.len(), PIXELS], &pixels)?;
    Data::new([images, Column::new(&[labels.len()], &labels)?])
}

fn malformed(message: String, origin: &str, line: usize) -> Error {
    Error::invalid(message)
        .with("file", origin)
        .with("line", line)
        .help("each line holds 64 pixels from 0 to 16 and a digit, separated by commas")
}
