//! What each part of a kernel is written as, said once for both directions.

use super::words::{Text, Words};
use super::{Code, Result};
use crate::{
    Array, Atomic, AtomicOp, BinaryOp, Expr, ExprKind, Function, GroupOp, Kernel, MathFn, Modes,
    Param, ParamKind, Space, Stmt, Type, Variable,
};

/// A struct is its fields in this order.
macro_rules! fields {
    ($($struct:ident $($field:ident)*;)*) => {$(
        impl Code for $struct {
            fn put(&self, text: &mut Text) {
                text$(.put(&self.$field))*;
            }

            fn take(words: &mut Words<'_>) -> Result<Self> {
                Ok($struct { $($field: Code::take(words)?),* })
            }
        }
    )*};
}

/// An enum whose values are a word and parts: `WORD PART* => VARIANT`. The parts are read and written
/// in the order on the left; values of the variants after `else` are written by who calls `put_form`.
macro_rules! forms {
    (
        $enum:ty, $wrong:literal;
        $($word:literal $($part:ident)* => $variant:ident $fields:tt,)*
        $(else $other:pat)?
    ) => {
        impl Form for $enum {
            fn put_form(&self, text: &mut Text, head: std::fmt::Arguments<'_>) {
                match self {
                    $(Self::$variant $fields => text.word(format_args!("{}{head}", $word))$(.put($part))*,)*
                    $($other => unreachable!("an operator is no word of the table"),)?
                };
            }

            fn take_form(word: &str, words: &mut Words<'_>) -> Result<Self> {
                Ok(match word {
                    $($word => {
                        $(let $part = Code::take(words)?;)*
                        Self::$variant $fields
                    })*
                    _ => return words.fail(format_args!($wrong, word)),
                })
            }
        }

        impl Code for $enum {
            fn put(&self, text: &mut Text) {
                self.put_form(text, format_args!(""));
            }

            fn take(words: &mut Words<'_>) -> Result<Self> {
                words.nested(|words| Self::take_form(words.word()?, words))
            }
        }
    };
}

