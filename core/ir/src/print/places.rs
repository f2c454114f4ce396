//! Which line of a text belongs to which site of the kernel's source.

use std::fmt::Write;

/// What surrounds the number of a site at the start of a line, until the text is complete.
const MARK: char = '\u{1}';

/// The start of a line that belongs to `site`.
pub(super) fn mark(site: Option<u32>) -> String {
    site.map_or(String::new(), |site| format!("{MARK}{site}{MARK}"))
}

/// The text without marks, and what they said: number of the line, the first one being 1, and site.
pub(super) fn unmark(marked: &str) -> (String, Vec<(u32, u32)>) {
    let (mut text, mut sites) = (String::with_capacity(marked.len()), Vec::new());
    for (line, number) in marked.lines().zip(1..) {
        let split = line.strip_prefix(MARK).and_then(|rest| rest.split_once(MARK));
        let site = split.and_then(|(site, _)| site.parse().ok());
        sites.extend(site.map(|site| (number, site)));
        let _ = writeln!(text, "{}", split.map_or(line, |(_, line)| line));
    }
    (text, sites)
}

/// The number of the line of the first error in the log of a compiler: `file:12:3: error`, as of
/// Clang, `error: file:12:3: …`, as of PoCL, or `file(12): error`, as of NVRTC.
pub fn error_line(log: &str) -> Option<u32> {
    let number = |text: &str| text.parse::<u32>().ok();
    log.lines().filter(|line| line.contains("error")).find_map(|line| {
        let nvrtc = line.split_once("): error").and_then(|(place, _)| place.rsplit_once('('));
        let words: Vec<_> = line.split(|c: char| c == ':' || c.is_whitespace()).collect();
        let pair = words.windows(2).find_map(|w| number(w[0]).filter(|_| number(w[1]).is_some()));
        nvrtc.and_then(|(_, line)| number(line)).or(pair)
    })
}

/// The number of the line of the first error that is in `file`, in the log of a compiler that was told
/// the name of the file, as of [`error_line`].
pub fn error_line_of(log: &str, file: &str) -> Option<u32> {
    log.lines().filter(|line| line.contains("error")).find_map(|line| {
        let (_, place) = line.split_once(file)?;
        let number = place.strip_prefix([':', '('])?;
        let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        number[..end].parse().ok()
    })
}

#[cfg(test)]
mod tests;
