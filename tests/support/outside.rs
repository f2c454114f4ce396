//! A crate or workspace outside of this one: copied to a folder of its own, then built there.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// A copy of a folder of this repository, whose manifests name the repository by its absolute path.
pub(crate) struct Outside {
    folder: PathBuf,
    target: PathBuf,
}

impl Outside {
    /// Copies `source` (relative to the repository); `up` is how its manifests name the repository.
    pub(crate) fn copy(source: &str, up: &str) -> Self {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
        let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = scratch.join(source.replace('/', "-"));
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let from = format!("\"{up}");
        let to = format!("\"{}", repository.display());
        copy(&repository.join(source), &folder, &|text| text.replace(&from, &to));
        // The versions that this workspace has already downloaded.
        fs::copy(repository.join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
        Self { folder, target: scratch.join("outside") }
    }

    /// Runs `cargo` with `arguments` in the copy; it must succeed.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> String {
        let mut command = Command::new(env!("CARGO"));
        command.args(["--offline"]).args(arguments).current_dir(&self.folder);
        command.env("CARGO_TARGET_DIR", &self.target).env_remove("CARGO_MANIFEST_DIR");
        finish(&format!("cargo {}", arguments.join(" ")), &command.output().unwrap())
    }

    /// Runs a program that was built; it must succeed. The result is its standard output.
    #[allow(dead_code, reason = "not every test runs a program")]
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> String {
        let program = self.target.join(program).with_extension(env::consts::EXE_EXTENSION);
        let output =
            Command::new(&program).args(arguments).current_dir(&self.folder).output().unwrap();
        finish(&program.display().to_string(), &output)
    }
}

fn finish(what: &str, output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{what}: {}\n{}{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Copies a folder, without what a build left there; manifests go through `edit`.
fn copy(from: &Path, to: &Path, edit: &dyn Fn(String) -> String) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (source, name) = (entry.path(), entry.file_name());
        if source.is_dir() {
            if name != "target" {
                copy(&source, &to.join(name), edit);
            }
        } else if name == "Cargo.toml" {
            fs::write(to.join(name), edit(fs::read_to_string(&source).unwrap())).unwrap();
        } else if name != "Cargo.lock" {
            fs::copy(&source, to.join(name)).unwrap();
        }
    }
}
