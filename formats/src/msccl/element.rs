//! Elements of a file with checked attributes, and errors that name line, element and attribute.

use crate::error::ReadError;
use ringwood_base::{Error, ErrorKind, Result};
use roxmltree::{Document, Node, ParsingOptions};

/// A file larger than this is refused.
pub(crate) const MOST_BYTES: usize = 64 << 20;
/// A file of more elements and texts than this is refused.
const MOST_NODES: u32 = 1 << 22;

/// A parsed file that knows where its lines begin.
pub(super) struct File<'t> {
    pub(super) document: Document<'t>,
    lines: Vec<usize>,
}

impl<'t> File<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self> {
        check_length(text.len())?;
        let options =
            ParsingOptions { allow_dtd: false, nodes_limit: MOST_NODES, ..Default::default() };
        let document = Document::parse_with_options(text, options).map_err(|e| {
            let error = Error::new(ErrorKind::InvalidArgument, format!("not an XML file: {e}"));
            match e {
                roxmltree::Error::DtdDetected => {
                    error.help("plans have no document type: remove it")
                }
                _ => error,
            }
        })?;
        let ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
        let lines = ends.map(|(i, _)| i).collect();
        Ok(Self { document, lines })
    }

    pub(super) fn element<'f>(&'f self, node: Node<'f, 't>) -> Element<'f, 't> {
        Element { file: self, node }
    }

    fn line(&self, node: Node<'_, '_>) -> u32 {
        let line = self.lines.partition_point(|&end| end < node.range().start) + 1;
        u32::try_from(line).unwrap_or(u32::MAX)
    }
}

pub(crate) fn check_length(bytes: usize) -> Result<()> {
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    let message = format!("a plan file of {bytes} bytes is larger than {MOST_BYTES}");
    Err(Error::new(ErrorKind::Unsupported, message))
}

/// An element of a file.
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
        let (line, element) = (self.line(), self.name().to_owned());
        ReadError::Element { line, element, why: why.to_string() }.into()
    }

    /// Refuses another element, an unknown attribute, and text.
    pub(super) fn check(&self, name: &str, attributes: &[&str]) -> Result<()> {
        if self.name() != name {
            return Err(self.error(format!("expected <{name}> here")));
        }
        for attribute in self.node.attributes() {
            if !attributes.contains(&attribute.name()) {
                let known = attributes.join(", ");
                let why = format!("unknown attribute `{}`", attribute.name());
                return Err(self.error(why).help(format!("the attributes are {known}")));
            }
        }
        Ok(())
    }

    /// The elements within this one.
    pub(super) fn children(self) -> impl Iterator<Item = Result<Element<'f, 't>>> {
        let inner = self.node.children().filter(|n| !n.is_comment());
        inner.filter_map(move |node| {
            if node.is_element() {
                return Some(Ok(self.file.element(node)));
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
            let shown: String = text.chars().take(40).collect();
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
