//! Text to kernel.

use super::{MAX_DEPTH, VERSION, encode};
use crate::{
    Array, Atomic, AtomicOp, BinaryOp, Buffer, Expr, ExprKind, Function, GroupOp, Kernel, MathFn,
    Modes, Param, ParamKind, Space, Stmt, Type, Variable, check,
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
    words.version()?;
    let kernel = words.kernel()?;
    if words.rest.next().is_some() {
        return words.fail("text goes on after the kernel");
    }
    if let Err(invalid) = check(&kernel) {
        return words.fail(invalid);
    }
    let own = encode(&kernel);
    if own == text {
        return Ok(kernel);
    }
    let position =
        own.split(' ').zip(text.split(' ')).take_while(|(own, word)| own == word).count();
    let word = own.split(' ').nth(position).unwrap_or_default();
    Err(Malformed { position, message: format!("a kernel has one text, which has `{word}` here") })
}

struct Words<'a> {
    rest: std::str::SplitAsciiWhitespace<'a>,
    position: usize,
    depth: usize,
}

impl<'a> Words<'a> {
    fn version(&mut self) -> Result<()> {
        let version = self.word()?;
        if version == VERSION {
            return Ok(());
        }
        self.fail(format!("expected `{VERSION}`, found `{version}`"))
    }

    fn kernel(&mut self) -> Result<Kernel> {
        Ok(Kernel {
            name: self.word()?.to_string(),
            rank: self.number()?,
            modes: self.modes()?,
            group: self.group()?,
            params: self.list(Self::param)?,
            arrays: self.list(Self::array)?,
            vars: self.list(Self::variable)?,
            functions: self.list(Self::function)?,
            requires: self.list(Self::expr)?,
            body: self.block()?,
            result: match self.rest.clone().next() {
                Some("void") => {
                    self.word()?;
                    None
                }
                _ => Some(self.expr()?),
            },
        })
    }

    fn modes(&mut self) -> Result<Modes> {
        let mut modes = Modes::default();
        for letter in self.word()?.chars() {
            match letter {
                '-' => {}
                'f' => modes.relaxed = true,
                'r' => modes.racy = true,
                'u' => modes.unique = true,
                'n' => modes.nondeterministic = true,
                other => return self.fail(format!("unknown mode `{other}`")),
            }
        }
        Ok(modes)
    }

    fn group(&mut self) -> Result<Option<[u32; 3]>> {
        let sizes = self.list(Self::number)?;
        match (sizes.is_empty(), <[u32; 3]>::try_from(sizes)) {
            (true, _) => Ok(None),
            (_, Ok(sizes)) => Ok(Some(sizes)),
            _ => self.fail("a group has three sizes"),
        }
    }

    fn param(&mut self) -> Result<Param> {
        let name = self.word()?.to_string();
        let kind = self.word()?;
        let ty = self.ty()?;
        let mutable = kind.ends_with('m');
        let kind = match kind {
            "s" => ParamKind::Scalar(ty),
            "c" | "m" => ParamKind::Slice { ty, mutable },
            "vc" | "vm" => ParamKind::View { ty, rank: self.number()?, mutable },
            other => return self.fail(format!("`{other}` is no kind of parameter")),
        };
        Ok(Param { name, kind })
    }

    fn array(&mut self) -> Result<Array> {
        let name = self.word()?.to_string();
        let space = match self.word()? {
            "l" => Space::Local,
            "g" => Space::Shared,
            other => return self.fail(format!("expected `l` or `g`, found `{other}`")),
        };
        Ok(Array { name, space, ty: self.ty()?, dims: self.list(Self::number)? })
    }

    fn function(&mut self) -> Result<Function> {
        let name = self.word()?.to_string();
        let (params, result) = (self.list(Self::ty)?, self.ty()?);
        let body = match self.word()? {
            "-" => None,
            "+" => Some(Box::new(self.nested(Self::kernel)?)),
            other => return self.fail(format!("expected `-` or `+`, found `{other}`")),
        };
        Ok(Function { name, params, result, body })
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
                let indices = words.list(Self::expr)?;
                Ok(Stmt::Store { buffer, indices, value: words.expr()?, site })
            }
            "fill" => Ok(Stmt::Fill(words.number()?, words.expr()?)),
            "atomic" => Ok(Stmt::Atomic(Box::new(words.atomic()?))),
            "if" => Ok(Stmt::If(words.expr()?, words.block()?, words.block()?)),
            "for" => Ok(Stmt::For(words.number()?, words.expr()?, words.expr()?, words.block()?)),
            "share" => Ok(Stmt::ForGroup(words.number()?, words.expr()?, words.block()?)),
            "while" => Ok(Stmt::While(words.expr()?, words.block()?)),
            "break" => Ok(Stmt::Break),
            "continue" => Ok(Stmt::Continue),
            "barrier" => Ok(Stmt::Barrier(words.number()?)),
            "sum" => words.group_reduce(GroupOp::Sum),
            "least" => words.group_reduce(GroupOp::Min),
            "most" => words.group_reduce(GroupOp::Max),
            "combine" => {
                let function = words.number()?;
                words.group_reduce(GroupOp::Function(function))
            }
            other => words.fail(format!("unknown statement `{other}`")),
        })
    }

    fn group_reduce(&mut self, op: GroupOp) -> Result<Stmt> {
        let (var, site) = (self.number()?, self.number()?);
        Ok(Stmt::GroupReduce { var, op, value: self.expr()?, site })
    }

    fn atomic(&mut self) -> Result<Atomic> {
        let name = self.word()?;
        let Some(op) = AtomicOp::parse(name) else {
            return self.fail(format!("unknown atomic operation `{name}`"));
        };
        let (buffer, site) = (self.buffer()?, self.number()?);
        let indices = self.list(Self::expr)?;
        let values = (0..op.arity()).map(|_| self.expr()).collect::<Result<_>>()?;
        let old = match self.word()? {
            "drop" => None,
            "into" => Some(self.number()?),
            other => return self.fail(format!("expected `drop` or `into`, found `{other}`")),
        };
        Ok(Atomic { op, buffer, indices, values, old, site })
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
            "dim" => ExprKind::Dim(self.buffer()?, self.number()?),
            "ld" => ExprKind::Load(self.buffer()?, self.list(Self::expr)?),
            "neg" => ExprKind::Neg(self.boxed()?),
            "!" => ExprKind::Not(self.boxed()?),
            "as" => ExprKind::Cast(self.boxed()?),
            "sel" => ExprKind::Select(self.boxed()?, self.boxed()?, self.boxed()?),
            "gid" => ExprKind::Gid(self.number()?),
            "ext" => ExprKind::Extent(self.number()?),
            "lid" => ExprKind::Lid(self.number()?),
            "grp" => ExprKind::Group(self.number()?),
            "call" => ExprKind::Call(self.number()?, self.list(Self::expr)?),
            other => return self.fail(format!("unknown operation `{other}`")),
        })
    }

    fn boxed(&mut self) -> Result<Box<Expr>> {
        Ok(Box::new(self.expr()?))
    }

    fn buffer(&mut self) -> Result<Buffer> {
        let word = self.word()?;
        let index = |prefix| word.strip_prefix(prefix).and_then(|n: &str| n.parse().ok());
        match (index('p'), index('a')) {
            (Some(param), _) => Ok(Buffer::Param(param)),
            (_, Some(array)) => Ok(Buffer::Array(array)),
            _ => self.fail(format!("`{word}` is no buffer")),
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
