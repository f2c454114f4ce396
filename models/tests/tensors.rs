//! Files of tensors: those of NumPy, those written here, and those that are wrong.

use bytes::Bytes;
use ringwood_base::{DType, ErrorKind, Result};
use ringwood_graph::graph::{Graph, TensorType};
use ringwood_models::{inspect, npy, npz, safetensors};
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, thread};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn made(name: &str, contents: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, contents).unwrap();
    path
}

fn ty(dtype: DType, dims: &[usize]) -> TensorType {
    TensorType::new(dtype, dims).unwrap()
}

/// The kind and the text of the failure, which names the file.
fn refused<T>(result: Result<T>, file: &str) -> (ErrorKind, String) {
    let error = result.err().expect("the file is refused");
    assert!(error.get("file").is_some_and(|path| path.ends_with(file)), "{error}");
    (error.kind(), error.to_string())
}

/// 0 to 5 as elements of a type; truth values are 0 and 1.
fn counted(dtype: DType) -> Vec<u8> {
    fn of<T: bytemuck::NoUninit>(number: impl Fn(u8) -> T) -> Vec<u8> {
        bytemuck::cast_slice(&(0..6).map(number).collect::<Vec<_>>()).to_vec()
    }
    match dtype {
        DType::Bool => of(|n| u8::from(n != 0)),
        DType::U8 | DType::I8 => of(|n| n),
        DType::U16 | DType::I16 => of(u16::from),
        DType::U32 | DType::I32 => of(u32::from),
        DType::U64 | DType::I64 => of(u64::from),
        DType::F16 => of(half::f16::from),
        DType::BF16 => of(half::bf16::from),
        DType::F32 => of(f32::from),
        DType::F64 => of(f64::from),
    }
}

/// A tensor of each type, by the type's name.
fn all_types() -> Vec<(&'static str, TensorType, Vec<u8>)> {
    let tensor = |&dtype: &DType| (dtype.name(), ty(dtype, &[2, 3]), counted(dtype));
    DType::ALL.iter().map(tensor).collect()
}

#[test]
fn numpy_s_files_of_every_type_are_read() {
    for file in ["stored.npz", "deflated.npz"] {
        let tensors = npz::load(data(file)).unwrap();
        assert_eq!(tensors.len(), DType::ALL.len());
        for (name, found, elements) in tensors {
            assert_eq!(found.shape[..], [2, 3], "{file}: {name}");
            assert_eq!(elements, counted(found.dtype), "{file}: {name}");
        }
    }
    let (found, elements) = npy::load(data("scalar.npy")).unwrap();
    assert_eq!((found, &elements[..]), (ty(DType::F32, &[]), &1.5_f32.to_ne_bytes()[..]));
    let (found, elements) = npy::load(data("version_3.npy")).unwrap();
    assert_eq!(found, ty(DType::U16, &[3]));
    assert_eq!(elements, bytemuck::cast_slice::<u16, u8>(&[0, 1, 2]));
}

#[test]
fn the_first_dimension_may_be_the_fastest_and_the_highest_byte_the_first() {
    let (found, elements) = npy::load(data("fortran_big_endian.npy")).unwrap();
    assert_eq!(found, ty(DType::I32, &[2, 3, 4]));
    assert_eq!(elements, bytemuck::cast_slice::<i32, u8>(&(0..24).collect::<Vec<_>>()));
}

#[test]
fn what_is_written_is_read_back() {
    let mut tensors = all_types();
    tensors.push(("empty", ty(DType::F32, &[0, 3]), Vec::new()));
    tensors.push(("scalar", ty(DType::F64, &[]), 0.5_f64.to_ne_bytes().to_vec()));
    tensors.push(("vector", ty(DType::U8, &[1]), vec![7]));
    let path = made("round.npy", b"of before");
    for (name, ty, elements) in &tensors {
        npy::save(&path, *ty, elements).unwrap();
        let (found, read) = npy::load(&path).unwrap();
        assert_eq!((found, &read[..]), (*ty, &elements[..]), "{name}");
    }
    let given: Vec<_> = tensors.iter().map(|(name, ty, e)| (*name, *ty, &e[..])).collect();
    type Load = fn(&PathBuf) -> Result<Vec<(String, TensorType, Bytes)>>;
    type Save = fn(&PathBuf, &[(&str, TensorType, &[u8])]) -> Result<()>;
    let formats: [(&str, Save, Load); 2] = [
        ("round.npz", |path, tensors| npz::save(path, tensors), |path| npz::load(path)),
        (
            "round.safetensors",
            |path, tensors| safetensors::save(path, tensors),
            |path| safetensors::load(path),
        ),
    ];
    for (name, save, load) in formats {
        let path = made(name, b"");
        save(&path, &given).unwrap();
        let read = load(&path).unwrap();
        assert_eq!(read.len(), given.len(), "{name}");
        for (tensor, ty, elements) in &given {
            let (_, found, read) = read.iter().find(|(name, ..)| name == tensor).unwrap();
            assert_eq!((found, &read[..]), (ty, *elements), "{name}: {tensor}");
        }
    }
}

