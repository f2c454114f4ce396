//! The guides tell what an author writes.

use std::fs;
use std::path::Path;

/// Lines that are neither empty nor comments.
fn lines_of_code(path: &Path) -> usize {
    if path.is_dir() {
        let entries =
            fs::read_dir(path).unwrap().map(|entry| lines_of_code(&entry.unwrap().path()));
        return entries.sum();
    }
    count(&fs::read_to_string(path).unwrap())
}

fn count(text: &str) -> usize {
    text.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with("//")).count()
}

#[test]
fn the_guides_say_how_many_lines_an_author_writes() {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lines = |path: &str| lines_of_code(&repository.join(path));
    let backend = lines("examples/third_party_backend/src/abacus")
        + lines("examples/third_party_backend/src/abacus.rs");
    let collective = lines("examples/custom_collective/src/main.rs");
    let text = fs::read_to_string(repository.join("examples/third_party_backend/src/abacus.rs"));
    let text = text.unwrap();
    let (_, body) = text.split_once("impl Backend for Abacus {").expect("the impl");
    let (body, _) = body.split_once("\n}").expect("its end");
    let methods = count(body) + 2;
    println!("a backend: {backend} lines of code, of which the impl has {methods}");
    println!("a collective with its main: {collective}");
    let guide = fs::read_to_string(repository.join("docs/adding-a-backend.md")).unwrap();
    let told = format!("of which the impl has {methods}");
    assert!(guide.contains(&told), "docs/adding-a-backend.md: {methods} lines of the impl");
    for (guide, lines) in [("adding-a-backend", backend), ("adding-a-collective", collective)] {
        let text = fs::read_to_string(repository.join(format!("docs/{guide}.md"))).unwrap();
        assert!(text.contains(&format!("{lines} lines of code")), "docs/{guide}.md: {lines} lines");
    }
    assert!(collective < 60, "{collective} lines");
}
