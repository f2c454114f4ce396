//! Generated Rust, laid out to be read.

/// Where expansions find what they call.
const PRIVATE: &str = "__private::kernel::";

/// The text with one statement on a line, and `kernel::` for the long path of what expansions call; as
/// it is, if it is no Rust. A comment on the first line stays.
pub(super) fn laid_out(text: &str) -> String {
    let Ok(file) = syn::parse_file(text) else { return text.to_owned() };
    let laid_out = prettyplease::unparse(&file);
    let mut parts = laid_out.split(PRIVATE).peekable();
    let comment = text.split_inclusive('\n').next().filter(|line| line.starts_with("//"));
    let mut short = comment.unwrap_or_default().to_owned();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            short.push_str(part);
            break;
        }
        let path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        short.push_str(part.trim_end_matches(path));
        short.push_str("kernel::");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_rust_has_lines_and_short_paths() {
        let private = ":: ringwood :: __private :: kernel ::";
        let text = format!("// f\nfn run ( ) {{ let x = {private} f ( {private} g ( ) ) ; x }}");
        let lines = ["// f", "fn run() {", "    let x = kernel::f(kernel::g());", "    x", "}", ""];
        assert_eq!(laid_out(&text), lines.join("\n"));
        assert_eq!(laid_out("kernel f(x: f32) {"), "kernel f(x: f32) {");
    }
}