#[test]
fn saving_over_a_mapped_file_leaves_what_was_loaded() {
    let path = made("kept.safetensors", b"");
    let old = ty(DType::U8, &[100_000]);
    safetensors::save(&path, &[("x", old, &vec![1; 100_000])]).unwrap();
    let loaded = safetensors::load(&path).unwrap();
    safetensors::save(&path, &[("x", ty(DType::U8, &[1]), &[2])]).unwrap();
    assert_eq!(loaded[0].2, vec![1_u8; 100_000]);
    assert_eq!(safetensors::load(&path).unwrap()[0].2, [2_u8][..]);
}

#[test]
fn tensors_that_do_not_fit_are_not_written() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("never.npy");
    let short = ty(DType::F32, &[2]);
    assert_eq!(npy::save(&path, short, &[0; 7]).unwrap_err().kind(), ErrorKind::Shape);
    let twice = [("x", ty(DType::U8, &[1]), &[1_u8][..]); 2];
    for error in [npz::save(&path, &twice), safetensors::save(&path, &twice)] {
        assert!(error.unwrap_err().to_string().contains("two"));
    }
    assert!(!path.exists());
    let nowhere = npy::save("no/such/folder/x.npy", ty(DType::U8, &[1]), &[1]).unwrap_err();
    assert!(nowhere.to_string().contains("no/such/folder/x.npy cannot be written"), "{nowhere}");
}

/// A file of version 1 with this header and these elements.
fn npy_file(name: &str, header: &str, elements: usize) -> PathBuf {
    let length = (header.len() as u16).to_le_bytes();
    let start = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes()].concat();
    made(name, &[start, vec![0; elements]].concat())
}

/// Who opens a pipe to read waits for a writer.
#[test]
fn a_pipe_is_refused_and_not_waited_for() {
    for extension in ["npy", "json", "onnx", "safetensors"] {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("pipe.{extension}"));
        let _ = fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let (send, said) = mpsc::channel();
        thread::spawn(move || {
            let loaded = Graph::load(&path).map(drop).unwrap_err().to_string();
            let inspected = inspect(&path).map(drop).unwrap_err().to_string();
            send.send([loaded, inspected])
        });
        let said = said.recv_timeout(Duration::from_secs(20)).expect("nobody waits for a writer");
        for error in said {
            assert!(error.contains("is no file"), "{extension}: {error}");
        }
    }
}

#[test]
fn malformed_npy_files_are_refused_with_the_reason() {
    assert_eq!(refused(npy::load("no-such.npy"), "no-such.npy").0, ErrorKind::NotFound);
    let folder = npy::load(env!("CARGO_MANIFEST_DIR")).unwrap_err();
    assert!(folder.to_string().contains("is no file"), "{folder}");
    let cases: &[(&str, usize, &str)] = &[
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
            7,
            "has 8 bytes, and 7 follow",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
            9,
            "has 8 bytes, and 9 follow",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }",
            8,
            "than memory",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,), }",
            8,
            "the header",
        ),
        (
            "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1, 1, 1, 1, 1), }",
            4,
            "rank 9",
        ),
        ("{'descr': '<c8', 'fortran_order': False, 'shape': (), }", 8, "no elements of type `<c8`"),
        ("{'descr': '', 'fortran_order': False, 'shape': (), }", 8, "no elements of type ``"),
        ("{'descr': '<f4', 'fortran_order': Maybe, 'shape': (), }", 4, "the header"),
        ("{'descr': '<f4', 'shape': (), }", 4, "the header"),
        ("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", 4, "the header"),
        ("{'descr': '<f4', 'fortran_order': False, 'shape': (2 ", 8, "the header"),
        ("{'descr': '<f4', 'fortran_order': False, 'shape': (1 2,), }", 48, "the header"),
        ("('<f4', False, (3,))", 12, "the header"),
        ("", 0, "the header"),
    ];
    for (header, elements, why) in cases {
        let text = refused(npy::load(npy_file("wrong.npy", header, *elements)), "wrong.npy").1;
        assert!(text.contains(why), "{header}: {text}");
    }
    let texts: &[(&[u8], &str)] = &[
        (b"", "does not start"),
        (b"\x93NUMP", "does not start"),
        (b"\x93NUMPY\x01\x00", "does not start"),
        (b"\x93NUMPY\x01\x00\xff\xff{}", "the header has 65535 bytes"),
        (b"\x93NUMPY\x02\x00\xff\xff\xff\xff{}", "the header has 4294967295 bytes"),
        (b"\x93NUMPY\x09\x00\x02\x00{}", "version 9"),
        (b"\x93NUMPY\x01\x00\x02\x00\xff\xfe", "is no text"),
    ];
    for (contents, why) in texts {
        let text = refused(npy::load(made("start.npy", contents)), "start.npy").1;
        assert!(text.contains(why), "{text}");
    }
    for file in ["records.npy", "objects.npy"] {
        refused(npy::load(data(file)), file);
    }
}

