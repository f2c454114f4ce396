use super::*;

#[test]
fn a_topology_comes_as_text_or_from_a_file_that_holds_one() {
    assert_eq!(topology("torus:2x2").unwrap(), "torus:2x2".parse().unwrap());
    let file = std::env::temp_dir().join(format!("ringwood-topology-{}.json", std::process::id()));
    let name = file.to_str().unwrap();
    fs::write(&file, serde_json::to_string(&topology("fat-tree:k=8").unwrap()).unwrap()).unwrap();
    assert_eq!(topology(name).unwrap(), topology("fat-tree:k=8").unwrap());
    fs::write(&file, "[]").unwrap();
    assert!(topology(name).unwrap_err().to_string().contains("holds no topology"));
    fs::remove_file(&file).unwrap();
    assert!(topology(name).unwrap_err().to_string().contains("cannot read the topology"));
}

#[test]
fn more_ranks_than_are_simulated_are_refused() {
    for operation in [Operation::AllReduce, Operation::AllGather, Operation::Permute] {
        for ranks in [(1 << 20) + 1, 1 << 62, usize::MAX] {
            let error = request(operation, ranks, Bytes(0), DType::F32).unwrap_err();
            let text = error.to_string();
            assert!(text.contains("more than the 1048576 that are simulated"), "{text}");
        }
    }
}
