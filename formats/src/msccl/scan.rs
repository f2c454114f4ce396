//! What an XML parser would take long for, refused before it parses.

use crate::error::ReadError;
use ringwood_base::{Error, ErrorKind, Result};

/// The most attributes of a tag: parsers compare each with all others.
const MOST_OF_A_TAG: usize = 64;
/// The most attributes of a file.
const MOST_ATTRIBUTES: usize = 1 << 23;

/// Refuses tags of many attributes, files of many, and namespaces.
pub(super) fn scan(text: &str) -> Result<()> {
    let (mut at, mut all) = (0, 0);
    while let Some(tag) = text[at..].find('<').map(|found| at + found) {
        let rest = &text[tag..];
        let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
        if let Some((begin, end)) = skipped.into_iter().find(|(begin, _)| rest.starts_with(begin)) {
            let Some(length) = rest[begin.len()..].find(end) else { return Ok(()) };
            at = tag + begin.len() + length + end.len();
            continue;
        }
        let (length, attributes) = attributes(rest).map_err(|why| refusal(text, tag, why))?;
        (at, all) = (tag + length, all + attributes);
        if all > MOST_ATTRIBUTES {
            let why = format!("more than {MOST_ATTRIBUTES} attributes so far");
            return Err(refusal(text, tag, why));
        }
    }
    Ok(())
}

/// The bytes of the tag that `text` begins with, and its attributes.
fn attributes(text: &str) -> Result<(usize, usize), String> {
    let (mut quote, mut count, mut before) = (None, 0, b'<');
    for (i, byte) in text.bytes().enumerate().skip(1) {
        match (quote, byte) {
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return Ok((i + 1, count)),
            (None, b'=') => count += 1,
            (None, b'x') if before.is_ascii_whitespace() && text[i..].starts_with("xmlns") => {
                return Err("plans have no namespaces: remove `xmlns`".into());
            }
            _ => {}
        }
        if count > MOST_OF_A_TAG {
            return Err(format!("more than {MOST_OF_A_TAG} attributes"));
        }
        before = byte;
    }
    Ok((text.len(), count))
}

fn refusal(text: &str, tag: usize, why: String) -> Error {
    let line = text[..tag].matches('\n').count() as u32 + 1;
    let name = text[tag + 1..].chars().take_while(|c| c.is_alphanumeric());
    let element = name.take(40).collect();
    ReadError::Element { line, element, why }.of(ErrorKind::Unsupported)
}
