//! Tokens as a person writes them, for messages.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// Tokens as a person writes them: `i & (half - 1)`, `&mut View<f32, 2>`, `x[-k..n].len()`.
pub(crate) fn text(tokens: &impl ToTokens) -> String {
    let mut writer = Writer { text: String::new(), last: Last::Open, generics: 0 };
    writer.stream(tokens.to_token_stream());
    writer.text
}

/// Words before an operand; what else is a name is an operand itself.
const WORDS: &[&str] = &[
    "as", "break", "dyn", "else", "for", "if", "impl", "in", "let", "loop", "match", "move", "mut",
    "ref", "return", "unsafe", "where", "while",
];

/// Operators of several characters, the longer ones first.
const OPERATORS: &[&str] = &[
    "..=", "<<=", ">>=", "..", "::", "->", "=>", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>",
    "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=",
];

/// What was written last.
#[derive(Clone, Copy, PartialEq)]
enum Last {
    /// What an operand follows without a space.
    Open,
    /// What an operand follows after a space.
    Infix,
    Operand,
}

struct Writer {
    text: String,
    last: Last,
    /// How many lists of types are open.
    generics: usize,
}

impl Writer {
    fn stream(&mut self, tokens: TokenStream) {
        let mut joint = String::new();
        for token in tokens {
            match token {
                TokenTree::Punct(punct) => {
                    joint.push(punct.as_char());
                    // The quote of a lifetime is joined to its name.
                    if punct.spacing() == Spacing::Alone || punct.as_char() == '\'' {
                        self.operators(&joint);
                        joint.clear();
                    }
                }
                TokenTree::Group(group) => self.group(&group),
                TokenTree::Ident(name) => {
                    let (name, is_lifetime) = (name.to_string(), self.text.ends_with('\''));
                    self.operand(&name);
                    if is_lifetime || WORDS.contains(&&*name) {
                        self.last = Last::Infix;
                    }
                }
                TokenTree::Literal(literal) => self.operand(&literal.to_string()),
            }
        }
    }

    fn operand(&mut self, text: &str) {
        if self.last != Last::Open {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.last = Last::Operand;
    }

    fn group(&mut self, group: &Group) {
        let (open, close) = match group.delimiter() {
            Delimiter::Parenthesis => ("(", ")"),
            Delimiter::Bracket => ("[", "]"),
            Delimiter::Brace if group.stream().is_empty() => ("{", "}"),
            Delimiter::Brace => ("{ ", " }"),
            Delimiter::None => return self.stream(group.stream()),
        };
        // Calls and indices stand at their operand.
        if self.last == Last::Operand && group.delimiter() != Delimiter::Brace {
            self.last = Last::Open;
        }
        self.operand(open);
        self.last = Last::Open;
        let generics = std::mem::take(&mut self.generics);
        self.stream(group.stream());
        self.text.push_str(close);
        (self.last, self.generics) = (Last::Operand, generics);
    }

    /// Operators without a space between them.
    fn operators(&mut self, mut joint: &str) {
        while !joint.is_empty() {
            let closes = self.generics > 0 && joint.starts_with('>');
            let known = OPERATORS.iter().find(|op| !closes && joint.starts_with(**op));
            let (operator, rest) = joint.split_at(known.map_or(1, |op| op.len()));
            self.operator(operator);
            joint = rest;
        }
    }

    fn operator(&mut self, operator: &str) {
        let after = self.last == Last::Operand;
        let (tight, next) = match operator {
            "." | "::" | ".." | "..=" => (after, Last::Open),
            "," | ";" | ":" => (true, Last::Infix),
            // Of a macro.
            "!" if after => (true, Last::Operand),
            "?" => (true, Last::Operand),
            "<" if !after || self.ends_in_type() => {
                self.generics += 1;
                (after, Last::Open)
            }
            ">" if self.generics > 0 => {
                self.generics -= 1;
                (true, Last::Operand)
            }
            "->" | "=>" => (false, Last::Infix),
            _ if after => (false, Last::Infix),
            _ => (false, Last::Open),
        };
        if tight {
            self.last = Last::Open;
        }
        self.operand(operator);
        self.last = next;
    }

    /// Whether the last name is written as those of types are, so that `<` is no comparison.
    fn ends_in_type(&self) -> bool {
        let start =
            self.text.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |at| at + 1);
        let name = &self.text[start..];
        name.starts_with(char::is_uppercase) && name.contains(char::is_lowercase)
    }
}

#[cfg(test)]
mod tests;
