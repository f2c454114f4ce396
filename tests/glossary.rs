//! The words of docs/glossary.md are the words of the source.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

const GLOSSARY: &str = include_str!("../docs/glossary.md");
const CODE: [&str; 10] = [
    "core",
    "src",
    "cli",
    "formats",
    "collectives",
    "kernels",
    "backends",
    "transports",
    "macros",
    "examples",
];

/// The first cells of the rows of the tables of a text.
fn words(text: &str) -> Vec<&str> {
    let rows = text.lines().filter(|line| line.starts_with("| "));
    rows.filter_map(|row| row.split('|').nth(1)).map(str::trim).collect()
}

/// The tables: of words, and of words that are not used.
fn tables() -> (Vec<&'static str>, Vec<&'static str>) {
    let (used, unused) = GLOSSARY.split_once("Words that the source does not use").unwrap();
    (words(used)[1..].to_vec(), words(unused)[1..].to_vec())
}

/// The sources under a folder, tests not counted.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !["tests", "target"].contains(&&*name) {
            sources(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            found.push(path);
        }
    }
}

#[test]
fn the_source_uses_no_word_that_another_one_replaces() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (_, unused) = tables();
    assert!(unused.contains(&"crew"), "{unused:?}");
    let mut files = Vec::new();
    CODE.iter().for_each(|folder| sources(&root.join(folder), &mut files));
    assert!(files.len() > 300, "{}", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        // `ThreadCrew` and `crew_size` are the words thread, crew and size.
        let mut apart = String::new();
        for c in text.chars() {
            let parts = c.is_uppercase() && !apart.ends_with(char::is_uppercase);
            apart.extend(parts.then_some(' ').into_iter().chain(c.to_lowercase()));
        }
        let found: BTreeSet<&str> = apart.split(|c: char| !c.is_alphabetic()).collect();
        let wrong: Vec<_> = unused.iter().filter(|word| found.contains(*word)).collect();
        assert!(wrong.is_empty(), "{}: {wrong:?}, see docs/glossary.md", file.display());
    }
}

#[test]
fn each_word_stands_once() {
    let (used, unused) = tables();
    let all: BTreeSet<_> = used.iter().chain(&unused).collect();
    assert!(used.len() > 60);
    assert_eq!(all.len(), used.len() + unused.len(), "a word stands twice");
}