/// A value of one of several forms, each of which starts with its word.
trait Form: Sized {
    /// Writes the word, the head and the parts.
    fn put_form(&self, text: &mut Text, head: std::fmt::Arguments<'_>);
    /// The value of the parts after a word and its head.
    fn take_form(word: &str, words: &mut Words<'_>) -> Result<Self>;
}

fields! {
    Kernel name rank modes group params arrays vars functions requires body result;
    Param name kind;
    Array name space ty dims;
    Variable name ty;
    Function name params result body;
}

forms! {
    ParamKind, "`{}` is no kind of parameter";
    "s" ty => Scalar(ty),
    "c" ty => Slice { ty, mutable: false },
    "m" ty => Slice { ty, mutable: true },
    "vc" ty rank => View { ty, rank, mutable: false },
    "vm" ty rank => View { ty, rank, mutable: true },
}

forms! {
    Space, "expected `l` or `g`, found `{}`";
    "l" => Local {},
    "g" => Shared {},
}

forms! {
    Option<Box<Kernel>>, "expected `-` or `+`, found `{}`";
    "-" => None {},
    "+" body => Some(body),
}

forms! {
    Option<u32>, "expected `drop` or `into`, found `{}`";
    "drop" => None {},
    "into" var => Some(var),
}

forms! {
    Stmt, "unknown statement `{}`";
    "let" var value => Let(var, value),
    "set" var value => Assign(var, value),
    "st" buffer site indices value => Store { buffer, indices, value, site },
    "fill" array value => Fill(array, value),
    "atomic" atomic => Atomic(atomic),
    "if" condition then other => If(condition, then, other),
    "for" var start end body => For(var, start, end, body),
    "share" var end body => ForGroup(var, end, body),
    "while" condition body => While(condition, body),
    "break" => Break {},
    "continue" => Continue {},
    "barrier" site => Barrier(site),
    "sum" var site value => GroupReduce { var, op: GroupOp::Sum, value, site },
    "least" var site value => GroupReduce { var, op: GroupOp::Min, value, site },
    "most" var site value => GroupReduce { var, op: GroupOp::Max, value, site },
    "combine" f var site value => GroupReduce { var, op: GroupOp::Function(f), value, site },
}

forms! {
    ExprKind, "unknown operation `{}`";
    "f" bits => Float(bits),
    "i" value => Int(value),
    "b" value => Bool(value),
    "v" var => Var(var),
    "p" param => Param(param),
    "len" buffer => Len(buffer),
    "dim" buffer dim => Dim(buffer, dim),
    "ld" buffer indices => Load(buffer, indices),
    "neg" operand => Neg(operand),
    "!" operand => Not(operand),
    "as" operand => Cast(operand),
    "sel" condition then other => Select(condition, then, other),
    "gid" dim => Gid(dim),
    "ext" dim => Extent(dim),
    "lid" dim => Lid(dim),
    "grp" dim => Group(dim),
    "call" function args => Call(function, args),
    else ExprKind::Binary(..) | ExprKind::Math(..)
}

impl Code for Expr {
    fn put(&self, text: &mut Text) {
        let head = format_args!(" {}:{}", self.ty, self.site);
        match &self.kind {
            ExprKind::Binary(op, a, b) => {
                text.word(format_args!("{}{head}", op.symbol())).put(a).put(b);
            }
            ExprKind::Math(f, args) => {
                text.word(format_args!("{}{head}", f.name())).all(args);
            }
            kind => kind.put_form(text, head),
        }
    }

    fn take(words: &mut Words<'_>) -> Result<Self> {
        words.nested(|words| {
            let operation = words.word()?;
            let word = words.word()?;
            let head = word
                .split_once(':')
                .and_then(|(ty, site)| Some((Type::parse(ty)?, site.parse().ok()?)));
            let Some((ty, site)) = head else {
                return words.fail(format!("expected TYPE:SITE, found `{word}`"));
            };
            let kind = if let Some(op) = BinaryOp::parse(operation) {
                ExprKind::Binary(op, Code::take(words)?, Code::take(words)?)
            } else if let Some(f) = MathFn::parse(operation) {
                ExprKind::Math(f, words.all(f.arity())?)
            } else {
                ExprKind::take_form(operation, words)?
            };
            Ok(Expr { kind, ty, site })
        })
    }
}

impl Code for Atomic {
    fn put(&self, text: &mut Text) {
        let Atomic { op, buffer, indices, values, old, site } = self;
        text.put(op).put(buffer).put(site).put(indices).all(values).put(old);
    }

    fn take(words: &mut Words<'_>) -> Result<Self> {
        let op = AtomicOp::take(words)?;
        let (buffer, site, indices) = (Code::take(words)?, Code::take(words)?, Code::take(words)?);
        let values = words.all(op.arity())?;
        Ok(Atomic { op, buffer, indices, values, old: Code::take(words)?, site })
    }
}

impl Code for Modes {
    fn put(&self, text: &mut Text) {
        let flags = [
            (self.relaxed, 'f'),
            (self.racy, 'r'),
            (self.unique, 'u'),
            (self.nondeterministic, 'n'),
        ];
        let letters: String = flags.iter().filter(|(on, _)| *on).map(|(_, c)| *c).collect();
        text.word(if letters.is_empty() { "-" } else { &letters });
    }

    fn take(words: &mut Words<'_>) -> Result<Self> {
        let mut modes = Modes::default();
        for letter in words.word()?.chars() {
            match letter {
                '-' => {}
                'f' => modes.relaxed = true,
                'r' => modes.racy = true,
                'u' => modes.unique = true,
                'n' => modes.nondeterministic = true,
                other => return words.fail(format!("unknown mode `{other}`")),
            }
        }
        Ok(modes)
    }
}
