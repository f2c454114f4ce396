//! The handwritten digits that the main job learns: see `data/README.md` for their origin.

use super::super::random::Random;
use crate::{Error, ErrorKind, Result};

/// The images as they are committed, one line each: 64 pixels from 0 to 16, then the digit.
const EMBEDDED: &str = include_str!("../../../data/digits.csv");

/// Pixels of an image.
pub(super) const PIXELS: usize = 64;
/// Digits to tell apart.
pub(super) const CLASSES: usize = 10;

/// Labelled images, pixels scaled to 0..=1.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Digits {
    /// `[len, PIXELS]`, row-major.
    pub(super) pixels: Vec<f32>,
    /// The digit of each image.
    pub(super) labels: Vec<i32>,
}

impl Digits {
    /// The committed data set: 1,797 images.
    pub(super) fn embedded() -> Result<Self> {
        Self::parse(EMBEDDED, "data/digits.csv")
    }

    /// Parses lines of 64 pixels and a digit; `origin` names the text in errors.
    ///
    /// # Errors
    /// A line with another number of fields, or a field that is not a number in its range; the
    /// error names origin, line and field.
    pub(super) fn parse(text: &str, origin: &str) -> Result<Self> {
        let mut digits = Digits::default();
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
                    let message =
                        format!("field {column}, `{field}`, is not a {what} (0 to {most})");
                    malformed(message, origin, number + 1)
                })?;
                if column < PIXELS {
                    digits.pixels.push(f32::from(value) / 16.0);
                } else {
                    digits.labels.push(value.into());
                }
            }
        }
        Ok(digits)
    }

    /// The number of images.
    pub(super) fn len(&self) -> usize {
        self.labels.len()
    }

    /// Shuffles by `seed` and holds out a fifth: training images, then test images.
    pub(super) fn split(&self, seed: u64) -> (Digits, Digits) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        Random::new(seed).shuffle(&mut order);
        let (test, train) = order.split_at(self.len() / 5);
        (self.select(train), self.select(test))
    }

    /// The images with these indices, in this order.
    pub(super) fn select(&self, indices: &[usize]) -> Digits {
        let image = |&i: &usize| &self.pixels[i * PIXELS..(i + 1) * PIXELS];
        Digits {
            pixels: indices.iter().flat_map(image).copied().collect(),
            labels: indices.iter().map(|&i| self.labels[i]).collect(),
        }
    }
}

fn malformed(message: String, origin: &str, line: usize) -> Error {
    Error::new(ErrorKind::InvalidArgument, message)
        .with("file", origin)
        .with("line", line)
        .help("each line holds 64 pixels from 0 to 16 and a digit, separated by commas")
}

#[cfg(test)]
mod tests;
