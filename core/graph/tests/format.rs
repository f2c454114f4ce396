//! Models are read by the format that the end of a file's name says.

use ringwood_base::registry::Registry;
use ringwood_base::{DType, ErrorKind};
use ringwood_graph::graph::{Graph, graph_json};
use ringwood_graph::register_model_format;
use std::path::PathBuf;

register_model_format!(letters, ["abc", "abcd"], |path, mut graph| {
    graph.input(path.file_name().unwrap().to_str().unwrap(), DType::F32, &[1])?;
    Ok(graph)
});
register_model_format!(more_letters, ["abc"], |_, graph| Ok(graph));

fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_format_is_that_of_the_extension_in_letters_of_any_size() {
    let registry = Registry::builder().register(letters::ENTRY).register(graph_json::ENTRY);
    let registry = registry.build().unwrap();
    let read = |path: &str| Graph::with_registry(registry.clone()).read(path);
    assert_eq!(read("x.abcd").unwrap().to_string(), "%0 = input \"x.abcd\": f32[1]\n");
    assert!(read("X.ABC").is_ok());
    for unknown in ["x.abcde", "abc", ".abc"] {
        assert_eq!(read(&format!("no-such/{unknown}")).unwrap_err().kind(), ErrorKind::NotFound);
        let error = read(file(unknown, "").to_str().unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().ends_with("; known: .abc, .abcd, .json"), "{error}");
    }
}

#[test]
fn two_formats_of_one_extension_are_named() {
    let entries = [letters::ENTRY, more_letters::ENTRY];
    let registry = Registry::builder().register_all(entries).build().unwrap();
    let read = |path: &str| Graph::with_registry(registry.clone()).read(path).unwrap_err();
    assert_eq!(read("no-such.abc").kind(), ErrorKind::NotFound);
    let error = read(file("two.abc", "").to_str().unwrap()).to_string();
    assert!(error.contains("::letters, or of ") && error.contains("::more_letters"), "{error}");
}

register_model_format!(first_letter, ["letter"], "letter a", |_, graph| Ok(graph));
register_model_format!(second_letter, ["letter"], "letter b", |_, mut graph| {
    graph.input("b", DType::F32, &[1])?;
    Ok(graph)
});

#[test]
fn formats_of_one_extension_are_told_apart_by_what_their_files_have() {
    let entries = [first_letter::ENTRY, second_letter::ENTRY];
    let registry = Registry::builder().register_all(entries).build().unwrap();
    let read = |text| Graph::with_registry(registry.clone()).read(file("one.letter", text));
    assert!(read("the letter a").unwrap().nodes().is_empty());
    assert_eq!(read("the letter b").unwrap().nodes().len(), 1);
    let error = read("c").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidArgument);
    let text = "is of no format that is read; files `.letter` are told apart by what they have: ";
    let names = ["first_letter has `letter a`", "second_letter has `letter b`"];
    assert!(error.to_string().contains(text), "{error}");
    assert!(names.iter().all(|name| error.to_string().contains(name)), "{error}");
}

#[test]
fn a_graph_is_read_as_it_was_written() {
    let mut graph = Graph::new();
    let x = graph.open_input("x", DType::F32, &["batch".into(), 3.into()]).unwrap();
    graph.output("y", x).unwrap();
    let path = file("graph.json", &serde_json::to_string(&graph).unwrap());
    assert_eq!(Graph::load(&path).unwrap(), graph);
    let wrong = Graph::load(file("wrong.json", "{\"nodes\": 1}")).unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::InvalidArgument);
    assert!(wrong.to_string().contains("wrong.json"), "{wrong}");
    assert_eq!(Graph::load("no-such.json").unwrap_err().kind(), ErrorKind::NotFound);
}
