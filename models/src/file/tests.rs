use super::write;
use std::fs;

#[test]
fn a_file_that_is_written_twice_at_one_time_is_always_whole() {
    let path = std::env::temp_dir().join(format!("ringwood-twice-{}", std::process::id()));
    // Between two parts of the one the other one is written.
    let parts = ["the ", "first"].into_iter().map(|part| {
        if part == "first" {
            write(&path, ["the second".as_bytes()]).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"the second");
        }
        part.as_bytes()
    });
    write(&path, parts).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"the first");
    fs::remove_file(&path).unwrap();
}
