use super::*;
use crate::Form;

const INLINE: Source = Source { backend: "chip", text: "nop", path: None, line: 4 };
const IN_FILE: Source = Source { path: Some("k.chip"), line: 1, backend: "fast", ..INLINE };
const SOURCES: Sources = Sources {
    texts: &[INLINE, IN_FILE],
    entry: "k",
    declaration: "kir2 k 1 - 0 1 y m f32 0 0 0 0 0 void",
    names: &[],
};

#[test]
fn a_source_is_found_by_its_backend_and_knows_its_file() {
    let spec = KernelSpec {
        sources: Some(&SOURCES),
        file: "src/lib.rs",
        ..KernelSpec::new("k", Form::Grid, &[])
    };
    assert_eq!(spec.source("cuda"), None);
    assert_eq!(spec.source_file(spec.source("chip").unwrap()), "src/lib.rs");
    assert_eq!(spec.source_file(spec.source("fast").unwrap()), "src/k.chip");
    assert_eq!(spec.declaration().unwrap().params.len(), 1);
    let error = spec.refuse_source("chip").unwrap_err();
    assert!(error.to_string().contains("drop `chip = …`"), "{error}");
    assert!(spec.refuse_source("cuda").is_ok());
}
