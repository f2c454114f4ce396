//! Readers of files that are cut or changed anywhere: an error or a result, never a panic.
//!
//! `RINGWOOD_MUTATIONS` is the number of changed files for each reader.

#[path = "support/readers.rs"]
mod readers;
mod support;

use bytes::Bytes;
use readers::{READERS, model, reader};
use ringwood_base::{DType, Result};
use ringwood_graph::graph::{Graph, TensorType};
use ringwood_models::{npy, npz, onnx, package, safetensors, tvm};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Numbers that follow from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end.max(1)
    }

    /// The bytes cut, or with a few others in their places, or with a part of them again.
    fn changed(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut changed = bytes.to_vec();
        match self.below(8) {
            0 => changed.truncate(self.below(bytes.len())),
            1 => {
                let (from, to) = (self.below(bytes.len()), self.below(bytes.len()));
                let part = bytes[from..bytes.len().min(from + 16)].to_vec();
                changed.splice(to..to, part);
            }
            _ => {
                for _ in 0..=self.below(3) {
                    let place = self.below(changed.len());
                    changed[place] = [0, 1, 0x7f, 0xff, self.below(256) as u8][self.below(5)];
                }
            }
        }
        changed
    }
}

/// The number of changed files, unless it is given.
fn changes() -> usize {
    let given = std::env::var("RINGWOOD_MUTATIONS").ok().and_then(|n| n.parse().ok());
    given.unwrap_or(400)
}

/// Reads many changed files by the reader of a target; `files` are the whole ones.
fn changed_files_are_read_or_refused(target: &str, files: &[Vec<u8>]) {
    let (extension, read) = reader(target);
    let name = format!("{target}.{extension}");
    let path = folder().join(&name);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for turn in 0..changes() {
        let changed = match files.get(turn) {
            Some(whole) => whole.clone(),
            None => random.changed(&files[turn % files.len()]),
        };
        fs::write(&path, &changed).unwrap();
        let outcome = catch_unwind(AssertUnwindSafe(|| read(&path)));
        match outcome {
            Ok(Err(error)) if turn < files.len() => panic!("{name} {turn} is whole: {error}"),
            Ok(_) => {}
            Err(_) => {
                let kept = std::env::temp_dir().join(format!("{turn}-{name}"));
                fs::write(&kept, &changed).unwrap();
                panic!("{name}: change {turn} ends in a panic; the file is {}", kept.display());
            }
        }
    }
    fs::remove_file(&path).unwrap();
}

/// A folder of the test: what a file is mapped of must not change.
fn folder() -> PathBuf {
    let thread = std::thread::current();
    let test = thread.name().expect("tests have names").replace(':', "_");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("malformed-{test}"));
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn changed_models_of_onnx() {
    let models = ["bert-2-layers", "gpt2-2-layers", "whisper-encoder-2-layers"];
    let mut files = Vec::new();
    for name in models {
        let here = Path::new("tests/data").join(name);
        let weights = format!("{name}.onnx.data");
        fs::copy(here.join(&weights), folder().join(&weights)).unwrap();
        files.push(fs::read(here.join(format!("{name}.onnx"))).unwrap());
    }
    changed_files_are_read_or_refused("onnx", &files);
}

#[test]
fn changed_models_of_every_operator() {
    let Some(folder) = support::node_tests() else { return };
    let tests = fs::read_dir(folder).unwrap();
    let path = std::env::temp_dir().join(format!("ringwood-operator-{}.onnx", std::process::id()));
    let mut random = Random(1);
    let mut panics = Vec::new();
    for test in tests {
        let test = test.unwrap();
        let whole = fs::read(test.path().join("model.onnx")).unwrap();
        for turn in 0..changes().div_ceil(100) {
            let changed = random.changed(&whole);
            fs::write(&path, &changed).unwrap();
            let read = || onnx::load(&path).and_then(|graph| model(&graph));
            if catch_unwind(AssertUnwindSafe(read)).is_err() {
                panics.push(format!("{:?} {turn}", test.file_name()));
            }
        }
    }
    fs::remove_file(&path).unwrap();
    assert!(panics.is_empty(), "{panics:#?}");
}

/// Tensors of several types, for the files that hold tensors.
fn tensors() -> Vec<(&'static str, TensorType, Vec<u8>)> {
    let ty = |dtype, dims: &[usize]| TensorType::new(dtype, dims).unwrap();
    vec![
        ("a", ty(DType::F32, &[2, 3]), (0..24).collect()),
        ("b", ty(DType::I64, &[2]), (0..16).collect()),
        ("c", ty(DType::Bool, &[3]), vec![0, 1, 1]),
    ]
}

/// The bytes that a writer makes.
fn written(write: impl FnOnce(&Path) -> Result<()>) -> Vec<u8> {
    let path = std::env::temp_dir().join(format!(
        "ringwood-whole-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    write(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    bytes
}

/// A whole file for each target: what fuzzing starts with.
fn whole(target: &str) -> Vec<u8> {
    let tensors = tensors();
    let all: Vec<_> = tensors.iter().map(|(name, ty, bytes)| (*name, *ty, &bytes[..])).collect();
    let mut graph = Graph::new();
    let x = graph.input("x", DType::F32, &[2, 3]).unwrap();
    let w = graph.weight("w", DType::F32, &[2, 3], Bytes::from(vec![0; 24])).unwrap();
    let y = graph.apply("mul", &[x, w]).unwrap();
    let y = graph.apply_with("sum", &[y], [("axis", 1_usize)]).unwrap();
    graph.output("y", y).unwrap();
    match target {
        "graph_json" => serde_json::to_vec(&graph).unwrap(),
        "npy" => written(|path| npy::save(path, all[0].1, all[0].2)),
        "npz" => written(|path| npz::save(path, &all)),
        "onnx" => written(|path| onnx::save(&graph, path)),
        "package" => written(|path| package::save(path, &graph, &[])),
        "safetensors" => written(|path| safetensors::save(path, &all)),
        "tvm_graph" => written(|path| tvm::save(path, &graph, &[])),
        "tvm_params" => written(|path| tvm::save_params(path, &all)),
        _ => panic!("no file for target {target}"),
    }
}

#[test]
fn changed_files_of_every_reader() {
    for (target, ..) in READERS {
        changed_files_are_read_or_refused(target, &[whole(target)]);
    }
}

/// What a fuzz target starts with, and what it once found: `fuzz/seeds/TARGET`. `RINGWOOD_BLESS=1` writes
/// `whole` of each target.
#[test]
fn seeds_of_fuzz_targets_are_read_or_refused() {
    for (target, extension, read) in READERS {
        let seeds = Path::new("../fuzz/seeds").join(target);
        if std::env::var_os("RINGWOOD_BLESS").is_some() {
            fs::create_dir_all(&seeds).unwrap();
            fs::write(seeds.join("whole"), whole(target)).unwrap();
        }
        let path = folder().join(format!("seed-{target}.{extension}"));
        for seed in fs::read_dir(&seeds).unwrap() {
            let seed = seed.unwrap().path();
            fs::copy(&seed, &path).unwrap();
            let outcome = read(&path);
            assert!(outcome.is_ok() || !seed.ends_with("whole"), "{target}: {outcome:?}");
        }
        assert!(Path::new("../fuzz/fuzz_targets").join(format!("{target}.rs")).exists());
    }
}
