use super::*;

/// Topologies of every kind with a number of ranks each.
fn every_kind() -> Vec<(Topology, usize)> {
    let texts = [
        ("switch", 9),
        ("shared-memory:nodes=3", 10),
        ("fat-tree:k=8,taper=3", 40),
        ("fat-tree:k=4,levels=3", 16),
        ("torus:7", 7),
        ("torus:4x3x2", 24),
        ("torus:2x2x2x2x2", 32),
        ("dragonfly:routers=4,ranks=2,global=2", 72),
        ("dragonfly:routers=4,ranks=2,global=2,routing=valiant", 72),
        ("islands:size=4,k=8,taper=2", 37),
    ];
    texts.map(|(text, ranks)| (text.parse().unwrap(), ranks)).into_iter().collect()
}

#[test]
fn every_path_is_of_links_that_exist_is_as_long_as_the_way_back_and_crosses_none_twice() {
    for (topology, ranks) in every_kind() {
        let network = topology.network(ranks).unwrap();
        for a in 0..ranks {
            assert!(network.path(a, a).is_empty());
            for b in (0..ranks).filter(|&b| b != a) {
                let path = network.path(a, b);
                assert!(!path.is_empty(), "{topology:?}: {a} to {b} is connected");
                assert!(path.iter().all(|&l| (l as usize) < network.links()));
                assert_eq!(path.len(), network.path(b, a).len(), "{topology:?}: {a} and {b}");
                let mut once = path.clone();
                once.sort_unstable();
                once.dedup();
                assert_eq!(once.len(), path.len(), "{topology:?}: {a} to {b} crosses {path:?}");
            }
        }
    }
}

#[test]
fn two_ranks_share_no_port_and_each_has_its_own() {
    for (topology, ranks) in every_kind().into_iter().filter(|t| t.0.name() != "shared-memory") {
        let network = topology.network(ranks).unwrap();
        let far = |rank: usize| (rank + ranks / 2) % ranks;
        let mut firsts: Vec<_> = (0..ranks).map(|r| network.path(r, far(r))[0]).collect();
        firsts.sort_unstable();
        firsts.dedup();
        assert_eq!(firsts.len(), ranks, "{topology:?}");
    }
}

#[test]
fn a_torus_takes_the_shorter_way_one_step_at_a_time() {
    let torus: Topology = "torus:5x4".parse().unwrap();
    let network = torus.network(20).unwrap();
    let apart = |a: usize, b: usize, size: usize| a.abs_diff(b).min(size - a.abs_diff(b));
    for a in 0..20 {
        for b in 0..20 {
            let hops = apart(a / 4, b / 4, 5) + apart(a % 4, b % 4, 4);
            assert_eq!(network.path(a, b).len(), hops);
        }
    }
}

#[test]
fn pairs_of_a_stride_spread_over_the_spines() {
    let tree: Topology = "fat-tree:k=32,levels=2".parse().unwrap();
    let network = tree.network(512).unwrap();
    let mut uses = vec![0; network.links()];
    for rank in 0..512 {
        network.path(rank, rank ^ 256).iter().for_each(|&l| uses[l as usize] += 1);
    }
    let most = uses.iter().max().unwrap();
    assert!(*most <= 6, "{most} of 16 ranks of a leaf meet on one link");
}

#[test]
fn what_a_text_leaves_out_has_a_default_and_what_it_adds_is_refused_by_name() {
    let tree: Topology = "fat-tree:k=16,taper=2,bandwidth=25GB/s,latency=1.5us".parse().unwrap();
    let link = Link { bandwidth: 25e9, latency: 1.5e-6 };
    assert_eq!(tree, Topology::FatTree(FatTree { radix: 16, taper: 2.0, levels: 0, link }));
    let refused = |text: &str| text.parse::<Topology>().unwrap_err().to_string();
    assert!(refused("hypercube").contains("there is no topology `hypercube`"));
    assert!(refused("fat-tree:ports=4").contains("`ports=4` is not an option of it (k, taper"));
    assert!(refused("fat-tree:k=many").contains("`many` is no number for `k`"));
    assert!(refused("torus:4x").contains("`4x` are not the dimensions"));
    assert!(refused("switch:latency=3").contains("is no latency"));
    assert!(refused("dragonfly:routing=random").contains("no routing `random`"));
}

#[test]
fn impossible_networks_and_too_many_ranks_are_errors() {
    let refused = |text: &str, ranks: usize| {
        text.parse::<Topology>().unwrap().network(ranks).unwrap_err().message().to_owned()
    };
    assert_eq!(refused("torus:2x2", 5), "topology `torus` holds 4 ranks, not 5");
    assert_eq!(refused("fat-tree:k=4,levels=3", 17), "topology `fat-tree` holds 16 ranks, not 17");
    assert!(refused("fat-tree:k=4,taper=0", 4).contains("taper 0"));
    assert!(refused("fat-tree:k=4,taper=NaN", 4).contains("does not exist"));
    assert!(refused("torus:0x4", 1).contains("0 ranks in a dimension"));
    assert!(refused("torus:99999x99999x99999", 1).contains("not simulated"));
    assert!(refused("dragonfly:routers=1000000,global=1000000", 1).contains("does not exist"));
    assert!(refused("switch:bandwidth=0", 2).contains("is no link"));
    assert!(refused("switch", 0).contains("not 0"));
}

#[test]
fn a_topology_survives_its_file() {
    for (topology, _) in every_kind() {
        let text = serde_json::to_string(&topology).unwrap();
        assert_eq!(serde_json::from_str::<Topology>(&text).unwrap(), topology, "{text}");
    }
    assert!(serde_json::from_str::<Topology>(r#"{"kind":"torus","dims":[2]}"#).is_err());
    assert!(serde_json::from_str::<Topology>(r#"{"kind":"fat-tree","ports":2}"#).is_err());
}

#[test]
fn more_ranks_than_a_group_has_are_refused() {
    for (topology, _) in every_kind() {
        for ranks in [1 << 32, usize::MAX] {
            let error = topology.network(ranks).unwrap_err().to_string();
            assert!(error.contains("a group has at most 4294967295"), "{error}");
        }
    }
}
