//! Registered items survive every linker mode: the programs of `tests/linking`, built in debug,
//! thin LTO and fat LTO, list what the library registers by hand. A release build without LTO runs in `test.sh`.
//!
//! See `docs/registration.md`.

#[path = "support/outside.rs"]
mod outside;

use outside::Outside;

/// Name, folder of the programs, arguments of the build.
const BUILDS: [(&str, &str, &[&str]); 3] = [
    ("debug", "debug", &[]),
    ("thin LTO", "release", &["--release", "--config", "profile.release.lto='thin'"]),
    ("fat LTO", "release", &["--release", "--config", "profile.release.lto='fat'"]),
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
    for (build, folder, arguments) in BUILDS {
        let programs = ["build", "--quiet", "--bins"];
        workspace.cargo(&[&programs, arguments].concat());
        let list = |program: &str| workspace.run(&format!("{folder}/{program}"), &[]);
        let by_hand = list("by_hand");
        assert_eq!(by_hand.lines().count(), 7, "{build}: {by_hand}");
        assert_eq!(list("mentioned"), by_hand, "{build}");
        // Documented, and the reason for the line `use that_crate as _;`.
        assert_eq!(list("unmentioned"), "", "{build}");
        assert_eq!(list("same_name"), SAME_NAME, "{build}");
    }
}
