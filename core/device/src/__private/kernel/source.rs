//! What can be said of a hand-written text when a crate is compiled.

/// Whether `name` stands in a text as a word: a source that lacks it defines no such entry point.
pub const fn mentions(text: &str, name: &str) -> bool {
    find(text.as_bytes(), name.as_bytes(), 0) < text.len()
}

/// Whether a text of C defines `name` with this number of parameters, as far as that can be seen: a text
/// in another language, or one that the preprocessor writes, has any number.
pub const fn takes(text: &str, name: &str, count: usize) -> bool {
    let (text, name) = (text.as_bytes(), name.as_bytes());
    let mut at = find(text, name, 0);
    while at < text.len() {
        let (before, open) = (back(text, at), skip(text, at + name.len()));
        let is_definition =
            ends_in_word(text, before, b"void") && open < text.len() && text[open] == b'(';
        if is_definition {
            return match parameters(text, open + 1) {
                Some(found) => found == count,
                None => true,
            };
        }
        at = find(text, name, at + 1);
    }
    true
}

const fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Where `name` stands as a word, from `start`; the length of the text if nowhere.
const fn find(text: &[u8], name: &[u8], start: usize) -> usize {
    let mut start = start;
    while start + name.len() <= text.len() {
        let (mut same, end) = (0, start + name.len());
        while same < name.len() && text[start + same] == name[same] {
            same += 1;
        }
        let whole =
            (start == 0 || !in_word(text[start - 1])) && (end == text.len() || !in_word(text[end]));
        if same == name.len() && whole {
            return start;
        }
        start += 1;
    }
    text.len()
}

/// The end of what comes before `at` and the space there.
const fn back(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while at > 0 && text[at - 1].is_ascii_whitespace() {
        at -= 1;
    }
    at
}

const fn ends_in_word(text: &[u8], end: usize, word: &[u8]) -> bool {
    let Some(start) = end.checked_sub(word.len()) else { return false };
    find(text, word, start) == start
}

/// Where what follows starts, after space and comments.
const fn skip(text: &[u8], at: usize) -> usize {
    let mut at = at;
    while at < text.len() {
        if text[at].is_ascii_whitespace() {
            at += 1;
        } else if text[at] == b'/' && at + 1 < text.len() && text[at + 1] == b'/' {
            while at < text.len() && text[at] != b'\n' {
                at += 1;
            }
        } else if text[at] == b'/' && at + 1 < text.len() && text[at + 1] == b'*' {
            at += 2;
            while at + 1 < text.len() && !(text[at] == b'*' && text[at + 1] == b'/') {
                at += 1;
            }
            at += 2;
        } else {
            return at;
        }
    }
    text.len()
}

/// The number of parameters in a list that starts at `at`; `None` if there is none to count, or one
/// that is a single word and may stand for several.
const fn parameters(text: &[u8], at: usize) -> Option<usize> {
    let (mut at, mut depth, mut count, mut words) = (skip(text, at), 1, 0, 0);
    while at < text.len() {
        match text[at] {
            b'(' | b'<' | b'[' => depth += 1,
            b')' | b'>' | b']' => depth -= 1,
            b',' if depth == 1 && words < 2 => return None,
            b',' if depth == 1 => (count, words) = (count + 1, 0),
            b'#' => return None,
            byte if in_word(byte) => {
                words += 1;
                while at + 1 < text.len() && in_word(text[at + 1]) {
                    at += 1;
                }
            }
            _ => {}
        }
        if depth == 0 {
            return match words {
                0 if count == 0 => Some(0),
                0 | 1 => None,
                _ => Some(count + 1),
            };
        }
        at = skip(text, at + 1);
    }
    None
}

#[cfg(test)]
mod tests;
