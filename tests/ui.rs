//! Compile-fail tests: one mistake per file, in a folder per macro, named after the mistake.
//!
//! The first line of a file is `// expects: ` and the complaint. `TRYBUILD=overwrite cargo test
//! --test ui` writes the `.stderr` files; the complaint keeps a file from testing something else
//! than its name says.

use std::fs;
use std::path::{Path, PathBuf};

fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let folders = fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path());
    let files = folders.flat_map(|folder| fs::read_dir(folder).unwrap());
    let mut files: Vec<_> = files
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_mistake_is_reported_where_it_stands() {
    trybuild::TestCases::new().compile_fail("tests/ui/*/*.rs");
}

#[test]
fn every_file_gets_the_complaint_of_its_first_line() {
    for path in files() {
        let source = fs::read_to_string(&path).unwrap();
        let first = source.lines().next().unwrap_or_default();
        let shown = path.display();
        let complaint = first
            .strip_prefix("// expects: ")
            .unwrap_or_else(|| panic!("{shown}: the first line is not `// expects: …`"));
        let reported = fs::read_to_string(path.with_extension("stderr"))
            .unwrap_or_else(|error| panic!("{shown}: no .stderr beside it: {error}"));
        assert!(reported.contains(complaint), "{shown}: never complains {complaint:?}");
    }
}

#[test]
fn there_are_at_least_forty_files_over_the_five_macros() {
    let files = files();
    let of = |folder: &str| files.iter().filter(|f| f.parent().unwrap().ends_with(folder)).count();
    let counts = ["backend", "collective", "global_fn", "kernel", "tensors"].map(of);
    assert!(counts.iter().all(|&n| n > 0) && counts.iter().sum::<usize>() >= 40, "{counts:?}");
}
