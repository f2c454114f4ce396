use super::*;
use std::fs::create_dir_all;
use std::os::unix::net::UnixListener;

#[test]
fn sockets_of_a_group_lie_where_their_paths_are_short_enough() {
    let long = std::env::temp_dir().join(format!("{:0<100}", std::process::id()));
    assert_eq!(roomy(&long, 2), Path::new("/tmp"));
    // The last rank's path has as many bytes as fit, and one more.
    let [fits, not] = [63, 64].map(|bytes| format!("/{:0<1$}", "", bytes - 1));
    assert_eq!(roomy(Path::new(&fits), 1_000_000), Path::new(&fits));
    assert_eq!(roomy(Path::new(&not), 1_000_000), Path::new("/tmp"));
    assert_eq!(roomy(Path::new(&not), 999_999), Path::new(&not));
    create_dir_all(&long).unwrap();
    let folder = Folder::below(roomy(&long, 1_000_000)).unwrap();
    remove_dir_all(&long).unwrap();
    assert!(UnixListener::bind(folder.0.join("group.999999")).is_ok());
}
