//! Text to kernel.

use super::{MAX_DEPTH, VERSION};
use crate::{
    BinaryOp, Buffer, Expr, ExprKind, Kernel, MathFn, Param, ParamKind, Stmt, Type, Variable, check,
};
use std::fmt;
use std::str::FromStr;

/// A text that is not a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The number of words before the one at fault.
    pub position: usize,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed kernel text at word {}: {}", self.position, self.message)
    }
}

impl std::error::Error for Malformed {}

type Result<T> = std::result::Result<T, Malformed>;

/// The kernel of a text.
///
/// # Errors
/// The text is not one that [`encode`](crate::encode) produces from a kernel that passes
/// [`check`](crate::check()).
pub fn decode(text: &str) -> Result<Kernel> {
    let mut words = Words { rest: text.split_ascii_whitespace(), position: 0, depth: 0 };
    let kernel = words.kernel()?;
    if words.rest.next().is_some() {
        return words.fail("text goes on after the kernel");
    }
    match check(&kernel) {
        Ok(()) => Ok(kernel),
        Err(invalid) => words.fail(invalid),
    }
}

struct Words<'a> {
    rest: std::str::SplitAsciiWhitespace<'a>,
    position: usize,
    depth: usize,
}

impl<'a> Words<'a> {
    fn kernel(&mut self) -> Result<Kernel> {
        let version = self.word()?;
        if version != VERSION {
            self.position = 0;
            return self.fail(format!("expected `{VERSION}`, found `{version}`"));
        }
        let (name, rank) = (self.word()?.to_string(), self.number()?);
        let params = self.list(Self::param)?;
        let vars = self.list(Self::variable)?;
        let requires = self.list(Self::expr)?;
        let body = self.list(Self::stmt)?;
        let result = match self.rest.clone().next() {
            Some("void") => {
                self.word()?;
                None
            }
            _ => Some(self.expr()?),
        };
        Ok(Kernel { name, rank, params, vars, requires, body, result })
    }

    fn param(&mut self) -> Result<Param> {
        let name = self.word()?.to_string();
        let kind = self.word()?;
        let ty = self.ty()?;
        let kind = match kind {
            "s" => ParamKind::Scalar(ty),
            "c" => ParamKind::Slice { ty, mutable: false },
            "m" => ParamKind::Slice { ty, mutable: true },
            other => return self.fail(format!("expected `s`, `c` or `m`, found `{other}`")),
        };
        Ok(Param { name, kind })
    }

    fn variable(&mut self) -> Result<Variable> {
        Ok(Variable { name: self.word()?.to_string(), ty: self.ty()? })
    }

    fn stmt(&mut self) -> Result<Stmt> {
        self.nested(|words| match words.word()? {
            "let" => Ok(Stmt::Let(words.number()?, words.expr()?)),
            "set" => Ok(Stmt::Assign(words.number()?, words.expr()?)),
            "st" => {
                let (buffer, site) = (words.buffer()?, words.number()?);
                Ok(Stmt::Store { buffer, index: words.expr()?, value: words.expr()?, site })
            }
            "if" => Ok(Stmt::If(words.expr()?, words.block()?, words.block()?)),
            "for" => Ok(Stmt::For(words.number()?, words.expr()?, words.expr()?, words.block()?)),
            "while" => Ok(Stmt::While(words.expr()?, words.block()?)),
            other => words.fail(format!("unknown statement `{other}`")),
        })
    }

    fn block(&mut self) -> Result<Vec<Stmt>> {
        self.list(Self::stmt)
    }

    fn expr(&mut self) -> Result<Expr> {
        self.nested(|words| {
            let operation = words.word()?;
            let (ty, site) = words.head()?;
            let kind = words.operation(operation)?;
            Ok(Expr { kind, ty, site })
        })
    }

    fn operation(&mut self, operation: &str) -> Result<ExprKind> {
        if let Some(op) = BinaryOp::parse(operation) {
            return Ok(ExprKind::Binary(op, self.boxed()?, self.boxed()?));
        }
        if let Some(function) = MathFn::parse(operation) {
            let args = (0..function.arity()).map(|_| self.expr()).collect::<Result<_>>()?;
            return Ok(ExprKind::Math(function, args));
        }
        Ok(match operation {
            "f" => {
                let word = self.word()?;
                match u64::from_str_radix(word, 16) {
                    Ok(bits) => ExprKind::Float(bits),
                    Err(_) => return self.fail(format!("`{word}` are no bits")),
                }
            }
            "i" => ExprKind::Int(self.number()?),
            "b" => ExprKind::Bool(self.number::<u8>()? != 0),
            "v" => ExprKind::Var(self.number()?),
            "p" => ExprKind::Param(self.number()?),
            "len" => ExprKind::Len(self.buffer()?),
            "ld" => ExprKind::Load(self.buffer()?, self.boxed()?),
            "neg" => ExprKind::Neg(self.boxed()?),
            "!" => ExprKind::Not(self.boxed()?),
            "as" => ExprKind::Cast(self.boxed()?),
            "sel" => ExprKind::Select(self.boxed()?, self.boxed()?, self.boxed()?),
            "gid" => ExprKind::Gid(self.number()?),
            "ext" => ExprKind::Extent(self.number()?),
            other => return self.fail(format!("unknown operation `{other}`")),
        })
    }

    fn boxed(&mut self) -> Result<Box<Expr>> {
        Ok(Box::new(self.expr()?))
    }

    fn buffer(&mut self) -> Result<Buffer> {
        let word = self.word()?;
        match word.strip_prefix('p').and_then(|n| n.parse().ok()) {
            Some(index) => Ok(Buffer::Param(index)),
            None => self.fail(format!("`{word}` is no buffer")),
        }
    }

    fn head(&mut self) -> Result<(Type, u32)> {
        let word = self.word()?;
        let parts = word
            .split_once(':')
            .and_then(|(ty, site)| Some((Type::parse(ty)?, site.parse().ok()?)));
        parts.map_or_else(|| self.fail(format!("expected TYPE:SITE, found `{word}`")), Ok)
    }

    fn ty(&mut self) -> Result<Type> {
        let word = self.word()?;
        Type::parse(word).map_or_else(|| self.fail(format!("`{word}` is no type")), Ok)
    }

    fn list<T>(&mut self, item: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let count = self.number::<usize>()?;
        (0..count).map(|_| item(self)).collect()
    }

    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_DEPTH {
            return self.fail(format!("nests deeper than {MAX_DEPTH}"));
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        result
    }

    fn number<T: FromStr>(&mut self) -> Result<T> {
        let word = self.word()?;
        word.parse().or_else(|_| self.fail(format!("`{word}` is no number that fits here")))
    }

    fn word(&mut self) -> Result<&'a str> {
        match self.rest.next() {
            Some(word) => {
                self.position += 1;
                Ok(word)
            }
            None => {
                self.position += 1;
                self.fail("the text ends early")
            }
        }
    }

    /// An error at the word read last.
    fn fail<T>(&self, message: impl fmt::Display) -> Result<T> {
        let position = self.position.saturating_sub(1);
        Err(Malformed { position, message: message.to_string() })
    }
}
