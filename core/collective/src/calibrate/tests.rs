use super::*;
use ringwood_base::ErrorKind;
use ringwood_schedule::Rate;
use std::path::PathBuf;
use std::{env, fs, process};

/// A folder of a test's own, removed at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("ringwood-calibration-{}-{name}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn calibration() -> Calibration {
    let mut model = CostModel::peer_memory(2);
    model.corrections.insert("ring", 4, Rate::table(vec![(16, 0.5), (1024, 2.0)]).unwrap());
    Calibration { machine: Machine::this(), model, samples: 7, error: 0.25 }
}

#[test]
fn a_calibration_is_read_as_it_was_written_and_leaves_no_draft() {
    let folder = Folder::new("whole");
    let path = folder.0.join("deep/costs.json");
    assert_eq!(Calibration::read(&path).unwrap(), None);
    calibration().write(&path).unwrap();
    calibration().write(&path).unwrap();
    assert_eq!(Calibration::read(&path).unwrap(), Some(calibration()));
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn a_damaged_calibration_says_so_and_what_to_do() {
    let folder = Folder::new("damaged");
    let path = folder.0.join("costs.json");
    let whole = serde_json::to_string(&calibration()).unwrap();
    let negative = whole.replace("\"latency\":1e-7", "\"latency\":-1.0");
    assert_ne!(negative, whole);
    for text in ["", "{}", &whole[..whole.len() / 2], &negative, "\u{0}\u{1}"] {
        fs::write(&path, text).unwrap();
        let error = Calibration::read(&path).unwrap_err();
        assert!(error.message().contains("is damaged"), "{error}");
        assert!(error.to_string().contains("ringwood calibrate"), "{error}");
    }
    fs::write(&path, [0xFF, 0xFE]).unwrap();
    assert!(Calibration::read(&path).unwrap_err().message().contains("cannot be read"));
}

#[test]
fn a_calibration_of_another_machine_or_version_is_not_used() {
    let folder = Folder::new("other");
    let path = folder.0.join("costs.json");
    let machine = Machine { version: "0.0.0".into(), ..Machine::this() };
    Calibration { machine, ..calibration() }.write(&path).unwrap();
    let error = Calibration::read(&path).unwrap_err();
    assert!(error.message().contains("is of another machine"), "{error}");
}

#[test]
fn a_calibration_that_cannot_be_written_is_an_error_that_names_the_file() {
    let folder = Folder::new("unwritable");
    let file = folder.0.join("file");
    fs::write(&file, "").unwrap();
    let error = calibration().write(&file.join("costs.json")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.message().contains("costs.json"), "{error}");
}

#[test]
fn the_file_is_for_this_machine_and_version() {
    let name = Machine::this().file_name();
    assert!(name.starts_with(env!("CARGO_PKG_VERSION")) && name.ends_with(".json"), "{name}");
    assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b)), "{name}");
}

mod fitting {
    use super::super::{Bytes, Operation, Request, Sample, fit, usable};
    use ringwood_base::registry::{Entry, EntryMeta, Registry};
    use ringwood_schedule::{
        Chunks, Collective, CollectiveDef, CostModel, Descriptor, Lane, Params, Rank, Rate,
        predict, register_collective,
    };

    struct Ring;

    impl Collective for Ring {
        fn describe(&self) -> Descriptor {
            Descriptor::all_reduce("fitted_ring").chunks(Chunks::PerRank)
        }

        fn schedule(&self, p: &Params, rank: Rank, s: &mut Lane) {
            for step in 0..p.ranks() - 1 {
                s.send(rank.next(), p.chunk(rank - step));
                s.recv_reduce(rank.prev(), p.chunk(rank - step - 1));
            }
            for step in 0..p.ranks() - 1 {
                s.send(rank.next(), p.chunk(rank - step + 1));
                s.recv(rank.prev(), p.chunk(rank - step));
            }
        }
    }

    mod entries {
        use super::{Ring, register_collective};
        register_collective!(fitted_ring, Ring);
    }

    /// Calls on a machine that is as `model` says.
    fn samples(registry: &Registry, model: &CostModel) -> Vec<Sample> {
        let mut samples = Vec::new();
        for ranks in [2, 4] {
            for bytes in [16 << 10, 1 << 18, 1 << 22, 1 << 24] {
                let request = Request::sized(Operation::AllReduce, ranks, Bytes(bytes));
                let seconds = predict(registry, "fitted_ring", &request, model).unwrap();
                let (algorithm, operation) = ("fitted_ring".to_owned(), Operation::AllReduce);
                samples.push(Sample { algorithm, operation, ranks, bytes, seconds });
            }
        }
        samples
    }

    #[test]
    fn algorithms_of_one_name_are_measured_each() {
        static RING: Entry = entries::fitted_ring::ENTRY;
        let meta = EntryMeta { package: "mine", ..RING.meta() };
        let mine = Entry::new(meta, RING.declared::<CollectiveDef>().unwrap());
        let registry = Registry::builder().register_all([RING.clone(), mine]).build().unwrap();
        let request = Request::sized(Operation::AllReduce, 2, Bytes(1024));
        assert_eq!(usable(&registry, &request), ["mine::fitted_ring", "fitted_ring"]);
    }

    #[test]
    fn a_fit_comes_closer_and_corrections_give_what_was_measured() {
        let registry = Registry::builder().register(entries::fitted_ring::ENTRY).build().unwrap();
        let rate = Rate::constant(1.0 / 3e9);
        let truth = CostModel { receive: rate.clone(), reduce: rate, ..CostModel::peer_memory(2) };
        let truth = CostModel { call: vec![(2, 2e-6), (4, 20e-6)], ..truth };
        let samples = samples(&registry, &truth);
        let start = CostModel::peer_memory(2);
        let (model, error) = fit(&registry, start, &samples).unwrap();
        assert!(error < 0.1, "{error}: {model:?}");
        for sample in &samples {
            let request = Request::sized(sample.operation, sample.ranks, Bytes(sample.bytes));
            let predicted = predict(&registry, "fitted_ring", &request, &model).unwrap();
            assert!((predicted / sample.seconds - 1.0).abs() < 1e-9, "{sample:?}");
        }
    }
}
