use super::write;
use ringwood_base::aside::ABANDONED;
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

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

#[test]
fn a_file_keeps_its_permissions_and_old_unfinished_ones_of_its_name_are_removed() {
    let folder = std::env::temp_dir().join(format!("ringwood-left-{}", std::process::id()));
    // An earlier process of this number may have left it.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir(&folder).unwrap();
    let path = folder.join("x.npy");
    let there = [
        (".x.npy.7.0.unfinished", ABANDONED * 2),
        (".x.npy.7.1.unfinished", Duration::ZERO),
        (".x.npy.2024.11", ABANDONED * 2),
        (".x.npy.old.0.unfinished", ABANDONED * 2),
    ];
    for (name, age) in there {
        let file = File::create(folder.join(name)).unwrap();
        file.set_modified(SystemTime::now() - age).unwrap();
    }
    fs::write(&path, "first").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions.clone()).unwrap();
    write(&path, ["second".as_bytes()]).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
    assert_eq!(fs::metadata(&path).unwrap().permissions(), permissions);
    let mut left: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(
        left,
        [".x.npy.2024.11", ".x.npy.7.1.unfinished", ".x.npy.old.0.unfinished", "x.npy"]
    );
    fs::remove_dir_all(&folder).unwrap();
}
