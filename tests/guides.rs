//! The guides tell what an author writes.

use ringwood::operator::{AttributeDef, Operator};
use ringwood::registry::Registry;
use std::fmt::Write;
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
    let skeleton = lines("backends/null/src");
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
    for (guide, lines) in [
        ("adding-a-backend", skeleton),
        ("adding-a-backend", backend),
        ("adding-a-collective", collective),
    ] {
        let text = fs::read_to_string(repository.join(format!("docs/{guide}.md"))).unwrap();
        assert!(text.contains(&format!("{lines} lines of code")), "docs/{guide}.md: {lines} lines");
    }
    assert!(collective < 60, "{collective} lines");
}

/// The first paragraph of the documentation of an operator, which stands before its declaration, or nothing.
fn documentation(source: &str, operator: &str) -> String {
    let declares = |line: &str| {
        let (_, rest) = line.trim().trim_start_matches("pub ").split_once(' ').unwrap_or_default();
        rest.split([' ', '=', '"', ';']).find(|word| !word.is_empty()) == Some(operator)
    };
    let mut lines = source.lines().collect::<Vec<_>>();
    let documented = |i: &usize| declares(lines[*i]) && lines[i - 1].trim().starts_with("///");
    let Some(at) = (1..lines.len()).find(documented) else { return String::new() };
    lines.truncate(at);
    let above = lines.iter().rev().map_while(|line| line.trim().strip_prefix("///"));
    let mut above: Vec<_> = above.map(str::trim).collect();
    above.reverse();
    let paragraph: Vec<_> = above.into_iter().take_while(|line| !line.is_empty()).collect();
    paragraph.join(" ").replace("[`", "`").replace("`]", "`").replace('|', "\\|")
}

/// The page of the standard operators, as the registry has them and their source says what they are.
fn operators() -> String {
    let mut page = "# Operators\n\n\
        What a shape and a dtype rule mean: [adding an operator](adding-an-operator.md). An operator that is made of others \
        has none: its shapes and types are theirs. \
        Attributes with a `?` may be left out. Those without a gradient refuse to be differentiated; [a view](graphs.md#plans) moves no data.\n\n\
        | operator | shapes | dtypes | attributes | gradient | is |\n|---|---|---|---|---|---|\n"
        .to_owned();
    for (entry, operator) in Registry::global().unwrap().of::<Operator>() {
        assert_eq!(entry.meta().package, "ringwood");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(entry.meta().file);
        let is = documentation(&fs::read_to_string(source).unwrap(), operator.name);
        assert!(operator.decompose.is_none() || !is.is_empty(), "`{}` says nothing", operator.name);
        let attribute = |a: &AttributeDef| format!("`{}: {}`", a.name, a.kind.name());
        let optional = |a: &AttributeDef| format!("`{}?: {}`", a.name, a.kind.name());
        let attributes = operator.attributes.iter().map(attribute);
        let attributes: Vec<_> = attributes.chain(operator.optional.iter().map(optional)).collect();
        let dtype = match (operator.dtype, operator.decompose) {
            ("", Some(_)) => "",
            ("", None) => "all alike",
            (dtype, _) => dtype,
        };
        let gradient = match (operator.gradient, operator.decompose) {
            (Some(_), _) => "yes",
            (_, Some(_)) => "of those",
            _ => "",
        };
        let shape = match (operator.view, operator.decompose) {
            (Some(_), _) => "a view".to_owned(),
            (_, Some(_)) => "made of others".to_owned(),
            _ => format!("`{}`", operator.shape),
        };
        let (name, attributes) = (operator.name, attributes.join(", "));
        writeln!(page, "| `{name}` | {shape} | {dtype} | {attributes} | {gradient} | {is} |")
            .unwrap();
    }
    page
}

#[test]
fn the_page_of_operators_is_what_is_registered() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/operators.md");
    if std::env::var_os("RINGWOOD_BLESS").is_some() {
        fs::write(&path, operators()).unwrap();
    }
    let (written, page) = (fs::read_to_string(&path).unwrap(), operators());
    let other = written.lines().zip(page.lines()).find(|(written, line)| written != line);
    assert!(written == page, "write it with RINGWOOD_BLESS=1: {other:?}");
}
