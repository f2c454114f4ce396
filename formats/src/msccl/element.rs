//! Elements of a file with checked attributes, and errors that name line, element and attribute.

use super::scan::scan;
use crate::error::ReadError;
use crate::text::{Ignored, Lines, check_length, shown};
use ringwood_base::{Error, ErrorKind, Result, escape_control};
use roxmltree::{Document, Node, ParsingOptions};

/// A file of more elements and texts than this is refused.
const MOST_NODES: u32 = 1 << 21;

/// A parsed file that knows where its lines begin.
pub(super) struct File<'t> {
    pub(super) document: Document<'t>,
    lines: Lines,
    pub(super) ignored: Ignored,
}

impl<'t> File<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self> {
        check_length(text.len())?;
        scan(text)?;
        let options =
            ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..Default::default() };
        let document = Document::parse_with_options(text, options).map_err(|e| {
            let error =
                Error::invalid(format!("not an XML file: {}", escape_control(&e.to_string())));
            match e {
                roxmltree::Error::DtdDetected => {
                    error.help("plans have no document type: remove it")
                }
                _ => error,
            }
        })?;
        Ok(Self { document, lines: Lines::of(text), ignored: Ignored::default() })
    }

    pub(super) fn element<'f>(&'f self, node: Node<'f, 't>) -> Element<'f, 't> {
        Element { file: self, node }
    }

    fn line(&self, node: Node<'_, '_>) -> u32 {
        u32::try_from(self.lines.place(node.range().start).0).unwrap_or(u32::MAX)
    }
}

#[derive(Clone, Copy)]
pub(super) struct Element<'f, 't> {
    file: &'f File<'t>,
    node: Node<'f, 't>,
}

impl<'f, 't> Element<'f, 't> {
    pub(super) fn line(&self) -> u32 {
        self.file.line(self.node)
    }

    fn name(&self) -> &'f str {
        self.node.tag_name().name()
    }

    /// The error that something is wrong with this element.
    pub(super) fn error(&self, why: impl std::fmt::Display) -> Error {
        self.refusal(why).into()
    }

    /// The error that this element may be right, but is not read here.
    pub(super) fn unsupported(&self, why: impl std::fmt::Display) -> Error {
        self.refusal(why).of(ErrorKind::Unsupported)
    }

    fn refusal(&self, why: impl std::fmt::Display) -> ReadError {
        ReadError::Element { line: self.line(), element: shown(self.name()), why: why.to_string() }
    }

    /// Refuses another element, and ignores unknown attributes, as the run times do that read them by
    /// name.
    pub(super) fn check(&self, name: &str, attributes: &str) -> Result<()> {
        if self.name() != name {
            return Err(self.error(format!("expected <{name}> here")));
        }
        for attribute in self.node.attributes() {
            if !attributes.split(' ').any(|known| known == attribute.name()) {
                self.ignore(format!("attribute `{}`", shown(attribute.name())), self.line());
            }
        }
        Ok(())
    }

    fn ignore(&self, what: String, line: u32) {
        self.file.ignored.note(format!("<{}>", shown(self.name())), what, line as usize);
    }

    /// The elements called `name` within this one; others are ignored.
    pub(super) fn children(self, name: &str) -> impl Iterator<Item = Result<Element<'f, 't>>> {
        let inner = self.node.children().filter(|n| !n.is_comment());
        inner.filter_map(move |node| {
            if node.is_element() {
                let element = self.file.element(node);
                if element.name() == name {
                    return Some(Ok(element));
                }
                self.ignore(format!("element <{}>", shown(element.name())), element.line());
                return None;
            }
            let blank = node.is_text() && node.text().is_none_or(|t| t.trim().is_empty());
            (!blank).then(|| Err(self.error("contains text, not only elements")))
        })
    }

    pub(super) fn optional(&self, attribute: &str) -> Option<&'f str> {
        self.node.attribute(attribute)
    }

    pub(super) fn text(&self, attribute: &str) -> Result<&'f str> {
        self.optional(attribute)
            .ok_or_else(|| self.error(format!("attribute `{attribute}` is missing")))
    }

    /// A number within `least..=most`.
    pub(super) fn number(&self, attribute: &str, least: i64, most: u32) -> Result<i64> {
        let text = self.text(attribute)?;
        let number = text.parse::<i64>().ok();
        number.filter(|n| (least..=i64::from(most)).contains(n)).ok_or_else(|| {
            let shown = shown(text);
            self.error(format!(
                "attribute `{attribute}` is `{shown}`, not a number from {least} to {most}"
            ))
        })
    }

    /// A number within `0..=most`.
    pub(super) fn count(&self, attribute: &str, most: u32) -> Result<u32> {
        Ok(self.number(attribute, 0, most)? as u32)
    }

    /// `1` or `0`.
    pub(super) fn flag(&self, attribute: &str) -> Result<bool> {
        Ok(self.number(attribute, 0, 1)? == 1)
    }
}
