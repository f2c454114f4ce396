//! Registered items survive every linker mode: the programs of `tests/linking`, built in debug, list what the
//! library registers by hand, and so does one of them, in `test.sh --long`, with fat and with thin LTO. A
//! release build without LTO runs in `test.sh`.
//!
//! See `docs/registration.md`.

#[path = "support/outside.rs"]
mod outside;

use outside::Outside;
use std::env;

/// Name and arguments of release builds: what a linker drops differs between them.
const RELEASES: [(&str, &[&str]); 2] = [
    ("fat LTO", &["--release", "--config", "profile.release.lto='fat'"]),
    ("thin LTO", &["--release", "--config", "profile.release.lto='thin'"]),
];

/// What a program prints that has a kernel of its own and one of the same name from a dependency: called,
/// and by operators that name them by path.
const SAME_NAME: &str = "\
[10.0, 20.0]
[2.0, 3.0]
[10.0, 20.0]
[2.0, 3.0]
linking_app::softmax linking_items::softmax
several packages have a kernel `softmax`: linking_app::softmax, linking_items::softmax; \
write the package, too
";

#[test]
fn what_a_mentioned_crate_registers_arrives_in_every_build() {
    let workspace = Outside::copy("tests/linking", "../..");
    workspace.cargo(&["build", "--quiet", "--bins"]);
    let list = |program: &str| workspace.run(program, &[]);
    let by_hand = list("debug/by_hand");
    assert_eq!(by_hand.lines().count(), 7, "{by_hand}");
    assert_eq!(list("debug/mentioned"), by_hand);
    // Documented, and the reason for the line `use that_crate as _;`.
    assert_eq!(list("debug/unmentioned"), "");
    assert_eq!(list("debug/same_name"), SAME_NAME);
    // A whole build for each.
    let releases = RELEASES.iter().filter(|_| env::var_os("RINGWOOD_LONG").is_some());
    for (build, arguments) in releases {
        let program = ["build", "--quiet", "--bin", "mentioned"];
        workspace.cargo(&[&program[..], *arguments].concat());
        assert_eq!(list("release/mentioned"), by_hand, "{build}");
    }
}
