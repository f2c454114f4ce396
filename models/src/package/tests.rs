use super::*;
use crate::file::write;
use ringwood_backend_cpu as _;
use ringwood_base::{DType, ErrorKind};
use ringwood_device::device::Device;
use ringwood_device::kernel::Image;
use ringwood_kernels as _;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A file of its own, removed at the end.
struct File(PathBuf);

impl File {
    fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("package-{}-{number}.ringwood", std::process::id());
        Self(std::env::temp_dir().join(name))
    }

    /// One with these parts.
    fn of(parts: &[(&str, &[u8])]) -> Self {
        let file = Self::new();
        let parts: Vec<_> =
            parts.iter().map(|(name, bytes)| ((*name).to_owned(), vec![*bytes])).collect();
        let parts = zip::stored(&parts, ALIGN).unwrap();
        write(&file.0, parts.iter().map(|part| &**part)).unwrap();
        file
    }

    fn refusal(&self) -> String {
        Graph::load(&self.0).unwrap_err().to_string()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn graph() -> Graph {
    let mut graph = Graph::new();
    let x = graph.input("x", DType::U8, &[3]).unwrap();
    let a = graph.weight("../a b", DType::U8, &[3], vec![1, 2, 3].into()).unwrap();
    let b = graph.weight("b", DType::U8, &[3], vec![4, 5, 6].into()).unwrap();
    let c = graph.parameter("no value", DType::U8, &[3]).unwrap();
    let mut y = x;
    for operand in [a, b, c] {
        y = graph.apply("add", &[y, operand]).unwrap();
    }
    graph.output("y", y).unwrap();
    graph
}

/// Code of a kernel whose source and driver are these.
fn image(source: &str, driver: &str) -> Image {
    let key = CacheKey::new("here").with("driver", driver).with("source", source);
    Image { kernel: "a::kernel".into(), key, code: format!("code of {source}").into() }
}

fn written(images: &[Image]) -> File {
    let file = File::new();
    let device = Device::named("cpu:0").unwrap();
    save(&file.0, &graph(), &[(device, images.to_vec())]).unwrap();
    file
}

#[test]
fn weights_are_parts_of_the_mapped_file() {
    let file = written(&[]);
    let mapped = map(&file.0).unwrap();
    let package = Package::read(&mapped).unwrap();
    let read = package.graph(Graph::new()).unwrap();
    assert_eq!(read, graph());
    let weights = |graph: &Graph| -> Vec<_> {
        graph.weights().map(|(name, ty, bytes)| (name.to_owned(), ty, bytes.clone())).collect()
    };
    assert_eq!(weights(&read), weights(&graph()));
    for (name, _, bytes) in weights(&read) {
        assert!(mapped.as_ptr_range().contains(&bytes.as_ptr()), "{name} is a copy");
        assert_eq!(bytes.as_ptr().addr() % ALIGN, 0, "{name}");
    }
    let names: Vec<_> = package.parts.keys().map(String::as_str).collect();
    assert_eq!(names, [GRAPH, MANIFEST, "weights/1-.._a_b.npy", "weights/2-b.npy"]);
}

fn verified(file: Bytes) -> Result<()> {
    Package::read(&file)?.verify()
}

#[test]
fn every_byte_that_is_changed_or_cut_is_found() {
    let file = written(&[image("x = 1;", "3")]);
    let whole = fs::read(&file.0).unwrap();
    verify(&file.0).unwrap();
    let bytes = Bytes::from(whole.clone());
    let package = Package::read(&bytes).unwrap();
    let range = |part: &Part| {
        let start = part.contents.as_ptr().addr() - bytes.as_ptr().addr();
        start..start + part.contents.len()
    };
    for place in 0..whole.len() {
        let mut changed = whole.clone();
        changed[place] ^= 1 << (place % 8);
        let error = verified(changed.into()).expect_err("a byte is another").to_string();
        if let Some(part) = package.parts.values().find(|part| range(part).contains(&place)) {
            assert!(error.contains(&format!("part `{}` is damaged", part.name)), "{error}");
        }
    }
    for length in 0..whole.len() {
        assert!(verified(bytes.slice(..length)).is_err(), "{length} bytes");
    }
    assert!(verified([&whole[..], b"more"].concat().into()).is_err());
    fs::write(&file.0, &whole[..whole.len() / 2]).unwrap();
    assert!(file.refusal().contains("its end is missing"), "{}", file.refusal());
}

/// The parts of a package that is whole, without those that its manifest does not list.
fn plain_parts(manifest: &str) -> Vec<(&str, Vec<u8>)> {
    let graph = serde_json::to_vec(&graph()).unwrap();
    vec![(MANIFEST, manifest.into()), (GRAPH, graph)]
}

const EMPTY: &str = r#"{"package": 1, "ringwood": "0.1.0", "devices": []}"#;

fn refusal(parts: &[(&str, Vec<u8>)]) -> String {
    let parts: Vec<_> = parts.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
    File::of(&parts).refusal()
}

#[test]
fn what_is_no_package_is_refused_with_a_reason() {
    let whole = plain_parts(EMPTY);
    let with = |name, contents: &[u8]| refusal(&[&whole[..], &[(name, contents.into())]].concat());
    let of = |manifest| refusal(&plain_parts(manifest));
    let loaded: Vec<_> = whole.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
    assert_eq!(Graph::load(&File::of(&loaded).0).unwrap(), graph(), "a graph alone");
    let told = [
        (with(GRAPH, b"{}"), "two parts `graph.json`"),
        (with("more.txt", b"?"), "part `more.txt` belongs to no package"),
        (with("weights/3-no_value.npy", b"x"), "is no tensor of type u8[3]"),
        (with("../../etc/passwd", b"x"), "`../../etc/passwd` is no name of a part"),
        (with("/etc/passwd", b"x"), "`/etc/passwd` is no name of a part"),
        (refusal(&whole[..1]), "no part `graph.json`"),
        (refusal(&whole[1..]), "no part `manifest.json`"),
        (of("{"), "the manifest is not that of a package"),
        (of(r#"{"package": 2, "news": []}"#), "packages of version 2 are not known"),
        (of(&EMPTY.replace("[]", "[], \"more\": 1")), "the manifest is not"),
    ];
    for (told, wanted) in told {
        assert!(told.contains(wanted) && told.contains("(file: "), "{told}, not {wanted}");
    }
    let device = r#"{"name": "a:0", "description": "", "code": [{"part": "code/a.bin", "key": [["source", "kernels/a.c"]]}]}"#;
    let mut parts = plain_parts(EMPTY);
    let manifest = EMPTY.replace("[]", &format!("[{device}]"));
    parts[0].1 = manifest.into();
    let parts: Vec<_> = parts.iter().map(|(name, bytes)| (*name, &bytes[..])).collect();
    let error = use_code(&File::of(&parts).0).unwrap_err().to_string();
    assert!(error.contains("no part `kernels/a.c`"), "{error}");
    let error = use_code(Path::new("no-such.ringwood")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
}

#[test]
fn code_is_given_to_the_process_by_those_who_ask() {
    let (kept, other) = (image("given = 1;", "3"), image("given = 2;", "3"));
    let file = written(&[kept.clone(), other.clone()]);
    let cache = CompileCache::global();
    Graph::load(&file.0).unwrap();
    assert_eq!(cache.get(&kept.key), None, "a graph that is loaded brings no code");
    assert_eq!(use_code(&file.0).unwrap(), 2);
    let before = cache.counts();
    assert_eq!(cache.get(&kept.key), Some(kept.code));
    assert_eq!(cache.get(&image("given = 2;", "4").key), None, "it is of another driver");
    let after = cache.counts();
    assert_eq!((after.given, after.compiled), (before.given + 1, before.compiled));
    let why = "driver: `3` when it was compiled, `4` here";
    assert!(after.misfits.contains(why), "{after:?}");
    let summary = inspect(&file.0).unwrap();
    let (_, about) = &summary.facts[2];
    assert!(about.starts_with("cpu:0, ") && about.ends_with(": 2 compiled kernels"), "{about}");
    let parts = ["code/cpu_0/0-a__kernel.bin", "kernels/cpu_0/1-a__kernel.c"];
    assert!(parts.iter().all(|part| summary.parts.iter().any(|p| p.name == *part)), "{summary:?}");
}

/// Its weight is a hole in the file: nothing of it is read.
#[cfg(target_os = "linux")]
#[test]
fn a_package_of_more_than_4_gib_is_mapped() {
    use std::io::{Seek, SeekFrom, Write};
    const BYTES: usize = 5 << 30;
    let mut graph = Graph::new();
    graph.parameter("w", DType::U8, &[BYTES]).unwrap();
    let graph = serde_json::to_vec(&graph).unwrap();
    let header = npy::header(TensorType::new(DType::U8, &[BYTES]).unwrap());
    let hash = crc32fast::hash;
    let about = [
        (MANIFEST, EMPTY.len(), hash(EMPTY.as_bytes())),
        (GRAPH, graph.len(), hash(&graph)),
        ("weights/0-w.npy", header.len() + BYTES, 0),
    ];
    let path = File::new();
    let mut file = fs::File::create(&path.0).unwrap();
    let contents = [EMPTY.as_bytes(), &graph, &header, &[]];
    for (frame, contents) in zip::frames(&about, ALIGN).iter().zip(contents) {
        file.write_all(frame).unwrap();
        file.write_all(contents).unwrap();
        if *contents == header[..] {
            file.seek(SeekFrom::Current(BYTES as i64)).unwrap();
        }
    }
    let read = Graph::load(&path.0).unwrap();
    let (name, _, bytes) = read.weights().next().unwrap();
    assert_eq!((name, bytes.len()), ("w", BYTES));
    // A claim of as many bytes that are not there.
    file.set_len(1000).unwrap();
    assert!(path.refusal().contains("archive"), "{}", path.refusal());
}