/// A byte may be wrong, or the end missing: no reader panics, and none gives a tensor of another size than
/// it says.
#[test]
fn damaged_files_never_panic() {
    let path = made("whole.safetensors", b"");
    let tensors = all_types();
    let given: Vec<_> = tensors.iter().map(|(name, ty, e)| (*name, *ty, &e[..])).collect();
    safetensors::save(&path, &given).unwrap();
    let files = [data("stored.npz"), data("deflated.npz"), path, data("version_3.npy")];
    for path in files {
        let whole = fs::read(&path).unwrap();
        let name = format!("damaged.{}", path.extension().unwrap().to_str().unwrap());
        let load = |contents: &[u8]| {
            let path = made(&name, contents);
            match path.extension().and_then(|e| e.to_str()) {
                Some("npz") => npz::load(path),
                Some("npy") => npy::load(path).map(|(ty, e)| vec![(String::new(), ty, e)]),
                _ => safetensors::load(path),
            }
        };
        for length in (0..whole.len()).step_by(13) {
            assert!(load(&whole[..length]).is_err(), "{}: {length} bytes", path.display());
        }
        for place in (0..whole.len()).step_by(3) {
            let mut damaged = whole.clone();
            damaged[place] ^= 0xff;
            for (_, ty, elements) in load(&damaged).unwrap_or_default() {
                assert_eq!(ty.bytes(), elements.len());
            }
        }
    }
}

#[test]
fn damage_in_an_archive_is_noticed() {
    let mut archive = fs::read(data("stored.npz")).unwrap();
    let place = archive.windows(2).position(|bytes| bytes == b" \n").unwrap() + 2;
    archive[place] ^= 1;
    let (_, text) = refused(npz::load(made("flipped.npz", &archive)), "flipped.npz");
    assert!(text.contains("checksum") && text.contains("bool.npy"), "{text}");
    let mut other = fs::read(data("deflated.npz")).unwrap();
    let central = other.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    other[central + 10] = 12;
    let (kind, text) = refused(npz::load(made("method.npz", &other)), "method.npz");
    assert_eq!(kind, ErrorKind::Unsupported);
    assert!(text.contains("method 12"), "{text}");
    other[central + 10] = 8;
    other[central + 24..central + 28].copy_from_slice(&0xfff0_0000_u32.to_le_bytes());
    let (_, text) = refused(npz::load(made("bomb.npz", &other)), "bomb.npz");
    assert!(text.contains("follow the header"), "nothing is unpacked for it: {text}");
}

#[test]
fn malformed_safetensors_are_refused_with_the_reason() {
    let file = |header: &str, elements: usize| {
        let length = (header.len() as u64).to_le_bytes();
        made("wrong.safetensors", &[&length[..], header.as_bytes(), &vec![0; elements]].concat())
    };
    let cases = [
        (r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, 7, "from 0 to 8 of 7"),
        (r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}"#, 9, "1 bytes at the end"),
        (r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[1,9]}}"#, 9, "from 1 to 9"),
        (r#"{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}"#, 8, "from 8 to 0"),
        (r#"{"a":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}}"#, 8, "f32[3]"),
        (r#"{"a":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,3]}}"#, 3, "type F8_E4M3"),
        (
            r#"{"a":{"dtype":"U8","shape":[9223372036854775807,2],"data_offsets":[0,3]}}"#,
            3,
            "memory",
        ),
        (r#"{"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}}"#, 1, "tensor `a`"),
        (r#"{"a":{"dtype":"U8","shape":[1]}}"#, 1, "tensor `a`"),
        (r#"{"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"a":7}"#, 1, "two entries `a`"),
        ("[]", 0, "no object"),
        ("", 0, "no object"),
    ];
    for (header, elements, why) in cases {
        let path = file(header, elements);
        let text = refused(safetensors::load(path), "wrong.safetensors").1;
        assert!(text.contains(why), "{header}: {text}");
    }
    let huge = made("huge.safetensors", &u64::MAX.to_le_bytes());
    assert!(refused(safetensors::load(huge), "huge.safetensors").1.contains("more than there are"));
    let deep = file(&"[".repeat(30_000), 0);
    assert!(refused(safetensors::load(deep), "wrong.safetensors").1.contains("no object"));
    let metadata = file(r#"{"__metadata__":{"format":"pt"}}"#, 0);
    assert!(safetensors::load(metadata).unwrap().is_empty());
}
