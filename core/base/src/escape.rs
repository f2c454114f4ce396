//! Text that can be shown.

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
