//! Text that can be shown.

/// `1 rank`, `4 ranks`, `2 libraries`, `3 processes`.
pub fn counted(count: usize, noun: &str) -> String {
    match noun.strip_suffix('y') {
        _ if count == 1 => format!("1 {noun}"),
        Some(stem) => format!("{count} {stem}ies"),
        None if noun.ends_with('s') => format!("{count} {noun}es"),
        None => format!("{count} {noun}s"),
    }
}

/// The text with control characters, and those that XML has not, as Rust writes them: `\n`, `\u{7}`.
pub fn escape_control(text: &str) -> String {
    let shown = |c: char| match c {
        c if c.is_control() || ['\u{fffe}', '\u{ffff}'].contains(&c) => {
            c.escape_default().to_string()
        }
        c => c.to_string(),
    };
    text.chars().map(shown).collect()
}
