//! Binary operators.

use crate::named::named;

named! {
    /// A binary operator.
    #[allow(missing_docs, reason = "the names are those of Rust's operators")]
    pub enum BinaryOp {
        Add "+",
        Sub "-",
        Mul "*",
        Div "/",
        Rem "%",
        BitAnd "&",
        BitOr "|",
        BitXor "^",
        /// The amount may have another integer type; it is masked to the width of the left side.
        Shl "<<",
        /// As [`BinaryOp::Shl`]; arithmetic for signed types.
        Shr ">>",
        Eq "==",
        Ne "!=",
        Lt "<",
        Le "<=",
        Gt ">",
        Ge ">=",
        /// Evaluates its right side only if the left one is true.
        And "&&",
        /// Evaluates its right side only if the left one is false.
        Or "||",
    }
    /// The operator as in Rust.
    fn symbol;
}

impl BinaryOp {
    /// Whether the result is the truth of a comparison.
    pub const fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    /// Whether this is `&&` or `||`.
    pub const fn is_logical(self) -> bool {
        matches!(self, BinaryOp::And | BinaryOp::Or)
    }

    /// Whether this is `<<` or `>>`.
    pub const fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }

    /// Whether this is `&`, `|` or `^`.
    pub const fn is_bitwise(self) -> bool {
        matches!(self, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor)
    }
}
