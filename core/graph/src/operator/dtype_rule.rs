//! Element type rules: how the dtypes of an operator's results follow from its operands.

use ringwood_base::{DType, Error, Result};

/// A dtype rule: one word for each operand, `->`, one for each result, separated by commas.
///
/// | written | means |
/// |---|---|
/// | `i32` | that dtype |
/// | `T`, `U`, … | any dtype; the same letter is the same dtype everywhere |
/// | `F` | a floating-point dtype, the same everywhere |
/// | `I` | an integer dtype, the same everywhere |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DTypeRule {
    operands: Vec<Word>,
    results: Vec<Word>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Exactly(DType),
    Variable(char),
}

impl DTypeRule {
    /// The rule of an operator whose operands and results all have one dtype.
    pub fn same(operands: usize, results: usize) -> Self {
        let all = Word::Variable('T');
        Self { operands: vec![all; operands], results: vec![all; results] }
    }

    /// Parses `F, i32 -> F`.
    ///
    /// # Errors
    /// The text is no rule; the error quotes the wrong word.
    pub fn parse(text: &str) -> Result<Self> {
        let malformed = |why: String| Error::dtype(format!("dtype rule `{text}`: {why}"));
        let sides = text.split_once("->");
        let (left, right) = sides.ok_or_else(|| malformed("there is no `->`".into()))?;
        let words = |side: &str| -> Result<Vec<Word>> {
            side.split(',').map(|w| parse_word(w.trim()).map_err(malformed)).collect()
        };
        let rule = Self { operands: words(left)?, results: words(right)? };
        let bound = |w: &&Word| matches!(w, Word::Exactly(_)) || rule.operands.contains(w);
        match rule.results.iter().find(|w| !bound(w)) {
            Some(_) => Err(malformed("a result's variable is bound by no operand".into())),
            None => Ok(rule),
        }
    }

    /// The number of operands.
    pub fn operands(&self) -> usize {
        self.operands.len()
    }

    /// The number of results.
    pub fn results(&self) -> usize {
        self.results.len()
    }

    /// The result dtypes for these operand dtypes; `operator` is the name for messages.
    ///
    /// # Errors
    /// [`ErrorKind::DType`](ringwood_base::ErrorKind::DType): an operand's dtype is not the one asked for, or two of one variable
    /// differ.
    pub fn infer(&self, operator: &str, dtypes: &[DType]) -> Result<Vec<DType>> {
        let wrong = |what: String| Error::dtype(format!("{operator}: {what}"));
        let mut bound: Vec<(char, DType, usize)> = Vec::new();
        for (i, (&word, &dtype)) in self.operands.iter().zip(dtypes).enumerate() {
            let operand = i + 1;
            match word {
                Word::Exactly(want) if want != dtype => {
                    return Err(wrong(format!("operand {operand} is {dtype}, not {want}")));
                }
                Word::Exactly(_) => {}
                Word::Variable(v) => match bound.iter().find(|b| b.0 == v) {
                    Some(&(_, first, j)) if first != dtype => {
                        let what = format!(
                            "operand {j} is {first} and operand {operand} is {dtype}, but both must have one dtype"
                        );
                        return Err(wrong(what).help("cast one of them"));
                    }
                    _ => {
                        check_class(v, dtype).map_err(|class| {
                            wrong(format!("operand {operand} is {dtype}, not {class}"))
                        })?;
                        bound.push((v, dtype, operand));
                    }
                },
            }
        }
        let of = |v: char| bound.iter().find(|b| b.0 == v).map(|b| b.1);
        let result = |word: &Word| match *word {
            Word::Exactly(dtype) => Ok(dtype),
            Word::Variable(v) => of(v).ok_or_else(|| wrong(format!("dtype {v} is unknown"))),
        };
        self.results.iter().map(result).collect()
    }
}

fn parse_word(word: &str) -> std::result::Result<Word, String> {
    let mut chars = word.chars();
    match (chars.next(), chars.next()) {
        (Some(v), None) if v.is_ascii_uppercase() => Ok(Word::Variable(v)),
        _ => word
            .parse()
            .map(Word::Exactly)
            .map_err(|_| format!("`{word}` is neither a dtype nor one upper-case letter")),
    }
}

fn check_class(variable: char, dtype: DType) -> std::result::Result<(), &'static str> {
    match variable {
        'F' if !dtype.is_float() => Err("a floating-point dtype"),
        'I' if dtype.is_float() || dtype == DType::Bool => Err("an integer dtype"),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
