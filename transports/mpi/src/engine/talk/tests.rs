use super::*;
use ringwood_base::ErrorKind;

#[test]
fn processes_of_another_version_are_named_whatever_they_tell() {
    let told =
        |texts: [&'static str; 3]| of_one_version::<u32>(texts.map(str::as_bytes).into_iter());
    assert_eq!(
        told([r#"["1.2.0", 7] "#, r#"["1.2.0", 8]"#, r#"["1.2.0", 9]"#]).unwrap(),
        [7, 8, 9]
    );
    let error =
        told([r#"["1.2.0", 7]"#, r#"["1.3.0", {"new": []}]"#, r#"["1.2.0", 9]"#]).unwrap_err();
    let text = "the processes of MPI run different Ringwood: version 1.2.0 on ranks 0, 2, version 1.3.0 on rank 1";
    assert_eq!((error.kind(), error.message()), (ErrorKind::Mismatch, text));
    let error = told([r#"["1.2.0", 7]"#, r#"["1.2.0", "8"]"#, "7"]).unwrap_err();
    assert_eq!(error.message(), "process 2 says what no rank of a group says");
}
